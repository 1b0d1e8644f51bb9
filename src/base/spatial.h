// spatial.h: spatial vectors in registers, two numbers at a time.
//
// Two doubles (pack.h) are one SSE register. A Six is loaded and stored pair by pair everywhere,
// because a pair read back from two single stores waits for the memory, and the other way round.
// Single numbers are taken from registers.

#ifndef CONDYLE_BASE_SPATIAL_H_
#define CONDYLE_BASE_SPATIAL_H_

#include "base/pack.h"
#include "base/target.h"

// (rotation, translation): components 01, 23, 45
typedef struct {
  Two p[3];
} Six;

INLINE Two two(mjtNum x, mjtNum y) {
  return (Two){x, y};
}

INLINE Two two_load(const mjtNum* in) {
  return TWO_READ(in);
}

INLINE void two_store(mjtNum* out, Two v) {
  TWO(out) = v;
}

INLINE Six six_load(const mjtNum in[6]) {
  return (Six){{two_load(in), two_load(in + 2), two_load(in + 4)}};
}

INLINE void six_store(mjtNum out[6], Six s) {
  two_store(out, s.p[0]);
  two_store(out + 2, s.p[1]);
  two_store(out + 4, s.p[2]);
}

INLINE Six six_add(Six a, Six b) {
  return (Six){{a.p[0] + b.p[0], a.p[1] + b.p[1], a.p[2] + b.p[2]}};
}

INLINE Six six_sub(Six a, Six b) {
  return (Six){{a.p[0] - b.p[0], a.p[1] - b.p[1], a.p[2] - b.p[2]}};
}

// a + s b
INLINE Six six_addscl(Six a, Six b, mjtNum s) {
  return (Six){{a.p[0] + s * b.p[0], a.p[1] + s * b.p[1], a.p[2] + s * b.p[2]}};
}

INLINE mjtNum six_dot(Six a, Six b) {
  Two sum = a.p[0] * b.p[0] + a.p[1] * b.p[1] + a.p[2] * b.p[2];
  return sum[0] + sum[1];
}

// Two 3-vectors a, b side by side: x, y, z hold (a_x, b_x), (a_y, b_y), (a_z, b_z).
typedef struct {
  Two x, y, z;
} Vectors;

// (a, b) of a spatial vector: its rotation and its translation side by side
INLINE Vectors vectors_load(const mjtNum s[6]) {
  return (Vectors){two(s[0], s[3]), two(s[1], s[4]), two(s[2], s[5])};
}

INLINE void vectors_store(mjtNum out[6], Vectors v) {
  out[0] = v.x[0];
  out[1] = v.y[0];
  out[2] = v.z[0];
  out[3] = v.x[1];
  out[4] = v.y[1];
  out[5] = v.z[1];
}

// a + s b
INLINE Vectors vectors_addscl(Vectors a, Vectors b, mjtNum s) {
  return (Vectors){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

// v x both, v = (x, y, z)
INLINE Vectors vectors_cross(mjtNum x, mjtNum y, mjtNum z, Vectors s) {
  return (Vectors){y * s.z - z * s.y, z * s.x - x * s.z, x * s.y - y * s.x};
}

#endif  // CONDYLE_BASE_SPATIAL_H_
