/* sass/exec/program.c: loads cubins: code with addresses, constant banks, variables in device memory, relocations.
 *
 * Code has addresses of its own; variables of .nv.global and .nv.global.init get device memory. Source of the
 * relocations: data of cubins that ptxas 13.0 makes of kernels with addresses of variables in constants and in
 * initial values. */
#include "sass/exec/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "sass/elf.h"

#define CODE_BEGIN 0x1000u /* nothing is at lower addresses: a null pointer is no function */
/* 32 and 64 bits of an address; generic ones, which are the same for global memory */
enum { RELOCATE_32 = 1, RELOCATE_64 = 2, RELOCATE_GENERIC_32 = 3, RELOCATE_GENERIC_64 = 4 };

struct sass_kernel {
    struct sass_code code;
};
struct image_section {
    uint8_t *bytes; /* of a constant bank, or device memory; NULL: not loaded */
    uint64_t address, n;
    uint32_t bank, function; /* of a constant bank: index of its function + 1; 0: all */
    bool owned;
};
struct sass_module_image {
    struct elf elf;
    Elf64_Shdr symbols, indexes;
    bool has_symbols, has_indexes;
    struct image_section *sections;
    uint32_t section_count;
    struct sass_kernel **functions;
    size_t function_count;
};
struct sass_program {
    struct device_memory *memory;
    struct sass_module_image **modules;
    size_t count, capacity;
    uint64_t next_code;
};

struct sass_program *sass_program_new(struct device_memory *memory, struct err *e)
{
    struct sass_program *p = mem_zalloc(1, sizeof *p, e);

    if (p) {
        p->memory = memory;
        p->next_code = CODE_BEGIN;
    }
    return p;
}

static void module_free(struct sass_module_image *m)
{
    for (size_t k = 0; k < m->function_count; k++) {
        free(m->functions[k]->code.bytes);
        free(m->functions[k]->code.ops);
        free(m->functions[k]);
    }
    for (uint32_t k = 0; k < m->section_count; k++)
        if (m->sections[k].owned)
            free(m->sections[k].bytes);
    free(m->functions);
    free(m->sections);
    free(m);
}

void sass_program_free(struct sass_program *p)
{
    if (!p)
        return;
    for (size_t k = 0; k < p->count; k++)
        module_free(p->modules[k]);
    free(p->modules);
    free(p);
}

struct device_memory *program_memory(const struct sass_program *p)
{
    return p->memory;
}

/* --- sections --- */

/* The bank of ".nv.constantB" or ".nv.constantB.NAME"; -1: the section is no constant bank. */
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

static int load_constants(struct sass_module_image *m, const Elf64_Shdr *s, struct image_section *to, int bank,
                          bool own, struct err *e)
{
    const uint8_t *content = elf_content(&m->elf, s);

    if (!content)
        return 0;
    to->bytes = mem_zalloc(s->sh_size + 1, 1, e);
    if (!to->bytes)
        return -1;
    memcpy(to->bytes, content, s->sh_size);
    to->owned = true;
    to->n = s->sh_size;
    to->bank = (uint32_t)bank;
    for (size_t k = 0; own && k < m->function_count; k++)
        if (m->functions[k]->code.section == s->sh_info)
            to->function = (uint32_t)k + 1;
    return 0;
}

static int load_variables(struct sass_program *p, struct sass_module_image *m, const Elf64_Shdr *s,
                          struct image_section *to, struct err *e)
{
    const uint8_t *content = elf_content(&m->elf, s);

    if (s->sh_size == 0)
        return 0;
    if (device_alloc(p->memory, s->sh_size, 0, "variables of the cubin", &to->address, e) != 0)
        return -1;
    to->n = s->sh_size;
    to->bytes = device_bytes(p->memory, to->address, to->n);
    if (content)
        memcpy(to->bytes, content, s->sh_size);
    return 0;
}

static int load_section(struct sass_program *p, struct sass_module_image *m, uint32_t k, struct err *e)
{
    Elf64_Shdr s;
    const char *name;
    int bank;

    if (!elf_section(&m->elf, k, &s))
        return err_set(e, ERR_MALFORMED, "the cubin is damaged or cut off: section %u reaches past its end", k);
    name = elf_section_name(&m->elf, &s);
    bank = bank_of(name);
    if (bank > 0)
        return load_constants(m, &s, &m->sections[k], bank, strchr(name + 4, '.') != NULL, e);
    if (strcmp(name, ".nv.global") == 0 || strcmp(name, ".nv.global.init") == 0)
        return load_variables(p, m, &s, &m->sections[k], e);
    return 0;
}

/* Functions of the cubin are the sections .text.NAME with content, in the order of the file. */
static int load_code(struct sass_program *p, struct sass_module_image *m, const struct cubin *c, struct err *e)
{
    m->functions = mem_zalloc(c->count + 1, sizeof(void *), e);
    if (!m->functions)
        return -1;
    for (uint32_t k = 0; k < m->section_count && m->function_count < c->count; k++) {
        const struct cubin_function *f = &c->functions[m->function_count];
        struct sass_kernel *to;
        Elf64_Shdr s;

        if (!elf_section(&m->elf, k, &s) || !str_starts(elf_section_name(&m->elf, &s), ".text.") ||
            !elf_content(&m->elf, &s))
            continue;
        to = mem_zalloc(1, sizeof *to, e);
        if (!to)
            return -1;
        m->functions[m->function_count++] = to;
        to->code = (struct sass_code){.function = f,
                                      .base = p->next_code,
                                      .arch = c->arch,
                                      .count = (uint32_t)(f->code_bytes / INST_BYTES),
                                      .section = k,
                                      .module = m};
        to->code.bytes = mem_zalloc(f->code_bytes + 1, 1, e);
        if (!to->code.bytes)
            return -1;
        memcpy(to->code.bytes, f->code, f->code_bytes);
        p->next_code += f->code_bytes + INST_BYTES;
    }
    return 0;
}

/* --- symbols and relocations --- */

static struct image_section *section_at(struct sass_module_image *m, uint32_t k)
{
    return k < m->section_count && m->sections[k].bytes ? &m->sections[k] : NULL;
}

/* The address of a symbol; 0: it is not in this file, or in a space that has no addresses. */
static uint64_t address_of_symbol(struct sass_module_image *m, uint64_t k)
{
    const struct image_section *at;
    const char *name;
    uint32_t section;
    Elf64_Sym s;

    if (!m->has_symbols || !elf_symbol(&m->elf, &m->symbols, k, &s, &name))
        return 0;
    section = elf_symbol_section(&m->elf, m->has_indexes ? &m->indexes : NULL, k, &s);
    at = section_at(m, section);
    if (at && at->owned)
        return at->bank == VARIABLES_BANK ? PTX_CONST_BASE + s.st_value : 0;
    if (at)
        return at->address + s.st_value;
    for (size_t i = 0; i < m->function_count; i++)
        if (m->functions[i]->code.section == section)
            return m->functions[i]->code.base + s.st_value;
    return 0;
}

static int relocate(struct sass_module_image *m, struct image_section *to, const Elf64_Rela *r, bool has_addend,
                    struct err *e)
{
    uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);
    bool narrow = type == RELOCATE_32 || type == RELOCATE_GENERIC_32;
    uint64_t value = 0, bytes = narrow ? 4 : 8;

    if (type < RELOCATE_32 || type > RELOCATE_GENERIC_64)
        return err_set(e, ERR_UNSUPPORTED,
                       "the cubin has a relocation of type %u in its data, which is not known here", type);
    if (r->r_offset > to->n || to->n - r->r_offset < bytes)
        return err_set(e, ERR_MALFORMED, "the cubin is damaged: a relocation is outside of its section");
    if (!has_addend)
        memcpy(&value, to->bytes + r->r_offset, bytes);
    value += address_of_symbol(m, ELF64_R_SYM(r->r_info)) + (has_addend ? (uint64_t)r->r_addend : 0);
    memcpy(to->bytes + r->r_offset, &value, bytes);
    return 0;
}

static int relocate_section(struct sass_module_image *m, const Elf64_Shdr *s, struct err *e)
{
    size_t each = s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    struct image_section *to = section_at(m, s->sh_info);
    const uint8_t *content = elf_content(&m->elf, s);

    for (uint64_t k = 0; to && content && (k + 1) * each <= s->sh_size; k++) {
        Elf64_Rela r = {0};

        memcpy(&r, content + k * each, each);
        if (relocate(m, to, &r, s->sh_type == SHT_RELA, e) != 0)
            return -1;
    }
    return 0;
}

static int load(struct sass_program *p, struct sass_module_image *m, const struct cubin *c, struct err *e)
{
    Elf64_Shdr s;

    m->has_symbols = elf_find(&m->elf, ".symtab", &m->symbols);
    m->has_indexes = elf_find(&m->elf, ".symtab_shndx", &m->indexes);
    m->section_count = m->elf.sections;
    m->sections = mem_zalloc((size_t)m->section_count + 1, sizeof *m->sections, e);
    if (!m->sections || load_code(p, m, c, e) != 0)
        return -1;
    for (uint32_t k = 0; k < m->section_count; k++)
        if (load_section(p, m, k, e) != 0)
            return -1;
    for (uint32_t k = 0; elf_section(&m->elf, k, &s); k++)
        if ((s.sh_type == SHT_REL || s.sh_type == SHT_RELA) && relocate_section(m, &s, e) != 0)
            return -1;
    return 0;
}

int sass_program_load(struct sass_program *p, const uint8_t *bytes, size_t n, const struct cubin *c, struct err *e)
{
    struct sass_module_image *m;

    if (c->arch < SASS_EXEC_ARCH_MIN || c->arch > SASS_EXEC_ARCH_MAX)
        return err_set(e, ERR_UNSUPPORTED, "machine code of sm_%u is not executed; sm_%d to sm_%d is", c->arch,
                       SASS_EXEC_ARCH_MIN, SASS_EXEC_ARCH_MAX);
    if (array_reserve((void **)&p->modules, &p->capacity, p->count + 1, sizeof(void *), e) != 0)
        return -1;
    m = mem_zalloc(1, sizeof *m, e);
    if (!m)
        return -1;
    p->modules[p->count++] = m;
    return elf_open(bytes, n, &m->elf, e) != 0 ? -1 : load(p, m, c, e);
}

/* --- what launches need --- */

const struct sass_kernel *sass_program_kernel(const struct sass_program *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < p->modules[i]->function_count; k++) {
            const struct cubin_function *f = p->modules[i]->functions[k]->code.function;

            if (f->entry && strcmp(f->name, name) == 0)
                return p->modules[i]->functions[k];
        }
    return NULL;
}

const struct cubin_function *sass_kernel_function(const struct sass_kernel *k)
{
    return k->code.function;
}

const struct sass_code *kernel_code(const struct sass_kernel *k)
{
    return &k->code;
}

bool sass_program_symbol(const struct sass_program *p, const char *name, uint8_t **at, uint64_t *bytes)
{
    for (size_t i = 0; i < p->count; i++) {
        struct sass_module_image *m = p->modules[i];
        const char *found;
        Elf64_Sym s;

        for (uint64_t k = 0; m->has_symbols && elf_symbol(&m->elf, &m->symbols, k, &s, &found); k++) {
            struct image_section *in =
                section_at(m, elf_symbol_section(&m->elf, m->has_indexes ? &m->indexes : NULL, k, &s));

            if (!in || ELF64_ST_TYPE(s.st_info) != STT_OBJECT || strcmp(found, name) != 0 || s.st_value > in->n ||
                in->n - s.st_value < s.st_size)
                continue;
            *at = in->bytes + s.st_value;
            *bytes = s.st_size;
            return true;
        }
    }
    return false;
}

void program_banks(const struct sass_code *c, struct sass_bank banks[CUBIN_BANKS])
{
    const struct sass_module_image *m = c->module;

    for (uint32_t k = 0; k < m->section_count; k++) {
        const struct image_section *s = &m->sections[k];
        bool own = s->function && &m->functions[s->function - 1]->code == c;

        if (s->bytes && s->owned && (own || (!s->function && !banks[s->bank].bytes)))
            banks[s->bank] = (struct sass_bank){s->bytes, s->n};
    }
}

const struct sass_code *sass_code_at(struct sass_run *r, uint64_t address)
{
    for (size_t i = 0; i < r->program->count; i++)
        for (size_t k = 0; k < r->program->modules[i]->function_count; k++) {
            struct sass_code *c = &r->program->modules[i]->functions[k]->code;

            if (address >= c->base && address - c->base < (uint64_t)c->count * INST_BYTES)
                return !c->ops && sass_prepare(c, r, r->e) != 0 ? NULL : c;
        }
    return NULL;
}
