/* simcore/params/sm.h: resources of an SM. Rows of the table of parameters (all.h). */
/* clang-format off */
NUMBER("sm", "warps", OWN(warps), "count", 4, DESIGN_WARPS_MAX, 1,
    "maximum number of resident warps of an SM",
    BY(PASCAL | VOLTA | GA100 | HOPPER | BLACKWELL, "64", "CC"),
    BY(TURING, "32", "CC"),
    BY(GA10X | ADA, "48", "CC"))
NUMBER("sm", "ctas", OWN(ctas), "count", 1, 64, 1,
    "maximum number of resident CTAs of an SM",
    BY(PASCAL | VOLTA | GA100 | HOPPER | BLACKWELL, "32", "CC"),
    BY(TURING | GA10X, "16", "CC"),
    BY(ADA, "24", "CC"))
NUMBER("sm", "registers", OWN(registers), "count", 1024, 1048576, 1,
    "32-bit registers of an SM",
    BY(EVERY, "65536", "CC"))
NUMBER("sm", "register_unit", OWN(register_unit), "registers a warp", 32, 4096, 1,
    "allocation granularity of registers",
    BY(EVERY, "256", "CC"))
NUMBER("sm", "shared_kb", OWN(shared_bytes), "KB", 0, 1024, 1024,
    "shared memory of an SM",
    BY(PASCAL | VOLTA, "96", "CC"),
    BY(TURING, "64", "CC"),
    BY(GA100, "164", "CC"),
    BY(GA10X | ADA, "100", "CC"),
    BY(HOPPER | BLACKWELL, "228", "CC"))
NUMBER("sm", "shared_cta_kb", OWN(shared_cta_bytes), "KB", 0, 1024, 1024,
    "maximum shared memory of one CTA",
    BY(PASCAL, "48", "CC"),
    BY(VOLTA, "96", "CC"),
    BY(TURING, "64", "CC"),
    BY(GA100, "163", "CC"),
    BY(GA10X | ADA, "99", "CC"),
    BY(HOPPER | BLACKWELL, "227", "CC"))
NUMBER("sm", "shared_system_bytes", OWN(shared_system_bytes), "bytes a CTA", 0, 65536, 1,
    "shared memory that the system reserves",
    BY(PASCAL | VOLTA | TURING, "0", "CC"),
    BY(GA100 | GA10X | ADA | HOPPER | BLACKWELL, "1024", "CC"))
NUMBER("sm", "shared_unit_bytes", OWN(shared_unit_bytes), "bytes", 1, 65536, 1,
    "allocation granularity of shared memory",
    BY(PASCAL | VOLTA | TURING, "256", "CC"),
    BY(GA100 | GA10X | ADA | HOPPER | BLACKWELL, "128", "CC"))
NUMBER("sm", "unified_kb", OWN(unified_bytes), "KB", 16, 4096, 1024,
    "L1 and shared memory together",
    BY(PASCAL, "144", "V",
        "48 KB of L1 and 96 KB of shared memory, which are separate here; the one carve-out keeps them so"),
    BY(VOLTA | GA10X | ADA, "128", "V"),
    BY(TURING, "96", "V"),
    BY(GA100, "192", "V"),
    BY(HOPPER | BLACKWELL, "256", "V"))
NUMBER("sm", "barrier_cycles", OWN(barrier_cycles), "cycles", 1, 10000, 1,
    "from the last arrival at a barrier to the next issue of the waiting warps",
    BY(EVERY, "20", "E", "a barrier whose last warp arrives releases the others after 20 to 30 clocks"))
NUMBER("sm", "guard_cycles", OWN(guard_cycles), "cycles", 0, 1000, 1,
    "additional latency when a predicate guards an instruction, compared with a read as data",
    BY(PASCAL, "7", "E",
        "13 clocks between a compare and an instruction guarded by its result, as on Volta, 6 of them the "
        "compare itself"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "9", "E",
        "compilers leave 13 clocks between a compare and an instruction guarded by its result, 4 of them the "
        "compare itself"))
CHOICE("sm", "scheduler", OWN(scheduler), "name", sched_names,
    "which ready warp issues" WARP_SCHEDULERS(COMPONENT_TEXT),
    BY(PASCAL, "gto", "ACC", "configuration of Titan X (Pascal)"),
    BY(VOLTA | ADA | HOPPER, "cggty", "E",
        "measured on neighbouring architectures (Turing, Ampere, Blackwell) by Huerta et al."),
    BY(TURING | GA100 | GA10X, "cggty", "HU"),
    BY(BLACKWELL, "cggty", "HU", "measured on consumer Blackwell"))
LIST("sm", "carveouts_kb", "KB", "possible splits of the unified memory: the shared memory of each, ascending",
    BY(PASCAL, "[96]", "CC", "L1 and shared memory are separate"),
    BY(VOLTA, "[0, 8, 16, 32, 64, 96]", "CC"),
    BY(TURING, "[32, 64]", "CC"),
    BY(GA100, "[0, 8, 16, 32, 64, 100, 132, 164]", "CC"),
    BY(GA10X | ADA, "[0, 8, 16, 32, 64, 100]", "CC"),
    BY(HOPPER | BLACKWELL, "[0, 8, 16, 32, 64, 100, 132, 164, 196, 228]", "CC"))
/* clang-format on */
