/* simcore/system/system.h: a system design: GPUs, CPUs and switches, the channels between them, and what a copy
 * from one to another takes. Format: docs/formats/system.md.
 *
 * Times are in picoseconds, rates in MB/s (10^6 bytes) in one direction. Channels are full duplex. */
#ifndef VIVACE_SIMCORE_SYSTEM_SYSTEM_H
#define VIVACE_SIMCORE_SYSTEM_SYSTEM_H

#include "simcore/simcore.h"

enum {
    SYSTEM_NAME = 16,       /* bytes of the name of a link or group of nodes, NUL included */
    SYSTEM_NODES_MAX = 512, /* of a system */
    SYSTEM_CHANNELS_MAX = 4096,
    SYSTEM_LINKS_MAX = 16,
    SYSTEM_HOPS_MAX = 16 /* channels of a route */
};
#define SYSTEM_COPY_MAX (UINT64_C(1) << 40) /* bytes of one copy */

/* A kind of link, such as one NVLink. */
struct system_link {
    char name[SYSTEM_NAME];
    uint64_t mbs, latency_ps;
    uint32_t payload_bytes, header_bytes; /* of a packet */
};
enum system_kind { SYSTEM_GPU, SYSTEM_CPU, SYSTEM_SWITCH };
struct system_node {
    char name[SYSTEM_NAME + 8]; /* the group's name and a number: "gpu3" */
    char design[64];            /* of a GPU: its built-in design; else empty */
    enum system_kind kind;
    uint32_t group;
    uint32_t cores;         /* of a CPU; else 0 */
    uint64_t latency_ps;    /* for data that pass through a CPU or switch */
    uint32_t nvls_permille; /* of the links' rate that reductions in a switch reach; 0: it does not reduce */
};
/* One or several parallel links between two nodes. */
struct system_channel {
    uint32_t a, b, link, links; /* indices in nodes and link */
};
struct system_design {
    char *name, *title, *json; /* json: canonical text */
    char sha256[SHA256_HEX];
    uint64_t peer_startup_ps, host_startup_ps; /* before the first byte of a copy between GPUs, with the host */
    /* Groups and links are sorted by name, the nodes of a group by number. */
    struct system_link link[SYSTEM_LINKS_MAX];
    uint32_t link_count, node_count, channel_count;
    struct system_node *nodes;
    struct system_channel *channels;
    uint32_t (*ports)[SYSTEM_LINKS_MAX]; /* by node and link: links that the node has; UINT32_MAX: not stated */
};

/* `name`: a built-in system ("dgx-a100"), or a path if it contains a '/' or ends in .json. The caller frees. */
int system_load(const char *name, struct system_design **out, struct err *e);
int system_parse(const char *json, size_t n, const char *label, struct system_design **out, struct err *e);
/* As design_check_file(): reports all faults of a file. */
int system_check_file(const char *path, design_fault_fn *fault, void *ctx, struct system_design **out,
                      struct err *e);
void system_free(struct system_design *s);
const char *const *system_builtin_names(void); /* the last entry is NULL */
/* True for the name of a built-in system, and for a file whose "format" is that of system designs. */
bool system_is_named(const char *name);
/* The parameters, in the order of the file. To be released with design_facts_release(). */
int system_facts_make(const struct system_design *s, struct design_facts *out, struct err *e);
/* As design_derive(). */
int system_derive(const struct system_design *base, const char *name, const struct design_change *changes, size_t n,
                  char **text, struct err *e);

/* The index of a node; UINT32_MAX: there is none of this name. */
uint32_t system_node_find(const struct system_design *s, const char *name);
uint32_t system_count(const struct system_design *s, enum system_kind kind);

/* A route from one node to another. GPUs do not forward, CPUs and switches do. Of all routes it is the one with the
 * fewest channels; of these, each node is reached over the channel that keeps the route widest; then with the least
 * latency; then from the first node in order. Both directions take the same route. */
struct system_route {
    uint32_t hops;                      /* 0: there is no route, or both ends are one node */
    uint32_t channel[SYSTEM_HOPS_MAX];  /* from the first node to the last */
    uint32_t node[SYSTEM_HOPS_MAX + 1]; /* both ends included */
    uint64_t latency_ps;                /* of channels and of nodes passed through, without start-up */
    double gbs;                         /* payload of the narrowest channel, one way */
};
/* The routes from one node to all nodes after it: `out` has room for node_count, and only the elements above `from`
 * count. */
void system_routes_after(const struct system_design *s, uint32_t from, struct system_route *out);
int system_route(const struct system_design *s, uint32_t from, uint32_t to, struct system_route *out,
                 struct err *e);
/* Payload of a channel in one direction, in GB/s. */
double system_channel_gbs(const struct system_design *s, const struct system_channel *c);
/* The time of a copy of `bytes` over this route, alone, in picoseconds: start-up, latency, the packets on the
 * narrowest channel, and one packet on each other channel. bytes: at most SYSTEM_COPY_MAX; the route must have
 * hops. */
uint64_t system_copy_ps(const struct system_design *s, const struct system_route *r, uint64_t bytes);

#endif
