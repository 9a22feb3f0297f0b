/* ptx/parse/parse.c: parses a module's directives. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/stream.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ptx/parse/parse_internal.h"

enum { MODULE_BYTES_MAX = 1 << 30 };

static int alias(struct parser *p)
{
    const char *name, *of;
    struct ptx_place at = p->x.token.place;
    uint32_t index;

    name = parse_name(p, "a name");
    if (!name || parse_mark(p, ',') < 0)
        return -1;
    of = parse_name(p, "a name");
    if (!of || parse_mark(p, ';') < 0 || parse_place_function(p, name, at, PTX_VISIBLE, &index) < 0)
        return -1;
    p->m->functions[index].alias_of = of;
    return 0;
}

/* .file N "name" and two numbers, which are ignored; it ends at the end of its line. */
static int file(struct parser *p)
{
    struct ptx_module *m = p->m;
    uint32_t line = p->x.token.place.line, number;
    struct ptx_place at = p->x.token.place;

    if (p->x.token.kind != TOKEN_INTEGER)
        return parse_expected(p, "the number of a file");
    if (p->x.token.bits >= PARSE_FILES_MAX - p->first_file)
        return parse_fault(p, &at, "a file number above %d", PARSE_FILES_MAX);
    number = p->first_file + (uint32_t)p->x.token.bits;
    lex_next(&p->x);
    if (p->x.token.kind != TOKEN_STRING)
        return parse_expected(p, "the name of a file");
    if (number >= m->file_count) {
        const char **files = realloc(m->files, (number + 1) * sizeof *files);

        if (!files)
            return err_no_memory(p->e);
        memset(files + m->file_count, 0, (number + 1 - m->file_count) * sizeof *files);
        m->files = files;
        m->file_count = number + 1;
    }
    m->files[number] = parse_intern(p, p->x.token.text, p->x.token.n);
    if (!m->files[number])
        return -1;
    lex_next_line(&p->x, line);
    return 0;
}

static int target(struct parser *p)
{
    struct ptx_place at = p->x.token.place;
    const char *name = parse_name(p, "a target such as sm_70");
    struct strbuf all = STRBUF_INIT;
    char *end = NULL;

    if (!name)
        return -1;
    p->m->target = strncmp(name, "sm_", 3) == 0 ? (uint32_t)strtoul(name + 3, &end, 10) : 0;
    if (!p->m->target || (*end && strcmp(end, "a") != 0 && strcmp(end, "f") != 0))
        return parse_fault(p, &at, "the target `%s` is not one of sm_...", name);
    strbuf_adds(&all, name);
    while (name && parse_try_mark(p, ',')) {
        name = parse_name(p, "a target");
        strbuf_addf(&all, ", %s", name ? name : "");
    }
    p->m->target_text = name ? parse_intern(p, all.text, all.length) : NULL;
    strbuf_release(&all);
    return p->m->target_text ? 0 : -1;
}

/* .version 7.0: a number with a decimal point. A second one begins another module, which is linked with those
 * before it. */
static int version(struct parser *p)
{
    const struct token *t = &p->x.token;
    char text[16] = "";

    if (p->m->version_major) {
        p->unit++;
        p->first_file = p->m->file_count;
    }
    if (t->kind == TOKEN_FLOAT && t->n < sizeof text)
        memcpy(text, t->text, t->n);
    if (sscanf(text, "%2u.%2u", &p->m->version_major, &p->m->version_minor) != 2)
        return parse_expected(p, "a version such as 7.0");
    lex_next(&p->x);
    return 0;
}

/* .section .debug_str { ... }: the content is ignored. */
static int section(struct parser *p)
{
    uint32_t braces = p->x.braces;

    while (!token_is_mark(&p->x.token, '{') && p->x.token.kind != TOKEN_END && p->x.token.kind != TOKEN_BAD)
        lex_next(&p->x);
    return parse_mark(p, '{') < 0 ? -1 : parse_skip_to(p, braces, "the closing `}` of a section");
}

static enum ptx_linkage linkage(struct parser *p)
{
    if (parse_try(p, ".visible"))
        return PTX_VISIBLE;
    if (parse_try(p, ".extern"))
        return PTX_EXTERN;
    if (parse_try(p, ".weak"))
        return PTX_WEAK;
    if (parse_try(p, ".hidden")) /* visible to other modules of one program, which is all that there is here */
        return PTX_VISIBLE;
    return parse_try(p, ".common") ? PTX_COMMON : PTX_INTERNAL;
}

static int directive(struct parser *p)
{
    enum ptx_linkage link = linkage(p);
    uint32_t line = p->x.token.place.line;

    if (parse_try(p, ".version"))
        return version(p);
    if (parse_try(p, ".target"))
        return target(p);
    if (parse_try(p, ".address_size"))
        return parse_uint(p, ".address_size", 64, &p->m->address_bits);
    if (parse_try(p, ".entry"))
        return parse_function(p, true, link);
    if (parse_try(p, ".func"))
        return parse_function(p, false, link);
    if (parse_try(p, ".alias"))
        return alias(p);
    if (parse_try(p, ".file"))
        return file(p);
    if (parse_try(p, ".section"))
        return section(p);
    if (parse_try(p, ".pragma"))
        return parse_pragma(p);
    if (token_is(&p->x.token, ".loc")) {
        lex_next_line(&p->x, line);
        return 0;
    }
    if (parse_space_of(&p->x.token) != PTX_GENERIC)
        return parse_variables(p, link);
    return parse_expected(p, "a directive");
}

static int module(struct parser *p)
{
    while (p->x.token.kind != TOKEN_END) {
        if (parse_try_mark(p, ';'))
            continue;
        if (directive(p) < 0)
            return -1;
    }
    if (!p->m->version_major)
        return parse_fault(p, &p->x.token.place, ".version is missing: this is not a PTX module");
    return 0;
}

int ptx_parse(const char *text, size_t n, const char *label, struct ptx_module **out, struct err *e)
{
    struct parser p = {.e = e, .body = {.function = PTX_NONE}, .unit = 1};
    int ret = -1;

    *out = NULL;
    if (n > MODULE_BYTES_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s: the module has %zu bytes; at most %d are supported", label, n,
                       MODULE_BYTES_MAX);
    p.m = mem_zalloc(1, sizeof *p.m, e);
    if (!p.m)
        return -1;
    p.m->address_bits = 64;
    p.m->label = mem_strdup(label, e);
    p.m->texts = p.m->label ? intern_new(e) : NULL;
    if (p.m->texts) {
        lex_begin(&p.x, text, n);
        ret = module(&p);
    }
    symbols_release(&p.symbols);
    parse_body_release(&p.body);
    free(p.scratch);
    if (ret < 0) {
        ptx_module_free(p.m);
        return -1;
    }
    *out = p.m;
    return 0;
}

int ptx_parse_file(const char *path, struct ptx_module **out, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret;

    *out = NULL;
    ret = stream_read_whole(path, MODULE_BYTES_MAX, &b, e);
    if (ret == 0)
        ret = ptx_parse(b.text, b.length, path, out, e);
    strbuf_release(&b);
    return ret;
}
