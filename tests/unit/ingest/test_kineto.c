#include "tests/unit/ingest/inputs.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <zlib.h>

#include "base/strbuf.h"

#define HEAD                                                                                                       \
    "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"Tesla V100\"}, {\"id\": 1, \"name\": "  \
    "\"A100\"}],\n"
#define KERNEL(name, ts, dur, args)                                                                                \
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" name "\", \"pid\": 0, \"tid\": 7, \"ts\": " ts             \
    ", \"dur\": " dur ", \"args\": {" args "}}"
#define ARGS                                                                                                       \
    "\"External id\": 5, \"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": 10, "                      \
    "\"registers per thread\": 47, \"shared memory\": 1024, \"grid\": [864, 2, 1], \"block\": [256, 1, 1], "       \
    "\"est. achieved occupancy %\": 63"

static void reads_events_exactly(void **state)
{
    struct imported i;

    (void)state;
    import_text(
        &i,
        HEAD "\"traceEvents\": ["
             "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"ts\": 1, \"dur\": 2, \"args\": "
             "{\"grid\": [9, 9, 9]}}," KERNEL(
                 "gemm<float, 4>(int)", "1712195495505582.988", "4.928",
                 ARGS) ","
                       "{\"args\": {\"correlation\": 9, \"grid\": [1,1,1], \"block\": [32,1,1], \"stream\": 8, "
                       "\"context\": 1, \"device\": 0},"
                       " \"dur\": 71, \"ts\": 1712195495505583, \"name\": \"k\\u00e9\\\"\", \"cat\": \"Kernel\", "
                       "\"ph\": \"X\"},"
                       "{\"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"name\": \"Memcpy HtoD\", \"ts\": 1, \"dur\": 2}"
                       "], \"traceName\": \"/home/secret/trace.json\"}");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "kineto");
    assert_string_equal(i.profile.gpu_name, "Tesla V100");
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(count_of(&i.report.ignored, "memory_operation"), 1);
    assert_string_equal(i.profile.kernels[0].name, "k\xc3\xa9\""); /* correlation 9 was launched first */
    assert_int_equal(i.profile.value[0], 71000);
    assert_int_equal(i.profile.value[1], 4928);
    assert_int_equal(i.profile.start_ns[0], 12);
    assert_int_equal(i.profile.start_ns[1], 0);
    assert_int_equal(i.profile.kernels[1].grid[1], 2);
    assert_int_equal(i.profile.kernels[1].registers, 47);
    assert_int_equal(i.profile.kernels[1].shared_bytes, 1024);
    assert_int_equal(i.report.streams, 2);
    assert_int_equal(i.report.warnings.count, 0);
    imported_release(&i);
}

/* Known faults of PyTorch's profiler are repaired and counted. Other invalid JSON is refused. */
static void broken_json_is_repaired_and_counted(void **state)
{
    struct imported i;

    (void)state;
    import_text(
        &i,
        HEAD "\"traceEvents\": [" KERNEL(
            "k", "1", "2",
            ARGS ", \"est. occupancy\": NaN, \"blocks\": inf") ","
                                                               "{\"ph\": \"i\", \"name\": \"C:\\Users\\me\", "
                                                               "\"args\": {\"s\": \"a\nb\"}},"
                                                               "{\"ph\": \"i\", \"name\": \"a \"quoted\" "
                                                               "name\"}," KERNEL("m", "5", "NaN", ARGS) "," KERNEL(
                                                                   "l", "9", "3", ARGS) "]}");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(i.report.dropped_count, 1); /* a kernel without a duration */
    assert_int_equal(count_of(&i.report.warnings, "repaired_json"), 3 + 1 + 2 + 2);
    assert_string_equal(i.profile.gpu_name, "Tesla V100");
    imported_release(&i);
    import_text(&i, "[" KERNEL("f(\"a\", \"b\")", "1", "2", ARGS) "]"); /* several readings */
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "not valid JSON near byte");
    imported_release(&i);
    import_text(&i, "[" KERNEL("k", "1", "2", ARGS) ", {\"a\": nonsense}]");
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "not valid JSON near byte");
    assert_non_null(strstr(i.e.hint, "another error"));
    imported_release(&i);
}

static void a_byte_order_mark_is_passed_over(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, "\xef\xbb\xbf[" KERNEL("k", "1", "2", ARGS) "]");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 1);
    imported_release(&i);
}

static void missing_arguments_are_warned_about(void **state)
{
    struct imported i;

    (void)state;
    /* ROCm: neither grid nor block; 2021: only tid has the stream; Chrome's bare list of events */
    import_text(
        &i,
        "[{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a\", \"pid\": 2, \"tid\": \"stream 20\", \"ts\": 5, "
        "\"dur\": 3},"
        "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"b\", \"ts\": 9, \"dur\": 0, \"args\": {\"grid\": [1, 2], "
        "\"block\": [1, 2, 3, 4], \"device\": 2}}]");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(count_of(&i.report.warnings, "no_shape"), 2);
    assert_int_equal(count_of(&i.report.warnings, "no_correlation"), 2);
    assert_int_equal(count_of(&i.report.warnings, "no_stream"), 1);
    assert_int_equal(i.report.zero_duration, 1);
    assert_int_equal(i.profile.contexts[0].device, 2);
    assert_int_equal(i.report.devices, 1);
    imported_release(&i);
}

static void odd_events_are_dropped_and_reported(void **state)
{
    struct imported i;

    (void)state;
    import_text(
        &i,
        HEAD "\"traceEvents\": [" KERNEL("good", "1", "2", ARGS) "," KERNEL("neg", "1", "-2", ARGS) "," KERNEL(
            "big", "1e30", "2",
            ARGS) "," KERNEL("", "1", "2",
                             ARGS) "," KERNEL("grid", "1", "2",
                                              "\"grid\": [0, 1, 1], \"block\": [1, 1, "
                                              "1]") "," KERNEL("reg", "1", "2",
                                                               "\"registers per "
                                                               "thread\": "
                                                               "1.0e99") "," KERNEL("neg"
                                                                                    " i"
                                                                                    "d",
                                                                                    "1", "2",
                                                                                    "\"c"
                                                                                    "orr"
                                                                                    "el"
                                                                                    "ati"
                                                                                    "on"
                                                                                    "\":"
                                                                                    " -"
                                                                                    "1") ","
                                                                                         "{"
                                                                                         "\"ph\": \"X\", \"cat\": "
                                                                                         "\"kernel\", \"name\": "
                                                                                         "\"no dur\", \"ts\": 1},"
                                                                                         "{"
                                                                                         "\"ph\": \"B\", \"cat\": "
                                                                                         "\"kernel\", \"name\": "
                                                                                         "\"begin\", \"ts\": 1, "
                                                                                         "\"dur\": 1},"
                                                                                         "{"
                                                                                         "\"ph\": \"X\", \"cat\": "
                                                                                         "\"kernel\", \"name\": "
                                                                                         "\"no ts\", \"dur\": 1},"
                                                                                         "{"
                                                                                         "\"ph\": \"X\", \"cat\": "
                                                                                         "\"kernel\", \"name\": "
                                                                                         "null, \"ts\": 1, "
                                                                                         "\"dur\": 1}]}");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 1);
    assert_int_equal(i.report.dropped_count, 10);
    assert_int_equal(count_of(&i.report.dropped, "negative_duration"), 1);
    assert_int_equal(count_of(&i.report.dropped, "time_range"), 1);
    assert_int_equal(count_of(&i.report.dropped, "unknown_name"), 2);
    assert_int_equal(count_of(&i.report.dropped, "bad_shape"), 1);
    assert_int_equal(count_of(&i.report.dropped, "bad_number"), 2);
    assert_int_equal(count_of(&i.report.dropped, "no_end_time"), 2);
    assert_int_equal(count_of(&i.report.dropped, "no_start_time"), 1);
    assert_string_equal(note_of(&i.report.dropped, "no_start_time")->examples[0], "event 10: no ts");
    imported_release(&i);
}

static void a_name_that_is_a_script_stays_text(void **state)
{
    struct strbuf json = STRBUF_INIT;
    struct imported i;

    (void)state;
    import_text(&i,
                HEAD "\"traceEvents\": [" KERNEL("<img src=x onerror=alert(1)>\\u001b[2J'); DROP TABLE kernel; --",
                                                 "1", "2", ARGS) "," KERNEL("\\\"}]}", "1", "-2", ARGS) "]}");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.kernels[0].name, "<img src=x onerror=alert(1)>?[2J'); DROP TABLE kernel; --");
    import_report_to_json(&i.report, &json);
    assert_non_null(strstr(json.text, "\"event 2: \\\"}]}\""));
    strbuf_release(&json);
    imported_release(&i);
}

static void refused(const char *text, enum err_code code, const char *part)
{
    struct imported i;

    import_text(&i, text);
    CHECK_FAILS(i.ret, &i.e, code, part);
    assert_int_equal(i.profile.count, 0);
    imported_release(&i);
}

static void refuses_with_the_reason(void **state)
{
    (void)state;
    refused(HEAD "\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"ts\": 1, \"dur\": 2}]}",
            ERR_INVALID, "no GPU kernels in this trace: none of its 1 events");
    refused(HEAD "\"traceEvents\": [" KERNEL("k", "1", "2", ARGS) ",", ERR_INVALID, "ends in the middle");
    refused(HEAD "\"traceEvents\": [" KERNEL("k", "1", "2", ARGS) "}", ERR_INVALID, "not valid JSON near byte");
    refused(HEAD "\"traceEvents\": []} trailing", ERR_INVALID, "not valid JSON near byte");
    refused("{\"traceEvents\": 5}", ERR_INVALID, "no GPU kernels in this trace");
    refused("{\"plan\": 5}", ERR_UNSUPPORTED, "neither a trace of PyTorch's");
}

#define GPU(pid, number)                                                                                           \
    "{\"ph\":\"M\",\"pid\":" #pid ",\"name\":\"process_name\",\"args\":{\"name\":\"/device:GPU:" #number "\"}}"
#define JAX_KERNEL(pid, ts, name, details)                                                                         \
    "{\"ph\":\"X\",\"pid\":" #pid ",\"tid\":14,\"ts\":" #ts ",\"dur\":2.304,\"name\":\"" name                      \
    "\",\"args\":{\"context_id\":\"$$1\",\"correlation_id\":\"51\",\"kernel_details\":\"" details "\"}}"

#define JAX_HOST "{\"ph\":\"M\",\"pid\":701,\"name\":\"process_name\",\"args\":{\"name\":\"/host:CPU\"}}"
#define JAX_CALL "{\"ph\":\"X\",\"pid\":701,\"tid\":1,\"ts\":1,\"dur\":50,\"name\":\"PjitFunction(f)\"}"
#define JAX_COPY                                                                                                   \
    "{\"ph\":\"X\",\"pid\":1,\"tid\":15,\"ts\":30.5,\"dur\":1.5,\"name\":\"MemcpyH2D\",\"args\":{"                 \
    "\"memcpy_details\":\"size:4\"}}"
#define JAX_GEMM "regs:56 static_shared:16 dynamic_shared:36864 grid:1940,2,1 block:128,1,1 occ_pct:16.6667"

static void reads_a_trace_of_jax(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct imported i;

    (void)state;
    strbuf_adds(&b, "{\"traceEvents\":[" GPU(1, 0) "," GPU(2, 1) "," JAX_HOST ",");
    strbuf_adds(&b, JAX_KERNEL(1, 10.5, "gemm_fusion_dot_234", JAX_GEMM) ",");
    strbuf_adds(&b, JAX_KERNEL(2, 20.5, "loop_add_fusion", "regs:16 occ_pct:100") ",");
    strbuf_adds(&b, JAX_KERNEL(1, 30.5, "bad", "regs:many") "," JAX_COPY "," JAX_CALL ",{}]}");
    import_text(&i, b.text);
    strbuf_release(&b);
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "jax-trace");
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(i.report.devices, 2); /* by the names of the processes, not by their numbers */
    assert_int_equal(i.profile.contexts[0].device, 0);
    assert_int_equal(count_of(&i.report.ignored, "memory_operation"), 1);
    assert_int_equal(count_of(&i.report.dropped, "bad_number"), 1);
    assert_int_equal(count_of(&i.report.warnings, "no_shape"), 1);
    assert_int_equal(i.profile.value[0], 2304);
    assert_int_equal(i.profile.kernels[0].registers, 56);
    assert_int_equal(i.profile.kernels[0].shared_bytes, 36880);
    assert_int_equal(i.profile.kernels[0].grid[0], 1940);
    assert_int_equal(i.profile.kernels[0].grid[1], 2);
    assert_int_equal(i.profile.kernels[0].block[0], 128);
    imported_release(&i);
    refused("{\"traceEvents\":[" GPU(1, 0) "]}", ERR_INVALID, "none of its 1 events has kernel_details");
}

static void a_launch_list_is_known_by_its_name_and_what_makes_its_profile(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i, "{\"format\": \"vivace-launch-list\", \"version\": 1, \"steps\": []}");
    CHECK_FAILS(i.ret, &i.e, ERR_UNSUPPORTED, "this is a launch list");
    assert_non_null(strstr(i.e.hint, "vivace ptx run LIST --profile p.csv"));
    imported_release(&i);
}

static void deep_nesting_is_one_sentence(void **state)
{
    struct strbuf b = STRBUF_INIT;

    (void)state;
    strbuf_adds(&b, "{\"traceEvents\": ");
    for (int k = 0; k < 1000000; k++)
        strbuf_addc(&b, '[');
    refused(b.text, ERR_INVALID, "nested more than 200 levels deep");
    strbuf_clear(&b);
    strbuf_adds(&b, "{\"traceEvents\": [{\"args\": ");
    for (int k = 0; k < 1000000; k++)
        strbuf_adds(&b, "{\"a\":");
    refused(b.text, ERR_INVALID, "nested more than 200 levels deep");
    strbuf_release(&b);
}

/* A gzip file with `before`, then `count` times `piece`, then `after`. */
static const char *gzip_of(const char *name, const char *before, const char *piece, size_t count, const char *after)
{
    const char *path = scratch_path(name);
    gzFile f = gzopen(path, "wb1");

    assert_non_null(f);
    gzputs(f, before);
    for (size_t k = 0; k < count; k++)
        gzputs(f, piece);
    gzputs(f, after);
    assert_int_equal(gzclose(f), Z_OK);
    return path;
}

static void gzip_reads_the_same_and_damage_is_said(void **state)
{
    const char *path = gzip_of("gz", HEAD "\"traceEvents\": [" KERNEL("k", "1", "2", ARGS),
                               "," KERNEL("k", "1", "2", ARGS), 999, "]}");
    struct imported i;
    struct stat st;

    (void)state;
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 1000);
    assert_int_equal(i.report.total, 2000000);
    assert_int_equal(count_of(&i.report.warnings, "coarse_clock"), 1000);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(i.report.bytes_read, st.st_size);
    imported_release(&i);
    assert_int_equal(truncate(path, st.st_size / 2), 0);
    import_path(&i, path, NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "ends in the middle of its gzip data");
    imported_release(&i);
    unlink(path);
}

/* One gigabyte without a line end inside one string (a megabyte on disk), in a process limited to 200 MB. */
static void a_line_of_a_gigabyte_is_one_sentence(void **state)
{
    static char piece[(1 << 20) + 1];
    const char *path;
    struct imported i;
    int status;
    pid_t child;

    (void)state;
    memset(piece, 'x', sizeof piece - 1);
    path = gzip_of("line", HEAD "\"traceEvents\": [{\"ph\": \"X\", \"name\": \"", piece, 1024, "\"}]}");
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rusage use;

        import_path(&i, path, NULL);
        getrusage(RUSAGE_SELF, &use);
        if (i.ret >= 0 || i.e.code != ERR_INVALID || !strstr(i.e.text, "a single value of more than 16 MiB"))
            _exit(1);
#ifndef __SANITIZE_ADDRESS__
        if (use.ru_maxrss > 200 << 10)
            _exit(2);
#endif
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    unlink(path);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void real_resnet50(void **state)
{
    struct imported i;

    (void)state;
    import_path(&i, shared_data("kineto/resnet50-v100.json.gz"), NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 8772);
    assert_int_equal(i.report.kernels, 67);
    assert_int_equal(i.report.zero_duration, 636);
    assert_int_equal(i.report.dropped_count, 0);
    assert_string_equal(i.report.gpu_name, "Tesla V100-DGXS-32GB");
    imported_release(&i);
}

static void real_train_and_alexnet(void **state)
{
    struct imported i;

    (void)state;
    import_path(&i, shared_data("kineto/train-v100-ns.json.gz"), NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 4350);
    assert_int_equal(i.report.kernels, 77);
    assert_int_equal(i.report.dropped_count, 0);
    assert_null(note_of(&i.report.warnings, "coarse_clock"));
    imported_release(&i);
    import_path(&i, shared_data("kineto/alexnet-a100.json.gz"), NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 79);
    imported_release(&i);
    import_path(&i, shared_data("kineto/no-kernels.json.gz"), NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "no GPU kernels in this trace");
    imported_release(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_events_exactly),
        cmocka_unit_test(broken_json_is_repaired_and_counted),
        cmocka_unit_test(a_byte_order_mark_is_passed_over),
        cmocka_unit_test(missing_arguments_are_warned_about),
        cmocka_unit_test(odd_events_are_dropped_and_reported),
        cmocka_unit_test(a_name_that_is_a_script_stays_text),
        cmocka_unit_test(refuses_with_the_reason),
        cmocka_unit_test(reads_a_trace_of_jax),
        cmocka_unit_test(a_launch_list_is_known_by_its_name_and_what_makes_its_profile),
        cmocka_unit_test(deep_nesting_is_one_sentence),
        cmocka_unit_test(gzip_reads_the_same_and_damage_is_said),
        cmocka_unit_test(a_line_of_a_gigabyte_is_one_sentence),
        cmocka_unit_test(real_resnet50),
        cmocka_unit_test(real_train_and_alexnet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
