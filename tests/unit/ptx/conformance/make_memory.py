# Loads, stores, spaces: part of make.py.
A = EDGES
R = noise(512, 9)
raw = b"".join(struct.pack("<I", w) for w in R)


def get(at, n, signed=False):
    return int.from_bytes(raw[at:at + n], "little", signed=signed)


out = []
for t in range(32):
    b = t * 16
    out += [get(b, 1, True) & M32, get(b + 1, 1), get(b + 2, 2, True) & M32, get(b + 6, 2)]
    out += halves([get(b + 3, 1, True) & M64, get(b + 4, 2, True) & M64, get(b + 8, 4, True) & M64, get(b + 8, 4)])
program("loads_that_extend", "narrow loads fill wider registers with zeros or the sign", """
    mad.wide.u32 %d2, %r0, 16, %d0;
    ld.global.s8 %r20, [%d2]; ld.global.u8 %r21, [%d2+1]; ld.global.s16 %r22, [%d2+2]; ld.global.u16 %r23, [%d2+6];
    ld.global.s8 %d20, [%d2+3]; ld.global.s16 %d21, [%d2+4]; ld.global.s32 %d22, [%d2+8]; ld.global.u32 %d23, [%d2+8];
    mad.wide.u32 %d3, %r0, 48, %d1;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23}; st.global.v2.u64 [%d3+16], {%d20, %d21}; st.global.v2.u64 [%d3+32], {%d22, %d23};
    ret;""", out, R)

out = []
for t in range(32):
    b = t * 16
    v = [get(b + k, 1, True) for k in range(4)]
    w = [get(b + 8 + 2 * k, 2) for k in range(4)]
    out += [sum(v) & M32, v[3] & M32, sum(w), w[2], get(b + 4, 2, True) & M32, get(b + 6, 2, True) & M32]
program("vectors_of_small_values", "v4.s8, v4.u16, v2.s16: each element into a register of its own", """
    mad.wide.u32 %d2, %r0, 16, %d0;
    ld.global.v4.s8 {%r10, %r11, %r12, %r13}, [%d2];
    ld.global.v4.u16 {%h1, %h2, %h3, %h4}, [%d2+8];
    ld.global.v2.s16 {%r14, %r15}, [%d2+4];
    add.u32 %r20, %r10, %r11; add.u32 %r20, %r20, %r12; add.u32 %r20, %r20, %r13;
    cvt.u32.u16 %r21, %h1; cvt.u32.u16 %r22, %h2; add.u32 %r21, %r21, %r22; cvt.u32.u16 %r23, %h3; add.u32 %r21, %r21, %r23;
    cvt.u32.u16 %r22, %h4; add.u32 %r21, %r21, %r22;
    mad.wide.u32 %d3, %r0, 24, %d1;
    st.global.v2.u32 [%d3], {%r20, %r13}; st.global.v2.u32 [%d3+8], {%r21, %r23}; st.global.v2.u32 [%d3+16], {%r14, %r15};
    ret;""", out, R)

out = []
for t in range(32):
    o = bytearray(16)
    v = R[t]
    o[0:4] = bytes([v & 255, v >> 8 & 255, v & 255, 0x80])
    o[4:8] = struct.pack("<HH", v & M16, v >> 16)
    o[8:16] = struct.pack("<Q", v << 7)
    out += list(struct.unpack("<4I", bytes(o)))
program("stores_that_cut", "narrow stores take the low bits; b8 vectors; a 64-bit store of a sum", """
    ld.global.u32 %r10, [%d2];
    mad.wide.u32 %d3, %r0, 16, %d1;
    shr.u32 %r11, %r10, 8;
    st.global.v4.u8 [%d3], {%r10, %r11, %r10, -128};
    st.global.u16 [%d3+4], %r10;
    shr.u32 %r12, %r10, 16; cvt.u16.u32 %h1, %r12;
    st.global.b16 [%d3+6], %h1;
    cvt.u64.u32 %d10, %r10; shl.b64 %d10, %d10, 7;
    st.global.u64 [%d3+8], %d10;
    ret;""", out, R[:32])

out = []
for t in range(32):
    kind = t % 4
    out.append([R[t], 1000 + t, 2000 + t * 3, 77 + t][kind] + 5 & M32)
program("one_load_four_spaces", "a generic load and store whose lanes go to global, shared, local and constant memory", """
    .shared .align 4 .b32 s[32]; .local .align 4 .b32 l[4];
    shl.b32 %r10, %r0, 2;
    mov.u32 %r11, s; add.u32 %r11, %r11, %r10;
    add.u32 %r12, %r0, 1000; st.shared.u32 [%r11], %r12;
    mad.lo.u32 %r13, %r0, 3, 2000; st.local.u32 [l+8], %r13;
    bar.sync 0;
    and.b32 %r14, %r0, 3;
    cvta.global.u64 %d10, %d2;
    cvt.u64.u32 %d11, %r11; cvta.shared.u64 %d11, %d11;
    mov.u64 %d12, l; cvta.local.u64 %d12, %d12; add.u64 %d12, %d12, 8;
    mov.u64 %d13, c; mad.wide.u32 %d13, %r0, 4, %d13; cvta.const.u64 %d13, %d13;
    setp.eq.u32 %p1, %r14, 1; selp.b64 %d20, %d11, %d10, %p1;
    setp.eq.u32 %p2, %r14, 2; selp.b64 %d20, %d12, %d20, %p2;
    setp.eq.u32 %p3, %r14, 3; selp.b64 %d20, %d13, %d20, %p3;
    ld.u32 %r20, [%d20];
    add.u32 %r20, %r20, 5;
    @!%p3 st.u32 [%d20], %r20;
    setp.eq.u32 %p4, %r14, 0;
    @%p4 ld.global.u32 %r21, [%d2]; @%p1 ld.shared.u32 %r21, [%r11]; @%p2 ld.local.u32 %r21, [l+8]; @%p3 mov.u32 %r21, %r20;
    st.global.u32 [%d3], %r21;
    ret;""", out, R[:32], above=".const .align 4 .u32 c[32] = {%s};\n" % ", ".join(str(77 + t) for t in range(32)))

out = []
for t in range(32):
    a, b, c, d = (t % 4 == k for k in range(4))
    out.append(int(a) | int(b) << 1 | int(c) << 2 | int(a or d) << 3)
program("which_space", "isspacep tells windows apart; an address goes into its space and comes back", """
    .shared .align 4 .b32 s[2]; .local .align 4 .b32 l[2];
    and.b32 %r10, %r0, 3;
    mov.u64 %d10, %d0;
    mov.u64 %d11, s; cvta.shared.u64 %d11, %d11;
    mov.u64 %d12, l; cvta.local.u64 %d12, %d12;
    mov.u64 %d13, v; cvta.global.u64 %d13, %d13;
    setp.eq.u32 %p1, %r10, 1; selp.b64 %d10, %d11, %d10, %p1;
    setp.eq.u32 %p1, %r10, 2; selp.b64 %d10, %d12, %d10, %p1;
    setp.eq.u32 %p1, %r10, 3; selp.b64 %d10, %d13, %d10, %p1;
    isspacep.shared %p2, %d10; isspacep.local %p3, %d10; isspacep.global %p4, %d10;
    not.pred %p5, %p2;
    selp.u32 %r20, 2, 0, %p2; @%p3 or.b32 %r20, %r20, 4; @%p4 or.b32 %r20, %r20, 8;
    setp.eq.u64 %p6, %d10, %d0; @%p6 or.b32 %r20, %r20, 1;
    cvta.to.shared.u64 %d14, %d11; cvta.shared.u64 %d14, %d14; setp.ne.u64 %p7, %d14, %d11; @%p7 trap;
    cvta.to.local.u64 %d14, %d12; st.local.u32 [%d14+4], 9; ld.u32 %r21, [%d12+4]; setp.ne.u32 %p7, %r21, 9; @%p7 trap;
    st.global.u32 [%d3], %r20;
    ret;""", out, [1], above=".global .align 4 .u32 v;\n")

out = []
for t in range(32):
    l = [t * 7 + k * k for k in range(16)]
    for k in range(16):
        l[(k * 5 + t) % 16] += l[k]
    h = 0
    for v in l:
        h = h * 31 + v & M32
    out.append(h)
program("local_arrays", "an array of each lane, indexed by values that differ", """
    .local .align 16 .b32 l[16];
    mov.u64 %d10, l;
    mov.u32 %r10, 0;
    FILL:
    mul.lo.u32 %r11, %r10, %r10; mad.lo.u32 %r11, %r0, 7, %r11;
    mad.wide.u32 %d11, %r10, 4, %d10; st.local.u32 [%d11], %r11;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 16;
    @%p1 bra FILL;
    mov.u32 %r10, 0;
    MIX:
    mad.wide.u32 %d11, %r10, 4, %d10; ld.local.u32 %r11, [%d11];
    mad.lo.u32 %r12, %r10, 5, %r0; and.b32 %r12, %r12, 15; mad.wide.u32 %d12, %r12, 4, %d10;
    ld.local.u32 %r13, [%d12]; add.u32 %r13, %r13, %r11; st.local.u32 [%d12], %r13;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 16;
    @%p1 bra MIX;
    mov.u32 %r20, 0; mov.u32 %r10, 0;
    HASH:
    mad.wide.u32 %d11, %r10, 16, %d10; ld.local.v4.u32 {%r11, %r12, %r13, %r14}, [%d11];
    mad.lo.u32 %r20, %r20, 31, %r11; mad.lo.u32 %r20, %r20, 31, %r12; mad.lo.u32 %r20, %r20, 31, %r13; mad.lo.u32 %r20, %r20, 31, %r14;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 4;
    @%p1 bra HASH;
    st.global.u32 [%d3], %r20;
    ret;""", out)

program("constants_and_addresses", "initial values: nested braces, floats, addresses with offsets, generic ones, other variables", """
    mov.u64 %d10, p; ld.global.u64 %d11, [%d10]; ld.u32 %r20, [%d11];
    ld.global.u64 %d12, [%d10+8]; ld.u32 %r21, [%d12];
    ld.const.f32 %f1, [m+20]; mov.b32 %r22, %f1;
    ld.const.f64 %g1, [d+8]; mov.b64 %d13, %g1; mov.b64 {%r23, %r24}, %d13;
    ld.const.u8 %r25, [b+2]; ld.const.s8 %r26, [b+3]; ld.const.u32 %r27, [m+12];
    mov.u64 %d14, t+8; ld.global.v2.u32 {%r28, %r29}, [%d14];
    st.global.v4.u32 [%d1], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%d1+16], {%r24, %r25, %r26, %r27};
    st.global.v2.u32 [%d1+32], {%r28, %r29};
    ret;""", [30, 40, f32(6.5), *f64(-0.1), 255, (-7) & M32, f32(4.5), 30, 40], block=(1, 1, 1), above="""
.global .align 8 .u32 t[5] = {10, 20, 30, 40, 50};
.global .align 8 .u64 p[3] = {generic(t)+8, generic(t)+12, t};
.const .align 4 .f32 m[2][3] = {{1.0, 0f40000000}, {4.5, -0.0, 6.5}};
.const .align 8 .f64 d[2] = {0d3FF0000000000000, -0.1};
.const .align 1 .b8 b[4] = {1, 2, 0xff, -7};
""")

N2 = noise(256, 4)
program("sort_in_shared", "256 words sorted by a bitonic network, dynamic shared memory behind static", """
    .shared .align 4 .b32 front[3];
    mov.u32 %r10, dyn; shl.b32 %r11, %r0, 2; add.u32 %r10, %r10, %r11;
    ld.global.u32 %r12, [%d2]; st.shared.u32 [%r10], %r12; st.shared.u32 [front+8], %r0;
    mov.u32 %r13, 2;
    SIZE:
    shr.u32 %r14, %r13, 1;
    STEP:
    bar.sync 0;
    xor.b32 %r15, %r0, %r14;
    setp.le.u32 %p1, %r15, %r0;
    @%p1 bra NEXT;
    mov.u32 %r16, dyn; shl.b32 %r17, %r15, 2; add.u32 %r16, %r16, %r17;
    ld.shared.u32 %r18, [%r10]; ld.shared.u32 %r19, [%r16];
    and.b32 %r20, %r0, %r13; setp.eq.u32 %p2, %r20, 0;
    setp.gt.xor.u32 %p3, %r18, %r19, !%p2;
    @%p3 st.shared.u32 [%r10], %r19; @%p3 st.shared.u32 [%r16], %r18;
    NEXT:
    shr.u32 %r14, %r14, 1; setp.ne.u32 %p4, %r14, 0;
    @%p4 bra STEP;
    shl.b32 %r13, %r13, 1; setp.le.u32 %p5, %r13, 256;
    @%p5 bra SIZE;
    bar.sync 0;
    ld.shared.u32 %r12, [%r10]; st.global.u32 [%d3], %r12;
    ret;""", sorted(N2), N2, block=(256, 1, 1), shared=1024, above=".extern .shared .align 16 .b8 dyn[];\n")

src = noise(64 * 4, 8)
out = []
for t in range(64):
    u = t * 3 % 64
    for k in range(4):
        out.append(src[(t ^ 5) * 4 + k] + (src[u * 4 + k] if k < 2 or u % 3 else 0) & M32)
program("asynchronous_copies", "cp.async of 16 bytes, some with half a source, the rest zeros, in two groups; an mbarrier", """
    .shared .align 16 .b8 a[1024]; .shared .align 16 .b8 b[1024]; .shared .align 8 .b64 bar;
    mov.u32 %r10, a; mad.lo.u32 %r10, %r0, 16, %r10; mov.u32 %r11, b; mad.lo.u32 %r11, %r0, 16, %r11;
    mad.wide.u32 %d10, %r0, 16, %d0; mov.u32 %r20, bar; setp.eq.u32 %p1, %r0, 0;
    @%p1 mbarrier.init.shared.b64 [%r20], 64;
    bar.sync 0;
    cp.async.cg.shared.global [%r10], [%d10], 16;
    cp.async.commit_group;
    rem.u32 %r12, %r0, 3; setp.eq.u32 %p2, %r12, 0; selp.u32 %r13, 8, 16, %p2;
    cp.async.ca.shared.global [%r11], [%d10], 16, %r13;
    cp.async.commit_group;
    cp.async.wait_group 1;
    cp.async.wait_all;
    mbarrier.arrive.shared.b64 %d11, [%r20];
    WAIT:
    mbarrier.test_wait.shared.b64 %p3, [%r20], %d11;
    @!%p3 bra WAIT;
    xor.b32 %r14, %r0, 5; mov.u32 %r15, a; mad.lo.u32 %r15, %r14, 16, %r15; ld.shared.v4.u32 {%r30, %r31, %r32, %r33}, [%r15];
    mul.lo.u32 %r14, %r0, 3; and.b32 %r14, %r14, 63; mov.u32 %r15, b; mad.lo.u32 %r15, %r14, 16, %r15;
    ld.shared.v4.u32 {%r34, %r35, %r36, %r37}, [%r15];
    add.u32 %r30, %r30, %r34; add.u32 %r31, %r31, %r35; add.u32 %r32, %r32, %r36; add.u32 %r33, %r33, %r37;
    mad.wide.u32 %d3, %r0, 16, %d1; st.global.v4.u32 [%d3], {%r30, %r31, %r32, %r33};
    ret;""", out, src, block=(64, 1, 1))

program("highest_lane_wins", "lanes that store to one word; a kernel's parameters as memory", """
    and.b32 %r10, %r0, 7; mad.wide.u32 %d10, %r10, 4, %d1;
    ld.param.v2.u32 {%r11, %r12}, [in];
    mov.b64 {%r13, %r14}, %d0;
    setp.ne.u32 %p1, %r11, %r13; @%p1 trap; setp.ne.u32 %p1, %r12, %r14; @%p1 trap;
    st.global.u32 [%d10], %r0;
    ret;""", [24 + k for k in range(8)])

out = [w for t in range(64) for w in (R[t], R[t] ^ M32)] + [256, 1024, 1024, 512, 0]
program("reserved_shared", "what the system keeps of shared memory and the program's own variables are apart", """
    ld.global.u32 %r10, [%d2];
    mov.u32 %r12, %reserved_smem_offset_1; shl.b32 %r13, %r0, 2; add.u32 %r14, %r12, %r13;
    mov.u32 %r15, own; add.u32 %r15, %r15, %r13;
    not.b32 %r11, %r10;
    st.shared.u32 [%r15], %r10; st.shared.u32 [%r14], %r11;
    bar.sync 0;
    ld.shared.u32 %r20, [%r15]; ld.shared.u32 %r21, [%r14];
    mad.wide.u32 %d3, %r0, 8, %d1; st.global.v2.u32 [%d3], {%r20, %r21};
    mov.u32 %r22, %total_smem_size; mov.u32 %r23, %aggr_smem_size; sub.u32 %r23, %r23, %r22;
    mov.u32 %r24, %reserved_smem_offset_end; mov.u32 %r26, %reserved_smem_offset_begin; sub.u32 %r25, %r12, %r26;
    setp.ne.u32 %p1, %r0, 0; @%p1 ret;
    st.global.u32 [%d1+512], %r22; st.global.u32 [%d1+516], %r23; st.global.u32 [%d1+520], %r24; st.global.u32 [%d1+524], %r25;
    st.global.u32 [%d1+528], %r26;
    ret;""", out, R[:64], block=(64, 1, 1), above=".shared .align 4 .b8 own[256];\n", version="7.6")

out = [R[t] + 3 & M32 for t in range(32)] + [sum(R[:32]) & M32]
program("cache_policies", "policies for caches in all their forms, on loads, stores, copies and atomics: no value depends on them", """
    createpolicy.fractional.L2::evict_last.b64 %d10, 1.0;
    createpolicy.fractional.L2::evict_first.b64 %d11;
    createpolicy.fractional.L2::evict_normal.L2::evict_unchanged.b64 %d12, 0.25;
    createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %d13, [%d0], 64, 128;
    createpolicy.cvt.L2.b64 %d14, %d10;
    ld.global.L1::no_allocate.L2::cache_hint.L2::128B.u32 %r10, [%d2], %d10;
    ld.global.nc.L1::evict_last.L2::cache_hint.v2.u32 {%r11, %r12}, [%d0], %d12;
    atom.global.add.L2::cache_hint.u32 %r13, [%d1+128], %r10, %d13;
    add.u32 %r10, %r10, 3;
    st.global.L1::evict_first.L2::cache_hint.u32 [%d3], %r10, %d11;
    prefetch.global.L2::evict_normal [%d0]; applypriority.global.L2::evict_normal [%d0], 128;
    ret;""", out, R[:32])

program("drop_and_expect", "mbarrier.arrive_drop.expect_tx: the phase ends with the bytes, the next waits for one less", """
    setp.ne.u32 %p1, %r0, 0; @%p1 ret;
    mbarrier.init.shared.b64 [bar], 2;
    mbarrier.arrive_drop.expect_tx.shared.b64 %d10, [bar], 96;
    mbarrier.arrive.shared.b64 %d11, [bar];
    mbarrier.test_wait.shared.b64 %p2, [bar], %d10;
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 64;
    mbarrier.test_wait.shared.b64 %p3, [bar], %d10;
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 32;
    mbarrier.test_wait.shared.b64 %p4, [bar], %d10;
    mbarrier.arrive.shared.b64 %d12, [bar];
    mbarrier.test_wait.shared.b64 %p5, [bar], %d12;
    mbarrier.pending_count.b64 %r14, %d12;
    selp.u32 %r10, 1, 0, %p2; selp.u32 %r11, 1, 0, %p3; selp.u32 %r12, 1, 0, %p4; selp.u32 %r13, 1, 0, %p5;
    st.global.v4.u32 [%d1], {%r10, %r11, %r12, %r13}; st.global.u32 [%d1+16], %r14;
    ret;""", [0, 0, 1, 1, 1], [], above=".shared .align 8 .b64 bar;\n", target="sm_90", version="8.0")
