/* simcore/params/sm_memory.h: memory as an SM sees it: load/store unit, L1, shared memory, clusters, copies by
 * descriptor. Rows of the table of parameters (all.h). */
/* clang-format off */
NUMBER("lsu", "interval_cycles", OWN(lsu_interval), "cycles", 1, 64, 1,
    "interval between two memory instructions of an SM",
    BY(PASCAL, "1", "E", "32 load and store lanes an SM: one warp a clock"),
    BY(VOLTA | GA100 | HOPPER, "1", "GB"),
    BY(TURING, "2", "E", "as measured on GA10x, which has the same pipe"),
    BY(GA10X, "2", "HU"),
    BY(ADA, "2", "GB", "measured on A40, which has the same pipe"),
    BY(BLACKWELL, "1", "E", "as on Hopper"))
NUMBER("lsu", "agu_cycles", OWN(lsu_agu), "cycles", 1, 64, 1,
    "address generation: interval between two memory instructions of a sub-core",
    BY(PASCAL, "4", "E", "as measured on later chips"),
    BY(VOLTA | TURING | GA100 | GA10X | HOPPER, "4", "HU"),
    BY(ADA, "4", "E", "as on Ampere"),
    BY(BLACKWELL, "4", "E", "as on Hopper"))
NUMBER("lsu", "queue", OWN(lsu_queue), "count", 1, 16, 1,
    "length of a sub-core's queue: issued memory instructions before address generation",
    BY(PASCAL, "5", "E", "as measured on later chips"),
    BY(VOLTA | TURING | GA100 | GA10X | HOPPER, "5", "HU"),
    BY(ADA, "5", "E", "as on Ampere"),
    BY(BLACKWELL, "5", "E", "as on Hopper"))
NUMBER("lsu", "stores", OWN(lsu_stores), "lines", 1, 1024, 1,
    "maximum number of an SM's store lines that L2 has not accepted yet",
    BY(EVERY, "64", "E",
        "enough for a full burst of the resident warps; only stores that run at DRAM speed notice"))
NUMBER("lsu", "tag_slope", OWN(tag_slope_256), "cycles a line", 0, 64, 256,
    "a load of n lines occupies the tags for max(1, slope n + base) cycles",
    BY(PASCAL | VOLTA | TURING | GA10X | ADA, "0.23", "E", "fit to strides measured on A100, A40 and H200"),
    BY(GA100, "0.23", "GB", "fit to the measured strides"),
    BY(HOPPER, "0.23", "GB", "fit to the measured strides of A100 and H200"),
    BY(BLACKWELL, "0.23", "E", "as on Hopper"))
NUMBER("lsu", "tag_base", OWN(tag_base_256), "cycles", 0, 64, 256,
    "see tag_slope",
    BY(PASCAL | VOLTA | TURING | GA10X | ADA, "0.75", "E", "fit to strides measured on A100, A40 and H200"),
    BY(GA100, "0.75", "GB", "fit to the measured strides"),
    BY(HOPPER, "0.75", "GB", "fit to the measured strides of A100 and H200"),
    BY(BLACKWELL, "0.75", "E", "as on Hopper"))

NUMBER("l1", "latency_cycles", OWN(l1_latency), "cycles", 2, 1000, 1,
    "latency of an L1 hit, from issue to a dependent issue",
    BY(PASCAL, "82", "ACC", "configuration of Titan X (Pascal)"),
    BY(VOLTA, "30", "GB"),
    BY(TURING, "32", "SJ", "measured on RTX 2070"),
    BY(GA100, "33", "HM"),
    BY(GA10X, "33", "YK", "measured on RTX 3060"),
    BY(ADA, "36", "HM"),
    BY(HOPPER, "34", "GB"),
    BY(BLACKWELL, "36", "E", "40 clocks measured, less what the same method shows too much on other chips"))
NUMBER("l1", "detect_cycles", OWN(l1_detect), "cycles", 1, 1000, 1,
    "part of latency_cycles after which a miss is sent to L2",
    BY(PASCAL, "74", "E",
        "a miss is known when the tags have been read, about 8 clocks before a hit's data could be used"),
    BY(VOLTA, "22", "E",
        "a miss is known when the tags have been read, about 8 clocks before a hit's data could be used"),
    BY(TURING, "24", "E",
        "a miss is known when the tags have been read, about 8 clocks before a hit's data could be used"),
    BY(GA100 | GA10X, "25", "E",
        "a miss is known when the tags have been read, about 8 clocks before a hit's data could be used"),
    BY(ADA | BLACKWELL, "28", "E",
        "a miss is known when the tags have been read, about 8 clocks before a hit's data could be used"),
    BY(HOPPER, "26", "E",
        "a miss is known when the tags have been read, about 8 clocks before a hit's data could be used"))
NUMBER("l1", "bytes", OWN(l1_bytes), "bytes a clock", 1, 1024, 1,
    "bandwidth of L1",
    BY(PASCAL, "64", "E", "half of Volta, whose L1 is said to be twice as wide"),
    BY(VOLTA | GA100 | HOPPER, "128", "GB"),
    BY(TURING, "64", "E", "as measured on GA10x, which has the same pipe"),
    BY(GA10X, "64", "GB", "measured on A40"),
    BY(ADA, "64", "GB", "measured on L40"),
    BY(BLACKWELL, "128", "E", "as on Hopper"))
NUMBER("l1", "caches_global", OWN(l1_caches_global), "0 or 1", 0, 1, 1,
    "0: loads from global memory bypass L1, unless the program requests caching",
    BY(PASCAL, "0", "CC"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "1", "V"))
NUMBER("l1", "unusable_kb", OWN(l1_unusable_bytes), "KB", 0, 1024, 1024,
    "part of the unified memory that is neither L1 nor shared memory",
    BY(PASCAL, "0", "E", "L1 and shared memory are separate"),
    BY(VOLTA, "10", "GB"),
    BY(TURING, "2", "MT"),
    BY(GA100, "2", "AK"),
    BY(GA10X, "24", "E", "as measured on L40, which has the same memory"),
    BY(ADA, "24", "GB", "about 104 KB of L40 are usable"),
    BY(HOPPER, "18", "MT"),
    BY(BLACKWELL, "18", "E", "as on Hopper"))
NUMBER("l1", "sets", OWN(l1_sets), "count", 1, 4096, 1,
    "number of sets of L1, a power of two",
    BY(EVERY, "64", "E",
        "hashed sets with as many ways as fit; the measured step of the latency curve is as sharp"))
CHOICE("l1", "replacement", OWN(l1_replacement), "name", replacement_names,
    "which line of a full set of L1 is evicted" REPLACEMENT_POLICIES(COMPONENT_TEXT),
    ADDED("lru"))

NUMBER("shared", "latency_cycles", OWN(shared_latency), "cycles", 1, 1000, 1,
    "latency of a load from shared memory, from issue to a dependent issue",
    BY(PASCAL, "26", "E", "24 to 28 are thought of; not measured"),
    BY(VOLTA, "23", "MT"),
    BY(TURING, "23", "SJ", "measured on RTX 2070"),
    BY(GA100 | HOPPER, "29", "HM"),
    BY(GA10X, "23", "YK", "measured on RTX 3060"),
    BY(ADA, "30", "HM", "30.1"),
    BY(BLACKWELL, "29", "E", "as on Hopper"))
NUMBER("shared", "atomic_cycles", OWN(shared_atomic_256), "cycles a lane", 1, 1000, 256,
    "atomics: time for each lane on the same word; ATOMS.POPC.INC: for each word in the same bank",
    BY(PASCAL | VOLTA | TURING, "2", "E",
        "lanes that meet in one word go one after the other; two clocks for read and write of a word"),
    BY(GA100 | GA10X | ADA | HOPPER | BLACKWELL, "2", "E",
        "as on Volta; the histogram measured on GA10x uses ATOMS.POPC.INC, which changes each word once"))
NUMBER("shared", "bytes", OWN(shared_bytes_a_clock), "bytes a clock", 1, 1024, 1,
    "bandwidth of shared memory",
    BY(PASCAL | VOLTA | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "128", "V"),
    BY(TURING, "64", "V", "the GA102 whitepaper says that GA10x doubled it to 128"))

NUMBER("cluster", "latency_cycles", OWN(cluster_latency), "cycles", 1, 10000, 1,
    "latency of a load from another SM's shared memory",
    BY(PASCAL | VOLTA | TURING | GA100 | GA10X | ADA, "181", "E", "as on H100; this GPU has none"),
    BY(HOPPER, "181", "HM", "a pair of SMs; 201 to 207 in larger clusters"),
    BY(BLACKWELL, "181", "E", "as on H100"))
NUMBER("cluster", "bytes", OWN(cluster_bytes), "bytes a clock", 1, 1024, 1,
    "bandwidth of an SM to and from the shared memory of other SMs",
    BY(PASCAL | VOLTA | TURING | GA100 | GA10X | ADA, "16", "E", "as on H100; this GPU has none"),
    BY(HOPPER, "16", "E", "some 3 TB/s over all SMs in clusters of two: half a sector a clock"),
    BY(BLACKWELL, "16", "E", "as on H100"))
NUMBER("cluster", "barrier_cycles", OWN(cluster_barrier), "cycles", 1, 10000, 1,
    "from the last arrival at a cluster's barrier to the next issue of the waiting warps",
    BY(PASCAL | VOLTA | TURING | GA100 | GA10X | ADA, "190", "E", "as on H100; this GPU has none"),
    BY(HOPPER, "190", "E",
        "arrivals and release go through the same network as a load from another SM's shared memory, there and "
        "back"),
    BY(BLACKWELL, "190", "E", "as on H100"))

NUMBER("bulk", "latency_cycles", OWN(bulk_latency), "cycles", 1, 10000, 1,
    "copy by descriptor: from its issue to its first request",
    BY(PASCAL | VOLTA | TURING | GA100 | GA10X | ADA, "170", "E", "as on H100; this GPU has none"),
    BY(HOPPER, "170", "E",
        "copies through a tensor map are known to take some hundreds of clocks longer than loads of the same "
        "lines; half of that before the first request: descriptor and addresses"),
    BY(BLACKWELL, "170", "E", "as on H100"))
NUMBER("bulk", "line_cycles", OWN(bulk_line), "cycles", 1, 64, 1,
    "copy by descriptor: interval between its requests of 128 bytes",
    BY(PASCAL | VOLTA | TURING | GA100 | GA10X | ADA, "2", "E", "as on H100; this GPU has none"),
    BY(HOPPER, "2", "E", "64 bytes a clock, what the SM's port of the network takes in"),
    BY(BLACKWELL, "2", "E", "as on H100"))

NUMBER("constant", "latency_cycles", OWN(constant_latency), "cycles", 1, 1000, 1,
    "latency of a load from constant memory",
    BY(PASCAL, "27", "E", "as on Volta; no measurement of the whole latency at hand"),
    BY(VOLTA, "27", "JIA"),
    BY(TURING, "27", "E", "as on Volta; no measurement of the whole latency is published"),
    BY(GA100, "23", "E", "between the 21 and 25 that are published"),
    BY(GA10X, "26", "HU"),
    BY(ADA, "26", "E", "as on Ampere"),
    BY(HOPPER, "21", "MT"),
    BY(BLACKWELL, "21", "E", "as on Hopper"))

NUMBER("texture", "latency_cycles", OWN(texture_latency), "cycles", 1, 10000, 1,
    "latency of a texture access",
    BY(PASCAL, "142", "E", "L1 hit plus filtering; traces hold no texture addresses"),
    BY(VOLTA, "90", "E", "L1 hit plus filtering; traces hold no texture addresses"),
    BY(TURING, "92", "E", "L1 hit plus filtering; traces hold no texture addresses"),
    BY(GA100 | GA10X, "93", "E", "L1 hit plus filtering; traces hold no texture addresses"),
    BY(ADA | BLACKWELL, "96", "E", "L1 hit plus filtering; traces hold no texture addresses"),
    BY(HOPPER, "94", "E", "L1 hit plus filtering; traces hold no texture addresses"))
/* clang-format on */
