/* ingest/range_path.h: names of ranges, each stored once, and paths of them: "decoder/layers.7/attention". */
#ifndef VIVACE_INGEST_RANGE_PATH_H
#define VIVACE_INGEST_RANGE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sampling/math/hash_index.h"

struct path_node {
    uint32_t parent, name;
    uint32_t bytes; /* of the path's text */
};

struct range_paths {
    struct hash_index name_index, node_index;
    char **names;            /* names[0] is "" */
    struct path_node *nodes; /* nodes[0]: the empty path */
    size_t name_count, name_capacity, node_count, node_capacity, bytes;
};

int range_paths_init(struct range_paths *p, struct err *e);
void range_paths_release(struct range_paths *p);
/* The number of the name, from 1. -1: no memory. Where there are too many names, later ones share the last one. */
int64_t range_name_id(struct range_paths *p, const char *name, struct err *e);
const char *range_name_text(const struct range_paths *p, uint32_t name);
/* Appends a name to *path. If there are too many paths, or this path is too long, *path is unchanged and *cut is
 * set. */
int range_path_child(struct range_paths *p, uint32_t *path, uint32_t name, bool *cut, struct err *e);
char *range_path_text(const struct range_paths *p, uint32_t path, struct err *e); /* the caller frees it */

#endif
