program=/usr/bin/file
version() { file --version | sed -n '1s/file-//p'; }
start() { :; }
client() {
    run_here file -b /bin/sh /etc/passwd /dev/null "$0" /usr/share/misc
    run_here file -b -z /usr/share/man/man1/ls.1.gz
}
