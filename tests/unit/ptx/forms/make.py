#!/usr/bin/env python3
"""Makes the tables beside it: inputs and expected bits of PTX instruction forms, out of exact integers.

Run in this folder: python3 make.py. Nothing of Vivace is used; semantics: NVIDIA, PTX ISA 9.0, chapter 9.
A row: form (empty: as above), "sources i:immediate c:carry-in=results c:carry-out", all in hexadecimal."""
import random

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


if __name__ == "__main__":
    integers()
    carries()
    bits()
    moves()
    comparisons()
