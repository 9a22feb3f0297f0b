/* simcore/params/gpu.h: the GPU as a whole, its clocks, how launches begin. Rows of the table of parameters
 * (all.h). */
/* clang-format off */
NUMBER("gpu", "compute_capability", OWN(compute_capability), "tenths", 50, 200, 1,
    "70 for 7.0",
    REQUIRED)
NUMBER("gpu", "sms", OWN(sms), "count", 1, DESIGN_SMS_MAX, 1,
    "SMs of the GPU",
    REQUIRED)
NUMBER("gpu", "gpcs", OWN(gpcs), "count", 1, 64, 1,
    "groups of SMs; SM i is in group i mod gpcs",
    REQUIRED)

NUMBER("clock", "sm_mhz", OWN(sm_khz), "MHz", 10, 10000, 1000,
    "clock of the SMs",
    REQUIRED)
NUMBER("clock", "l2_mhz", OWN(l2_khz), "MHz", 10, 10000, 1000,
    "clock of L2 and of the network",
    REQUIRED)

NUMBER("launch", "kernel_cycles", OWN(kernel_cycles), "cycles", 0, 1000000, 1,
    "from the launch to the start of the first CTA",
    BY(PASCAL, "1318", "E", "as on Volta"),
    BY(VOLTA, "1318", "ONE",
        "worked back from exactly this measurement: the shortest launch of one CTA on a V100 takes 1.248 us, "
        "of which the kernel itself takes 591 clocks here"),
    BY(TURING, "1450", "E", "0.86 us as on V100; no launch of one CTA has been published"),
    BY(GA100, "1021", "GB",
        "worked back from exactly this measurement: kernels of 64 KB in a graph follow each other in 1.36 us, "
        "of which the kernel itself takes 897 clocks here"),
    BY(GA10X, "2072", "ONE",
        "worked back from exactly this measurement: the one launch of a CTA in a profile of an RTX 3080 takes "
        "1.44 us, of which the kernel itself takes 390 clocks here"),
    BY(ADA, "2390", "E", "0.95 us as on H100; no launch of one CTA has been published"),
    BY(HOPPER, "1878", "ONE",
        "worked back from exactly this measurement: the shortest launch of one CTA on an H100 takes 1.312 us, "
        "of which the kernel itself takes 720 clocks here"),
    BY(BLACKWELL, "1878", "E", "as on Hopper"))
NUMBER("launch", "cta_interval_cycles", OWN(cta_interval_cycles), "cycles", 0, 10000, 1,
    "between the dispatches of two CTAs, over the whole GPU",
    BY(EVERY, "1", "E", "one CTA a clock over the whole GPU; no measured limit is slower"))
NUMBER("launch", "turnover_cycles", OWN(turnover_cycles), "cycles", 1, 100000, 1,
    "from the exit of a CTA's last warp to the first issue of the next CTA in its slot",
    BY(PASCAL | TURING | GA100 | GA10X | HOPPER | BLACKWELL, "299", "E", "as measured on V100"),
    BY(VOLTA, "299", "GB",
        "worked back from exactly this measurement: 369 clocks from slot to slot for CTAs of the init kernel, "
        "less the 70 that its own instructions take here; the published split into 270 and about 100 is a "
        "guess of the second part"),
    BY(ADA, "491", "GB",
        "worked back from exactly this measurement on an L40, the same chip: 562 clocks from slot to slot for "
        "CTAs of the init kernel, less the 71 that its own instructions take here"))
NUMBER("launch", "warp_cycles", OWN(warp_cycles), "cycles", 0, 10000, 1,
    "between the starts of two warps of a CTA",
    BY(EVERY, "2", "E",
        "start-up of a warp: its registers and special registers are set up one warp after the other"))
NUMBER("launch", "submit_ns", OWN(submit_ps), "ns", 0, 1000000, 1000,
    "host time to submit one item of a stream",
    BY(PASCAL | VOLTA | GA10X | ADA | HOPPER | BLACKWELL, "2200", "E",
        "small kernels in a stream follow each other in 1.6 to 2.6 us on the cards measured beside the A100"),
    BY(TURING, "2300", "E", "period of empty kernels measured on an RTX 2080 Ti"),
    BY(GA100, "2700", "GB",
        "period of small kernels in a stream; the GPU itself takes half of that, as in a graph"))
CHOICE("launch", "cta_scheduler", OWN(cta_scheduler), "name", cta_names,
    "which SM gets the next CTA" CTA_SCHEDULERS(COMPONENT_TEXT),
    ADDED("breadth_first"))
/* clang-format on */
