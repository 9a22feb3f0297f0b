/* sass/sass_file.h, sass/cubin.h: attributes of a kernel; files that contain cubins; errors. */
#include <stdio.h>

#include <zstd.h>

#include "sass/sass_file.h"
#include "tests/harness/check.h"
#include "tests/unit/ptx/runtime/fatbin.h"
#include "tests/unit/sass/elf_build.h"

static const uint64_t code[4] = {0x1234, 0, 0x5678, 0};

static void read_ok(const struct strbuf *b, struct sass_file *f)
{
    struct err e;

    CHECK_OK(sass_file_read((const uint8_t *)b->text, b->length, f, &e), &e);
}

static void refused(const struct strbuf *b, size_t n, enum err_code want, const char *part)
{
    struct sass_file f;
    struct err e;

    CHECK_FAILS(sass_file_read((const uint8_t *)b->text, n, &f, &e), &e, want, part);
}

static void a_cubin_says_all_of_its_kernel(void **state)
{
    struct strbuf b = STRBUF_INIT;
    const struct cubin_function *k;
    struct sass_file f;

    (void)state;
    elf_build_kernel(&b, code, sizeof code);
    read_ok(&b, &f);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.items[0].cubin.arch, 86);
    assert_int_equal(f.items[0].cubin.bank_bytes[3], 16);
    k = cubin_find(&f.items[0].cubin, "k");
    assert_non_null(k);
    assert_true(k->entry);
    assert_int_equal(k->registers, 40);
    assert_int_equal(k->local_bytes, 8);
    assert_int_equal(k->stack_bytes, 24);
    assert_int_equal(k->barriers, 3);
    assert_int_equal(k->shared_bytes, 1024);
    assert_int_equal(k->max_threads[0], 192);
    assert_int_equal(k->max_threads[1], 2);
    assert_int_equal(k->cluster[0], 2);
    assert_int_equal(k->required_threads[0], 0);
    assert_int_equal(k->cuda_version, 130);
    assert_int_equal(k->bank_bytes[0], 32);
    assert_int_equal(k->relocations, 2);
    assert_int_equal(k->param_bytes, 12);
    assert_int_equal(k->param_offset, 0x160);
    assert_int_equal(k->param_count, 2);
    assert_int_equal(k->params[0].offset, 0); /* by ordinal, not in the order of the file */
    assert_int_equal(k->params[0].bytes, 8);
    assert_int_equal(k->params[1].offset, 8);
    assert_int_equal(k->params[1].bytes, 4);
    assert_int_equal(k->code_bytes, 32);
    assert_memory_equal(k->code, code, 32);
    assert_int_equal(k->label_count, 1);
    assert_string_equal(k->labels[0].name, "$k$part");
    assert_int_equal(k->labels[0].at, 16);
    assert_null(cubin_find(&f.items[0].cubin, "other"));
    sass_file_release(&f);
    strbuf_release(&b);
}

static void older_files_have_the_architecture_in_the_low_bits(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct sass_file f;

    (void)state;
    elf_build(&b, 190, 0x004b054b, 0x33, NULL, 0);
    read_ok(&b, &f);
    assert_int_equal(f.items[0].cubin.arch, 75);
    sass_file_release(&f);
    strbuf_release(&b);
}

/* A member of a static library: name, then 42 bytes that are not read, then the size. */
/* Newer cubins give sections of shared memory a type of NVIDIA's; they are last in the file. */
static void shared_memory_needs_no_bytes_in_the_file(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct sass_file f;

    (void)state;
    elf_build(&b, 190, 86 << 8, 0x41,
              (const struct built_section[]){{".text.k", SHT_PROGBITS, 0, 1, code, sizeof code},
                                             {".nv.shared.k", 0x7000000a, 0, 1, NULL, 7104}},
              2);
    read_ok(&b, &f);
    assert_int_equal(f.items[0].cubin.count, 1);
    assert_int_equal(f.items[0].cubin.functions[0].shared_bytes, 7104);
    sass_file_release(&f);
    strbuf_release(&b);
}

static void add_member(struct strbuf *b, const char *name, const struct strbuf *content)
{
    strbuf_addf(b, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0, 0, 644, content->length);
    strbuf_add(b, content->text, content->length);
    if (content->length & 1)
        strbuf_addc(b, '\n');
}

static void programs_and_libraries_contain_fat_binaries(void **state)
{
    struct strbuf cubin = STRBUF_INIT, fat = STRBUF_INIT, program = STRBUF_INIT, library = STRBUF_INIT,
                  names = STRBUF_INIT, two = STRBUF_INIT;
    struct sass_file f;

    (void)state;
    elf_build_kernel(&cubin, code, sizeof code);
    fatbin_build(&fat,
                 (const struct fatbin_entry[]){{FATBIN_PTX, 75, "text", 4, 0, 0},
                                               {FATBIN_CODE, 86, cubin.text, cubin.length, 0, 0}},
                 2);
    read_ok(&fat, &f);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.ptx_count, 1);
    assert_string_equal(f.items[0].where, "entry 2");
    sass_file_release(&f);
    strbuf_add(&two, fat.text, fat.length);
    strbuf_add(&two, "\0\0\0\0\0\0\0\0", 8); /* padding, then another container */
    strbuf_add(&two, fat.text, fat.length);
    elf_build(&program, 62, 0, 0,
              (const struct built_section[]){{".text", SHT_PROGBITS, 0, 0, "abcd", 4},
                                             {".nv_fatbin", SHT_PROGBITS, 0, 0, two.text, two.length}},
              2);
    read_ok(&program, &f);
    assert_int_equal(f.count, 2);
    assert_string_equal(f.items[1].where, "entry 4");
    sass_file_release(&f);
    strbuf_adds(&library, "!<arch>\n");
    strbuf_adds(&names, "a_long_name_of_an_object.o/\n");
    add_member(&library, "//", &names);
    add_member(&library, "/0", &program);
    add_member(&library, "k.cubin/", &cubin);
    read_ok(&library, &f);
    assert_int_equal(f.count, 3);
    assert_string_equal(f.items[0].where, "member a_long_name_of_an_object.o, entry 2");
    assert_string_equal(f.items[2].where, "k.cubin");
    sass_file_release(&f);
    strbuf_release(&cubin);
    strbuf_release(&fat);
    strbuf_release(&program);
    strbuf_release(&library);
    strbuf_release(&names);
    strbuf_release(&two);
}

/* What is not compressed stays in the file: it has no part in the limit of decompressed bytes. */
/* With more sections than fit into 16 bits, their number and those of symbols are elsewhere (gABI, SHN_XINDEX). */
static void extended_section_numbers_are_read(void **state)
{
    const Elf64_Sym symbols[] = {
        {0}, {.st_name = 1, .st_info = STT_FUNC, .st_other = 0x10, .st_shndx = SHN_XINDEX, .st_size = sizeof code}};
    const uint32_t indexes[] = {0, 3};
    struct strbuf b = STRBUF_INIT;
    struct sass_file f;
    Elf64_Ehdr head;
    Elf64_Shdr zero = {0};

    (void)state;
    elf_build(&b, 190, 86 << 8, 0x41,
              (const struct built_section[]){{".strtab", SHT_STRTAB, 0, 0, "\0k", 3},
                                             {".symtab", SHT_SYMTAB, 1, 0, symbols, sizeof symbols},
                                             {".text.k", SHT_PROGBITS, 0, 3, code, sizeof code},
                                             {".symtab_shndx", SHT_SYMTAB_SHNDX, 2, 0, indexes, sizeof indexes}},
              4);
    memcpy(&head, b.text, sizeof head);
    zero.sh_size = head.e_shnum;
    zero.sh_link = head.e_shstrndx;
    memcpy(b.text + head.e_shoff, &zero, sizeof zero);
    head.e_shnum = 0;
    head.e_shstrndx = SHN_XINDEX;
    memcpy(b.text, &head, sizeof head);
    read_ok(&b, &f);
    assert_int_equal(f.items[0].cubin.count, 1);
    assert_true(f.items[0].cubin.functions[0].entry);
    sass_file_release(&f);
    zero.sh_size = UINT32_MAX;
    memcpy(b.text + head.e_shoff, &zero, sizeof zero);
    refused(&b, b.length, ERR_MALFORMED, "its table of sections is not in it");
    strbuf_release(&b);
}

static void device_code_that_is_not_linked_is_read(void **state)
{
    struct strbuf cubin = STRBUF_INIT, fat = STRBUF_INIT, object = STRBUF_INIT;
    struct sass_file f;

    (void)state;
    elf_build_kernel(&cubin, code, sizeof code);
    fatbin_build(&fat, &(const struct fatbin_entry){FATBIN_CODE, 86, cubin.text, cubin.length, 0, 0}, 1);
    elf_build(&object, 62, 0, 0,
              &(const struct built_section){"__nv_relfatbin", SHT_PROGBITS, 0, 0, fat.text, fat.length}, 1);
    read_ok(&object, &f);
    assert_int_equal(f.count, 1);
    assert_string_equal(f.items[0].where, "entry 1");
    sass_file_release(&f);
    strbuf_release(&cubin);
    strbuf_release(&fat);
    strbuf_release(&object);
}

static void only_compressed_modules_are_unpacked(void **state)
{
    struct strbuf cubin = STRBUF_INIT, fat = STRBUF_INIT;
    struct sass_file f;
    char packed[4096];
    size_t n;

    (void)state;
    elf_build_kernel(&cubin, code, sizeof code);
    n = ZSTD_compress(packed, sizeof packed, cubin.text, cubin.length, 1);
    assert_false(ZSTD_isError(n));
    fatbin_build(&fat,
                 (const struct fatbin_entry[]){{FATBIN_CODE, 86, packed, n, cubin.length, FATBIN_ZSTD},
                                               {FATBIN_CODE, 86, cubin.text, cubin.length, 0, 0}},
                 2);
    read_ok(&fat, &f);
    assert_int_equal(f.count, 2);
    assert_non_null(f.items[0].bytes);
    assert_null(f.items[1].bytes);
    assert_int_equal(f.unpacked_n, cubin.length);
    assert_non_null(cubin_find(&f.items[0].cubin, "k"));
    assert_non_null(cubin_find(&f.items[1].cubin, "k"));
    sass_file_release(&f);
    strbuf_release(&cubin);
    strbuf_release(&fat);
}

/* Fat binaries are read; members that are no 64-bit ELF files contain no GPU code. */
static void libraries_may_have_members_of_other_kinds(void **state)
{
    struct strbuf cubin = STRBUF_INIT, fat = STRBUF_INIT, host = STRBUF_INIT, library = STRBUF_INIT,
                  text = STRBUF_INIT;
    struct sass_file f;

    (void)state;
    elf_build_kernel(&cubin, code, sizeof code);
    fatbin_build(&fat, &(const struct fatbin_entry){FATBIN_CODE, 86, cubin.text, cubin.length, 0, 0}, 1);
    elf_build(&host, 3, 0, 0, NULL, 0);
    host.text[EI_CLASS] = ELFCLASS32;
    strbuf_adds(&text, "words");
    strbuf_adds(&library, "!<arch>\n");
    add_member(&library, "host.o/", &host);
    add_member(&library, "text/", &text);
    add_member(&library, "k.fatbin/", &fat);
    read_ok(&library, &f);
    assert_int_equal(f.count, 1);
    assert_string_equal(f.items[0].where, "member k.fatbin, entry 1");
    sass_file_release(&f);
    strbuf_release(&cubin);
    strbuf_release(&fat);
    strbuf_release(&host);
    strbuf_release(&library);
    strbuf_release(&text);
}

/* Moves the content of section `from` to that of section `to`. */
static void overlap(struct strbuf *b, uint32_t to, uint32_t from)
{
    Elf64_Ehdr head;
    Elf64_Shdr source, target;

    memcpy(&head, b->text, sizeof head);
    memcpy(&source, b->text + head.e_shoff + from * sizeof source, sizeof source);
    memcpy(&target, b->text + head.e_shoff + to * sizeof target, sizeof target);
    target.sh_offset = source.sh_offset;
    target.sh_size = source.sh_size;
    memcpy(b->text + head.e_shoff + to * sizeof target, &target, sizeof target);
}

/* Sections that share bytes would make a small file cost much memory. */
static void overlapping_sections_are_refused(void **state)
{
    static uint8_t content[1 << 16];
    static char names[1 << 16];
    struct built_section many[14] = {{".strtab", SHT_STRTAB, 0, 0, names, sizeof names},
                                     {".symtab", SHT_SYMTAB, 1, 0, "", 0},
                                     {".text.k", SHT_PROGBITS, 0, 3, code, sizeof code},
                                     {"any", SHT_PROGBITS, 0, 0, content, sizeof content}};
    static const char *const kinds[] = {".text.f", ".nv.info.k", ".nv_fatbin"};
    Elf64_Sym symbols[8];

    (void)state;
    for (size_t k = 4; k < 14; k++)
        many[k] = (struct built_section){NULL, SHT_PROGBITS, 0, 3, "", 0};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct strbuf b = STRBUF_INIT;

        for (size_t k = 4; k < 14; k++)
            many[k].name = kinds[kind];
        elf_build(&b, kind == 2 ? 62 : 190, 86 << 8, 0x41, many, 14);
        for (uint32_t k = 5; k < 15; k++)
            overlap(&b, k, 4);
        refused(&b, b.length, ERR_MALFORMED, "its sections overlap");
        strbuf_release(&b);
    }
    memset(names, '$', sizeof names - 1);
    for (size_t k = 0; k < 8; k++)
        symbols[k] = (Elf64_Sym){.st_name = (uint32_t)k, .st_info = STT_FUNC, .st_shndx = 3, .st_size = 16};
    many[1].bytes = symbols;
    many[1].n = sizeof symbols;
    {
        struct strbuf b = STRBUF_INIT;

        elf_build(&b, 190, 86 << 8, 0x41, many, 3);
        refused(&b, b.length, ERR_MALFORMED, "its sections overlap");
        strbuf_release(&b);
    }
}

static void damaged_files_are_refused(void **state)
{
    struct strbuf cubin = STRBUF_INIT, name = STRBUF_INIT, library = STRBUF_INIT;
    const struct built_section odd = {".text.a\x1b[1mb", SHT_PROGBITS, 0, 0, code, 24};
    Elf64_Ehdr head;
    Elf64_Shdr text;
    struct sass_file f;
    struct err e;

    (void)state;
    elf_build_kernel(&cubin, code, sizeof code);
    strbuf_adds(&library, "!<arch>\n");
    add_member(&library, "k.cubin/", &cubin);
    refused(&library, library.length - 40, ERR_MALFORMED, "the static library is damaged or cut off at byte 8");
    library.text[8 + 59] = ' ';
    refused(&library, library.length, ERR_MALFORMED, "the static library is damaged or cut off at byte 8");
    memcpy(&head, cubin.text, sizeof head);
    memcpy(&text, cubin.text + head.e_shoff + 3 * sizeof text, sizeof text);
    text.sh_offset = cubin.length - 16;
    memcpy(cubin.text + head.e_shoff + 3 * sizeof text, &text, sizeof text);
    refused(&cubin, cubin.length, ERR_MALFORMED, "section 3 reaches past its end");
    elf_build(&name, 190, 61, 0x33, &odd, 1);
    assert_int_equal(sass_file_read((const uint8_t *)name.text, name.length, &f, &e), -1);
    assert_null(strchr(e.text, 0x1b));
    strbuf_release(&cubin);
    strbuf_release(&name);
    strbuf_release(&library);
}

static void bad_input_is_refused_with_a_sentence(void **state)
{
    struct strbuf b = STRBUF_INIT, fat = STRBUF_INIT, text = STRBUF_INIT, host = STRBUF_INIT, old = STRBUF_INIT;
    const struct fatbin_entry ptx = {FATBIN_PTX, 75, "text", 4, 0, 0};

    (void)state;
    strbuf_adds(&text, "hello");
    refused(&text, 5, ERR_MALFORMED, "no cubin, fat binary");
    refused(&text, 0, ERR_MALFORMED, "no cubin, fat binary");
    elf_build_kernel(&b, code, sizeof code);
    refused(&b, 40, ERR_MALFORMED, "no 64-bit");
    refused(&b, b.length - 1, ERR_MALFORMED, "cut off");
    fatbin_build(&fat, &ptx, 1);
    refused(&fat, fat.length, ERR_NOT_FOUND, "PTX only");
    refused(&fat, fat.length - 1, ERR_MALFORMED, "cut off");
    elf_build(&host, 62, 0, 0, NULL, 0);
    refused(&host, host.length, ERR_NOT_FOUND, "no GPU code");
    elf_build(&old, 190, 61, 0x33, (const struct built_section[]){{".text.k", SHT_PROGBITS, 0, 0, code, 24}}, 1);
    refused(&old, old.length, ERR_MALFORMED, "before sm_70");
    strbuf_release(&b);
    strbuf_release(&fat);
    strbuf_release(&text);
    strbuf_release(&host);
    strbuf_release(&old);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cubin_says_all_of_its_kernel),
        cmocka_unit_test(older_files_have_the_architecture_in_the_low_bits),
        cmocka_unit_test(shared_memory_needs_no_bytes_in_the_file),
        cmocka_unit_test(programs_and_libraries_contain_fat_binaries),
        cmocka_unit_test(extended_section_numbers_are_read),
        cmocka_unit_test(device_code_that_is_not_linked_is_read),
        cmocka_unit_test(only_compressed_modules_are_unpacked),
        cmocka_unit_test(libraries_may_have_members_of_other_kinds),
        cmocka_unit_test(overlapping_sections_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(bad_input_is_refused_with_a_sentence),
    };

    return cmocka_run_group_tests_name("sass_file", tests, NULL, NULL);
}
