# Branches, loops, predicates: part of make.py.

out = []
for t in range(32):
    n, steps = t + 1, 0
    while n != 1 and steps < 100:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    out.append(steps << 16 | n)
program("collatz", "a loop that every lane leaves at another time, with two ways inside", """
    add.u32 %r10, %r0, 1;
    mov.u32 %r11, 0;
    AGAIN:
    setp.eq.u32 %p1, %r10, 1;
    setp.ge.or.u32 %p1, %r11, 100, %p1;
    @%p1 bra DONE;
    and.b32 %r12, %r10, 1;
    setp.eq.u32 %p2, %r12, 0;
    @%p2 bra EVEN;
    mad.lo.u32 %r10, %r10, 3, 1;
    bra NEXT;
    EVEN:
    shr.u32 %r10, %r10, 1;
    NEXT:
    add.u32 %r11, %r11, 1;
    bra AGAIN;
    DONE:
    shl.b32 %r11, %r11, 16;
    or.b32 %r11, %r11, %r10;
    st.global.u32 [%d3], %r11;
    ret;""", out)

out = []
for t in range(64):
    s = 0
    for i in range(t % 7 + 1):
        for j in range(t % 5 + 2):
            if (i + j + t) % 3 == 0:
                continue
            if i * j > t:
                break
            s = s * 3 + i * 10 + j & M32
    out.append(s)
program("break_and_continue", "nested loops with ways to the end and to the next round", """
    rem.u32 %r10, %r0, 7; add.u32 %r10, %r10, 1;
    rem.u32 %r11, %r0, 5; add.u32 %r11, %r11, 2;
    mov.u32 %r12, 0; mov.u32 %r20, 0;
    OUTER:
    mov.u32 %r13, 0;
    INNER:
    add.u32 %r14, %r12, %r13; add.u32 %r14, %r14, %r0; rem.u32 %r14, %r14, 3;
    setp.eq.u32 %p1, %r14, 0;
    @%p1 bra NEXT;
    mul.lo.u32 %r15, %r12, %r13;
    setp.gt.u32 %p2, %r15, %r0;
    @%p2 bra LEAVE;
    mul.lo.u32 %r20, %r20, 3;
    mad.lo.u32 %r20, %r12, 10, %r20;
    add.u32 %r20, %r20, %r13;
    NEXT:
    add.u32 %r13, %r13, 1;
    setp.lt.u32 %p3, %r13, %r11;
    @%p3 bra INNER;
    LEAVE:
    add.u32 %r12, %r12, 1;
    setp.lt.u32 %p4, %r12, %r10;
    @%p4 bra OUTER;
    st.global.u32 [%d3], %r20;
    ret;""", out, block=(64, 1, 1))

out = []
for t in range(64):
    k = t * 7 % 11
    v = {0: 100 + t, 1: t * t, 2: 5, 3: 5, 4: t ^ 21, 6: -t}.get(k, 999)
    if k == 4:  # falls through into 5
        v += 1
    elif k == 5:
        v = 1000 + 1
    out.append(v & M32)
program("switch_table", "brx.idx with shared targets, one that falls through, and a default", """
    mul.lo.u32 %r10, %r0, 7; rem.u32 %r10, %r10, 11;
    setp.gt.u32 %p1, %r10, 6;
    mov.u32 %r11, 999;
    @%p1 bra OTHER;
    mov.u32 %r11, 1000;
    T: .branchtargets C0, C1, C2, C2, C4, C5, C6;
    brx.idx %r10, T;
    C0:
    add.u32 %r11, %r0, 100;
    bra OTHER;
    C1:
    mul.lo.u32 %r11, %r0, %r0;
    bra OTHER;
    C2:
    mov.u32 %r11, 5;
    bra OTHER;
    C4:
    xor.b32 %r11, %r0, 21;
    C5:
    add.u32 %r11, %r11, 1;
    bra OTHER;
    C6:
    neg.s32 %r11, %r0;
    OTHER:
    st.global.u32 [%d3], %r11;
    ret;""", out, block=(64, 1, 1))

A = EDGES
B = [EDGES[(i * 11 + 5) % 32] for i in range(32)]
out = []
for t in range(32):
    a, b = A[t], B[t]
    lt, slt, eq = a < b, s32(a) < s32(b), a == b
    p, q = lt and not (t & 1), (not lt) and not (t & 1)
    p2, q2 = slt or bool(t & 2), (not slt) or bool(t & 2)
    p3, q3 = eq ^ bool(t & 4), (not eq) ^ bool(t & 4)
    p4 = a >= b and not bool(t & 1)
    bits = [p, q, p2, q2, p3, q3, p4, p ^ p2, not (p and p2) or q3, p3 == (not q3)]
    out.append(sum(int(v) << k for k, v in enumerate(bits)))
program("two_predicates", "setp with a second destination, a third operand that may be negated, and logic of predicates", """
    ld.global.u32 %r10, [%d2]; ld.global.u32 %r11, [%d2+128];
    and.b32 %r12, %r0, 1; setp.ne.u32 %p10, %r12, 0;
    and.b32 %r12, %r0, 2; setp.ne.u32 %p11, %r12, 0;
    and.b32 %r12, %r0, 4; setp.ne.u32 %p12, %r12, 0;
    setp.lt.and.u32 %p0|%p1, %r10, %r11, !%p10;
    setp.lt.or.s32 %p2|%p3, %r10, %r11, %p11;
    setp.eq.xor.u32 %p4|%p5, %r10, %r11, %p12;
    setp.hs.and.u32 %p6|_, %r10, %r11, !%p10;
    xor.pred %p7, %p0, %p2;
    and.pred %p8, %p0, %p2; not.pred %p8, %p8; or.pred %p8, %p8, %p5;
    not.pred %p9, %p5; xor.pred %p9, %p9, %p4; not.pred %p9, %p9;
    selp.u32 %r20, 1, 0, %p0; selp.u32 %r21, 2, 0, %p1; or.b32 %r20, %r20, %r21;
    selp.u32 %r21, 4, 0, %p2; or.b32 %r20, %r20, %r21; selp.u32 %r21, 8, 0, %p3; or.b32 %r20, %r20, %r21;
    selp.u32 %r21, 16, 0, %p4; or.b32 %r20, %r20, %r21; selp.u32 %r21, 32, 0, %p5; or.b32 %r20, %r20, %r21;
    selp.u32 %r21, 64, 0, %p6; or.b32 %r20, %r20, %r21; selp.u32 %r21, 128, 0, %p7; or.b32 %r20, %r20, %r21;
    selp.u32 %r21, 256, 0, %p8; or.b32 %r20, %r20, %r21; selp.u32 %r21, 512, 0, %p9; or.b32 %r20, %r20, %r21;
    st.global.u32 [%d3], %r20;
    ret;""", out, A + B)

out = []
for t in range(32):
    v = [A[t], B[t], 11, 12]
    if t % 3 == 0:
        v[0], v[1] = v[1], v[0]
    if t % 2:
        v[2] = (v[0] * v[1]) & M32
        v[3] = (v[0] * v[1]) >> 32
    out += v
program("guards", "guarded moves of vectors, wide products and loads leave other lanes' registers alone", """
    ld.global.u32 %r10, [%d2]; ld.global.u32 %r11, [%d2+128];
    mov.b64 %d10, {%r10, %r11};
    rem.u32 %r12, %r0, 3; setp.eq.u32 %p1, %r12, 0;
    and.b32 %r12, %r0, 1; setp.eq.u32 %p2, %r12, 0;
    @%p1 mov.b64 {%r11, %r10}, %d10;
    mov.u32 %r20, 11; mov.u32 %r21, 12;
    cvt.u64.u32 %d11, 0;
    @!%p2 mul.wide.u32 %d11, %r10, %r11;
    @!%p2 mov.b64 {%r20, %r21}, %d11;
    mad.wide.u32 %d3, %r0, 16, %d1;
    @%p1 st.global.v4.u32 [%d3], {%r10, %r11, %r20, %r21};
    @!%p1 st.global.v2.u32 [%d3], {%r10, %r11};
    @!%p1 st.global.v2.u32 [%d3+8], {%r20, %r21};
    ret;""", out, A + B)

out = []
for t in range(32):
    a, b = A[t], s32(B[t])
    out += [a if b >= 0 else t, M32 if s32(a) < b else 0, f32(1.0) if a == B[t] else 0, a if t % 5 else 0]
program("choose_and_set", "slct by sign, set into integers and floats, selp", """
    ld.global.u32 %r10, [%d2]; ld.global.u32 %r11, [%d2+128];
    slct.b32.s32 %r20, %r10, %r0, %r11;
    set.lt.u32.s32 %r21, %r10, %r11;
    set.eq.f32.u32 %f1, %r10, %r11; mov.b32 %r22, %f1;
    rem.u32 %r12, %r0, 5; setp.ne.u32 %p1, %r12, 0;
    selp.b32 %r23, %r10, 0, %p1;
    mad.wide.u32 %d3, %r0, 16, %d1;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23};
    ret;""", out, A + B)

program("early_ends", "some lanes end by exit, some by ret, the others still meet at a barrier", """
    st.global.u32 [%d3], 1;
    and.b32 %r10, %r0, 3;
    setp.eq.u32 %p1, %r10, 1;
    @%p1 exit;
    setp.eq.u32 %p2, %r10, 2;
    @%p2 ret;
    bar.sync 0;
    setp.gt.u32 %p3, %r0, 95;
    @%p3 bra LAST;
    st.global.u32 [%d3], 2;
    bar.sync 0;
    st.global.u32 [%d3], 3;
    ret;
    LAST:
    bar.sync 0;
    st.global.u32 [%d3], 4;""", [1 if t % 4 in (1, 2) else 3 if t <= 95 else 4 for t in range(128)], block=(128, 1, 1))

program("names_in_blocks", "a block's registers and labels hide those around it", """
    .reg .u32 x;
    add.u32 x, %r0, 1;
    {
    .reg .u32 x; .reg .u64 y;
    mov.u32 x, 1000;
    cvt.u64.u32 y, x;
    {
    .reg .u16 x;
    mov.u16 x, 7;
    cvt.u32.u16 %r11, x;
    L: add.u32 %r11, %r11, 1;
    setp.lt.u32 %p1, %r11, 9;
    @%p1 bra L;
    }
    add.u32 %r10, x, %r11;
    }
    {
    .reg .u32 x;
    mov.u32 x, 0;
    L: add.u32 x, x, 1;
    setp.lt.u32 %p1, x, %r0;
    @%p1 bra L;
    add.u32 %r10, %r10, x;
    }
    add.u32 %r10, %r10, x;
    st.global.u32 [%d3], %r10;
    ret;""", [1009 + max(t, 1) + t + 1 for t in range(32)])

out = []
for z in range(2):
    for y in range(3):
        for x in range(5):
            for tz in range(2):
                for ty in range(3):
                    for tx in range(4):
                        lin = tx + 4 * (ty + 3 * tz)
                        out.append(x | y << 4 | z << 8 | tx << 12 | ty << 16 | tz << 20 | (lin & 31) << 24)
program("places", "threads and CTAs of three dimensions", """
    mov.u32 %r10, %ctaid.x; mov.u32 %r11, %ctaid.y; mov.u32 %r12, %ctaid.z;
    mov.v4.u32 {%r20, %r21, %r22, %r23}, %tid;
    mov.u32 %r13, %nctaid.x; mov.u32 %r14, %nctaid.y; mov.u32 %r15, %ntid.x; mov.u32 %r16, %ntid.y; mov.u32 %r17, %ntid.z;
    mad.lo.u32 %r30, %r12, %r14, %r11; mad.lo.u32 %r30, %r30, %r13, %r10;
    mad.lo.u32 %r30, %r30, %r17, %r22; mad.lo.u32 %r30, %r30, %r16, %r21; mad.lo.u32 %r30, %r30, %r15, %r20;
    mad.wide.u32 %d3, %r30, 4, %d1;
    mov.u32 %r40, %r10; bfi.b32 %r40, %r11, %r40, 4, 4; bfi.b32 %r40, %r12, %r40, 8, 4; bfi.b32 %r40, %r20, %r40, 12, 4;
    bfi.b32 %r40, %r21, %r40, 16, 4; bfi.b32 %r40, %r22, %r40, 20, 4; mov.u32 %r41, %laneid; bfi.b32 %r40, %r41, %r40, 24, 5;
    st.global.u32 [%d3], %r40;
    ret;""", out, grid=(5, 3, 2), block=(4, 3, 2))
