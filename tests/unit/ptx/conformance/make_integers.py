# Carry chains, widths, signs, packing: part of make.py.
A = EDGES
B = [EDGES[(i * 7 + 3) % 32] for i in range(32)]
N = noise(32 * 8, 5)

# --- carry chains ---

big = lambda w, n: sum(w[i] << 32 * i for i in range(n))
ins, out = [], []
for t in range(32):
    w = N[t * 8:t * 8 + 8] if t % 4 else [M32] * 4 + [t // 4] + [0] * 3
    ins += w
    s = big(w[:4], 4) + big(w[4:], 4)
    out += [s >> 32 * i & M32 for i in range(5)]
program("carry_add_160", "a sum of two numbers of 128 bits, with what it carries out", """
    mad.wide.u32 %d2, %r0, 32, %d0;
    ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%d2];
    ld.global.v4.u32 {%r14, %r15, %r16, %r17}, [%d2+16];
    add.cc.u32 %r20, %r10, %r14;
    addc.cc.u32 %r21, %r11, %r15;
    addc.cc.u32 %r22, %r12, %r16;
    addc.cc.u32 %r23, %r13, %r17;
    addc.u32 %r24, 0, 0;
    mad.wide.u32 %d3, %r0, 20, %d1;
    st.global.u32 [%d3], %r20; st.global.u32 [%d3+4], %r21; st.global.u32 [%d3+8], %r22; st.global.u32 [%d3+12], %r23;
    st.global.u32 [%d3+16], %r24;
    ret;""", out, ins)

out = []
for t in range(32):
    w = ins[t * 8:t * 8 + 8]
    s = (big(w[:4], 4) - big(w[4:], 4)) % (1 << 160)
    out += [s >> 32 * i & M32 for i in range(5)]
program("borrow_sub_160", "a difference of two numbers of 128 bits; the borrow as minus one", """
    mad.wide.u32 %d2, %r0, 32, %d0;
    ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%d2];
    ld.global.v4.u32 {%r14, %r15, %r16, %r17}, [%d2+16];
    sub.cc.u32 %r20, %r10, %r14;
    subc.cc.u32 %r21, %r11, %r15;
    subc.cc.u32 %r22, %r12, %r16;
    subc.cc.u32 %r23, %r13, %r17;
    subc.u32 %r24, 0, 0;
    mad.wide.u32 %d3, %r0, 20, %d1;
    st.global.u32 [%d3], %r20; st.global.u32 [%d3+4], %r21; st.global.u32 [%d3+8], %r22; st.global.u32 [%d3+12], %r23;
    st.global.u32 [%d3+16], %r24;
    ret;""", out, ins)

out = []
for t in range(32):
    w = ins[t * 8:t * 8 + 8]
    p = big(w[:2], 2) * big(w[2:4], 2)
    out += [p >> 32 * i & M32 for i in range(4)]
program("carry_mul_128", "a product of two numbers of 64 bits from 32-bit multiply-adds that carry", """
    mad.wide.u32 %d2, %r0, 32, %d0;
    ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%d2];
    mul.lo.u32 %r20, %r10, %r12;
    mul.hi.u32 %r21, %r10, %r12;
    mad.lo.cc.u32 %r21, %r11, %r12, %r21;
    madc.hi.u32 %r22, %r11, %r12, 0;
    mad.lo.cc.u32 %r21, %r10, %r13, %r21;
    madc.hi.cc.u32 %r22, %r10, %r13, %r22;
    addc.u32 %r23, 0, 0;
    mad.lo.cc.u32 %r22, %r11, %r13, %r22;
    madc.hi.u32 %r23, %r11, %r13, %r23;
    mad.wide.u32 %d3, %r0, 16, %d1;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23};
    ret;""", out, ins)

out = []
for t in range(32):
    w = ins[t * 8:t * 8 + 8]
    a, b = big(w[:2], 2), big(w[2:4], 2)
    odd = t & 1
    c = int(a + b > M64) if odd else int(a >= b)  # the carry of a - b is: it did not borrow
    r = (w[4] + c) & M32
    out += [r, (c if t < 16 else 7 * (1 - c))]
program("carry_64_across_branches", "the carry belongs to the thread: set on two ways, read after they meet", """
    mad.wide.u32 %d2, %r0, 32, %d0;
    ld.global.v2.u64 {%d10, %d11}, [%d2];
    ld.global.u32 %r10, [%d2+16];
    and.b32 %r11, %r0, 1;
    setp.eq.u32 %p1, %r11, 0;
    @%p1 bra MINUS;
    add.cc.u64 %d12, %d10, %d11;
    bra MEET;
    MINUS:
    sub.cc.u64 %d12, %d10, %d11;
    MEET:
    addc.cc.u32 %r12, %r10, 0;
    and.b32 %r20, %r0, 1;
    mov.u32 %r13, 0;
    setp.lt.u32 %p2, %r0, 16;
    sub.u32 %r14, %r12, %r10;
    @%p2 mov.u32 %r13, %r14;
    @!%p2 xor.b32 %r14, %r14, 1;
    @!%p2 mul.lo.u32 %r13, %r14, 7;
    mad.wide.u32 %d3, %r0, 8, %d1;
    st.global.v2.u32 [%d3], {%r12, %r13};
    ret;""", out, ins)

# --- division ---


def div(a, b, signed, bits):
    m = (1 << bits) - 1
    if signed:
        a = a - (1 << bits) if a >> (bits - 1) else a
        b = b - (1 << bits) if b >> (bits - 1) else b
    if b == 0:
        return m, a & m
    q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return q & m, (a - q * b) & m


B1 = [b if b else 5 for b in B]  # by zero is left open by the manual
out = []
for t in range(32):
    for signed in (0, 1):
        out += list(div(A[t], B1[t], signed, 32))
    for signed in (0, 1):
        q, r = div(A[t] & M16, (B1[t] & M16) or 3, signed, 16)
        out += [q, r]
program("div_rem_32_16", "quotients and remainders of both signs and two widths", """
    ld.global.u32 %r10, [%d2];
    ld.global.u32 %r11, [%d2+128];
    div.u32 %r20, %r10, %r11; rem.u32 %r21, %r10, %r11; div.s32 %r22, %r10, %r11; rem.s32 %r23, %r10, %r11;
    cvt.u16.u32 %h1, %r10; cvt.u16.u32 %h2, %r11;
    setp.eq.u16 %p1, %h2, 0;
    @%p1 mov.u16 %h2, 3;
    div.u16 %h3, %h1, %h2; rem.u16 %h4, %h1, %h2; div.s16 %h5, %h1, %h2; rem.s16 %h6, %h1, %h2;
    cvt.u32.u16 %r24, %h3; cvt.u32.u16 %r25, %h4; cvt.u32.u16 %r26, %h5; cvt.u32.u16 %r27, %h6;
    mad.wide.u32 %d3, %r0, 32, %d1;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%d3+16], {%r24, %r25, %r26, %r27};
    ret;""", out, A + B1)

out = []
for t in range(32):
    a, b = A[t] << 32 | B[t], B1[t] << (t % 3 * 16) & M64 or 9
    for signed in (0, 1):
        out += halves(div(a, b, signed, 64))
program("div_rem_64", "64-bit quotients and remainders", """
    ld.global.u32 %r10, [%d2];
    ld.global.u32 %r11, [%d2+128];
    ld.global.u32 %r12, [%d2+256];
    mov.b64 %d10, {%r11, %r10};
    cvt.u64.u32 %d11, %r12;
    rem.u32 %r13, %r0, 3;
    mul.lo.u32 %r13, %r13, 16;
    shl.b64 %d11, %d11, %r13;
    setp.eq.u64 %p1, %d11, 0;
    selp.b64 %d11, 9, %d11, %p1;
    div.u64 %d20, %d10, %d11; rem.u64 %d21, %d10, %d11; div.s64 %d22, %d10, %d11; rem.s64 %d23, %d10, %d11;
    mad.wide.u32 %d3, %r0, 32, %d1;
    st.global.v2.u64 [%d3], {%d20, %d21}; st.global.v2.u64 [%d3+16], {%d22, %d23};
    ret;""", out, A + B + B1)

# --- 16-bit arithmetic, its place in wider registers ---

out = []
for t in range(32):
    a, b = A[t] & M16, B[t] & M16
    sa = a - 65536 if a >> 15 else a
    sb = b - 65536 if b >> 15 else b
    out += [(a + b) & M16, (a * b) & M16, (a * b) >> 16, (sa * sb) & M32, (sa * sb) >> 16 & M16, (sa >> 3) & M16,
            (a >> 3), ((a << 5) & M16) | (int(sa < sb) << 16)]
program("sixteen_bits", "16-bit sums, products and shifts wrap at their width", """
    ld.global.u32 %r10, [%d2]; ld.global.u32 %r11, [%d2+128];
    cvt.u16.u32 %h1, %r10; cvt.u16.u32 %h2, %r11;
    add.u16 %h3, %h1, %h2; mul.lo.u16 %h4, %h1, %h2; mul.hi.u16 %h5, %h1, %h2; mul.wide.s16 %r23, %h1, %h2;
    mul.hi.s16 %h6, %h1, %h2; shr.s16 %h7, %h1, 3; shr.u16 %h8, %h1, 3; shl.b16 %h9, %h1, 5;
    setp.lt.s16 %p1, %h1, %h2;
    cvt.u32.u16 %r20, %h3; cvt.u32.u16 %r21, %h4; cvt.u32.u16 %r22, %h5; cvt.u32.u16 %r24, %h6; cvt.u32.u16 %r25, %h7;
    cvt.u32.u16 %r26, %h8; cvt.u32.u16 %r27, %h9;
    @%p1 or.b32 %r27, %r27, 65536;
    mad.wide.u32 %d3, %r0, 32, %d1;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%d3+16], {%r24, %r25, %r26, %r27};
    ret;""", out, A + B)


def sx(v, bits):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


out = []
clamp = lambda v, lo, hi: max(lo, min(hi, v))
for t in range(32):
    a, d = A[t], A[t] << 32 | B[t]
    out += [sx(a, 8) & M32, sx(a, 16) & M32, a & 0xff, clamp(s32(a), -128, 127) & M32, clamp(s32(a), 0, 255),
            clamp(a, 0, 127), clamp(s64(d), -(1 << 31), (1 << 31) - 1) & M32, clamp(d, 0, M32)]
program("cvt_between_integers", "integers narrowed by cutting and by clamping, signs put back", """
    ld.global.u32 %r10, [%d2]; ld.global.u32 %r11, [%d2+128];
    mov.b64 %d10, {%r11, %r10};
    cvt.s32.s8 %r20, %r10; cvt.s32.s16 %r21, %r10; cvt.u32.u8 %r22, %r10; cvt.sat.s8.s32 %r23, %r10;
    cvt.sat.u8.s32 %r24, %r10; cvt.sat.s8.u32 %r25, %r10; cvt.sat.s32.s64 %r26, %d10; cvt.sat.u32.u64 %r27, %d10;
    mad.wide.u32 %d3, %r0, 32, %d1;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%d3+16], {%r24, %r25, %r26, %r27};
    ret;""", out, A + B)

# --- packing ---

out = []
for t in range(32):
    a, b = A[t], B[t]
    out += [b, a, a >> 16 | (b & M16) << 16, (a & M16) << 16 | b >> 16, b & M16 | (a & M16) << 16, a,
            (a >> 16) * 3 & M32, b]
program("pack_and_swap", "mov packs and unpacks; all sources are read before anything is written", """
    ld.global.u32 %r10, [%d2]; ld.global.u32 %r11, [%d2+128];
    mov.b64 %d10, {%r10, %r11};
    mov.b64 {%r21, %r20}, %d10;
    mov.b32 {%h1, %h2}, %r10; mov.b32 {%h3, %h4}, %r11;
    mov.b32 %r22, {%h2, %h3};
    mov.b64 %d11, {%h4, %h1, %h3, %h1};
    mov.b64 {%r23, %r24}, %d11;
    mov.b64 {%r10, %r11}, %d10;
    mov.b64 %d12, {%r11, %r10};
    mov.b64 {_, %r25}, %d12;
    mov.b32 {_, %h5}, %r10;
    mul.wide.u16 %r26, %h5, 3;
    mov.b64 {%r27, _}, %d12;
    mad.wide.u32 %d3, %r0, 32, %d1;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%d3+16], {%r24, %r25, %r26, %r27};
    ret;""", out, A + B)

# --- fields, permutations ---

out = []
for t in range(32):
    a, b, n, c = A[t], B[t], t, (t * 5) % 40
    fl = (b << 32 | a) << min(c, 32) >> 32 & M32
    fr = (b << 32 | a) >> min(c, 32) & M32
    wl = (b << 32 | a) << (c & 31) >> 32 & M32
    wr = (b << 32 | a) >> (c & 31) & M32
    out += [fl, fr, wl, wr, a << c & M32 if c < 32 else 0, a >> c if c < 32 else 0, s32(a) >> min(c, 31) & M32,
            sum(1 << k for k in range(32) if 0xd2 >> ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (n >> k & 1)) & 1)]
program("shifts_by_registers", "shifts and funnels by 0 to 39, by logic table", """
    ld.global.u32 %r10, [%d2]; ld.global.u32 %r11, [%d2+128];
    mul.lo.u32 %r12, %r0, 5; rem.u32 %r12, %r12, 40;
    shf.l.clamp.b32 %r20, %r10, %r11, %r12; shf.r.clamp.b32 %r21, %r10, %r11, %r12;
    shf.l.wrap.b32 %r22, %r10, %r11, %r12; shf.r.wrap.b32 %r23, %r10, %r11, %r12;
    shl.b32 %r24, %r10, %r12; shr.u32 %r25, %r10, %r12; shr.s32 %r26, %r10, %r12;
    lop3.b32 %r27, %r10, %r11, %r0, 0xd2;
    mad.wide.u32 %d3, %r0, 32, %d1;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%d3+16], {%r24, %r25, %r26, %r27};
    ret;""", out, A + B)


def fns(mask, base, offset):
    """The manual's pseudo code, for PTX ISA 6.0 and later."""
    if offset == 0:
        return base if mask >> base & 1 else M32
    pos, count, inc = base, abs(offset), 1 if offset > 0 else -1
    while 0 <= pos < 32:
        if mask >> pos & 1:
            count -= 1
            if count == 0:
                return pos
        pos += inc
    return M32


out = []
for t in range(32):
    m = N[t] if t > 1 else (0, M32)[t]
    out += [fns(m, t, 1 + t % 3), fns(m, t, -(1 + t % 3)), fns(m, 31 - t, 0), bin(m).count("1")]
program("find_nth_set", "fns up, down and in place", """
    ld.global.u32 %r10, [%d2];
    rem.u32 %r11, %r0, 3; add.u32 %r11, %r11, 1; neg.s32 %r12, %r11; sub.u32 %r13, 31, %r0;
    fns.b32 %r20, %r10, %r0, %r11; fns.b32 %r21, %r10, %r0, %r12; fns.b32 %r22, %r10, %r13, 0; popc.b32 %r23, %r10;
    mad.wide.u32 %d3, %r0, 16, %d1;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23};
    ret;""", out, [0, M32] + N[2:32])
