/* sass/elf.h: 64-bit ELF files in memory; every access is checked against the end of the file.
 *
 * Source: the ELF specification (gABI). */
#ifndef VIVACE_SASS_ELF_H
#define VIVACE_SASS_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct elf {
    const uint8_t *bytes;
    size_t n;
    Elf64_Ehdr head;
    uint32_t sections; /* their number; all headers are in the file */
    Elf64_Shdr names;  /* the table of the sections' names */
};

/* The file begins as a 64-bit little-endian ELF file does. */
bool elf_begins(const uint8_t *bytes, size_t n);
/* The bytes must stay valid while *out is used. ERR_MALFORMED: no 64-bit ELF file, or it is cut off. */
int elf_open(const uint8_t *bytes, size_t n, struct elf *out, struct err *e);
/* False: there is no section k, or its content reaches past the end of the file. */
bool elf_section(const struct elf *f, uint32_t k, Elf64_Shdr *out);
/* The section of symbol k. indexes: the section of type SHT_SYMTAB_SHNDX, which has the numbers that do not fit
 * into the symbol; NULL: there is none. 0: no section. */
uint32_t elf_symbol_section(const struct elf *f, const Elf64_Shdr *indexes, uint64_t k, const Elf64_Sym *symbol);
/* The content of a section; NULL: it has none in the file. */
const uint8_t *elf_content(const struct elf *f, const Elf64_Shdr *section);
const char *elf_section_name(const struct elf *f, const Elf64_Shdr *section); /* "": it is not valid */
/* The first section with this name. */
bool elf_find(const struct elf *f, const char *name, Elf64_Shdr *out);
/* Symbol k of a symbol table; false: there is none. *name: its name; "": it is not valid. */
bool elf_symbol(const struct elf *f, const Elf64_Shdr *table, uint64_t k, Elf64_Sym *out, const char **name);

#endif
