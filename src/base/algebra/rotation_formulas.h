// rotation_formulas.h: rotations with the number type and function names that the including file
// defines as NUMBER, CROSS, PRODUCT, TURN, MATRIX. vec.h includes it for the engine, pose.h for the
// making of models. Outputs may alias inputs. There are no guards against degenerate input.

// out = a x b
static inline void CROSS(NUMBER out[3], const NUMBER a[3], const NUMBER b[3]) {
  NUMBER x = a[1] * b[2] - a[2] * b[1];
  NUMBER y = a[2] * b[0] - a[0] * b[2];
  NUMBER z = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

// Hamilton product out = a b
static inline void PRODUCT(NUMBER out[4], const NUMBER a[4], const NUMBER b[4]) {
  NUMBER w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  NUMBER x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  NUMBER y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  NUMBER z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  out[0] = w;
  out[1] = x;
  out[2] = y;
  out[3] = z;
}

// Rotates v by q = (w, u): v + 2u x (u x v + w v), for finite numbers; exact copy if q is the
// identity. The order of the sums decides the last bits: it is the reference's.
static inline void TURN(NUMBER out[3], const NUMBER v[3], const NUMBER q[4]) {
  const NUMBER twice[3] = {q[1] + q[1], q[2] + q[2], q[3] + q[3]};
  const NUMBER t[3] = {q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
                       q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
                       q[0] * v[2] + q[1] * v[1] - q[2] * v[0]};
  NUMBER ut[3];
  CROSS(ut, twice, t);
  for (int i = 0; i < 3; i++) {
    out[i] = v[i] + ut[i];
  }
}

// rotation matrix of a unit quaternion, row-major; exactly the identity for the identity
static inline void MATRIX(NUMBER out[9], const NUMBER q[4]) {
  NUMBER x = q[1] + q[1], y = q[2] + q[2], z = q[3] + q[3];
  NUMBER wx2 = q[0] * x, wy2 = q[0] * y, wz2 = q[0] * z;
  NUMBER xy2 = q[1] * y, xz2 = q[1] * z, yz2 = q[2] * z;
  NUMBER ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  out[0] = ww + xx - yy - zz;
  out[1] = xy2 - wz2;
  out[2] = xz2 + wy2;
  out[3] = xy2 + wz2;
  out[4] = ww - xx + yy - zz;
  out[5] = yz2 - wx2;
  out[6] = xz2 - wy2;
  out[7] = yz2 + wx2;
  out[8] = ww - xx - yy + zz;
}

#undef NUMBER
#undef CROSS
#undef PRODUCT
#undef TURN
#undef MATRIX
