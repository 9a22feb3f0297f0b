/* sass/elf.c: 64-bit ELF files in memory. */
#include "sass/elf.h"

#include <string.h>

bool elf_begins(const uint8_t *bytes, size_t n)
{
    return n >= EI_NIDENT && memcmp(bytes, ELFMAG, SELFMAG) == 0 && bytes[EI_CLASS] == ELFCLASS64 &&
           bytes[EI_DATA] == ELFDATA2LSB;
}

static bool header_at(const struct elf *f, uint64_t k, Elf64_Shdr *out)
{
    if (f->head.e_shoff > f->n || (f->n - f->head.e_shoff) / sizeof *out <= k)
        return false;
    memcpy(out, f->bytes + f->head.e_shoff + k * sizeof *out, sizeof *out);
    return true;
}

/* Numbers that do not fit into the ELF header are in section 0 (gABI, "ELF Header": e_shnum, e_shstrndx). */
static bool read_counts(struct elf *f, uint32_t *names)
{
    Elf64_Shdr zero, last;
    uint64_t count = f->head.e_shnum;

    *names = f->head.e_shstrndx;
    if (f->head.e_shentsize != sizeof zero || f->head.e_shoff == 0 || !header_at(f, 0, &zero))
        return false;
    if (count == 0)
        count = zero.sh_size;
    if (*names == SHN_XINDEX)
        *names = zero.sh_link;
    if (count == 0 || count > UINT32_MAX || !header_at(f, count - 1, &last))
        return false;
    f->sections = (uint32_t)count;
    return true;
}

int elf_open(const uint8_t *bytes, size_t n, struct elf *out, struct err *e)
{
    uint32_t names;

    *out = (struct elf){.bytes = bytes, .n = n};
    if (n < sizeof out->head || !elf_begins(bytes, n))
        return err_set(e, ERR_MALFORMED, "this is no 64-bit little-endian ELF file");
    memcpy(&out->head, bytes, sizeof out->head);
    if (!read_counts(out, &names) || !elf_section(out, names, &out->names) || out->names.sh_type != SHT_STRTAB)
        return err_set(e, ERR_MALFORMED, "the ELF file is damaged or cut off: its table of sections is not in it");
    return 0;
}

/* Sections of shared memory have a size but no bytes in the file. Their type is NVIDIA's own in newer cubins (read
 * in those of NCCL 2.28 for CUDA 13). */
#define SHT_CUDA_SHARED 0x7000000a

static bool has_content(const Elf64_Shdr *section)
{
    return section->sh_type != SHT_NOBITS && section->sh_type != SHT_CUDA_SHARED;
}

bool elf_section(const struct elf *f, uint32_t k, Elf64_Shdr *out)
{
    if (k >= f->sections || !header_at(f, k, out))
        return false;
    return !has_content(out) || (out->sh_offset <= f->n && out->sh_size <= f->n - out->sh_offset);
}

const uint8_t *elf_content(const struct elf *f, const Elf64_Shdr *section)
{
    return has_content(section) ? f->bytes + section->sh_offset : NULL;
}

/* The text at `at` of a table of names; "": it is not in the table. A table ends with a NUL (gABI, "String Table"):
 * without a search for its end, overlapping names cost no time. */
static const char *name_at(const struct elf *f, const Elf64_Shdr *names, uint64_t at)
{
    const char *text = (const char *)elf_content(f, names);

    return text && at < names->sh_size && text[names->sh_size - 1] == 0 ? text + at : "";
}

const char *elf_section_name(const struct elf *f, const Elf64_Shdr *section)
{
    return name_at(f, &f->names, section->sh_name);
}

bool elf_find(const struct elf *f, const char *name, Elf64_Shdr *out)
{
    for (uint32_t k = 0; k < f->sections; k++)
        if (elf_section(f, k, out) && strcmp(elf_section_name(f, out), name) == 0)
            return true;
    return false;
}

bool elf_symbol(const struct elf *f, const Elf64_Shdr *table, uint64_t k, Elf64_Sym *out, const char **name)
{
    const uint8_t *content = elf_content(f, table);
    Elf64_Shdr names;

    if (!content || k >= table->sh_size / sizeof *out)
        return false;
    memcpy(out, content + k * sizeof *out, sizeof *out);
    *name = elf_section(f, table->sh_link, &names) ? name_at(f, &names, out->st_name) : "";
    return true;
}

uint32_t elf_symbol_section(const struct elf *f, const Elf64_Shdr *indexes, uint64_t k, const Elf64_Sym *symbol)
{
    const uint8_t *content = indexes ? elf_content(f, indexes) : NULL;
    uint32_t section;

    if (symbol->st_shndx != SHN_XINDEX)
        return symbol->st_shndx < SHN_LORESERVE ? symbol->st_shndx : SHN_UNDEF;
    if (!content || k >= indexes->sh_size / sizeof section)
        return SHN_UNDEF;
    memcpy(&section, content + k * sizeof section, sizeof section);
    return section;
}
