#include "textflag.h"

// What the assembler has no names for: signed widening of bytes, and signed multiplying of halves that adds words.
#define SXTL(n, d) WORD $(0x0F08A400 | (n)<<5 | (d))
#define SXTL2(n, d) WORD $(0x4F08A400 | (n)<<5 | (d))
#define SMLAL(m, n, d) WORD $(0x0E608000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2(m, n, d) WORD $(0x4E608000 | (m)<<16 | (n)<<5 | (d))

// WITH adds the products of one vector's next 16 numbers, at R, with both rows to V(a) and V(b).
#define WITH(R, a, b) \
	VLD1.P 32(R), [V22.H8, V23.H8]; \
	SMLAL(22, 18, a); \
	SMLAL2(22, 18, a); \
	SMLAL(23, 19, a); \
	SMLAL2(23, 19, a); \
	SMLAL(22, 20, b); \
	SMLAL2(22, 20, b); \
	SMLAL(23, 21, b); \
	SMLAL2(23, 21, b)

#define SUM(V, at) \
	VADDV V.S4, V; \
	VMOV V.S[0], R8; \
	MOVW R8, at(R7)

// func multiply(w0, w1 *byte, x *int16, stride, n int, sums *[8]int32)
//
// V0 to V3 gather the products of w0 with four vectors, V4 to V7 those of w1.
TEXT ·multiply(SB), NOSPLIT, $0-48
	MOVD w0+0(FP), R0
	MOVD w1+8(FP), R1
	MOVD x+16(FP), R2
	MOVD stride+24(FP), R8
	MOVD n+32(FP), R6
	MOVD sums+40(FP), R7
	ADD R8, R2, R3
	ADD R8, R3, R4
	ADD R8, R4, R5
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16

loop:
	VLD1.P 16(R0), [V16.B16]
	VLD1.P 16(R1), [V17.B16]
	SXTL(16, 18)
	SXTL2(16, 19)
	SXTL(17, 20)
	SXTL2(17, 21)
	WITH(R2, 0, 4)
	WITH(R3, 1, 5)
	WITH(R4, 2, 6)
	WITH(R5, 3, 7)
	SUBS $16, R6, R6
	BNE loop

	SUM(V0, 0)
	SUM(V1, 4)
	SUM(V2, 8)
	SUM(V3, 12)
	SUM(V4, 16)
	SUM(V5, 20)
	SUM(V6, 24)
	SUM(V7, 28)
	RET
