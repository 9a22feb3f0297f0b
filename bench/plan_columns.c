/* plan_columns FILE: reads a profile from its columnar chunks, as the server does from the database, and makes a
 * plan with method vivace at 1 %. FILE is from `make_profile columns`. Prints the number of launches that the plan
 * simulates. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "sampling/plan/plan.h"
#include "server/domain/import/profile_codec.h"
#include "server/domain/import/profile_file.h"

static int read_kernels(struct profile_file *f, struct profile *p, struct err *e)
{
    struct kernel_facts k;
    int more;

    for (size_t i = 0; (more = profile_file_kernel(f, &k, e)) > 0; i++) {
        struct profile_kernel *to = &p->kernels[i];

        memcpy(to->grid, k.grid, sizeof to->grid);
        memcpy(to->block, k.block, sizeof to->block);
        to->name = k.name; /* `to` takes ownership of both names */
        to->mangled_name = k.mangled_name;
        to->registers = k.registers;
        to->shared_bytes = k.shared_bytes;
        to->name_id = k.name_id;
    }
    return more;
}

static int allocate(struct profile *p, const struct profile_facts *f, struct err *e)
{
    memcpy(p->gpu_name, f->gpu_name, sizeof p->gpu_name);
    p->count = f->launches;
    p->name_count = f->kernels;
    p->kernel_count = f->kernel_shapes;
    p->kernels = mem_zalloc(p->kernel_count, sizeof *p->kernels, e);
    p->kernel = mem_zalloc(p->count, sizeof *p->kernel, e);
    p->value = mem_zalloc(p->count, sizeof *p->value, e);
    p->stream = mem_zalloc(p->count, sizeof *p->stream, e);
    p->start_ns = mem_zalloc(p->count, sizeof *p->start_ns, e);
    return p->kernels && p->kernel && p->value && p->stream && p->start_ns ? 0 : -1;
}

static int read_profile(struct profile_file *f, struct profile *p, struct err *e)
{
    const struct strbuf *tables = profile_file_tables(f);
    struct strbuf chunk = STRBUF_INIT;
    size_t first = 0;
    int more = -1;

    if (allocate(p, profile_file_facts(f), e) < 0 ||
        tables_read((const unsigned char *)tables->text, tables->length, p, e) < 0 || read_kernels(f, p, e) < 0)
        return -1;
    while (first < p->count && (more = profile_file_chunk(f, &chunk, e)) > 0) {
        size_t rows = p->count - first < CHUNK_ROWS ? p->count - first : CHUNK_ROWS;

        more = chunk_read((const unsigned char *)chunk.text, chunk.length, p, first, rows, e);
        if (more < 0)
            break;
        first += rows;
    }
    strbuf_release(&chunk);
    return more;
}

int main(int argc, char **argv)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile_file *f = NULL;
    struct profile p;
    struct plan plan;
    struct err e;
    int ret = -1;

    if (argc != 2) {
        fprintf(stderr, "usage: plan_columns FILE\n");
        return 64;
    }
    profile_init(&p);
    plan_init(&plan);
    params.error = 0.01;
    if (profile_file_open(argv[1], &f, &e) == 0 && read_profile(f, &p, &e) == 0)
        ret = plan_make("vivace", &p, &params, &plan, &e);
    if (ret == 0)
        printf("%zu of %llu launches in %zu strata, profile %s\n", plan.sample_count,
               (unsigned long long)plan.launches, plan.stratum_count, plan.profile_sha256);
    else
        fprintf(stderr, "plan_columns: %s\n", e.text);
    profile_file_close(f);
    plan_release(&plan);
    profile_release(&p);
    return ret < 0 ? 74 : 0;
}
