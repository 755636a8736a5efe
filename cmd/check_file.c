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
#define NOT_ELF      "not an ELF file"

/* As execvp looks: a name without a slash is looked for in PATH only. */
static char *in_path(const char *name)
{
    const char *list = getenv("PATH");
    if (strchr(name, '/')) {
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

/* What execvp() gives to the shell: executable, but nothing that the kernel knows. */
static bool is_for_shell(const char *path)
{
    const char *wrong = NULL;
    return access(path, X_OK) == 0 && !not_a_program(path) && !elf_file_read(path, &wrong) &&
           strcmp(wrong, NOT_ELF) == 0;
}

/* A script's own path gives way to its interpreter's, and so on. */
static char *follow_scripts(char *path, struct checked *checked)
{
    char *next;
    for (int i = 0; i < SCRIPT_DEPTH && (next = interpreter_of(path)); i++) {
        check_because(checked, REACHED, text_of("a script, run by %s", next));
        path = next;
    }
    if (!checked->why && is_for_shell(path)) {
        path = text_of("%s", "/bin/sh");
        check_because(checked, REACHED, "a script without a `#!` line, run by /bin/sh");
    }
    return path;
}

static const struct elf_file *read_program(const char *path, struct checked *checked,
                                           const char **wrong)
{
    *wrong = not_a_program(path);
    const struct elf_file *program = *wrong ? NULL : elf_file_read(path, wrong);
    if (!program && strcmp(*wrong, NOT_ELF) == 0) {
        check_because(checked, NOT_REACHED, "neither a program nor a script");
    } else if (!program) {
        checked->reach = UNREADABLE;
    }
    return program;
}

static void judge(struct check_tables *tables, const char *name, const char *path,
                  const struct elf_file *program, struct checked *checked)
{
    static struct load_list list;
    const struct elf_file *objects[MOST_LOADED];
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
    const char *wrong;
    bool here = access(name, F_OK) == 0;
    char *path = follow_scripts(here ? text_of("%s", name) : in_path(name), &checked);
    const struct elf_file *program = read_program(path, &checked, &wrong);
    if (checked.reach == UNREADABLE) {
        fail("check: %s: %s", path, wrong);
        return UNREADABLE;
    }
    if (program) {
        judge(tables, name, path, program, &checked);
    }
    check_row(tables, name, NULL, NULL, &checked);
    return checked.reach;
}

/* Its libraries are left alone: only what is in the way matters, and time does. */
void check_command(struct checked *checked, const char *command)
{
    const char *wrong;
    char *path = follow_scripts(in_path(command), checked);
    const struct elf_file *program =
        access(path, X_OK) == 0 ? read_program(path, checked, &wrong) : NULL;
    if (program) {
        check_elf(checked, program, &program, 1);
        check_privileges(checked, path);
    }
}
