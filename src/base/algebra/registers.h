// registers.h: how wide the registers are that kernels have.

#pragma once

// Whether a SimdN is one register in kernels on this machine. GCC 12 keeps vectors of two registers
// in memory, so that code made of them takes several times as long; with two registers to a number
// Clang runs out of them.
int simd_is_register(void);
