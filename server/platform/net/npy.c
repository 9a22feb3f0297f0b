#include "server/platform/net/npy.h"

#include <stdint.h>
#include <string.h>

enum { MAGIC_BYTES = 10, ALIGNED = 64 };

void npy_begin(struct strbuf *b, bool doubles, const size_t shape[], size_t dimensions)
{
    struct strbuf head = STRBUF_INIT;
    size_t total;

    strbuf_addf(&head, "{'descr': '%s', 'fortran_order': False, 'shape': (", doubles ? "<f8" : "<f4");
    for (size_t i = 0; i < dimensions; i++)
        strbuf_addf(&head, "%s%zu", i ? ", " : "", shape[i]);
    strbuf_adds(&head, dimensions == 1 ? ",), }" : "), }");
    total = (MAGIC_BYTES + head.length + 1 + ALIGNED - 1) / ALIGNED * ALIGNED - MAGIC_BYTES;
    while (head.length < total - 1 && !head.failed)
        strbuf_addc(&head, ' ');
    strbuf_addc(&head, '\n');
    strbuf_add(b, "\x93NUMPY\x01\x00", 8);
    strbuf_addc(b, (char)(total & 0xff));
    strbuf_addc(b, (char)(total >> 8));
    strbuf_add(b, head.text, head.length);
    b->failed |= head.failed;
    strbuf_release(&head);
}

static void add_bits(struct strbuf *b, uint64_t bits, int bytes)
{
    char low_first[8];

    for (int i = 0; i < bytes; i++)
        low_first[i] = (char)(bits >> (8 * i));
    strbuf_add(b, low_first, (size_t)bytes);
}

void npy_add_float(struct strbuf *b, float v)
{
    uint32_t bits;

    memcpy(&bits, &v, sizeof bits);
    add_bits(b, bits, sizeof bits);
}

void npy_add_double(struct strbuf *b, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    add_bits(b, bits, sizeof bits);
}
