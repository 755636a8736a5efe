/* Judges a file: follows scripts to their interpreter and programs to their libraries. */
#include "check.h"

#include "command.h"
#include "needed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As deep as the kernel follows scripts. */
#define SCRIPT_DEPTH 5
#define SCRIPT_LINE  256

/* As execvp looks: only a name without a slash goes through PATH, a file that is here comes first.
 */
static char *in_path(const char *name)
{
    const char *list = getenv("PATH");
    if (strchr(name, '/') || access(name, F_OK) == 0) {
        return text_of("%s", name);
    }
    for (const char *p = list ? list : "/usr/bin:/bin"; *p; p += *p == ':') {
        size_t length = strcspn(p, ":");
        char *path = text_of("%.*s/%s", (int)length, p, name);
        if (access(path, X_OK) == 0) {
            return path;
        }
        free(path);
        p += length;
    }
    return text_of("%s", name);
}

/* The program that env(1) would run: its first word that is no option and no NAME=VALUE. */
static char *env_program(char *arguments)
{
    char *rest = arguments, *word;
    while ((word = strsep(&rest, " \t"))) {
        if (*word && *word != '-' && !strchr(word, '=')) {
            return in_path(word);
        }
    }
    return NULL;
}

/* The interpreter in a `#!` line, NULL when there is none. */
static char *interpreter_of(const char *path)
{
    char line[SCRIPT_LINE + 1];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : read(fd, line, SCRIPT_LINE);
    if (fd >= 0) {
        close(fd);
    }
    if (n < 3 || line[0] != '#' || line[1] != '!') {
        return NULL;
    }
    line[n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    char *rest = line + 2 + strspn(line + 2, " \t");
    char *program = strsep(&rest, " \t");
    const char *slash = strrchr(program, '/');
    if (rest && strcmp(slash ? slash + 1 : program, "env") == 0) {
        char *real = env_program(rest);
        if (real) {
            return real;
        }
    }
    return *program ? text_of("%s", program) : NULL;
}

static const char *not_a_program(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        return strerror(errno);
    }
    return S_ISDIR(st.st_mode) ? "a directory" : S_ISREG(st.st_mode) ? NULL : "not a regular file";
}

static void judge(struct check_tables *tables, const char *name, const char *path,
                  struct checked *checked)
{
    static struct load_list list;
    const struct elf_file *objects[sizeof(list.items) / sizeof(*list.items)];
    const char *wrong = not_a_program(path);
    const struct elf_file *program = wrong ? NULL : elf_file_read(path, &wrong);
    if (!program) {
        if (strcmp(wrong, "not an ELF file") == 0) {
            check_because(checked, NOT_REACHED, "neither ELF nor a script with a `#!` line");
        } else {
            fail("check: %s: %s", path, wrong);
            checked->reach = UNREADABLE;
        }
        return;
    }
    needed_walk(program, &list);
    for (size_t i = 0; i < list.count; i++) {
        objects[i] = list.items[i]->elf;
    }
    check_imports(tables, name, checked, objects, list.count);
    check_elf(checked, program, objects, list.count);
    check_privileges(checked, path);
    if (list.missing) {
        check_because(checked, REACHED, text_of("libraries not found: %s", list.missing));
    }
}

enum reach check_file(struct check_tables *tables, const char *name)
{
    struct checked checked = {0};
    char *path = in_path(name), *next;
    for (int i = 0; i < SCRIPT_DEPTH && (next = interpreter_of(path)); i++) {
        check_because(&checked, REACHED, text_of("a script, run by %s", next));
        path = next;
    }
    judge(tables, name, path, &checked);
    if (checked.reach != UNREADABLE) {
        check_row(tables, name, NULL, NULL, &checked);
    }
    return checked.reach;
}
