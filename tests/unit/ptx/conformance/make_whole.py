# Whole algorithms with answers from elsewhere: part of make.py.
import zlib


def first_primes(n):
    out, k = [], 2
    while len(out) < n:
        if all(k % p for p in out):
            out.append(k)
        k += 1
    return out


P64 = first_primes(64)
cube = lambda p: _bisect(p << 96, 3)[0] & M32
square = lambda p: _bisect(p << 64, 2)[0] & M32


def _bisect(n, k):
    lo, hi = 0, 1 << 48
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if mid ** k <= n:
            lo = mid
        else:
            hi = mid
    return lo, hi


msgs = [struct.pack("<II", t, t * t) + b"vivace" * (t % 6) for t in range(32)]
blocks, out = [], []
for m in msgs:
    out += list(struct.unpack(">8I", hashlib.sha256(m).digest()))
    blocks += list(struct.unpack(">16I", m + b"\x80" + bytes(55 - len(m)) + struct.pack(">Q", 8 * len(m))))
program("sha256", "a hash of another message in each lane; constants in a table, the schedule in local memory", """
    .local .align 16 .b32 w[64];
    mov.u64 %d10, w; mov.u64 %d11, rounds; mad.wide.u32 %d12, %r0, 64, %d0;
    mov.u32 %r10, 0;
    FILL:
    mul.wide.u32 %d13, %r10, 4; add.u64 %d14, %d12, %d13; ld.global.u32 %r11, [%d14]; add.u64 %d14, %d10, %d13; st.local.u32 [%d14], %r11;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 16;
    @%p1 bra FILL;
    EXPAND:
    mad.wide.u32 %d13, %r10, 4, %d10; ld.local.u32 %r11, [%d13-60]; ld.local.u32 %r12, [%d13-8]; ld.local.u32 %r13, [%d13-64]; ld.local.u32 %r14, [%d13-28];
    shf.r.wrap.b32 %r15, %r11, %r11, 7; shf.r.wrap.b32 %r16, %r11, %r11, 18; shr.u32 %r17, %r11, 3; lop3.b32 %r15, %r15, %r16, %r17, 0x96;
    shf.l.wrap.b32 %r16, %r12, %r12, 15; shf.l.wrap.b32 %r17, %r12, %r12, 13; shr.u32 %r18, %r12, 10; lop3.b32 %r16, %r16, %r17, %r18, 0x96;
    add.u32 %r13, %r13, %r14; add.u32 %r13, %r13, %r15; add.u32 %r13, %r13, %r16; st.local.u32 [%d13], %r13;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 64;
    @%p1 bra EXPAND;
    ld.const.v4.u32 {%r20, %r21, %r22, %r23}, [start]; ld.const.v4.u32 {%r24, %r25, %r26, %r27}, [start+16];
    mov.u32 %r10, 0;
    ROUND:
    mul.wide.u32 %d13, %r10, 4; add.u64 %d14, %d10, %d13; add.u64 %d15, %d11, %d13; ld.local.u32 %r11, [%d14]; ld.const.u32 %r12, [%d15];
    shf.r.wrap.b32 %r13, %r24, %r24, 6; shf.r.wrap.b32 %r14, %r24, %r24, 11; shf.r.wrap.b32 %r15, %r24, %r24, 25; lop3.b32 %r13, %r13, %r14, %r15, 0x96;
    lop3.b32 %r14, %r24, %r25, %r26, 0xca; add.u32 %r16, %r27, %r13; add.u32 %r16, %r16, %r14; add.u32 %r16, %r16, %r12; add.u32 %r16, %r16, %r11;
    shf.r.wrap.b32 %r13, %r20, %r20, 2; shf.r.wrap.b32 %r14, %r20, %r20, 13; shf.r.wrap.b32 %r15, %r20, %r20, 22; lop3.b32 %r13, %r13, %r14, %r15, 0x96;
    lop3.b32 %r14, %r20, %r21, %r22, 0xe8; add.u32 %r17, %r13, %r14;
    mov.u32 %r27, %r26; mov.u32 %r26, %r25; mov.u32 %r25, %r24; add.u32 %r24, %r23, %r16; mov.u32 %r23, %r22; mov.u32 %r22, %r21; mov.u32 %r21, %r20; add.u32 %r20, %r16, %r17;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 64;
    @%p1 bra ROUND;
    ld.const.v4.u32 {%r30, %r31, %r32, %r33}, [start]; ld.const.v4.u32 {%r34, %r35, %r36, %r37}, [start+16];
    add.u32 %r20, %r20, %r30; add.u32 %r21, %r21, %r31; add.u32 %r22, %r22, %r32; add.u32 %r23, %r23, %r33;
    add.u32 %r24, %r24, %r34; add.u32 %r25, %r25, %r35; add.u32 %r26, %r26, %r36; add.u32 %r27, %r27, %r37;
    mad.wide.u32 %d3, %r0, 32, %d1; st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%d3+16], {%r24, %r25, %r26, %r27};
    ret;""", out, blocks, above="""
.const .align 16 .u32 start[8] = {%s};
.const .align 4 .u32 rounds[64] = {%s};
""" % (", ".join(str(square(p)) for p in P64[:8]), ", ".join(str(cube(p)) for p in P64)))

data = b"".join(struct.pack("<I", w) for w in noise(128, 30))
program("crc32", "checksums of pieces of different length, byte by byte, bit by bit", """
    mul.lo.u32 %r10, %r0, 7; mad.wide.u32 %d10, %r10, 1, %d0; add.u32 %r11, %r0, 1; mov.u32 %r12, -1;
    BYTE:
    ld.global.u8 %r13, [%d10]; xor.b32 %r12, %r12, %r13; mov.u32 %r14, 8;
    BIT:
    and.b32 %r15, %r12, 1; neg.s32 %r15, %r15; and.b32 %r15, %r15, 0xedb88320; shr.u32 %r12, %r12, 1; xor.b32 %r12, %r12, %r15;
    sub.u32 %r14, %r14, 1; setp.ne.u32 %p1, %r14, 0;
    @%p1 bra BIT;
    add.u64 %d10, %d10, 1; sub.u32 %r11, %r11, 1; setp.ne.u32 %p2, %r11, 0;
    @%p2 bra BYTE;
    not.b32 %r12, %r12; st.global.u32 [%d3], %r12;
    ret;""", [zlib.crc32(data[t * 7:t * 7 + t + 1]) for t in range(64)], noise(128, 30), block=(64, 1, 1))

queens = lambda n: (lambda f: f(f, 0, 0, 0, 0))(lambda f, row, c, l, r: 1 if row == n else sum(
    f(f, row + 1, c | 1 << k, (l | 1 << k) << 1, (r | 1 << k) >> 1) for k in range(n) if not (c | l | r) >> k & 1))
program("queens", "queens on a board, each thread with the first of them in another column, by recursion", """
    setp.ge.u32 %p1, %r0, 7;
    @%p1 exit;
    mov.u32 %r10, 1; shl.b32 %r10, %r10, %r0; shl.b32 %r11, %r10, 1; shr.u32 %r12, %r10, 1; mov.u32 %r13, 1;
    call (%r20), place, (%r13, %r10, %r11, %r12);
    red.global.add.u32 [%d1], %r20;
    ret;""", [queens(7)], above="""
.func (.reg .u32 ways) place (.reg .u32 row, .reg .u32 c, .reg .u32 l, .reg .u32 r)
{
    .reg .u32 %a<12>; .reg .pred %p;
    setp.eq.u32 %p, row, 7;
    mov.u32 ways, 1;
    @%p ret;
    mov.u32 ways, 0;
    or.b32 %a0, c, l; or.b32 %a0, %a0, r; not.b32 %a0, %a0; and.b32 %a0, %a0, 127;
    add.u32 %a1, row, 1;
MORE:
    setp.eq.u32 %p, %a0, 0;
    @%p ret;
    neg.s32 %a2, %a0; and.b32 %a2, %a2, %a0; xor.b32 %a0, %a0, %a2;
    or.b32 %a3, c, %a2; or.b32 %a4, l, %a2; shl.b32 %a4, %a4, 1; or.b32 %a5, r, %a2; shr.u32 %a5, %a5, 1;
    call (%a6), place, (%a1, %a3, %a4, %a5);
    add.u32 ways, ways, %a6;
    bra MORE;
}
""")

cells = [v & 1 for v in noise(256, 77)]
world = cells
for _ in range(4):
    world = [int((lambda n: n == 3 or (n == 2 and world[i]))(sum(
        world[(i // 16 + dy) % 16 * 16 + (i + dx) % 16] for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx))) for i in range(256)]
program("life", "four generations of cells in shared memory, a board that closes on itself", """
    .shared .align 4 .b8 a[512];
    mov.u32 %r10, a; ld.global.u32 %r11, [%d2]; and.b32 %r11, %r11, 1; add.u32 %r12, %r10, %r0; st.shared.u8 [%r12], %r11;
    mov.u32 %r13, 0; mov.u32 %r14, 0; and.b32 %r15, %r0, 15; and.b32 %r16, %r0, 240;
    GENERATION:
    bar.sync 0;
    mov.u32 %r20, 0; mov.u32 %r21, 15;
    DY:
    mov.u32 %r22, 15;
    DX:
    shl.b32 %r23, %r21, 4; add.u32 %r23, %r23, %r16; and.b32 %r23, %r23, 240; add.u32 %r24, %r15, %r22; and.b32 %r24, %r24, 15; or.b32 %r23, %r23, %r24;
    add.u32 %r23, %r23, %r10; add.u32 %r23, %r23, %r14; ld.shared.u8 %r25, [%r23]; add.u32 %r20, %r20, %r25;
    add.u32 %r22, %r22, 1; setp.lt.u32 %p1, %r22, 18;
    @%p1 bra DX;
    add.u32 %r21, %r21, 1; setp.lt.u32 %p1, %r21, 18;
    @%p1 bra DY;
    add.u32 %r26, %r12, %r14; ld.shared.u8 %r27, [%r26]; sub.u32 %r20, %r20, %r27;
    setp.eq.u32 %p2, %r20, 2; setp.ne.and.u32 %p2, %r27, 0, %p2; setp.eq.or.u32 %p2, %r20, 3, %p2;
    xor.b32 %r14, %r14, 256; add.u32 %r26, %r12, %r14; selp.u32 %r28, 1, 0, %p2; st.shared.u8 [%r26], %r28;
    add.u32 %r13, %r13, 1; setp.lt.u32 %p3, %r13, 4;
    @%p3 bra GENERATION;
    st.global.u32 [%d3], %r28;
    ret;""", world, noise(256, 77), block=(256, 1, 1))

n = 12
mat = [[noise(1, 1000 + i * n + j)[0] % 9973 for j in range(n)] for i in range(n)]
m2, det, q = [r[:] for r in mat], 1, 9973
for i in range(n):
    piv = next((r for r in range(i, n) if m2[r][i]), None)
    assert piv is not None and m2[i][i], "no exchange of rows in the kernel"
    det = det * m2[i][i] % q
    inv = pow(m2[i][i], q - 2, q)
    for r in range(i + 1, n):
        f = m2[r][i] * inv % q
        m2[r] = [(x - f * y) % q for x, y in zip(m2[r], m2[i])]
program("determinant", "elimination modulo a prime, a row to each thread, in shared memory", f"""
    .shared .align 4 .b32 m[{n * n}];
    mov.u32 %r10, m; mad.lo.u32 %r11, %r0, {4 * n}, %r10; mul.lo.u32 %r12, %r0, {n}; mad.wide.u32 %d10, %r12, 4, %d0; mov.u32 %r13, 0;
    COPY:
    mad.wide.u32 %d11, %r13, 4, %d10; ld.global.u32 %r14, [%d11]; mad.lo.u32 %r15, %r13, 4, %r11; st.shared.u32 [%r15], %r14;
    add.u32 %r13, %r13, 1; setp.lt.u32 %p1, %r13, {n};
    @%p1 bra COPY;
    mov.u32 %r20, 1; mov.u32 %r21, 0;
    PIVOT:
    bar.sync 0;
    mad.lo.u32 %r22, %r21, {4 * n + 4}, %r10; ld.shared.u32 %r23, [%r22]; mul.lo.u32 %r20, %r20, %r23; rem.u32 %r20, %r20, {q};
    setp.le.u32 %p2, %r0, %r21;
    @%p2 bra NEXT;
    mov.u32 %r24, {q - 2}; mov.u32 %r25, 1;
    POWER:
    and.b32 %r26, %r24, 1; setp.ne.u32 %p3, %r26, 0; @%p3 mul.lo.u32 %r25, %r25, %r23; @%p3 rem.u32 %r25, %r25, {q};
    mul.lo.u32 %r23, %r23, %r23; rem.u32 %r23, %r23, {q}; shr.u32 %r24, %r24, 1; setp.ne.u32 %p4, %r24, 0;
    @%p4 bra POWER;
    mad.lo.u32 %r27, %r21, 4, %r11; ld.shared.u32 %r28, [%r27]; mul.lo.u32 %r28, %r28, %r25; rem.u32 %r28, %r28, {q};
    mov.u32 %r29, %r21;
    COLUMN:
    mad.lo.u32 %r30, %r29, 4, %r11; ld.shared.u32 %r31, [%r30]; mul.lo.u32 %r32, %r21, {n}; add.u32 %r32, %r32, %r29; mad.lo.u32 %r32, %r32, 4, %r10; ld.shared.u32 %r33, [%r32];
    mul.lo.u32 %r34, %r28, %r33; rem.u32 %r34, %r34, {q}; add.u32 %r31, %r31, {q}; sub.u32 %r31, %r31, %r34; rem.u32 %r31, %r31, {q}; st.shared.u32 [%r30], %r31;
    add.u32 %r29, %r29, 1; setp.lt.u32 %p5, %r29, {n};
    @%p5 bra COLUMN;
    NEXT:
    add.u32 %r21, %r21, 1; setp.lt.u32 %p6, %r21, {n};
    @%p6 bra PIVOT;
    st.global.u32 [%d3], %r20;
    ret;""", [det] * n, [x for r in mat for x in r], block=(n, 1, 1))

CODE = [0x00010003, 0x01010002, 0x02010200, 0x03000001, 0x04000000]
program("a_machine_in_a_kernel", "an interpreter whose lanes run programs of different length: jumps by table from within a loop", """
    mov.u32 %r10, 0; add.u32 %r11, %r0, 1; mov.u32 %r12, 1; mov.u32 %r13, 0;
    STEP:
    mad.wide.u32 %d10, %r10, 1, %d0; ld.global.u8 %r14, [%d10]; add.u32 %r10, %r10, 1;
    T: .branchtargets ADD, MUL, DEC, JNZ, END;
    brx.idx %r14, T;
    ADD:
    add.u32 %r13, %r13, %r12;
    bra STEP;
    MUL:
    mul.lo.u32 %r12, %r12, 3;
    bra STEP;
    DEC:
    sub.u32 %r11, %r11, 1;
    bra STEP;
    JNZ:
    setp.eq.u32 %p1, %r11, 0;
    @%p1 bra STEP;
    mov.u32 %r10, 0;
    bra STEP;
    END:
    st.global.u32 [%d3], %r13;
    ret;""", [sum(3 ** k for k in range(t + 1)) & M32 for t in range(32)], [0x03020100, 4])
