/* sass/sass_file.c: finds cubins in fat binaries, programs, object files and static libraries. */
#include "sass/sass_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "sass/container.h"
#include "sass/elf.h"

/* Of a static library (ar): a magic text, then members {name 16 bytes, ..., size in decimal at 48, "`\n" at 58}.
 * Long names are in the member "//": "/12" is the name at its byte 12. Source: ar(5). */
#define ARCHIVE_MAGIC "!<arch>\n"
enum { MEMBER_HEADER = 60, MEMBER_SIZE_AT = 48, MEMBER_NAME_BYTES = 16 };
#define UNPACKED_MAX (UINT64_C(4) << 30)

struct search {
    struct sass_file *out;
    const char *member; /* of a static library, "" outside of one */
    uint32_t entries;   /* of fat binaries so far, in this member */
};

/* The module takes `bytes`. */
static int add_module(struct search *s, const uint8_t *content, size_t n, char *bytes, const char *where,
                      struct err *e)
{
    struct sass_module m = {.bytes = bytes, .content = content, .n = n};
    struct sass_file *f = s->out;

    m.where = mem_strdup(where, e);
    if (m.where && array_reserve((void **)&f->items, &f->capacity, f->count + 1, sizeof m, e) == 0 &&
        cubin_read(content, n, &m.cubin, e) == 0) {
        f->items[f->count++] = m;
        return 0;
    }
    free(m.where);
    free(bytes);
    return -1;
}

static int add_entry(struct search *s, const struct container_entry *x, struct err *e)
{
    char where[160], *bytes;
    size_t n;

    snprintf(where, sizeof where, "%s%.100s%sentry %u", *s->member ? "member " : "", s->member,
             *s->member ? ", " : "", s->entries);
    s->out->ptx_count += x->kind == CONTAINER_PTX;
    if (x->kind != CONTAINER_CODE)
        return 0;
    if (!container_is_packed(x))
        return add_module(s, x->payload, x->payload_bytes, NULL, where, e) == 0 ? 0 : err_wrap(e, "%s", where);
    if (x->raw_bytes > UNPACKED_MAX - s->out->unpacked_n)
        return err_set(e, ERR_TOO_LARGE,
                       "the file's GPU code has more than %" PRIu64 " bytes when it is decompressed", UNPACKED_MAX);
    if (container_unpack(x, &bytes, &n, e) != 0)
        return err_wrap(e, "%s", where);
    s->out->unpacked_n += n;
    return add_module(s, (const uint8_t *)bytes, n, bytes, where, e) == 0 ? 0 : err_wrap(e, "%s", where);
}

/* Fat binaries one after another, with padding of zeros between them. */
static int read_containers(struct search *s, const uint8_t *at, size_t n, struct err *e)
{
    struct container_entry x;
    struct container_walk w;
    int found = 0;

    while (n >= CONTAINER_HEADER_BYTES && found == 0) {
        if (*at == 0) {
            at++;
            n--;
            continue;
        }
        if (container_open(at, n, &w, e) != 0)
            return -1;
        while ((found = container_next(&w, &x, e)) > 0) {
            s->entries++;
            if (add_entry(s, &x, e) != 0)
                return -1;
        }
        n -= (size_t)(w.at - at);
        at = w.at;
    }
    return found;
}

/* Without this limit, many headers that share one section would cost memory that grows with the square of the file.
 */
static int claim(uint64_t *left, uint64_t bytes, struct err *e)
{
    if (bytes > *left)
        return err_set(e, ERR_MALFORMED, "the ELF file is damaged: its sections overlap");
    *left -= bytes;
    return 0;
}

static int read_elf(struct search *s, const uint8_t *bytes, size_t n, struct err *e)
{
    Elf64_Shdr section;
    uint64_t left = n;
    struct elf f;

    if (elf_open(bytes, n, &f, e) != 0)
        return -1;
    if (f.head.e_machine == CUBIN_MACHINE)
        return add_module(s, bytes, n, NULL, s->member, e);
    for (uint32_t k = 0; elf_section(&f, k, &section); k++) {
        const char *name = elf_section_name(&f, &section);

        if ((strcmp(name, ".nv_fatbin") == 0 || strcmp(name, "__nv_relfatbin") == 0) && elf_content(&f, &section) &&
            (claim(&left, section.sh_size, e) != 0 ||
             read_containers(s, elf_content(&f, &section), section.sh_size, e) != 0))
            return -1;
    }
    return 0;
}

static bool is_container(const uint8_t *bytes, size_t n)
{
    const uint32_t magic = CONTAINER_MAGIC;

    return n >= sizeof magic && memcmp(bytes, &magic, sizeof magic) == 0;
}

/* The member's name without the slash that ends it; long names come from `names`. */
static void member_name(const uint8_t *head, const char *names, size_t names_n, char out[static 101])
{
    const char *text = (const char *)head;
    size_t n = MEMBER_NAME_BYTES, at = strtoul(text + 1, NULL, 10);

    if (text[0] == '/' && names && at < names_n) {
        text = names + at;
        n = names_n - at;
    }
    snprintf(out, 101, "%.*s", (int)(n < 100 ? n : 100), text);
    out[strcspn(out, "/\n")] = 0;
    text_sanitize(out);
}

/* Members of other kinds, such as 32-bit host code, contain no GPU code. */
static int read_member(struct search *s, const uint8_t *bytes, size_t n, struct err *e)
{
    if (is_container(bytes, n))
        return read_containers(s, bytes, n, e);
    return elf_begins(bytes, n) ? read_elf(s, bytes, n, e) : 0;
}

static int read_archive(struct search *s, const uint8_t *bytes, size_t n, struct err *e)
{
    const char *names = NULL;
    size_t names_n = 0;
    char name[101];

    for (size_t at = sizeof ARCHIVE_MAGIC - 1; at + MEMBER_HEADER <= n;) {
        const uint8_t *head = bytes + at;
        char digits[11] = "";
        size_t size;

        memcpy(digits, head + MEMBER_SIZE_AT, 10);
        size = strtoull(digits, NULL, 10);
        at += MEMBER_HEADER;
        if (head[58] != '`' || head[59] != '\n' || size > n - at)
            return err_set(e, ERR_MALFORMED, "the static library is damaged or cut off at byte %zu",
                           at - MEMBER_HEADER);
        if (head[0] == '/' && head[1] == '/') {
            names = (const char *)bytes + at;
            names_n = size;
        } else {
            member_name(head, names, names_n, name);
            *s = (struct search){.out = s->out, .member = name};
            if (read_member(s, bytes + at, size, e) != 0)
                return err_wrap(e, "member %s", name);
        }
        at += size + (size & 1);
    }
    return 0;
}

int sass_file_read(const uint8_t *bytes, size_t n, struct sass_file *out, struct err *e)
{
    struct search s = {.out = out, .member = ""};
    int ret;

    *out = (struct sass_file){0};
    if (is_container(bytes, n)) {
        ret = read_containers(&s, bytes, n, e);
    } else if (n >= sizeof ARCHIVE_MAGIC - 1 && memcmp(bytes, ARCHIVE_MAGIC, sizeof ARCHIVE_MAGIC - 1) == 0) {
        ret = read_archive(&s, bytes, n, e);
    } else if (n >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0) {
        ret = read_elf(&s, bytes, n, e);
    } else {
        ret = err_set(e, ERR_MALFORMED, "this is no cubin, fat binary, ELF file or static library");
        err_hint(e, "`nvcc -cubin` and `ptxas` make cubins, `nvcc -fatbin` fat binaries.");
    }
    if (ret == 0 && out->count == 0 && out->ptx_count == 0)
        ret = err_set(e, ERR_NOT_FOUND, "the file contains no GPU code");
    if (ret == 0 && out->count == 0) {
        ret = err_set(e, ERR_NOT_FOUND, "the file's GPU code is PTX only (modules: %zu), no machine code",
                      out->ptx_count);
        err_hint(
            e, "`ptxas -arch=sm_86 -o k.cubin k.ptx` makes machine code of PTX; or build with `nvcc -arch=sm_86`.");
    }
    if (ret != 0)
        sass_file_release(out);
    return ret;
}

void sass_file_release(struct sass_file *f)
{
    for (size_t k = 0; k < f->count; k++) {
        cubin_release(&f->items[k].cubin);
        free(f->items[k].bytes);
        free(f->items[k].where);
    }
    free(f->items);
    *f = (struct sass_file){0};
}
