/* prctl through the library: arguments and results of a few options, good and bad. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#define SHOW(call)                                                                                 \
    do {                                                                                           \
        errno = 0;                                                                                 \
        int result = call;                                                                         \
        printf("%s = %d %s\n", #call, result, errno ? strerrorname_np(errno) : "");                \
    } while (0)

int main(void)
{
    char name[17] = "";
    SHOW(prctl(PR_SET_NAME, "a name"));
    SHOW(prctl(PR_GET_NAME, name));
    printf("name '%s'\n", name);
    SHOW(prctl(PR_SET_PDEATHSIG, 0));
    SHOW(prctl(PR_SET_PDEATHSIG, 1000));
    SHOW(prctl(PR_GET_DUMPABLE));
    SHOW(prctl(PR_SET_DUMPABLE, 9));
    SHOW(prctl(PR_CAPBSET_READ, 1000));
    SHOW(prctl(-1, 1, 2, 3, 4));
    SHOW(prctl(PR_GET_SECCOMP));
    SHOW(prctl(PR_SET_SECCOMP, 9, NULL));
    SHOW(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    SHOW(prctl(PR_SET_NO_NEW_PRIVS, 1, 1, 0, 0));
    SHOW(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    SHOW(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    SHOW(prctl(PR_SET_TIMERSLACK, 1000000000UL));
    SHOW(prctl(PR_GET_TIMERSLACK));
    return 0;
}
