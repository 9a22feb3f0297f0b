# Lanes of a warp look at each other; barriers: part of make.py.
V = noise(64, 3)


def shfl(kind, t, b, c, lane):
    """The manual's pseudo code. Source lane, and whether it is in range."""
    mask, bound = c >> 8 & 31, c & 31
    most = (lane & mask) | (bound & ~mask)
    least = lane & mask
    if kind == "up":
        j = lane - (b & 31)
        p = j >= most
    elif kind == "down":
        j = lane + (b & 31)
        p = j <= most
    elif kind == "bfly":
        j = lane ^ (b & 31)
        p = j <= most
    else:
        j = least | ((b & 31) & ~mask)
        p = j <= most
    return (j, 1) if p else (lane, 0)


CASES = [("up", 1, 0), ("up", 3, 24 << 8), ("down", 2, 31), ("down", 5, 24 << 8 | 31), ("bfly", 9, 31), ("bfly", 4, 28 << 8 | 31),
         ("idx", 7, 31), ("idx", 2, 24 << 8 | 31), ("down", 1, 7), ("bfly", 3, 24 << 8 | 5), ("idx", 9, 4), ("up", 31, 0)]
out, body = [], ""
for t in range(32):
    for kind, b, c in CASES:
        j, p = shfl(kind, t, b, c, t)
        out.append(V[j] & 0x7fffffff | p << 31)
for k, (kind, b, c) in enumerate(CASES):
    body += f"shfl.sync.{kind}.b32 %r20|%p1, %r10, {b}, {c}, 0xffffffff; @%p1 or.b32 %r20, %r20, 0x80000000; st.global.u32 [%d3+{4 * k}], %r20;\n"
program("shuffles", "all shuffles, whole warps and segments, bounds, and whether the other lane was in range", f"""
    ld.global.u32 %r10, [%d2]; and.b32 %r10, %r10, 0x7fffffff;
    mad.wide.u32 %d3, %r0, {4 * len(CASES)}, %d1;
    {body}ret;""", out, V[:32])

out = [V[(t * 5 + 3) % 32] + (t & 3) & M32 if t % 32 < 20 else V[t] for t in range(32)]
for t in range(20):
    src = (t * 5 + 3) % 20
    out[t] = V[src]
program("shuffle_part_of_a_warp", "a shuffle of the lanes 0 to 19, from sources that each chooses, while the others do something else", """
    ld.global.u32 %r10, [%d2];
    setp.ge.u32 %p1, %r0, 20;
    @%p1 bra OTHERS;
    mad.lo.u32 %r11, %r0, 5, 3; rem.u32 %r11, %r11, 20;
    shfl.sync.idx.b32 %r10, %r10, %r11, 31, 0xfffff;
    OTHERS:
    st.global.u32 [%d3], %r10;
    ret;""", out, V[:32])

out = []
for t in range(64):
    w = range(t // 32 * 32, t // 32 * 32 + 32)
    p = [V[k] & 1 for k in w]
    low = [k for k in range(32) if k < 12]
    own = [k for k in range(32) if (k < 12) == (t % 32 < 12)]
    ballot = sum(p[k] << k for k in own)
    allp, anyp, uni = all(p[k] for k in own), any(p[k] for k in own), len({p[k] for k in own}) == 1
    out += [ballot, int(allp) | int(anyp) << 1 | int(uni) << 2, sum(1 << k for k in own),
            sum(1 << k for k in own if (V[w[k]] & 3) == (V[t] & 3))]
program("votes_of_two_parts", "two parts of a warp vote apart: ballot, all, any, uni, activemask, match", """
    ld.global.u32 %r10, [%d2]; and.b32 %r11, %r10, 1; setp.ne.u32 %p1, %r11, 0; and.b32 %r14, %r10, 3;
    mov.u32 %r12, %laneid; setp.lt.u32 %p2, %r12, 12;
    selp.b32 %r13, 0xfff, 0xfffff000, %p2;
    @%p2 bra FEW;
    vote.sync.ballot.b32 %r20, %p1, %r13; vote.sync.all.pred %p3, %p1, %r13; vote.sync.any.pred %p4, %p1, %r13; vote.sync.uni.pred %p5, %p1, %r13;
    activemask.b32 %r22; match.any.sync.b32 %r23, %r14, %r13;
    bra MEET;
    FEW:
    vote.sync.ballot.b32 %r20, %p1, 0xfff; vote.sync.all.pred %p3, %p1, 0xfff; vote.sync.any.pred %p4, %p1, 0xfff; vote.sync.uni.pred %p5, %p1, 0xfff;
    activemask.b32 %r22; match.any.sync.b32 %r23, %r14, 0xfff;
    MEET:
    selp.u32 %r21, 1, 0, %p3; @%p4 or.b32 %r21, %r21, 2; @%p5 or.b32 %r21, %r21, 4;
    mad.wide.u32 %d3, %r0, 16, %d1; st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23};
    ret;""", out, V, block=(64, 1, 1))

out = []
for t in range(32):
    own = [k for k in range(32) if k % 2 == t % 2]
    v, s = [V[k] for k in own], [s32(V[k]) for k in own]
    land, lor, lxor = M32, 0, 0
    for x in v:
        land, lor, lxor = land & x, lor | x, lxor ^ x
    same = all((V[k] & 0) == 0 for k in own)
    out += [sum(v) & M32, min(v), max(v), min(s) & M32, max(s) & M32, land, lor, lxor]
program("reductions_in_a_warp", "redux of every kind over the even and over the odd lanes", """
    ld.global.u32 %r10, [%d2];
    and.b32 %r11, %r0, 1; setp.eq.u32 %p1, %r11, 1; selp.b32 %r12, 0xaaaaaaaa, 0x55555555, %p1;
    @%p1 bra ODD;
    redux.sync.add.u32 %r20, %r10, %r12; redux.sync.min.u32 %r21, %r10, %r12; redux.sync.max.u32 %r22, %r10, %r12; redux.sync.min.s32 %r23, %r10, %r12;
    redux.sync.max.s32 %r24, %r10, %r12; redux.sync.and.b32 %r25, %r10, %r12; redux.sync.or.b32 %r26, %r10, %r12; redux.sync.xor.b32 %r27, %r10, %r12;
    bra MEET;
    ODD:
    redux.sync.add.s32 %r20, %r10, %r12; redux.sync.min.u32 %r21, %r10, %r12; redux.sync.max.u32 %r22, %r10, %r12; redux.sync.min.s32 %r23, %r10, %r12;
    redux.sync.max.s32 %r24, %r10, %r12; redux.sync.and.b32 %r25, %r10, %r12; redux.sync.or.b32 %r26, %r10, %r12; redux.sync.xor.b32 %r27, %r10, %r12;
    MEET:
    mad.wide.u32 %d3, %r0, 32, %d1; st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%d3+16], {%r24, %r25, %r26, %r27};
    ret;""", out, V[:32])

N = [V[t % 64] >> t % 5 & 3 for t in range(128)]
cnt = sum(1 for x in N if x == 2)
program("barriers_that_count", "bar.red over all threads, over the first 64 at a barrier of their own", """
    ld.global.u32 %r10, [%d2];
    setp.eq.u32 %p1, %r10, 2; setp.lt.u32 %p2, %r10, 4;
    bar.red.popc.u32 %r20, 0, %p1; bar.red.and.pred %p3, 0, %p2; bar.red.or.pred %p4, 0, !%p2;
    mov.u32 %r21, 0;
    setp.ge.u32 %p5, %r0, 64;
    @%p5 bra REST;
    bar.red.popc.u32 %r21, 3, 64, !%p1;
    REST:
    selp.u32 %r22, 1, 0, %p3; @%p4 or.b32 %r22, %r22, 2;
    mad.lo.u32 %r21, %r21, 65536, %r20; mad.lo.u32 %r21, %r22, 256, %r21;
    st.global.u32 [%d3], %r21;
    ret;""", [(64 - sum(1 for x in N[:64] if x == 2) if t < 64 else 0) << 16 | 1 << 8 | cnt for t in range(128)], N, block=(128, 1, 1))

program("producer_and_consumers", "two named barriers pass a word from one warp to two others, eight times", """
    .shared .align 4 .b32 box;
    mov.u32 %r10, 0; mov.u32 %r20, 0; shr.u32 %r11, %r0, 5; setp.eq.u32 %p1, %r11, 0;
    ROUND:
    @!%p1 bra TAKE;
    mul.lo.u32 %r12, %r10, %r10; add.u32 %r12, %r12, 3; st.shared.u32 [box], %r12;
    bar.arrive 1, 96;
    bar.sync 2, 96;
    bra NEXT;
    TAKE:
    bar.sync 1, 96;
    ld.shared.u32 %r12, [box]; mad.lo.u32 %r20, %r20, 5, %r12;
    bar.arrive 2, 96;
    NEXT:
    add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 8;
    @%p2 bra ROUND;
    st.global.u32 [%d3], %r20;
    ret;""", [0 if t < 32 else sum((k * k + 3) * 5 ** (7 - k) for k in range(8)) & M32 for t in range(96)], block=(96, 1, 1))

S = noise(128, 2)
acc, scan = 0, []
for x in S:
    acc = acc + x & M32
    scan.append(acc)
program("scan_by_warps", "a prefix sum: shuffles inside warps, shared memory between them", """
    .shared .align 4 .b32 sums[4];
    ld.global.u32 %r10, [%d2]; mov.u32 %r11, %laneid; shr.u32 %r12, %r0, 5;
    shfl.sync.up.b32 %r13|%p1, %r10, 1, 0, -1; @%p1 add.u32 %r10, %r10, %r13;
    shfl.sync.up.b32 %r13|%p1, %r10, 2, 0, -1; @%p1 add.u32 %r10, %r10, %r13;
    shfl.sync.up.b32 %r13|%p1, %r10, 4, 0, -1; @%p1 add.u32 %r10, %r10, %r13;
    shfl.sync.up.b32 %r13|%p1, %r10, 8, 0, -1; @%p1 add.u32 %r10, %r10, %r13;
    shfl.sync.up.b32 %r13|%p1, %r10, 16, 0, -1; @%p1 add.u32 %r10, %r10, %r13;
    mov.u32 %r14, sums; mad.lo.u32 %r15, %r12, 4, %r14; setp.eq.u32 %p2, %r11, 31; @%p2 st.shared.u32 [%r15], %r10;
    bar.sync 0;
    mov.u32 %r16, 0;
    MORE:
    setp.ge.u32 %p3, %r16, %r12;
    @%p3 bra DONE;
    mad.lo.u32 %r17, %r16, 4, %r14; ld.shared.u32 %r18, [%r17]; add.u32 %r10, %r10, %r18; add.u32 %r16, %r16, 1;
    bra MORE;
    DONE:
    st.global.u32 [%d3], %r10;
    ret;""", scan, S, block=(128, 1, 1))

program("one_is_elected", "elect picks one of the lanes given; lane masks; a warp barrier orders shared memory", """
    .shared .align 4 .b32 s[32];
    mov.u32 %r10, s; mad.lo.u32 %r11, %r0, 4, %r10; mad.lo.u32 %r12, %r0, 9, 1; st.shared.u32 [%r11], %r12;
    bar.warp.sync -1;
    xor.b32 %r13, %r0, 31; mad.lo.u32 %r13, %r13, 4, %r10; ld.shared.u32 %r20, [%r13];
    mov.u32 %r14, %lanemask_lt; mov.u32 %r15, %lanemask_ge; and.b32 %r16, %r14, %r15; setp.ne.u32 %p2, %r16, 0; @%p2 trap;
    popc.b32 %r16, %r14; setp.ne.u32 %p2, %r16, %r0; @%p2 trap;
    elect.sync %r17|%p1, 0xffffffff;
    @%p1 add.u32 %r20, %r20, 100000;
    setp.ge.u32 %p3, %r17, 32; @%p3 trap;
    vote.sync.ballot.b32 %r18, %p1, -1; popc.b32 %r18, %r18; setp.ne.u32 %p4, %r18, 1; @%p4 trap;
    @%p1 sub.u32 %r20, %r20, 100000;
    st.global.u32 [%d3], %r20;
    ret;""", [(t ^ 31) * 9 + 1 for t in range(32)], target="sm_90", version="8.0")

program("barriers_by_number", "a barrier whose number each warp computes; arrays meet in pairs of warps", """
    .shared .align 4 .b32 s[128];
    mov.u32 %r10, s; mad.lo.u32 %r11, %r0, 4, %r10; mad.lo.u32 %r12, %r0, 5, 1; st.shared.u32 [%r11], %r12;
    shr.u32 %r13, %r0, 5; and.b32 %r13, %r13, 1; add.u32 %r13, %r13, 4; mov.u32 %r16, 64;
    barrier.sync %r13, %r16;
    xor.b32 %r14, %r0, 64; mad.lo.u32 %r14, %r14, 4, %r10; ld.shared.u32 %r15, [%r14];
    st.global.u32 [%d3], %r15;
    ret;""", [(t ^ 64) * 5 + 1 for t in range(128)], block=(128, 1, 1))
