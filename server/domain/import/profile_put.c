#include "server/domain/import/profile_put.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "server/store/repo/repo_profile.h"
#include "server/domain/import/profile_codec.h"

#define CHUNKS_A_COMMIT  16
#define KERNELS_A_COMMIT 1000

struct batch {
    struct profile_file *file;
    const struct profile_owner *owner;
    struct kernel_facts kernels[KERNELS_A_COMMIT];
    struct strbuf chunks[CHUNKS_A_COMMIT], features;
    size_t count;
    uint64_t first, rows_left;
};

static int put_kernels(struct db *db, struct batch *b, struct err *e)
{
    int more;

    ASSERT(b->first == 0);
    do {
        int ret;

        b->count = 0;
        while ((more = profile_file_kernel(b->file, &b->kernels[b->count], e)) > 0 && ++b->count < KERNELS_A_COMMIT)
            continue;
        ret = more < 0   ? -1
              : b->count ? repo_profile_kernels_put(db, b->owner->id, b->first, b->kernels, b->count, e)
                         : 0;
        for (size_t i = 0; i < b->count + (more < 0); i++)
            kernel_facts_release(&b->kernels[i]);
        if (ret < 0)
            return -1;
        b->first += b->count;
    } while (more > 0);
    ASSERT(b->first == profile_file_facts(b->file)->kernel_shapes);
    return 0;
}

static int put_chunk_set(struct db *db, void *ctx, struct err *e)
{
    struct batch *b = ctx;
    uint64_t left = b->rows_left;

    ASSERT(b->count > 0 && b->count <= CHUNKS_A_COMMIT);
    for (size_t i = 0; i < b->count; i++) {
        uint64_t rows = left < CHUNK_ROWS ? left : CHUNK_ROWS;

        ASSERT(rows > 0);
        if (repo_profile_chunk_put(db, b->owner->id, b->first + i, rows, &b->chunks[i], e) < 0)
            return -1;
        left -= rows;
    }
    return 0;
}

static int put_chunks(struct db *db, struct batch *b, struct err *e)
{
    int more = 1, ret = 0;

    b->first = 0;
    b->rows_left = profile_file_facts(b->file)->launches;
    while (more > 0 && ret == 0) {
        b->count = 0;
        while (b->count < CHUNKS_A_COMMIT && (more = profile_file_chunk(b->file, &b->chunks[b->count], e)) > 0)
            b->count++;
        ret = more < 0 ? -1 : b->count ? db_part(db, put_chunk_set, b, e) : 0;
        b->first += b->count;
        b->rows_left -= b->rows_left < b->count * CHUNK_ROWS ? b->rows_left : b->count * CHUNK_ROWS;
    }
    ASSERT(ret < 0 || b->rows_left == 0);
    ASSERT(ret < 0 || b->first == chunk_count(profile_file_facts(b->file)->launches));
    return ret;
}

static int put_features(struct db *db, void *ctx, struct err *e)
{
    struct batch *b = ctx;

    return repo_profile_features_put(db, b->owner->id, &b->features, e);
}

int profile_put(struct db *db, struct profile_file *file, const struct profile_owner *o, wall_us now, struct err *e)
{
    struct batch *b = mem_zalloc(1, sizeof *b, e);
    int ret = -1;

    if (!b)
        return -1;
    b->file = file;
    b->owner = o;
    for (int i = 0; i < CHUNKS_A_COMMIT; i++)
        b->chunks[i] = (struct strbuf)STRBUF_INIT;
    b->features = (struct strbuf)STRBUF_INIT;
    if (repo_profile_put(db, o->id, o->team, o->import, o->blob, o->name, profile_file_facts(file),
                         profile_file_tables(file), now, e) == 0 &&
        put_kernels(db, b, e) == 0 && put_chunks(db, b, e) == 0 &&
        profile_file_features(file, &b->features, e) >= 0)
        ret = db_part(db, put_features, b, e);
    for (int i = 0; i < CHUNKS_A_COMMIT; i++)
        strbuf_release(&b->chunks[i]);
    strbuf_release(&b->features);
    free(b);
    return ret;
}
