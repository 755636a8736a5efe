/* Marks the wrappers; everything else is hidden. */
#ifndef HRTIMEOUT_EXPORT_H
#define HRTIMEOUT_EXPORT_H

#define EXPORT __attribute__((visibility("default")))

/* Another exported name of the same function. */
#define EXPORT_ALIAS(name) __attribute__((visibility("default"), alias(#name)))

#endif
