/* Forms of instructions against tables of inputs and expected bits (tests/unit/ptx/forms/, made by make.py and
 * make_mixed.py out of exact integers and fractions), on every kind of CPU that this machine has; and those kinds
 * against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>

#include <cmocka.h>

#include "base/rng.h"
#include "ptx/forms/forms.h"
#include "ptx/parse/module.h"
#include "tests/harness/check.h"

#define FOLDER "tests/unit/ptx/forms"
enum { ROW = 8, OPERANDS = 10, WORDS = 4, OUT_MAX = 5 }; /* a row of 128 bits takes 8 units */

static const char *const kinds[] = {"plain", "avx2", "avx512"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* A warp with room for the operands of one instruction: row 0 and 1 are destinations, 2 to 5 sources. */
struct bench {
    _Alignas(64) uint8_t rows[OPERANDS * ROW * PTX_ROW_BYTES];
    uint32_t preds[OPERANDS];
    struct ptx_lanes lanes;
};

struct value {
    uint64_t v[2];
};

static void put(struct bench *b, unsigned operand, unsigned bits, unsigned lane, struct value v)
{
    if (bits == 1)
        b->preds[operand] = (b->preds[operand] & ~(1u << lane)) | (uint32_t)(v.v[0] & 1) << lane;
    else
        memcpy(b->rows + (size_t)operand * ROW * PTX_ROW_BYTES + (size_t)lane * bits / 8, v.v, bits / 8);
}

static struct value get(const struct bench *b, unsigned operand, unsigned bits, unsigned lane)
{
    struct value v = {{0, 0}};

    if (bits == 1)
        v.v[0] = b->preds[operand] >> lane & 1;
    else
        memcpy(v.v, b->rows + (size_t)operand * ROW * PTX_ROW_BYTES + (size_t)lane * bits / 8, bits / 8);
    return v;
}

static bool known(const char *kind)
{
    struct err e;

    return ptx_forms_choose_cpu(kind, &e) == 0;
}

/* --- tables --- */

struct row {
    struct value in[PTX_SOURCES_MAX], out[OUT_MAX];
    bool skip[OUT_MAX];
    int carry_in, carry_out; /* -1: not said */
    unsigned ins, outs;
};

struct group { /* rows of one form and one immediate, up to a warp of them */
    char form[256];
    uint32_t imm;
    struct row rows[PTX_LANES];
    unsigned count;
};

static struct value hex(const char *s)
{
    struct value v = {{0, 0}};

    for (; *s; s++) {
        v.v[1] = v.v[1] << 4 | v.v[0] >> 60;
        v.v[0] = v.v[0] << 4 | (uint64_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
    }
    return v;
}

/* Places of a form's results: dst, dst2, and the further pieces of an unpacking. */
static unsigned results(const struct ptx_form *f, unsigned bits[OUT_MAX])
{
    unsigned n = 0;

    bits[n++] = f->dst_bits;
    if (f->dst2_bits)
        bits[n++] = f->dst2_bits;
    if (strncmp(f->name, "unpack", 6) == 0 && (f->src_bits[0] / 4 == f->dst_bits || strstr(f->name, "b32.b8")))
        for (int i = 0; i < 2; i++)
            bits[n++] = f->dst_bits;
    return n;
}

static struct ptx_form_args args_of(const struct ptx_form *f, uint32_t imm)
{
    unsigned bits[OUT_MAX], n = results(f, bits);
    struct ptx_form_args a = {.imm = f->has_imm ? imm : f->imm};

#define PLACE(operand, width) (uint16_t)((width) == 1 ? (operand) : (operand)*ROW)
    a.dst = PLACE(0, f->dst_bits);
    a.dst2 = f->dst2_bits ? PLACE(1, f->dst2_bits) : PTX_NO_ROW;
    for (unsigned i = 0; i < PTX_SOURCES_MAX; i++)
        a.src[i] = PLACE(2 + i, f->src_bits[i]);
    if (n == 4) {
        a.src[1] = PLACE(6, f->dst_bits);
        a.src[2] = PLACE(7, f->dst_bits);
    }
    return a;
}

static unsigned operand_of_result(unsigned k)
{
    return k < 2 ? k : 4 + k;
}

static void fill(struct bench *b, const struct group *g, const struct ptx_form *f)
{
    memset(b, 0x5a, sizeof *b);
    b->lanes = (struct ptx_lanes){.rows = b->rows, .preds = b->preds};
    for (unsigned l = 0; l < PTX_LANES; l++) {
        const struct row *r = &g->rows[l % g->count];

        for (unsigned i = 0; i < PTX_SOURCES_MAX; i++)
            if (f->src_bits[i])
                put(b, 2 + i, f->src_bits[i], l, r->in[i]);
        b->lanes.carry |= (uint32_t)(r->carry_in == 1) << l;
    }
}

static void verify(const struct bench *b, const struct bench *before, const struct group *g,
                   const struct ptx_form *f, uint32_t mask, const char *kind, bool in_place)
{
    unsigned bits[OUT_MAX], n = results(f, bits);

    for (unsigned l = 0; l < PTX_LANES; l++) {
        const struct row *r = &g->rows[l % g->count];
        bool on = mask >> l & 1;
        int carry = b->lanes.carry >> l & 1, old_carry = before->lanes.carry >> l & 1;

        for (unsigned k = 0; k < n && k < r->outs; k++) {
            unsigned at = in_place ? 2 : operand_of_result(k);
            struct value got = get(b, at, bits[k], l), want = on ? r->out[k] : get(before, at, bits[k], l);

            if (on && r->skip[k])
                continue;
            if (memcmp(&got, &want, sizeof got) != 0)
                fail_msg("%s (%s, mask %08x%s) result %u of %llx %llx %llx %llx imm %x: %llx %llx, not %llx %llx",
                         g->form, kind, mask, in_place ? ", in place" : "", k, (unsigned long long)r->in[0].v[0],
                         (unsigned long long)r->in[1].v[0], (unsigned long long)r->in[2].v[0],
                         (unsigned long long)r->in[3].v[0], g->imm, (unsigned long long)got.v[1],
                         (unsigned long long)got.v[0], (unsigned long long)want.v[1],
                         (unsigned long long)want.v[0]);
        }
        if (r->carry_out >= 0 && carry != (on ? r->carry_out : old_carry))
            fail_msg("%s: carry of %llx %llx is %d", g->form, (unsigned long long)r->in[0].v[0],
                     (unsigned long long)r->in[1].v[0], carry);
    }
}

static void run_group(const struct group *g, const char *kind)
{
    static const uint32_t masks[] = {UINT32_MAX, 1, 0x80000000, 0xaaaaaaaa, 0x00ffff00, 0x7fffffff, 0};
    const struct ptx_form *f = ptx_form_find(g->form);
    unsigned bits[OUT_MAX], n;

    if (!f)
        fail_msg("there is no form %s", g->form);
    n = results(f, bits);
    if (g->rows[0].outs > n)
        fail_msg("%s: %u results in the table", g->form, g->rows[0].outs);
    for (unsigned i = 0; i < g->rows[0].ins; i++)
        if (!f->src_bits[i])
            fail_msg("%s takes fewer than %u sources", g->form, g->rows[0].ins);
    if (g->rows[0].ins < PTX_SOURCES_MAX && f->src_bits[g->rows[0].ins])
        fail_msg("%s takes more than %u sources", g->form, g->rows[0].ins);
    for (unsigned i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        struct ptx_form_args a = args_of(f, g->imm);
        static struct bench b, before;

        fill(&before, g, f);
        b = before;
        b.lanes.rows = b.rows;
        b.lanes.preds = b.preds;
        (masks[i] == UINT32_MAX ? f->full : f->part)(&b.lanes, &a, masks[i]);
        verify(&b, &before, g, f, masks[i], kind, false);
        if (f->dst_bits == 1 || f->src_bits[0] == 1 || n > 1)
            continue;
        b = before; /* the destination begins where the first source does */
        b.lanes.rows = b.rows;
        b.lanes.preds = b.preds;
        a.dst = a.src[0];
        (masks[i] == UINT32_MAX ? f->full : f->part)(&b.lanes, &a, masks[i]);
        verify(&b, &before, g, f, masks[i], kind, true);
    }
}

/* "in in i:imm c:carry=out out c:carry": -1 where it is no such row. */
static int parse_row(char *text, struct row *r, uint32_t *imm)
{
    char *equals = strchr(text, '='), *save, *t;

    *r = (struct row){.carry_in = -1, .carry_out = -1};
    *imm = 0;
    if (!equals)
        return -1;
    *equals = 0;
    for (t = strtok_r(text, " ", &save); t; t = strtok_r(NULL, " ", &save))
        if (strncmp(t, "c:", 2) == 0)
            r->carry_in = t[2] - '0';
        else if (strncmp(t, "i:", 2) == 0)
            *imm = (uint32_t)strtoul(t + 2, NULL, 16);
        else if (r->ins == PTX_SOURCES_MAX)
            return -1;
        else
            r->in[r->ins++] = hex(t);
    for (t = strtok_r(equals + 1, " \r\n", &save); t; t = strtok_r(NULL, " \r\n", &save))
        if (strncmp(t, "c:", 2) == 0) {
            r->carry_out = t[2] - '0';
        } else if (r->outs == OUT_MAX) {
            return -1;
        } else {
            r->skip[r->outs] = *t == '-';
            r->out[r->outs++] = hex(*t == '-' ? "" : t);
        }
    return 0;
}

static bool *seen; /* forms with at least one row, in order of ptx_forms() */

static void mark_seen(const char *name)
{
    size_t n;
    const struct ptx_form *const *all = ptx_forms(&n);

    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i]->name, name) == 0)
            seen[i] = true;
}

static size_t run_table(const char *path, const char *kind)
{
    static struct group g;
    char line[256];
    size_t rows = 0;
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    g.count = 0;
    g.form[0] = 0;
    while (fgets(line, sizeof line, f)) {
        char *comma = strchr(line, ',');
        struct row r;
        uint32_t imm;

        if (line[0] == '#')
            continue;
        assert_non_null(comma);
        *comma = 0;
        if (parse_row(comma + 1, &r, &imm))
            fail_msg("%s: no row: %s", path, line);
        if (g.count && (line[0] || imm != g.imm || g.count == PTX_LANES)) {
            run_group(&g, kind);
            g.count = 0;
        }
        if (line[0]) {
            snprintf(g.form, sizeof g.form, "%s", line);
            mark_seen(g.form);
        }
        g.imm = imm;
        g.rows[g.count++] = r;
        rows++;
    }
    if (g.count)
        run_group(&g, kind);
    fclose(f);
    return rows;
}

static void tables_hold_on_every_cpu(void **state)
{
    size_t rows = 0, n;

    (void)state;
    ptx_forms(&n);
    seen = calloc(n, sizeof *seen);
    for (int k = 0; k < KINDS; k++) {
        DIR *d = opendir(FOLDER);
        const struct dirent *entry;

        assert_non_null(d);
        if (!known(kinds[k]))
            print_message("skipped: this CPU is not of the kind %s\n", kinds[k]);
        else
            while ((entry = readdir(d)))
                if (strstr(entry->d_name, ".csv")) {
                    char path[512];

                    snprintf(path, sizeof path, FOLDER "/%s", entry->d_name);
                    rows += run_table(path, kinds[k]);
                }
        closedir(d);
    }
    assert_true(rows > 1000);
}

/* Instrumented handlers are slow: some of the forms will do there. */
#ifdef __SANITIZE_ADDRESS__
enum { SUMS_EVERY = 16 };
#else
enum { SUMS_EVERY = 1 };
#endif

/* The sum over the results of a form for all values of 16 bits; see exhaustive() in make.py. */
static uint64_t sum_of(const struct ptx_form *f)
{
    struct ptx_form_args args = args_of(f, 0);
    uint64_t sum = 0xcbf29ce484222325u;
    struct bench b;

    b.lanes = (struct ptx_lanes){b.rows, b.preds, 0};
    for (uint32_t first = 0; first < 65536; first += PTX_LANES) {
        uint8_t *in = b.rows + (size_t)2 * ROW * PTX_ROW_BYTES;
        uint64_t out[PTX_LANES];

        for (uint32_t l = 0; l < PTX_LANES; l++) {
            uint32_t v = (first + l) | ~(first + l) << 16;

            memcpy(in + (size_t)l * f->src_bits[0] / 8, &v, f->src_bits[0] == 16 ? 2 : 4);
        }
        f->full(&b.lanes, &args, UINT32_MAX);
        memcpy(out, b.rows, (size_t)f->dst_bits * PTX_LANES / 8);
        for (unsigned k = 0; k < f->dst_bits * PTX_LANES / 8u; k++)
            sum = (sum ^ ((const uint8_t *)out)[k]) * 0x100000001b3u;
    }
    return sum;
}

static void all_halves_come_out_right(void **state)
{
    unsigned lines = 0;

    (void)state;
    for (int k = 0; k < KINDS; k++) {
        unsigned long long want;
        char name[100];
        FILE *f;

        if (!known(kinds[k]))
            continue;
        f = fopen(FOLDER "/exhaustive.sums", "r");
        assert_non_null(f);
        for (; fscanf(f, "%99s %llx", name, &want) == 2; lines++) {
            const struct ptx_form *form = ptx_form_find(name);

            if (lines % SUMS_EVERY != 0)
                continue;
            if (!form || sum_of(form) != want)
                fail_msg("%s on %s: other bits for some value", name, kinds[k]);
        }
        fclose(f);
    }
    assert_true(lines > 100);
}

static void every_form_has_rows(void **state)
{
    size_t n, missing = 0;
    const struct ptx_form *const *all = ptx_forms(&n);

    (void)state;
    for (size_t i = 0; i < n; i++)
        if (!seen[i] && missing++ < 20)
            print_error("%s has no row in " FOLDER "\n", all[i]->name);
    free(seen);
    assert_int_equal(missing, 0);
}

static void names_are_unique_and_sorted(void **state)
{
    size_t n;
    const struct ptx_form *const *all = ptx_forms(&n);

    (void)state;
    for (size_t i = 1; i < n; i++)
        if (strcmp(all[i - 1]->name, all[i]->name) >= 0)
            fail_msg("%s is there twice", all[i]->name);
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(ptx_form_find(all[i]->name), all[i]);
    assert_null(ptx_form_find("add.u33"));
}

/* --- the kinds of CPU against each other --- */

/* Mostly bits at random, some values at the edges of the types. */
static uint64_t some_bits(struct rng *r)
{
    static const uint64_t edges[] = {
        0,          1,          0x7f800000,         0xff800000,         0x7fc00000,         0x80000000, 0x3f800000,
        0x00000001, 0x7fffffff, 0x7ff0000000000000, 0x8000000000000000, 0x3ff0000000000000, 0x7c00,     0x7fff,
        0x8000,     0x3c00,     0xffffffffffffffff, 0x7c007c00,         0x80008000,         31,         32,
        64};
    uint64_t u = rng_u64(r);

    return u & 3 ? rng_u64(r) : edges[(u >> 8) % (sizeof edges / sizeof edges[0])];
}

static void random_bench(struct bench *b, uint64_t seed)
{
    struct rng r;

    rng_init(&r, seed, 0, RNG_TEST);
    memset(b, 0, sizeof *b);
    for (size_t i = 0; i < sizeof b->rows; i += 8) {
        uint64_t u = some_bits(&r);

        memcpy(b->rows + i, &u, 8);
    }
    for (int i = 0; i < OPERANDS; i++)
        b->preds[i] = (uint32_t)rng_u64(&r);
    b->lanes = (struct ptx_lanes){.carry = (uint32_t)rng_u64(&r)};
}

static uint64_t hash_bytes(const void *p, size_t n, uint64_t h)
{
    const uint8_t *b = p;

    for (size_t i = 0; i < n; i++)
        h = (h ^ b[i]) * 0x100000001b3; /* FNV-1a */
    return h;
}

static void kinds_agree(void **state)
{
    enum { ROUNDS = 8, FORMS = 8192 };
    static uint64_t sums[KINDS][FORMS];
    bool have[KINDS];
    size_t n;

    (void)state;
    for (int k = 0; k < KINDS; k++) {
        const struct ptx_form *const *all;

        have[k] = known(kinds[k]);
        all = ptx_forms(&n);
        assert_true(n < FORMS);
        for (size_t i = 0; have[k] && i < n; i++)
            for (uint64_t round = 0; round < ROUNDS; round++) {
                static struct bench b;
                struct ptx_form_args a = args_of(all[i], (uint32_t)round * 37);
                uint32_t mask = round & 1 ? UINT32_MAX : (uint32_t)(round * 0x9e3779b9u);

                a.negate = (uint8_t)(round >> 1);
                random_bench(&b, i * ROUNDS + round);
                b.lanes.rows = b.rows;
                b.lanes.preds = b.preds;
                (round & 1 ? all[i]->full : all[i]->part)(&b.lanes, &a, mask);
                sums[k][i] = hash_bytes(b.rows, sizeof b.rows, sums[k][i]);
                sums[k][i] = hash_bytes(b.preds, sizeof b.preds, sums[k][i] ^ b.lanes.carry);
                if (k && have[0] && round == ROUNDS - 1 && sums[k][i] != sums[0][i])
                    fail_msg("%s gives other bits on %s than on plain", all[i]->name, kinds[k]);
            }
    }
    known(NULL);
}

/* --- names --- */

static void names_are_canonical(void **state)
{
    static const struct {
        struct ptx_inst i;
        const char *name;
    } cases[] = {
        {{.opcode = "add", .modifiers = ".ftz", .types = {PTX_F32}, .type_count = 1}, "add.ftz.f32"},
        {{.opcode = "cvt", .modifiers = ".rni", .types = {PTX_S32, PTX_F32}, .type_count = 2}, "cvt.rni.s32.f32"},
        {{.opcode = "prmt", .modifiers = ".f4e", .types = {PTX_B32}, .type_count = 1}, "prmt.f4e.b32"},
        {{.opcode = "vote", .modifiers = ".ballot.sync", .types = {PTX_B32}, .type_count = 1},
         "vote.sync.ballot.b32"},
        {{.opcode = "ld", .modifiers = ".global.nc.L1::no_allocate", .types = {PTX_U16}, .type_count = 1},
         "ld.global.u16"},
        {{.opcode = "bra", .modifiers = ".uni"}, "bra"},
    };
    char out[64], small[8];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(ptx_form_name(&cases[i].i, out, sizeof out));
        assert_string_equal(out, cases[i].name);
    }
    assert_false(ptx_form_name(&cases[0].i, small, sizeof small));
}

static void negated_predicates(void **state)
{
    const struct ptx_form *f = ptx_form_find("and.pred");
    static struct bench b;
    struct ptx_form_args a = {.dst = 0, .src = {2, 3}, .negate = 2};

    (void)state;
    assert_non_null(f);
    b.lanes = (struct ptx_lanes){.rows = b.rows, .preds = b.preds};
    b.preds[2] = 0xff00ff00;
    b.preds[3] = 0xf0f0f0f0;
    f->full(&b.lanes, &a, UINT32_MAX);
    assert_int_equal(b.preds[0], 0x0f000f00);
    a.negate = 3;
    b.preds[0] = 0xffffffff;
    f->part(&b.lanes, &a, 0x000000ff);
    assert_int_equal(b.preds[0], 0xffffff0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_sorted),
        cmocka_unit_test(tables_hold_on_every_cpu),
        cmocka_unit_test(all_halves_come_out_right),
        cmocka_unit_test(every_form_has_rows),
        cmocka_unit_test(kinds_agree),
        cmocka_unit_test(names_are_canonical),
        cmocka_unit_test(negated_predicates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
