/* load_many LIBRARY...: loads each and says how many could be; then the waits still work. */
#include "each_wait.h"

#include <dlfcn.h>

int main(int argc, char **argv)
{
    int loaded = 0;
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        int (*use)(void) = library ? (int (*)(void))dlsym(library, "tls_use") : NULL;
        if (use) {
            loaded += use();
        }
    }
    printf("%d loaded\n", loaded);
    if (!each_wait_open()) {
        return 2;
    }
    for (int i = 0; i < EACH_WAITS - 1; i++) {
        printf("%s: %s\n", each_wait[i].name, each_wait_outcome(&each_wait[i], 1000000));
    }
    return 0;
}
