/* select_kinds alone|together|random: every kind of descriptor in every set, alone, all at once and
 * in random mixtures: the count and the bits. */
#include "kinds_of_fd.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>

static fd_set sets[3];
static int highest;

static void clear_sets(void)
{
    memset(sets, 0, sizeof(sets));
    highest = -1;
}

static void want(int kind, int set)
{
    FD_SET(kinds[kind].fd, &sets[set]);
    highest = kinds[kind].fd > highest ? kinds[kind].fd : highest;
}

/* Then says what came back; with pselect every second time. */
static void look(int us)
{
    static bool other;
    struct timeval tv = {.tv_usec = us};
    struct timespec ts = {.tv_nsec = us * 1000L};
    other = !other;
    int n = other ? select(highest + 1, &sets[0], &sets[1], &sets[2], &tv)
                  : pselect(highest + 1, &sets[0], &sets[1], &sets[2], &ts, NULL);
    printf("%d", n);
    for (int i = 0; n >= 0 && i < kind_count; i++) {
        for (int s = 0; s < 3; s++) {
            if (FD_ISSET(kinds[i].fd, &sets[s])) {
                printf(" %d%c", i, "rwe"[s]);
            }
        }
    }
    putchar('\n');
}

static void alone(void)
{
    static const int lengths[] = {0, 500, 12000};
    for (int i = 0; i < kind_count; i++) {
        for (int which = 1; which < 8; which++) {
            for (int l = 0; l < 3; l++) {
                clear_sets();
                for (int s = 0; s < 3; s++) {
                    if (which & (1 << s)) {
                        want(i, s);
                    }
                }
                printf("%s in %d, %d us: ", kinds[i].name, which, lengths[l]);
                look(lengths[l]);
            }
        }
    }
}

/* Each set by itself, then mixtures of them. One kind of descriptor that poll knows nothing of can
 * change how all are looked at, so once without it. */
static void together(bool all)
{
    for (int which = 1; which < 8; which++) {
        clear_sets();
        for (int i = 0; i < kind_count; i++) {
            for (int s = 0; s < 3; s++) {
                if ((which & (1 << s)) && (all || strcmp(kinds[i].name, "O_PATH") != 0)) {
                    want(i, s);
                }
            }
        }
        printf("%s in %d: ", all ? "all" : "all but O_PATH", which);
        look(12000);
    }
}

/* Few at a time, so that many rounds have nothing ready. */
static void random_mixtures(void)
{
    unsigned seed = 20080825;
    for (int round = 0; round < 400; round++) {
        clear_sets();
        int count = rand_r(&seed) % 4;
        for (int n = 0; n < count; n++) {
            int kind = rand_r(&seed) % kind_count;
            want(kind, rand_r(&seed) % 3);
            want(kind, rand_r(&seed) % 3);
        }
        printf("mixture %d: ", round);
        look((int[]){0, 300, 3000, 11500}[rand_r(&seed) % 4]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    open_kinds();
    if (strcmp(argv[1], "alone") == 0) {
        alone();
    } else if (strcmp(argv[1], "together") == 0) {
        together(true);
        together(false);
    } else {
        random_mixtures();
    }
    return 0;
}
