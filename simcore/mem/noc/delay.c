/* simcore/mem/noc/delay.c: a fixed delay between the ports of GPCs and the slices, independent of other traffic. */
#include "simcore/mem/noc/noc.h"

const struct noc_ops noc_delay = {.name = "delay", .there_ps = noc_way_there_ps, .back_ps = noc_way_back_ps};
