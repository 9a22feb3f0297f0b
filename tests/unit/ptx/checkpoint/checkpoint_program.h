/* A launch list whose launches use all parts of the simulated state, in its own folder, for tests of checkpoints.
 */
#ifndef VIVACE_TESTS_UNIT_PTX_CHECKPOINT_PROGRAM_H
#define VIVACE_TESTS_UNIT_PTX_CHECKPOINT_PROGRAM_H

#include <unistd.h>

#include "base/whole_file.h"
#include "ptx/checkpoint/checkpoint_file.h"
#include "tests/unit/ptx/engine.h"

/* A kernel that uses the whole state of a CTA: shared memory and barriers, divergence, a call with local memory,
 * a loop whose count depends on the lane, shuffles, printf, atomics, malloc. */
static const char kernels[] = PTX_HEAD
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    ".global .align 1 .b8 text[8] = {37, 117, 32, 37, 117, 10, 0, 0};\n"
    ".global .u32 total;\n"
    ".func (.reg .u32 out) twice (.reg .u32 in, .reg .u32 deep) {\n .local .u32 kept[2];\n .reg .u32 %a<6>; .reg "
    ".pred %p;\n"
    " st.local.u32 [kept+4], in;\n setp.eq.u32 %p, deep, 0;\n mov.u32 %a1, 1;\n @%p bra done;\n sub.u32 %a2, deep, "
    "1;\n"
    " call (%a1), twice, (in, %a2);\n done: ld.local.u32 %a3, [kept+4];\n add.u32 out, %a1, %a3;\n ret;\n}\n"
    ".visible .entry k(.param .u64 p, .param .u32 rounds) {\n"
    " .reg .u64 %rd<12>; .reg .u32 %r<30>; .reg .pred %p<6>; .shared .u32 s[64]; .local .align 8 .u32 args[2];\n"
    " .param .b64 pf; .param .b64 pa; .param .b32 pr;\n"
    " ld.param.u64 %rd1, [p];\n ld.param.u32 %r9, [rounds];\n mov.u32 %r1, %tid.x;\n mov.u32 %r2, %ctaid.x;\n"
    " mov.u32 %r3, s;\n shl.b32 %r4, %r1, 2;\n add.u32 %r3, %r3, %r4;\n mad.lo.u32 %r5, %r2, 64, %r1;\n"
    " mul.wide.u32 %rd2, %r5, 4;\n add.u64 %rd2, %rd1, %rd2;\n ld.global.u32 %r6, [%rd2];\n mov.u32 %r7, 0;\n"
    "again: st.shared.u32 [%r3], %r6;\n bar.sync 0;\n xor.b32 %r8, %r4, 128;\n mov.u32 %r10, s;\n add.u32 %r10, "
    "%r10, %r8;\n"
    " ld.shared.u32 %r11, [%r10];\n bar.sync 0;\n and.b32 %r12, %r6, 7;\n"
    "inner: setp.eq.u32 %p1, %r12, 0;\n @%p1 bra out;\n mad.lo.u32 %r6, %r6, 1664525, %r11;\n sub.u32 %r12, %r12, "
    "1;\n bra inner;\n"
    "out: shfl.sync.bfly.b32 %r13, %r6, 5, 31, -1;\n add.u32 %r6, %r6, %r13;\n and.b32 %r14, %r6, 3;\n"
    " setp.ne.u32 %p2, %r14, 1;\n @%p2 bra skip;\n call (%r15), twice, (%r6, %r14);\n add.u32 %r6, %r6, %r15;\n"
    "skip: mov.u64 %rd3, total;\n atom.global.add.u32 %r16, [%rd3], 1;\n add.u32 %r7, %r7, 1;\n setp.lt.u32 %p3, "
    "%r7, %r9;\n"
    " @%p3 bra again;\n st.global.u32 [%rd2], %r6;\n setp.ne.u32 %p4, %r1, 40;\n @%p4 bra end;\n"
    " mov.u64 %rd4, args;\n cvta.local.u64 %rd5, %rd4;\n st.local.u32 [args], %r2;\n st.local.u32 [args+4], %r6;\n"
    " mov.u64 %rd6, text;\n st.param.b64 [pf], %rd6;\n st.param.b64 [pa], %rd5;\n call (pr), vprintf, (pf, pa);\n"
    "end: ret;\n}\n";

static const char document[] =
    "{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"k.ptx\"},"
    "\"buffers\": {\"x\": {\"type\": \"u32\", \"count\": 640, \"init\": {\"random\": \"uniform\", \"seed\": 3, "
    "\"lo\": 0, \"hi\": 1000000}}, \"far\": {\"type\": \"u32\", \"count\": 100000, \"init\": {\"start\": 1, "
    "\"step\": 3}}}, \"steps\": [{\"repeat\": {\"times\": 3, \"steps\": ["
    "{\"launch\": {\"kernel\": \"k\", \"grid\": [5], \"block\": [64], \"params\": [{\"ptr\": \"x\"}, {\"u32\": "
    "4}]}},"
    "{\"copy\": {\"from\": \"x\", \"to\": \"far+4096\", \"bytes\": 640}},"
    "{\"launch\": {\"kernel\": \"k\", \"grid\": [3], \"block\": [64], \"params\": [{\"ptr\": \"far\"}, {\"u32\": "
    "3}]}}"
    "]}}]}";

/* Clusters of four CTAs that pass words around in each other's shared memory. The CTAs end at different times. */
static const char cluster_kernel[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 p)\n.reqnctapercluster 2, 2, 1\n{\n.shared .align 4 .b32 s[64];\n"
    ".reg .b32 %r<20>;\n.reg .b64 %rd<4>;\n.reg .pred %p<3>;\nld.param.u64 %rd0, [p];\nmov.u32 %r0, %tid.x;\n"
    "mov.u32 %r1, s;\nmad.lo.u32 %r1, %r0, 4, %r1;\nmov.u32 %r2, %cluster_ctarank;\nadd.u32 %r3, %r2, 1;\n"
    "and.b32 %r3, %r3, 3;\nmapa.shared::cluster.u32 %r4, %r1, %r3;\nmov.u32 %r5, %ctaid.x;\nmov.u32 %r6, "
    "%ctaid.y;\nmad.lo.u32 %r7, %r6, 4, %r5;\nmad.lo.u32 %r8, %r7, 64, %r0;\nmul.wide.u32 %rd1, %r8, 4;\n"
    "add.u64 %rd1, %rd1, %rd0;\nld.global.u32 %r9, [%rd1];\nmov.u32 %r10, 0;\nand.b32 %r11, %r2, 1;\n"
    "ROUND:\nbarrier.cluster.arrive;\nmad.lo.u32 %r9, %r9, 1664525, %r10;\nbarrier.cluster.wait;\n"
    "st.shared::cluster.u32 [%r4], %r9;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
    "ld.shared.u32 %r12, [%r1];\nxor.b32 %r9, %r9, %r12;\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p0, %r10, 6;\n"
    "@%p0 bra ROUND;\nand.b32 %r13, %r0, 31;\nMORE:\nadd.u32 %r9, %r9, %r13;\nadd.u32 %r13, %r13, %r11;\n"
    "add.u32 %r13, %r13, 1;\nsetp.lt.u32 %p1, %r13, 40;\n@%p1 bra MORE;\nst.global.u32 [%rd1], %r9;\nret;\n}\n";
static const char cluster_document[] =
    "{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"c.ptx\"},"
    "\"buffers\": {\"x\": {\"type\": \"u32\", \"count\": 1024, \"init\": {\"start\": 7, \"step\": 3}}}, \"steps\": "
    "["
    "{\"repeat\": {\"times\": 2, \"steps\": [{\"launch\": {\"kernel\": \"k\", \"grid\": [4, 4], \"block\": [64], "
    "\"params\": [{\"ptr\": \"x\"}]}}]}}]}";

enum { SECTION_HEAD = 56 }; /* size of a section's header; its byte 4: flags; byte 16: size of the section */
static char folder[64], file[100], second[100], list_path[100], cluster_path[100];

static inline int make_folder(void **state)
{
    struct err e;
    (void)state;

    strcpy(folder, "/tmp/vivace-ptx-checkpoint-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/k.ptx", folder);
    if (whole_file_write(file, kernels, strlen(kernels), &e) != 0)
        return -1;
    snprintf(file, sizeof file, "%s/c.ptx", folder);
    if (whole_file_write(file, cluster_kernel, strlen(cluster_kernel), &e) != 0)
        return -1;
    snprintf(cluster_path, sizeof cluster_path, "%s/c.json", folder);
    if (whole_file_write(cluster_path, cluster_document, strlen(cluster_document), &e) != 0)
        return -1;
    snprintf(list_path, sizeof list_path, "%s/l.json", folder);
    if (whole_file_write(list_path, document, strlen(document), &e) != 0)
        return -1;
    snprintf(file, sizeof file, "%s/a.ckpt", folder);
    snprintf(second, sizeof second, "%s/b.ckpt", folder);
    return 0;
}

/* Copies `second` to `file` and replaces a text in an uncompressed section. `now` has the length of `was`. */
static inline void change_section(const char *tag, const char *was, const char *now)
{
    struct strbuf out = STRBUF_INIT, section = STRBUF_INIT;
    size_t n, at;
    char *bytes, *text;
    uint64_t stored;
    uint32_t flags;
    struct err e;

    CHECK_OK(whole_file_read(file, 1 << 30, &bytes, &n, &e), &e);
    for (at = strcspn(bytes, "\n") + 1; memcmp(bytes + at, tag, SECTION_TAG) != 0; at += SECTION_HEAD + stored)
        memcpy(&stored, bytes + at + 16, sizeof stored);
    memcpy(&stored, bytes + at + 16, sizeof stored);
    memcpy(&flags, bytes + at + 4, sizeof flags);
    text = memmem(bytes + at + SECTION_HEAD, stored, was, strlen(was));
    assert_non_null(text);
    memcpy(text, now, strlen(was));
    strbuf_add(&section, bytes + at + SECTION_HEAD, stored);
    strbuf_add(&out, bytes, at);
    CHECK_OK(section_add(&out, tag, flags, &section, &e), &e);
    strbuf_add(&out, bytes + at + SECTION_HEAD + stored, n - at - SECTION_HEAD - stored);
    CHECK_OK(whole_file_write(second, out.text, out.length, &e), &e);
    strbuf_release(&section);
    strbuf_release(&out);
    free(bytes);
}

static inline int remove_folder(void **state)
{
    char text[100];
    (void)state;

    snprintf(text, sizeof text, "%s/k.ptx", folder);
    unlink(text);
    snprintf(text, sizeof text, "%s/c.ptx", folder);
    unlink(text);
    unlink(cluster_path);
    unlink(list_path);
    unlink(file);
    unlink(second);
    return rmdir(folder);
}

#endif
