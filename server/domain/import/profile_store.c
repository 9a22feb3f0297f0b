#include "server/domain/import/profile_store.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "server/store/repo/repo_profile.h"
#include "server/domain/import/feature_codec.h"
#include "server/domain/import/profile_codec.h"

#define KERNELS_AT_ONCE 2000

static int allocate(struct profile *p, const struct db_rows *r, struct err *e)
{
    snprintf(p->format, sizeof p->format, "%s", db_get(r, 0, 0));
    snprintf(p->gpu_name, sizeof p->gpu_name, "%s", db_get(r, 0, 1));
    if (profile_unit_from_name(db_get(r, 0, 2), &p->unit) < 0)
        return err_set(e, ERR_INTERNAL, "the profile's unit \"%.20s\" is not known", db_get(r, 0, 2));
    p->count = db_get_u64(r, 0, 4);
    p->name_count = db_get_u64(r, 0, 5);
    p->kernel_count = db_get_u64(r, 0, 6);
    p->kernels = mem_zalloc(p->kernel_count, sizeof *p->kernels, e);
    p->kernel = mem_zalloc(p->count, sizeof *p->kernel, e);
    p->value = mem_zalloc(p->count, sizeof *p->value, e);
    p->stream = mem_zalloc(p->count, sizeof *p->stream, e);
    if (!p->kernels || !p->kernel || !p->value || !p->stream)
        return -1;
    if (!db_get_bool(r, 0, 3))
        return 0;
    p->start_ns = mem_zalloc(p->count, sizeof *p->start_ns, e);
    return p->start_ns ? 0 : -1;
}

static int read_head(struct db *db, const char *id, struct profile *p, struct err *e)
{
    unsigned char *tables = NULL;
    struct db_rows r;
    size_t n;
    int ret = -1;

    if (repo_profile_get(db, id, &r, e) < 0)
        return -1;
    if (r.count == 0)
        err_set(e, ERR_NOT_FOUND, "there is no profile with this id");
    else if (allocate(p, &r, e) == 0 && db_get_bytes(&r, 0, 7, &tables, &n, e) == 0)
        ret = tables_read(tables, n, p, e);
    free(tables);
    db_rows_release(&r);
    return ret;
}

static int read_kernel(struct profile_kernel *k, const struct db_rows *r, int row, struct err *e)
{
    ASSERT(!k->name && !k->mangled_name);
    k->name = mem_strdup(db_get(r, row, 0), e);
    if (!k->name)
        return -1;
    if (!db_is_null(r, row, 1) && !(k->mangled_name = mem_strdup(db_get(r, row, 1), e)))
        return -1;
    for (int i = 0; i < 3; i++) {
        k->grid[i] = (uint32_t)db_get_i64(r, row, 2 + i);
        k->block[i] = (uint32_t)db_get_i64(r, row, 5 + i);
    }
    k->registers = (uint32_t)db_get_i64(r, row, 8);
    k->shared_bytes = (uint32_t)db_get_i64(r, row, 9);
    k->name_id = (uint32_t)db_get_i64(r, row, 10);
    return 0;
}

static int read_kernels(struct db *db, const char *id, struct profile *p, struct err *e)
{
    for (size_t first = 0; first < p->kernel_count;) {
        struct db_rows r;
        int ret = 0;

        if (repo_profile_kernels(db, id, first, KERNELS_AT_ONCE, &r, e) < 0)
            return -1;
        if (r.count == 0 || first + (size_t)r.count > p->kernel_count)
            ret = err_set(e, ERR_INTERNAL, "the profile's kernel table is not complete");
        for (int i = 0; i < r.count && ret == 0; i++)
            ret = read_kernel(&p->kernels[first + (size_t)i], &r, i, e);
        first += (size_t)r.count;
        db_rows_release(&r);
        if (ret < 0)
            return -1;
    }
    return 0;
}

static int read_chunk(struct db *db, const char *id, struct profile *p, size_t chunk, struct err *e)
{
    size_t first = chunk * CHUNK_ROWS, want = p->count - first < CHUNK_ROWS ? p->count - first : CHUNK_ROWS, n;
    unsigned char *bytes = NULL;
    struct db_rows r;
    int ret = -1;

    ASSERT(first < p->count);
    if (repo_profile_chunk(db, id, chunk, &r, e) < 0)
        return -1;
    if (r.count == 0 || db_get_u64(&r, 0, 0) != want)
        err_set(e, ERR_INTERNAL, "chunk %zu of the profile is missing", chunk);
    else if (db_get_bytes(&r, 0, 1, &bytes, &n, e) == 0)
        ret = chunk_read(bytes, n, p, first, want, e);
    free(bytes);
    db_rows_release(&r);
    return ret;
}

static int read_features(struct db *db, const char *id, struct profile *p, struct err *e)
{
    struct strbuf bytes = STRBUF_INIT;
    int ret = repo_profile_features(db, id, &bytes, e);

    if (ret == 0 && bytes.length > 0)
        ret = features_read((const unsigned char *)bytes.text, bytes.length, p, e);
    strbuf_release(&bytes);
    return ret;
}

int profile_load(struct db *db, const char *profile_id, struct profile *out, struct err *e)
{
    struct profile p;
    int ret;

    if (!uuid_valid(profile_id))
        return err_set(e, ERR_NOT_FOUND, "there is no profile with this id");
    profile_init(&p);
    ret = read_head(db, profile_id, &p, e);
    if (ret == 0)
        ret = read_kernels(db, profile_id, &p, e);
    for (size_t chunk = 0; ret == 0 && chunk < chunk_count(p.count); chunk++)
        ret = read_chunk(db, profile_id, &p, chunk, e);
    if (ret == 0)
        ret = read_features(db, profile_id, &p, e);
    if (ret < 0) {
        profile_release(&p);
        return -1;
    }
    profile_release(out);
    *out = p;
    return 0;
}
