/* Loads a scratch file as a profile in memory, with all checks of its readers. */
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "server/domain/import/feature_codec.h"
#include "server/domain/import/profile_codec.h"
#include "server/domain/import/profile_file.h"

static int damaged(struct err *e)
{
    return err_set(e, ERR_INVALID, "the import process wrote data that is not a profile");
}

static int allocate(struct profile *p, const struct profile_facts *f, struct err *e)
{
    ASSERT(f->kernel_shapes > 0 && f->launches > 0);
    memcpy(p->format, f->format, sizeof p->format);
    memcpy(p->gpu_name, f->gpu_name, sizeof p->gpu_name);
    if (profile_unit_from_name(f->unit, &p->unit) < 0)
        return damaged(e);
    p->count = f->launches;
    p->name_count = f->kernels;
    p->kernels = mem_zalloc(f->kernel_shapes, sizeof *p->kernels, e);
    p->kernel = mem_zalloc(p->count, sizeof *p->kernel, e);
    p->value = mem_zalloc(p->count, sizeof *p->value, e);
    p->stream = mem_zalloc(p->count, sizeof *p->stream, e);
    if (!p->kernels || !p->kernel || !p->value || !p->stream)
        return -1;
    p->kernel_count = f->kernel_shapes;
    if (!f->has_times)
        return 0;
    p->start_ns = mem_zalloc(p->count, sizeof *p->start_ns, e);
    return p->start_ns ? 0 : -1;
}

static int load_kernels(struct profile_file *f, struct profile *p, struct err *e)
{
    struct kernel_facts row;
    int more;

    for (size_t i = 0; (more = profile_file_kernel(f, &row, e)) > 0; i++) {
        struct profile_kernel *k = &p->kernels[i];

        ASSERT(i < p->kernel_count);
        k->name = row.name ? row.name : mem_strdup("", e);
        k->mangled_name = row.mangled_name;
        memcpy(k->grid, row.grid, sizeof k->grid);
        memcpy(k->block, row.block, sizeof k->block);
        k->registers = row.registers;
        k->shared_bytes = row.shared_bytes;
        k->name_id = row.name_id;
        if (!k->name)
            return -1;
        if (k->name_id >= p->name_count)
            return damaged(e);
    }
    if (more < 0)
        kernel_facts_release(&row);
    return more;
}

static int load_chunks(struct profile_file *f, struct profile *p, struct strbuf *bytes, struct err *e)
{
    int more;

    for (size_t first = 0; (more = profile_file_chunk(f, bytes, e)) > 0; first += CHUNK_ROWS) {
        size_t rows = p->count - first < CHUNK_ROWS ? p->count - first : CHUNK_ROWS;

        ASSERT(first < p->count);
        if (chunk_read((const unsigned char *)bytes->text, bytes->length, p, first, rows, e) < 0)
            return -1;
    }
    return more;
}

static int load(struct profile_file *f, struct profile *p, struct err *e)
{
    const struct strbuf *tables = profile_file_tables(f);
    struct strbuf bytes = STRBUF_INIT;
    int ret = -1;

    if (allocate(p, profile_file_facts(f), e) == 0 &&
        tables_read((const unsigned char *)tables->text, tables->length, p, e) == 0 && load_kernels(f, p, e) == 0 &&
        load_chunks(f, p, &bytes, e) == 0) {
        ret = profile_file_features(f, &bytes, e);
        if (ret > 0)
            ret = features_read((const unsigned char *)bytes.text, bytes.length, p, e);
    }
    strbuf_release(&bytes);
    return ret;
}

int profile_file_load(const char *path, uint64_t rows_max, struct profile *out, struct err *e)
{
    struct profile_file *f;
    struct profile p;
    int ret;

    if (profile_file_open(path, &f, e) < 0)
        return -1;
    profile_init(&p);
    if (profile_file_facts(f)->launches > rows_max)
        ret = err_set(e, ERR_TOO_LARGE, "it has %llu launches, more than %llu",
                      (unsigned long long)profile_file_facts(f)->launches, (unsigned long long)rows_max);
    else
        ret = load(f, &p, e);
    profile_file_close(f);
    if (ret < 0) {
        profile_release(&p);
        return -1;
    }
    profile_release(out);
    *out = p;
    return 0;
}
