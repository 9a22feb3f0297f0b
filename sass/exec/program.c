/* sass/exec/program.c: loads cubins: code with addresses, constant banks, variables in device memory, relocations.
 *
 * Code has addresses of its own; variables of .nv.global and .nv.global.init get device memory. Source of the
 * relocations in data: cubins that ptxas 13.0 makes of kernels with addresses of variables in constants and in
 * initial values. Of those in code: CuAssembler (github.com/cloudcores/CuAssembler) has 56 to 58; which
 * instructions have them, 59 and 75: cubins of `nvcc -dc`, CUDA 13.0. Calls have the address where relative calls
 * have the distance (sass/decode.c). */
#include "sass/exec/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "sass/elf.h"

#define CODE_BEGIN 0x1000u /* nothing is at lower addresses: a null pointer is no function */
/* 32 and 64 bits of an address; generic ones, which are the same for global memory */
enum { RELOCATE_32 = 1, RELOCATE_64 = 2, RELOCATE_GENERIC_32 = 3, RELOCATE_GENERIC_64 = 4 };

/* 32 lower and upper bits of an address, targets of calls before and from sm_90 on, offset in a constant bank */
enum { CODE_ABS32_LO = 56, CODE_ABS32_HI = 57, CODE_ABS47 = 58, CODE_ABS16 = 59, CODE_ABS55 = 75 };
enum { RELOCATIONS_MAX = 2 }; /* of an instruction */
/* Make a YIELD a NOP, which changes no value. */
enum { CODE_YIELD_OPCODE = 68, CODE_YIELD_PREDICATE = 69 };

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
        for (size_t i = 0; i < m->functions[k]->code.unresolved_count; i++)
            free(m->functions[k]->code.unresolved[i].why);
        free(m->functions[k]->code.unresolved);
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

static struct sass_code *code_of_section(struct sass_module_image *m, uint32_t section)
{
    for (size_t k = 0; k < m->function_count; k++)
        if (m->functions[k]->code.section == section)
            return &m->functions[k]->code;
    return NULL;
}

/* The address of a symbol; 0: it is not in this file, or in a space that has no addresses. */
static uint64_t address_of_symbol(struct sass_module_image *m, uint64_t k)
{
    const struct image_section *at;
    const struct sass_code *code;
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
    code = code_of_section(m, section);
    return code ? code->base + s.st_value : 0;
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

/* The offset of a constant variable in its bank; false: the symbol is none. */
static bool offset_in_bank(struct sass_module_image *m, uint64_t k, uint64_t *offset)
{
    const struct image_section *at;
    const char *name;
    Elf64_Sym s;

    if (!m->has_symbols || !elf_symbol(&m->elf, &m->symbols, k, &s, &name))
        return false;
    at = section_at(m, elf_symbol_section(&m->elf, m->has_indexes ? &m->indexes : NULL, k, &s));
    *offset = s.st_value;
    return at && at->owned && s.st_value <= at->n;
}

/* Bits [at, at + n) of an instruction; they do not cross a word. False: they have a value already. */
static bool fill_bits(uint64_t words[2], uint32_t at, uint32_t n, uint64_t value)
{
    uint64_t mask = (1ull << n) - 1, *word = &words[at / 64];

    if (*word >> (at % 64) & mask)
        return false;
    *word |= (value & mask) << (at % 64);
    return true;
}

/* A field of 47 bits from bit 34. */
static bool fill_address(uint64_t words[2], uint64_t value)
{
    return fill_bits(words, 34, 30, value) && fill_bits(words, 64, 17, value >> 30);
}

/* NULL: applied; else what is not known. */
static const char *relocate_inst(struct sass_module_image *m, uint64_t words[2], const Elf64_Rela *r)
{
    uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);
    uint64_t symbol = ELF64_R_SYM(r->r_info), addend = (uint64_t)r->r_addend, value;
    bool fits = true;

    if (type == CODE_YIELD_OPCODE || type == CODE_YIELD_PREDICATE)
        return NULL;
    if (type != CODE_ABS32_LO && type != CODE_ABS32_HI && type != CODE_ABS47 && type != CODE_ABS16 &&
        type != CODE_ABS55)
        return "which only a linker resolves: link the file with `nvcc -dlink` or build it without -dc";
    if (type == CODE_ABS16 && !offset_in_bank(m, symbol, &value))
        return "which is no constant variable of this file";
    if (type != CODE_ABS16 && (value = address_of_symbol(m, symbol)) == 0)
        return "which has no address in this file: link it with the file that has it";
    value += addend;
    switch (type) {
    case CODE_ABS16: fits = fill_bits(words, 32, 16, value); break;
    case CODE_ABS32_LO: fits = fill_bits(words, 32, 32, value); break;
    case CODE_ABS32_HI: fits = fill_bits(words, 32, 32, value >> 32); break;
    case CODE_ABS47: fits = fill_address(words, value >> 2); break;
    default: fits = fill_bits(words, 16, 8, value >> 2) && fill_address(words, value >> 10); break;
    }
    return fits ? NULL : "whose field has a value already";
}

static int add_unresolved(struct sass_module_image *m, struct sass_code *c, const Elf64_Rela *r, const char *why,
                          struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    const char *name;
    Elf64_Sym s;

    if (c->unresolved_count >= (size_t)RELOCATIONS_MAX * c->count)
        return err_set(e, ERR_MALFORMED, "the cubin is damaged: %s has more relocations than instructions",
                       c->function->name);
    if (!m->has_symbols || !elf_symbol(&m->elf, &m->symbols, ELF64_R_SYM(r->r_info), &s, &name))
        name = "";
    if (array_reserve((void **)&c->unresolved, &c->unresolved_capacity, c->unresolved_count + 1,
                      sizeof *c->unresolved, e) != 0)
        return -1;
    strbuf_addf(&text, "it needs relocation %u of `%.200s`, %s", (uint32_t)ELF64_R_TYPE(r->r_info), name, why);
    if (text.failed)
        return err_no_memory(e);
    text_sanitize(text.text);
    c->unresolved[c->unresolved_count++] = (struct sass_unresolved){r->r_offset, text.text};
    return 0;
}

static int relocate_code(struct sass_module_image *m, struct sass_code *c, const Elf64_Rela *r, struct err *e)
{
    uint64_t words[2];
    const char *why;

    if (r->r_offset % INST_BYTES || r->r_offset / INST_BYTES >= c->count)
        return err_set(e, ERR_MALFORMED,
                       "the cubin is damaged: a relocation of %s is at 0x%llx, where no instruction is",
                       c->function->name, (unsigned long long)r->r_offset);
    memcpy(words, c->bytes + r->r_offset, sizeof words);
    why = relocate_inst(m, words, r);
    if (why)
        return add_unresolved(m, c, r, why, e);
    memcpy(c->bytes + r->r_offset, words, sizeof words);
    return 0;
}

static int relocate_section(struct sass_module_image *m, const Elf64_Shdr *s, struct err *e)
{
    size_t each = s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    struct image_section *to = section_at(m, s->sh_info);
    struct sass_code *code = code_of_section(m, s->sh_info);
    const uint8_t *content = elf_content(&m->elf, s);

    for (uint64_t k = 0; (to || code) && content && (k + 1) * each <= s->sh_size; k++) {
        Elf64_Rela r = {0};

        memcpy(&r, content + k * each, each);
        if ((code ? relocate_code(m, code, &r, e) : relocate(m, to, &r, s->sh_type == SHT_RELA, e)) != 0)
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
