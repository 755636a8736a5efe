/* hrtimeout: runs, checks, deploys and compares. This file only picks the subcommand. */
#include "command.h"

#include "render.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION "unknown"
#endif

static const struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} subcommands[] = {
    {"run", cmd_run, "run a program with its timed waits on time"},
    {"compare", cmd_compare, "run it with and without, and show both"},
    {"check", cmd_check, "tell whether the library reaches a program, and why not"},
    {"attach", cmd_attach, "set the timer slack of a running process"},
    {"detach", cmd_detach, "give it back the timer slack it had"},
    {"service", cmd_service, "put systemd units under the library, and show them"},
    {"explain", cmd_explain, "tell what the kernel here does to timed waits"},
    {"report", cmd_report, "show what a statistics file holds"},
    {"slack", cmd_slack, "measure how late timed waits end, by eBPF"},
};

#define SUBCOMMANDS (sizeof(subcommands) / sizeof(*subcommands))

int fail(const char *format, ...)
{
    /* In one piece, whoever else writes there; the names in it may be anybody's. */
    char *text = NULL, *plain = NULL;
    size_t size = 0;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        text = NULL;
    }
    va_end(args);
    FILE *to = text ? open_memstream(&plain, &size) : NULL;
    if (to) {
        put_plain(to, text);
        fclose(to);
    }
    dprintf(STDERR_FILENO, "hrtimeout: %s\n", plain ? plain : "out of memory");
    free(text);
    free(plain);
    return EXIT_OURS;
}

int finish_output(FILE *to)
{
    errno = 0;
    if (fflush(to) != 0 || ferror(to)) {
        return fail("can't write the output: %s", strerror(errno ? errno : EIO));
    }
    return 0;
}

static void usage(FILE *to)
{
    fputs("Usage: hrtimeout SUBCOMMAND [OPTION...]\n"
          "Makes the timed waits of unmodified programs end when they should.\n\n",
          to);
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        fprintf(to, "  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    }
    fputs("\n`hrtimeout SUBCOMMAND --help` tells more; the manual page is hrtimeout(1).\n", to);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return EXIT_OURS;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("hrtimeout " VERSION);
        return 0;
    }
    for (size_t i = 0; i < SUBCOMMANDS; i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0) {
            return subcommands[i].run(argc - 1, argv + 1);
        }
    }
    return fail("no subcommand '%s'; `hrtimeout --help` lists them", argv[1]);
}
