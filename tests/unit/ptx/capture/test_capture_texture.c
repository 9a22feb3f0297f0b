/* A captured launch that reads textures gives the same results when it runs again. The texture handles are in a
 * parameter and in memory. */
#include <dirent.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "ptx/capture/capture.h"
#include "ptx/list/launch_list.h"
#include "tests/unit/ptx/engine.h"

static const char kernel[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 out, .param .u64 image, .param .u64 more)\n{\n.reg .b32 %r<9>; .reg .b64 %d<9>; "
    ".reg .f32 %f<9>;\nld.param.u64 %d0, [out]; ld.param.u64 %d1, [image]; ld.param.u64 %d2, [more];\n"
    "ld.global.u64 %d3, [%d2]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 7; shr.u32 %r2, %r0, 3;\n"
    "tex.2d.v4.u32.s32 {%r3, %r4, %r5, %r6}, [%d1, {%r1, %r2}];\n"
    "cvt.rn.f32.u32 %f0, %r0; mul.rn.f32 %f0, %f0, 0f3D000000;\n"
    "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d3, {%f0}];\ncvt.rzi.u32.f32 %r7, %f1; mad.lo.u32 %r3, %r7, 1000, "
    "%r3;\n"
    "mad.wide.u32 %d4, %r0, 4, %d0; st.global.u32 [%d4], %r3; ret;\n}\n";
static const char list[] =
    "{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"k.ptx\"}, \"buffers\": {"
    "\"out\": {\"type\": \"u32\", \"count\": 32, \"init\": \"zero\"},"
    "\"a\": {\"type\": \"u32\", \"count\": 64, \"init\": {\"start\": 5, \"step\": 3}},"
    "\"b\": {\"type\": \"f32\", \"count\": 32, \"init\": {\"start\": 1, \"step\": 2}},"
    "\"more\": {\"type\": \"u64\", \"count\": 1, \"init\": {\"values\": [9113033845984198657]}}},"
    "\"steps\": [{\"texture\": {\"handle\": \"x\", \"buffer\": \"a+32\", \"dims\": [8, 4], \"format\": \"u32\"}},"
    "{\"texture\": {\"handle\": \"y\", \"buffer\": \"b\", \"dims\": [32], \"format\": \"f32\", \"filter\": "
    "\"linear\","
    " \"coordinates\": \"normalized\", \"address\": \"mirror\"}},"
    "{\"launch\": {\"kernel\": \"k\", \"grid\": [1], \"block\": [32], \"params\": [{\"ptr\": \"out\"}, "
    "{\"texture\": "
    "\"x\"}, {\"ptr\": \"more\"}]}}]}";

static char folder[] = "/tmp/vivace-capture-texture-XXXXXX", path[100];

static void write_text(const char *name, const char *text)
{
    struct err e;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_OK(whole_file_write(path, text, strlen(text), &e), &e);
}

static int capture(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                   struct ptx_exec_stats *s, struct err *e)
{
    const struct ptx_capture_options options = {.folder = ctx, .name = "k"};
    struct ptx_capture *c;

    CHECK_OK(ptx_capture_begin(v->program, v->launch, &options, &c, e), e);
    CHECK_OK(ptx_launch_run(v->program, v->launch, o, s, e), e);
    CHECK_OK(ptx_capture_end(c, true, e), e);
    ptx_capture_free(c);
    return LIST_RAN;
}

static void run_list(const char *name, launch_list_launch_fn *launch, void *ctx, struct launch_list_done *done)
{
    struct launch_list_options o = {.launch = launch, .ctx = ctx};
    struct launch_list *l;
    struct err e;

    CHECK_OK(launch_list_read(name, &l, &e), &e);
    CHECK_OK(launch_list_run(l, &o, done, &e), &e);
    launch_list_free(l);
}

static void a_captured_launch_has_its_textures(void **state)
{
    struct launch_list_done done;
    char to[100], captured[140];

    (void)state;
    assert_non_null(mkdtemp(folder));
    write_text("k.ptx", kernel);
    write_text("l.json", list);
    snprintf(to, sizeof to, "%s/c", folder);
    run_list(path, capture, to, &done);
    snprintf(captured, sizeof captured, "%s/launches.json", to);
    run_list(captured, NULL, NULL, &done);
    assert_true(done.expects >= 3);
    assert_int_equal(done.failed, 0);
}

static int remove_all(void **state)
{
    const char *const folders[] = {"/c", ""};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        char at[400];
        struct dirent *d;
        DIR *all;

        snprintf(path, sizeof path, "%s%s", folder, folders[k]);
        all = opendir(path);
        while (all && (d = readdir(all))) {
            snprintf(at, sizeof at, "%s/%s", path, d->d_name);
            unlink(at);
        }
        if (all)
            closedir(all);
        rmdir(path);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_captured_launch_has_its_textures)};

    return cmocka_run_group_tests_name("captured textures", tests, NULL, remove_all);
}
