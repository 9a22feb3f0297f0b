# Floating point in kernels: part of make.py. Results are exact numbers rounded once, here.


def round_fraction(x, bits, least, mode):
    """The number with a significand of `bits` bits, none below 2**least, to which x is rounded: rn, rz, rm or rp."""
    if x == 0:
        return Fraction(0)
    e = max(math.floor(math.log2(abs(x))) - bits + 1, least)
    while abs(x) >= Fraction(2) ** (e + bits):
        e += 1
    while e > least and abs(x) < Fraction(2) ** (e + bits - 1):
        e -= 1
    q = x / Fraction(2) ** e
    down = q.numerator // q.denominator
    rest = q - down
    if mode == "rn":
        up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and down % 2)
    elif mode == "rz":
        up = rest > 0 and q < 0
    else:
        up = mode == "rp" and rest > 0
    return (down + int(up)) * Fraction(2) ** e


def to32(x, mode):
    return f32(float(round_fraction(x, 24, -149, mode)))


FA = [1.0, 1.5, 3.25, 1e-30, 16777215.0, 0.1, -7.7, 1234.5678, -1e10, 3.0, 1 / 3, 2.0 ** -126, 2.0 ** -100, -0.75, 9.99, 65504.0,
      1e-3, 5e5, -2.5, 8388609.0, 0.7, 33.3, -1 / 7, 1e20, 6.02e23, 1.6e-19, -3e8, 2.718281828, 3.14159265, 1.41421356, -0.57721, 42.0]
FA = [struct.unpack("<f", struct.pack("<f", x))[0] for x in FA]
FB = [FA[(k * 13 + 5) % 32] for k in range(32)]
out, body = [], ""
for t in range(32):
    a, b, c = Fraction(FA[t]), Fraction(FB[t]), Fraction(FA[31 - t])
    for mode in ("rn", "rz", "rm", "rp"):
        out += [to32(a + b, mode), to32(a * b, mode), to32(a * b + c, mode), to32(a / b, mode)]
at = 0
for mode in ("rn", "rz", "rm", "rp"):
    body += f"""add.{mode}.f32 %f4, %f1, %f2; mul.{mode}.f32 %f5, %f1, %f2; fma.{mode}.f32 %f6, %f1, %f2, %f3; div.{mode}.f32 %f7, %f1, %f2;
    st.global.v4.f32 [%d3+{at}], {{%f4, %f5, %f6, %f7}};
    """
    at += 16
program("rounding_f32", "sum, product, fused product and quotient in four roundings", f"""
    mad.wide.u32 %d3, %r0, 64, %d1; sub.u32 %r10, 31, %r0; mad.wide.u32 %d4, %r10, 4, %d0;
    ld.global.f32 %f1, [%d2]; ld.global.f32 %f2, [%d2+128]; ld.global.f32 %f3, [%d4];
    {body}ret;""", out, [f32(x) for x in FA] + [f32(x) for x in FB])

out, body, at = [], "", 0
to64 = lambda x, mode: f64(float(round_fraction(x, 53, -1074, mode)))
DA = [x * 1.1 + 1e-9 for x in FA]
DB = [DA[(k * 13 + 5) % 32] for k in range(32)]
for t in range(32):
    a, b, c = Fraction(DA[t]), Fraction(DB[t]), Fraction(DA[31 - t])
    for mode in ("rn", "rz", "rm", "rp"):
        out += to64(a + b, mode) + to64(a * b, mode) + to64(a * b + c, mode) + to64(a / b, mode)
for mode in ("rn", "rz", "rm", "rp"):
    body += f"""add.{mode}.f64 %g4, %g1, %g2; mul.{mode}.f64 %g5, %g1, %g2; fma.{mode}.f64 %g6, %g1, %g2, %g3; div.{mode}.f64 %g7, %g1, %g2;
    st.global.v2.f64 [%d3+{at}], {{%g4, %g5}}; st.global.v2.f64 [%d3+{at + 16}], {{%g6, %g7}};
    """
    at += 32
program("rounding_f64", "the same of doubles", f"""
    mad.wide.u32 %d3, %r0, 128, %d1; mad.wide.u32 %d2, %r0, 8, %d0; sub.u32 %r10, 31, %r0; mad.wide.u32 %d4, %r10, 8, %d0;
    ld.global.f64 %g1, [%d2]; ld.global.f64 %g2, [%d2+256]; ld.global.f64 %g3, [%d4];
    {body}ret;""", out, sum((f64(x) for x in DA + DB), []))

out = []
for t in range(32):
    x = Fraction(FA[t])
    lo = {"rni": round(x), "rzi": math.trunc(x), "rmi": math.floor(x), "rpi": math.ceil(x)}
    for k in ("rni", "rzi", "rmi", "rpi"):
        out.append(max(-(1 << 31), min((1 << 31) - 1, lo[k])) & M32)
    out.append(max(0, min(M32, lo["rzi"])))
    out += halves([max(-(1 << 63), min((1 << 63) - 1, lo["rni"])) & M64])
    out.append(max(-128, min(127, lo["rzi"])) & M32)
program("floats_to_integers", "to 32, 64 and 8 bits by four roundings; what does not fit is clamped", """
    ld.global.f32 %f1, [%d2]; mad.wide.u32 %d3, %r0, 32, %d1;
    cvt.rni.s32.f32 %r20, %f1; cvt.rzi.s32.f32 %r21, %f1; cvt.rmi.s32.f32 %r22, %f1; cvt.rpi.s32.f32 %r23, %f1;
    cvt.rzi.u32.f32 %r24, %f1; cvt.rni.s64.f32 %d10, %f1; cvt.rzi.s8.f32 %r25, %f1;
    mov.b64 {%r26, %r27}, %d10;
    st.global.v4.u32 [%d3], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%d3+16], {%r24, %r26, %r27, %r25};
    ret;""", out, [f32(x) for x in FA])

out = []
I = [EDGES[t] << 32 | EDGES[31 - t] for t in range(32)]
for t in range(32):
    out += [to32(Fraction(EDGES[t]), "rn"), to32(Fraction(s32(EDGES[t])), "rz"), to32(Fraction(I[t]), "rn"), to32(Fraction(s64(I[t])), "rp")]
    out += f64(float(round_fraction(Fraction(I[t]), 53, -1074, "rz"))) + f64(float(Fraction(s32(EDGES[t]))))
program("integers_to_floats", "from 32 and 64 bits, rounded once", """
    ld.global.u32 %r10, [%d2]; sub.u32 %r11, 31, %r0; mad.wide.u32 %d4, %r11, 4, %d0; ld.global.u32 %r11, [%d4]; mov.b64 %d10, {%r11, %r10};
    cvt.rn.f32.u32 %f1, %r10; cvt.rz.f32.s32 %f2, %r10; cvt.rn.f32.u64 %f3, %d10; cvt.rp.f32.s64 %f4, %d10; cvt.rz.f64.u64 %g1, %d10; cvt.rn.f64.s32 %g2, %r10;
    mad.wide.u32 %d3, %r0, 32, %d1; st.global.v4.f32 [%d3], {%f1, %f2, %f3, %f4}; st.global.v2.f64 [%d3+16], {%g1, %g2};
    ret;""", out, EDGES)

half = lambda x: struct.unpack("<H", struct.pack("<e", x))[0]
HA = [1.0, 0.5, -2.0, 3.140625, 100.0, 0.0999755859375, -0.25, 20.0] * 4
out = []
for t in range(32):
    a, b = Fraction(HA[t]), Fraction(HA[(t * 3 + 1) % 32])
    r16 = lambda x: half(float(round_fraction(x, 11, -24, "rn")))
    # round once to 11 bits: both steps are exact in between
    out += [r16(a + b) | r16(b * b + a) << 16, r16(a * b) | r16(-a) << 16]
program("halves", "f16 sums and fused products, alone and in pairs", """
    ld.global.u16 %h1, [%d2]; ld.global.u16 %h2, [%d2+2]; mad.wide.u32 %d3, %r0, 8, %d1;
    add.rn.f16 %h3, %h1, %h2; fma.rn.f16 %h4, %h2, %h2, %h1; mov.b32 %r20, {%h3, %h4};
    mov.b32 %r10, {%h1, %h1}; mov.u16 %h6, 0x3c00; neg.f16 %h6, %h6;
    mov.b32 %r11, {%h2, %h6}; mul.rn.f16x2 %r21, %r10, %r11;
    st.global.v2.u32 [%d3], {%r20, %r21};
    ret;""", out, [half(HA[t]) | half(HA[(t * 3 + 1) % 32]) << 16 for t in range(32)])

out = []
for t in range(32):
    x = Fraction(0)
    for k in range(20):
        x = round_fraction(x * Fraction(3, 4) + Fraction(FA[(t + k) % 32]) / 2 ** 10, 24, -149, "rn") if k % 2 else round_fraction(
            round_fraction(x + Fraction(FA[(t + k) % 32]), 24, -149, "rn"), 24, -149, "rn")
    out.append(f32(float(x)))
program("a_chain_of_sums", "twenty steps, each rounded: sums and fused products by turns", """
    mov.f32 %f1, 0f00000000; mov.u32 %r10, 0; mov.f32 %f4, 0f3A800000; mov.f32 %f5, 0f3F400000;
    AGAIN:
    add.u32 %r11, %r0, %r10; and.b32 %r11, %r11, 31; mad.wide.u32 %d4, %r11, 4, %d0; ld.global.f32 %f2, [%d4];
    and.b32 %r12, %r10, 1; setp.eq.u32 %p1, %r12, 0;
    @%p1 add.rn.f32 %f1, %f1, %f2;
    mul.rn.f32 %f3, %f2, %f4;
    @!%p1 fma.rn.f32 %f1, %f1, %f5, %f3;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 20;
    @%p2 bra AGAIN;
    st.global.f32 [%d3], %f1;
    ret;""", out, [f32(x) for x in FA])
