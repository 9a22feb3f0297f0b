/* XLA's profile (*.xplane.pb), made here from the field numbers of xplane.proto. */
#include "tests/unit/ingest/inputs.h"

#include "base/strbuf.h"

static void put_varint(struct strbuf *b, uint64_t v)
{
    while (v >= 0x80) {
        strbuf_addc(b, (char)(v | 0x80));
        v >>= 7;
    }
    strbuf_addc(b, (char)v);
}

static void put_number(struct strbuf *b, unsigned field, uint64_t v)
{
    put_varint(b, field << 3);
    put_varint(b, v);
}

static void put_bytes(struct strbuf *b, unsigned field, const char *bytes, size_t n)
{
    put_varint(b, field << 3 | 2);
    put_varint(b, n);
    strbuf_add(b, bytes, n);
}

static void put_text(struct strbuf *b, unsigned field, const char *text)
{
    put_bytes(b, field, text, strlen(text));
}

/* Moves a finished message into another one. */
static void put_message(struct strbuf *b, unsigned field, struct strbuf *message)
{
    put_bytes(b, field, message->text, message->length);
    strbuf_release(message);
    *message = (struct strbuf)STRBUF_INIT;
}

/* An entry of a plane's table: field 4 events, 5 stats. */
static void put_name(struct strbuf *plane, unsigned field, uint64_t id, const char *name)
{
    struct strbuf entry = STRBUF_INIT, value = STRBUF_INIT;

    put_number(&value, 1, id);
    put_text(&value, 2, name);
    put_number(&entry, 1, id);
    put_message(&entry, 2, &value);
    put_message(plane, field, &entry);
}

enum stat_id { DETAILS = 7, COPY = 8, CONTEXT = 9, CORRELATION = 10, SHARED_TEXT = 11, FILL = 12 };

static void put_stat(struct strbuf *event, enum stat_id id, const char *text, uint64_t number, uint64_t reference)
{
    struct strbuf s = STRBUF_INIT;

    put_number(&s, 1, id);
    if (text)
        put_text(&s, 5, text);
    else if (reference)
        put_number(&s, 7, reference);
    else
        put_number(&s, 3, number);
    put_message(event, 4, &s);
}

static void put_event(struct strbuf *line, uint64_t name, uint64_t offset_ps, uint64_t duration_ps,
                      struct strbuf *stats)
{
    struct strbuf v = STRBUF_INIT;

    put_number(&v, 1, name);
    put_number(&v, 2, offset_ps);
    put_number(&v, 3, duration_ps);
    strbuf_add(&v, stats->text, stats->length);
    strbuf_release(stats);
    *stats = (struct strbuf)STRBUF_INIT;
    put_message(line, 4, &v);
}

static void begin_line(struct strbuf *line, uint64_t id, const char *name)
{
    put_number(line, 1, id);
    put_text(line, 2, name);
    put_number(line, 3, 1000000);
}

static void put_kernels(struct strbuf *plane)
{
    struct strbuf line = STRBUF_INIT, stats = STRBUF_INIT;

    begin_line(&line, 14, "Stream #14(Compute)");
    put_stat(&stats, DETAILS, "regs:56 static_shared:16 dynamic_shared:36864 grid:1940,2,1 block:128,1,1", 0, 0);
    put_stat(&stats, CONTEXT, "$$3", 0, 0);
    put_stat(&stats, CORRELATION, NULL, 51, 0);
    put_event(&line, 1, 10500, 2304600, &stats);
    put_stat(&stats, DETAILS, NULL, 0, SHARED_TEXT);
    put_stat(&stats, CORRELATION, NULL, 52, 0);
    put_event(&line, 2, 5000000, 1500, &stats);
    put_stat(&stats, DETAILS, "regs:many", 0, 0);
    put_event(&line, 2, 6000000, 1500, &stats);
    put_stat(&stats, COPY, "size:4", 0, 0);
    put_event(&line, 3, 7000000, 1500, &stats);
    put_stat(&stats, FILL, "size:4", 0, 0);
    put_event(&line, 3, 7200000, 1500, &stats);
    put_event(&line, 3, 7500000, 1500, &stats); /* without stats: no kernel */
    put_message(plane, 3, &line);
    begin_line(&line, 900, "XLA Ops"); /* repeats the kernels */
    put_stat(&stats, DETAILS, "regs:56 grid:1,1,1 block:1,1,1", 0, 0);
    put_event(&line, 1, 10500, 2304600, &stats);
    put_message(plane, 3, &line);
    put_name(plane, 4, 1, "gemm_fusion_dot_234");
    put_name(plane, 4, 2, "loop_add_fusion");
    put_name(plane, 4, 3, "MemcpyH2D");
    put_name(plane, 5, DETAILS, "kernel_details");
    put_name(plane, 5, COPY, "memcpy_details");
    put_name(plane, 5, FILL, "memset_details");
    put_name(plane, 5, CONTEXT, "context_id");
    put_name(plane, 5, CORRELATION, "correlation_id");
    put_name(plane, 5, SHARED_TEXT, "regs:16 grid:4,1,1 block:256,1,1");
}

static void put_planes(struct strbuf *file)
{
    struct strbuf plane = STRBUF_INIT;

    put_number(&plane, 1, 1);
    put_text(&plane, 2, "/host:CPU");
    put_message(file, 1, &plane);
    put_text(&plane, 2, "/device:GPU:1");
    put_kernels(&plane);
    put_message(file, 1, &plane);
}

static void import_bytes(struct imported *i, const struct strbuf *b, size_t n)
{
    const char *path = scratch_path("xplane");

    write_bytes(path, b->text, n);
    import_path(i, path, NULL);
    unlink(path);
}

static void reads_kernels_of_streams(void **state)
{
    struct strbuf file = STRBUF_INIT;
    struct imported i;

    (void)state;
    put_planes(&file);
    import_bytes(&i, &file, file.length);
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "jax-xplane");
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(count_of(&i.report.ignored, "memory_operation"), 2);
    assert_int_equal(count_of(&i.report.dropped, "bad_number"), 1);
    assert_int_equal(i.report.bytes_read, file.length);
    for (size_t c = 0; c < i.profile.context_count; c++)
        assert_int_equal(i.profile.contexts[c].device, 1);
    assert_int_equal(i.report.contexts, 2); /* 3, and 0 where the event does not say */
    for (size_t k = 0; k < 2; k++) {
        const struct profile_kernel *kernel = &i.profile.kernels[k];
        bool gemm = strcmp(kernel->name, "gemm_fusion_dot_234") == 0;

        assert_string_equal(kernel->name, gemm ? "gemm_fusion_dot_234" : "loop_add_fusion");
        assert_int_equal(kernel->registers, gemm ? 56 : 16);
        assert_int_equal(kernel->shared_bytes, gemm ? 36880 : 0);
        assert_int_equal(kernel->grid[0], gemm ? 1940 : 4);
        assert_int_equal(kernel->block[0], gemm ? 128 : 256);
    }
    assert_int_equal(i.report.total, 2305 + 2); /* 2304.6 and 1.5 ns, rounded */
    imported_release(&i);
    strbuf_release(&file);
}

/* Its first byte is that of a plane. */
static void an_empty_line_before_a_text_is_no_plane(void **state)
{
    static const char text[] =
        "\n{\"traceEvents\":[{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"/"
        "device:GPU:0\"}},"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":14,\"ts\":10,\"dur\":2,\"name\":\"fusion\",\"args\":{\"kernel_details\":"
        "\"regs:16 grid:1,1,1 block:32,1,1\"}}]}";
    const char *path = scratch_path("xplane");
    struct imported i;

    (void)state;
    write_bytes(path, text, sizeof text - 1);
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "jax-trace");
    imported_release(&i);
    unlink(path);
}

/* A map's entry has two bytes in the file, and more in memory. */
static void limits_the_tables_of_names(void **state)
{
    struct strbuf file = STRBUF_INIT, plane = STRBUF_INIT;
    const char *path = scratch_path("xplane");
    struct imported i;

    (void)state;
    put_number(&plane, 1, 1);
    put_text(&plane, 2, "/device:GPU:0");
    for (int k = 0; k < 1000; k++)
        put_text(&plane, 4, "");
    put_message(&file, 1, &plane);
    write_bytes(path, file.text, file.length);
    import_path(&i, path, &(struct ingest_options){.most_memory_bytes = 10000});
    CHECK_FAILS(i.ret, &i.e, ERR_TOO_LARGE, "its tables of names take more than 10000 bytes");
    imported_release(&i);
    unlink(path);
    strbuf_release(&file);
}

/* A stat without an id is none of those that the plane does not have: here, the details of a copy. */
static void a_stat_without_an_id_has_no_meaning(void **state)
{
    struct strbuf file = STRBUF_INIT, plane = STRBUF_INIT, line = STRBUF_INIT, stats = STRBUF_INIT;
    struct imported i;

    (void)state;
    put_number(&plane, 1, 1);
    put_text(&plane, 2, "/device:GPU:0");
    begin_line(&line, 14, "Stream #14(Compute)");
    put_stat(&stats, DETAILS, "regs:56 grid:1,1,1 block:1,1,1", 0, 0);
    put_text(&stats, 4, "");
    put_stat(&stats, (enum stat_id) - 1, NULL, 1, 0);
    put_event(&line, 1, 0, 1000, &stats);
    put_message(&plane, 3, &line);
    put_name(&plane, 4, 1, "kernel");
    put_name(&plane, 5, DETAILS, "kernel_details");
    put_message(&file, 1, &plane);
    import_bytes(&i, &file, file.length);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 1);
    imported_release(&i);
    strbuf_release(&file);
}

/* Every shorter file is refused, or is read as what it has; none is read beyond its end. */
static void a_cut_file_is_refused(void **state)
{
    struct strbuf file = STRBUF_INIT;

    (void)state;
    put_planes(&file);
    for (size_t n = 1; n < file.length; n++) {
        struct imported i;

        import_bytes(&i, &file, n);
        assert_int_equal(i.ret, -1);
        imported_release(&i);
    }
    strbuf_release(&file);
}

static void refuses_a_profile_without_kernels(void **state)
{
    struct strbuf file = STRBUF_INIT, plane = STRBUF_INIT;
    struct imported i;

    (void)state;
    put_number(&plane, 1, 1);
    put_text(&plane, 2, "/host:CPU");
    put_message(&file, 1, &plane);
    import_bytes(&i, &file, file.length);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "no GPU kernels in this profile");
    imported_release(&i);
    strbuf_addc(&file, '\x0a');
    strbuf_addc(&file, '\x7f');
    import_bytes(&i, &file, file.length);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "a damaged profile of XLA");
    imported_release(&i);
    strbuf_release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_kernels_of_streams),   cmocka_unit_test(an_empty_line_before_a_text_is_no_plane),
        cmocka_unit_test(limits_the_tables_of_names), cmocka_unit_test(a_stat_without_an_id_has_no_meaning),
        cmocka_unit_test(a_cut_file_is_refused),      cmocka_unit_test(refuses_a_profile_without_kernels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
