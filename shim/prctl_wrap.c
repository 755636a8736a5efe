/* prctl: only listened to. Who asks for no new privileges is about to install a filter. */
#include "export.h"
#include "real.h"
#include "sandbox.h"

#include <stdarg.h>
#include <sys/prctl.h>

EXPORT int prctl(int option, ...)
{
    unsigned long value[4];
    va_list args;
    va_start(args, option);
    for (int i = 0; i < 4; i++) {
        value[i] = va_arg(args, unsigned long);
    }
    va_end(args);
    if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP) {
        sandbox_coming();
    }
    return real()->prctl(option, value[0], value[1], value[2], value[3]);
}
