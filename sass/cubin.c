/* sass/cubin.c: kernels, their code and their attributes. */
#include "sass/cubin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "sass/elf.h"

/* Numbers of attributes, as CuAssembler names them (EIATTR_...); 0x3d and 0x4c from ptxas 13.0: kernels with and
 * without .reqnctapercluster, with more and fewer barriers. */
enum attribute {
    ATTR_MAX_THREADS = 0x05,
    ATTR_PARAM_BANK = 0x0a,
    ATTR_REQUIRED_THREADS = 0x10,
    ATTR_FRAME_SIZE = 0x11,
    ATTR_MIN_STACK_SIZE = 0x12,
    ATTR_PARAM = 0x17,
    ATTR_PARAM_BYTES = 0x19,
    ATTR_REGISTERS = 0x2f,
    ATTR_CUDA_VERSION = 0x37,
    ATTR_CLUSTER = 0x3d,
    ATTR_BARRIERS = 0x4c
};
/* st_other of a kernel's symbol; e_ident[EI_OSABI] of files whose e_flags have the architecture in bits 8 to 15,
 * older files have it in bits 0 to 7. Source: cubins of ptxas 13.0, and of CUDA 11 in CuAssembler's test data. */
enum { SYMBOL_ENTRY = 0x10, OSABI_NEW = 0x41 };
enum { FORMAT_SIZED = 4, ATTR_HEADER = 4, PARAM_SIZE_SHIFT = 18 };

struct reading {
    struct elf elf;
    struct cubin *out;
    uint32_t *function_of; /* section -> index + 1 of the function whose code it is; 0: none */
    Elf64_Shdr symbols, indexes;
    bool has_symbols, has_indexes;
    uint64_t left; /* bytes of sections and names that may still be read */
};

/* Sections and names of a valid file do not overlap, except names that are the end of others. Without this limit,
 * many headers that share one section would cost memory that grows with the square of the file. */
enum { READS_PER_BYTE = 3 };

static int claim(struct reading *r, uint64_t bytes, struct err *e)
{
    if (bytes > r->left)
        return err_set(e, ERR_MALFORMED, "the cubin is damaged: its sections overlap");
    r->left -= bytes;
    return 0;
}

static uint32_t u32_at(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t u16_at(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8;
}

static struct cubin_function *function_at(struct reading *r, uint32_t section)
{
    uint32_t k = section < r->elf.sections ? r->function_of[section] : 0;

    return k ? &r->out->functions[k - 1] : NULL;
}

static struct cubin_function *function_of_symbol(struct reading *r, uint64_t k, const Elf64_Sym *s)
{
    return function_at(r, elf_symbol_section(&r->elf, r->has_indexes ? &r->indexes : NULL, k, s));
}

static char *clean_name(const char *name, struct err *e)
{
    char *copy = mem_strdup(name, e);

    if (copy)
        text_sanitize(copy);
    return copy;
}

/* --- attributes --- */

static int add_param(struct cubin_function *f, const uint8_t *p, struct err *e)
{
    if (array_reserve((void **)&f->params, &f->param_capacity, f->param_count + 1, sizeof *f->params, e) != 0)
        return -1;
    f->params[f->param_count++] =
        (struct cubin_param){u16_at(p + 4), u16_at(p + 6), u32_at(p + 8) >> PARAM_SIZE_SHIFT};
    return 0;
}

static void three(uint32_t out[3], const uint8_t *p)
{
    for (int k = 0; k < 3; k++)
        out[k] = u32_at(p + (ptrdiff_t)4 * k);
}

/* An attribute of one function, in .nv.info.NAME. p: its data (n bytes); value: the 16 bits before it. */
static int function_attribute(struct cubin_function *f, uint32_t number, const uint8_t *p, uint32_t n,
                              uint32_t value, struct err *e)
{
    switch (number) {
    case ATTR_PARAM: return n >= 12 ? add_param(f, p, e) : 0;
    case ATTR_PARAM_BYTES: f->param_bytes = value; break;
    case ATTR_BARRIERS: f->barriers = value & 0xff; break;
    case ATTR_PARAM_BANK: f->param_offset = n >= 8 ? u16_at(p + 4) : 0; break;
    case ATTR_CUDA_VERSION: f->cuda_version = n >= 4 ? u32_at(p) : 0; break;
    case ATTR_MAX_THREADS:
        if (n >= 12)
            three(f->max_threads, p);
        break;
    case ATTR_REQUIRED_THREADS:
        if (n >= 12)
            three(f->required_threads, p);
        break;
    case ATTR_CLUSTER:
        if (n >= 12)
            three(f->cluster, p);
        break;
    default: break;
    }
    return 0;
}

/* An attribute in .nv.info: {u32 symbol, u32 value}. */
static void symbol_attribute(struct reading *r, uint32_t number, const uint8_t *p, uint32_t n)
{
    struct cubin_function *f;
    const char *name;
    Elf64_Sym s;

    if (n < 8 || !r->has_symbols || !elf_symbol(&r->elf, &r->symbols, u32_at(p), &s, &name))
        return;
    f = function_of_symbol(r, u32_at(p), &s);
    if (!f || s.st_value != 0) /* a function inside of the kernel's code has attributes of its own */
        return;
    if (number == ATTR_REGISTERS)
        f->registers = u32_at(p + 4);
    else if (number == ATTR_FRAME_SIZE)
        f->local_bytes = u32_at(p + 4);
    else if (number == ATTR_MIN_STACK_SIZE)
        f->stack_bytes = u32_at(p + 4);
}

/* f NULL: the section of all functions. */
static int read_attributes(struct reading *r, const Elf64_Shdr *section, struct cubin_function *f, struct err *e)
{
    const uint8_t *p = elf_content(&r->elf, section);

    if (p && claim(r, section->sh_size, e) != 0)
        return -1;
    for (uint64_t at = 0; p && at + ATTR_HEADER <= section->sh_size;) {
        uint32_t value = u16_at(p + at + 2), n = p[at] == FORMAT_SIZED ? value : 0, number = p[at + 1];

        at += ATTR_HEADER;
        if (n > section->sh_size - at)
            return err_set(e, ERR_MALFORMED,
                           "the cubin is damaged: attribute 0x%02x%s%s reaches past the end of its section", number,
                           f ? " of " : "", f ? f->name : "");
        if (!f)
            symbol_attribute(r, number, p + at, n);
        else if (function_attribute(f, number, p + at, n, value, e) != 0)
            return -1;
        at += n;
    }
    return 0;
}

/* --- sections --- */

static int refuse_size(const char *name, uint64_t bytes, struct err *e)
{
    char clean[201];

    snprintf(clean, sizeof clean, "%.200s", name);
    text_sanitize(clean);
    return err_set(e, ERR_MALFORMED,
                   "the code of %s has %llu bytes, which is no multiple of 16; architectures before sm_70 are not "
                   "supported",
                   clean, (unsigned long long)bytes);
}

static int add_function(struct reading *r, uint32_t k, const Elf64_Shdr *section, const char *name, struct err *e)
{
    struct cubin *c = r->out;
    struct cubin_function *f;

    if (!elf_content(&r->elf, section))
        return 0;
    if (section->sh_size % CUBIN_INST_BYTES)
        return refuse_size(name, section->sh_size, e);
    if (claim(r, section->sh_size, e) != 0 || claim(r, strlen(name), e) != 0)
        return -1;
    if (array_reserve((void **)&c->functions, &c->capacity, c->count + 1, sizeof *c->functions, e) != 0)
        return -1;
    f = &c->functions[c->count];
    *f = (struct cubin_function){.code = elf_content(&r->elf, section), .code_bytes = section->sh_size};
    f->name = clean_name(name, e);
    if (!f->name)
        return -1;
    r->function_of[k] = (uint32_t)++c->count;
    return 0;
}

/* The bank of ".nv.constant3" or ".nv.constant3.NAME"; -1: the section is no constant bank. */
static int bank_of(const char *name)
{
    static const char prefix[] = ".nv.constant";
    unsigned long bank;
    char *end;

    if (!str_starts(name, prefix) || name[sizeof prefix - 1] < '0' || name[sizeof prefix - 1] > '9')
        return -1;
    bank = strtoul(name + sizeof prefix - 1, &end, 10);
    return bank < CUBIN_BANKS && (*end == '.' || *end == 0) ? (int)bank : -1;
}

/* The data of a section about one function, or about all. */
static int read_section(struct reading *r, const Elf64_Shdr *section, const char *name, struct err *e)
{
    struct cubin_function *f = function_at(r, section->sh_info);
    int bank = bank_of(name);

    if (strcmp(name, ".nv.info") == 0)
        return read_attributes(r, section, NULL, e);
    if (f && str_starts(name, ".nv.info."))
        return read_attributes(r, section, f, e);
    if (f && str_starts(name, ".nv.shared."))
        f->shared_bytes = section->sh_size;
    else if (f && (section->sh_type == SHT_REL || section->sh_type == SHT_RELA))
        f->relocations += section->sh_size / (section->sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela));
    else if (bank >= 0 && strchr(name + 1 + strlen(".nv"), '.') && f)
        f->bank_bytes[bank] = section->sh_size;
    else if (bank >= 0)
        r->out->bank_bytes[bank] = section->sh_size;
    return 0;
}

/* --- symbols: which functions are kernels; functions inside of others' code --- */

static int add_label(struct reading *r, struct cubin_function *f, const Elf64_Sym *s, const char *name,
                     struct err *e)
{
    char *copy;

    if (s->st_value > f->code_bytes || s->st_size > f->code_bytes - s->st_value)
        return 0;
    if (claim(r, strlen(name), e) != 0)
        return -1;
    if (array_reserve((void **)&f->labels, &f->label_capacity, f->label_count + 1, sizeof *f->labels, e) != 0 ||
        !(copy = clean_name(name, e)))
        return -1;
    f->labels[f->label_count++] = (struct cubin_label){copy, s->st_value, s->st_size};
    return 0;
}

static int read_symbols(struct reading *r, struct err *e)
{
    const char *name;
    Elf64_Sym s;

    for (uint64_t k = 0; r->has_symbols && elf_symbol(&r->elf, &r->symbols, k, &s, &name); k++) {
        struct cubin_function *f = function_of_symbol(r, k, &s);

        if (!f || ELF64_ST_TYPE(s.st_info) != STT_FUNC)
            continue;
        if (name[0] == '$') {
            if (add_label(r, f, &s, name, e) != 0)
                return -1;
        } else {
            f->entry |= (s.st_other & SYMBOL_ENTRY) != 0;
        }
    }
    return 0;
}

static int by_ordinal(const void *a, const void *b)
{
    const struct cubin_param *x = a, *y = b;

    return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

static int read_sections(struct reading *r, struct err *e)
{
    static const char text[] = ".text.";
    Elf64_Shdr section;

    for (uint32_t k = 0; k < r->elf.sections; k++) {
        if (!elf_section(&r->elf, k, &section))
            return err_set(e, ERR_MALFORMED, "the cubin is damaged or cut off: section %u reaches past its end", k);
        if (str_starts(elf_section_name(&r->elf, &section), text) &&
            add_function(r, k, &section, elf_section_name(&r->elf, &section) + sizeof text - 1, e) != 0)
            return -1;
    }
    for (uint32_t k = 0; elf_section(&r->elf, k, &section); k++)
        if (read_section(r, &section, elf_section_name(&r->elf, &section), e) != 0)
            return -1;
    return read_symbols(r, e);
}

int cubin_read(const uint8_t *bytes, size_t n, struct cubin *out, struct err *e)
{
    struct reading r = {.out = out, .left = (uint64_t)READS_PER_BYTE * n};
    int ret = -1;

    *out = (struct cubin){0};
    if (elf_open(bytes, n, &r.elf, e) != 0)
        return -1;
    if (r.elf.head.e_machine != CUBIN_MACHINE)
        return err_set(e, ERR_MALFORMED, "this ELF file is not a cubin: it is for machine %u, a cubin for %d",
                       r.elf.head.e_machine, CUBIN_MACHINE);
    out->arch = r.elf.head.e_flags >> (r.elf.head.e_ident[EI_OSABI] == OSABI_NEW ? 8 : 0) & 0xff;
    out->relocatable = r.elf.head.e_type == ET_REL;
    r.has_symbols = elf_find(&r.elf, ".symtab", &r.symbols);
    r.has_indexes = elf_find(&r.elf, ".symtab_shndx", &r.indexes);
    r.function_of = mem_zalloc((size_t)r.elf.sections + 1, sizeof *r.function_of, e);
    if (r.function_of)
        ret = read_sections(&r, e);
    free(r.function_of);
    for (size_t k = 0; k < out->count; k++)
        array_sort(out->functions[k].params, out->functions[k].param_count, sizeof *out->functions[k].params,
                   by_ordinal);
    if (ret != 0)
        cubin_release(out);
    return ret;
}

void cubin_release(struct cubin *c)
{
    for (size_t k = 0; k < c->count; k++) {
        for (size_t i = 0; i < c->functions[k].label_count; i++)
            free(c->functions[k].labels[i].name);
        free(c->functions[k].labels);
        free(c->functions[k].params);
        free(c->functions[k].name);
    }
    free(c->functions);
    *c = (struct cubin){0};
}

const struct cubin_function *cubin_find(const struct cubin *c, const char *name)
{
    for (size_t k = 0; k < c->count; k++)
        if (strcmp(c->functions[k].name, name) == 0)
            return &c->functions[k];
    return NULL;
}
