// format.c: sums, hashes, and the line about a writer.

#include "replay/format.h"

#include <condyle/condyle.h>
#include <condyle/replay.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/memory/check.h"

uint64_t run_sum(uint64_t sum, const void* bytes, size_t count) {
  const unsigned char* byte = bytes;
  for (size_t i = 0; i < count; i++) {
    sum = (sum ^ byte[i]) * 1099511628211u;
  }
  return sum;
}

uint64_t run_bits(mjtNum x) {
  // processors make NaN of either sign
  x = isnan(x) ? (mjtNum)NAN : x;
#ifdef mjUSESINGLE
  uint32_t bits;
#else
  uint64_t bits;
#endif
  memcpy(&bits, &x, sizeof(bits));
  return isnan(x) ? (uint64_t)bits << 1 : bits;
}

uint64_t cnd_hashNumbers(const mjtNum* numbers, int n) {
  check_arrays(n, numbers);
  uint64_t hash = run_sum_start;
  for (int i = 0; i < n; i++) {
    hash = (hash ^ run_bits(numbers[i])) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

// x x - (1 + 2 e) for x = 1 + e: the square of e where the product isn't rounded, else 0
KERNEL __attribute__((noinline)) static mjtNum product_rest(const volatile mjtNum* one_and_e,
                                                            const volatile mjtNum* most) {
  mjtNum x = *one_and_e;
  return x * x - *most;
}

void cnd_replayHere(char* text, int size) {
  const mjtNum e = sizeof(mjtNum) == sizeof(float) ? (mjtNum)0x1p-13 : (mjtNum)0x1p-30;
  const mjtNum x = 1 + e, most = 1 + 2 * e;
#if defined(__x86_64__)
  const char* processor = "x86-64";
#elif defined(__aarch64__)
  const char* processor = "arm64";
#elif defined(__riscv)
  const char* processor = "RISC-V";
#elif defined(__wasm__)
  const char* processor = "WebAssembly";
#else
  const char* processor = "another processor";
#endif
#ifdef __clang__
  const char* compiler = "Clang " __clang_version__;
#else
  const char* compiler = "GCC " __VERSION__;
#endif
  snprintf(text, size > 0 ? (size_t)size : 0, "condyle %s, %s, %.100s, %s", cnd_version(),
           processor, compiler,
           product_rest(&x, &most) > 0 ? "fused products" : "no fused products");
}
