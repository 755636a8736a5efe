/* hrtimeout service: the library for systemd units, by a drop-in file each. */
#ifndef HRTIMEOUT_SERVICE_H
#define HRTIMEOUT_SERVICE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SERVICE_DROPIN   "50-hrtimeout.conf"
#define SERVICE_DEFAULTS "/etc/default/hrtimeout"
/* Settings that known programs need, a file a unit. */
#define SERVICE_PROFILES "/etc/hrtimeout/profiles"
/* The first words of a drop-in that is ours to change. */
#define SERVICE_MARK "# Written by `hrtimeout service`"
/* Stands below the mark where the directory is ours to remove as well. */
#define SERVICE_MADE "# It made this directory."

/* What the manager knows of a unit. */
struct unit {
    char *name; /* with .service */
    bool user;  /* of the user's manager */
    char *text; /* lines of NAME=VALUE */
};

/* Asks the manager. False after a message: no manager, not the name of a service. */
bool unit_ask(struct unit *unit, const char *name, bool user);
/* The same, for a unit that must be there. */
bool unit_read(struct unit *unit, const char *name, bool user);
/* Takes over what the manager printed; the last line needs no newline. */
void unit_take(struct unit *unit, const char *text);

/* The value of a property, "" when it has none. `at`: the one after that one, NULL for the first;
 * NULL when there are no more. */
const char *unit_next(const struct unit *unit, const char *property, const char *at);
const char *unit_value(const struct unit *unit, const char *property);
/* Whether a property that is yes, no or a word is set to anything but no. */
bool unit_has(const struct unit *unit, const char *property);
/* Takes one word off a list as the manager prints it, quotes undone; NULL at its end. */
char *unit_word(const char **list);

/* Runs systemctl with these arguments and waits. Its exit status, 127 when there is none. */
int systemctl_run(bool user, const char *const *arguments);

/* What is wanted of enable. */
struct service_settings {
    char **list; /* HRTIMEOUT_NAME=VALUE, NULL-terminated */
    const char *mode, *slack, *stats, *sandbox;
    char library[PATH_MAX];
};

enum verdict { VERDICT_GOOD, VERDICT_REFUSED, VERDICT_FAILED };

/* Whether the library can work in the unit. Reasons against it and warnings go to stderr. */
enum verdict service_judge(const struct unit *unit, const struct service_settings *settings);

/* Directory and file of the drop-in; NULL after a message when there is no home for it. */
char *dropin_directory(const char *unit, bool user);
/* What the file has to say, without the mark. */
char *dropin_text(const struct unit *unit, const struct service_settings *settings);
/* 0, or an exit code after a message. `dry`: prints the commands instead. */
int dropin_write(const char *directory, const char *text, bool dry);
/* As above. `*removed`: whether there was one. */
int dropin_remove(const char *directory, bool dry, bool *removed);
/* The value of an Environment="NAME=..." line in a drop-in of ours; NULL when it has none. */
char *dropin_setting(const char *file, const char *name);

int service_status(char **names, size_t count, bool user, bool json);
int service_list(bool user, bool json);

#endif
