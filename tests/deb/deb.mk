# make deb: Debian packages for this machine, and the library alone for i386, in build/deb/. Built in
# a copy, so that neither the tree nor what is built in it is touched.
DEB_DIR := $(abspath $(BUILD))/deb
# What this make was told isn't meant for the one that the package runs.
DEB_BUILD := env -u BUILD -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u CC -u CFLAGS dpkg-buildpackage -us -uc -b

deb:
	@sh tools/deps build deb abi
	rm -rf $(DEB_DIR)
	mkdir -p $(DEB_DIR)/host $(DEB_DIR)/i386
	for dir in host i386; do \
	  tar -c --exclude-vcs --exclude=./build . | tar -x --one-top-level=$(DEB_DIR)/$$dir/hrtimeout; \
	done
	cd $(DEB_DIR)/host/hrtimeout && $(DEB_BUILD)
	cd $(DEB_DIR)/i386/hrtimeout && $(DEB_BUILD) -ai386 -d -Ppkg.hrtimeout.library
	mv $(DEB_DIR)/*/*.deb $(DEB_DIR)
	rm -rf $(DEB_DIR)/host $(DEB_DIR)/i386
	lintian --fail-on error $(DEB_DIR)/*.deb
	@ls -l $(DEB_DIR)

.PHONY: deb
