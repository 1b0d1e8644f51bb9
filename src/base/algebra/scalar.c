// scalar.c: the public functions of single numbers and short lists.

#include <condyle/dynamics.h>
#include <limits.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <stdlib.h>

#include "base/algebra/elementary.h"
#include "base/algebra/vec.h"

// min and max return their second argument if either one is NaN

mjtNum mju_min(mjtNum a, mjtNum b) {
  return a <= b ? a : b;
}

mjtNum mju_max(mjtNum a, mjtNum b) {
  return a >= b ? a : b;
}

mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max) {
  return num_clamp(x, min, max);
}

mjtNum mju_sign(mjtNum x) {
  return (mjtNum)((x > 0) - (x < 0));
}

// Halves go away from zero. Beyond int the nearest one, and 0 if x is NaN.
int cnd_roundAway(mjtNum x) {
  if (!(mju_abs(x) < (mjtNum)INT_MAX + (mjtNum)0.5)) {
    return x > 0 ? INT_MAX : x < 0 ? INT_MIN : 0;
  }
  mjtNum size = mju_abs(x), lower = mju_floor(size);
  int rounded = (int)(size - lower < (mjtNum)0.5 ? lower : lower + 1);
  return x < 0 ? -rounded : rounded;
}

// Returns INT_MIN if the result is no int or x is NaN.
int mju_round(mjtNum x) {
  if (!(mju_abs(x) < (mjtNum)INT_MAX)) {
    return INT_MIN;
  }
  if ((mjtNum)(int)x == x) {  // what stands for an index is whole, and needs no call
    return (int)x;
  }
  mjtNum lower = mju_floor(x), upper = mju_ceil(x);
  return (int)(x - lower < upper - x ? lower : upper);
}

int mju_isBad(mjtNum x) {
  return isnan(x) || x > mjMAXVAL || x < -mjMAXVAL;
}

// 6x^5 - 15x^4 + 10x^3: slope and curvature vanish at both ends
mjtNum mju_sigmoid(mjtNum x) {
  if (x <= 0 || x >= 1) {
    return x >= 1;
  }
  return x * x * x * (3 * x * (2 * x - 5) + 10);
}

// Force of a friction cone (normal, then dim-1 tangential) as nonnegative amounts along the edges
// (1, +-mu_i) of a pyramid. Each pair of edges carries an equal share of the normal force; its
// difference is the tangential force.
// A contact without friction has no edges: nothing is written.
void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim) {
  if (dim < 2) {
    return;
  }
  mjtNum share = force[0] / (mjtNum)(dim - 1);
  for (int i = 0; i < dim - 1; i++) {
    mjtNum difference = mju_min(share, force[i + 1] / mu[i]);
    pyramid[2 * i] = (share + difference) / 2;
    pyramid[2 * i + 1] = (share - difference) / 2;
  }
}

void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim) {
  if (dim < 1) {
    mju_error("mju_decodePyramid: dim is %d, must be at least 1", dim);
    return;
  }
  if (dim == 1) {
    force[0] = pyramid[0];
    return;
  }
  force[0] = 0;
  for (int i = 0; i < dim - 1; i++) {
    mjtNum plus = pyramid[2 * i], minus = pyramid[2 * i + 1];
    force[0] += plus + minus;
    force[i + 1] = (plus - minus) * mu[i];
  }
}

// x'' + Kv x' + Kp x = 0 with roots r = -Kv/2 +- sqrt(det)/2, det = Kv^2 - 4 Kp:
//
//   det > 0    (v0 - r2 x0)/(r1 - r2) e^(r1 t) + (r1 x0 - v0)/(r1 - r2) e^(r2 t)
//   det = 0    e^(rt) (x0 + (v0 - r x0) t)
//   det < 0    e^(-Kv t/2) (x0 cos wt + (v0 + Kv x0 / 2)/w sin wt),  w = sqrt(-det)/2
mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt) {
  mjtNum det = Kv * Kv - 4 * Kp;
  mjtNum root = mju_sqrt(mju_abs(det)) / 2;
  mjtNum middle = -Kv / 2;
  if (det > mjMINVAL) {
    mjtNum r1 = middle + root, r2 = middle - root;
    mjtNum c1 = (vel0 - r2 * pos0) / (r1 - r2), c2 = (r1 * pos0 - vel0) / (r1 - r2);
    return c1 * num_exp(r1 * dt) + c2 * num_exp(r2 * dt);
  }
  mjtNum decay = num_exp(middle * dt);
  mjtNum slope = vel0 - middle * pos0;
  if (det >= -mjMINVAL) {
    return decay * (pos0 + slope * dt);
  }
  return decay * (pos0 * num_cos(root * dt) + slope / root * num_sin(root * dt));
}

// The digits of index in this base, mirrored at the radix point.
mjtNum mju_Halton(int index, int base) {
  if (base < 2) {
    mju_error("mju_Halton: base is %d, must be a prime number", base);
    return 0;
  }
  mjtNum sum = 0, weight = 1 / (mjtNum)base;
  for (int rest = index; rest > 0; rest /= base) {
    sum += weight * (mjtNum)(rest % base);
    weight /= (mjtNum)base;
  }
  return sum;
}

// Two independent normal numbers from a random point in the unit disc (Marsaglia's polar method),
// drawn with the C library's rand().
mjtNum mju_standardNormal(mjtNum* num2) {
  mjtNum x1, x2, square;
  do {
    x1 = 2 * (mjtNum)rand() / (mjtNum)RAND_MAX - 1;
    x2 = 2 * (mjtNum)rand() / (mjtNum)RAND_MAX - 1;
    square = x1 * x1 + x2 * x2;
  } while (square >= 1 || square == 0);
  mjtNum factor = mju_sqrt(-2 * num_log(square) / square);
  if (num2) {
    *num2 = x2 * factor;
  }
  return x1 * factor;
}

// Stable ascending sort for short or nearly sorted lists.
#define INSERTION_SORT(name, Item)            \
  void name(Item* list, int n) {              \
    for (int i = 1; i < n; i++) {             \
      Item x = list[i];                       \
      int j = i;                              \
      for (; j > 0 && list[j - 1] > x; j--) { \
        list[j] = list[j - 1];                \
      }                                       \
      list[j] = x;                            \
    }                                         \
  }

INSERTION_SORT(mju_insertionSort, mjtNum)
INSERTION_SORT(mju_insertionSortInt, int)
