/* each_wait MS [NAME...]: makes every kind of wait once and says how each ended. */
#include "each_wait.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2 || !each_wait_open()) {
        return 2;
    }
    int64_t ns = atoi(argv[1]) * INT64_C(1000000);
    for (int i = 0; i < EACH_WAITS; i++) {
        if (each_wait_picked(&each_wait[i], argv + 2)) {
            printf("%s: %s\n", each_wait[i].name, each_wait_outcome(&each_wait[i], ns));
        }
    }
    return 0;
}
