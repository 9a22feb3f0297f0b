/* simcore/params/link.h: links to the host and to other GPUs. Rows of the table of parameters (all.h). */
/* clang-format off */
NUMBER("link", "pcie_gbs", AT(pcie.mbs), "GB/s", 0.1, 100000, 1000,
    "PCIe: bandwidth in one direction, including packet headers",
    BY(PASCAL | TURING, "13.55", "E",
        "86 % of the 15.75 GB/s of generation 3 x16: the share a V100 reaches of its link, flow control being "
        "the rest"),
    BY(VOLTA, "13.55", "GB", "12.3 GB/s of data reached by long copies from pinned memory, packet headers added"),
    BY(GA100 | GA10X | ADA, "27.1", "E",
        "86 % of the 31.5 GB/s of generation 4 x16: the share a V100 reaches of its link, flow control being "
        "the rest"),
    BY(HOPPER | BLACKWELL, "54.2", "E",
        "86 % of the 63 GB/s of generation 5 x16: the share a V100 reaches of its link, flow control being the "
        "rest"))
NUMBER("link", "pcie_payload_bytes", AT(pcie.payload_bytes), "bytes", 1, 65536, 1,
    "PCIe: data bytes of a packet",
    BY(EVERY, "256", "E", "the usual largest payload of servers"))
NUMBER("link", "pcie_header_bytes", AT(pcie.header_bytes), "bytes", 0, 65536, 1,
    "PCIe: bytes of a packet in addition to its data",
    BY(EVERY, "26", "E", "framing, sequence number, header with 64-bit address, checksum"))
NUMBER("link", "pcie_latency_ns", AT(pcie.latency_ps), "ns", 0, 1000000, 1000,
    "PCIe: latency from end to end",
    BY(EVERY, "1000", "E", "about a microsecond through a root complex"))
NUMBER("link", "pcie_startup_ns", AT(pcie.startup_ps), "ns", 0, 1000000, 1000,
    "PCIe: time to set up a copy",
    BY(PASCAL | TURING | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "27000", "E",
        "as measured on a V100: mostly the driver"),
    BY(VOLTA, "27000", "GB", "what a copy of 1 MB, at 9.25 GB/s, takes longer than its share of a copy of 64 MB"))
NUMBER("link", "nvlink_gbs", AT(nvlink.mbs), "GB/s", 0, 100000, 1000,
    "NVLink: bandwidth in one direction, including packet headers; 0: no NVLink",
    BY(PASCAL | GA10X | ADA, "0", "V", "none"),
    BY(VOLTA, "150", "V", "all links, one way"),
    BY(TURING, "25", "V", "all links, one way"),
    BY(GA100, "300", "V", "all links, one way"),
    BY(HOPPER, "450", "V", "all links, one way"),
    BY(BLACKWELL, "900", "V", "all links, one way"))
NUMBER("link", "nvlink_payload_bytes", AT(nvlink.payload_bytes), "bytes", 1, 65536, 1,
    "NVLink: data bytes of a packet",
    BY(EVERY, "128", "E", "a line"))
NUMBER("link", "nvlink_header_bytes", AT(nvlink.header_bytes), "bytes", 0, 65536, 1,
    "NVLink: bytes of a packet in addition to its data",
    BY(EVERY, "16", "E", "an efficiency of 0.89 for packets of a line"))
NUMBER("link", "nvlink_latency_ns", AT(nvlink.latency_ps), "ns", 0, 1000000, 1000,
    "NVLink: latency from end to end",
    BY(EVERY, "700", "E", "GPU to GPU takes no less than half a microsecond"))
NUMBER("link", "nvlink_startup_ns", AT(nvlink.startup_ps), "ns", 0, 1000000, 1000,
    "NVLink: time to set up a copy",
    BY(PASCAL | GA100 | GA10X | ADA | HOPPER | BLACKWELL, "1900", "E",
        "peer copies of 4 bytes take 1.3 us on a P100 and 2.6 to 2.8 us on an A100 in all"),
    BY(VOLTA | TURING, "1000", "E",
        "peer copies of 4 bytes take 1.3 us on a P100 and 2.6 to 2.8 us on an A100 in all"))
NUMBER("link", "copy_startup_ns", OWN(copy_startup_ps), "ns", 0, 1000000, 1000,
    "time to set up a copy or memset inside the GPU",
    BY(EVERY, "1500", "E", "about as long as a small kernel takes in a graph"))
/* clang-format on */
