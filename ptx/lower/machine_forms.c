/* ptx/lower/machine_forms.c: the machine instructions of each PTX form.
 *
 * Source of the counts: single instructions of each form, compiled by ptxas of CUDA 13.0 for sm_75, sm_80 and
 * sm_90. Counts include the bodies of subroutines, for example of 64-bit division. For forms whose slow path
 * handles only extreme operands, the count is that of the fast path, with the barrier where the lanes of both paths
 * meet. Source of the opcodes: cuobjdump's manual and the same listings. */
#include "ptx/lower/machine_forms.h"

#include <stdio.h>
#include <string.h>

#include "ptx/forms/forms.h"

enum { SAME = 0 };

/* Rows of one opcode are adjacent. The first row whose pattern matches is used. A pattern is a form's name in
 * which '*' matches any text. '#' at its end: only if the last operand is a constant. If a count is given, copies
 * of `fill` are inserted before the last opcode until the count is reached. */
static const struct ptx_machine_form rows[] = {
    {"abs.s32", {2, 2, 2}, "IABS IMAD.MOV.U32", NULL, 0},
    {"abs*.f64", {SAME}, "DADD", NULL, 0},
    {"abs*.f16*", {SAME}, "HADD2", NULL, 0},
    {"abs*.bf16*", {SAME}, "LOP3.LUT", NULL, 0},
    {"abs*", {SAME}, "FADD", NULL, 0},
    {"add*.f32", {SAME}, "FADD", NULL, 0},
    {"add*.f64", {SAME}, "DADD", NULL, 0},
    {"add*.f16x2", {SAME}, "HADD2", NULL, 0},
    {"add*.bf16x2", {SAME}, "HADD2.BF16_V2", NULL, 0},
    {"add*.f16", {2, 2, 2}, "HADD2 PRMT", NULL, 0},
    {"add*.bf16", {2, 2, 2}, "HADD2.BF16_V2 PRMT", NULL, 0},
    {"add*.?64", {SAME}, "IADD3 IADD3.X", NULL, MACHINE_BY_WORD},
    {"addc*", {SAME}, "IADD3.X", NULL, 0},
    {"add*", {SAME}, "IADD3", NULL, 0},
    {"and.pred", {SAME}, "PLOP3.LUT", NULL, 0},
    {"and.b64", {SAME}, "LOP3.LUT LOP3.LUT", NULL, MACHINE_BY_WORD},
    {"and*", {SAME}, "LOP3.LUT", NULL, 0},
    {"bfe.?64#", {3, 3, 3}, "IMAD.MOV.U32 SHF.R.U64 LOP3.LUT", NULL, 0},
    {"bfe*#", {2, 2, 2}, "SHF.R.U32.HI SGXT", NULL, 0},
    {"bfe.?64", {10, 10, 10}, "SHF.L.U64.HI SHF.R.U64", "LOP3.LUT", 0},
    {"bfe*", {5, 5, 5}, "PRMT PRMT PRMT SHF.R.U32.HI SGXT", NULL, 0},
    {"bfi.b64", {6, 6, 6}, "BMSK SHF.L.U32 LOP3.LUT", "SHF.L.U64.HI", 0},
    {"bfi.b32#", {2, 2, 2}, "IMAD.SHL.U32 LOP3.LUT", NULL, 0},
    {"bfi.b32", {6, 6, 6}, "PRMT PRMT PRMT SHF.L.U32 BMSK LOP3.LUT", NULL, 0},
    {"bfind*64", {SAME}, "FLO.U32 FLO.U32 SEL", NULL, 0},
    {"bfind*", {SAME}, "FLO.U32", NULL, 0},
    {"bmsk*", {SAME}, "BMSK", NULL, 0},
    {"brev.b64", {SAME}, "BREV BREV", NULL, MACHINE_BY_WORD},
    {"brev*", {SAME}, "BREV", NULL, 0},
    {"clz.b64", {6, 6, 6}, "FLO.U32 ISETP.NE.AND FLO.U32 IADD3 IADD3 SEL", NULL, 0},
    {"clz*", {2, 2, 2}, "FLO.U32 IADD3", NULL, 0},
    {"cnot*", {3, 3, 3}, "ISETP.EQ.AND SEL IMAD.MOV.U32", NULL, 0},
    {"copysign*", {SAME}, "LOP3.LUT", NULL, 0},
    {"cos.approx*", {2, 2, 2}, "FMUL.RZ MUFU.COS", NULL, 0},
    {"cvt*.f32.f32", {SAME}, "FRND", NULL, 0},
    {"cvt*.f64.f64", {SAME}, "FRND.F64", NULL, 0},
    {"cvt*.f16.f16", {SAME}, "FRND.F16", NULL, 0},
    {"cvt*.f64.f32", {SAME}, "F2F.F64.F32", NULL, 0},
    {"cvt*.f32.f64", {SAME}, "F2F.F32.F64", NULL, 0},
    {"cvt*.f32.f16", {SAME}, "HADD2.F32", NULL, 0},
    {"cvt*.f32.bf16", {SAME}, "IMAD.U32", NULL, 0},
    {"cvt*.f64.f16", {SAME}, "HADD2.F32 F2F.F64.F32", NULL, 0},
    {"cvt*.f16x2.f32", {SAME}, "F2FP.PACK_AB", NULL, 0},
    {"cvt*.bf16x2.f32", {SAME}, "F2FP.BF16.PACK_AB", NULL, 0},
    {"cvt*.f16.f32", {SAME}, "F2FP.PACK_AB", NULL, 0},
    {"cvt*.bf16.f32", {SAME}, "F2FP.BF16.PACK_AB PRMT", NULL, 0},
    {"cvt*.f16.f64", {SAME}, "F2F.F16.F64", NULL, 0},
    {"cvt*.tf32.f32", {SAME}, "IADD3 LOP3.LUT", NULL, 0},
    {"cvt*.e4m3x2.*", {SAME}, "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C", NULL, 0},
    {"cvt*.e5m2x2.*", {SAME}, "F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C", NULL, 0},
    {"cvt*.f16x2.e*", {SAME}, "F2FP.F16.E4M3.UNPACK_B", NULL, 0},
    {"cvt*.f64.?64", {SAME}, "I2F.F64.S64", NULL, 0},
    {"cvt*.f64.?*", {SAME}, "I2F.F64", NULL, 0},
    {"cvt*.f32.?64", {SAME}, "I2F.S64", NULL, 0},
    {"cvt*.f32.s8", {SAME}, "I2F.S8", NULL, 0},
    {"cvt*.f32.s16", {SAME}, "I2F.S16", NULL, 0},
    {"cvt*.f32.u16", {SAME}, "I2F.U16", NULL, 0},
    {"cvt*.f32.*", {SAME}, "I2F", NULL, MACHINE_I2FP},
    {"cvt*.f16.?*", {SAME}, "I2F.F16", NULL, 0},
    {"cvt*.bf16.?*", {SAME}, "I2F F2FP.BF16.PACK_AB", NULL, 0},
    {"cvt*.?64.f64", {SAME}, "F2I.S64.F64.TRUNC", NULL, 0},
    {"cvt*.?64.f32", {SAME}, "F2I.S64.TRUNC", NULL, 0},
    {"cvt*.?*.f64", {SAME}, "F2I.F64.TRUNC", NULL, 0},
    {"cvt*.?*.f32", {SAME}, "F2I.TRUNC.NTZ", NULL, 0},
    {"cvt*.?*.f16", {SAME}, "F2I.F16.TRUNC.NTZ", NULL, 0},
    {"cvt*.?64.s32", {SAME}, "SHF.R.S32.HI", NULL, 0},
    {"cvt*.?64.s*", {SAME}, "PRMT SHF.R.S32.HI", NULL, 0},
    {"cvt*.?64.u16", {SAME}, "LOP3.LUT", NULL, 0},
    {"cvt*.?64.u8", {SAME}, "LOP3.LUT", NULL, 0},
    {"cvt*.?32.s8", {1, 2, 2}, "PRMT IMAD.MOV.U32", NULL, 0},
    {"cvt*.?8.*", {SAME}, "LOP3.LUT", NULL, 0},
    {"cvt*", {SAME}, "PRMT", NULL, 0},
    {"cvta.to.global*", {SAME}, "", NULL, 0},
    {"cvta.global*", {SAME}, "", NULL, 0},
    {"cvta*.const*", {SAME}, "", NULL, 0},
    {"cvta*", {2, 2, 2}, "S2R IMAD.MOV.U32", NULL, 0},
    {"div*.s32#",
     {10, 11, 10},
     "IABS IMAD.HI.U32 IMAD ISETP.GT.U32.AND IADD3 ISETP.GE.U32.AND LOP3.LUT ISETP.GE.AND IADD3 IADD3",
     "IMAD",
     0},
    {"div*.u32#", {7, 7, 7}, "IMAD.HI.U32 IADD3 IMAD ISETP.GE.U32.AND IADD3 ISETP.GE.U32.AND IADD3", NULL, 0},
    {"div*.s64",
     {88, 88, 79},
     "I2F.U64.RP MUFU.RCP IADD3 F2I.U64.TRUNC IMAD.WIDE.U32 IMAD.HI.U32 IADD3.X",
     "IMAD",
     0},
    {"div*.u64",
     {72, 72, 63},
     "I2F.U64.RP MUFU.RCP IADD3 F2I.U64.TRUNC IMAD.WIDE.U32 IMAD.HI.U32 IADD3.X",
     "IMAD",
     0},
    {"div*.s*",
     {24, 26, 26},
     "IABS I2F.RP IABS MUFU.RCP IADD3 F2I.FTZ.U32.TRUNC.NTZ IMAD IMAD.HI.U32 IMAD.HI.U32 "
     "IMAD ISETP.GT.U32.AND IADD3 ISETP.GE.U32.AND IADD3 ISETP.NE.AND LOP3.LUT",
     "IADD3",
     0},
    {"div*.u*",
     {18, 18, 18},
     "I2F.U32.RP MUFU.RCP IADD3 F2I.FTZ.U32.TRUNC.NTZ IMAD IMAD.HI.U32 IMAD.HI.U32 IMAD "
     "ISETP.GE.U32.AND IADD3 ISETP.GE.U32.AND IADD3 LOP3.LUT",
     "IADD3",
     0},
    {"div.approx.ftz.f32", {2, 2, 2}, "MUFU.RCP FMUL", NULL, 0},
    {"div.approx.f32", {5, 5, 5}, "FSETP.GEU.AND FMUL MUFU.RCP FMUL FMUL", NULL, 0},
    {"div.full*.f32", {8, 8, 8}, "FSETP.GT.AND FSETP.GEU.AND FMUL FMUL FMUL MUFU.RCP FMUL FMUL", NULL, 0},
    {"div.r*.f32", {11, 10, 10}, "BSSY MUFU.RCP FCHK FFMA FFMA FFMA FFMA FFMA BRA BSYNC", "BMOV.32.CLEAR", 0},
    {"div*.f64",
     {17, 16, 16},
     "BSSY MUFU.RCP64H IMAD.MOV.U32 DFMA DFMA DFMA DFMA DMUL DFMA DFMA FSETP.GEU.AND FFMA FSETP.GT.AND DFMA BRA "
     "BSYNC",
     "BMOV.32.CLEAR",
     0},
    {"dp2a*", {SAME}, "IDP.2A", NULL, 0},
    {"dp4a*", {SAME}, "IDP.4A", NULL, 0},
    {"ex2*f16x2", {SAME}, "MUFU.EX2.F16 MUFU.EX2.F16 PRMT", NULL, 0},
    {"ex2.approx.ftz*", {SAME}, "MUFU.EX2", NULL, 0},
    {"ex2.approx.f32", {4, 4, 4}, "FSETP.GEU.AND FMUL MUFU.EX2 FMUL", NULL, 0},
    {"ex2*", {SAME}, "MUFU.EX2", NULL, 0},
    {"fma*.f32", {SAME}, "FFMA", NULL, 0},
    {"fma*.f64", {SAME}, "DFMA", NULL, 0},
    {"fma*.bf16*", {SAME}, "HFMA2.BF16_V2", NULL, 0},
    {"fma*", {SAME}, "HFMA2", NULL, 0},
    {"fns*", {60, 60, 60}, "POPC SHF.R.U32.HI", "IADD3", 0},
    {"isspacep*", {SAME}, "QSPC", NULL, 0},
    {"lg2.approx.ftz*", {SAME}, "MUFU.LG2", NULL, 0},
    {"lg2*", {4, 4, 4}, "FSETP.GEU.AND FMUL MUFU.LG2 FADD", NULL, 0},
    {"lop3*", {SAME}, "LOP3.LUT", NULL, 0},
    {"mad.hi*", {2, 2, 2}, "IMAD.MOV.U32 IMAD.HI", NULL, 0},
    {"mad.wide*", {3, 3, 3}, "IMAD.WIDE IADD3 IADD3.X", NULL, 0},
    {"mad*.?64", {4, 4, 4}, "IMAD IMAD IMAD.WIDE.U32 IADD3", NULL, 0},
    {"mad24*", {3, 3, 3}, "LOP3.LUT LOP3.LUT IMAD", NULL, 0},
    {"madc*", {SAME}, "IMAD.X", NULL, 0},
    {"mad*.f32", {SAME}, "FFMA", NULL, 0},
    {"mad*.f64", {SAME}, "DFMA", NULL, 0},
    {"mad*", {SAME}, "IMAD", NULL, 0},
    {"max*.f32", {SAME}, "FMNMX", NULL, 0},
    {"max*.f64", {7, 7, 7}, "DSETP.MAX.AND FSEL SEL IMAD.MOV.U32", "IMAD.MOV.U32", 0},
    {"max*.f16*", {SAME}, "HMNMX2", NULL, 0},
    {"max*.bf16*", {SAME}, "HMNMX2.BF16_V2", NULL, 0},
    {"max*.?64", {4, 4, 4}, "ISETP.GT.U32.AND ISETP.GT.AND.EX SEL SEL", NULL, 0},
    {"max*", {SAME}, "IMNMX", NULL, MACHINE_VIMNMX},
    {"min*.f32", {SAME}, "FMNMX", NULL, 0},
    {"min*.f64", {7, 7, 7}, "DSETP.MIN.AND FSEL SEL IMAD.MOV.U32", "IMAD.MOV.U32", 0},
    {"min*.f16*", {SAME}, "HMNMX2", NULL, 0},
    {"min*.bf16*", {SAME}, "HMNMX2.BF16_V2", NULL, 0},
    {"min*.?64", {4, 4, 4}, "ISETP.LT.U32.AND ISETP.LT.AND.EX SEL SEL", NULL, 0},
    {"min*", {SAME}, "IMNMX", NULL, MACHINE_VIMNMX},
    {"mov.pred", {SAME}, "PLOP3.LUT", NULL, 0},
    {"mov*64", {SAME}, "IMAD.MOV.U32 IMAD.MOV.U32", NULL, MACHINE_BY_WORD},
    {"mov*", {SAME}, "IMAD.MOV.U32", NULL, 0},
    {"mul24*", {3, 3, 3}, "LOP3.LUT LOP3.LUT IMAD", NULL, 0},
    {"mul.wide*", {SAME}, "IMAD.WIDE", NULL, 0},
    {"mul.hi*64",
     {7, 7, 7},
     "IMAD.WIDE.U32 IMAD.WIDE.U32 IADD3 IMAD.WIDE.U32 IADD3 IMAD.X IMAD.WIDE.U32.X",
     NULL,
     0},
    {"mul.hi*", {SAME}, "IMAD.HI", NULL, 0},
    {"mul.lo*64#", {3, 3, 3}, "IMAD IMAD.WIDE.U32 IADD3", NULL, 0},
    {"mul.lo*64", {4, 4, 4}, "IMAD IMAD IMAD.WIDE.U32 IADD3", NULL, 0},
    {"mul*.f32", {SAME}, "FMUL", NULL, 0},
    {"mul*.f64", {SAME}, "DMUL", NULL, 0},
    {"mul*.f16x2", {SAME}, "HMUL2", NULL, 0},
    {"mul*.bf16x2", {SAME}, "HMUL2.BF16_V2", NULL, 0},
    {"mul*.f16", {2, 2, 2}, "HMUL2 PRMT", NULL, 0},
    {"mul*.bf16", {2, 2, 2}, "HMUL2.BF16_V2 PRMT", NULL, 0},
    {"mul*", {SAME}, "IMAD", NULL, 0},
    {"neg*.f32", {SAME}, "FADD", NULL, 0},
    {"neg*.f64", {SAME}, "DADD", NULL, 0},
    {"neg*f16*", {SAME}, "HADD2", NULL, 0},
    {"neg*64", {SAME}, "IADD3 IADD3.X", NULL, MACHINE_BY_WORD},
    {"neg*", {SAME}, "IADD3", NULL, 0},
    {"not.pred", {SAME}, "PLOP3.LUT", NULL, 0},
    {"not.b64", {SAME}, "LOP3.LUT LOP3.LUT", NULL, MACHINE_BY_WORD},
    {"not*", {SAME}, "LOP3.LUT", NULL, 0},
    {"or.pred", {SAME}, "PLOP3.LUT", NULL, 0},
    {"or.b64", {SAME}, "LOP3.LUT LOP3.LUT", NULL, MACHINE_BY_WORD},
    {"or*", {SAME}, "LOP3.LUT", NULL, 0},
    {"popc.b64", {3, 3, 3}, "POPC POPC IADD3", NULL, 0},
    {"popc*", {SAME}, "POPC", NULL, 0},
    {"prmt*", {SAME}, "PRMT", NULL, 0},
    {"rcp.approx.ftz.f64", {SAME}, "MUFU.RCP64H", NULL, 0},
    {"rcp.approx.ftz*", {SAME}, "MUFU.RCP", NULL, 0},
    {"rcp.approx*", {SAME}, "FSETP.GT.AND FSETP.GEU.AND FSEL FMUL MUFU.RCP FSEL FMUL", NULL, 0},
    {"rcp*.f64",
     {12, 11, 11},
     "BSSY IADD3 MUFU.RCP64H FSETP.GEU.AND DFMA DFMA DFMA DFMA DFMA BRA BSYNC",
     "BMOV.32.CLEAR",
     0},
    {"rcp*",
     {11, 10, 10},
     "BSSY IADD3 LOP3.LUT ISETP.GT.U32.AND BRA MUFU.RCP FFMA FFMA FADD.FTZ BSYNC",
     "BMOV.32.CLEAR",
     0},
    {"rem*.s32#",
     {10, 8, 8},
     "IABS IMAD.HI.U32 IMAD ISETP.GT.U32.AND IADD3 ISETP.GT.U32.AND IADD3 ISETP.GE.AND",
     "IMAD",
     0},
    {"rem*.u32#", {6, 6, 6}, "IMAD.HI.U32 IMAD ISETP.GE.U32.AND IADD3 ISETP.GE.U32.AND IADD3", NULL, 0},
    {"rem*.s64",
     {84, 84, 75},
     "I2F.U64.RP MUFU.RCP IADD3 F2I.U64.TRUNC IMAD.WIDE.U32 IMAD.HI.U32 IADD3.X",
     "IMAD",
     0},
    {"rem*.u64",
     {68, 68, 59},
     "I2F.U64.RP MUFU.RCP IADD3 F2I.U64.TRUNC IMAD.WIDE.U32 IMAD.HI.U32 IADD3.X",
     "IMAD",
     0},
    {"rem*.s*",
     {22, 24, 24},
     "IABS I2F.RP IABS MUFU.RCP IADD3 F2I.FTZ.U32.TRUNC.NTZ IMAD IMAD.HI.U32 IMAD.HI.U32 "
     "IMAD ISETP.GT.U32.AND IADD3 ISETP.GT.U32.AND IADD3 ISETP.NE.AND LOP3.LUT",
     "IADD3",
     0},
    {"rem*.u*",
     {17, 17, 17},
     "I2F.U32.RP MUFU.RCP IADD3 F2I.FTZ.U32.TRUNC.NTZ IMAD IMAD.HI.U32 IMAD.HI.U32 IMAD "
     "ISETP.GE.U32.AND IADD3 ISETP.GE.U32.AND IADD3 LOP3.LUT",
     "IADD3",
     0},
    {"rsqrt*.f64",
     {15, 14, 14},
     "BSSY MUFU.RSQ64H IADD3 IMAD.MOV.U32 IMAD.MOV.U32 MOV ISETP.GT.U32.AND DMUL DFMA DMUL DFMA DFMA BRA BSYNC",
     "BMOV.32.CLEAR",
     0},
    {"rsqrt.approx.ftz*", {SAME}, "MUFU.RSQ", NULL, 0},
    {"rsqrt*", {4, 4, 4}, "FSETP.GEU.AND FMUL MUFU.RSQ FMUL", NULL, 0},
    {"sad*", {SAME}, "VABSDIFF", NULL, 0},
    {"selp*64", {SAME}, "SEL SEL", NULL, MACHINE_BY_WORD},
    {"selp*.f32", {SAME}, "FSEL", NULL, 0},
    {"selp*", {SAME}, "SEL", NULL, 0},
    {"set*.f16*", {SAME}, "HSET2.BF.LT.AND", NULL, 0},
    {"setp*.f32", {SAME}, "FSETP.LT.AND", NULL, 0},
    {"setp*.f64", {SAME}, "DSETP.LT.AND", NULL, 0},
    {"setp*f16*", {SAME}, "HSETP2.LT.AND", NULL, 0},
    {"setp*64", {SAME}, "ISETP.LT.U32.AND ISETP.LT.AND.EX", NULL, MACHINE_BY_WORD},
    {"setp*", {SAME}, "ISETP.LT.AND", NULL, 0},
    {"set*.f32.f32", {SAME}, "FSET.BF.LT.AND", NULL, 0},
    {"set*.f64", {SAME}, "DSETP.LT.AND SEL", NULL, 0},
    {"set*.f32", {SAME}, "FSETP.LT.AND SEL", NULL, 0},
    {"set*", {SAME}, "ISETP.LT.AND SEL", NULL, 0},
    {"shf*", {SAME}, "SHF.L.W.U32.HI", NULL, 0},
    {"shl.b64", {SAME}, "SHF.L.U32 SHF.L.U64.HI", NULL, MACHINE_BY_WORD},
    {"shl*", {SAME}, "SHF.L.U32", NULL, 0},
    {"shr.?64", {SAME}, "SHF.R.U64 SHF.R.U32.HI", NULL, MACHINE_BY_WORD},
    {"shr.s*", {SAME}, "SHF.R.S32.HI", NULL, 0},
    {"shr*", {SAME}, "SHF.R.U32.HI", NULL, 0},
    {"sin.approx*", {2, 2, 2}, "FMUL.RZ MUFU.SIN", NULL, 0},
    {"slct*", {SAME}, "ISETP.GE.AND SEL", NULL, 0},
    {"sqrt.approx.ftz*", {SAME}, "MUFU.SQRT", NULL, 0},
    {"sqrt.approx*", {4, 4, 4}, "FSETP.GEU.AND FMUL MUFU.SQRT FMUL", NULL, 0},
    {"sqrt*.f64",
     {19, 18, 18},
     "BSSY MUFU.RSQ64H IADD3 IADD3 IMAD.MOV.U32 IMAD.MOV.U32 MOV ISETP.GE.U32.AND DMUL DFMA DFMA DMUL DMUL DFMA "
     "DFMA DFMA "
     "BRA BSYNC",
     "BMOV.32.CLEAR",
     0},
    {"sqrt*",
     {11, 10, 10},
     "BSSY IADD3 MUFU.RSQ ISETP.GT.U32.AND BRA FMUL.FTZ FMUL.FTZ FFMA FFMA BSYNC",
     "BMOV.32.CLEAR",
     0},
    {"sub*.f32", {SAME}, "FADD", NULL, 0},
    {"sub*.f64", {SAME}, "DADD", NULL, 0},
    {"sub*.f16x2", {SAME}, "HADD2", NULL, 0},
    {"sub*.bf16x2", {SAME}, "HADD2.BF16_V2", NULL, 0},
    {"sub*.f16", {2, 2, 2}, "HADD2 PRMT", NULL, 0},
    {"sub*.bf16", {2, 2, 2}, "HADD2.BF16_V2 PRMT", NULL, 0},
    {"sub*.?64", {SAME}, "IADD3 IADD3.X", NULL, MACHINE_BY_WORD},
    {"subc*", {SAME}, "IADD3.X", NULL, 0},
    {"sub*", {SAME}, "IADD3", NULL, 0},
    {"szext*", {SAME}, "SGXT", NULL, 0},
    {"tanh*f16x2", {SAME}, "MUFU.TANH.F16 MUFU.TANH.F16 PRMT", NULL, 0},
    {"tanh*", {SAME}, "MUFU.TANH", NULL, 0},
    {"testp*.f64", {SAME}, "DSETP.NAN.AND", NULL, 0},
    {"testp*", {SAME}, "FSETP.NAN.AND", NULL, 0},
    {"vabsdiff4*", {SAME}, "VABSDIFF4.U8", NULL, 0},
    {"xor.pred", {SAME}, "PLOP3.LUT", NULL, 0},
    {"xor.b64", {SAME}, "LOP3.LUT LOP3.LUT", NULL, MACHINE_BY_WORD},
    {"xor*", {SAME}, "LOP3.LUT", NULL, 0},
    {"v*", {3, 3, 3}, "PRMT PRMT IADD3", NULL, 0},
};

/* Returns true if the name matches. '*': any text. '?': one letter of a type. */
static bool fits(const char *pattern, const char *name)
{
    for (; *pattern && *pattern != '*'; pattern++, name++)
        if (*pattern != *name && (*pattern != '?' || !strchr("bsu", *name) || !*name))
            return false;
    if (!*pattern)
        return !*name;
    for (pattern++;; name++) {
        if (fits(pattern, name))
            return true;
        if (!*name)
            return false;
    }
}

const struct ptx_machine_form *ptx_machine_form(const struct ptx_inst *i, bool constant)
{
    char name[96];

    if (!ptx_form_name(i, name, sizeof name))
        snprintf(name, sizeof name, "%s", i->opcode);
    return ptx_machine_form_named(name, constant);
}

const struct ptx_machine_form *ptx_machine_form_named(const char *name, bool constant)
{
    static const struct ptx_machine_form other = {"", {SAME}, "IADD3", NULL, 0};
    char marked[100];

    snprintf(marked, sizeof marked, "%s#", name);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *pattern = rows[k].pattern;
        bool for_constant = pattern[strlen(pattern) - 1] == '#';

        if (pattern[0] == name[0] && (constant || !for_constant) && fits(pattern, for_constant ? marked : name))
            return &rows[k];
    }
    return &other;
}

uint32_t ptx_machine_form_count(const struct ptx_machine_form *f, uint32_t arch)
{
    uint32_t count = f->counts[arch < 80 ? 0 : arch < 90 ? 1 : 2];

    if (count)
        return count;
    for (const char *p = f->opcodes; *p; p += strcspn(p, " "), p += *p == ' ')
        count++;
    return count;
}

/* The opcode's name in a newer architecture. */
static bool renamed(const struct ptx_machine_form *f, uint32_t arch, char *out, size_t room)
{
    if (f->flags & MACHINE_I2FP && arch >= 86)
        snprintf(out, room, "I2FP.F32.S32");
    else if (f->flags & MACHINE_VIMNMX && arch >= 90)
        snprintf(out, room, "VIMNMX");
    else
        return false;
    return true;
}

void ptx_machine_form_opcode(const struct ptx_machine_form *f, uint32_t arch, uint32_t k, char *out, size_t room)
{
    uint32_t count = ptx_machine_form_count(f, arch), own = 0, at;
    const char *p = f->opcodes;

    for (; *p; p += strcspn(p, " "), p += *p == ' ')
        own++;
    if (renamed(f, arch, out, room))
        return;
    at = k + 1 == count ? own - 1 : k;
    if (at + 1 >= own && k + 1 < count) {
        snprintf(out, room, "%s", f->fill ? f->fill : "IADD3");
        return;
    }
    for (p = f->opcodes; at; at--)
        p += strcspn(p, " ") + 1;
    snprintf(out, room, "%.*s", (int)strcspn(p, " "), p);
}
