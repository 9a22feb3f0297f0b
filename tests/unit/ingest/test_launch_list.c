/* Lists of launches: the format of each tool, damaged and hostile lists, and the comparison with a profile. */
#include "tests/harness/check.h"

#include <inttypes.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "ingest/ingest.h"
#include "ingest/launch_check.h"

/* Writes "group|name|grid|block|order" for each launch, one per line. */
static int tell(void *ctx, const struct listed_launch *l, struct err *e)
{
    struct strbuf *b = ctx;

    (void)e;
    strbuf_addf(b, "%s|%s|", l->group, l->name);
    if (l->has_shape)
        strbuf_addf(b, "%u,%u,%u|%u,%u,%u", l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                    l->block[2]);
    if (l->has_order)
        strbuf_addf(b, "|%llu", (unsigned long long)l->order);
    if (l->has_context)
        strbuf_addf(b, "@%llu", (unsigned long long)l->context);
    strbuf_addc(b, '\n');
    return 0;
}

static int walk(const char *text, const char **format, struct strbuf *out, struct err *e)
{
    struct stream *s;
    int ret;

    CHECK_OK(stream_open_bytes(text, strlen(text), "list", &s, e), e);
    ret = launch_list_walk_stream(s, "", tell, out, format, e);
    stream_close(s);
    return ret;
}

static void reads(const char *text, const char *format, const char *launches)
{
    struct strbuf out = STRBUF_INIT;
    const char *found;
    struct err e;

    CHECK_OK(walk(text, &found, &out, &e), &e);
    assert_string_equal(found, format);
    assert_string_equal(out.text, launches);
    strbuf_release(&out);
}

static void refuses(const char *text, enum err_code code, const char *part)
{
    struct strbuf out = STRBUF_INIT;
    const char *found;
    struct err e;

    CHECK_FAILS(walk(text, &found, &out, &e), &e, code, part);
    strbuf_release(&out);
}

#define STATS                                                                                                      \
    "kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, block_dimX, block_dimY, "           \
    "block_dimZ, "                                                                                                 \
    "#threads, total_insts, total_reported_insts\n"

static void accel_sim_stats(void **state)
{
    (void)state;
    reads(STATS "kernel-1.trace, _Z1fv, 16, 1, 10, 160, 128, 2, 1, 256, 74,74\n", "accel-sim",
          "|_Z1fv|16,1,10|128,2,1\n");
    /* newer files without their header and with a time; the last line is truncated where the program ended */
    reads("kernel-1-ctx_0x5.trace.xz, _Z1fv, 1, 1, 1, 1, 32, 1, 1, 32, 74,74, 0.25\n"
          "kernel-2-ctx_0x5.trace.xz, _Z1gv, 2, 1, 1, 2, 32, 1, 1, 32, ",
          "accel-sim", "|_Z1fv|1,1,1|32,1,1\n|_Z1gv|2,1,1|32,1,1\n");
    /* names with commas and numbers: the products show where the numbers begin */
    reads(STATS "kernel-1.trace, void f<1, 2, 3, 6>(int, long), 3, 1, 1, 3, 32, 1, 1, 32, 74,74\n", "accel-sim",
          "|void f<1, 2, 3, 6>(int, long)|3,1,1|32,1,1\n");
    /* 2^17 x 2^16 blocks: the tracer uses 32-bit numbers */
    reads(STATS "kernel-1.trace, f, 131072, 65536, 1, 0, 32, 1, 1, 32, 1,1\n", "accel-sim",
          "|f|131072,65536,1|32,1,1\n");
    reads(STATS, "accel-sim", "");
    refuses(STATS "kernel-1.trace, _Z1fv, 16, 1, 10, 161, 128, 2, 1, 256, 74,74\n", ERR_INVALID, "line 2");
    refuses(STATS "kernel-1.trace, _Z1fv, 16, 1\n", ERR_INVALID, "line 2");
    refuses(STATS "kernel-1.trace, _Z1fv, -1, 1, 1, -1, 128, 2, 1, 256, 74,74\n", ERR_INVALID, "line 2");
    refuses(STATS "kernel-1.trace, f, 99999999999999999999999, 1, 1, 7, 1, 1, 1, 1, 1,1\n", ERR_INVALID, "line 2");
}

static void ncu_csv(void **state)
{
    (void)state;
    reads("==PROF== Connected to process 12, \"quoted\"\nwarming up\n"
          "\"ID\",\"Process ID\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Metric "
          "Name\"\n"
          "\"0\",\"12\",\"f(int, \"\"x\"\")\",\"1\",\"7\",\"(32, 1, 1)\",\"(4, 5, 6)\",\"a\"\n"
          "\"0\",\"12\",\"f(int, \"\"x\"\")\",\"1\",\"7\",\"(32, 1, 1)\",\"(4, 5, 6)\",\"b\"\n"
          "\"0\",\"13\",\"g\",\"2\",\"7\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"a\"\n"
          "\"1\",\"12\",\"g\",\"1\",\"7\",\"(1,1,1)\",\"(2,1,1)\",\"a\"\n",
          "ncu",
          "process 12, context 1|f(int, \"x\")|4,5,6|32,1,1\nprocess 13, context 2|g|1,1,1|1,1,1\n"
          "process 12, context 1|g|2,1,1|1,1,1\n");
    /* the raw page has a row of units under the header; older pages have no shape */
    reads("\"ID\",\"Process ID\",\"Kernel "
          "Name\",\"Context\",\"x\"\n\"\",\"\",\"\",\"\",\"ns\"\n\"0\",\"1\",\"f\",\"1\",\"3\"\n",
          "ncu", "process 1, context 1|f|\n");
    refuses("\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\"\n0,1,f,128,many\n", ERR_INVALID,
            "line 2");
}

static void macsim_names(void **state)
{
    (void)state;
    reads("Kernel0 name: void f<1, 2>(int, char*)\n  Grid size: (2, 3, 4), Block size: (64, 1, 1), "
          "maxBlockPerCore: 8, # "
          "of regs: 16\nKernel1 name: g\n  Grid size: (1, 1, 1), Block size: (32, 1, 1), x\n",
          "macsim", "|void f<1, 2>(int, char*)|2,3,4|64,1,1\n|g|1,1,1|32,1,1\n");
    refuses("Kernel0 name: f\n", ERR_INVALID, "grid and block");
    refuses("Kernel0 name: f\n  Block size: (1, 1, 1), Grid size: (1, 1, 1)\n", ERR_INVALID, "grid and block");
    refuses("Kernel0 name: f\n  Grid size: (1, 1, 1), Block size: (1, 1, 1)\nKernel2 name: g\n", ERR_INVALID,
            "not numbered");
}

static void other_tables(void **state)
{
    (void)state;
    reads("launch,launch_order,context_index,kernel,mangled_name,grid,block\r\n12,3,1,\"f(int, "
          "int)\",_Z1fii,2x1x1,32x1x1"
          "\r\n13,4,1,g,,1x1x1,32x1x1\r\n",
          "csv", "|_Z1fii|2,1,1|32,1,1|3@1\n|g|1,1,1|32,1,1|4@1\n");
    reads("name,grid,block\nf,1 2 3,4 5 6\n", "csv", "|f|1,2,3|4,5,6\n");
    refuses("name,grid,block\n,1x1x1,1x1x1\n", ERR_INVALID, "name is missing");
    refuses("name,grid,block,launch_order\nf,1x1x1,1x1x1,-1\n", ERR_INVALID, "launch_order");
    refuses("name,grid,block,launch_order\nf,1x1x1,1x1x1,1\nf,1x1x1,1x1x1,\n", ERR_INVALID, "in some rows only");
    refuses("", ERR_UNSUPPORTED, "not a known list");
    refuses("\x7f"
            "ELF\x01\x02",
            ERR_UNSUPPORTED, "not a known list");
    refuses("name,block\nf,1x1x1\n", ERR_UNSUPPORTED, "not a known list");
}

static void long_rows_end_the_reading(void **state)
{
    struct strbuf text = STRBUF_INIT;

    (void)state;
    strbuf_adds(&text, STATS "kernel-1.trace, ");
    while (text.length < 4 * LAUNCH_ROW_MAX)
        strbuf_adds(&text, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    refuses(text.text, ERR_INVALID, "longer than");
    strbuf_release(&text);
}

/* --- comparison with a profile: f f [graph: g g] f h, then another context: h --- */

static void make(struct profile *p)
{
    static const struct {
        const char *name, *mangled;
        uint64_t context, correlation;
    } rows[] = {{"f(int*)", "_Z1fPi", 1, 1}, {"f(int*)", "_Z1fPi", 1, 2}, {"g()", "_Z1gv", 1, 3},
                {"g()", "_Z1gv", 1, 3},      {"f(int*)", "_Z1fPi", 1, 4}, {"h()", NULL, 1, 5},
                {"h()", NULL, 2, 1}};
    struct profile_builder *b;
    struct err e;

    b = profile_builder_new(PROFILE_NS, 1, &e);
    assert_non_null(b);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct profile_row row = {.name = rows[i].name,
                                  .mangled_name = rows[i].mangled,
                                  .grid = {4, 1, 1},
                                  .block = {32, 1, 1},
                                  .context = rows[i].context,
                                  .correlation = rows[i].correlation,
                                  .start_ns = (int64_t)i,
                                  .value = 5};

        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, p, &e), &e);
    profile_builder_free(b);
}

static int check(const struct profile *p, const char *text, int64_t context, uint64_t at_least,
                 struct launch_verdict *v, struct err *e)
{
    const struct launch_check_options o = {.context = context, .at_least = at_least};
    struct stream *s;
    int ret;

    CHECK_OK(stream_open_bytes(text, strlen(text), "list", &s, e), e);
    ret = launch_check_stream(s, p, &o, v, e);
    stream_close(s);
    return ret;
}

#define ROW(name_)                "kernel-1.trace, " name_ ", 4, 1, 1, 4, 32, 1, 1, 32, 1,1\n"
#define NCU_HEAD                  "ID,Process ID,Kernel Name,Context,Block Size,Grid Size\n"
#define NCU(id_, context_, name_) id_ ",1," name_ "," context_ ",\"(32, 1, 1)\",\"(4, 1, 1)\"\n"

static void lists_against_a_profile(void **state)
{
    static const struct {
        const char *text, *what; /* NULL: the list matches */
        uint64_t at_least, matched, expected, order;
    } cases[] = {
        {STATS ROW("_Z1fPi") ROW("_Z1fPi") ROW("_Z1fPi") ROW("h()"), NULL, 0, 4, 4, 0},
        {STATS ROW("f(int*)") ROW("void f(int *)") ROW("_Z1fPi") ROW("_Z1hv"), NULL, 0, 4, 4, 0},
        {STATS ROW("_Z1fPi") ROW("_Z1gv") ROW("_Z1gv") ROW("_Z1fPi") ROW("h()"), "name", 0, 1, 4, 1},
        {STATS ROW("_Z1fPi") ROW("_Z1fPi"), "missing", 0, 2, 4, 2},
        {STATS ROW("_Z1fPi") ROW("_Z1fPi"), NULL, 2, 2, 4, 0},
        {STATS ROW("_Z1fPi") ROW("_Z1fPi"), "missing", 3, 2, 4, 2},
        /* a longer list: the profile covers a part of the run */
        {STATS ROW("_Z1fPi") ROW("_Z1fPi") ROW("_Z1fPi") ROW("h()") ROW("h()"), NULL, 0, 4, 4, 0},
        {STATS ROW("h()") ROW("_Z1fPi") ROW("_Z1fPi") ROW("_Z1fPi") ROW("h()") ROW("h()"), NULL, 0, 4, 4, 0},
        {STATS ROW("f(int*)") ROW("_Z1fPi") ROW("_Z1fPi") ROW("_Z1fPi") ROW("h()"), NULL, 0, 4, 4, 0},
        {STATS ROW("h()") ROW("_Z1fPi") ROW("_Z1fPi") ROW("_Z1gv") ROW("_Z1fPi") ROW("h()"), "name", 0, 2, 4, 2},
        {STATS ROW("_Z1gv") ROW("h()") ROW("_Z1fPi") ROW("_Z1fPi") ROW("_Z1fPi"), "missing", 0, 3, 4, 3},
        {STATS ROW("_Z1fPi") ROW("_Z1fPi") ROW("_Z1fPi") ROW("h()") ROW("_Z1fPi") ROW("_Z1fPi") ROW("_Z1fPi")
             ROW("h()"),
         "ambiguous", 0, 4, 4, 0},
        {STATS ROW("_Z1fPi") "kernel-2.trace, _Z1fPi, 5, 1, 1, 5, 32, 1, 1, 32, 1,1\n", "grid", 0, 1, 4, 1},
        {STATS ROW("_Z1fPi") "kernel-2.trace, _Z1fPi, 4, 1, 1, 4, 64, 1, 1, 64, 1,1\n", "block", 0, 1, 4, 1},
        {STATS, "missing", 0, 0, 4, 0},
        /* ncu counts the kernels of graphs; of two contexts the matching one is used */
        {NCU_HEAD NCU("0", "9", "h()") NCU("1", "2", "f(int*)") NCU("2", "2", "f(int*)") NCU("3", "2", "g()")
             NCU("4", "2", "g()") NCU("5", "2", "f(int*)") NCU("6", "2", "h()"),
         NULL, 0, 6, 6, 0},
        {"launch_order,context_index,name,grid,block\n2,0,g(),4x1x1,32x1x1\n5,0,h(),4x1x1,32x1x1\n0,1,h(),4x1x1,"
         "32x1x1\n",
         NULL, 0, 2, 2, 0},
        {"launch_order,context_index,name,grid,block\n2,0,f(int*),4x1x1,32x1x1\n", "name", 0, 0, 1, 2},
        {"launch_order,name,grid,block\n6,h(),4x1x1,32x1x1\n", "extra", 0, 0, 1, 6},
    };
    struct profile p;
    struct err e;

    (void)state;
    make(&p);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct launch_verdict v;
        json_t *json;

        CHECK_OK(check(&p, cases[i].text, 0, cases[i].at_least, &v, &e), &e);
        if (v.mismatch.there != (cases[i].what != NULL) || v.matched != cases[i].matched ||
            v.expected != cases[i].expected)
            fail_msg("case %zu: %s, %llu of %llu match", i, v.mismatch.there ? v.mismatch.what : "fine",
                     (unsigned long long)v.matched, (unsigned long long)v.expected);
        if (cases[i].what) {
            assert_string_equal(v.mismatch.what, cases[i].what);
            assert_int_equal(v.mismatch.order, cases[i].order);
            assert_true(launch_verdict_refuse(&v, &p, &e) < 0 && strlen(e.text) > 40);
        }
        json = launch_verdict_json(&v, &p);
        assert_non_null(json);
        assert_true(json_is_true(json_object_get(json, "ok")) == !cases[i].what);
        json_decref(json);
        launch_verdict_release(&v);
    }
    profile_release(&p);
}

static void contexts_must_be_said(void **state)
{
    struct launch_verdict v;
    struct profile p;
    struct err e;

    (void)state;
    make(&p);
    CHECK_FAILS(check(&p, STATS, -1, 0, &v, &e), &e, ERR_INVALID, "2 contexts");
    launch_verdict_release(&v);
    CHECK_FAILS(check(&p, STATS, 2, 0, &v, &e), &e, ERR_INVALID, "no context 2");
    launch_verdict_release(&v);
    CHECK_OK(check(&p, STATS ROW("_Z1hv"), 1, 0, &v, &e), &e);
    assert_false(v.mismatch.there);
    launch_verdict_release(&v);
    profile_release(&p);
}

/* Names that differ near the end, invalid UTF-8, long names: messages and JSON stay valid. */
static void hostile_names_are_reported_whole(void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct launch_verdict v;
    struct profile p;
    struct err e;
    json_t *json;

    (void)state;
    make(&p);
    strbuf_adds(&text, STATS "kernel-1.trace, _Z3\xc3\xa9x\xff\x01<script>");
    for (int i = 0; i < 3000; i++)
        strbuf_adds(&text, "\xe2\x82\xac");
    strbuf_adds(&text, ", 4, 1, 1, 4, 32, 1, 1, 32, 1,1\n");
    CHECK_OK(check(&p, text.text, 0, 0, &v, &e), &e);
    assert_string_equal(v.mismatch.what, "name");
    launch_verdict_refuse(&v, &p, &e);
    assert_non_null(strstr(e.text, "f(int*) in the profile"));
    json = launch_verdict_json(&v, &p);
    assert_non_null(json);
    json_decref(json);
    launch_verdict_release(&v);
    strbuf_release(&text);
    profile_release(&p);
}

static void real_stats_match_their_traces(void **state)
{
    const char *raw = shared_data("traces/raw-tracer-output-v100.tar.zst");
    struct strbuf out = STRBUF_INIT;
    const char *format;
    struct err e;

    (void)state;
    CHECK_OK(launch_list_walk(raw, tell, &out, &format, &e), &e);
    assert_string_equal(format, "traces");
    assert_true(out.length > 0);
    strbuf_release(&out);
    CHECK_FAILS(launch_list_walk("/nowhere/at/all", tell, &out, &format, &e), &e, ERR_NOT_FOUND, "nowhere");
    CHECK_FAILS(launch_list_walk("tests/house", tell, &out, &format, &e), &e, ERR_NOT_FOUND, "no kernel traces");
}

/* --- a profile of a part of a run --- */

static struct stream *stats_of(const struct profile *p, const uint32_t *kernels, uint64_t count,
                               struct strbuf *text)
{
    struct stream *s;
    struct err e;

    strbuf_clear(text);
    strbuf_adds(text, STATS);
    for (uint64_t i = 0; i < count; i++) {
        const struct profile_kernel *k = &p->kernels[kernels[i]];

        strbuf_addf(text, "kernel-%" PRIu64 ".trace, %s, %u, %u, %u, %u, %u, %u, %u, %u, 1,1\n", i + 1,
                    k->mangled_name ? k->mangled_name : k->name, k->grid[0], k->grid[1], k->grid[2],
                    k->grid[0] * k->grid[1] * k->grid[2], k->block[0], k->block[1], k->block[2],
                    k->block[0] * k->block[1] * k->block[2]);
    }
    CHECK_OK(stream_open_bytes(text->text, text->length, "list", &s, &e), &e);
    return s;
}

/* The profile of a part of another profile's first context. */
static void cut(const struct profile *p, uint64_t first, uint64_t count, struct profile *out)
{
    struct profile_builder *b;
    struct err e;

    b = profile_builder_new(PROFILE_NS, 1, &e);
    assert_non_null(b);
    for (uint64_t i = 0; i < count; i++) {
        const struct profile_kernel *k = &p->kernels[p->kernel[first + i]];
        struct profile_row row = {.name = k->name,
                                  .mangled_name = k->mangled_name,
                                  .context = 1,
                                  .correlation = i + 1,
                                  .start_ns = (int64_t)i,
                                  .value = 1};

        memcpy(row.grid, k->grid, sizeof row.grid);
        memcpy(row.block, k->block, sizeof row.block);
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

/* The number of places of the list where the window matches, found by comparing at each place. */
static uint64_t places_of(const uint32_t *list, uint64_t list_count, uint64_t first, uint64_t count, uint64_t *at)
{
    uint64_t places = 0;

    for (uint64_t j = 0; j + count <= list_count; j++)
        if (memcmp(list + j, list + first, count * sizeof *list) == 0 && places++ == 0)
            *at = j;
    return places;
}

static void check_window(const struct profile *whole, uint64_t first, uint64_t count)
{
    struct strbuf text = STRBUF_INIT;
    uint64_t at = 0, places = places_of(whole->kernel, whole->contexts[0].count, first, count, &at);
    struct launch_check_options o = {.context = 0};
    struct launch_verdict v;
    struct profile part;
    struct stream *s;
    struct err e;

    cut(whole, first, count, &part);
    s = stats_of(whole, whole->kernel, whole->contexts[0].count, &text);
    CHECK_OK(launch_check_stream(s, &part, &o, &v, &e), &e);
    stream_close(s);
    assert_int_equal(v.places, places);
    assert_int_equal(v.offset, at);
    assert_int_equal(v.matched, count);
    assert_int_equal(v.mismatch.there, places != 1);
    if (places > 1)
        assert_string_equal(v.mismatch.what, "ambiguous");
    launch_verdict_release(&v);
    if (places > 1) { /* with the offset given, it is one place */
        o.has_offset = true;
        o.offset = first;
        s = stats_of(whole, whole->kernel, whole->contexts[0].count, &text);
        CHECK_OK(launch_check_stream(s, &part, &o, &v, &e), &e);
        stream_close(s);
        assert_false(v.mismatch.there);
        assert_int_equal(v.offset, first);
        launch_verdict_release(&v);
    }
    profile_release(&part);
    strbuf_release(&text);
}

static void check_windows(const struct profile *whole, unsigned windows, uint64_t seed)
{
    uint64_t n = whole->contexts[0].count;
    struct rng r;

    rng_init(&r, seed, 0, RNG_TEST);
    for (unsigned w = 0; w < windows; w++) {
        uint64_t first = rng_below(&r, n), count = 1 + rng_below(&r, n - first);

        check_window(whole, first, count);
    }
}

static void windows_anywhere_are_found(void **state)
{
    static const char *const pattern = "abcabcabdabcabcabdee";
    struct profile_builder *b;
    struct profile p;
    struct err e;

    (void)state;
    b = profile_builder_new(PROFILE_NS, 1, &e);
    assert_non_null(b);
    for (size_t i = 0; pattern[i]; i++) {
        char name[2] = {pattern[i], 0};
        struct profile_row row = {.name = name,
                                  .grid = {4, 1, 1},
                                  .block = {32, 1, 1},
                                  .context = 1,
                                  .correlation = i + 1,
                                  .start_ns = (int64_t)i,
                                  .value = 1};

        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, &p, &e), &e);
    profile_builder_free(b);
    for (uint64_t first = 0; first < p.count; first++)
        for (uint64_t count = 1; first + count <= p.count; count++)
            check_window(&p, first, count);
    profile_release(&p);
}

/* The profile lacks sizes: equal names are not enough when another kernel has sizes. */
static void sizes_that_are_missing_are_any(void **state)
{
    struct profile_builder *b;
    struct launch_verdict v;
    struct profile p;
    struct err e;

    (void)state;
    b = profile_builder_new(PROFILE_NS, 1, &e);
    assert_non_null(b);
    for (int i = 0; i < 3; i++) {
        struct profile_row row = {
            .name = "f", .context = 1, .correlation = (uint64_t)i + 1, .start_ns = i, .value = 1};

        if (i != 1) { /* the second kernel has no sizes */
            row.grid[0] = row.grid[1] = row.grid[2] = 1;
            row.grid[0] = i == 0 ? 4 : 8;
            row.block[0] = 32;
            row.block[1] = row.block[2] = 1;
        }
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, &p, &e), &e);
    profile_builder_free(b);
#define F(n_) "kernel-1.trace, f, " #n_ ", 1, 1, " #n_ ", 32, 1, 1, 32, 1,1\n"
    CHECK_OK(check(&p, STATS F(4) F(9) F(8), 0, 0, &v, &e), &e);
    assert_true(!v.mismatch.there && v.offset == 0);
    launch_verdict_release(&v);
    CHECK_OK(check(&p, STATS F(8) F(4) F(4) F(7) F(8) F(5), 0, 0, &v, &e), &e);
    assert_true(!v.mismatch.there && v.offset == 2 && v.places == 1);
    launch_verdict_release(&v);
    CHECK_OK(check(&p, STATS F(4) F(9) F(9), 0, 0, &v, &e), &e);
    assert_string_equal(v.mismatch.what, "grid");
    assert_int_equal(v.mismatch.order, 2);
    launch_verdict_release(&v);
    profile_release(&p);
}

/* A launch that only the list has: the message states how far the profile matches, and which launch comes
 * instead. */
static void an_inserted_launch_is_named(void **state)
{
    struct launch_verdict v;
    struct profile p;
    struct err e;

    (void)state;
    make(&p);
    CHECK_OK(check(&p,
                   STATS ROW("h()") ROW("h()") ROW("_Z1fPi") ROW("_Z1fPi") ROW("_Z8insertedv") ROW("_Z1fPi")
                       ROW("h()"),
                   0, 0, &v, &e),
             &e);
    assert_true(launch_verdict_refuse(&v, &p, &e) < 0);
    assert_non_null(strstr(e.text, "launch 2 is inserted() in the list (line 6), but f(int*) in the profile"));
    assert_non_null(strstr(e.hint, "first 2 launches are launches 2 to 3 of the list"));
    launch_verdict_release(&v);
    profile_release(&p);
}

/* Windows of recorded profiles. */
static void windows_of_recorded_profiles(void **state)
{
    static const char *const files[] = {"nsys/h100x2-2026.2.sqlite", "nsys/rtx3080-2026.1.sqlite",
                                        "nsys/saxpy-a100-2022.2.sqlite", NULL};

    (void)state;
    for (size_t f = 0; files[f]; f++) {
        const char *path = shared_data(files[f]);
        const struct ingest_options options = {.progress = NULL};
        struct import_report report;
        struct profile p;
        struct err e;

        profile_init(&p);
        import_report_init(&report);
        CHECK_OK(ingest_file(path, &options, &p, &report, &e), &e);
        check_windows(&p, 100, 7 + f);
        import_report_release(&report);
        profile_release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accel_sim_stats),
        cmocka_unit_test(ncu_csv),
        cmocka_unit_test(macsim_names),
        cmocka_unit_test(other_tables),
        cmocka_unit_test(long_rows_end_the_reading),
        cmocka_unit_test(lists_against_a_profile),
        cmocka_unit_test(contexts_must_be_said),
        cmocka_unit_test(hostile_names_are_reported_whole),
        cmocka_unit_test(real_stats_match_their_traces),
        cmocka_unit_test(windows_anywhere_are_found),
        cmocka_unit_test(sizes_that_are_missing_are_any),
        cmocka_unit_test(an_inserted_launch_is_named),
        cmocka_unit_test(windows_of_recorded_profiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
