/* closes_all FILE: closes 3 to 1023 at start, as daemons do, then writes a file of its own through
 * every descriptor number that comes. The file must hold its bytes only. */
#include "each_wait.h"

#include <fcntl.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    char text[100] = "";
    struct stat st;
    for (int fd = 3; fd < 1024; fd++) {
        close(fd);
    }
    int file = argc == 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0 || !each_wait_open()) {
        return 2;
    }
    for (int fd = 20; fd < 60; fd++) {
        dup2(file, fd);
    }
    for (int i = 0; i < EACH_WAITS - 1; i++) {
        printf("%s: %s\n", each_wait[i].name, each_wait_outcome(&each_wait[i], 11000000));
    }
    if (write(file, "own bytes", 9) != 9 || fstat(file, &st) != 0) {
        return 2;
    }
    ssize_t n = pread(file, text, sizeof(text) - 1, 0);
    printf("descriptor %d, %ld bytes: '%s' %zd\n", file, (long)st.st_size, text, n);
    return 0;
}
