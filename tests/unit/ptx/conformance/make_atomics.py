# Atomics in every space: part of make.py.
V = noise(64, 21)

# In the order of lanes, CTA after CTA, each old value follows from those before it: the sums below do not depend on it.
vals = [v & 0xffff for v in V]
final = [sum(vals) & M32, min(V), max(V), min(map(s32, V)) & M32, max(map(s32, V)) & M32]
land, lor, lxor = M32, 0, 0
for v in V:
    land, lor, lxor = land & v, lor | v, lxor ^ v
final += [land, lor, lxor]
inc = 0
for _ in range(64):
    inc = 0 if inc >= 10 else inc + 1
dec = 0
for _ in range(64):
    dec = 20 if dec == 0 or dec > 20 else dec - 1
final += [inc, dec]
for space, window in (("shared", ""), ("global", ""), ("generic", "")):
    base = {"shared": ".shared .align 8 .b32 s[12];", "global": "", "generic": ".shared .align 8 .b32 s[12];"}[space]
    where = {"shared": "mov.u64 %d10, s;", "global": "mov.u64 %d10, %d1;", "generic": "mov.u64 %d10, s; cvta.shared.u64 %d10, %d10;"}[space]
    q = "" if space == "generic" else "." + space
    program(f"atomics_{space}", f"every 32-bit atomic on {space} addresses: what is left does not depend on order", f"""
        {base}
        {where}
        setp.eq.u32 %p1, %r0, 0;
        @!%p1 bra GO;
        st{q}.u32 [%d10], 0; st{q}.u32 [%d10+4], -1; st{q}.u32 [%d10+8], 0; st{q}.u32 [%d10+12], 0x7fffffff; st{q}.u32 [%d10+16], 0x80000000;
        st{q}.u32 [%d10+20], -1; st{q}.u32 [%d10+24], 0; st{q}.u32 [%d10+28], 0; st{q}.u32 [%d10+32], 0; st{q}.u32 [%d10+36], 0;
        GO:
        bar.sync 0;
        ld.global.u32 %r10, [%d2]; and.b32 %r11, %r10, 0xffff;
        atom{q}.add.u32 %r20, [%d10], %r11; red{q}.min.u32 [%d10+4], %r10; atom{q}.max.u32 %r20, [%d10+8], %r10; atom{q}.min.s32 %r20, [%d10+12], %r10;
        red{q}.max.s32 [%d10+16], %r10; atom{q}.and.b32 %r20, [%d10+20], %r10; red{q}.or.b32 [%d10+24], %r10; atom{q}.xor.b32 %r20, [%d10+28], %r10;
        atom{q}.inc.u32 %r20, [%d10+32], 10; red{q}.dec.u32 [%d10+36], 20;
        bar.sync 0;
        setp.ge.u32 %p2, %r0, 10;
        @%p2 ret;
        mad.wide.u32 %d11, %r0, 4, %d10; ld{q}.u32 %r21, [%d11]; st.global.u32 [%d3], %r21;
        ret;""", final, V, block=(64, 1, 1))

t64 = [V[k] << 32 | V[63 - k] for k in range(64)]
program("atomics_64", "64-bit sums, extremes and exchanges; compare and swap of 64 bits in a loop", """
    mad.wide.u32 %d10, %r0, 4, %d0; ld.global.u32 %r10, [%d10]; sub.u32 %r11, 63, %r0; mad.wide.u32 %d10, %r11, 4, %d0; ld.global.u32 %r11, [%d10];
    mov.b64 %d11, {%r11, %r10};
    atom.global.add.u64 %d20, [%d1], %d11; red.global.max.u64 [%d1+8], %d11; atom.global.min.s64 %d20, [%d1+16], %d11; atom.global.xor.b64 %d20, [%d1+24], %d11;
    ld.global.u64 %d21, [%d1+32];
    AGAIN:
    mul.lo.u64 %d22, %d21, 3; add.u64 %d22, %d22, 1;
    atom.global.cas.b64 %d23, [%d1+32], %d21, %d22;
    setp.eq.u64 %p1, %d23, %d21; mov.b64 %d21, %d23;
    @!%p1 bra AGAIN;
    ret;""", halves([sum(t64) & M64, max(t64), min([0] + [s64(x) for x in t64]) & M64,
                     __import__("functools").reduce(lambda a, b: a ^ b, t64), (3 ** 64 - 1) // 2 & M64]), V, block=(64, 1, 1))

program("atomics_of_floats", "sums of f32, f64 and f16x2 that are exact whatever the order", """
    cvt.rn.f32.u32 %f1, %r0; mul.rn.f32 %f1, %f1, 0f3F000000; red.global.add.f32 [%d1], %f1;
    cvt.rn.f64.u32 %g1, %r0; atom.global.add.f64 %g2, [%d1+8], %g1;
    mov.b32 %r10, 0x3c004000; atom.global.add.noftz.f16x2 %r11, [%d1+16], %r10;
    .shared .align 4 .b32 s; setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [s], 0; bar.sync 0;
    atom.shared.add.f32 %f2, [s], 0f40800000; bar.sync 0; ld.shared.u32 %r12, [s]; @%p1 st.global.u32 [%d1+20], %r12;
    ret;""", [f32(sum(range(64)) / 2), 0, *f64(float(sum(range(64)))), 0x54005800, f32(256.0)], block=(64, 1, 1))

program("locks", "each lane of each warp in turn under one lock: taken by compare and swap, given back by exchange", """
    mov.u32 %r12, 0;
    TRY:
    atom.global.cas.b32 %r10, [%d1], 0, 1;
    setp.ne.u32 %p1, %r10, 0;
    @%p1 bra TRY;
    ld.volatile.global.u32 %r11, [%d1+4]; mul.lo.u32 %r11, %r11, 3; add.u32 %r11, %r11, 1; st.volatile.global.u32 [%d1+4], %r11;
    membar.gl;
    atom.global.exch.b32 %r10, [%d1], 0;
    ret;""", [0, (3 ** 192 - 1) // 2 & M32], grid=(2, 1, 1), block=(96, 1, 1))

program("tickets", "each thread's old value of a counter is its own: a permutation", """
    atom.global.add.u32 %r10, [%d1], 1;
    mad.wide.u32 %d10, %r10, 4, %d1; atom.global.add.u32 %r11, [%d10+4], 7;
    ret;""", [128] + [7] * 128, grid=(2, 1, 1), block=(64, 1, 1))

program("swap_16", "compare and swap of 16 bits beside others that stay", """
    and.b32 %r10, %r0, 3; mad.wide.u32 %d10, %r10, 2, %d1; cvt.u16.u32 %h1, %r0;
    AGAIN:
    ld.volatile.global.u16 %h2, [%d10]; add.u16 %h3, %h2, %h1;
    atom.global.cas.b16 %h4, [%d10], %h2, %h3;
    setp.ne.u16 %p1, %h4, %h2;
    @%p1 bra AGAIN;
    ret;""", [sum(range(0, 64, 4)) | sum(range(1, 64, 4)) << 16, sum(range(2, 64, 4)) | sum(range(3, 64, 4)) << 16], block=(64, 1, 1))

program("histogram", "counts in shared memory, added to the whole by CTAs", """
    .shared .align 4 .b32 h[16];
    mov.u32 %r10, h; setp.lt.u32 %p1, %r0, 16; mad.lo.u32 %r11, %r0, 4, %r10; @%p1 st.shared.u32 [%r11], 0;
    bar.sync 0;
    ld.global.u32 %r12, [%d2]; shr.u32 %r12, %r12, 28; mad.lo.u32 %r13, %r12, 4, %r10; atom.shared.add.u32 %r14, [%r13], 1;
    bar.sync 0;
    @!%p1 ret;
    ld.shared.u32 %r15, [%r11]; mad.wide.u32 %d3, %r0, 4, %d1; red.global.add.u32 [%d3], %r15;
    ret;""", [sum(1 for v in noise(192, 6) if v >> 28 == k) for k in range(16)], noise(192, 6), grid=(3, 1, 1), block=(64, 1, 1))

program("grid_barrier", "CTAs wait for each other three times: each round reads what all wrote in the one before", """
    mov.u32 %r10, 0; add.u32 %r20, %r1, 1;
    ROUND:
    mad.lo.u32 %r11, %r10, 128, %r1; mad.wide.u32 %d10, %r11, 4, %d1; st.global.u32 [%d10+4], %r20;
    membar.gl; bar.sync 0;
    setp.ne.u32 %p1, %r0, 0;
    @%p1 bra WAITED;
    atom.global.add.u32 %r12, [%d1], 1;
    add.u32 %r13, %r10, 1; mul.lo.u32 %r13, %r13, 4;
    SPIN:
    ld.volatile.global.u32 %r12, [%d1]; setp.lt.u32 %p2, %r12, %r13;
    @%p2 bra SPIN;
    WAITED:
    bar.sync 0;
    add.u32 %r14, %r1, 37; and.b32 %r14, %r14, 127; mad.lo.u32 %r14, %r10, 128, %r14; mad.wide.u32 %d11, %r14, 4, %d1;
    ld.volatile.global.u32 %r15, [%d11+4]; mad.lo.u32 %r20, %r20, 3, %r15;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 3;
    @%p3 bra ROUND;
    ret;""", (lambda rows: [12] + rows[0] + rows[1] + rows[2])((lambda a: (lambda b: (lambda c: [a, b, c])(
    [b[i] * 3 + b[(i + 37) % 128] & M32 for i in range(128)]))([a[i] * 3 + a[(i + 37) % 128] & M32 for i in range(128)]))(
    [i + 1 for i in range(128)])), grid=(4, 1, 1), block=(32, 1, 1))
