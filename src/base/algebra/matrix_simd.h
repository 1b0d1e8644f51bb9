// matrix_simd.h: columns of 3 x 3 matrices and absolute values in vector registers.

#pragma once

#include "base/algebra/simd.h"

// The columns of a row-major matrix. Their fourth components are arbitrary.
INLINE void simd4_columns(Simd4 column[3], const mjtNum mat[9]) {
  Simd4 row0 = SIMD_READ(Simd4, mat), row1 = SIMD_READ(Simd4, mat + 3);
  Simd4 row2 = SIMD_READ(Simd4, mat + 5);  // starts one element early, to end with the matrix
  Simd4 even = SIMD4_ZIP(row0, row1, 0, 4, 2, 6), odd = SIMD4_ZIP(row0, row1, 1, 5, 3, 7);
  column[0] = SIMD4_ZIP(even, row2, 0, 1, 5, 5);
  column[1] = SIMD4_ZIP(odd, row2, 0, 1, 6, 6);
  column[2] = SIMD4_ZIP(even, row2, 2, 3, 7, 7);
}

INLINE void simd4_abs(Simd4* out, const Simd4* x) {
  const Simd4 sign = {-0.0, -0.0, -0.0, -0.0};
  *out = (Simd4)((Simd4Mask)*x & ~(Simd4Mask)sign);
}
