/* fd_list: the descriptors that are open at the start of the program. */
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
    for (int fd = 0; fd < 1024; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) {
            printf("%d\n", fd);
        }
    }
    return 0;
}
