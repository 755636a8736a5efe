/* Takes typed values from a fuzzer's bytes. */
#ifndef LIBFUZZER_INPUT_H
#define LIBFUZZER_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct input {
    const uint8_t *data;
    size_t size;
};

/* The next eight bytes, zeros after the end. */
static inline int64_t take(struct input *in)
{
    int64_t value = 0;
    size_t n = in->size < sizeof(value) ? in->size : sizeof(value);
    memcpy(&value, in->data, n);
    in->data += n;
    in->size -= n;
    return value;
}

/* The next byte, 0 after the end. */
static inline unsigned take_byte(struct input *in)
{
    if (!in->size) {
        return 0;
    }
    in->size--;
    return *in->data++;
}

/* The bytes up to the next line "%%" or the end, where an input stands for several files. */
static inline struct input take_part(struct input *in)
{
    const uint8_t *end = memmem(in->data, in->size, "%%\n", 3);
    struct input part = {in->data, end ? (size_t)(end - in->data) : in->size};
    in->data += part.size + (end ? 3 : 0);
    in->size -= part.size + (end ? 3 : 0);
    return part;
}

/* The bytes up to the next newline or the end, as a string of its own. */
static inline char *take_line(struct input *in)
{
    const uint8_t *end = memchr(in->data, '\n', in->size);
    size_t length = end ? (size_t)(end - in->data) : in->size;
    char *line = malloc(length + 1);
    if (!line) {
        abort();
    }
    memcpy(line, in->data, length);
    line[length] = '\0';
    length += end ? 1 : 0;
    in->data += length;
    in->size -= length;
    return line;
}

/* Not inlined and not merged, so that a backtrace says which it was. */
__attribute__((noinline, nomerge, unused)) static void must(int truth)
{
    if (!truth) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
