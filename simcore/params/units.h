/* simcore/params/units.h: rate and latency of each class of instructions. Rows of the table of parameters (all.h).
 */
/* clang-format off */
#define RATE(class, name, ...) \
    NUMBER("units." name, "rate", AT(unit[CLASS_##class].rate), "results a clock an SM", 1, 4096, 1, \
           "a warp instruction keeps its pipe for 32 / (rate / 4) cycles", __VA_ARGS__)
#define LATENCY(class, name, ...) \
    NUMBER("units." name, "latency", AT(unit[CLASS_##class].latency), "cycles", 1, 10000, 1, \
           "from issue to a dependent issue", __VA_ARGS__)
#define SHARED_UNIT(class, name, ...) \
    NUMBER("units." name, "per_sm", AT(unit[CLASS_##class].per_sm), "0 or 1", 0, 1, 1, \
           "1: the four sub-cores share one unit", __VA_ARGS__)

RATE(FP32, "fp32",
    BY(PASCAL | GA10X | ADA | HOPPER | BLACKWELL, "128", "CC"),
    BY(VOLTA | TURING | GA100, "64", "CC"))
LATENCY(FP32, "fp32",
    BY(PASCAL, "6", "E",
        "6 clocks are published for Maxwell and Pascal, for Pascal as a family and not for this chip"),
    BY(VOLTA | TURING, "4", "JIA"),
    BY(GA100, "4", "HM"),
    BY(GA10X, "4", "HU"),
    BY(ADA, "4", "E", "as on Ampere"),
    BY(HOPPER | BLACKWELL, "4", "E", "as on its neighbours"))
SHARED_UNIT(FP32, "fp32",
    BY(EVERY, "0", "CC"))

RATE(INT, "int",
    BY(PASCAL, "128", "CC", "shifts: 64"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "64", "CC"))
LATENCY(INT, "int",
    BY(PASCAL, "6", "E",
        "6 clocks are published for Maxwell and Pascal, for Pascal as a family and not for this chip"),
    BY(VOLTA | TURING, "4", "JIA"),
    BY(GA100, "4", "HM"),
    BY(GA10X, "4", "HU"),
    BY(ADA, "4", "E", "as on Ampere"),
    BY(HOPPER | BLACKWELL, "4", "E", "as on its neighbours"))
SHARED_UNIT(INT, "int",
    BY(EVERY, "0", "CC"))

RATE(IMAD, "imad",
    BY(PASCAL, "128", "E",
        "XMAD, the 16-bit step of which compilers make every 32-bit multiplication, runs on the lanes of "
        "additions; a 32-bit IMAD is several instructions"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "64", "CC"))
LATENCY(IMAD, "imad",
    BY(PASCAL, "6", "E", "XMAD, as additions"),
    BY(VOLTA, "5", "JIA"),
    BY(TURING, "5", "E", "as on Volta"),
    BY(GA100 | HOPPER | BLACKWELL, "5", "E", "4 to 5 are published for neighbours"),
    BY(GA10X, "5", "HU", "4 to 5"),
    BY(ADA, "5", "E", "4 to 5, as on Ampere"))
SHARED_UNIT(IMAD, "imad",
    BY(EVERY, "0", "CC"))

RATE(FP16, "fp16",
    BY(PASCAL, "1", "CC", "2 results a clock are one pair"),
    BY(VOLTA | TURING | GA10X | ADA, "64", "CC"),
    BY(GA100 | HOPPER | BLACKWELL, "128", "CC"))
LATENCY(FP16, "fp16",
    BY(PASCAL, "6", "E", "as FP32"),
    BY(VOLTA, "6", "JIA"),
    BY(TURING, "6", "E", "between the 5 and 6 that are published for Volta and Turing"),
    BY(GA100 | GA10X | ADA | HOPPER | BLACKWELL, "5", "E", "as on its neighbours"))
SHARED_UNIT(FP16, "fp16",
    BY(PASCAL, "1", "E", "one narrow unit an SM: a rate of one pair a clock does not divide among four sub-cores"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "0", "CC"))

RATE(FP64, "fp64",
    BY(PASCAL, "4", "CC"),
    BY(VOLTA | GA100, "32", "CC"),
    BY(TURING | GA10X | ADA, "2", "CC"),
    BY(HOPPER | BLACKWELL, "64", "CC"))
LATENCY(FP64, "fp64",
    BY(PASCAL, "48", "E",
        "one lane in each sub-core works 32 clocks on a warp, then a pipe of some 16; not measured"),
    BY(VOLTA, "8", "JIA"),
    BY(TURING, "48", "E", "between the 45 of PPT-GPU and 48 of older chips with the same shared unit"),
    BY(GA100, "8", "E", "as on Volta"),
    BY(GA10X, "40", "HU", "40 and more on the shared unit"),
    BY(ADA, "40", "E", "40 and more, as measured on the shared unit of Ampere"),
    BY(HOPPER, "12", "E", "between the 8 and 16 that are plausible for the wider unit"),
    BY(BLACKWELL, "12", "E", "as on Hopper"))
SHARED_UNIT(FP64, "fp64",
    BY(PASCAL | VOLTA | GA100 | HOPPER | BLACKWELL, "0", "CC"),
    BY(TURING | GA10X, "1", "HU"),
    BY(ADA, "1", "E", "as on Ampere"))

RATE(SFU, "sfu",
    BY(PASCAL, "32", "CC"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "16", "CC"))
LATENCY(SFU, "sfu",
    BY(PASCAL, "20", "ACC", "configuration of Titan X (Pascal)"),
    BY(VOLTA, "18", "E", "between the 14 and 20 that are published"),
    BY(TURING, "20", "E", "between the 18 and 22 that are published"),
    BY(GA100 | GA10X | ADA, "18", "E", "between the 16 and 22 that are published"),
    BY(HOPPER, "16", "E", "as published for its neighbours, lower end"),
    BY(BLACKWELL, "16", "E", "as on Hopper"))
SHARED_UNIT(SFU, "sfu",
    BY(EVERY, "0", "CC"))

RATE(CONVERT, "convert",
    BY(PASCAL, "32", "CC"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "16", "CC"))
LATENCY(CONVERT, "convert",
    BY(EVERY, "14", "E", "same unit as the transcendental functions, a shorter pipe"))
SHARED_UNIT(CONVERT, "convert",
    BY(EVERY, "0", "CC"))

RATE(BITCOUNT, "bitcount",
    BY(PASCAL, "32", "CC"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "16", "CC"))
LATENCY(BITCOUNT, "bitcount",
    BY(EVERY, "14", "E", "same unit as the conversions"))
SHARED_UNIT(BITCOUNT, "bitcount",
    BY(EVERY, "0", "CC"))

RATE(SHUFFLE, "shuffle",
    BY(EVERY, "32", "CC"))
LATENCY(SHUFFLE, "shuffle",
    BY(PASCAL, "26", "E", "a shuffle goes through the crossbar of shared memory and takes about as long"),
    BY(VOLTA | TURING | GA100 | GA10X | HOPPER | BLACKWELL, "23", "E",
        "a shuffle goes through the crossbar of shared memory and takes about as long"),
    BY(ADA, "30", "E", "a shuffle goes through the crossbar of shared memory and takes about as long"))
SHARED_UNIT(SHUFFLE, "shuffle",
    BY(EVERY, "0", "CC"))

RATE(VOTE, "vote",
    BY(EVERY, "64", "CC"))
LATENCY(VOTE, "vote",
    BY(PASCAL, "8", "E", "an integer operation with one more step across the lanes"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "6", "E",
        "an integer operation with one more step across the lanes"))
SHARED_UNIT(VOTE, "vote",
    BY(EVERY, "0", "CC"))

RATE(SPECIAL, "special",
    BY(EVERY, "32", "E", "special registers are read one at a time, as shuffles"))
LATENCY(SPECIAL, "special",
    BY(EVERY, "20", "E", "compilers wait for special registers by scoreboard, as for a short load"))
SHARED_UNIT(SPECIAL, "special",
    BY(EVERY, "0", "CC"))

RATE(UNIFORM, "uniform",
    BY(PASCAL, "128", "E", "Pascal has no uniform datapath; traces of later GPUs use it as if"),
    BY(VOLTA, "128", "E", "Volta has no uniform datapath; traces of later GPUs use it as if"),
    BY(TURING | GA100 | GA10X | HOPPER | BLACKWELL, "128", "HU"),
    BY(ADA, "128", "E", "as on Ampere"))
LATENCY(UNIFORM, "uniform",
    BY(PASCAL, "8", "E",
        "about two clocks more than an integer operation before a vector instruction can read the result"),
    BY(VOLTA | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "6", "E",
        "about two clocks more than an integer operation before a vector instruction can read the result"))
SHARED_UNIT(UNIFORM, "uniform",
    BY(EVERY, "0", "CC"))

RATE(BRANCH, "branch",
    BY(EVERY, "128", "E", "one a clock in every sub-core"))
LATENCY(BRANCH, "branch",
    BY(EVERY, "10", "E", "a taken branch restarts fetching"))
SHARED_UNIT(BRANCH, "branch",
    BY(EVERY, "0", "CC"))

NUMBER("units", "fp32_in_int", OWN(fp32_in_int), "0 or 1", 0, 1, 1,
    "1: the integer pipe also executes FP32 instructions",
    BY(PASCAL | VOLTA | TURING | GA100, "0", "V"),
    BY(GA10X | ADA | HOPPER | BLACKWELL, "1", "V"))

#undef RATE
#undef LATENCY
#undef SHARED_UNIT
/* clang-format on */
