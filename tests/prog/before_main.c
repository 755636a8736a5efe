/* Every wait from .preinit_array, a constructor, main, an atexit handler, a destructor and
 * .fini_array: before the library's own constructor and after its destructor. */
#include "each_wait.h"

#include <stdlib.h>

static void wait_all(const char *where)
{
    if (!each_wait_open()) {
        return;
    }
    dprintf(1, "%s:", where);
    for (int i = 0; i < EACH_WAITS; i++) {
        if (each_wait[i].run != do_sleep) {
            dprintf(1, " %s", each_wait_outcome(&each_wait[i], 2000000));
        }
    }
    dprintf(1, "\n");
    each_wait_close();
}

static void preinit(int argc, char **argv, char **environment)
{
    (void)argc, (void)argv, (void)environment;
    wait_all("preinit");
}

static void fini(void)
{
    wait_all("fini");
}

__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **,
                                                                      char **) = preinit;
__attribute__((section(".fini_array"), used)) static void (*last)(void) = fini;

__attribute__((constructor)) static void constructor(void)
{
    wait_all("constructor");
}

__attribute__((destructor)) static void destructor(void)
{
    wait_all("destructor");
}

static void at_exit(void)
{
    wait_all("atexit");
}

int main(void)
{
    atexit(at_exit);
    wait_all("main");
    return 0;
}
