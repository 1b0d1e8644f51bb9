// target.h: one source, several instruction sets.
//
// A function marked KERNEL is compiled for plain x86-64, for AVX2 with FMA and for AVX-512, and the
// loader picks one for the machine it runs on (GNU ifunc). So a distributed binary is as fast as a
// tuned one, and on one machine it is always the same version: same state, same bits. Between
// machines the last bits differ, because a fused multiply-add rounds once.
//
// The call goes through a pointer and is never inlined: mark functions with a loop in them, not
// three-line helpers. What a kernel shares with others is INLINE, so that it is compiled with the
// kernel's instruction set. Elsewhere (other processors, other compilers, and sanitizers, which
// can't run before they are set up) KERNEL means nothing special: the plain version.

#ifndef CONDYLE_BASE_TARGET_H_
#define CONDYLE_BASE_TARGET_H_

#include <stdlib.h>  // says whether the C library is glibc

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CONDYLE_SANITIZED 1
#endif

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && \
    !defined(__clang__) && __GNUC__ >= 12 && !defined(CONDYLE_SANITIZED)
#define KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KERNEL
#endif

#define INLINE static inline __attribute__((always_inline))

#endif  // CONDYLE_BASE_TARGET_H_
