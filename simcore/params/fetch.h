/* simcore/params/fetch.h: instruction fetch, register file, control bits. Rows of the table of parameters (all.h).
 */
/* clang-format off */
NUMBER("fetch", "l0_kb", OWN(fetch_l0_bytes), "KB", 1, 1024, 1024,
    "size of a sub-core's instruction cache (L0)",
    BY(PASCAL, "8", "E",
        "no cache of a sub-core is documented; the smallest instruction cache that Jia et al. find on P4"),
    BY(VOLTA, "12", "JIA"),
    BY(TURING, "16", "JIA"),
    BY(GA100 | GA10X | ADA | HOPPER | BLACKWELL, "32", "E",
        "not published; twice that of Turing, the last one measured"))
NUMBER("fetch", "l1_kb", OWN(fetch_l1_bytes), "KB", 1, 4096, 1024,
    "size of an SM's instruction cache (L1)",
    BY(PASCAL, "32", "JIA"),
    BY(VOLTA, "128", "JIA"),
    BY(TURING, "46", "JIA"),
    BY(GA100 | GA10X | ADA | HOPPER | BLACKWELL, "128", "E",
        "not published; as Volta, the last data-centre chip measured"))
NUMBER("fetch", "l1_line_bytes", OWN(fetch_l1_line), "bytes", 128, 4096, 1,
    "line size of the SM's instruction cache",
    BY(PASCAL | VOLTA | TURING, "256", "JIA"),
    BY(GA100 | GA10X | ADA | HOPPER | BLACKWELL, "256", "E",
        "instructions share the 1.5 level with constants, whose lines have 256 bytes on Volta and Turing"))
NUMBER("fetch", "l1_latency_cycles", OWN(fetch_l1_latency), "cycles", 1, 1000, 1,
    "latency of a hit in the SM's instruction cache",
    BY(EVERY, "30", "E", "between the 20 and 40 that fit a short trip within the SM"))
NUMBER("fetch", "l1_interval_cycles", OWN(fetch_l1_interval), "cycles", 1, 64, 1,
    "interval at which the SM's instruction cache returns pieces of 128 bytes",
    BY(EVERY, "2", "E", "a line of 128 bytes by 64 bytes a clock"))
NUMBER("fetch", "stream_lines", OWN(fetch_stream), "lines", 0, FETCH_STREAM_MAX, 1,
    "lines prefetched after a miss in a sub-core's instruction cache; 0: no prefetch",
    BY(PASCAL | VOLTA | TURING | GA100 | HOPPER | BLACKWELL, "8", "E", "as measured on Ampere by Huerta et al."),
    BY(GA10X, "8", "HU"),
    BY(ADA, "8", "E", "as GA10x, measured by Huerta et al."))

NUMBER("regfile", "banks", OWN(regfile_banks), "count", 1, REGFILE_BANKS_MAX, 1,
    "banks of a sub-core's register file; each has one read port",
    BY(PASCAL, "4", "E",
        "four banks by register number mod 4, as reverse-engineered on Maxwell; Pascal's SM is its successor"),
    BY(VOLTA | TURING, "2", "JIA"),
    BY(GA100 | HOPPER | BLACKWELL, "2", "E", "two banks on Volta, Turing and GA10x alike"),
    BY(GA10X, "2", "HU"),
    BY(ADA, "2", "E", "as GA10x, measured by Huerta et al."))
NUMBER("regfile", "window_cycles", OWN(regfile_window), "cycles", 1, 16, 1,
    "time in which an instruction reads its sources",
    BY(PASCAL | VOLTA | TURING | GA100 | HOPPER | BLACKWELL, "3", "E",
        "three cycles to read the sources, as measured on Ampere by Huerta et al."),
    BY(GA10X, "3", "HU"),
    BY(ADA, "3", "E", "as GA10x, measured by Huerta et al."))

NUMBER("control", "load_read_cycles", OWN(read_load), "cycles", 1, 1000, 1,
    "load: from issue until its registers are read",
    BY(PASCAL | VOLTA | TURING | GA100 | HOPPER | BLACKWELL, "11", "E", "as measured on Ampere by Huerta et al."),
    BY(GA10X, "11", "HU"),
    BY(ADA, "11", "E", "as GA10x, measured by Huerta et al."))
NUMBER("control", "store_read_cycles", OWN(read_store), "cycles", 1, 1000, 1,
    "store of one word per lane: from issue until its registers are read",
    BY(PASCAL | VOLTA | TURING | GA100 | HOPPER | BLACKWELL, "14", "E", "as measured on Ampere by Huerta et al."),
    BY(GA10X, "14", "HU"),
    BY(ADA, "14", "E", "as GA10x, measured by Huerta et al."))
NUMBER("control", "store_word_cycles", OWN(read_store_word), "cycles a word", 0, 100, 1,
    "store: additional time for each further word per lane",
    BY(PASCAL | VOLTA | TURING | GA100 | HOPPER | BLACKWELL, "2", "E", "as measured on Ampere by Huerta et al."),
    BY(GA10X, "2", "HU"),
    BY(ADA, "2", "E", "as GA10x, measured by Huerta et al."))
/* clang-format on */
