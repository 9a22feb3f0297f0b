# Functions: part of make.py.


def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


program("recursion", "a function that calls itself twice, to another depth in each lane", """
    rem.u32 %r10, %r0, 12;
    call.uni (%r11), fib, (%r10);
    st.global.u32 [%d3], %r11;
    ret;""", [fib(t % 12) for t in range(32)], above="""
.func (.reg .u32 out) fib (.reg .u32 n)
{
    .reg .u32 %a<4>; .reg .pred %p;
    setp.lt.u32 %p, n, 2;
    mov.u32 out, n;
    @%p ret;
    sub.u32 %a0, n, 1;
    call (%a1), fib, (%a0);
    sub.u32 %a0, n, 2;
    call (%a2), fib, (%a0);
    add.u32 out, %a1, %a2;
    ret;
}
""")

program("mutual_recursion", "two functions that call each other, declared before they are defined; params in memory", """
    { .param .b32 a; .param .b32 r;
    st.param.b32 [a], %r0;
    call.uni (r), is_even, (a);
    ld.param.b32 %r11, [r]; }
    st.global.u32 [%d3], %r11;
    ret;""", [10 * t + (0 if t % 2 else 1) for t in range(32)], above="""
.func (.param .b32 r) is_odd (.param .b32 n);
.func (.param .b32 r) is_even (.param .b32 n)
{
    .reg .b32 %a<4>; .reg .pred %p;
    ld.param.b32 %a0, [n];
    setp.ne.s32 %p, %a0, 0;
    @%p bra MORE;
    st.param.b32 [r], 1;
    ret;
MORE:
    { .param .b32 x; .param .b32 y;
    sub.s32 %a1, %a0, 1;
    st.param.b32 [x], %a1;
    call (y), is_odd, (x);
    ld.param.b32 %a2, [y]; }
    add.s32 %a2, %a2, 10;
    st.param.b32 [r], %a2;
    ret;
}
.func (.param .b32 r) is_odd (.param .b32 n)
{
    .reg .b32 %a<4>; .reg .pred %p;
    ld.param.b32 %a0, [n];
    setp.eq.s32 %p, %a0, 0;
    mov.b32 %a2, 0;
    @%p bra DONE;
    { .param .b32 x; .param .b32 y;
    sub.s32 %a1, %a0, 1;
    st.param.b32 [x], %a1;
    call (y), is_even, (x);
    ld.param.b32 %a2, [y]; }
    add.s32 %a2, %a2, 10;
DONE:
    st.param.b32 [r], %a2;
    ret;
}
""")

OPS = [lambda a: a + 1, lambda a: a * a, lambda a: ~a, lambda a: a >> 1]
program("function_pointers", "calls through a table of functions, lanes of a warp to four at once; results diverge", """
    and.b32 %r10, %r0, 3;
    mul.wide.u32 %d10, %r10, 8;
    mov.u64 %d11, table;
    add.u64 %d10, %d10, %d11;
    ld.global.u64 %d12, [%d10];
    P: .callprototype (.param .b32 _) _ (.param .b32 _);
    { .param .b32 a; .param .b32 r;
    mad.lo.u32 %r12, %r0, 3, 1;
    st.param.b32 [a], %r12;
    call (r), %d12, (a), P;
    ld.param.b32 %r11, [r]; }
    shr.u32 %r13, %r0, 4;
    setp.eq.u32 %p1, %r13, 1;
    mov.u64 %d13, square;
    @%p1 mov.u64 %d13, %d12;
    { .param .b32 a; .param .b32 r;
    st.param.b32 [a], %r11;
    call (r), %d13, (a), P;
    ld.param.b32 %r11, [r]; }
    st.global.u32 [%d3], %r11;
    ret;""", [(OPS[t & 3] if t >= 16 else OPS[1])(OPS[t & 3](3 * t + 1) & M32) & M32 for t in range(32)], above="".join(f"""
.func (.param .b32 r) {n} (.param .b32 x)
{{
    .reg .b32 %a<3>;
    ld.param.b32 %a0, [x];
    {op}
    st.param.b32 [r], %a1;
    ret;
}}""" for n, op in (("next", "add.u32 %a1, %a0, 1;"), ("square", "mul.lo.u32 %a1, %a0, %a0;"),
                    ("flip", "not.b32 %a1, %a0;"), ("half", "shr.u32 %a1, %a0, 1;"))) +
        "\n.global .align 8 .u64 table[4] = {next, square, flip, half};\n")

out = []
for t in range(32):
    s = [t, t * 2, t * 3, t << 8 | 7, t & 0xff, t * 1000]
    out += [s[5] + s[0] & M32, s[4], s[3] + 1 & M32, s[2], s[1], s[0]]
program("structs_by_value", "a structure of 24 bytes goes in and another comes out; the callee changes its own copy only", """
    { .param .align 8 .b8 a[24]; .param .align 8 .b8 r[24];
    mul.lo.u32 %r10, %r0, 2; mul.lo.u32 %r11, %r0, 3; shl.b32 %r12, %r0, 8; or.b32 %r12, %r12, 7; mul.lo.u32 %r13, %r0, 1000;
    mov.b64 %d10, {%r0, %r10};
    st.param.b64 [a], %d10; st.param.b32 [a+8], %r11; st.param.b32 [a+12], %r12; st.param.b8 [a+16], %r0; st.param.b32 [a+20], %r13;
    call.uni (r), turn, (a);
    ld.param.b64 %d11, [r]; ld.param.v2.b32 {%r22, %r23}, [r+8]; ld.param.b32 %r24, [r+16]; ld.param.b32 %r25, [r+20]; }
    mov.b64 {%r20, %r21}, %d11;
    mad.wide.u32 %d3, %r0, 24, %d1;
    st.global.v2.u32 [%d3], {%r20, %r21}; st.global.v2.u32 [%d3+8], {%r22, %r23}; st.global.v2.u32 [%d3+16], {%r24, %r25};
    ret;""", out, above="""
.func (.param .align 8 .b8 r[24]) turn (.param .align 8 .b8 s[24])
{
    .reg .b32 %a<8>; .reg .b64 %b<3>;
    ld.param.v2.b32 {%a0, %a1}, [s]; ld.param.b32 %a2, [s+8]; ld.param.b32 %a3, [s+12]; ld.param.u8 %a4, [s+16];
    ld.param.b32 %a5, [s+20];
    add.u32 %a5, %a5, %a0; add.u32 %a3, %a3, 1;
    st.param.b32 [r], %a5; st.param.b32 [r+4], %a4; st.param.b32 [r+8], %a3; st.param.b32 [r+12], %a2; st.param.b32 [r+16], %a1;
    st.param.b32 [r+20], %a0;
    ret;
}
""")

program("address_of_a_local", "a function gets the address of its caller's variable and changes it; each lane has its own", """
    .local .align 8 .b8 mine[16];
    mov.u64 %d10, mine;
    cvta.local.u64 %d11, %d10;
    st.local.u32 [mine], %r0;
    st.local.u32 [mine+12], 5;
    { .param .b64 a; .param .b32 n;
    st.param.b64 [a], %d11; st.param.b32 [n], %r0;
    call.uni deep, (a, n); }
    ld.local.u32 %r10, [mine]; ld.local.u32 %r11, [%d10+12];
    mad.lo.u32 %r10, %r11, 65536, %r10;
    st.global.u32 [%d3], %r10;
    ret;""", [(t + sum(range(t % 6 + 1))) + (5 + t % 6 + 1) * 65536 for t in range(32)], above="""
.func deep (.param .b64 p, .param .b32 n)
{
    .reg .b64 %a<3>; .reg .b32 %b<6>; .reg .pred %q; .local .u32 own[2];
    ld.param.u64 %a0, [p]; ld.param.u32 %b0, [n];
    rem.u32 %b0, %b0, 6;
    st.local.u32 [own+4], %b0;
    ld.u32 %b1, [%a0]; add.u32 %b1, %b1, %b0; st.u32 [%a0], %b1;
    ld.u32 %b2, [%a0+12]; add.u32 %b2, %b2, 1; st.u32 [%a0+12], %b2;
    setp.eq.u32 %q, %b0, 0;
    @%q ret;
    sub.u32 %b3, %b0, 1;
    { .param .b64 x; .param .b32 y;
    st.param.b64 [x], %a0; st.param.b32 [y], %b3;
    call deep, (x, y); }
    ld.local.u32 %b4, [own+4];
    setp.ne.u32 %q, %b4, %b0;
    @%q trap;
    ret;
}
""")

program("exit_in_a_function", "exit ends the thread, however deep; the others come back", """
    st.global.u32 [%d3], 7;
    mov.u32 %r10, 3;
    call.uni leave, (%r0, %r10);
    st.global.u32 [%d3], 8;
    ret;""", [7 if t % 5 == 0 else 8 for t in range(32)], above="""
.func leave (.reg .u32 t, .reg .u32 n)
{
    .reg .u32 %a; .reg .pred %p;
    setp.eq.u32 %p, n, 0;
    @%p bra LAST;
    sub.u32 n, n, 1;
    call leave, (t, n);
    ret;
LAST:
    rem.u32 %a, t, 5;
    setp.eq.u32 %p, %a, 0;
    @%p exit;
    ret;
}
""")

program("guarded_call", "a call that part of the lanes make, from two places; a second result", """
    mov.u32 %r11, 1; mov.u32 %r12, 2;
    and.b32 %r10, %r0, 1;
    setp.eq.u32 %p1, %r10, 0;
    @%p1 call (%r11, %r12), both, (%r0, 10);
    setp.gt.u32 %p2, %r0, 20;
    @%p2 call (%r11, %r12), both, (%r12, 3);
    mad.lo.u32 %r11, %r11, 65536, %r12;
    st.global.u32 [%d3], %r11;
    ret;""", [(lambda q, r: (lambda a, b: (a << 16) + b & M32)(*((r // 3, r % 3) if t > 20 else (q, r))))(
        *((t // 10, t % 10) if t % 2 == 0 else (1, 2))) for t in range(32)], above="""
.func (.reg .u32 q, .reg .u32 r) both (.reg .u32 a, .reg .u32 b)
{
    div.u32 q, a, b;
    rem.u32 r, a, b;
    ret;
}
""")

program("assertion", "an assertion that one thread breaks ends the launch and says where", """
    setp.ne.u32 %p1, %r0, 17;
    @%p1 bra FINE;
    mov.u64 %d10, text; cvta.global.u64 %d10, %d10;
    mov.u64 %d11, file; cvta.global.u64 %d11, %d11;
    { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
    st.param.b64 [a], %d10; st.param.b64 [b], %d11; st.param.b32 [c], 42; st.param.b64 [d], %d10; st.param.b64 [e], 1;
    call.uni __assertfail, (a, b, c, d, e); }
    FINE:
    ret;""", fault="x < 17", above="""
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 text[8] = {120, 32, 60, 32, 49, 55, 0, 0};
.global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};
""")

fmt = b"%d %5u|%-4x|%c %s %lld %08.3f %e %%\n\0"
name = b"lane\0"
program("print_formats", "printf: what is printed comes by CTA, warp and lane, its arguments promoted as in C", """
    .local .align 8 .b8 args[64];
    rem.u32 %r10, %r0, 16;
    setp.ne.u32 %p1, %r10, 3;
    @%p1 bra END;
    neg.s32 %r11, %r1; st.local.u32 [args], %r11; st.local.u32 [args+4], %r1; mul.lo.u32 %r12, %r1, 17; st.local.u32 [args+8], %r12;
    add.u32 %r13, %r1, 65; st.local.u32 [args+12], %r13; mov.u64 %d10, name; cvta.global.u64 %d10, %d10; st.local.u64 [args+16], %d10;
    cvt.s64.s32 %d11, %r11; mul.lo.s64 %d11, %d11, 10000000000; st.local.u64 [args+24], %d11;
    cvt.rn.f64.u32 %g1, %r1; mul.rn.f64 %g2, %g1, 0d3FC0000000000000; st.local.f64 [args+32], %g2; st.local.f64 [args+40], %g1;
    mov.u64 %d12, text; cvta.global.u64 %d12, %d12; mov.u64 %d13, args; cvta.local.u64 %d13, %d13;
    { .param .b64 f; .param .b64 a; .param .b32 r;
    st.param.b64 [f], %d12; st.param.b64 [a], %d13;
    call.uni (r), vprintf, (f, a);
    ld.param.b32 %r20, [r]; }
    st.global.u32 [%d3], %r20;
    END:
    ret;""", [8 if t % 16 == 3 else 0 for t in range(64)], grid=(2, 1, 1), printed="".join(
    "%d %5d|%-4x|%c lane %d %08.3f %e %%\n" % (-t, t, t * 17, chr(t + 65), -t * 10**10, t / 8, t) for t in (3, 19, 35, 51)),
        above=f"""
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[{len(fmt)}] = {{{', '.join(str(c) for c in fmt)}}};
.global .align 1 .b8 name[{len(name)}] = {{{', '.join(str(c) for c in name)}}};
""")
