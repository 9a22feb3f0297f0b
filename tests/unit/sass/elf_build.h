/* Cubins built by hand: sections and a symbol table (format: sass/cubin.h, the ELF specification). */
#ifndef VIVACE_TESTS_UNIT_SASS_ELF_BUILD_H
#define VIVACE_TESTS_UNIT_SASS_ELF_BUILD_H

#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"

struct built_section {
    const char *name;
    uint32_t type, link, info;
    const void *bytes;
    size_t n; /* bytes NULL: only a size */
};
enum { BUILT_SECTIONS_MAX = 16 };

/* Section 0 is empty, the last is the table of names. The names of symbols are in the section with number 1. */
static inline void elf_build(struct strbuf *b, uint16_t machine, uint32_t flags, uint8_t osabi,
                             const struct built_section *sections, size_t n)
{
    Elf64_Shdr headers[BUILT_SECTIONS_MAX + 2] = {0};
    Elf64_Ehdr head = {.e_machine = machine,
                       .e_flags = flags,
                       .e_type = ET_EXEC,
                       .e_shentsize = sizeof *headers,
                       .e_shnum = (uint16_t)(n + 2),
                       .e_shstrndx = (uint16_t)(n + 1)};
    struct strbuf names = STRBUF_INIT;

    memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_OSABI] = osabi;
    strbuf_add(b, &head, sizeof head);
    strbuf_addc(&names, 0);
    for (size_t k = 0; k < n; k++) {
        headers[k + 1] = (Elf64_Shdr){.sh_name = (uint32_t)names.length,
                                      .sh_type = sections[k].type,
                                      .sh_offset = b->length,
                                      .sh_size = sections[k].n,
                                      .sh_link = sections[k].link,
                                      .sh_info = sections[k].info};
        strbuf_add(&names, sections[k].name, strlen(sections[k].name) + 1);
        if (sections[k].bytes)
            strbuf_add(b, sections[k].bytes, sections[k].n);
    }
    headers[n + 1] = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = b->length, .sh_size = names.length};
    strbuf_add(b, names.text, names.length);
    head.e_shoff = b->length;
    strbuf_add(b, headers, (n + 2) * sizeof *headers);
    memcpy(b->text, &head, sizeof head);
    strbuf_release(&names);
}

/* A cubin for sm_86 with the kernel "k" (its section is number 3) and this code (32 bytes or more). */
static inline void elf_build_kernel(struct strbuf *b, const void *code, size_t code_n)
{
    static const char strings[] = "\0k\0$k$part";
    const Elf64_Sym symbols[] = {
        {0},
        {.st_name = 1, .st_info = STT_FUNC, .st_other = 0x10, .st_shndx = 3, .st_size = code_n},
        {.st_name = 3, .st_info = STT_FUNC, .st_shndx = 3, .st_value = 16, .st_size = 16}};
    const uint32_t all[] = {0x00082f04, 1, 40, 0x00081104, 1, 8, 0x00081204, 1, 24};
    const uint32_t own[] = {0x00043704, 130,        0x000c1704, 0,          0x00080001, 0x0011f000, 0x000c1704, 0,
                            0,          0x0021f000, 0x000c0519, 0x00000000, 0x00080a04, 7,          0x000c0160};
    const uint32_t last[] = {0x000c1903, 0x00034c02, 0x000c0504, 192, 2, 1, 0x000c3d04, 2, 1, 1};
    uint8_t attributes[sizeof own + sizeof last];
    const Elf64_Rela relocations[2] = {{0}};

    /* words 10 and 11 of `own` are an attribute without data and with an unknown number */
    memcpy(attributes, own, sizeof own);
    memcpy(attributes + 40, (const uint32_t[]){0x00000119, 0x00000118}, 8);
    memcpy(attributes + sizeof own, last, sizeof last);
    elf_build(b, 190, 86 << 8, 0x41,
              (const struct built_section[]){{".strtab", SHT_STRTAB, 0, 0, strings, sizeof strings},
                                             {".symtab", SHT_SYMTAB, 1, 0, symbols, sizeof symbols},
                                             {".text.k", SHT_PROGBITS, 0, 3, code, code_n},
                                             {".nv.info", 0x70000000, 2, 0, all, sizeof all},
                                             {".nv.info.k", 0x70000000, 2, 3, attributes, sizeof attributes},
                                             {".nv.shared.k", SHT_NOBITS, 0, 3, NULL, 1024},
                                             {".nv.constant0.k", SHT_PROGBITS, 0, 3, code, 32},
                                             {".nv.constant3", SHT_PROGBITS, 0, 0, code, 16},
                                             {".rela.text.k", SHT_RELA, 2, 3, relocations, sizeof relocations}},
              9);
}

/* A cubin for sm_86 with the kernel "k", which has one parameter of 8 bytes and can be launched. */
static inline void elf_build_plain_kernel(struct strbuf *b, const void *code, size_t code_n)
{
    static const char strings[] = "\0k";
    const Elf64_Sym symbols[] = {
        {0}, {.st_name = 1, .st_info = STT_FUNC, .st_other = 0x10, .st_shndx = 3, .st_size = code_n}};
    const uint32_t all[] = {0x00082f04, 1, 40, 0x00081204, 1, 0};
    const uint32_t own[] = {0x00043704, 130, 0x000c1704, 0, 0, 0x0021f000, 0x00080a04, 2, 0x00080160, 0x00081903};

    elf_build(b, 190, 86 << 8, 0x41,
              (const struct built_section[]){{".strtab", SHT_STRTAB, 0, 0, strings, sizeof strings},
                                             {".symtab", SHT_SYMTAB, 1, 0, symbols, sizeof symbols},
                                             {".text.k", SHT_PROGBITS, 0, 1, code, code_n},
                                             {".nv.info", 0x70000000, 2, 0, all, sizeof all},
                                             {".nv.info.k", 0x70000000, 2, 3, own, sizeof own}},
              5);
}

#endif
