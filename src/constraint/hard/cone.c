// Exact solution of a single contact. In the basis of eigenvectors of its tangential block, each
// friction force is a quotient with s in the denominator. A sliding contact is then the root of one
// function of s.

#include "constraint/hard/cone.h"

#include <float.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <string.h>

#include "base/algebra/vec.h"

#define EPSILON (sizeof(mjtNum) == sizeof(double) ? (mjtNum)DBL_EPSILON : (mjtNum)FLT_EPSILON)

// An eigenvalue below this part of its terms is rounding error: the contact can't move in that
// direction.
#define RIGID (1000 * EPSILON)

// eigenvectors

static mjtNum norm(const mjtNum* x, int n) {
  mjtNum sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
  }
  return mju_sqrt(sum);
}

// One rotation in the plane of p and q that makes S[p][q] zero (Golub and Van Loan, 8.5.2).
static void rotate(mjtNum S[CONE_MAX][CONE_MAX], mjtNum V[CONE_MAX][CONE_MAX], int n, int p,
                   int q) {
  mjtNum theta = (S[q][q] - S[p][p]) / (2 * S[p][q]);
  mjtNum t = (theta >= 0 ? 1 : -1) / (mju_abs(theta) + mju_sqrt(1 + theta * theta));
  mjtNum c = 1 / mju_sqrt(1 + t * t), s = t * c;
  mjtNum Spq = S[p][q];
  S[p][p] -= t * Spq;
  S[q][q] += t * Spq;
  S[p][q] = S[q][p] = 0;
  for (int k = 0; k < n; k++) {
    if (k != p && k != q) {
      mjtNum a = S[k][p], b = S[k][q];
      S[k][p] = S[p][k] = c * a - s * b;
      S[k][q] = S[q][k] = s * a + c * b;
    }
    mjtNum x = V[p][k], y = V[q][k];
    V[p][k] = c * x - s * y;
    V[q][k] = s * x + c * y;
  }
}

// S = V' diag V with the rows of V orthonormal; S keeps its eigenvalues on the diagonal.
static void diagonalize(mjtNum S[CONE_MAX][CONE_MAX], mjtNum V[CONE_MAX][CONE_MAX], int n) {
  enum {
    SWEEPS = 20
  };
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      V[i][k] = i == k;
    }
  }
  for (int sweep = 0, done = 0; sweep < SWEEPS && !done; sweep++) {
    done = 1;
    for (int p = 0; p < n; p++) {
      for (int q = p + 1; q < n; q++) {
        // this test gives small eigenvalues the same relative accuracy (Demmel and Veselic 1992)
        mjtNum small = EPSILON * mju_sqrt(mju_abs(S[p][p] * S[q][q]));
        if (mju_abs(S[p][q]) > small) {
          rotate(S, V, n, p, q);
          done = 0;
        }
      }
    }
  }
}

void cone_make(Cone* cone, const mjtNum* K, int dim) {
  int n = dim - 1;
  mjtNum S[CONE_MAX][CONE_MAX];
  memset(cone, 0, sizeof(*cone));
  cone->nt = n;
  cone->knn = K[0];
  for (int i = 0; i < n; i++) {
    cone->knt[i] = K[(i + 1) * dim];
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      S[i][k] = K[(i + 1) * dim + k + 1] - cone->knt[i] * cone->knt[k] / cone->knn;
    }
  }
  diagonalize(S, cone->V, n);
  for (int i = 0; i < n; i++) {
    mjtNum scale = 0;
    for (int k = 0; k < n; k++) {
      scale += num_square(cone->V[i][k]) * K[(k + 1) * dim + k + 1];
      cone->knt_V[i] += cone->V[i][k] * cone->knt[k];
    }
    cone->lambda[i] = S[i][i] > RIGID * scale ? S[i][i] : 0;
  }
}

// the force of a given s

// With the tangents in eigenvectors: f_t = -r / (lambda + s), f_n = -(q_n + K_nt f_t) / K_nn. A
// direction in which nothing moves has no force.
static void force_at(mjtNum fn[1], mjtNum* ft, const Cone* cone, mjtNum qn, const mjtNum* r,
                     mjtNum s) {
  mjtNum sum = qn;
  for (int i = 0; i < cone->nt; i++) {
    mjtNum stiff = cone->lambda[i] + s;
    ft[i] = r[i] == 0 ? 0 : -r[i] / num_max(stiff, mjMINVAL * mjMINVAL);
    sum += cone->knt_V[i] * ft[i];
  }
  *fn = -sum / cone->knn;
}

// The excess |f_t| / f_n - 1 has the sign of |f_t| - f_n where f_n > 0. Newton's method on
// p(s) = 1 / |f_t| - 1 / f_n, which is nearly straight, kept in a bracket [low, high] with
// |f_t| > f_n or f_n <= 0 at low, |f_t| <= f_n at high.
static mjtNum sliding_root(const Cone* cone, mjtNum qn, const mjtNum* r, mjtNum start) {
  enum {
    STEPS = 60
  };
  const mjtNum tolerance = 4 * EPSILON;
  mjtNum low = 0, high = INFINITY, trace = cone->knn, fn, ft[CONE_MAX];
  for (int i = 0; i < cone->nt; i++) {
    trace += cone->lambda[i];
  }
  mjtNum s = start > 0 ? start : trace;
  for (int step = 0; step < STEPS; step++) {
    force_at(&fn, ft, cone, qn, r, s);
    mjtNum t = norm(ft, cone->nt);
    if (mju_abs(t - fn) <= tolerance * (t + mju_abs(fn))) {
      return s;
    }
    if (t > fn) {
      low = s;
    } else {
      high = s;
    }

    // d|f_t|/ds = -sum f_t^2 / (lambda + s) / |f_t|,  df_n/ds = sum K_nt f_t / (lambda + s) / K_nn
    mjtNum dt = 0, dn = 0;
    for (int i = 0; i < cone->nt; i++) {
      mjtNum slope = ft[i] / (cone->lambda[i] + s);
      dt -= ft[i] * slope;
      dn += cone->knt_V[i] * slope;
    }
    dt /= num_max(t, mjMINVAL * mjMINVAL);
    dn /= cone->knn;
    mjtNum next = -1;
    if (fn > 0 && t > 0) {
      mjtNum p = 1 / t - 1 / fn, dp = -dt / (t * t) + dn / (fn * fn);
      next = dp != 0 ? s - p / dp : -1;
    }
    if (!(next > low && next < high)) {
      next = isfinite(high) ? (low + high) / 2 : num_max(10 * s, trace);
    }
    if (next == s) {
      return s;
    }
    s = next;
  }
  return isfinite(high) ? high : s;
}

// Sticking: K f = -q, if that f is in the cone. Sliding: (K + s E_t) f = -q with |f_t| = f_n, where
// E_t is the identity on tangents. Open: f = 0, if q_n >= 0.
void cone_solve(mjtNum* f, Cone* cone, const mjtNum* q) {
  int n = cone->nt;
  mjtNum r[CONE_MAX] = {0}, ft[CONE_MAX], fn;
  memset(f, 0, (size_t)(n + 1) * sizeof(mjtNum));
  if (!(q[0] < 0)) {
    return;
  }

  // sticking, if the force is in the cone
  for (int i = 0; i < n; i++) {
    mjtNum scale = 0;
    for (int k = 0; k < n; k++) {
      mjtNum coupled = cone->knt[k] * q[0] / cone->knn;
      r[i] += cone->V[i][k] * (q[k + 1] - coupled);
      scale += mju_abs(cone->V[i][k]) * (mju_abs(q[k + 1]) + mju_abs(coupled));
    }
    if (cone->lambda[i] == 0 && mju_abs(r[i]) <= RIGID * scale) {
      r[i] = 0;
    }
  }
  force_at(&fn, ft, cone, q[0], r, 0);
  if (!(norm(ft, n) <= fn)) {
    cone->s = sliding_root(cone, q[0], r, cone->s);
    force_at(&fn, ft, cone, q[0], r, cone->s);

    // on the cone to the last bit
    mjtNum t = norm(ft, n), shrink = t > fn && t > 0 ? num_max(0, fn) / t : 1;
    for (int i = 0; i < n; i++) {
      ft[i] *= shrink;
    }
  }
  f[0] = num_max(0, fn);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      f[k + 1] += cone->V[i][k] * ft[i];
    }
  }
}

// f = (f_n + |f_t|) / 2 (n + f_t / |f_t|) outside of the cone, 0 in the polar cone |f_t| <= -f_n
void cone_project(mjtNum* f, int dim) {
  mjtNum t = norm(f + 1, dim - 1), n = f[0];
  if (t <= n) {
    return;
  }
  if (t <= -n) {
    memset(f, 0, (size_t)dim * sizeof(mjtNum));
    return;
  }
  mjtNum half = (n + t) / 2;
  f[0] = half;
  for (int i = 1; i < dim; i++) {
    f[i] *= half / t;
  }
}
