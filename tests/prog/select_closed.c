/* A closed descriptor is EBADF, but one above the descriptor table is ignored. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

static int quiet_pipe[2];

/* Beside the closed one a descriptor that is quiet, or one that is ready. */
static void look(int closed, int set, int us, bool ready)
{
    fd_set sets[3];
    struct timeval tv = {.tv_usec = us};
    memset(sets, 0, sizeof(sets));
    FD_SET(quiet_pipe[ready], &sets[ready]);
    FD_SET(closed, &sets[set]);
    errno = 0;
    int n = select(closed + 1, &sets[0], &sets[1], &sets[2], &tv);
    printf("closed %d in set %d for %d us: %d %s, bits %d %d\n", closed, set, us, n,
           errno ? strerrorname_np(errno) : "", FD_ISSET(quiet_pipe[ready], &sets[ready]) != 0,
           FD_ISSET(closed, &sets[set]) != 0);
}

static void look_at_all(const char *table)
{
    static const int closed[] = {40, 63, 64, 127, 128, 255, 256, 400, 511, 512, 900, 1023};
    static const int lengths[] = {0, 500, 12000};
    puts(table);
    for (size_t i = 0; i < sizeof(closed) / sizeof(*closed); i++) {
        for (int n = 0; n < 9; n++) {
            look(closed[i], n % 3, lengths[n / 3], false);
            look(closed[i], n % 3, lengths[n / 3], true);
        }
    }
}

/* A child's table is cut to what is open. */
int main(void)
{
    int status;
    if (pipe(quiet_pipe)) {
        return 2;
    }
    closefrom(quiet_pipe[1] + 1);
    pid_t pid = fork();
    if (pid == 0) {
        look_at_all("small table");
        dup2(0, 700);
        close(700);
        look_at_all("larger table");
        fflush(stdout);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    printf("child: %d\n", status);
    return 0;
}
