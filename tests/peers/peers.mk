# make peers PEERS='python stress-ng cyclictest perl libevent libuv glibc': other projects' own
# tests, natively and under the library.
peers: all
	@sh tools/deps build peers
	BUILD=$(BUILD) tests/peers/peers $(PEERS)

.PHONY: peers
