/* Recognition of files independent of their names; the report as JSON. */
#include "tests/unit/ingest/inputs.h"

#include <jansson.h>

static void strangers_are_named(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *format, *text, *hint;
    } cases[] = {
        {"NVIDIA Tegra Profiler Report 1.\0\1\2", 34, "nsys-report", "only nsys itself can read",
         "nsys export --type sqlite --output report.sqlite report.nsys-rep"},
        {"NVR\0\1\0\0\0", 8, "ncu-report", "Nsight Compute", "nsys profile"},
        {"PK\3\4xxxx", 8, "unknown", "ends in the middle of its zip data", NULL},
        {"BZh91AY", 7, "unknown", "ends in the middle of its bzip2 data", NULL},
        {"\xfe\xff\0S", 4, "unknown", "it begins with", NULL},
        {"\xfe\xff\0S\0", 5, "unknown", "ends in the middle of a UTF-16 character", NULL},
        {"\x7f"
         "ELF\2\1\1",
         7, "unknown", "a program", NULL},
        {"PAR1....", 8, "unknown", "Parquet", NULL},
        {"<!DOCTYPE html><html>", 21, "unknown", "HTML page", NULL},
        {"version https://git-lfs.github.com/spec/v1\n", 43, "unknown", "git lfs pull", NULL},
        {"", 0, "unknown", "the file is empty", NULL},
        {"hello, world\n", 13, "unknown", "it begins with \"hello, world\"", "nsys export"},
        {"\xef\xbb\xbfpool,norm\n", 13, "unknown", "it begins with \"pool,norm\"", "nsys export"},
        {"{\"format\":\"vivace-plan\"}", 24, "json", "this is a plan, not a profile", "--plan FILE"},
        {"{\"format\":\"vivace-design\"}", 26, "json", "this is a GPU design", "design add"},
        {"\1\2\3\4\5", 5, "unknown", "begins with the bytes 01 02 03 04", NULL},
        {"\1", 1, "unknown", "begins with the bytes 01", NULL},
        {"{\"a\": 1}", 8, "json", "no traceEvents", "export_chrome_trace"},
        {"\x1f\x8b\x08\x00", 4, "unknown", "ends in the middle of its gzip data", NULL},
    };
    const char *path = scratch_path("stranger");

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *format;
        struct imported i;
        struct err e;

        write_bytes(path, cases[k].bytes, cases[k].length);
        if (ingest_recognise(path, &format, &e) > 0)
            fail_msg("case %zu was recognised as %s", k, format);
        if (strcmp(format, cases[k].format) != 0 || !strstr(e.text, cases[k].text) ||
            (cases[k].hint && !strstr(e.hint, cases[k].hint)))
            fail_msg("case %zu: %s: \"%s\" (%s)", k, format, e.text, e.hint);
        import_path(&i, path, NULL);
        assert_int_equal(i.ret, -1);
        assert_string_equal(i.e.text, e.text);
        imported_release(&i);
    }
    unlink(path);
}

/* NVIDIA may change the first bytes of such files, so the name is enough to recognize them. */
static void an_unknown_report_is_known_by_its_name(void **state)
{
    const char *path = scratch_path("strange.nsys-rep");
    struct imported i;

    (void)state;
    write_bytes(path, "NVTX\0\1\2\3", 8);
    import_path(&i, path, NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_UNSUPPORTED, "only nsys itself can read");
    assert_non_null(strstr(i.e.hint, "nsys export --type sqlite"));
    imported_release(&i);
    unlink(path);
}

static void missing_files_and_devices_are_said(void **state)
{
    struct imported i;

    (void)state;
    import_path(&i, scratch_path("not-there"), NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_NOT_FOUND, "cannot read");
    imported_release(&i);
    import_path(&i, "/dev/zero", NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "neither a file nor a folder");
    imported_release(&i);
}

static void messages_call_the_file_as_they_are_reported(void **state)
{
    const struct ingest_options options = {.display_name = "upload.bin"};
    static const char *const contents[] = {"hello, world", "-kernel name = k\n", "\x1f\x8b\x08",
                                           "{\"traceEvents\": [", ""};
    const char *path = scratch_path("secret-place");

    (void)state;
    for (size_t k = 0; k < sizeof contents / sizeof *contents; k++) {
        struct imported i;

        write_bytes(path, contents[k], strlen(contents[k]));
        import_path(&i, path, &options);
        assert_int_equal(i.ret, -1);
        if (!strstr(i.e.text, "upload.bin") || strstr(i.e.text, "secret-place"))
            fail_msg("case %zu: %s", k, i.e.text);
        imported_release(&i);
    }
    unlink(path);
}

static void the_report_is_json(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct imported i;
    json_error_t why;
    json_t *j;

    (void)state;
    import_text(&i, "[{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a\\\"\\\\\", \"ts\": 5, \"dur\": 3},"
                    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"b\\n\\\"\", \"ts\": 5}]");
    CHECK_OK(i.ret, &i.e);
    import_report_to_json(&i.report, &b);
    j = json_loadb(b.text, b.length, 0, &why);
    if (!j)
        fail_msg("%s: %s", why.text, b.text);
    assert_string_equal(json_string_value(json_object_get(j, "format")), "kineto");
    assert_int_equal(json_integer_value(json_object_get(j, "launches")), 1);
    assert_int_equal(json_integer_value(json_object_get(j, "kernels")), 1);
    assert_int_equal(json_integer_value(json_object_get(j, "total_ns")), 3000);
    assert_true(json_is_null(json_object_get(j, "total_warp_instructions")));
    assert_int_equal(json_integer_value(json_object_get(j, "dropped")), 1);
    assert_int_equal(json_array_size(json_object_get(j, "dropped_reasons")), 1);
    assert_true(json_array_size(json_object_get(j, "warnings")) >= 2);
    json_decref(j);
    strbuf_release(&b);
    imported_release(&i);
}

static void count_calls(void *ctx, uint64_t bytes_in, uint64_t rows)
{
    uint64_t *calls = ctx;

    (void)rows;
    *calls += bytes_in > 0;
}

static void progress_is_reported(void **state)
{
    struct imported i;
    uint64_t calls = 0;

    (void)state;
    import_path(&i, shared_data("kineto/resnet50-v100.json.gz"),
                &(struct ingest_options){.progress = count_calls, .progress_ctx = &calls});
    CHECK_OK(i.ret, &i.e);
    assert_true(calls >= 1);
    imported_release(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strangers_are_named),
        cmocka_unit_test(an_unknown_report_is_known_by_its_name),
        cmocka_unit_test(missing_files_and_devices_are_said),
        cmocka_unit_test(messages_call_the_file_as_they_are_reported),
        cmocka_unit_test(the_report_is_json),
        cmocka_unit_test(progress_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
