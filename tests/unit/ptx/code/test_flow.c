/* Blocks, edges and joins: checked by hand on small functions, and against the definition on random graphs. */
#include "base/rng.h"
#include "base/strbuf.h"
#include "ptx/code/flow.h"
#include "tests/harness/check.h"

static struct ptx_module *parse(const char *body)
{
    struct strbuf b = STRBUF_INIT;
    struct ptx_module *m;
    struct err e;

    strbuf_addf(&b,
                ".version 7.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n.reg .pred %%p<9>; .reg .b32 "
                "%%r<9>;\n%s\n}\n",
                body);
    CHECK_OK(ptx_parse(b.text, b.length, "t.ptx", &m, &e), &e);
    if (m->functions[0].broken)
        fail_msg("%s", m->functions[0].fault.text);
    strbuf_release(&b);
    return m;
}

/* "first+count>successors^join" for each block; ! where lanes may exit. */
static char *text_of(const struct ptx_flow *w)
{
    struct strbuf b = STRBUF_INIT;

    for (uint32_t i = 0; i < w->block_count; i++) {
        const struct ptx_block *k = &w->blocks[i];

        strbuf_addf(&b, "%s%u+%u", i ? " " : "", k->first, k->count);
        for (uint32_t n = 0; n < k->edge_count; n++)
            strbuf_addf(&b, "%c%u", n ? ',' : '>', w->edges[k->edge_first + n]);
        strbuf_adds(&b, k->exits ? "!" : "");
        if (k->join != PTX_NONE)
            strbuf_addf(&b, "^%u", k->join);
    }
    return strbuf_detach(&b);
}

static void check_flow(const char *body, const char *want)
{
    struct ptx_module *m = parse(body);
    struct ptx_flow w;
    struct err e;
    char *got;

    CHECK_OK(ptx_flow_build(&m->functions[0], &w, &e), &e);
    got = text_of(&w);
    assert_string_equal(got, want);
    free(got);
    ptx_flow_release(&w);
    ptx_module_free(m);
}

static void small_functions_have_the_blocks_seen_by_eye(void **state)
{
    (void)state;
    check_flow("ret;", "0+1!");
    check_flow("", "");
    check_flow("mov.u32 %r1, 1; mov.u32 %r2, 2;", "0+2!"); /* no instruction ends the function */
    /* if: the paths join after the branch */
    check_flow("@%p1 bra L; mov.u32 %r1, 1; L: mov.u32 %r2, 2; ret;", "0+1>1,2^2 1+1>2^2 2+2!");
    /* if and else */
    check_flow("@%p1 bra E; mov.u32 %r1, 1; bra.uni D; E: mov.u32 %r1, 2; D: ret;",
               "0+1>1,2^3 1+2>3^3 3+1>3^3 4+1!");
    /* a loop: lanes that leave it wait after it */
    check_flow("mov.u32 %r1, 1; L: add.u32 %r1, %r1, 1; @%p1 bra L; ret;", "0+1>1^1 1+2>2,1^2 3+1!");
    /* a guarded return: the remaining lanes never join the lanes that returned */
    check_flow("@%p1 ret; mov.u32 %r1, 1; ret;", "0+1>1! 1+2!");
    /* a label without a branch to it starts no block; a label at the end is the end of the function */
    check_flow("mov.u32 %r1, 1; L: @%p1 bra M; mov.u32 %r1, 2; M:", "0+2>1! 2+1!");
    /* a branch to the next instruction has one successor */
    check_flow("@%p1 bra L; L: ret;", "0+1>1^1 1+1!");
    /* a table of targets with a duplicate */
    check_flow("ts: .branchtargets A, B, B; brx.idx %r1, ts; A: mov.u32 %r1, 1; B: ret;", "0+1>1,2^2 1+1>2^2 2+1!");
    /* an endless loop */
    check_flow("L: bra L;", "0+1>0");
    check_flow("@%p1 bra L; ret; L: bra L;", "0+1>1,2^1 1+1! 2+1>2");
}

/* --- random graphs --- */

enum { NODES_MAX = 12 };

struct random_graph {
    struct ptx_block blocks[NODES_MAX];
    uint32_t edges[NODES_MAX * 3], n;
};

static void make_graph(struct random_graph *g, struct rng *r)
{
    uint32_t edges = 0;

    *g = (struct random_graph){.n = 1 + (uint32_t)rng_below(r, NODES_MAX)};
    for (uint32_t b = 0; b < g->n; b++) {
        g->blocks[b].edge_first = edges;
        g->blocks[b].edge_count = (uint32_t)rng_below(r, 4);
        g->blocks[b].exits = g->blocks[b].edge_count == 0 ? rng_below(r, 8) > 0 : rng_below(r, 8) == 0;
        for (uint32_t k = 0; k < g->blocks[b].edge_count; k++)
            g->edges[edges++] = (uint32_t)rng_below(r, g->n);
    }
}

/* Whether a path leads from b to the end without block `without`. */
static bool escapes(const struct random_graph *g, uint32_t b, uint32_t without)
{
    bool seen[NODES_MAX] = {false};
    uint32_t stack[NODES_MAX], depth = 0;

    if (b == without)
        return false;
    stack[depth++] = b;
    seen[b] = true;
    while (depth) {
        uint32_t at = stack[--depth];

        if (g->blocks[at].exits)
            return true;
        for (uint32_t k = 0; k < g->blocks[at].edge_count; k++) {
            uint32_t to = g->edges[g->blocks[at].edge_first + k];

            if (to != without && !seen[to]) {
                seen[to] = true;
                stack[depth++] = to;
            }
        }
    }
    return false;
}

/* Join by its definition: d is on all paths from b to the end. The immediate join is the first of these blocks. */
static uint32_t join_by_definition(const struct random_graph *g, uint32_t b)
{
    if (!escapes(g, b, PTX_NONE))
        return PTX_NONE;
    for (uint32_t d = 0; d < g->n; d++) {
        bool nearest = d != b && !escapes(g, b, d);

        for (uint32_t other = 0; nearest && other < g->n; other++)
            nearest = other == b || other == d || escapes(g, b, other) || !escapes(g, d, other);
        if (nearest)
            return d;
    }
    return PTX_NONE;
}

static void joins_of_random_graphs_are_those_of_the_definition(void **state)
{
    struct random_graph g;
    uint32_t joins = 0;
    struct rng r;
    struct err e;

    (void)state;
    rng_init(&r, 5, 0, RNG_TEST);
    for (int round = 0; round < 20000; round++) {
        make_graph(&g, &r);
        CHECK_OK(ptx_post_dominators(g.blocks, g.n, g.edges, &e), &e);
        for (uint32_t b = 0; b < g.n; b++) {
            assert_int_equal(g.blocks[b].join, join_by_definition(&g, b));
            joins += g.blocks[b].join != PTX_NONE;
        }
    }
    assert_true(joins > 20000); /* enough graphs have joins */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_functions_have_the_blocks_seen_by_eye),
        cmocka_unit_test(joins_of_random_graphs_are_those_of_the_definition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
