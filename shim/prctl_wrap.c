/* prctl: only listened to. Who asks for no new privileges is about to install a filter. */
#include "export.h"
#include "real.h"
#include "sandbox.h"
#include "time64.h"

#include <stdarg.h>
#include <sys/prctl.h>

EXPORT int prctl(int option, ...)
{
    va_list args;
    va_start(args, option);
    unsigned long a = va_arg(args, unsigned long);
    unsigned long b = va_arg(args, unsigned long);
    unsigned long c = va_arg(args, unsigned long);
    unsigned long d = va_arg(args, unsigned long);
    va_end(args);
    if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP) {
        sandbox_coming();
    }
    return real()->prctl(option, a, b, c, d);
}

#if defined(TIME32_ABI) && defined(__GLIBC__)
EXPORT_ALIAS(prctl) int __prctl_time64(int option, ...) __THROW;
#endif
