/* hrtimeout service: what is asked, and the order of the steps. */
#include "service.h"

#include "command.h"
#include "grid.h"
#include "launch.h"
#include "stats_map.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_REFUSED 1

enum { KEY_JSON = 256, KEY_USER, KEY_DRY, KEY_NOW, KEY_FORCE };

struct service {
    struct launch launch;
    const char *action;
    char **names;
    size_t count;
    bool user, json, dry, now, force;
};

static const struct argp_option options[] = {
    {"user", KEY_USER, NULL, 0, "units of the user's own manager", 0},
    {"dry-run", KEY_DRY, NULL, 0, "print the commands that would do it, and do nothing", 0},
    {"now", KEY_NOW, NULL, 0, "restart units that run", 0},
    {"force", KEY_FORCE, NULL, 0, "enable also where it was found to be of no use", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct service *service = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL;
        state->child_inputs[0] = &service->launch;
        return 0;
    case KEY_USER:
        service->user = true;
        return 0;
    case KEY_DRY:
        service->dry = true;
        return 0;
    case KEY_NOW:
        service->now = true;
        return 0;
    case KEY_FORCE:
        service->force = true;
        return 0;
    case KEY_JSON:
        service->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!service->action) {
            service->action = arg;
        } else {
            service->names[service->count++] = arg;
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&launch_argp, 0, "Settings for enable:", 1}, {0}};
static const struct argp argp = {
    options,
    parse,
    "enable|disable|status UNIT...\nlist",
    "Puts services of systemd under the library by a drop-in, takes them back, and shows what "
    "their processes have.\v"
    "Examples:\n"
    "  hrtimeout service enable --now mosquitto\n"
    "  hrtimeout service enable --mode exact --cpu 10 --dry-run chrony\n"
    "  hrtimeout service status mosquitto\n"
    "  hrtimeout service disable --now mosquitto\n\n"
    "Without a setting a unit goes by " SERVICE_DEFAULTS " and\n" SERVICE_PROFILES
    "/UNIT.conf; with any, by these alone.\n"
    "Exit status: 0 if all went well, 1 if a unit was refused or (status) a process of it doesn't "
    "have the library, 125 if hrtimeout itself fails.",
    children,
    NULL,
    NULL};

/* The settings arrive in the environment: what was there before isn't meant for the units. */
static void forget_environment(void)
{
    extern char **environ;
    for (char **e = environ; *e;) {
        if (strncmp(*e, "HRTIMEOUT_", 10) == 0 && strncmp(*e, "HRTIMEOUT_LIBRARY=", 18) != 0) {
            unsetenv(text_of("%.*s", (int)strcspn(*e, "="), *e));
        } else {
            e++;
        }
    }
}

static bool collect(const struct launch *launch, struct service_settings *settings)
{
    extern char **environ;
    size_t count = 0, n = 0;
    while (environ[count]) {
        count++;
    }
    settings->list = calloc(count + 1, sizeof(*settings->list));
    if (!settings->list || launch_check(settings->library, sizeof(settings->library)) != 0) {
        return false;
    }
    for (char **e = environ; *e; e++) {
        if (strncmp(*e, "HRTIMEOUT_", 10) == 0 && strncmp(*e, "HRTIMEOUT_LIBRARY=", 18) != 0) {
            settings->list[n++] = *e;
        }
    }
    settings->mode = launch->mode;
    settings->slack = launch->slack;
    settings->stats = launch->stats;
    settings->sandbox = getenv("HRTIMEOUT_SANDBOX");
    return true;
}

static int reload(const struct service *service)
{
    const char *const arguments[] = {"daemon-reload", NULL};
    if (service->dry) {
        printf("systemctl %sdaemon-reload\n", service->user ? "--user " : "");
        return 0;
    }
    return systemctl_run(service->user, arguments) == 0 ? 0 : EXIT_OURS;
}

static int restart(const struct service *service, const struct unit *unit)
{
    const char *const arguments[] = {"try-restart", "--", unit->name, NULL};
    if (service->dry || !service->now) {
        bool runs = strcmp(unit_value(unit, "ActiveState"), "inactive") != 0;
        if (service->dry ? service->now : runs) {
            printf(service->dry ? "systemctl %stry-restart %s\n"
                                : "to take effect: systemctl %srestart %s\n",
                   service->user ? "--user " : "", unit->name);
        }
        return 0;
    }
    return systemctl_run(service->user, arguments) == 0 ? 0 : EXIT_OURS;
}

static int enable(const struct service *service, const struct unit *unit,
                  const struct service_settings *settings)
{
    enum verdict verdict = service_judge(unit, settings);
    if (verdict != VERDICT_GOOD && !service->force) {
        return verdict == VERDICT_REFUSED ? EXIT_REFUSED : EXIT_OURS;
    }
    if (settings->stats && !service->dry && !stats_map_create(settings->stats)) {
        return EXIT_OURS;
    }
    if (settings->stats && service->dry) {
        printf("hrtimeout run --stats '%s' true\n", settings->stats);
    }
    char *directory = dropin_directory(unit->name, unit->user);
    char *text = dropin_text(unit, settings);
    return directory && text ? dropin_write(directory, text, service->dry) : EXIT_OURS;
}

static int disable(const struct service *service, const struct unit *unit)
{
    bool removed;
    char *directory = dropin_directory(unit->name, unit->user);
    int failed = directory ? dropin_remove(directory, service->dry, &removed) : EXIT_OURS;
    if (!failed && !removed) {
        fail("service: %s isn't enabled", unit->name);
        return EXIT_REFUSED;
    }
    return failed;
}

struct target {
    struct unit unit;
    bool done;
};

/* Does to every unit what can be done; the worst exit code is the answer. */
static int change_all(const struct service *service, bool on, struct target *targets,
                      const struct service_settings *settings)
{
    int worst = 0;
    bool any = false;
    for (size_t i = 0; i < service->count; i++) {
        struct target *t = &targets[i];
        int code = EXIT_OURS;
        if (on ? unit_read(&t->unit, service->names[i], service->user)
               : unit_ask(&t->unit, service->names[i], service->user)) {
            code = on ? enable(service, &t->unit, settings) : disable(service, &t->unit);
        }
        t->done = code == 0;
        any |= t->done;
        worst = code > worst ? code : worst;
    }
    if (any && reload(service) != 0) {
        worst = EXIT_OURS;
    }
    for (size_t i = 0; i < service->count; i++) {
        if (targets[i].done && restart(service, &targets[i].unit) != 0) {
            worst = EXIT_OURS;
        }
    }
    return worst;
}

static int change(const struct service *service, bool on)
{
    struct service_settings settings = {0};
    if (on && !collect(&service->launch, &settings)) {
        return EXIT_OURS;
    }
    struct target *targets = calloc(service->count, sizeof(*targets));
    if (!targets) {
        return fail("service: out of memory");
    }
    int worst = change_all(service, on, targets, &settings);
    free(targets);
    int code = finish_output(stdout);
    return code ? code : worst;
}

int cmd_service(int argc, char **argv)
{
    struct service service = {.names = calloc((size_t)argc, sizeof(char *))};
    argp_err_exit_status = EXIT_OURS;
    argv[0] = "hrtimeout service";
    forget_environment();
    if (!service.names || argp_parse(&argp, argc, argv, 0, NULL, &service)) {
        return EXIT_OURS;
    }
    if (!service.action) {
        return fail("service: say enable, disable, status or list");
    }
    if (strcmp(service.action, "list") == 0 && !service.count) {
        return service_list(service.user, service.json);
    }
    bool on = strcmp(service.action, "enable") == 0;
    bool off = strcmp(service.action, "disable") == 0;
    if (!on && !off && strcmp(service.action, "status") != 0) {
        return fail("service: no action '%s': say enable, disable, status or list", service.action);
    }
    if (!service.count) {
        return fail("service: %s: no unit given", service.action);
    }
    return on || off ? change(&service, on)
                     : service_status(service.names, service.count, service.user, service.json);
}
