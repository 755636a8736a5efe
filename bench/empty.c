/* A preload that takes over nothing. */
extern const int bench_empty;
const int bench_empty = 0;
