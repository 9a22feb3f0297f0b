/* Reads the input as a (compressed) file of lines, as such a file in other text encodings, and as a (compressed)
 * tar with (compressed) members.
 *
 * clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -std=c11 -D_GNU_SOURCE -I. \
 *     tests/fuzz/fuzz_stream.c base/[a-z]*.c -lzstd -llzma -lz -lcrypto -liberty -lm -o fuzz_stream
 * ./fuzz_stream tests/fuzz/corpus/stream */
#include <stdlib.h>
#include <string.h>

#include "base/archive.h"

#define CONTENT_MAX (4u << 20) /* the limit for files that unpack to very many bytes */
#define LINE_MAX_   4096

struct input {
    const uint8_t *at;
    size_t left;
};

static ssize_t read_input(void *ctx, void *buffer, size_t n, struct err *e)
{
    struct input *in = ctx;

    (void)e;
    n = n < in->left ? n : in->left;
    n = n < 1000 ? n : 1000; /* in pieces, as a network would give them */
    memcpy(buffer, in->at, n);
    in->at += n;
    in->left -= n;
    return (ssize_t)n;
}

static void read_lines(struct stream *s)
{
    struct err e;
    char *line;
    size_t n, total = 0;
    bool complete = true;
    int got;

    while (total < CONTENT_MAX && (got = stream_line(s, LINE_MAX_, &line, &n, &complete, &e)) > 0) {
        if (n > LINE_MAX_ || line[n] != '\0')
            abort();
        total += n + 1;
    }
}

static void read_archive(struct stream *s)
{
    struct archive *a;
    struct archive_member m;
    struct stream *content;
    struct err e;
    size_t total = 0;
    char buffer[4096];
    ssize_t got;

    if (archive_open_stream(s, &a, &e) < 0)
        return;
    while (total < CONTENT_MAX && archive_next(a, &m, &e) > 0) {
        if (m.name[0] == '/' || strncmp(m.name, "../", 3) == 0 || strstr(m.name, "/../"))
            abort();
        total++;
        if (archive_member_stream(a, &content, &e) < 0)
            break;
        while (total < CONTENT_MAX && (got = stream_read(content, buffer, sizeof buffer, &e)) > 0)
            total += (size_t)got;
        stream_close(content);
    }
    archive_close(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int i = 0; i < 3; i++) {
        struct input in = {data, size};
        struct stream *s;
        struct err e;

        if (stream_open_fn(read_input, &in, "input", &s, &e) < 0)
            continue;
        if (i == 2)
            read_archive(s);
        else if (i == 0 || stream_as_text(s, &e) == 0)
            read_lines(s);
        stream_close(s);
    }
    return 0;
}
