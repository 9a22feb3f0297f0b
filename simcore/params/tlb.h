/* simcore/params/tlb.h: address translation. Rows of the table of parameters (all.h). */
/* clang-format off */
NUMBER("tlb", "page_mb", OWN(tlb_page_mb), "MB", 1, 1024, 1,
    "size of a page, a power of two",
    BY(EVERY, "2", "V", "the large pages of the published page table format, which allocations of that size get"))
NUMBER("tlb", "sm_entries", OWN(tlb_sm_entries), "count", 1, 4096, 1,
    "entries of an SM's TLB, one page each",
    BY(PASCAL | ADA | HOPPER | BLACKWELL, "16", "E", "as measured on Turing and Ampere"),
    BY(VOLTA | TURING, "16", "JIA", "a reach of 32 MB"),
    BY(GA100 | GA10X, "16", "TLB"))
NUMBER("tlb", "gpc_entries", OWN(tlb_gpc_entries), "count", 1, 4096, 1,
    "entries of a GPC's TLB, one page each",
    BY(EVERY, "64", "E", "between the 16 of an SM and the 256 entries of the GPU"))
NUMBER("tlb", "gpc_cycles", OWN(tlb_gpc_cycles), "cycles", 0, 10000, 1,
    "time of a look-up in the GPC's TLB, in SM clocks",
    BY(PASCAL | VOLTA | TURING, "4", "E",
        "asking GPC and GPU takes 10 clocks: chases on V100 rise by 8 to 12 where the reach of an SM ends"),
    BY(GA100 | GA10X | ADA | HOPPER | BLACKWELL, "2", "E",
        "asking GPC and GPU takes 6 clocks: chases on A100, H100 and RTX 4090 rise by no more than 5 to 8 "
        "where the reach of an SM ends"))
NUMBER("tlb", "gpu_sets", OWN(tlb_gpu_sets), "count", 1, 65536, 1,
    "number of sets of the GPU's TLB, a power of two",
    BY(PASCAL | VOLTA | ADA | HOPPER | BLACKWELL, "128", "E", "as measured on Turing and Ampere"),
    BY(TURING | GA100 | GA10X, "128", "TLB"))
NUMBER("tlb", "gpu_ways", OWN(tlb_gpu_ways), "count", 1, 64, 1,
    "entries of a set of the GPU's TLB",
    BY(PASCAL | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "2", "E", "a reach of 8 GB, as measured on Volta"),
    BY(VOLTA | TURING, "2", "JIA", "a reach of 8 GB by entries of 32 MB"))
NUMBER("tlb", "gpu_entry_mb", OWN(tlb_gpu_entry_mb), "MB", 1, 65536, 1,
    "size of the neighbouring pages in one entry of the GPU's TLB, a power of two",
    BY(PASCAL | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "32", "E", "as measured on Volta"),
    BY(VOLTA | TURING, "32", "JIA"))
NUMBER("tlb", "gpu_cycles", OWN(tlb_gpu_cycles), "cycles", 0, 10000, 1,
    "time of a look-up in the GPU's TLB, after that in the GPC's, in SM clocks",
    BY(PASCAL | VOLTA | TURING, "6", "E", "see gpc_cycles"),
    BY(GA100 | GA10X | ADA | HOPPER | BLACKWELL, "4", "E", "see gpc_cycles"))
NUMBER("tlb", "walks", OWN(tlb_walks), "count", 1, 4096, 1,
    "maximum number of concurrent page walks",
    BY(EVERY, "64", "E", "published studies of address translation in GPUs take between 8 and 64"))
NUMBER("tlb", "walk_entries", OWN(tlb_walk_entries), "count", 1, 4096, 1,
    "entries of the walk cache, one directory each",
    BY(EVERY, "16", "E", "directories for 8 GB, as much as the entries of the GPU reach"))
NUMBER("tlb", "directory_mb", OWN(tlb_directory_mb), "MB", 1, 1048576, 1,
    "size of the memory that a directory covers, a power of two",
    BY(EVERY, "512", "V",
        "an entry of the directory above the one with large pages, in the published page table format"))
NUMBER("tlb", "walk_ns", OWN(tlb_walk_ps), "ns", 1, 100000, 1000,
    "duration of a page walk whose directory is in the walk cache",
    BY(EVERY, "290", "E", "300 to 500 clocks of V100 beyond the reach of the GPU: two trips of a walker to memory"))
NUMBER("tlb", "directory_ns", OWN(tlb_directory_ps), "ns", 0, 100000, 1000,
    "additional duration of a page walk that must read the directories",
    BY(EVERY, "130", "E",
        "a cold load takes about 1000 clocks in all on V100: 431 without translation, 400 for the walk, the "
        "rest"))
/* clang-format on */
