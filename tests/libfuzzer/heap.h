/* Frees at an input's end what was allocated since its beginning and nobody freed. */
#ifndef LIBFUZZER_HEAP_H
#define LIBFUZZER_HEAP_H

void heap_begin(void);
void heap_end(void);

#endif
