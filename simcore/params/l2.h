/* simcore/params/l2.h: network and L2. Rows of the table of parameters (all.h). */
/* clang-format off */
NUMBER("noc", "sm_request_bytes", OWN(noc_request_bytes), "bytes a clock", 1, 65536, 1,
    "bandwidth of an SM's port to L2",
    BY(EVERY, "64", "E", "as wide as the reply port, so that stores and loads of whole lines are alike"))
NUMBER("noc", "sm_reply_bytes", OWN(noc_reply_bytes), "bytes a clock", 1, 65536, 1,
    "bandwidth of an SM's port from L2",
    BY(EVERY, "64", "E", "two sectors a clock; above every measured L2 bandwidth of one SM"))
NUMBER("noc", "gpc_request_bytes", OWN(noc_gpc_request_bytes), "bytes a clock", 1, 65536, 1,
    "bandwidth of a GPC's port to L2",
    REQUIRED)
NUMBER("noc", "gpc_reply_bytes", OWN(noc_gpc_reply_bytes), "bytes a clock", 1, 65536, 1,
    "bandwidth of a GPC's port from L2",
    REQUIRED)
NUMBER("noc", "header_bytes", OWN(noc_header_bytes), "bytes", 0, 128, 1,
    "size of the header of each packet",
    BY(EVERY, "8", "E", "address, kind and mask of a request of one line"))
NUMBER("noc", "gpc_spread_cycles", OWN(noc_gpc_spread), "cycles", 0, 1000, 1,
    "maximum deviation of the round trip to L2 that depends on the SM's GPC, in SM clocks",
    BY(PASCAL | TURING | GA100 | GA10X | HOPPER | BLACKWELL, "0", "E", "not published for this GPU"),
    BY(VOLTA, "12", "NOC",
        "of the 175 to 248 clocks measured over pairs of an SM and a slice, the third that goes with the SM; "
        "the share is an estimate"),
    BY(ADA, "19", "NOC",
        "222 to 339 clocks measured on L40, the same architecture; a third goes with the SM, which is an "
        "estimate"))
NUMBER("noc", "slice_spread_cycles", OWN(noc_slice_spread), "cycles", 0, 1000, 1,
    "maximum deviation of the round trip to L2 that depends on the slice, in SM clocks",
    BY(PASCAL | TURING | GA100 | GA10X | HOPPER | BLACKWELL, "0", "E", "not published for this GPU"),
    BY(VOLTA, "24", "NOC",
        "of the 175 to 248 clocks measured over pairs of an SM and a slice, what goes with the slice"),
    BY(ADA, "39", "NOC", "222 to 339 clocks measured on L40, what goes with the slice"))

NUMBER("l2", "kb", OWN(l2_bytes), "KB", 64, 1048576, 1024,
    "size of the whole L2",
    REQUIRED)
NUMBER("l2", "slices", OWN(l2_slices), "count", 1, 512, 1,
    "number of slices of L2, a multiple of dram.channels",
    REQUIRED)
NUMBER("l2", "ways", OWN(l2_ways), "count", 1, 64, 1,
    "associativity of a slice",
    BY(PASCAL | TURING, "16", "ACC"),
    BY(VOLTA, "24", "ACC"),
    BY(GA100 | ADA | HOPPER | BLACKWELL, "16", "E", "as on the chips whose count is known"),
    BY(GA10X, "16", "E", "as on RTX 3070"))
NUMBER("l2", "dirty_share", OWN(l2_dirty_65536), "factor", 0, 1, 65536,
    "maximum share of a set's ways with modified lines",
    BY(PASCAL | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "1", "E",
        "all: no limit has been measured on this GPU"),
    BY(VOLTA, "0.5", "AW",
        "half: after mergeSort, which reads and writes 32 MB, 98 407 of the written sectors are not in DRAM, "
        "half of the 6 MB"))
NUMBER("l2", "fetch_bytes", OWN(l2_fetch_bytes), "bytes", 32, 128, 1,
    "a read miss fetches whole aligned pieces of this size",
    BY(PASCAL, "32", "E", "a sector: larger pieces can only be asked for on later GPUs"),
    BY(VOLTA, "32", "ACC",
        "L2 misses sector by sector in the configuration that was compared with counters of a V100"),
    BY(TURING, "32", "E", "as on Volta"),
    BY(GA10X, "32", "PM",
        "a product of a matrix and a vector whose lanes read rows takes 476 us on an RTX 3080 with CTAs of one "
        "warp; with pieces of 64 bytes it would take 252"),
    BY(GA100 | ADA | HOPPER | BLACKWELL, "64", "V",
        "the default of the CUDA limit cudaLimitMaxL2FetchGranularity, as NVIDIA's NeMo examples note it"))
CHOICE("l2", "replacement", OWN(l2_replacement), "name", replacement_names,
    "which line of a full set of L2 is evicted" REPLACEMENT_POLICIES(COMPONENT_TEXT),
    ADDED("lru"))
CHOICE("l2", "mshr", OWN(l2_mshr), "name", mshr_names,
    "miss-status holding registers, used with model.memory event" MSHR_KINDS(COMPONENT_TEXT),
    ADDED("per_request"))
NUMBER("l2", "latency_cycles", OWN(l2_latency), "cycles", 2, 10000, 1,
    "latency of an L2 hit, from issue to a dependent issue, in SM clocks",
    BY(PASCAL, "227", "MT", "measured on Quadro P6000, a GP102"),
    BY(VOLTA, "215", "GB"),
    BY(TURING, "236", "SJ", "measured on RTX 2070"),
    BY(GA100, "212", "GB", "near partition"),
    BY(GA10X, "222", "YK", "measured on RTX 3060"),
    BY(ADA, "285", "HM"),
    BY(HOPPER, "265", "GB", "near partition, PCIe board"),
    BY(BLACKWELL, "295", "AK", "own die; 640 to 660 to the other one"))
NUMBER("l2", "slice_bytes", OWN(l2_slice_bytes), "bytes a clock", 1, 1024, 1,
    "bandwidth of one slice",
    BY(PASCAL, "32", "E", "one sector a clock, as on Volta"),
    BY(VOLTA, "32", "V"),
    BY(TURING, "32", "E", "T4 with the same L2 measures 25 bytes a clock a slice"),
    BY(GA100, "32", "SS",
        "a slice reads one sector a clock for loads; in all 1808 to 2131 bytes a clock are measured (AS), far from "
        "the 5120 of the whitepaper"),
    BY(GA10X, "32", "E",
        "RTX 3060 reads 1276 to 1312 GB/s from L2 (measured), some 30 bytes a clock for each of 24 slices, if "
        "it has two a channel"),
    BY(ADA, "64", "E", "some 1700 bytes a clock are measured in all, more than 32 for each of 48 slices"),
    BY(HOPPER, "32", "E", "see slices"),
    BY(BLACKWELL, "32", "E", "as on Hopper"))
NUMBER("l2", "partitions", OWN(l2_partitions), "count", 1, 2, 1,
    "1 or 2; with 2, each has half of the slices and half of the GPCs",
    BY(PASCAL | VOLTA | TURING | GA10X, "1", "V"),
    BY(GA100 | HOPPER | BLACKWELL, "2", "V"),
    BY(ADA, "1", "E", "latency is the same up to 72 MB"))
NUMBER("l2", "bridge_cycles", OWN(l2_bridge), "cycles", 0, 10000, 1,
    "additional latency of a hit in the other partition, for both ways, in SM clocks",
    BY(PASCAL | VOLTA | TURING | GA10X | ADA, "0", "E", "one partition"),
    BY(GA100, "180", "HM", "357 to 415 clocks in the far partition against 203 to 210 in the near one"),
    BY(HOPPER, "180", "HM", "414 to 500 clocks in the far partition against 264 to 291 in the near one"),
    BY(BLACKWELL, "355", "AK", "640 to 660 clocks to the other die against 295 on the own one"))
NUMBER("l2", "bridge_bytes", OWN(l2_bridge_bytes), "bytes a clock", 0, 65536, 1,
    "bandwidth between the partitions, in each direction; 0: there is only one partition",
    BY(PASCAL | VOLTA | TURING | GA10X | ADA, "0", "E", "one partition"),
    BY(GA100 | HOPPER, "1280", "E",
        "not published; a quarter of what the slices read, well above DRAM, whose data cross it every second "
        "time"),
    BY(BLACKWELL, "2544", "V", "10 TB/s between the dies, half of it each way, at 1965 MHz"))
NUMBER("l2", "atomic_lane_cycles", OWN(l2_atomic_lane), "L2 cycles a lane", 1, 1000, 1,
    "atomics: time for each lane on the same word",
    BY(EVERY, "1", "E", "32 lanes on one word take about 30 L2 clocks on every GPU measured"))
NUMBER("l2", "atomic_sector_cycles", OWN(l2_atomic_sector_256), "L2 cycles a sector", 1, 1000, 256,
    "atomics without lanes on the same word: time for each sector",
    BY(TURING | GA10X, "1.25", "PM",
        "adding 512 neighbouring bins, 64 sectors, takes 0.625 of the time of 32 lanes on one word on RTX 2060 and "
        "RTX 3080: 20 clocks for the 16 sectors of each of the four slices of two channels"),
    BY(PASCAL | VOLTA | GA100 | ADA | HOPPER | BLACKWELL, "1.25", "E", "as measured on Turing and GA10x"))
NUMBER("l2", "atomic_latency_cycles", OWN(l2_atomic_latency), "cycles", 0, 10000, 1,
    "latency of an atomic with a result, in addition to that of a hit",
    BY(EVERY, "30", "E", "measured returning atomics take about that much longer than loads that hit L2"))
/* clang-format on */
