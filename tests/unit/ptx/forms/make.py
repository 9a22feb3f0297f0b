#!/usr/bin/env python3
"""Makes the tables beside it: inputs and expected bits of PTX instruction forms, out of exact integers and fractions.

Run in this folder: python3 make.py. Nothing of Vivace is used; semantics: NVIDIA, PTX ISA 9.0, chapter 9.
A row: form (empty: as above), "sources i:immediate c:carry-in=results c:carry-out", all in hexadecimal."""
import random
from fractions import Fraction
from math import isqrt

rng = random.Random(1)


class Table:
    def __init__(self, name):
        self.file = open(name + ".csv", "w", encoding="ascii")
        self.form = None

    def row(self, form, ins, outs, imm=None, cin=None, cout=None):
        left = ["%x" % v for v in ins]
        if imm is not None:
            left.append("i:%x" % imm)
        if cin is not None:
            left.append("c:%d" % cin)
        right = ["-" if v is None else "%x" % v for v in outs]
        if cout is not None:
            right.append("c:%d" % cout)
        name = "" if form == self.form else form
        self.form = form
        self.file.write("%s,%s=%s\n" % (name, " ".join(left), " ".join(right)))


def mask(n):
    return (1 << n) - 1


def signed(v, n):
    v &= mask(n)
    return v - (1 << n) if v >> (n - 1) else v


def value(v, t):
    """The number that bits mean in type "s32" or "u64"."""
    n = int(t[1:])
    return signed(v, n) if t[0] == "s" else v & mask(n)


def edges(n):
    return [0, 1, 2, mask(n), mask(n) - 1, 1 << (n - 1), (1 << (n - 1)) - 1, (1 << (n // 2)) - 1, 1 << (n // 2)]


def some(n):
    k = rng.randrange(4)
    if k == 0:
        return rng.choice(edges(n))
    if k == 1:
        return rng.getrandbits(rng.randrange(1, n + 1))
    return rng.getrandbits(n)


def tuples(widths, count=24):
    """Sources: pairs of edges first, then some at random."""
    e = edges(widths[0])
    out = []
    for i, a in enumerate(e):
        rest = [edges(w)[(i * 5 + 3 * k + 1) % 9] for k, w in enumerate(widths[1:])]
        out.append([a] + rest)
    while len(out) < count:
        out.append([some(w) for w in widths])
    return out


def clamp(x, n):
    return max(-(1 << (n - 1)), min(x, (1 << (n - 1)) - 1))


def truncated(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def divide(a, b, t):
    return truncated(a, b) if b else -1


def remainder(a, b, t):
    return a - b * truncated(a, b) if b else a


def integers():
    t = Table("integer")
    for n in (16, 32, 64):
        for s in "us":
            ty = "%s%d" % (s, n)
            two = {
                "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul.lo": lambda a, b: a * b,
                "mul.hi": lambda a, b: a * b >> n, "div": lambda a, b: divide(a, b, ty),
                "rem": lambda a, b: remainder(a, b, ty), "min": min, "max": max,
            }
            for op, f in two.items():
                for a, b in tuples([n, n]) + [[7, 0], [mask(n), 0], [1 << (n - 1), mask(n)]]:
                    t.row("%s.%s" % (op, ty), [a, b], [f(value(a, ty), value(b, ty)) & mask(n)])
            three = {
                "mad.lo": lambda a, b, c: a * b + c, "mad.hi": lambda a, b, c: (a * b >> n) + c,
                "sad": lambda a, b, c: c + abs(a - b),
            }
            for op, f in three.items():
                for v in tuples([n, n, n]):
                    t.row("%s.%s" % (op, ty), v, [f(*[value(x, ty) for x in v]) & mask(n)])
            if n < 64:
                for a, b in tuples([n, n]):
                    t.row("mul.wide." + ty, [a, b], [value(a, ty) * value(b, ty) & mask(2 * n)])
                for a, b, c in tuples([n, n, 2 * n]):
                    t.row("mad.wide." + ty, [a, b, c], [value(a, ty) * value(b, ty) + c & mask(2 * n)])
        for a, in tuples([n], 14):
            t.row("abs.s%d" % n, [a], [abs(signed(a, n)) & mask(n)])
        for a, in tuples([n], 14):
            t.row("neg.s%d" % n, [a], [-a & mask(n)])
    for a, b in tuples([32, 32]):
        t.row("add.sat.s32", [a, b], [clamp(signed(a, 32) + signed(b, 32), 32) & mask(32)])
    for a, b in tuples([32, 32]):
        t.row("sub.sat.s32", [a, b], [clamp(signed(a, 32) - signed(b, 32), 32) & mask(32)])
    for v in tuples([32, 32, 32]):
        a, b, c = [signed(x, 32) for x in v]
        t.row("mad.hi.sat.s32", v, [clamp((a * b >> 32) + c, 32) & mask(32)])
    for op, f in (("min", min), ("max", max)):
        for a, b in tuples([32, 32]):
            t.row(op + ".relu.s32", [a, b], [max(0, f(signed(a, 32), signed(b, 32)))])
    halves = {
        "add.u16x2": lambda a, b: a + b, "add.s16x2": lambda a, b: a + b, "min.u16x2": min, "max.u16x2": max,
        "min.s16x2": min, "max.s16x2": max, "min.relu.s16x2": lambda a, b: max(0, min(a, b)),
        "max.relu.s16x2": lambda a, b: max(0, a, b),
    }
    for op, f in halves.items():
        ty = op.split(".")[-1][:3]
        for a, b in tuples([32, 32]):
            r = 0
            for k in (0, 16):
                r |= (f(value(a >> k, ty), value(b >> k, ty)) & 0xffff) << k
            t.row(op, [a, b], [r])
    for s in "us":
        ty = s + "24"
        for part, k in (("lo", 0), ("hi", 16)):
            for a, b in tuples([32, 32]):
                t.row("mul24.%s.%s32" % (part, s), [a, b], [value(a, ty) * value(b, ty) >> k & mask(32)])
            for a, b, c in tuples([32, 32, 32]):
                t.row("mad24.%s.%s32" % (part, s), [a, b, c], [(value(a, ty) * value(b, ty) >> k) + c & mask(32)])
    for v in tuples([32, 32, 32]):
        r = signed(signed(v[0], 24) * signed(v[1], 24) >> 16, 32) + signed(v[2], 32)
        t.row("mad24.hi.sat.s32", v, [clamp(r, 32) & mask(32)])


def carries():
    t = Table("carry")
    for s in "us":
        for n in (32, 64):
            ty = "%s%d" % (s, n)
            for op, reads, sets in (("add.cc", 0, 1), ("addc", 1, 0), ("addc.cc", 1, 1),
                                    ("sub.cc", 0, 1), ("subc", 1, 0), ("subc.cc", 1, 1)):
                for a, b in tuples([n, n]) + [[5, 5], [mask(n), 0], [0, mask(n)]]:
                    c = rng.getrandbits(1)
                    add = op.startswith("add")
                    x = a + (b if add else b ^ mask(n)) + (c if reads else 0 if add else 1)
                    t.row("%s.%s" % (op, ty), [a, b], [x & mask(n)], cin=c, cout=x >> n if sets else c)
            for part in ("lo", "hi"):
                for op, reads, sets in (("mad.%s.cc", 0, 1), ("madc.%s", 1, 0), ("madc.%s.cc", 1, 1)):
                    for a, b, d in tuples([n, n, n]):
                        c = rng.getrandbits(1)
                        p = value(a, ty) * value(b, ty) >> (n if part == "hi" else 0) & mask(n)
                        x = p + d + (c if reads else 0)
                        t.row("%s.%s" % (op % part, ty), [a, b, d], [x & mask(n)], cin=c, cout=x >> n if sets else c)


def bits():
    t = Table("bits")
    for n in (16, 32, 64):
        for op, f in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
            for a, b in tuples([n, n], 14):
                t.row("%s.b%d" % (op, n), [a, b], [f(a, b)])
        for a, in tuples([n], 14):
            t.row("not.b%d" % n, [a], [a ^ mask(n)])
        for a, in tuples([n], 14):
            t.row("cnot.b%d" % n, [a], [int(a == 0)])
        amounts = list(range(66)) + [255, 256, mask(32), 1 << 31]
        for op in ("shl.b", "shr.b", "shr.u", "shr.s"):
            for k in amounts:
                a = some(n)
                if op == "shl.b":
                    r = a << k & mask(n) if k < n else 0
                elif op == "shr.s":
                    r = signed(a, n) >> min(k, n) & mask(n)
                else:
                    r = a >> min(k, n)
                t.row("%s%d" % (op, n), [a, k], [r])
    for n in (32, 64):
        for s in "us":
            for _ in range(60):
                a, pos, ln = some(n), rng.choice([0, 1, 5, n - 1, n, n + 1, 255, 256, rng.randrange(70)]), rng.choice(
                    [0, 1, 4, n - 1, n, n + 1, 255, 260, rng.randrange(70)])
                p, k = pos & 255, ln & 255
                bitlist = [a >> i & 1 for i in range(n)]
                fill = bitlist[min(p + k - 1, n - 1)] if s == "s" and k else 0
                r = 0
                for i in range(n):
                    b = fill
                    if i < k and p + i < n:
                        b = bitlist[p + i]
                    r |= b << i
                t.row("bfe.%s%d" % (s, n), [a, pos, ln], [r])
        for _ in range(60):
            a, b = some(n), some(n)
            pos = rng.choice([0, 1, 5, n - 1, n, 255, 256, rng.randrange(70)])
            ln = rng.choice([0, 1, 4, n - 1, n, n + 1, 255, 260, rng.randrange(70)])
            r = b
            for i in range(ln & 255):
                if (pos & 255) + i < n:
                    at = (pos & 255) + i
                    r = r & ~(1 << at) | (a >> i & 1 if i < n else 0) << at
            t.row("bfi.b%d" % n, [a, b, pos, ln], [r])
        for a, in tuples([n], 20):
            t.row("brev.b%d" % n, [a], [int(bin(a)[2:].zfill(n)[::-1], 2)])
        for a, in tuples([n], 20):
            t.row("popc.b%d" % n, [a], [bin(a).count("1")])
        for a, in tuples([n], 20):
            t.row("clz.b%d" % n, [a], [n - a.bit_length()])
        for s in "us":
            for amount in ("", ".shiftamt"):
                for a, in tuples([n], 20):
                    x = signed(a, n) if s == "s" else a
                    x = ~x if x < 0 else x
                    r = x.bit_length() - 1 if x else None
                    if r is not None and amount:
                        r = n - 1 - r
                    t.row("bfind%s.%s%d" % (amount, s, n), [a], [mask(32) if r is None else r])
    for _ in range(64):
        m, base, off = some(32), rng.choice([0, 5, 16, 31, 32, 100]), rng.choice([0, 1, 2, 3, 7, -1, -2, -5, 32, -32])
        found = mask(32)
        if base < 32 and off == 0:
            found = base if m >> base & 1 else found
        elif base < 32:
            places = range(base, 32) if off > 0 else range(base, -1, -1)
            hits = [i for i in places if m >> i & 1]
            if len(hits) >= abs(off):
                found = hits[abs(off) - 1]
        t.row("fns.b32", [m, base, off & mask(32)], [found])
    for mode in ("clamp", "wrap"):
        for _ in range(40):
            a, b = rng.randrange(40), rng.randrange(40)
            if _ < 4:
                a, b = [(0, 32), (32, 1), (mask(32), 3), (1, mask(32))][_]
            x, y = (a, b) if mode == "clamp" else (a & 31, b & 31)
            t.row("bmsk.%s.b32" % mode, [a, b], [mask(min(y, 32)) << min(x, 32) & mask(32)])
        for s in "us":
            for _ in range(40):
                a, b = some(32), rng.choice([0, 1, 8, 31, 32, 33, 100, mask(32), rng.randrange(40)])
                w = min(b, 32) if mode == "clamp" else b & 31
                r = a & mask(w)
                if s == "s" and w and r >> (w - 1):
                    r |= mask(32) & ~mask(w)
                t.row("szext.%s.%s32" % (mode, s), [a, b], [r])
        for d in "lr":
            for k in list(range(36)) + [64, 255, mask(32)]:
                a, b = some(32), some(32)
                m = min(k, 32) if mode == "clamp" else k & 31
                x = b << 32 | a
                r = x << m >> 32 & mask(32) if d == "l" else x >> m & mask(32)
                t.row("shf.%s.%s.b32" % (d, mode), [a, b, k], [r])
    modes = {"f4e": [[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]],
             "b4e": [[5, 6, 7, 0], [6, 7, 0, 1], [7, 0, 1, 2], [0, 1, 2, 3]],
             "rc8": [[0] * 4, [1] * 4, [2] * 4, [3] * 4],
             "ecl": [[3, 2, 1, 0], [3, 2, 1, 1], [3, 2, 2, 2], [3, 3, 3, 3]],
             "ecr": [[0, 0, 0, 0], [1, 1, 1, 0], [2, 2, 1, 0], [3, 2, 1, 0]],
             "rc16": [[1, 0, 1, 0], [3, 2, 3, 2], [1, 0, 1, 0], [3, 2, 3, 2]]}
    for mode, table in modes.items():
        for k in (0, 1, 2, 3, 4, 7, 0xfffffffe):
            a, b = rng.getrandbits(32), rng.getrandbits(32)
            bs = [(b << 32 | a) >> 8 * i & 255 for i in range(8)]
            r = 0
            for pick in table[k & 3]:
                r = r << 8 | bs[pick]
            t.row("prmt.%s.b32" % mode, [a, b, k], [r])
    for _ in range(64):
        a, b, c = rng.getrandbits(32), rng.getrandbits(32), rng.choice([0x3210, 0x7654, 0xba98, 0xfedc, rng.getrandbits(32)])
        bs = [(b << 32 | a) >> 8 * i & 255 for i in range(8)]
        r = 0
        for i in range(4):
            sel = c >> 4 * i & 15
            byte = bs[sel & 7]
            if sel & 8:
                byte = 255 if byte & 128 else 0
            r |= byte << 8 * i
        t.row("prmt.b32", [a, b, c], [r])
    for imm in range(256):
        a, b, c = rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(32)
        r = 0
        for i in range(32):
            r |= (imm >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i
        t.row("lop3.b32", [a, b, c], [r], imm=imm)


def moves():
    t = Table("move")
    for ty, n in (("b16", 16), ("u16", 16), ("s16", 16), ("b32", 32), ("u32", 32), ("s32", 32), ("b64", 64), ("u64", 64),
                  ("s64", 64), ("f16", 16), ("bf16", 16), ("f16x2", 32), ("bf16x2", 32), ("f32", 32), ("f64", 64),
                  ("b128", 128)):
        for _ in range(4):
            a = rng.getrandbits(n)
            t.row("mov." + ty, [a], [a])
    for w, n in ((16, 8), (32, 16), (64, 32), (128, 64), (32, 8), (64, 16), (128, 32)):
        for _ in range(8):
            ps = [rng.getrandbits(n) for _ in range(w // n)]
            whole = sum(v << i * n for i, v in enumerate(ps))
            row = [v | (rng.getrandbits(8) << 8 if n == 8 else 0) for v in ps]
            t.row("pack.b%d.b%d" % (w, n), row, [whole])
        for _ in range(8):
            ps = [rng.getrandbits(n) for _ in range(w // n)]
            t.row("unpack.b%d.b%d" % (w, n), [sum(v << i * n for i, v in enumerate(ps))], ps)
    for n in (16, 32, 64):
        for _ in range(4):
            a, b = rng.getrandbits(n), rng.getrandbits(n)
            t.row("pair.b%d" % n, [a, b], [a, b])
    for ty, n in (("b16", 16), ("u16", 16), ("s16", 16), ("b32", 32), ("u32", 32), ("s32", 32), ("f32", 32), ("b64", 64),
                  ("u64", 64), ("s64", 64), ("f64", 64)):
        for k in range(8):
            a, b = rng.getrandbits(n), rng.getrandbits(n)
            t.row("selp." + ty, [a, b, k & 1], [a if k & 1 else b])
        for c in (0, 1, mask(32), 1 << 31, mask(31)):
            a, b = rng.getrandbits(n), rng.getrandbits(n)
            t.row("slct.%s.s32" % ty, [a, b, c], [a if signed(c, 32) >= 0 else b])
        for ftz in ("", "ftz."):
            # 0, -0, -1, 1, inf, -inf, NaN, -NaN, least subnormal of both signs
            for c, yes in ((0, 1), (1 << 31, 1), (0xbf800000, 0), (0x3f800000, 1), (0x7f800000, 1), (0xff800000, 0),
                           (0x7fc00000, 0), (0xffc00000, 0), (1, 1), (0x80000001, 1 if ftz else 0)):
                a, b = rng.getrandbits(n), rng.getrandbits(n)
                t.row("slct.%s%s.f32" % (ftz, ty), [a, b, c], [a if yes else b])
    for op, f in (("and", lambda a, b: a & b), ("or", lambda a, b: a | b), ("xor", lambda a, b: a ^ b)):
        for k in range(4):
            t.row(op + ".pred", [k & 1, k >> 1], [f(k & 1, k >> 1)])
    for k in range(2):
        t.row("not.pred", [k], [1 - k])
    for k in range(2):
        t.row("mov.pred", [k], [k])
    for n, exp in ((32, 8), (64, 11)):
        frac = n - 1 - exp
        inf = mask(exp) << frac
        least = 1 << frac
        for kind in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
            for x in (0, 1, least - 1, least, inf - 1, inf, inf + 1, mask(n - 1), least | 5):
                for sign in (0, 1 << (n - 1)):
                    is_ = {"finite": x < inf, "infinite": x == inf, "number": x <= inf, "notanumber": x > inf,
                           "normal": least <= x < inf, "subnormal": 0 < x < least}[kind]
                    t.row("testp.%s.f%d" % (kind, n), [x | sign], [int(is_)])


def joins(m, c):
    """Name, and what comes of a comparison m and a predicate c."""
    return ((".and", m & c), (".or", m | c), (".xor", m ^ c))


FLOATS = {"f32": (8, 23), "f64": (11, 52), "f16": (5, 10), "bf16": (8, 7)}


def is_nan(x, ty):
    e, f = FLOATS[ty]
    return x & mask(e + f) > mask(e) << f


def order_key(x, ty, ftz):
    """A number that orders as the float does."""
    e, f = FLOATS[ty]
    magnitude = x & mask(e + f)
    if ftz and magnitude < 1 << f:
        magnitude = 0
    return -magnitude if x >> (e + f) else magnitude


def compare(op, a, b, ty, ftz):
    if ty[0] in "busf" and ty not in FLOATS:
        x, y = (value(a, ty), value(b, ty)) if ty[0] in "us" else (a, b)
        nan = False
    else:
        x, y = order_key(a, ty, ftz), order_key(b, ty, ftz)
        nan = is_nan(a, ty) or is_nan(b, ty)
    if op in ("num", "nan"):
        return int(nan == (op == "nan"))
    basic = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}.get(op, op)
    if nan:
        return int(len(basic) == 3)
    return int({"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[basic[:2]])


def comparisons():
    p, s = Table("setp"), Table("set")
    cases = []
    for n in (16, 32, 64):
        cases += [(op, "", "b%d" % n) for op in ("eq", "ne")]
        cases += [(op, "", "u%d" % n) for op in ("eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs")]
        cases += [(op, "", "s%d" % n) for op in ("eq", "ne", "lt", "le", "gt", "ge")]
    for ftz, ty in (("", "f32"), ("ftz.", "f32"), ("", "f64"), ("", "f16"), ("ftz.", "f16"), ("", "bf16")):
        cases += [(op, ftz, ty) for op in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu",
                                          "num", "nan")]
    for op, ftz, ty in cases:
        n = sum(FLOATS[ty]) + 1 if ty in FLOATS else int(ty[1:])
        pairs = []
        if ty in FLOATS:
            e, f = FLOATS[ty]
            inf, sign = mask(e) << f, 1 << (n - 1)
            pool = [0, sign, 1, sign | 1, inf, sign | inf, inf | 1 << (f - 1), 1 << f, inf - 1, mask(e - 1) << f]
            pairs = [(a, b) for a in pool[:7] for b in pool[2:7:2]] + [(rng.choice(pool), rng.choice(pool)) for _ in range(5)]
        else:
            pairs = [(a, b) for a, b in tuples([n, n], 14)] + [(5, 5), (mask(n), mask(n))]
        for a, b in pairs:
            m = compare(op, a, b, ty, ftz)
            p.row("setp.%s.%s%s" % (op, ftz, ty), [a, b], [m, 1 - m])
        few = rng.sample(pairs, 6)
        for k in range(3):
            for a, b in few:
                c = rng.getrandbits(1)
                m = compare(op, a, b, ty, ftz)
                name, r = joins(m, c)[k]
                q = joins(1 - m, c)[k][1]
                p.row("setp.%s%s.%s%s" % (op, name, ftz, ty), [a, b, c], [r, q])
        truths = [("u32", mask(32)), ("s32", mask(32)), ("f32", 0x3f800000)]
        if ty in ("f16", "bf16"):
            truths += [("u16", 0xffff), ("s16", 0xffff), (ty, 0x3c00 if ty == "f16" else 0x3f80)]
        for dst, yes in truths:
            for a, b in few[:4]:
                m = compare(op, a, b, ty, ftz)
                s.row("set.%s.%s%s.%s" % (op, ftz, dst, ty), [a, b], [yes * m])
            for k in range(3):
                for a, b in few[:3]:
                    c = rng.getrandbits(1)
                    name, r = joins(compare(op, a, b, ty, ftz), c)[k]
                    s.row("set.%s%s.%s%s.%s" % (op, name, ftz, dst, ty), [a, b, c], [yes * r])


# --- floats: exact fractions, one rounding ---

CANONICAL = {"f32": 0x7fffffff, "f16": 0x7fff, "bf16": 0x7fff}


def sign_of(x, ty):
    return x >> (width(ty) - 1)


def width(ty):
    return 1 + sum(FLOATS[ty])


def infinity(ty, s=0):
    e, f = FLOATS[ty]
    return (s << (e + f)) | mask(e) << f


def is_inf(x, ty):
    return x & mask(width(ty) - 1) == infinity(ty)


def number(x, ty):
    """The fraction that finite bits stand for."""
    e, f = FLOATS[ty]
    exp, frac = x >> f & mask(e), x & mask(f)
    bias = mask(e - 1)
    m = Fraction(frac + ((1 << f) if exp else 0)) * Fraction(2) ** (max(exp, 1) - bias - f)
    return -m if sign_of(x, ty) else m


def rounded(x, ty, mode="rn", zero_sign=0):
    """A fraction to bits, once."""
    e, f = FLOATS[ty]
    bias = mask(e - 1)
    s = 1 if x < 0 else zero_sign if x == 0 else 0
    m = abs(x)
    if m == 0:
        return s << (e + f)
    exp = m.numerator.bit_length() - m.denominator.bit_length()
    if Fraction(2) ** exp > m:
        exp -= 1
    exp = max(exp, 1 - bias)
    unit = Fraction(2) ** (exp - f)
    q = m / unit
    k, rest = q.numerator // q.denominator, q - q.numerator // q.denominator
    if mode in ("rn", "rni"):
        up = rest > Fraction(1, 2) or rest == Fraction(1, 2) and k & 1
    else:
        up = rest > 0 and (mode[1] == "p" and not s or mode[1] == "m" and s)
    k += up
    bits = k + ((exp + bias - 1) << f)
    if bits >= mask(e) << f:
        stays = mode == "rz" or mode == "rm" and not s or mode == "rp" and s
        bits = (mask(e) << f) - (1 if stays else 0)
    return bits | s << (e + f)


def flush(x, ty):
    e, f = FLOATS[ty]
    return x if x & mask(e) << f else x & 1 << (e + f)


def made_nan(ty, sources):
    if ty == "f64":
        for x in sources:
            if is_nan(x, ty):
                return x | 1 << 51
        return 0xfff8 << 48
    return CANONICAL[ty]


def arithmetic(op, v, ty, mode="rn"):
    """Bits of op(v) by IEEE 754: add sub mul fma div rcp sqrt."""
    if op == "sub":
        nan = next((x for x in v if is_nan(x, ty)), None)
        if nan is None:
            return arithmetic("add", [v[0], v[1] ^ 1 << (width(ty) - 1)], ty, mode)
    if any(is_nan(x, ty) for x in v):
        return made_nan(ty, v)
    if op == "rcp":
        return arithmetic("div", [rounded(Fraction(1), ty)] + v, ty, mode)
    bad, s = made_nan(ty, []), [sign_of(x, ty) for x in v]
    inf, zero = [is_inf(x, ty) for x in v], [x & mask(width(ty) - 1) == 0 for x in v]
    if op == "sqrt":
        if zero[0]:
            return v[0]
        if s[0]:
            return bad
        return v[0] if inf[0] else root(number(v[0], ty), ty, mode)
    if op == "mul":
        if inf[0] and zero[1] or inf[1] and zero[0]:
            return bad
        if inf[0] or inf[1]:
            return infinity(ty, s[0] ^ s[1])
        return rounded(number(v[0], ty) * number(v[1], ty), ty, mode, s[0] ^ s[1])
    if op == "div":
        if inf[0] and inf[1] or zero[0] and zero[1]:
            return bad
        if inf[0] or zero[1]:
            return infinity(ty, s[0] ^ s[1])
        if inf[1] or zero[0]:
            return (s[0] ^ s[1]) << (width(ty) - 1)
        return rounded(number(v[0], ty) / number(v[1], ty), ty, mode, s[0] ^ s[1])
    if op == "fma":
        if inf[0] and zero[1] or inf[1] and zero[0]:
            return bad
        ps = s[0] ^ s[1]
        if inf[0] or inf[1]:
            return bad if inf[2] and s[2] != ps else infinity(ty, ps)
        if inf[2]:
            return v[2]
        p, c, cs = number(v[0], ty) * number(v[1], ty), number(v[2], ty), s[2]
    else:
        if inf[0] or inf[1]:
            return bad if inf[0] and inf[1] and s[0] != s[1] else v[0] if inf[0] else v[1]
        p, c, ps, cs = number(v[0], ty), number(v[1], ty), s[0], s[1]
    zs = ps if ps == cs and p == 0 and c == 0 else int(mode == "rm")
    return rounded(p + c, ty, mode, zs)


def root(x, ty, mode):
    """sqrt: enough digits that what is left over only breaks ties."""
    shift = 400
    n = x.numerator * x.denominator << shift
    r = isqrt(n)
    approx = Fraction(r, x.denominator << (shift // 2))
    if r * r != n:
        approx += Fraction(1, x.denominator << (shift // 2 + 1))
    return rounded(approx, ty, mode)


def finish(bits, ty, ftz, sat):
    if ftz:
        bits = flush(bits, ty)
    if sat:
        one = rounded(Fraction(1), ty)
        if is_nan(bits, ty) or sign_of(bits, ty):
            return 0
        return min(bits, one)
    return bits


def specials(ty):
    e, f = FLOATS[ty]
    n = width(ty)
    one = mask(e - 1) << f
    pool = [0, 1, mask(f), 1 << f, one, one + 1, one - 1, one + (1 << (f - 1)), infinity(ty) - 1, infinity(ty),
            infinity(ty) | 1 << (f - 1), infinity(ty) | 5, one + (1 << f)]
    return pool + [x | 1 << (n - 1) for x in pool]


def some_float(ty, near=None):
    e, f = FLOATS[ty]
    n = width(ty)
    k = rng.randrange(4)
    if k == 0:
        return rng.choice(specials(ty))
    if near is not None and k < 3:
        exp = (near >> f & mask(e)) + rng.randrange(-f - 3, f + 4)
        return max(0, min(exp, mask(e) - 1)) << f | rng.getrandbits(f) | rng.getrandbits(1) << (n - 1)
    return rng.getrandbits(n) if k != 1 else (mask(e - 1) + rng.randrange(-4, 5)) << f | rng.getrandbits(f)


def float_tuples(ty, count, n):
    out, pool = [], specials(ty)
    for i in range(n):
        if i < len(pool):
            out.append([pool[(i * (3 * k + 1) + 5 * k) % len(pool)] for k in range(count)])
            continue
        v = [some_float(ty)]
        while len(v) < count:
            v.append(some_float(ty, v[0]))
        out.append(v)
    return out


def fast_quotient(v):
    """div.approx: beyond 2^126 the reciprocal of the divisor is 0."""
    m = v[1] & mask(31)
    if 0x7e800000 < m < 0x7f800000 and not is_nan(v[0], "f32"):
        return 0x7fffffff if is_inf(v[0], "f32") else (v[0] ^ v[1]) & 1 << 31
    return arithmetic("div", v, "f32")


def reals():
    t = Table("float")
    for mode in ("", ".rn", ".rz", ".rm", ".rp"):
        for ftz in ("", ".ftz"):
            for sat in ("", ".sat"):
                n = 60 if not sat else 24
                for op in ("add", "sub", "mul", "fma", "mad"):
                    if op == "fma" and not mode:
                        continue
                    for v in float_tuples("f32", 3 if op in ("fma", "mad") else 2, n):
                        w = [flush(x, "f32") for x in v] if ftz else v
                        r = arithmetic("fma" if op == "mad" else op, w, "f32", mode[1:] or "rn")
                        t.row("%s%s%s%s.f32" % (op, mode, ftz, sat), v, [finish(r, "f32", ftz, sat)])
            if mode:
                for op, k in (("div", 2), ("rcp", 1), ("sqrt", 1)):
                    for v in float_tuples("f32", k, 70):
                        w = [flush(x, "f32") for x in v] if ftz else v
                        t.row("%s%s%s.f32" % (op, mode, ftz), v, [finish(arithmetic(op, w, "f32", mode[1:]), "f32", ftz, 0)])
        for op, k in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("mad", 3), ("div", 2), ("rcp", 1), ("sqrt", 1)):
            if not mode and op in ("fma", "rcp", "sqrt"):
                continue
            for v in float_tuples("f64", k, 60):
                t.row("%s%s.f64" % (op, mode), v, [arithmetic("fma" if op == "mad" else op, v, "f64", mode[1:] or "rn")])
    for ftz in ("", ".ftz"):
        for v in float_tuples("f32", 2, 40):
            w = [flush(x, "f32") for x in v] if ftz else v
            r = finish(arithmetic("div", w, "f32"), "f32", ftz, 0)
            t.row("div.full%s.f32" % ftz, v, [r])
        for v in float_tuples("f32", 2, 40):  # as PTX 1.0 to 1.3 wrote div.approx.ftz
            t.row("div%s.f32" % ftz, v, [finish(fast_quotient([flush(x, "f32") for x in v]), "f32", True, 0)])
        for v in float_tuples("f32", 2, 60) + [[0x3f800000, 0x7f000000], [0x7f800000, 0xff000000], [0xbf800000, 0x7e800000]]:
            w = [flush(x, "f32") for x in v] if ftz else v
            t.row("div.approx%s.f32" % ftz, v, [finish(fast_quotient(w), "f32", ftz, 0)])
        for op in ("rcp", "sqrt", "rsqrt"):
            for v in float_tuples("f32", 1, 50):
                w = [flush(x, "f32") for x in v] if ftz else v
                if op == "rsqrt":
                    x = w[0]
                    if is_nan(x, "f32") or sign_of(x, "f32") and x & mask(31):
                        r = 0x7fffffff
                    elif x & mask(31) == 0:
                        r = infinity("f32", x >> 31)
                    elif is_inf(x, "f32"):
                        r = 0
                    else:
                        r = root(1 / number(x, "f32"), "f32", "rn")
                else:
                    r = arithmetic(op, w, "f32")
                t.row("%s.approx%s.f32" % (op, ftz), v, [finish(r, "f32", ftz, 0)])
    for op in ("min", "max"):
        for ty in ("f32", "f64", "f16", "bf16"):
            for ftz in ("", ".ftz") if ty in ("f32", "f16") else ("",):
                for nan in ("", ".NaN") if ty != "f64" else ("",):
                    for xs in ("", ".xorsign.abs") if ty != "f64" else ("",):
                        pairs = float_tuples(ty, 2, 60)
                        rs = [least(op, [flush(x, ty) for x in v] if ftz else v, ty, nan, xs) for v in pairs]
                        halves(t, "%s%s%s%s" % (op, ftz, nan, xs), ty, pairs, rs)
    for ty in ("f32", "f64", "f16", "bf16"):
        top = 1 << (width(ty) - 1)
        for ftz in ("", ".ftz") if ty in ("f32", "f16") else ("",):
            vs = float_tuples(ty, 1, 30)
            for op, f in (("abs", lambda x: x & ~top), ("neg", lambda x: x ^ top)):
                halves(t, op + ftz, ty, vs, [f(flush(v[0], ty) if ftz else v[0]) for v in vs])
        if ty in ("f32", "f64"):
            for a, b in float_tuples(ty, 2, 20):
                t.row("copysign." + ty, [a, b], [a & top | b & ~top])


def halves(t, name, ty, ins, outs):
    """Rows of a form; for the 16-bit types also of its x2 form, two rows in one."""
    for v, r in zip(ins, outs):
        t.row("%s.%s" % (name, ty), v, [r])
    if ty in ("f16", "bf16"):
        for i in range(0, len(ins) - 1, 2):
            v = [lo | hi << 16 for lo, hi in zip(ins[i], ins[i + 1])]
            t.row("%s.%sx2" % (name, ty), v, [outs[i] | outs[i + 1] << 16])


def least(op, v, ty, strict, xorsign):
    top = 1 << (width(ty) - 1)
    s = (v[0] ^ v[1]) & top
    if xorsign:
        v = [x & ~top for x in v]
    nans = [is_nan(x, ty) for x in v]
    if all(nans) or strict and any(nans):
        return made_nan(ty, v)
    if nans[0] or nans[1]:
        r = v[1] if nans[0] else v[0]
    else:
        key = lambda x: (order_key(x, ty, False), -(x >> (width(ty) - 1)))
        r = (min if op == "min" else max)(v, key=key)
    return r | s if xorsign else r


def half_arithmetic():
    t = Table("half")
    for ty in ("f16", "bf16"):
        for mode in ("", ".rn"):
            for ftz in ("", ".ftz") if ty == "f16" else ("",):
                for end in ("", ".sat", ".relu") if ty == "f16" else ("", ".relu"):
                    for op in ("add", "sub", "mul", "fma"):
                        if op == "fma" and not mode or op != "fma" and end == ".relu":
                            continue
                        ins = float_tuples(ty, 3 if op == "fma" else 2, 100 if not end else 40)
                        outs = []
                        for v in ins:
                            w = [flush(x, ty) for x in v] if ftz else v
                            r = finish(arithmetic(op, w, ty), ty, ftz, end == ".sat")
                            if end == ".relu" and not is_nan(r, ty) and sign_of(r, ty):
                                r = 0
                            outs.append(r)
                        halves(t, op + mode + ftz + end, ty, ins, outs)


# --- conversions ---

INTS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]


def low_high(ty):
    n = int(ty[1:])
    return (-(1 << (n - 1)), (1 << (n - 1)) - 1) if ty[0] == "s" else (0, mask(n))


def in_row(v, ty):
    """8-bit values lie in rows of 16."""
    return v & mask(max(16, int(ty[1:])))


def whole(x, mode):
    fl = x.numerator // x.denominator
    rest = x - fl
    if mode == "rzi":
        return fl + (1 if x < 0 and rest else 0)
    if mode == "rni":
        return fl + (1 if rest > Fraction(1, 2) or rest == Fraction(1, 2) and fl & 1 else 0)
    return fl + (1 if mode == "rpi" and rest else 0)


def conversions():
    t = Table("cvt")
    for d in INTS:
        for a in INTS:
            for sat in ("", ".sat"):
                for v, in tuples([max(16, int(a[1:]))], 14):
                    x = value(v, a)
                    if sat:
                        x = max(low_high(d)[0], min(x, low_high(d)[1]))
                    t.row("cvt%s.%s.%s" % (sat, d, a), [v], [in_row(value(x, d), d)])
    for mode in ("rni", "rzi", "rmi", "rpi"):
        for f, ftz in (("f16", ""), ("bf16", ""), ("f32", ""), ("f32", ".ftz"), ("f64", "")):
            n = width(f)
            for d in INTS:
                lo, hi = low_high(d)
                for sat in ("", ".sat"):
                    vs = [v[0] for v in float_tuples(f, 1, 26)]
                    for k in (lo, hi, 0, 2):
                        for q in (-1, -Fraction(1, 2), 0, Fraction(1, 2), 1):
                            vs.append(rounded(Fraction(k) + q, f))
                    for v in vs if not sat else vs[::5]:
                        w = flush(v, f) if ftz else v
                        if is_nan(w, f):
                            r = 1 << (int(d[1:]) - 1) if f == "f64" or d[1:] == "64" else 0
                        elif is_inf(w, f):
                            r = lo if sign_of(w, f) else hi
                        else:
                            r = max(lo, min(whole(number(w, f), mode), hi))
                        if is_nan(w, f) and d == "s8" and f == "f64":
                            r = -128
                        t.row("cvt.%s%s%s.%s.%s" % (mode, ftz, sat, d, f), [v], [in_row(r, d)])
            if f == "bf16":
                continue
            for sat in ("", ".sat") if f != "f16" else ("",):
                for v, in float_tuples(f, 1, 40):
                    w = flush(v, f) if ftz else v
                    if is_nan(w, f):
                        r = made_nan(f, [w])
                    elif is_inf(w, f):
                        r = w
                    else:
                        r = rounded(Fraction(whole(number(w, f), mode)), f, "rn", sign_of(w, f))
                        r |= sign_of(w, f) << (n - 1)
                    t.row("cvt.%s%s%s.%s.%s" % (mode, ftz, sat, f, f), [v], [finish(r, f, ftz, sat)])
    for mode in ("rn", "rz", "rm", "rp"):
        for a in INTS:
            for f in ("f16", "bf16", "f32", "f64"):
                for sat in ("", ".sat") if f == "f32" else ("",):
                    for v, in tuples([max(16, int(a[1:]))], 24):
                        t.row("cvt.%s%s.%s.%s" % (mode, sat, f, a), [v],
                              [finish(rounded(Fraction(value(v, a)), f, mode), f, 0, sat)])


def narrowed(v, src, dst, mode, relu=False, finite=False):
    if is_nan(v, src):
        return CANONICAL[dst]
    if relu and sign_of(v, src):
        return 0
    r = infinity(dst, sign_of(v, src)) if is_inf(v, src) else rounded(number(v, src), dst, mode, sign_of(v, src))
    return r - 1 if finite and is_inf(r, dst) else r


def fp8(v, ty, src, relu):
    """Bits of f32 or f16 to e4m3 (no infinity) or e5m2, clamped."""
    f = 3 if ty == "e4m3" else 2
    if is_nan(v, src):
        return 0x7f
    if relu and sign_of(v, src):
        return 0
    top = 0x7e if ty == "e4m3" else 0x7b
    s = sign_of(v, src) << 7
    if is_inf(v, src):
        return top | s
    x = abs(number(v, src))
    bias = mask(6 - f)
    exp = max(1 - bias, -200)
    while x >= Fraction(2) ** (exp + 1):
        exp += 1
    unit = Fraction(2) ** (exp - f)
    q = x / unit
    k, rest = q.numerator // q.denominator, q - q.numerator // q.denominator
    k += rest > Fraction(1, 2) or rest == Fraction(1, 2) and k & 1
    return min(top, k + ((exp + bias - 1) << f)) | s


def fp8_to_f16(x, ty):
    f = 3 if ty == "e4m3" else 2
    m = x & 0x7f
    if m == 0x7f or ty == "e5m2" and m > 0x7c:
        return 0x7fff
    if ty == "e5m2" and m == 0x7c:
        return 0x7c00 | (x & 0x80) << 8
    bias, exp, frac = mask(6 - f), m >> f, m & mask(f)
    n = Fraction(frac + ((1 << f) if exp else 0)) * Fraction(2) ** (max(exp, 1) - bias - f)
    return rounded(n, "f16") | (x & 0x80) << 8


def float_conversions():
    t = Table("cvt_float")
    for sat in ("", ".sat"):
        for ftz in ("", ".ftz"):
            for v, in float_tuples("f32", 1, 40):
                w = flush(v, "f32") if ftz else v
                r = 0x7fffffff if is_nan(w, "f32") else w
                t.row("cvt%s%s.f32.f32" % (ftz, sat), [v], [finish(r, "f32", 0, sat)])
            for v, in float_tuples("f32", 1, 40):
                w = flush(v, "f32") if ftz else v
                if is_nan(w, "f32"):
                    r = sign_of(w, "f32") << 63 | mask(11) << 52 | (w & mask(23)) << 29 | 1 << 51
                else:
                    r = infinity("f64", w >> 31) if is_inf(w, "f32") else rounded(number(w, "f32"), "f64", "rn", w >> 31)
                t.row("cvt%s%s.f64.f32" % (ftz, sat), [v], [finish(r, "f64", 0, sat)])
            for v, in float_tuples("f16", 1, 40):
                t.row("cvt%s%s.f32.f16" % (ftz, sat), [v], [finish(narrowed(v, "f16", "f32", "rn"), "f32", 0, sat)])
        for v, in float_tuples("bf16", 1, 40):
            t.row("cvt%s.f32.bf16" % sat, [v], [finish(narrowed(v, "bf16", "f32", "rn"), "f32", 0, sat)])
        for v, in float_tuples("f16", 1, 40):
            r = None if is_nan(v, "f16") and not sat else 0 if is_nan(v, "f16") else None
            if not is_nan(v, "f16"):
                r = infinity("f64", v >> 15) if is_inf(v, "f16") else rounded(number(v, "f16"), "f64", "rn", v >> 15)
            t.row("cvt%s.f64.f16" % sat, [v], [r if r is None else finish(r, "f64", 0, sat)])
    for v, in float_tuples("bf16", 1, 40):
        r = None if is_nan(v, "bf16") else infinity("f64", v >> 15) if is_inf(v, "bf16") else rounded(
            number(v, "bf16"), "f64", "rn", v >> 15)
        t.row("cvt.f64.bf16", [v], [r])
    for v, in float_tuples("f64", 1, 40):
        t.row("cvt.sat.f64.f64", [v], [finish(v, "f64", 0, 1)])
    for m in ("rn", "rz", "rm", "rp"):
        for sat in ("", ".sat"):
            for ftz in ("", ".ftz"):
                for v in wide_values("f64", "f32"):
                    t.row("cvt.%s%s%s.f32.f64" % (m, ftz, sat), [v], [finish(narrowed(v, "f64", "f32", m), "f32", ftz, sat)])
            for v in wide_values("f64", "f16"):
                t.row("cvt.%s%s.f16.f64" % (m, sat), [v], [finish(narrowed(v, "f64", "f16", m), "f16", 0, sat)])
        for v in wide_values("f32", "f16"):
            t.row("cvt.%s.sat.f16.f32" % m, [v], [finish(narrowed(v, "f32", "f16", m), "f16", 0, 1)])
        for v in wide_values("f32", "f16"):
            t.row("cvt.%s.ftz.f16.f32" % m, [v], [narrowed(flush(v, "f32"), "f32", "f16", m)])
        for src, dst in (("f64", "bf16"), ("f16", "bf16"), ("bf16", "f16")):
            for v in wide_values(src, dst):
                t.row("cvt.%s.%s.%s" % (m, dst, src), [v], [narrowed(v, src, dst, m)])
        if m in ("rm", "rp"):
            for v in wide_values("f32", "f16"):
                t.row("cvt.%s.f16.f32" % m, [v], [narrowed(v, "f32", "f16", m)])
            continue
        for ty in ("f16", "bf16"):
            for mods in ("", ".relu", ".satfinite", ".relu.satfinite", ".satfinite.relu"):
                vs = wide_values("f32", ty)
                rs = [narrowed(v, "f32", ty, m, "relu" in mods, "sat" in mods) for v in vs]
                for v, r in zip(vs, rs):
                    t.row("cvt.%s%s.%s.f32" % (m, mods, ty), [v], [r])
                for i in range(len(vs) - 1):
                    t.row("cvt.%s%s.%sx2.f32" % (m, mods, ty), [vs[i], vs[i + 1]], [rs[i] << 16 | rs[i + 1]])
    for ty in ("e4m3", "e5m2"):
        for relu in ("", ".relu"):
            for src in ("f32", "f16"):
                vs = wide_values(src, "f16")
                if src == "f32":
                    vs += [rounded(Fraction(k, 1 << 12), src) for k in range(0, 100, 3)]
                    vs += [rounded(Fraction(k), src) for k in (440, 447, 448, 449, 456, 463, 464, 465, 480, 500, 57344,
                                                              61439, 61440, 61441, 65535, 65536, 1 << 40)]
                rs = [fp8(v, ty, src, relu) for v in vs]
                for i in range(len(vs) - 1):
                    name = "cvt.rn.satfinite%s.%sx2.%s" % (relu, ty, src + ("x2" if src == "f16" else ""))
                    ins = [vs[i], vs[i + 1]] if src == "f32" else [vs[i] << 16 | vs[i + 1]]
                    t.row(name, ins, [rs[i] << 8 | rs[i + 1]])
            for k in range(256):
                rs = [fp8_to_f16(x, ty) for x in (k, 255 - k)]
                rs = [0 if relu and r >> 15 and r & 0x7fff <= 0x7c00 else r for r in rs]
                t.row("cvt.rn%s.f16x2.%sx2" % (relu, ty), [k << 8 | 255 - k], [rs[0] << 16 | rs[1]])
    for m in ("rna", "rn", "rz"):
        for mods in ("", ".relu", ".satfinite", ".relu.satfinite", ".satfinite.relu"):
            for v in wide_values("f32", "f16") + [0x3f801000, 0x3f803000, 0x7f7ff000, 0x7f7fffff, 0xff7ff000]:
                if is_nan(v, "f32"):
                    r = 0x7fffffff
                elif "relu" in mods and v >> 31:
                    r = 0
                elif is_inf(v, "f32"):
                    r = v
                else:
                    k, rest = v >> 13, v & mask(13)
                    k += m == "rna" and rest >= 1 << 12 or m == "rn" and (rest > 1 << 12 or rest == 1 << 12 and k & 1)
                    r = k << 13
                if "satfinite" in mods and is_inf(r, "f32"):
                    r -= 1 << 13
                t.row("cvt.%s%s.tf32.f32" % (m, mods), [v], [r])
    for ty in ("s16", "u16"):
        lo, hi = low_high(ty)
        for a, b in tuples([32, 32]):
            x, y = [max(lo, min(signed(v, 32), hi)) & 0xffff for v in (a, b)]
            t.row("cvt.pack.sat.%s.s32" % ty, [a, b], [x << 16 | y])
    for ty in ("s8", "u8", "s4", "u4"):
        lo, hi = low_high(ty)
        n = int(ty[1:])
        for a, b, c in tuples([32, 32, 32]) + [[rng.getrandbits(9), rng.getrandbits(5), 7]]:
            x, y = [max(lo, min(signed(v, 32), hi)) & mask(n) for v in (a, b)]
            t.row("cvt.pack.sat.%s.s32.b32" % ty, [a, b, c], [(c << 2 * n | x << n | y) & mask(32)])


def wide_values(src, dst):
    """Values of src around what dst can hold: halfway cases, its edges, its subnormals."""
    e, f = FLOATS[dst]
    out = [v[0] for v in float_tuples(src, 1, 30)]
    for _ in range(14):
        x = number(rng.getrandbits(e + f) % (mask(e) << f), dst)
        step = number((rng.getrandbits(e + f) % (mask(e) << f)) & ~mask(f) | 1, dst)
        out.append(rounded(x + step / 2, src))
        out.append(rounded(-x, src))
        k = rng.getrandbits(f)
        half = number(k, dst) + number(1, dst) / 2
        out.append(rounded(half, src))
        out.append(rounded(half, src) + rng.choice([-1, 0, 1]) & mask(width(src)))
    return out


def approximations():
    """The true value rounded once, by mpmath."""
    import mpmath
    mpmath.mp.prec = 400
    t = Table("approx")

    def exactly(x):
        s, m, e, _ = mpmath.mpf(x)._mpf_
        v = Fraction(int(m)) * Fraction(2) ** int(e)
        return -v if s else v

    f = {"ex2": lambda x: mpmath.mpf(2) ** x, "lg2": lambda x: mpmath.log(x) / mpmath.log(2), "sin": mpmath.sin,
         "cos": mpmath.cos, "tanh": mpmath.tanh}

    def one(op, v, ty):
        bad, zero, s = CANONICAL[ty], v & mask(width(ty) - 1) == 0, sign_of(v, ty)
        if is_nan(v, ty):
            return bad
        if op == "lg2" and zero:
            return infinity(ty, 1)
        if op == "lg2" and s:
            return bad
        if is_inf(v, ty):
            return {"ex2": 0 if s else v, "lg2": v, "sin": bad, "cos": bad,
                    "tanh": rounded(Fraction(1), ty) | s << (width(ty) - 1)}[op]
        if zero and op in ("sin", "tanh"):
            return v
        q = number(v, ty)
        if op == "ex2" and abs(q) > 5000:
            return 0 if s else infinity(ty)
        if op == "tanh" and abs(q) > 60:
            return rounded(Fraction(1), ty) | s << (width(ty) - 1)
        return rounded(exactly(f[op](mpmath.mpf(q.numerator) / q.denominator)), ty)

    for op in ("ex2", "lg2", "sin", "cos", "tanh"):
        for ftz in ("", ".ftz") if op != "tanh" else ("",):
            vs = [v[0] for v in float_tuples("f32", 1, 60)]
            vs += [rounded(Fraction(k, 7), "f32") for k in range(-60, 60, 3)] + [0x48ffffff, 0x49000000, 0x7f7fffff, 0x4b123457]
            for v in vs:
                w = flush(v, "f32") if ftz else v
                t.row("%s.approx%s.f32" % (op, ftz), [v], [finish(one(op, w, "f32"), "f32", ftz, 0)])
    for op, ty, ftz in (("ex2", "f16", ""), ("ex2", "bf16", ".ftz"), ("tanh", "f16", ""), ("tanh", "bf16", "")):
        vs = [[v[0]] for v in float_tuples(ty, 1, 60)] + [[rounded(Fraction(k, 5), ty)] for k in range(-80, 80, 3)]
        rs = [finish(one(op, flush(v[0], ty) if ftz else v[0], ty), ty, ftz, 0) for v in vs]
        halves(t, op + ".approx" + ftz, ty, vs, rs)
    for v, in float_tuples("f64", 1, 40):
        x = number(v, "f64") if not is_nan(v, "f64") and not is_inf(v, "f64") else None
        if is_nan(v, "f64"):
            r = v | 1 << 51
        elif x == 0:
            r = infinity("f64", v >> 63)
        elif v >> 63:
            r = 0xfff8 << 48
        else:
            r = 0 if x is None else root(1 / x, "f64", "rn")
        t.row("rsqrt.approx.f64", [v], [None if x is not None and x > 0 else r])
    for k in range(-8, 9):  # powers of 4, where all roundings agree
        v = rounded(Fraction(4) ** k, "f64")
        t.row("rsqrt.approx.f64", [v], [rounded(Fraction(2) ** -k, "f64")])
    for op in ("rcp", "rsqrt"):
        for k in range(-8, 9):
            v = rounded(Fraction(4) ** k, "f64") | rng.getrandbits(20)
            t.row(op + ".approx.ftz.f64", [v], [rounded(Fraction(4 if op == "rcp" else 2) ** -k, "f64")])
        for v, r in ((0, 0x7ff << 52), (1 << 63, 0xfff << 52), (0x7ff << 52, 0), (5, 0x7ff << 52)):
            t.row(op + ".approx.ftz.f64", [v], [r])


def videos():
    t = Table("video")
    for a in "su":
        for b in "su":
            for v in tuples([32, 32, 32]):
                x, y, c = v
                r = c + sum(value(x >> 8 * k, a + "8") * value(y >> 8 * k, b + "8") for k in range(4))
                t.row("dp4a.%s32.%s32" % (a, b), v, [r & mask(32)])
            for half in ("lo", "hi"):
                for v in tuples([32, 32, 32]):
                    x, y, c = v
                    at = 16 if half == "hi" else 0
                    r = c + sum(value(x >> 16 * k, a + "16") * value(y >> at + 8 * k, b + "8") for k in range(2))
                    t.row("dp2a.%s.%s32.%s32" % (half, a, b), v, [r & mask(32)])
    f = {"vadd": lambda a, b: a + b, "vsub": lambda a, b: a - b, "vabsdiff": lambda a, b: abs(a - b), "vmin": min, "vmax": max,
         "vavrg": lambda a, b: (a + b + (a + b >= 0)) >> 1}
    for op, g in f.items():
        for lanes in (4, 2):
            n = 32 // lanes
            for d in "us":
                for a in "us":
                    for b in "us":
                        for end in ("", ".sat", ".add"):
                            for v in tuples([32, 32, 32], 12):
                                r, total = 0, v[2]
                                for k in range(lanes):
                                    x = g(value(v[0] >> n * k, a + str(n)), value(v[1] >> n * k, b + str(n)))
                                    lo, hi = low_high(d + str(n))
                                    x = max(lo, min(x, hi)) if end == ".sat" else x
                                    r |= (x & mask(n)) << n * k
                                    total += x  # .add uses the full values; the others are cut to n bits above
                                t.row("%s%d%s.%s32.%s32.%s32" % (op, lanes, end, d, a, b), v,
                                      [total & mask(32) if end == ".add" else r])


def pair_comparisons(t):
    """f16x2 and bf16x2: each half on its own; two predicates, or a half of ones or 1.0."""
    for ftz, ty in (("", "f16"), ("ftz.", "f16"), ("", "bf16")):
        e, f = FLOATS[ty]
        inf = mask(e) << f
        pool = [0, 0x8000, 1, 0x8001, inf, 0x8000 | inf, inf | 1 << (f - 1), 1 << f, inf - 1, mask(e - 1) << f]
        for op in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"):
            for k in range(-1, 3):
                for _ in range(12 if k < 0 else 4):
                    (a, b), (x, y) = [(rng.choice(pool), rng.choice(pool)) for _ in range(2)]
                    m, c, name = [compare(op, a, b, ty, ftz), compare(op, x, y, ty, ftz)], rng.getrandbits(1), ""
                    if k >= 0:
                        name = joins(0, 0)[k][0]
                        m = [joins(v, c)[k][1] for v in m]
                    ins = [x << 16 | a, y << 16 | b] + ([c] if k >= 0 else [])
                    t.row("setp.%s%s.%s%sx2" % (op, name, ftz, ty), ins, m)
                    for dst, yes in (("u32", 0xffff), ("s32", 0xffff), (ty + "x2", 0x3c00 if ty == "f16" else 0x3f80)):
                        t.row("set.%s%s.%s%s.%sx2" % (op, name, ftz, dst, ty), ins, [yes * m[0] | yes * m[1] << 16])


def pairs():
    t = Table("pair")
    pair_comparisons(t)
    for name in ("and", "or"):
        for table in (0x00, 0xff, 0x80, 0x1e, 0x96, 0xfe, 0x01, 0xca, 0x2d):
            for v in tuples([32, 32, 32], 12) + [[0, 0, 0], [mask(32)] * 3]:
                r, c = 0, rng.getrandbits(1)
                for k in range(32):
                    at = (v[0] >> k & 1) << 2 | (v[1] >> k & 1) << 1 | v[2] >> k & 1
                    r |= (table >> at & 1) << k
                t.row("lop3.%s.b32" % name, v + [c], [r, int(r != 0) & c if name == "and" else int(r != 0) | c], imm=table)
    for op, names, n in (("add", ("add", "add.rn"), 2), ("mul", ("mul", "mul.rn"), 2), ("fma", ("fma.rn",), 3)):
        for name in names:
            for ftz in ("", ".ftz"):
                for u, v in zip(float_tuples("f32", n, 24), float_tuples("f32", n, 24)):
                    out = 0
                    for h, w in enumerate((u, v)):
                        w = [flush(x, "f32") for x in w] if ftz else w
                        out |= finish(arithmetic(op, w, "f32"), "f32", bool(ftz), False) << 32 * h
                    t.row("%s%s.f32x2" % (name, ftz), [x | y << 32 for x, y in zip(u, v)], [out])
    for mode in ("rni", "rzi", "rmi", "rpi"):
        for x in [0, 0x8000, 0x3f00, 0xbf00, 0x3fc0, 0xbfc0, 0x4020, 0x7f80, 0xff80, 0x7fc1, 1, 0x8001, 0x4b01] + \
                [some(16) for _ in range(60)]:
            if is_nan(x, "bf16"):
                r = 0x7fff
            elif is_inf(x, "bf16"):
                r = x
            else:
                r = rounded(Fraction(whole(number(x, "bf16"), mode)), "bf16") & 0x7fff | x & 0x8000
            t.row("cvt.%s.bf16.bf16" % mode, [x], [r])


def rare():
    """Forms that compilers hardly make, though the manual has them."""
    t = Table("rare")
    for mode in ("rn", "rz", "rm", "rp"):
        for a in INTS:
            for f in ("f16", "f64"):
                for v, in tuples([max(16, int(a[1:]))], 10):
                    t.row("cvt.%s.sat.%s.%s" % (mode, f, a), [v],
                          [finish(rounded(Fraction(value(v, a)), f, mode), f, 0, True)])
        for v in wide_values("f32", "f16"):
            t.row("cvt.%s.ftz.sat.f16.f32" % mode, [v], [finish(narrowed(flush(v, "f32"), "f32", "f16", mode), "f16", 0, True)])
        for v, in float_tuples("bf16", 1, 20):
            t.row("cvt.%s.f32.bf16" % mode, [v], [narrowed(v, "bf16", "f32", "rn")])
        for v, in float_tuples("bf16", 1, 20):
            if not is_nan(v, "bf16"):
                t.row("cvt.%s.f64.bf16" % mode, [v], [infinity("f64", v >> 15) if is_inf(v, "bf16") else rounded(
                    number(v, "bf16"), "f64", "rn", v >> 15)])
        if mode in ("rm", "rp"):
            for v in wide_values("f32", "bf16"):
                t.row("cvt.%s.bf16.f32" % mode, [v], [narrowed(v, "f32", "bf16", mode)])
    for mode in ("rni", "rzi", "rmi", "rpi"):
        for v, in float_tuples("f16", 1, 30):
            r = v if is_nan(v, "f16") or is_inf(v, "f16") else \
                rounded(Fraction(whole(number(v, "f16"), mode)), "f16") & 0x7fff | v & 0x8000
            t.row("cvt.%s.sat.f16.f16" % mode, [v], [finish(r, "f16", 0, True)])
    for v, in float_tuples("f16", 1, 30):
        t.row("cvt.f16.f16", [v], [0x7fff if is_nan(v, "f16") else v])
        t.row("cvt.sat.f16.f16", [v], [finish(v, "f16", 0, True)])
    for v, in float_tuples("f64", 1, 30):
        t.row("cvt.f64.f64", [v], [v | 1 << 51 if is_nan(v, "f64") else v])
    for ty in ("s2", "u2"):
        lo, hi = (-2, 1) if ty == "s2" else (0, 3)
        for a, b, c in tuples([32, 32, 32]) + [[rng.getrandbits(2), rng.getrandbits(3), 7]]:
            x, y = [max(lo, min(signed(v, 32), hi)) & 3 for v in (a, b)]
            t.row("cvt.pack.sat.%s.s32.b32" % ty, [a, b, c], [(c << 4 | x << 2 | y) & mask(32)])
    for name in ("sub", "sub.rn"):
        for ftz in ("", ".ftz"):
            for u, v in zip(float_tuples("f32", 2, 24), float_tuples("f32", 2, 24)):
                out = 0
                for h, w in enumerate((u, v)):
                    w = [flush(x, "f32") for x in w] if ftz else w
                    out |= finish(arithmetic("sub", w, "f32"), "f32", bool(ftz), False) << 32 * h
                t.row("%s%s.f32x2" % (name, ftz), [x | y << 32 for x, y in zip(u, v)], [out])
    asks = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
            "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    for lanes in (4, 2):
        n = 32 // lanes
        for op, ask in asks.items():
            for a in "us":
                for b in "us":
                    for v in tuples([32, 32, 32], 8) + [[0x80ff0180, 0x7fff0180, 5]]:
                        m = [ask(value(v[0] >> n * k, a + str(n)), value(v[1] >> n * k, b + str(n))) for k in range(lanes)]
                        t.row("vset%d.%s.%s32.%s32" % (lanes, op, a, b), v, [sum(x << n * k for k, x in enumerate(m))])
                        t.row("vset%d.%s.add.%s32.%s32" % (lanes, op, a, b), v, [v[2] + sum(m) & mask(32)])


def exhaustive():
    """A sum (FNV-1a, 64 bits) over the results for all 65536 values of 16 bits; in pairs a value i goes with its
    complement in the upper half."""
    file = open("exhaustive.sums", "w", encoding="ascii")

    def add(name, bits, results):
        h = 0xcbf29ce484222325
        for r in results:
            for k in range(bits // 8):
                h = (h ^ r >> 8 * k & 255) * 0x100000001b3 & mask(64)
        file.write("%s %016x\n" % (name, h))

    every = range(65536)
    for f in ("f16", "bf16"):
        numbers = [None if is_nan(v, f) or is_inf(v, f) else number(v, f) for v in every]
        for mode in ("rni", "rzi", "rmi", "rpi"):
            wholes = [None if x is None else whole(x, mode) for x in numbers]
            for d in INTS:
                lo, hi = low_high(d)
                nan = 1 << 63 if d[1:] == "64" else 0
                add("cvt.%s.%s.%s" % (mode, d, f), max(16, int(d[1:])),
                    [in_row((nan if is_nan(v, f) else lo if v >> 15 else hi) if x is None else max(lo, min(x, hi)), d)
                     for v, x in zip(every, wholes)])
            add("cvt.%s.%s.%s" % (mode, f, f), 16,
                [(0x7fff if is_nan(v, f) else v) if x is None else rounded(Fraction(x), f) & 0x7fff | v & 0x8000
                 for v, x in zip(every, wholes)])
        add("cvt.f32." + f, 32, [narrowed(v, f, "f32", "rn") for v in every])
        other = "bf16" if f == "f16" else "f16"
        for mode in ("rn", "rz", "rm", "rp"):
            add("cvt.%s.%s.%s" % (mode, other, f), 16, [narrowed(v, f, other, mode) for v in every])
            for a in ("u16", "s16", "u8", "s8"):
                add("cvt.%s.%s.%s" % (mode, f, a), 16, [rounded(Fraction(value(v, a)), f, mode) for v in every])
        add("neg." + f, 16, [v ^ 0x8000 for v in every])
        add("abs." + f, 16, [v & 0x7fff for v in every])
    for ty in ("e4m3", "e5m2"):
        for relu in ("", ".relu"):
            r = [fp8(v, ty, "f16", relu) for v in every]
            add("cvt.rn.satfinite%s.%sx2.f16x2" % (relu, ty), 16, [r[65535 - v] << 8 | r[v] for v in every])
            r = [fp8_to_f16(x, ty) for x in range(256)]
            r = [0 if relu and v >> 15 and v & 0x7fff <= 0x7c00 else v for v in r]
            add("cvt.rn%s.f16x2.%sx2" % (relu, ty), 32, [r[v >> 8] << 16 | r[v & 255] for v in every])


if __name__ == "__main__":
    integers()
    carries()
    bits()
    moves()
    comparisons()
    reals()
    half_arithmetic()
    conversions()
    float_conversions()
    approximations()
    videos()
    pairs()
    exhaustive()
    rare()
