/* System designs: the built-in ones, their routes and copies worked by hand, and what a file can have wrong. */
#include <dirent.h>

#include "base/strbuf.h"
#include "simcore/design_read.h"
#include "simcore/system/system.h"
#include "simcore/validation/system_facts.h"
#include "tests/harness/check.h"

static struct system_design *load(const char *name)
{
    struct system_design *s = NULL;
    struct err e;

    CHECK_OK(system_load(name, &s, &e), &e);
    return s;
}

static struct system_route route(const struct system_design *s, const char *from, const char *to)
{
    struct system_route r;
    struct err e;

    CHECK_OK(system_route(s, system_node_find(s, from), system_node_find(s, to), &r, &e), &e);
    return r;
}

/* "gpu0 nvswitch0 gpu1" */
static void check_route(const struct system_design *s, const char *from, const char *to, const char *want)
{
    struct system_route r = route(s, from, to);
    struct strbuf b = STRBUF_INIT;

    for (uint32_t i = 0; i <= r.hops; i++)
        strbuf_addf(&b, "%s%s", i ? " " : "", s->nodes[r.node[i]].name);
    if (strcmp(b.text, want) != 0)
        fail_msg("%s: %s to %s goes %s, want %s", s->name, from, to, b.text, want);
    strbuf_release(&b);
}

static void each_file_is_built_in_and_sound(void **state)
{
    size_t files = 0, names = 0;
    const char *const *name = system_builtin_names();
    DIR *dir = opendir("simcore/designs/systems");

    (void)state;
    assert_non_null(dir);
    for (struct dirent *f; (f = readdir(dir));)
        files += strstr(f->d_name, ".json") != NULL;
    closedir(dir);
    for (; name[names]; names++) {
        struct system_design *s = load(name[names]);
        struct design_facts facts;
        struct err e;

        assert_string_equal(s->name, name[names]);
        assert_true(system_is_named(name[names]));
        assert_true(sha256_hex_valid(s->sha256));
        CHECK_OK(system_facts_make(s, &facts, &e), &e);
        for (size_t i = 0; i < facts.count; i++)
            assert_true(facts.items[i].source_text && *facts.items[i].meaning);
        design_facts_release(&facts);
        system_free(s);
    }
    assert_int_equal(names, files);
    assert_false(system_is_named("v100"));
    assert_false(system_is_named("simcore/designs/v100.json"));
    assert_true(system_is_named("simcore/designs/systems/dgx2.json"));
}

static void routes_are_the_shortest_then_the_widest(void **state)
{
    struct system_design *s = load("dgx1-v100");

    (void)state;
    check_route(s, "gpu0", "gpu3", "gpu0 gpu3");
    check_route(s, "gpu0", "gpu1", "gpu0 gpu1");                     /* not over the PCIe switch of both */
    check_route(s, "gpu0", "gpu5", "gpu0 plx0 cpu0 cpu1 plx2 gpu5"); /* GPUs do not forward */
    check_route(s, "gpu5", "gpu0", "gpu5 plx2 cpu1 cpu0 plx0 gpu0"); /* the same way back */
    check_route(s, "cpu0", "gpu7", "cpu0 cpu1 plx3 gpu7");
    check_route(s, "gpu0", "gpu0", "gpu0");
    CHECK_NEAR(route(s, "gpu0", "gpu3").gbs, 2 * 25.78125 * 256 / 272, 1e-3); /* two links, 272 bytes for 256 */
    CHECK_NEAR(route(s, "gpu0", "gpu1").gbs, 25.78125 * 256 / 272, 1e-3);
    CHECK_NEAR(route(s, "gpu0", "gpu5").gbs, 15.754 * 128 / 154, 1e-3);
    system_free(s);
    s = load("dgx2");
    check_route(s, "gpu0", "gpu1", "gpu0 nvswitch0 gpu1");
    check_route(s, "gpu0", "gpu15", "gpu0 nvswitch0 nvswitch1 gpu15");
    assert_int_equal(route(s, "gpu0", "gpu15").latency_ps, (3 * 250 + 2 * 100) * 1000);
    system_free(s);
    s = load("gb200-nvl72");
    assert_int_equal(system_count(s, SYSTEM_GPU), 72);
    check_route(s, "gpu0", "gpu1", "gpu0 nvswitch0 gpu1"); /* wider than over the CPU of both */
    check_route(s, "gpu71", "cpu35", "gpu71 cpu35");
    assert_int_equal(route(s, "gpu0", "cpu35").hops, 0);
    system_free(s);
    s = load("pcie-4xl40s");
    check_route(s, "gpu0", "gpu1", "gpu0 cpu0 gpu1");
    check_route(s, "gpu1", "gpu2", "gpu1 cpu0 cpu1 gpu2");
    system_free(s);
}

static void the_time_of_a_copy_is_worked_by_hand(void **state)
{
    struct system_design *s = load("hgx-h100");
    struct system_route r = route(s, "gpu2", "gpu6");

    (void)state;
    /* 2200 ns start-up, 250 + 100 + 250 ns, one packet of 288 bytes on 18 links of 25 GB/s, one more on a link */
    assert_int_equal(system_copy_ps(s, &r, 1), 2200000 + 600000 + (uint64_t)(33 / .45 + 0.5) + 11520);
    assert_int_equal(system_copy_ps(s, &r, UINT64_C(18000) * 256),
                     2200000 + 600000 + UINT64_C(18000) * 288 * 1000 / 450 + 11520);
    system_free(s);
}

static void half_the_bandwidth_changes_that_link_only(void **state)
{
    const struct design_change half = {"links.nvlink.gbs", "x0.5"}, wrong = {"links.nvlnk.gbs", "1"},
                               too_many = {"nodes.gpu.count", "9"};
    struct system_design *s = load("hgx-h100"), *d = NULL;
    char *text = NULL;
    struct err e;

    (void)state;
    CHECK_OK(system_derive(s, "half", &half, 1, &text, &e), &e);
    CHECK_OK(system_parse(text, strlen(text), "half", &d, &e), &e);
    assert_string_equal(d->name, "half");
    assert_non_null(strstr(d->title, "links.nvlink.gbs 12.5 (was 25)"));
    CHECK_NEAR(route(d, "gpu0", "gpu1").gbs, route(s, "gpu0", "gpu1").gbs / 2, 1e-12);
    CHECK_NEAR(route(d, "cpu0", "gpu1").gbs, route(s, "cpu0", "gpu1").gbs, 0);
    free(text);
    CHECK_FAILS(system_derive(s, "x", &wrong, 1, &text, &e), &e, ERR_INVALID, "no parameter `links.nvlnk.gbs`");
    assert_non_null(strstr(e.hint, "links.nvlink.gbs"));
    CHECK_FAILS(system_derive(s, "x", &too_many, 1, &text, &e), &e, ERR_INVALID, "gpu8 has no channel");
    system_free(d);
    system_free(s);
}

static struct strbuf text_of(const char *name)
{
    struct strbuf path = STRBUF_INIT, file = STRBUF_INIT;
    FILE *f;
    int c;

    strbuf_addf(&path, "simcore/designs/systems/%s.json", name);
    f = fopen(path.text, "r");
    assert_non_null(f);
    while ((c = fgetc(f)) != EOF)
        strbuf_addc(&file, (char)c);
    fclose(f);
    strbuf_release(&path);
    return file;
}

/* The groups of a DGX-1 with a digit in a name: p4x0..3. */
static void ranges_of_names_with_a_digit(void **state)
{
    struct strbuf file = text_of("dgx1-v100");
    struct system_design *s = NULL;
    struct err e;

    (void)state;
    for (char *at = file.text; (at = strstr(at, "plx")); at++)
        at[1] = '4';
    CHECK_OK(system_parse(file.text, file.length, "t", &s, &e), &e);
    check_route(s, "gpu0", "gpu5", "gpu0 p4x0 cpu0 cpu1 p4x2 gpu5");
    system_free(s);
    strbuf_release(&file);
}

/* The text of a built-in system with one part replaced by another. */
static void check_fault(const char *name, const char *old, const char *new, const char *want)
{
    struct strbuf file = text_of(name), changed = STRBUF_INIT;
    struct system_design *s = NULL;
    const char *at;
    struct err e;

    at = strstr(file.text, old);
    if (!at)
        fail_msg("%s has no %s", name, old);
    strbuf_add(&changed, file.text, (size_t)(at - file.text));
    strbuf_adds(&changed, new);
    strbuf_adds(&changed, at + strlen(old));
    CHECK_FAILS(system_parse(changed.text, changed.length, "t", &s, &e), &e, e.code, want);
    strbuf_release(&file);
    strbuf_release(&changed);
}

static void each_fault_is_named(void **state)
{
    static const struct {
        const char *name, *old, *new, *want;
    } rows[] = {
        {"dgx1-v100", "\"vivace-system\"", "\"vivace\"", "not a system design"},
        {"dgx1-v100", "\"version\": 1", "\"version\": 2", "\"version\" must be 1"},
        {"dgx1-v100", "\"a\": \"gpu0\", \"b\": \"gpu2\"", "\"a\": \"gpu0\", \"b\": \"gpu1\"", "have two channels"},
        {"dgx1-v100", "\"b\": \"gpu1\"", "\"b\": \"gpu0\"", "gpu0 is connected with itself"},
        {"dgx1-v100", "\"b\": \"gpu1\"", "\"b\": \"gpu9\"", "there are no nodes `gpu9`"},
        {"dgx1-v100", "\"links\": 1", "\"links\": 2", "has 6 ports of link nvlink; its channels need 7"},
        {"dgx1-v100", "\"link\": \"nvlink\"", "\"link\": \"nvlnk\"", "must be the name of a link"},
        {"dgx1-v100", "\"gbs\": {\"value\": 25.78125", "\"gbs\": {\"value\": 0", "links.nvlink.gbs: 0 is outside"},
        {"dgx1-v100", "\"payload_bytes\": {\"value\": 256", "\"payload_bytes\": {\"value\": 1", "an eighth"},
        {"dgx1-v100", "\"design\": \"v100\"", "\"design\": \"none\"", "no built-in GPU design `none`"},
        {"dgx1-v100", "\"kind\": \"gpu\"", "\"kind\": \"tpu\"", "nodes.gpu.kind"},
        {"dgx1-v100", "\"a\": \"gpu0..7\"", "\"a\": \"gpu0..6\"", "7 nodes cannot be shared evenly by 4"},
        {"hgx-h100", "\"nvls\": {\"value\": 0.85", "\"nvls\": {\"value\": 1.5",
         "nodes.nvswitch.nvls: 1.5 is outside"},
        {"hgx-h100", "\"design\": \"h100\",", "\"design\": \"h100\", \"nvls\": {},", "unknown key `nvls`"},
        {"dgx1-v100", "\"qpi\": {", "\"QPI\": {", "links `QPI`: a name must be"},
        {"dgx1-v100", "\"source\": \"TOPO\"", "\"source\": \"TOP\"", "channels[0]: it needs a source"},
        {"pcie-2x4090", "gpu0..1", "gpu0..0", "gpu1 has no channel"},
        {"dgx1-v100", "{\"a\": \"plx0..3\", \"b\": \"cpu0..1\"", "{\"a\": \"plx0..1\", \"b\": \"cpu0..1\"",
         "there is no route from gpu0 to gpu5"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_fault(rows[i].name, rows[i].old, rows[i].new, rows[i].want);
}

static void count_fault(void *ctx, const struct err *e)
{
    assert_true(strlen(e->text) > 10);
    ++*(int *)ctx;
}

static void a_check_goes_on_after_a_fault(void **state)
{
    static const char text[] =
        "{\"format\":\"vivace-system\",\"version\":1,\"name\":\"x\",\"title\":\"x\",\"links\":{\"l\":{}},"
        "\"copy\":{},\"nodes\":{},\"channels\":[],\"sources\":{}}";
    struct system_design *s = NULL;
    char path[] = "/tmp/vivace-system-XXXXXX";
    int faults = 0, fd = mkstemp(path);
    struct err e;

    (void)state;
    assert_true(fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
    close(fd);
    assert_int_equal(system_check_file(path, count_fault, &faults, &s, &e), -1);
    assert_int_equal(faults, 2); /* links and copy; what refers to them is not looked at */
    unlink(path);
}

/* Each row with its error, and the mean of both sets. Bars: mean 10 %, none above 30 % (both sets). */
static void the_measured_copies_come_out(void **state)
{
    struct system_facts l;
    double sum[2] = {0};
    size_t n[2] = {0};
    struct err e;

    (void)state;
    CHECK_OK(system_facts_builtin(&l, &e), &e);
    for (size_t i = 0; i < l.count; i++) {
        const struct system_fact *f = &l.items[i];

        printf("%s %-12s %-24s %8g to %8g  got %8.4g  %+6.1f %%  %s\n", f->id, f->system, f->measure, f->low,
               f->high, f->got, f->error * 100, f->test ? "test" : "build");
        sum[f->test] += fabs(f->error);
        n[f->test]++;
        assert_true(fabs(f->error) <= 0.3);
    }
    assert_int_equal(n[0], 33);
    assert_int_equal(n[1], 30);
    printf("mean error: build %.1f %%, test %.1f %%\n", sum[0] / (double)n[0] * 100, sum[1] / (double)n[1] * 100);
    assert_true(sum[0] / (double)n[0] <= 0.1 && sum[1] / (double)n[1] <= 0.1);
    system_facts_release(&l);
}

static void wrong_rows_of_measured_copies_are_refused(void **state)
{
    static const char head[] = "id,system,measure,low,high,tol,set,source\n";
    static const struct {
        const char *row, *want;
    } rows[] = {
        {"A,dgx2,peer gpu0 gpu1 1M,1,2,10,build\n", "must have 8 columns"},
        {"A,dgx2,peer gpu0 gpu77 1M,1,2,10,build,S\n", "no node `gpu77`"},
        {"A,dgx3,peer gpu0 gpu1 1M,1,2,10,build,S\n", "no built-in system `dgx3`"},
        {"A,dgx2,push gpu0 gpu1 1M,1,2,10,build,S\n", "no measurement `push`"},
        {"A,dgx2,peer gpu0 gpu1 0,1,2,10,build,S\n", "cannot be copied"},
        {"A,dgx2,peer gpu0 gpu0 4,1,2,10,build,S\n", "no route"},
        {"A,dgx2,peer gpu0 gpu1 4,3,2,10,build,S\n", "not above high"},
        {"A,dgx2,peer gpu0 gpu1 4,1,2,10,train,S\n", "set must be"},
        {"A,dgx2,allreduce 17 1M,1,2,10,test,S\n", "needs 2 to 16 GPUs, not 17"},
        {"A,dgx2,allreduce:nvls 8 1M,1,2,10,test,S\n", "cannot do allreduce with `nvls`"},
        {"A,dgx2,allreduce:rings 8 1M,1,2,10,test,S\n", "no algorithm `rings`"},
        {"A,dgx2,alltoall 8 1M,1,2,10,test,S\n", "no collective `alltoall`"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct system_facts l;
        char text[200];
        struct err e;

        snprintf(text, sizeof text, "%s%s", head, rows[i].row);
        CHECK_FAILS(system_facts_parse(text, &l, &e), &e, e.code, rows[i].want);
        system_facts_release(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_file_is_built_in_and_sound),
        cmocka_unit_test(routes_are_the_shortest_then_the_widest),
        cmocka_unit_test(the_time_of_a_copy_is_worked_by_hand),
        cmocka_unit_test(half_the_bandwidth_changes_that_link_only),
        cmocka_unit_test(ranges_of_names_with_a_digit),
        cmocka_unit_test(each_fault_is_named),
        cmocka_unit_test(a_check_goes_on_after_a_fault),
        cmocka_unit_test(the_measured_copies_come_out),
        cmocka_unit_test(wrong_rows_of_measured_copies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
