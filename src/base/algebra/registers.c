// registers.c: asks the processor, as the loader does that picks the versions of kernels.

#include "base/algebra/registers.h"

#include "base/algebra/simd.h"

int simd_is_register(void) {
#if defined(__AVX__)
  return 1;
#elif defined(KERNEL_VERSIONS)
  return __builtin_cpu_supports("x86-64-v3") != 0;
#else
  return 0;
#endif
}
