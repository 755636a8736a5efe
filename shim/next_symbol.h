/* dlsym(RTLD_NEXT) for a program without libdl, which is where glibc before 2.34 keeps dlsym. */
#ifndef HRTIMEOUT_NEXT_SYMBOL_H
#define HRTIMEOUT_NEXT_SYMBOL_H

/* The first definition of `name` in the objects loaded after this library; null: there is none. */
void *next_symbol(const char *name);

#endif
