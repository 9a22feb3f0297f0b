/* simcore/params/sources.h: the sources of defaults: SOURCE(key, text). A design file can give its own text for a
 * key. */
/* clang-format off */
SOURCE("V",
    "NVIDIA, architecture whitepaper or product sheet of this GPU")
SOURCE("CC",
    "NVIDIA CUDA C++ Programming Guide, tables of technical specifications and of arithmetic throughput per "
        "compute capability")
SOURCE("DQ",
    "device properties as the card itself reports them: R100001/Programming-Massively-Parallel-Processors and "
        "markdewing/AI_kernels (github)")
SOURCE("JEDEC",
    "JEDEC standard of this memory (HBM2 JESD235, HBM3 JESD238, GDDR6 JESD250): structure and core timing")
SOURCE("GB",
    "te42kyfo/gpu-benches (github), measured data of gpu-latency, gpu-cache, gpu-l2-cache, gpu-stream and "
        "gpu-strides")
SOURCE("MT",
    "caps-tum/mt4g (github), published result files")
SOURCE("JIA",
    "Jia et al., Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, arXiv 1804.06826, and "
        "arXiv 1903.07486 (T4)")
SOURCE("HM",
    "Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture, arXiv 2402.13499 and "
        "2501.12084, and github HPMLL/NVIDIA-Hopper-Benchmark")
SOURCE("HU",
    "Huerta et al., MICRO 2025, arXiv 2503.20481: measured structure of modern NVIDIA cores")
SOURCE("PPT",
    "PPT-GPU (github lanl/PPT), hardware configurations")
SOURCE("ACC",
    "Accel-Sim (github accel-sim/gpgpu-sim_distribution), configuration of this GPU")
SOURCE("AW",
    "AccelWattch (github accel-sim/accel-sim-framework), counters of a V100 in its hardware profile")
SOURCE("AK",
    "markdewing/AI_kernels (github), latency data files")
SOURCE("CAC",
    "chipsandcheese.com, articles on this GPU")
SOURCE("NOC",
    "Jin et al., Uncovering Real GPU NoC Characteristics, MICRO 2024; measured on V100, the same chip")
SOURCE("RAM",
    "Ramulator 2 (github CMU-SAFARI/ramulator2), timing of GDDR6 from a maker's data sheet")
SOURCE("SJ",
    "sjfeng1999/gpu-arch-microbenchmark (github), RTX 2070")
SOURCE("TLB",
    "Zhang et al., TunneLs for Bootlegging, CCS 2023, and github 0x5ec1ab/gpu-tlb: structure of the TLBs of "
        "Turing and Ampere")
SOURCE("YK",
    "YKTian-x2b/AmpereArchViaMicroBenchMark (github), RTX 3060")
SOURCE("PM",
    "R100001/Programming-Massively-Parallel-Processors (github), Performance-Tests-NvBench: measured kernel times")
SOURCE("ONE",
    "launches of one CTA in published profiles: facebookresearch/HolisticTraceAnalysis (V100), "
        "GindaChen/nsys-ai (H100, RTX 3080), github")
SOURCE("AS",
    "statistics archive of Accel-Sim (github accel-sim/statistics-archive, ubench, of 2026): cycles of microbenchmarks "
        "on V100, A100, H100 and H200")
SOURCE("SS",
    "smallscientist1/cuda_microbenchmark (github), Nsight Compute on an A100 PCIe 80 GB")
SOURCE("L",
    "a level of detail of the simulation, not a property of the GPU")
SOURCE("E",
    "our estimate; the reason stands beside the number")
/* clang-format on */
