/* ptx/checkpoint/checkpoint.c: the contents of a checkpoint file, and the program, launch and versions that it
 * belongs to. */
#include "ptx/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "ptx/checkpoint/checkpoint_file.h"
#include "ptx/warp/launch.h"

static const char first_line[] = "vivace-ptx-checkpoint\t3\n";
enum { PARENTS_DEEP = 64 };
#define FILE_MAX ((size_t)1 << 40)

int ptx_point_parse(const char *text, struct ptx_point *out, struct err *e)
{
    uint64_t *const to[] = {&out->launch, &out->cta, &out->ctas, &out->instructions};
    char copy[100], *at = copy;

    *out = (struct ptx_point){0};
    snprintf(copy, sizeof copy, "%s", text);
    for (size_t i = 0; at; i++) {
        char *colon = strchr(at, ':');
        struct err why;

        if (colon)
            *colon = '\0';
        if (i == 4 || parse_u64(at, "checkpoint", to[i], &why) != 0)
            return err_set(e, ERR_USAGE,
                           "`%.60s` is not a checkpoint position; write launch:CTA:CTAs:instructions, for example "
                           "3, 3:16 or 3:16:2:500",
                           text);
        at = colon ? colon + 1 : NULL;
    }
    return 0;
}

/* --- identity: versions, modules and launch of a checkpoint --- */

enum { IDENTITY_LINES = 4 };
static const char *const identity_names[IDENTITY_LINES] = {"version of Vivace", "version of the simulator",
                                                           "set of modules", "launch"};

struct identity {
    char text[IDENTITY_LINES][800];
};

static int modules_hash(struct ptx_program *p, char hex[SHA256_HEX], struct err *e)
{
    struct sha256 *h = sha256_new(e);
    uint8_t hash[SHA256_BYTES];

    for (uint32_t i = 0; h && i < ptx_program_modules(p); i++) {
        const char *one;

        if (ptx_program_module_hash(p, i, &one, e) != 0) {
            sha256_free(h);
            return -1;
        }
        sha256_update(h, one, SHA256_HEX);
    }
    if (!h)
        return -1;
    sha256_final(h, hash);
    sha256_free(h);
    hex_encode(hash, sizeof hash, hex);
    return 0;
}

int ptx_launch_text(const struct ptx_program *p, const struct ptx_launch *l, char *out, size_t n, struct err *e)
{
    const struct ptx_function *f = &ptx_program_module(p, l->module)->functions[l->function];
    char params[SHA256_HEX];

    if (sha256_bytes(l->params, l->param_bytes, params, e) != 0)
        return -1;
    snprintf(out, n, "kernel %.200s, grid %u,%u,%u, block %u,%u,%u, %u bytes of shared memory, parameters %.16s",
             f->name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->shared_bytes,
             params);
    return 0;
}

static int identify(struct identity *id, struct ptx_program *p, const struct ptx_launch *l,
                    const struct ptx_exec_options *o, struct err *e)
{
    char modules[SHA256_HEX], launch[600];

    if (modules_hash(p, modules, e) != 0 || ptx_launch_text(p, l, launch, sizeof launch, e) != 0)
        return -1;
    snprintf(id->text[0], sizeof id->text[0], "%s", VIVACE_VERSION);
    snprintf(id->text[1], sizeof id->text[1], "%s", SIMCORE_VERSION); /* it decides the order of warps */
    snprintf(id->text[2], sizeof id->text[2], "%u, %.16s", ptx_program_modules(p), modules);
    snprintf(id->text[3], sizeof id->text[3], "%s%s%s", launch, o && o->strict ? ", strict" : "",
             o && o->taken_first ? ", taken first" : "");
    return 0;
}

static void identity_save(const struct identity *id, struct strbuf *to)
{
    for (int i = 0; i < IDENTITY_LINES; i++)
        strbuf_addf(to, "%s\n", id->text[i]);
}

static int identity_check(const struct identity *id, const char *text, struct err *e)
{
    for (int i = 0; i < IDENTITY_LINES; i++) {
        size_t n = strcspn(text, "\n");

        if (n != strlen(id->text[i]) || memcmp(text, id->text[i], n) != 0)
            return err_set(e, ERR_UNSUPPORTED, "it belongs to another %s (its header names %.*s; this is %.150s)",
                           identity_names[i], n < 150 ? (int)n : 150, text, id->text[i]);
        text += n + (text[n] == '\n');
    }
    return 0;
}

/* --- an open file --- */

enum { HEAD, WHOM, MINE, ALLO, PAGES, DATA, PARE, LAUN, SECTIONS };
struct ptx_checkpoint {
    struct ptx_point point;
    struct section sections[SECTIONS + 1];
    struct ptx_checkpoint *parent;
    char sha256[SHA256_HEX]; /* of the whole file, hexadecimal */
};

void ptx_checkpoint_close(struct ptx_checkpoint *c)
{
    if (!c)
        return;
    sections_release(c->sections);
    ptx_checkpoint_close(c->parent);
    free(c);
}

const struct ptx_point *ptx_checkpoint_point(const struct ptx_checkpoint *c)
{
    return &c->point;
}

const void *ptx_checkpoint_extra(const struct ptx_checkpoint *c, size_t *n)
{
    *n = c->sections[MINE].n;
    return c->sections[MINE].bytes;
}

static int open_at(const char *path, uint32_t deep, struct ptx_checkpoint **out, struct err *e);

/* "SHA256 NAME": the name is relative to the folder of this file. */
static int open_parent(struct ptx_checkpoint *c, const char *path, uint32_t deep, struct err *e)
{
    const char *text = (const char *)c->sections[PARE].bytes, *slash = strrchr(path, '/');
    struct strbuf name = STRBUF_INIT;
    int ret;

    if (!text)
        return 0;
    if (c->sections[PARE].n < SHA256_HEX + 1 || deep == PARENTS_DEEP)
        return err_set(e, ERR_MALFORMED,
                       "the name of its parent file is malformed, or it has more than %d parent files",
                       PARENTS_DEEP);
    if (text[SHA256_HEX] != '/' && slash)
        strbuf_add(&name, path, (size_t)(slash - path) + 1);
    strbuf_adds(&name, text + SHA256_HEX);
    ret = name.failed ? err_no_memory(e) : open_at(name.text, deep + 1, &c->parent, e);
    if (ret == 0 && memcmp(c->parent->sha256, text, SHA256_HEX - 1) != 0)
        ret = err_set(e, ERR_UNSUPPORTED, "its parent %s has changed since the checkpoint was written", name.text);
    strbuf_release(&name);
    return ret;
}

static int read_sections(struct ptx_checkpoint *c, const char *bytes, size_t n, struct err *e)
{
    static const char *const tags[] = {"HEAD", "WHOM", "MINE", "ALLO", "PAGE", "DATA", "PARE", "LAUN", NULL};
    size_t same = strlen(first_line);
    struct ptx_io io = {0};

    for (int i = 0; i <= SECTIONS; i++)
        c->sections[i].tag = tags[i];
    if (n < same || memcmp(bytes, first_line, same) != 0)
        return err_set(e, ERR_UNSUPPORTED, "it is not a checkpoint of format version 3");
    if (sections_read((const uint8_t *)bytes + same, n - same, c->sections, e) != 0)
        return -1;
    for (int i = 0; i < SECTIONS; i++)
        if (!c->sections[i].bytes && i != PARE)
            return err_set(e, ERR_MALFORMED, "it has no section %s", tags[i]);
    io.in = c->sections[HEAD].bytes;
    io.left = c->sections[HEAD].n;
    PTX_IO(&io, c->point.launch);
    PTX_IO(&io, c->point.cta);
    PTX_IO(&io, c->point.ctas);
    PTX_IO(&io, c->point.instructions);
    return io.bad ? err_set(e, ERR_MALFORMED, "its header is cut short") : 0;
}

static int open_at(const char *path, uint32_t deep, struct ptx_checkpoint **out, struct err *e)
{
    struct ptx_checkpoint *c = mem_zalloc(1, sizeof *c, e);
    char *bytes = NULL;
    size_t n;
    int ret = c ? whole_file_read(path, FILE_MAX, &bytes, &n, e) : -1;

    *out = NULL;
    if (ret == 0) {
        ret = sha256_bytes(bytes, n, c->sha256, e) != 0 || read_sections(c, bytes, n, e) != 0 ||
                      open_parent(c, path, deep, e) != 0
                  ? err_wrap(e, "checkpoint %s", path)
                  : 0;
    }
    free(bytes);
    if (ret == 0)
        *out = c;
    else
        ptx_checkpoint_close(c);
    return ret;
}

int ptx_checkpoint_open(const char *path, struct ptx_checkpoint **out, struct err *e)
{
    return open_at(path, 0, out, e);
}

/* Collects the page contents of this file and of its parents. */
static int all_pages(const struct ptx_checkpoint *c, struct page_store *out, struct err *e)
{
    for (; c; c = c->parent)
        if (!page_store_add(out, c->sections[DATA].bytes, c->sections[DATA].n, e))
            return -1;
    page_store_sort(out);
    return 0;
}

/* --- saving --- */

static void add_parent(struct strbuf *to, const char *path, const char *parent, const struct ptx_checkpoint *open)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *whole = NULL;

    strbuf_addf(to, "%s ", open->sha256);
    if (strncmp(path, parent, folder) == 0 && !strchr(parent + folder, '/'))
        strbuf_adds(to, parent + folder);
    else
        strbuf_adds(to, (whole = realpath(parent, NULL)) ? whole : parent);
    free(whole);
}

struct parts {
    struct strbuf whom, pages, data, parent;
    struct ptx_io head, table, launch;
    struct page_store known;
    struct ptx_checkpoint *before;
};

static int collect(struct parts *p, const char *path, const char *parent, const struct ptx_point *at,
                   const struct ptx_checkpoint_state *s, struct err *e)
{
    const struct device_memory *m = ptx_program_memory(s->program);
    struct ptx_point point = *at;
    struct identity id;

    if (identify(&id, s->program, &s->run->launch, &s->run->options, e) != 0)
        return -1;
    identity_save(&id, &p->whom);
    PTX_IO(&p->head, point.launch);
    PTX_IO(&p->head, point.cta);
    PTX_IO(&p->head, point.ctas);
    PTX_IO(&p->head, point.instructions);
    if (parent) {
        if (ptx_checkpoint_open(parent, &p->before, e) != 0 || all_pages(p->before, &p->known, e) != 0)
            return -1;
        add_parent(&p->parent, path, parent, p->before);
    }
    memory_table_save(m, &p->table);
    return memory_pages_save(m, &p->known, &p->pages, &p->data, e) != 0 ? -1 : ptx_run_io(s->run, &p->launch, e);
}

static int heap_io(struct ptx_program *p, struct ptx_io *io)
{
    uint64_t heap = ptx_program_heap(p, 0), now = heap;

    PTX_IO(io, heap);
    if (!io->saves)
        (void)ptx_program_heap(p, (int64_t)(heap - now));
    return 0;
}

static int write_all(const struct parts *p, const char *path, const struct ptx_checkpoint_state *s, struct err *e)
{
    const struct strbuf mine = {.text = s->extra_bytes ? (char *)(uintptr_t)s->extra : strbuf_empty,
                                .length = s->extra_bytes};
    const struct strbuf none = STRBUF_INIT;
    struct strbuf file = STRBUF_INIT;
    int ret = -1;

    strbuf_adds(&file, first_line);
    if (section_add(&file, "HEAD", SECTION_NEEDED, &p->head.out, e) == 0 &&
        section_add(&file, "WHOM", SECTION_NEEDED, &p->whom, e) == 0 &&
        section_add(&file, "MINE", SECTION_NEEDED, &mine, e) == 0 &&
        section_add(&file, "ALLO", SECTION_NEEDED, &p->table.out, e) == 0 &&
        section_add(&file, "PAGE", SECTION_NEEDED, &p->pages, e) == 0 &&
        section_add(&file, "DATA", SECTION_NEEDED | SECTION_PACKED, &p->data, e) == 0 &&
        (!p->before || section_add(&file, "PARE", SECTION_NEEDED, &p->parent, e) == 0) &&
        section_add(&file, "LAUN", SECTION_NEEDED | SECTION_PACKED, &p->launch.out, e) == 0 &&
        section_add(&file, "END.", SECTION_NEEDED, &none, e) == 0)
        ret = whole_file_write(path, file.text, file.length, e);
    strbuf_release(&file);
    return ret;
}

int ptx_checkpoint_save(const char *path, const char *parent, const struct ptx_point *at,
                        const struct ptx_checkpoint_state *s, struct err *e)
{
    struct parts p = {.whom = STRBUF_INIT,
                      .pages = STRBUF_INIT,
                      .data = STRBUF_INIT,
                      .parent = STRBUF_INIT,
                      .head = {.saves = true, .out = STRBUF_INIT},
                      .table = {.saves = true, .out = STRBUF_INIT},
                      .launch = {.saves = true, .out = STRBUF_INIT}};
    int ret;

    (void)heap_io(s->program, &p.launch);
    ret = collect(&p, path, parent, at, s, e) != 0 ? -1 : write_all(&p, path, s, e);
    strbuf_release(&p.whom);
    strbuf_release(&p.pages);
    strbuf_release(&p.data);
    strbuf_release(&p.parent);
    strbuf_release(&p.head.out);
    strbuf_release(&p.table.out);
    strbuf_release(&p.launch.out);
    free(p.known.pages);
    ptx_checkpoint_close(p.before);
    return ret;
}

/* --- resuming --- */

static int resume(const struct ptx_checkpoint *c, struct ptx_program *p, struct ptx_run *r, struct err *e)
{
    struct ptx_io io = {.in = c->sections[LAUN].bytes, .left = c->sections[LAUN].n};
    struct page_store store = {0};
    int ret = all_pages(c, &store, e);

    if (ret == 0)
        ret = memory_load(ptx_program_memory(p), &c->sections[ALLO], &c->sections[PAGES], &store, e);
    if (ret == 0) {
        (void)heap_io(p, &io);
        ret = ptx_run_io(r, &io, e);
    }
    if (ret == 0 && (io.bad || io.left))
        ret = err_set(e, ERR_MALFORMED, "the state of its launch is damaged");
    free(store.pages);
    return ret;
}

int ptx_checkpoint_load(const struct ptx_checkpoint *c, struct ptx_run *r, struct err *e)
{
    struct identity id;

    if (identify(&id, r->program, &r->launch, &r->options, e) != 0 ||
        identity_check(&id, (const char *)c->sections[WHOM].bytes, e) != 0 || resume(c, r->program, r, e) != 0) {
        r->printed = true; /* ptx_run_free() does not print the output of a failed load */
        return err_wrap(e, "checkpoint");
    }
    return 0;
}

int ptx_checkpoint_resume(const struct ptx_checkpoint *c, struct ptx_program *p, const struct ptx_launch *launch,
                          const struct ptx_exec_options *o, struct ptx_run **run, struct err *e)
{
    struct ptx_run *r = ptx_run_new(p, launch, o, e);

    if (!r)
        return -1;
    if (ptx_checkpoint_load(c, r, e) != 0) {
        ptx_run_free(r);
        return -1;
    }
    *run = r;
    return 0;
}
