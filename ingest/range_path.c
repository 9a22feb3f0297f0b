#include "ingest/range_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"

#define NAMES_MAX      (1u << 20)
#define NODES_MAX      (1u << 16) /* distinct paths; models have some hundreds */
#define PATH_BYTES_MAX 1000

int range_paths_init(struct range_paths *p, struct err *e)
{
    if (array_reserve((void **)&p->names, &p->name_capacity, 1, sizeof *p->names, e) < 0 ||
        array_reserve((void **)&p->nodes, &p->node_capacity, 1, sizeof *p->nodes, e) < 0)
        return -1;
    p->names[0] = mem_strdup("", e);
    p->nodes[0] = (struct path_node){0};
    p->name_count = p->names[0] != NULL;
    p->node_count = 1;
    return p->name_count ? 0 : -1;
}

void range_paths_release(struct range_paths *p)
{
    for (size_t i = 0; i < p->name_count; i++)
        free(p->names[i]);
    free(p->names);
    free(p->nodes);
    hash_index_release(&p->name_index);
    hash_index_release(&p->node_index);
    *p = (struct range_paths){.names = NULL};
}

int64_t range_name_id(struct range_paths *p, const char *name, struct err *e)
{
    size_t n = strlen(name);
    uint64_t hash = hash_words(name, n);
    size_t at = hash;
    int64_t i;

    while ((i = hash_index_next(&p->name_index, hash, &at)) >= 0)
        if (strcmp(p->names[i + 1], name) == 0)
            return i + 1;
    if (p->name_count == NAMES_MAX)
        return NAMES_MAX - 1;
    if (array_reserve((void **)&p->names, &p->name_capacity, p->name_count + 1, sizeof *p->names, e) < 0)
        return -1;
    p->names[p->name_count] = mem_strdup(name, e);
    if (!p->names[p->name_count])
        return -1;
    p->name_count++;
    p->bytes += n + sizeof *p->names;
    if (hash_index_add(&p->name_index, hash, e) < 0)
        return -1;
    ASSERT(p->name_index.count + 1 == p->name_count);
    return (int64_t)p->name_count - 1;
}

const char *range_name_text(const struct range_paths *p, uint32_t name)
{
    ASSERT(name < p->name_count);
    return p->names[name];
}

int range_path_child(struct range_paths *p, uint32_t *path, uint32_t name, bool *cut, struct err *e)
{
    const uint32_t key[] = {*path, name};
    uint64_t hash = hash_words(key, sizeof key);
    size_t at = hash, bytes;
    int64_t i;

    ASSERT_HOT(*path < p->node_count && name < p->name_count);
    while ((i = hash_index_next(&p->node_index, hash, &at)) >= 0) {
        if (p->nodes[i + 1].parent == *path && p->nodes[i + 1].name == name) {
            *path = (uint32_t)i + 1;
            return 0;
        }
    }
    bytes = p->nodes[*path].bytes + (*path != 0) + strlen(p->names[name]);
    if (p->node_count == NODES_MAX || bytes > PATH_BYTES_MAX) {
        *cut = true;
        return 0;
    }
    if (array_reserve((void **)&p->nodes, &p->node_capacity, p->node_count + 1, sizeof *p->nodes, e) < 0 ||
        hash_index_add(&p->node_index, hash, e) < 0)
        return -1;
    p->nodes[p->node_count] = (struct path_node){*path, name, (uint32_t)bytes};
    *path = (uint32_t)p->node_count++;
    return 0;
}

char *range_path_text(const struct range_paths *p, uint32_t path, struct err *e)
{
    size_t end = p->nodes[path].bytes;
    char *text = mem_zalloc(end + 1, 1, e);

    ASSERT(path < p->node_count);
    while (text && path) {
        const struct path_node *node = &p->nodes[path];
        size_t n = strlen(p->names[node->name]);

        ASSERT(n <= end);
        end -= n;
        memcpy(text + end, p->names[node->name], n);
        path = node->parent;
        if (path)
            text[--end] = '/';
    }
    return text;
}
