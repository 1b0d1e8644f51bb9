// The smoothed laws and their derivatives, by forces, velocities and the smoothing.

#include "constraint/hard/smooth_law.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"

// q and its derivatives by x and by s
typedef struct {
  mjtNum q, dx, ds;
} Soft;

// q(x) = (x + sqrt(x^2 + 4 s^2)) / 2, which is max(0, x) for s = 0
static Soft soft_positive(mjtNum x, mjtNum s) {
  mjtNum root = mju_sqrt(x * x + 4 * s * s);
  if (!(root > 0)) {
    return (Soft){0, (mjtNum)0.5, 1};
  }
  // no difference of nearly equal numbers
  mjtNum q = x > 0 ? (x + root) / 2 : 2 * s * s / (root - x);
  return (Soft){q, q / root, 2 * s / root};
}

// p = P_s(x) of the cone |x_t| <= x_n: q of the spectral values of x, with its derivatives.
//
//   q_- = q(x_n - |x_t|)    q_+ = q(x_n + |x_t|)
//   p_n = (q_- + q_+) / 2   p_t = (q_+ - q_-) / 2 x_t / |x_t|
static void cone_law(SmoothLaw* law, const mjtNum* x, mjtNum s) {
  mjtNum t = 0;
  for (int r = 0; r < law->nt; r++) {
    t += x[r + 1] * x[r + 1];
  }
  t = mju_sqrt(t);
  Soft low = soft_positive(x[0] - t, s), high = soft_positive(x[0] + t, s);
  law->a = (low.dx + high.dx) / 2;
  law->b = (high.dx - low.dx) / 2;
  law->c = t > mjMINVAL * s ? (high.q - low.q) / (2 * t) : law->a;
  law->p[0] = (low.q + high.q) / 2;
  law->ds[0] = (low.ds + high.ds) / 2;
  for (int r = 0; r < law->nt; r++) {
    law->d[r] = t > mjMINVAL * s ? x[r + 1] / t : r == 0;
    law->p[r + 1] = law->d[r] * (high.q - low.q) / 2;
    law->ds[r + 1] = law->d[r] * (high.ds - low.ds) / 2;
  }
}

// p = q(x + eta) - q(x - eta) - eta, eta the bound
static void bound_law(SmoothLaw* law, mjtNum x, mjtNum bound, mjtNum s) {
  Soft low = soft_positive(x + bound, s), high = soft_positive(x - bound, s);
  law->p[0] = low.q - high.q - bound;
  law->a = low.dx - high.dx;
  law->ds[0] = low.ds - high.ds;
}

// The smoothed law f = P_s(f - u/k) of a contact, with forces f = (f_n, f_t), velocities w,
// diagonal k of K and smoothing s (N). It is equivalent to
//
//   f o u/k = s^2 n      u_n = w_n + sqrt(|w_t|^2 + (k s)^2) - k s      u_t = w_t
//
// x o y = (x . y, x_n y_t + y_n x_t) is the Jordan product of the cone |x_t| <= x_n, and n = (1, 0)
// its unit. For s = 0 the law is Coulomb's. Friction rows are scaled by their
// coefficients, which makes the cone round.
//                                                        theory/contact/hard-contacts.md, Smoothing
void smooth_law(SmoothLaw* law, const HardBlock* block, mjtNum k, const mjtNum* f, const mjtNum* w,
                mjtNum s) {
  mjtNum slip = 0, x[1 + SMOOTH_TANGENTS] = {0};
  law->b = law->c = law->lift = 0;
  for (int r = 0; r <= law->nt; r++) {
    x[r] = f[r] - w[r] / k;
    slip += r ? w[r] * w[r] : 0;
  }
  if (block->law == HARD_BOUND) {
    bound_law(law, x[0], block->bound, s);
    return;
  }
  mjtNum smooth = mju_sqrt(slip + num_square(k * s));
  for (int r = 0; r < law->nt; r++) {
    law->along[r] = smooth > 0 ? w[r + 1] / smooth : 0;
  }
  law->lift = law->nt && smooth > 0 ? k * s / smooth - 1 : 0;
  x[0] -= law->nt ? smooth / k - s : 0;
  cone_law(law, x, s);
}
