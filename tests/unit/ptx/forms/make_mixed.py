#!/usr/bin/env python3
"""Makes mixed.csv and set_half.csv: forms that newer machines have, by the arithmetic of make.py.

Run in this folder: python3 make_mixed.py."""
from fractions import Fraction

import make
from make import (FLOATS, INTS, Table, arithmetic, compare, finish, float_tuples, flush, is_nan, joins, least, mask,
                  narrowed, rounded, tuples, value)

MODES = ("", ".rn", ".rz", ".rm", ".rp")


def two_values(t):
    for op, n in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3)):
        for mode in MODES[op == "fma":]:
            for ftz in ("", ".ftz"):
                for pair in zip(float_tuples("f32", n, 40), reversed(float_tuples("f32", n, 40))):
                    out = 0
                    for h, w in enumerate(pair):
                        w = [flush(x, "f32") for x in w] if ftz else w
                        out |= finish(arithmetic(op, w, "f32", mode[1:] or "rn"), "f32", ftz, False) << 32 * h
                    t.row("%s%s%s.f32x2" % (op, mode, ftz), [x | y << 32 for x, y in zip(*pair)], [out])


def half_and_whole(t):
    """The half is widened exactly; what follows is plain f32."""
    for op, n in (("add", 1), ("sub", 1), ("fma", 2)):
        for mode in MODES[op == "fma":]:
            for sat in ("", ".sat"):
                for ty in ("f16", "bf16"):
                    for h, (w,) in zip(float_tuples(ty, n, 50), reversed(float_tuples("f32", 1, 50))):
                        v = [narrowed(x, ty, "f32", "rn") for x in h] + [w]
                        r = arithmetic(op, v, "f32", mode[1:] or "rn")
                        t.row("%s%s%s.f32.%s" % (op, mode, sat, ty), h + [w], [finish(r, "f32", False, sat)])


def three_values(t):
    for op in ("min", "max"):
        for ftz in ("", ".ftz"):
            for nan in ("", ".NaN"):
                for magnitude in ("", ".abs"):
                    for v in float_tuples("f32", 3, 80):
                        w = [flush(x, "f32") if ftz else x for x in v]
                        w = [x & mask(31) if magnitude else x for x in w]
                        r = least(op, [least(op, w[:2], "f32", False, False), w[2]], "f32", False, False)
                        if nan and any(is_nan(x, "f32") for x in w):
                            r = 0x7fffffff
                        t.row("%s3%s%s%s.f32" % (op, ftz, nan, magnitude), v, [r])


def integers_flushed(t):
    """.ftz changes nothing: no whole number is subnormal."""
    for mode in ("rn", "rz", "rm", "rp"):
        for a in INTS:
            for sat in ("", ".sat"):
                for v, in tuples([max(16, int(a[1:]))], 12):
                    t.row("cvt.%s.ftz%s.f32.%s" % (mode, sat, a), [v],
                          [finish(rounded(Fraction(value(v, a)), "f32", mode), "f32", False, sat)])


def old_spellings(t):
    """Without .approx.ftz, as the first versions of the language had it: at points where the result is exact, and
    where something subnormal goes in or would come out."""
    inf, nan = 0x7f800000, 0x7fffffff
    points = {"rcp.f32": [(4, Fraction(1, 4)), (-8, Fraction(-1, 8)), (1, 1)], "sqrt.f32": [(9, 3), (2500, 50)],
              "rsqrt.f32": [(4, Fraction(1, 2)), (Fraction(1, 64), 8)], "ex2.f32": [(3, 8), (-2, Fraction(1, 4)), (0, 1)],
              "lg2.f32": [(8, 3), (Fraction(1, 4), -2), (1, 0)], "sin.f32": [(0, 0)], "cos.f32": [(0, 1)],
              "rcp.f64": [(4, Fraction(1, 4)), (-3, Fraction(-1, 3))], "sqrt.f64": [(9, 3), (2500, 50)],
              "rsqrt.f64": [(4, Fraction(1, 2)), (Fraction(1, 64), 8), (Fraction(1, 1 << 1074), 1 << 537)]}
    for form, values in points.items():
        ty = form[-3:]
        for x, y in values:
            t.row(form, [rounded(Fraction(x), ty)], [rounded(Fraction(y), ty)])
    for form, r in (("rcp.f32", 0), ("sqrt.f32", inf), ("rsqrt.f32", 0), ("ex2.f32", inf), ("lg2.f32", inf), ("sin.f32", nan),
                    ("cos.f32", nan)):
        t.row(form, [inf], [r])
    least, most, minus, one = 1, 0x7fffff, 1 << 31, 0x3f800000
    for form, v, r in (("rcp.f32", least, inf), ("rcp.f32", minus | most, minus | inf), ("rcp.f32", 0x7f000000, 0),
                       ("rcp.f32", 0xff000000, minus), ("sqrt.f32", most, 0), ("sqrt.f32", minus | least, minus),
                       ("rsqrt.f32", most, inf), ("rsqrt.f32", minus | least, minus | inf), ("lg2.f32", most, minus | inf),
                       ("lg2.f32", minus | least, minus | inf), ("ex2.f32", rounded(Fraction(-127), "f32"), 0),
                       ("ex2.f32", most, one), ("sin.f32", most, 0), ("sin.f32", minus | least, minus),
                       ("cos.f32", most, one)):
        t.row(form, [v], [r])


def sets_of_halves():
    """set with a half as its result: 1.0 or 0."""
    t = Table("set_half")
    cases = []
    for n in (16, 32, 64):
        cases += [(op, "", "b%d" % n) for op in ("eq", "ne")]
        cases += [(op, "", "u%d" % n) for op in ("eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs")]
        cases += [(op, "", "s%d" % n) for op in ("eq", "ne", "lt", "le", "gt", "ge")]
    for ftz, ty in (("", "f32"), ("ftz.", "f32"), ("", "f64"), ("", "f16")):
        cases += [(op, ftz, ty) for op in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu",
                                          "num", "nan")]
    for op, ftz, ty in cases:
        n = sum(FLOATS[ty]) + 1 if ty in FLOATS else int(ty[1:])
        pairs = float_tuples(ty, 2, 40) if ty in FLOATS else tuples([n, n], 20) + [[5, 5]]
        for dst, yes in (("f16", 0x3c00), ("bf16", 0x3f80)):
            if dst == "f16" and ty == "f16" or dst == "bf16" and ftz:
                continue
            for a, b in make.rng.sample(pairs, 6):
                t.row("set.%s.%s%s.%s" % (op, ftz, dst, ty), [a, b], [yes * compare(op, a, b, ty, ftz)])
            for k in range(3):
                for a, b in make.rng.sample(pairs, 4):
                    c = make.rng.getrandbits(1)
                    name, r = joins(compare(op, a, b, ty, ftz), c)[k]
                    t.row("set.%s%s.%s%s.%s" % (op, name, ftz, dst, ty), [a, b, c], [yes * r])


if __name__ == "__main__":
    t = Table("mixed")
    two_values(t)
    half_and_whole(t)
    three_values(t)
    integers_flushed(t)
    old_spellings(t)
    sets_of_halves()
