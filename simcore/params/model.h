/* simcore/params/model.h: level of detail of each part. Rows of the table of parameters (all.h). */
/* clang-format off */
CHOICE("model", "dependence", AT(model.dependence), "level", dependence_names,
    "when the operands of an instruction are available: none, one_load, scoreboard, control",
    BY(EVERY, "scoreboard", "L"))
CHOICE("model", "fetch", AT(model.fetch), "level", fetch_names,
    "instruction fetch: ideal, cached",
    BY(EVERY, "cached", "L"))
CHOICE("model", "regfile", AT(model.regfile), "level", regfile_names,
    "register file ports: ideal, banked",
    BY(EVERY, "ideal", "L"))
CHOICE("model", "memory", AT(model.memory), "level", memory_names,
    "how requests behind L1 are simulated" MEMORY_PATHS(COMPONENT_TEXT),
    BY(EVERY, "reserve", "L"))
CHOICE("model", "noc", AT(model.noc), "level", noc_names,
    "network" NOC_MODELS(COMPONENT_TEXT),
    BY(EVERY, "delay", "L"))
CHOICE("model", "dram", AT(model.dram), "level", dram_names,
    "device memory" DRAM_MODELS(COMPONENT_TEXT),
    BY(EVERY, "bucket", "L"))
CHOICE("model", "hash", AT(model.hash), "level", hash_names,
    "how addresses are distributed over channels" ADDRESS_HASHES(COMPONENT_TEXT),
    BY(EVERY, "mix", "L"))
CHOICE("model", "tlb", AT(model.tlb), "level", tlb_names,
    "address translation: off, on",
    BY(EVERY, "off", "L"))
/* clang-format on */
