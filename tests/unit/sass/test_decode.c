/* sass/decode.h: instructions with known meaning, the tokens of the table, what is unknown.
 *
 * The words are single instructions of the kernels in examples/, tests/lowering/kernels and
 * tests/unit/ptx/conformance, as ptxas 13.0 encodes them. The text was compared with the PTX. */
#include <ctype.h>
#include <stdlib.h>

#include "sass/decode.h"
#include "sass/table.h"
#include "tests/harness/check.h"

static const struct {
    uint32_t arch;
    uint64_t address, words[2];
    const char *text;
} known[] = {
    {75, 0xe70, {0x0000000b0a0b0223, 0x000fc8000000000a}, "@P0 FFMA R11, R10, R11, R10"},
    {75, 0xaa0, {0xbf8000000d0f0423, 0x001fc8000000000e}, "@P0 FFMA R15, R13, R14, 0xbf800000"},
    {75, 0x330, {0x000062000b0b7623, 0x000fc4000000000e}, "FFMA R11, R11, R14, c[0x0][0x188]"},
    {75, 0xe60, {0x800000ff0b0b0221, 0x000fc80000010100}, "@P0 FADD.FTZ R11, -R11, -RZ"},
    {75, 0xdc0, {0x3f80000008020421, 0x000fe20000010000}, "@P0 FADD.FTZ R2, R8, 0x3f800000"},
    {75, 0x690, {0x0000000c0c0ca220, 0x002fc40000400000}, "@!P2 FMUL R12, R12, R12"},
    {75, 0xe20, {0x3f00000002060820, 0x000fe40000410000}, "@P0 FMUL.FTZ R6, R2, 0x3f000000"},
    {75, 0xf70, {0x0000000a0b00720b, 0x000fe40003f1d000}, "FSETP.NEU.FTZ.AND P0, PT, R11, R10, PT"},
    {75, 0xcb0, {0xc2fc00000200980b, 0x000fc80003f4e000}, "@!P1 FSETP.GEU.AND P2, PT, R2, 0xc2fc0000, PT"},
    {90, 0x480, {0x0000000b0a0b7209, 0x008fc80007800000}, "FMNMX R11, R10, R11, !PT"},
    {86, 0xb60, {0x3f80000000007809, 0x000fc60003820000}, "FMNMX.NAN R0, R0, 0x3f800000, PT"},
    {75, 0xa80, {0x00000012000b8308, 0x000ff00000001000}, "@!P0 MUFU.RCP R11, R18"},
    {75, 0x2260, {0xffc00000000b7908, 0x000e220000001400}, "MUFU.RSQ R11, 0xffc00000"},
    {86, 0x250, {0x000000000e147229, 0x040062000000c010}, "DADD.RZ R20, R14, R16"},
    {75, 0x630, {0x80000012180a722b, 0x001e10000000400a}, "DFMA.RM R10, R24, -R18, R10"},
    {75, 0x5b0, {0x3ff000001416742b, 0x001e100000000812}, "DFMA R22, R20, -R18, 0x3ff00000"},
    {75, 0xc0, {0xa00000ff03047230, 0x000fe40000000d00}, "HADD2 R4, -R3.H1_H1, -RZ.H0_H0"},
    {75, 0x80, {0x3c003c00ff037430, 0x001fd00000000900}, "HADD2 R3, -RZ.H0_H0, 0x3c003c00"},
    {75, 0xb0, {0x2000000505067231, 0x008fe40000040800}, "HFMA2 R6, R5.H0_H0, R5.H0_H0, R0.H0_H0"},
    {90, 0x50, {0x3c004000ff0b7435, 0x000fe200000001ff}, "HFMA2.MMA R11, -RZ, RZ, 0x3c004000"},
    {86, 0x10c0, {0x0000001c100c723c, 0x001fe4000000180c}, "HMMA.16816.F32 R12, R16, R28, R12"},
    {75, 0x380, {0x000000ffff048224, 0x000fe400078e000d}, "@!P0 IMAD.U32 R4, RZ, RZ, R13"},
    {90, 0x880, {0xffffffc0ff0b8424, 0x000fe400078e00ff}, "@!P0 IMAD.U32 R11, RZ, RZ, 0xffffffc0"},
    {86, 0x290, {0x00000600ff088624, 0x000fe200078e00ff}, "@!P0 IMAD.U32 R8, RZ, RZ, c[0x0][0x18]"},
    {75, 0x17c0, {0x008000000f0f8824, 0x000fe200078e0212}, "@!P0 IMAD R15, R15, 0x800000, R18"},
    {75, 0x470, {0x000000150e107225, 0x000fc80007800010}, "IMAD.WIDE.U32 R16, P0, R14, R21, R16"},
    {75, 0x1f0, {0x000058000c0ca625, 0x000fd000078e000d}, "@!P2 IMAD.WIDE.U32 R12, R12, R13, c[0x0][0x160]"},
    {75, 0xa0, {0x8000000705ff9210, 0x000fe4000171e4ff}, "@!P1 IADD3.X RZ, P0, R5, -R7, RZ, P2, !PT"},
    {75, 0x2c0, {0xffffff80121ea810, 0x000fe40007ffe0ff}, "@!P2 IADD3 R30, R18, 0xffffff80, RZ"},
    {75, 0xd90, {0x000065002c110a10, 0x000fca0000ffe4ff}, "@P0 IADD3.X R17, R44, c[0x0][0x194], RZ, P1, !PT"},
    {90, 0xed0, {0x0000000525110c10, 0x000fe20008ffe4ff}, "@P0 IADD3.X R17, R37, UR5, RZ, P1, !PT"},
    {86, 0x2d0, {0x0000001b18068211, 0x000fe400008f0eff}, "@!P0 LEA.HI.X.SX32 R6, R24, R27, RZ, 0x1, P1"},
    {75, 0x420, {0xffffffff0a0a7811, 0x000fe200078f40ff}, "LEA.HI R10, R10, 0xffffffff, RZ, 0x8"},
    {90, 0x360, {0x0000000aff13b212, 0x000fe400078e33ff}, "@!P3 LOP3.LUT R19, RZ, R10, RZ, 0x33"},
    {90, 0x4b0, {0x800000000f0fa812, 0x000fc800078ef80b}, "@!P2 LOP3.LUT R15, R15, 0x80000000, R11, 0xf8"},
    {75, 0xac0, {0x00000007ff0c1219, 0x000fcc000001160c}, "@P1 SHF.R.U32.HI R12, RZ, R7, R12"},
    {86, 0x190, {0x0000590005057619, 0x000fc80000001204}, "SHF.R.U64 R5, R5, R4, c[0x0][0x164]"},
    {75, 0x120, {0x000000090a0d7216, 0x0c0fe40000000006}, "PRMT R13, R10, R9, R6"},
    {75, 0x6a0, {0x000077100b0d7816, 0x000fcc00000000ff}, "PRMT R13, R11, 0x7710, RZ"},
    {75, 0x470, {0x0000000e1300a20c, 0x000fe40003f66070}, "@!P2 ISETP.GE.U32.AND P3, PT, R19, R14, PT"},
    {75, 0x5b0, {0x7feffffe1600780c, 0x000fc60003f04070}, "ISETP.GT.U32.AND P0, PT, R22, 0x7feffffe, PT"},
    {75, 0xcc0, {0x000000000000981c, 0x000fd8000170f070}, "@!P1 PLOP3.LUT P0, PT, P2, PT, PT, 0x80, 0x0"},
    {75, 0x190, {0x000000060d0c1207, 0x000fc40004000000}, "@P1 SEL R12, R13, R6, !P0"},
    {75, 0x4e0, {0x63400000140da807, 0x041fe20005800000}, "@!P2 SEL R13, R20, 0x63400000, !P3"},
    {90, 0x460, {0x0000000c000c8202, 0x000fe40000000f00}, "@!P0 MOV R12, R12"},
    {75, 0x1890, {0xffffffc0000b8802, 0x000fc80000000f00}, "@!P0 MOV R11, 0xffffffc0"},
    {75, 0xd70, {0x00000000000c8805, 0x000fe2000001ff00}, "@!P0 CS2R R12, SRZ"},
    {90, 0x120, {0x0000000000039919, 0x00be220000008800}, "@!P1 S2R R3, SR_CgaCtaId"},
    {75, 0x1f0, {0x0000007f08007804, 0x000fd80000001000}, "R2P.B1 PR, R8, 0x7f"},
    {75, 0x6c0, {0x0000000000027806, 0x000fe400048e0100}, "VOTE.ANY R2, PT, !P1"},
    {75, 0xe10, {0x0c0000100d107389, 0x00006200000e000a}, "SHFL.BFLY PT, R16, R13, R16, R10"},
    {75, 0x360, {0x00001f0c0f0a7589, 0x002e2400000e0000}, "SHFL.IDX PT, R10, R15, R12, 0x1f"},
    {75, 0x100, {0x00000000050573a1, 0x000e2200000e8000}, "MATCH.ANY R5, R5"},
    {90, 0x290, {0x000000000e0a73c4, 0x000eb00000010200}, "REDUX.MIN.S32 UR10, R14"},
    {75, 0x340, {0x0000001100117309, 0x000e280000000000}, "POPC R17, R17"},
    {90, 0x3b0, {0x0000000a00167d09, 0x000f220008000000}, "POPC R22, UR10"},
    {75, 0xb0, {0x0000000200007300, 0x004e2400000e0000}, "FLO.U32 R0, R2"},
    {90, 0x370, {0x0000000a00197d00, 0x000e2200080e0000}, "FLO.U32 R25, UR10"},
    {86, 0x1b0, {0x0000000d000b7306, 0x000e280000209400}, "I2F.F32.S32.RP R11, R13"},
    {86, 0x1f0, {0x000026f5000a7906, 0x000e620000209000}, "I2F.F32.U32.RP R10, 0x26f5"},
    {90, 0x160, {0x0000001000117305, 0x000764000021f000}, "F2I.FTZ.U32.F32.TRUNC.NTZ R17, R16"},
    {86, 0xb0, {0x40e0000000047905, 0x000e62000020b000}, "F2I.U32.F32.CEIL.NTZ R4, 0x40e00000"},
    {86, 0xd0, {0x00000000040a7381, 0x00006200001e0900}, "LDG.E R10, [R4.64]"},
    {75, 0x4a0, {0x00000000100c9381, 0x000ea200001eed00}, "@!P1 LDG.E.128.SYS R12, [R16.64]"},
    {75, 0x6f0, {0x0000040d06008386, 0x0005e4000010e900}, "@!P0 STG.E.SYS [R6.64+0x4], R13"},
    {90, 0x7c0, {0x000004110c008986, 0x0001e4000c101908}, "@!P0 STG.E desc[UR8][R12.64+0x4], R17"},
    {75, 0x320, {0x000020000a0fd984, 0x000e680000005800}, "@!P5 LDS.U R15, [R10.X4+0x20]"},
    {75, 0x270, {0x000800180000a388, 0x004fe8000000cc00}, "@!P2 STS.128 [R0.X16+0x800], R24"},
    {90, 0x170, {0x00001008ff008988, 0x0001e40008000c04}, "@!P0 STS.128 [UR4+0x10], R8"},
    {86, 0x10a0, {0x00000000241c783b, 0x001fe80000004100}, "LDSM.16.MT88.2 R28, [R36]"},
    {90, 0x760, {0x00008600ff0c8b82, 0x000ea20000000a00}, "@!P0 LDC.64 R12, c[0x0][0x218]"},
    {90, 0x250, {0x00008e00000a7ab9, 0x000fe40000000a00}, "ULDC.64 UR10, c[0x0][0x238]"},
    {90, 0x580, {0xffffffff00047882, 0x000fc80000000000}, "UMOV UR4, 0xffffffff"},
    {90, 0x260, {0x0000000a00047c82, 0x000fe20008000000}, "UMOV UR4, UR10"},
    {90, 0xda0, {0x0000000d3f0d7290, 0x000fe200087fe43f}, "UIADD3.X UR13, URZ, UR13, URZ, UP0, !UPT"},
    {90, 0x220, {0x0010000005048890, 0x000fc8000fffe13f}, "@!UP0 UIADD3 UR4, -UR5, 0x100000, URZ"},
    {90, 0x260, {0x0000003f0500728c, 0x000fe2000bf01100}, "UISETP.LT.U32.AND.EX UP0, UPT, UR5, URZ, UPT, UP0"},
    {90, 0x190, {0x000000300b00788c, 0x000fe2000bf06070}, "UISETP.GE.U32.AND UP0, UPT, UR11, 0x30, UPT"},
    {90, 0x360, {0x00000000000a79c3, 0x000e220000008800}, "S2UR UR10, SR_CgaCtaId"},
    {90, 0x1f0, {0x0000180c060273a9, 0x000ea400001ee50e}, "ATOMG.CAS.E.64.STRONG.GPU R2, [R6.64+0x18], R12, R14"},
    {75, 0x3f0, {0x0000040f020f03a8, 0x002ea200001f41ff}, "@P0 ATOMG.E.ADD.STRONG.GPU R15, [R2.64+0x4], R15"},
    {90, 0x350, {0x00001007ffff198c, 0x0001e20009000204}, "@P1 ATOMS.MAX.S32 RZ, [UR4+0x10], R7"},
    {86,
     0x340,
     {0x0000100d0200198e, 0x0005e2000d10e386},
     "@P1 RED.E.MAX.S32.STRONG.GPU desc[UR6][R2.64+0x10], R13"},
    {75, 0x5f0, {0x00001004ff00898e, 0x0009e2000d114304}, "@!P0 RED.E.MAX.S32.STRONG.GPU [UR4+0x10], R4"},
    {90, 0x100, {0x000100060000751d, 0x000fec0000010000}, "BAR.SYNC.DEFER_BLOCKING R6, 0x40"},
    {86, 0x170, {0x00c100000000bb1d, 0x000fe20000014000}, "@!P3 BAR.RED.POPC.DEFER_BLOCKING 0x3, 0x40, P0"},
    {75, 0xa0, {0x0000024000007945, 0x000fe20003800000}, "BSSY B0, 0x2f0"},
    {75, 0x2e0, {0x0000000000007941, 0x000fea0003800000}, "BSYNC B0"},
    {75, 0x130, {0x000001a000008947, 0x000fea0003800000}, "@!P0 BRA 0x2e0"},
    {90, 0x190, {0x0000000000408947, 0x000fec0003800000}, "@!P0 BRA 0x2a0"},
    {75, 0x570, {0x000000b000007944, 0x000fea0003c00000}, "CALL.REL.NOINC 0x630"},
    {75, 0xcf0, {0xfffff30006007950, 0x000fea0003c3ffff}, "RET.REL.NODEC R6, 0x0"},
    {75, 0x060, {0x0000000014007950, 0x000fee0003e00000}, "RET.ABS.NODEC R20, 0x0"},
    {75, 0x050, {0x0000048000007943, 0x000fea0003c00000}, "CALL.ABS.NOINC 0x480"},
    {90, 0x050, {0x0000000400207943, 0x001fea0003c00000}, "CALL.ABS.NOINC 0x480"},
    {75, 0x930, {0x000000000000894d, 0x000fea0003800000}, "@!P0 EXIT"},
    {90, 0xb10, {0x000000000f087348, 0x000fea0003c00000}, "WARPSYNC.COLLECTIVE R15, 0xb40"},
    {75, 0x110, {0xffffffff0000b948, 0x000fe80003800000}, "@!P3 WARPSYNC 0xffffffff"},
    {90, 0x650, {0x46a000000a0a7848, 0x000fe40003fe0100}, "VIMNMX R10, R10, 0x46a00000, PT"},
    {90, 0x140, {0x00000005ff157c48, 0x000fca000ffe0100}, "VIMNMX R21, RZ, UR5, !PT"},
    {90, 0x630, {0xb96000000d0a7446, 0x0c0fe40007800910}, "VIADDMNMX R10, R13, -R16, 0xb9600000, !PT"},
    {90, 0x120, {0x000000010b047846, 0x040fe20007800102}, "VIADDMNMX R4, R11, 0x1, R2, !PT"},
    {86, 0x3b0, {0x000080400000791a, 0x000fc80000000000}, "DEPBAR.LE 0x0, 0x1"},
    {75, 0x380, {0x000000040000795c, 0x000fea0000300000}, "BPT.TRAP 0x1"},
    {75, 0x3e0, {0x0000000000007918, 0x000fc00000000000}, "NOP"},
    {86, 0x3b0, {0x0000001e2008723f, 0x0040e40000000008}, "DMMA.884 R8, R32, R30, R8"},
    {86, 0x390, {0x0000001b181b7226, 0x004fc6000000060b}, "IDP.4A.S8.S8 R27, R24, R27, R11"},
    {75, 0xae0, {0x0000000b0a007302, 0x000e620000000000}, "FCHK P0, R10, R11"},
    {86, 0x2f0, {0x00001009ffff138c, 0x0005e20001000200}, "@P1 ATOMS.MAX.S32 RZ, [0x10], R9"},
    {86, 0x440, {0x0000100c1c187980, 0x000122000c101900}, "LD.E R24, desc[UR12][R28.64+0x10]"},
    {86, 0, {0x0004000002057fae, 0xb901c44}, "LDGSTS.E.BYPASS.128 [R5+0x40], desc[UR4][R2.64]"},
    {86, 0, {0x0000002002057fae, 0xb921c44}, "LDGSTS.E.128 [R5], desc[UR4][R2.64+0x20]"},
    {86, 0, {0x0000000002057fae, 0xb901d44}, "LDGSTS.E.BYPASS.LTC128B.128 [R5], desc[UR4][R2.64]"},
    {90, 0, {0x0000000004097fae, 0x8141c44}, "LDGSTS.E.BYPASS.128.ZFILL [R9], desc[UR4][R4.64], P0"},
    {86, 0, {0x0000000500057226, 0x3004}, "IDP.2A.HI.U16.U8 R5, R0, R5, R4"},
    {75, 0, {0x0000000500057214, 0xe0004}, "VABSDIFF.U32 R5, R0, R5, R4"},
    {86, 0, {0x000000050005723e, 0x190ff}, "F2FP.BF16.F32.PACK_AB.RZ R5, R0, R5"},
    {75, 0, {0x0000000000007238, 0x2000}, "I2I.U16.S32.SAT R0, R0"},
    {86, 0, {0x0000000000007992, 0xa000}, "MEMBAR.ALL.GPU"},
    {86, 0, {0x0000000000007992, 0x3000}, "MEMBAR.SC.SYS"},
    {75, 0, {0xfffffc060405738b, 0x1f4107}, "ATOM.CAS.E.STRONG.GPU R5, [R4.64-0x4], R6, R7"},
    {86, 0, {0x000000080302738d, 0x40a}, "ATOMS.CAS.64 R2, [R3], R8, R10"},
    {86, 0, {0x0000000002ff73aa, 0x500}, "QSPC.E.S P0, RZ, R2"},
    {86, 0, {0xfffffffc0400798f, 0x800100}, "CCTL.E.PF2 [R4.64-0x4]"},
    {90, 0, {0x00000007020779a3, 0x81ef3c4}, "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU R7, desc[UR4][R2.64], R7"},
    {90, 0, {0x0000000004007385, 0x100b06}, "ST.E.64 [R4.64], R6"},
    {86, 0, {0x0000000c0804723c, 0x81004}, "HMMA.1688.F32.TF32 R4, R8, R12, R4"},
    {86, 0, {0x0000000c08047237, 0x445c04}, "IMMA.16832.S8.S8.SAT R4, R8, R12, R4"},
    {90, 0, {0x0000000000057919, 0x4300}, "S2R R5, SR_VIRTUALSMID"},
    {90, 0, {0x00008000000079c5, 0x10100}, "WARPGROUP.DEPBAR.LE 0x1"},
    {90, 0, {0x00000000000079c5, 0}, "WARPGROUP.ARRIVE"},
    {90, 0, {0x0000000807007844, 0x200}, "STSM.16.M88.4 [R7], R8"},
    {90, 0, {0x00000000000073c6, 0}, "FENCE.VIEW.ASYNC"},
    {90, 0, {0x00000000000079b7, 0}, "UTMACMDFLUSH"},
};

static void instructions_have_the_text_of_their_ptx(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct strbuf b = STRBUF_INIT;
        struct sass_inst x;

        sass_decode(known[k].words, known[k].arch, known[k].address, &x);
        sass_print(&x, &b);
        assert_string_equal(b.text, known[k].text);
        assert_int_equal(x.state, SASS_DECODED);
        strbuf_release(&b);
    }
}

/* NOP: stall 2, write barrier 1, read barrier 0, waits for 0 and 3, reuses sources 0 and 2 */
static void control_fields_are_split(void **state)
{
    const uint64_t words[2] = {0x7918, 2ull << 41 | 1ull << 46 | 9ull << 52 | 5ull << 58};
    struct sass_inst x;

    (void)state;
    sass_decode(words, 86, 0, &x);
    assert_int_equal(x.control.stall, 2);
    assert_int_equal(x.control.yield, 0);
    assert_int_equal(x.control.write_barrier, 1);
    assert_int_equal(x.control.read_barrier, 0);
    assert_int_equal(x.control.wait_mask, 9);
    assert_int_equal(x.control.reuse, 5);
    assert_int_equal(x.state, SASS_DECODED);
}

static void what_is_not_known_is_not_guessed(void **state)
{
    const uint64_t unknown[2] = {0x71ff, 0}, more[2] = {0x0000000b0a0b7223, 0x000fc8001000000a};
    const uint64_t half[2] = {0x200000000b0a7232, 0x000fc80000000400}; /* HMUL2, halves 1 of the first source */
    const uint64_t special[2] = {0x0000000000037919, 0x000e220000000700};
    const uint64_t unnamed[2] = {0x00000012000b7308, 0x000ff0000000fc00}; /* function 63 of MUFU */
    struct strbuf b = STRBUF_INIT;
    struct sass_inst x;

    (void)state;
    sass_decode(unknown, 90, 0x40, &x);
    assert_int_equal(x.state, SASS_UNKNOWN);
    assert_null(x.name);
    sass_print(&x, &b);
    assert_string_equal(b.text, "unknown 0x00000000000071ff 0x0000000000000000");
    sass_decode(more, 75, 0, &x); /* FFMA with bit 92 set, which no row reads */
    assert_int_equal(x.state, SASS_PARTLY);
    assert_int_equal(x.unexplained[0], 0);
    assert_int_equal(x.unexplained[1], 1 << 28);
    sass_decode(unnamed, 75, 0, &x);
    assert_int_equal(x.state, SASS_PARTLY);
    sass_decode(half, 75, 0, &x);
    assert_int_equal(x.state, SASS_PARTLY);
    sass_decode(special, 75, 0, &x);
    assert_int_equal(x.state, SASS_PARTLY);
    strbuf_clear(&b);
    sass_print(&x, &b);
    assert_string_equal(b.text, "S2R R3, SR_0x7");
    strbuf_release(&b);
}

/* A name in lower case is a list. */
static void the_lists_of_the_rows_exist(void **state)
{
    (void)state;
    for (size_t k = 0; k < sass_row_count; k++)
        for (const char *at = sass_rows[k].modifiers; *at; at += strcspn(at, " "), at += *at == ' ') {
            size_t n = strcspn(at, "@ ");

            if (islower((unsigned char)*at) && !sass_list_find(at, n))
                fail_msg("%s: there is no list for %s", sass_rows[k].name, at);
        }
}

static void no_two_rows_claim_an_instruction(void **state)
{
    (void)state;
    for (size_t k = 0; k < sass_row_count; k++)
        for (size_t i = 0; i < k; i++) {
            const struct sass_row *a = &sass_rows[k], *b = &sass_rows[i];

            if (a->operation == b->operation && (a->forms & b->forms) && a->arch_min <= b->arch_max &&
                b->arch_min <= a->arch_max)
                fail_msg("%s and %s have the same operation 0x%03x", a->name, b->name, a->operation);
        }
}

/* Every form of every operation with any bits: no fault, and each set bit is read or reported. */
static void any_words_can_be_decoded(void **state)
{
    static const uint32_t archs[] = {70, 75, 80, 86, 90};
    struct strbuf b = STRBUF_INIT;
    uint64_t random = 1;

    (void)state;
    for (uint32_t low = 0; low < 4096; low++)
        for (size_t a = 0; a < sizeof archs / sizeof *archs; a++) {
            struct sass_inst x;
            uint64_t words[2];

            for (int k = 0; k < 2; k++) {
                random = random * 6364136223846793005ull + 1442695040888963407ull;
                words[k] = random ^ random >> 29;
            }
            words[0] = (words[0] & ~0xfffull) | low;
            sass_decode(words, archs[a], 0x100, &x);
            strbuf_clear(&b);
            sass_print(&x, &b);
            assert_false(b.failed);
            assert_true(x.unexplained[1] >> 62 == words[1] >> 62); /* no field is there */
            assert_int_equal(x.state == SASS_UNKNOWN, x.name == NULL);
        }
    strbuf_release(&b);
}

static void rows_of_one_name_have_one_class(void **state)
{
    (void)state;
    for (size_t k = 0; k < sass_row_count; k++) {
        const char *name = sass_rows[k].name;

        if (sass_class_of_name(name, strcspn(name, ".")) != sass_rows[k].class)
            fail_msg("%s (0x%03x) has another class than the first row of this name", name, sass_rows[k].operation);
    }
    assert_int_equal(sass_class_of_name("CALL", 4), SASS_CONTROL);
    assert_int_equal(sass_class_of_name("BREAK", 5), SASS_CONTROL);
    assert_int_equal(sass_class_of_name("R2UR", 4), SASS_INTEGER);
    assert_int_equal(sass_class_of_name("VIADDMNMX", 9), SASS_INTEGER);
}

static void classes_are_found_by_operation_and_by_name(void **state)
{
    (void)state;
    assert_int_equal(sass_class_of_operation(0x023), SASS_FLOAT);
    assert_int_equal(sass_class_of_operation(0x186), SASS_STORE);
    assert_int_equal(sass_class_of_operation(0x1ff), SASS_OTHER);
    assert_int_equal(sass_class_of_name("IMAD.WIDE", 4), SASS_INTEGER);
    assert_int_equal(sass_class_of_name("LOP3", 4), SASS_INTEGER);
    assert_int_equal(sass_class_of_name("none", 4), SASS_OTHER);
    assert_true(sass_can_decode(70) && sass_can_decode(90));
    assert_false(sass_can_decode(61) || sass_can_decode(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_have_the_text_of_their_ptx),
        cmocka_unit_test(control_fields_are_split),
        cmocka_unit_test(what_is_not_known_is_not_guessed),
        cmocka_unit_test(the_lists_of_the_rows_exist),
        cmocka_unit_test(no_two_rows_claim_an_instruction),
        cmocka_unit_test(any_words_can_be_decoded),
        cmocka_unit_test(rows_of_one_name_have_one_class),
        cmocka_unit_test(classes_are_found_by_operation_and_by_name),
    };

    return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
