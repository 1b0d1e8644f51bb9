// rays.c: times rays into a model; compiled once against Condyle and once against the reference.
//
//   rays MODEL [BATCHES]
//
// 10,000 rays from one point aside of the model to places all over it. Prints one line of JSON:
// nanoseconds per ray of mj_ray and mj_multiRay in the fastest of some batches, how many rays hit
// and the sum of what they found, which must be the same for both.

#include <stdint.h>

#include "common.h"

enum {
  NRAY = 10000
};

// uniform in (-1, 1)
static mjtNum draw(void) {
  static uint64_t seed = 88172645463325252u;
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (mjtNum)((double)(seed >> 11) / 4503599627370496.0 - 1);
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: rays MODEL [BATCHES]\n");
    return 2;
  }
  int batches = argc > 2 ? atoi(argv[2]) : 10;
  mjData* d;
  mjModel* m = load(&d, argv[1]);
  static mjtNum vec[3 * NRAY], x[NRAY];
  static int geom[NRAY];
  mj_kinematics(m, d);
  const mjtNum *centre = m->stat.center, aside[3] = {1.5, 0.3, 0.8};
  mjtNum pnt[3];
  for (int k = 0; k < 3; k++) {
    pnt[k] = centre[k] + m->stat.extent * aside[k];
    for (int i = 0; i < NRAY; i++) {
      vec[3 * i + k] = centre[k] + m->stat.extent * draw() / 2 - pnt[k];
    }
  }

  double one = 1, many = 1, sum = 0;
  int hits = 0;
  for (int b = 0; b < batches; b++) {
    double start = now();
    for (int i = 0; i < NRAY; i++) {
      x[i] = mj_ray(m, d, pnt, vec + 3 * i, NULL, 1, -1, geom + i);
    }
    double middle = now();
    mj_multiRay(m, d, pnt, vec, NULL, 1, -1, geom, x, NRAY, mjMAXVAL);
    double end = now();
    one = middle - start < one ? middle - start : one;
    many = end - middle < many ? end - middle : many;
  }
  for (int i = 0; i < NRAY; i++) {
    hits += geom[i] >= 0;
    sum += x[i];
  }
  printf(
      "{\"geoms\": %d, \"triangles\": %d, \"hits\": %d, \"sum\": %.9g, \"mj_ray\": %.1f, "
      "\"mj_multiRay\": %.1f}\n",
      (int)m->ngeom, (int)m->nmeshface, hits, sum, 1e9 * one / NRAY, 1e9 * many / NRAY);
  mj_deleteData(d);
  mj_deleteModel(m);
  return 0;
}
