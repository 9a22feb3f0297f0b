/* sass/elf.c: 64-bit ELF files in memory. */
#include "sass/elf.h"

#include <string.h>

bool elf_begins(const uint8_t *bytes, size_t n)
{
    return n >= EI_NIDENT && memcmp(bytes, ELFMAG, SELFMAG) == 0 && bytes[EI_CLASS] == ELFCLASS64 &&
           bytes[EI_DATA] == ELFDATA2LSB;
}

int elf_open(const uint8_t *bytes, size_t n, struct elf *out, struct err *e)
{
    *out = (struct elf){.bytes = bytes, .n = n};
    if (n < sizeof out->head || !elf_begins(bytes, n))
        return err_set(e, ERR_MALFORMED, "this is no 64-bit little-endian ELF file");
    memcpy(&out->head, bytes, sizeof out->head);
    if (out->head.e_shentsize != sizeof out->names || !elf_section(out, out->head.e_shstrndx, &out->names) ||
        out->names.sh_type != SHT_STRTAB)
        return err_set(e, ERR_MALFORMED, "the ELF file is damaged or cut off: its table of sections is not in it");
    return 0;
}

bool elf_section(const struct elf *f, uint32_t k, Elf64_Shdr *out)
{
    if (k >= f->head.e_shnum || f->head.e_shoff > f->n || (f->n - f->head.e_shoff) / sizeof *out <= k)
        return false;
    memcpy(out, f->bytes + f->head.e_shoff + k * sizeof *out, sizeof *out);
    return out->sh_type == SHT_NOBITS || (out->sh_offset <= f->n && out->sh_size <= f->n - out->sh_offset);
}

const uint8_t *elf_content(const struct elf *f, const Elf64_Shdr *section)
{
    return section->sh_type == SHT_NOBITS ? NULL : f->bytes + section->sh_offset;
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
    for (uint32_t k = 0; k < f->head.e_shnum; k++)
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
