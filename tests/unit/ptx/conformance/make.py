#!/usr/bin/env python3
"""Writes the programs of this folder, each with what it must leave in memory, worked out here by plain arithmetic of
whole numbers, fractions and hashlib: never by running PTX.

    python3 make.py        from this folder; writes *.ptx

A program is a kernel k(in, out): pointers to 32-bit words. Comments at its head say how it is run:
    // launch: grid x y z, block x y z, shared bytes
    // in: words      // out: words      // print: text, \\n for a line's end      // fault: part of the sentence
"""
import hashlib
import math
import os
import struct
from fractions import Fraction

M8, M16, M32, M64 = (1 << 8) - 1, (1 << 16) - 1, (1 << 32) - 1, (1 << 64) - 1
EDGES = [0, 1, 2, 3, 7, 31, 32, 33, 100, 255, 256, 32767, 32768, 65535, 65536, 0x12345678, 0x7ffffffe, 0x7fffffff,
         0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xdeadbeef, 0x0f0f0f0f, 0xf0f0f0f0, 0x55555555, 0xaaaaaaaa,
         0x00ff00ff, 0x87654321, 0xcafebabe, 0x01020304, 0x40000000]
assert len(EDGES) == 32
NAMES = set()


def s32(x):
    x &= M32
    return x - (1 << 32) if x >> 31 else x


def s64(x):
    x &= M64
    return x - (1 << 64) if x >> 63 else x


def noise(n, seed=1):
    """Words that look random: SplitMix64."""
    out = []
    for _ in range(n):
        seed = (seed + 0x9E3779B97F4A7C15) & M64
        z = seed
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & M64
        out.append((z ^ z >> 31) & M32)
    return out


def f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def f64(x):
    v = struct.unpack("<Q", struct.pack("<d", x))[0]
    return [v & M32, v >> 32]


def halves(words64):
    return [w for v in words64 for w in (v & M32, v >> 32 & M32)]


def words_text(key, words):
    words = [w & M32 for w in words]
    return "".join(f"// {key}: " + " ".join(f"{w:x}" for w in words[i:i + 12]) + "\n" for i in range(0, len(words), 12))


BEGIN = """.visible .entry k(.param .u64 in, .param .u64 out)
{
    .reg .b16 %h<24>; .reg .b32 %r<64>; .reg .b64 %d<48>; .reg .f32 %f<24>; .reg .f64 %g<16>; .reg .pred %p<16>;
    ld.param.u64 %d0, [in];
    ld.param.u64 %d1, [out];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mad.lo.u32 %r1, %r1, %r2, %r0; // of the grid
    mad.wide.u32 %d2, %r1, 4, %d0;
    mad.wide.u32 %d3, %r1, 4, %d1;
"""


def program(name, about, body, out=None, ins=None, grid=(1, 1, 1), block=(32, 1, 1), shared=0, above="", printed=None,
            fault=None, target="sm_80", version="7.4", begin=BEGIN):
    """body: the kernel behind BEGIN, where %r0 is the thread, %r1 that of the grid, %d2 and %d3 its words."""
    assert name not in NAMES, name
    NAMES.add(name)
    with open(name + ".ptx", "w") as f:
        f.write(f"// {about}\n// launch: {' '.join(map(str, grid))} {' '.join(map(str, block))} {shared}\n")
        f.write(words_text("in", ins or []))
        f.write(words_text("out", out or []))
        if printed is not None:
            f.write("// print: " + printed.replace("\n", "\\n") + "\n")
        if fault:
            f.write(f"// fault: {fault}\n")
        f.write(f".version {version}\n.target {target}\n.address_size 64\n{above}{begin}")
        f.write("".join(("    " if line and not line.endswith(":") else "") + line + "\n"
                        for line in (x.strip() for x in body.strip().splitlines())))
        f.write("}\n")


for part in ("integers", "control", "calls", "memory", "warps", "atomics", "floats", "whole"):
    exec(compile(open(f"make_{part}.py").read(), f"make_{part}.py", "exec"))
print(len(NAMES), "programs")
for old in os.listdir("."):
    if old.endswith(".ptx") and old[:-4] not in NAMES:
        os.remove(old)
