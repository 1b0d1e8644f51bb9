#include "constraint/solver/line_search.h"

#include <string.h>

#include "base/vec.h"
#include "constraint/cost.h"

// phi and its derivatives at alpha
typedef struct {
  mjtNum alpha, cost, d1, d2;
} Point;

typedef struct {
  const Ray* ray;
  mjtNum quadratic[3];  // everything that is quadratic on the whole ray: Gauss term, equalities
  int neval;
} Search;

Ray ray_make(mjData* d, const Rows* rows, const mjtNum* jar) {
  Ray ray = {.rows = rows, .jar = jar};
  int n = SIMD_PADDED(rows->nefc), first = rows->ne + rows->nf;
  ray.Jv = mj_stackAllocByte(d, n * sizeof(mjtNum), 64);
  ray.D_free = mj_stackAllocByte(d, n * sizeof(mjtNum), 64);
  ray.first_free = first / SIMD_N * SIMD_N;
  memset(ray.Jv + rows->nefc, 0, (n - rows->nefc) * sizeof(mjtNum));
  memset(ray.D_free, 0, n * sizeof(mjtNum));
  memcpy(ray.D_free + first, rows->D + first, (rows->nefc - first) * sizeof(mjtNum));
  if (rows->elliptic) {
    ray.cone = mj_stackAllocInt(d, rows->nefc);
    for (int i = first; i < rows->nefc; i += rows_block(rows, i)) {
      if (rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
        ray.cone[ray.ncone++] = i;
        memset(ray.D_free + i, 0, rows_block(rows, i) * sizeof(mjtNum));
      }
    }
  }
  return ray;
}

// rows that are quadratic where x = jar + alpha Jv is below zero
KERNEL
static void add_free(Point* point, const mjtNum* jar, const mjtNum* Jv, const mjtNum* D, int n) {
  SimdN cost = {0}, d1 = {0}, d2 = {0};
  const SimdN zero = {0};
  for (int i = 0; i < n; i += SIMD_N) {
    SimdN v = SIMD_READ(SimdN, Jv + i);
    SimdN x = SIMD_READ(SimdN, jar + i) + point->alpha * v;
    __typeof__(x < zero) below = x < zero;
    SimdN stiffness = (SimdN)(below & (__typeof__(below))SIMD_READ(SimdN, D + i));
    SimdN pull = stiffness * x, push = stiffness * v;
    cost += pull * x;
    d1 += pull * v;
    d2 += push * v;
  }
  point->cost += simdn_sum(&cost) / 2;
  point->d1 += simdn_sum(&d1);
  point->d2 += simdn_sum(&d2);
}

static void add_quadratic(Point* point, mjtNum D, mjtNum x, mjtNum v) {
  point->cost += D * x * x / 2;
  point->d1 += D * x * v;
  point->d2 += D * v * v;
}

static void add_frictionloss(Point* point, const Rows* rows, const Ray* ray) {
  for (int i = rows->ne; i < rows->ne + rows->nf; i++) {
    mjtNum eta = rows->frictionloss[i], bound = rows->R[i] * eta, v = ray->Jv[i];
    mjtNum x = ray->jar[i] + point->alpha * v;
    int state = frictionloss_state(x, bound);
    if (state == mjCNSTRSTATE_QUADRATIC) {
      add_quadratic(point, rows->D[i], x, v);
    } else {
      mjtNum slope = state == mjCNSTRSTATE_LINEARPOS ? eta : -eta;
      point->cost += slope * x - bound * eta / 2;
      point->d1 += slope * v;
    }
  }
}

// middle zone: cost = Dm (N - mu T)^2 / 2, T = |U + alpha V|
static void add_cone(Point* point, const Rows* rows, const Ray* ray, int row) {
  const mjContact* contact = rows->contact + rows->id[row];
  const mjtNum *jar = ray->jar + row, *Jv = ray->Jv + row;
  mjtNum mu = contact->mu, x[6], square = 0, UV = 0, VV = 0;
  for (int j = 0; j < contact->dim; j++) {
    x[j] = jar[j] + point->alpha * Jv[j];
    if (j) {
      mjtNum U = contact->friction[j - 1] * x[j], V = contact->friction[j - 1] * Jv[j];
      square += U * U;
      UV += U * V;
      VV += V * V;
    }
  }
  mjtNum N = mu * x[0], T = mju_sqrt(square);
  int zone = cone_zone(N, T, mu);
  if (zone == mjCNSTRSTATE_QUADRATIC) {
    for (int j = 0; j < contact->dim; j++) {
      add_quadratic(point, rows->D[row + j], x[j], Jv[j]);
    }
  } else if (zone == mjCNSTRSTATE_CONE) {
    mjtNum Dm = cone_stiffness(rows->D[row], mu), gap = N - mu * T;
    mjtNum T1 = UV / T, T2 = VV / T - UV * T1 / (T * T), gap1 = mu * Jv[0] - mu * T1;
    point->cost += Dm * gap * gap / 2;
    point->d1 += Dm * gap * gap1;
    point->d2 += Dm * (gap1 * gap1 - mu * gap * T2);
  }
}

static Point evaluate(Search* search, mjtNum alpha) {
  const Ray* ray = search->ray;
  const Rows* rows = ray->rows;
  const mjtNum* q = search->quadratic;
  Point point = {alpha, q[0] + alpha * (q[1] + alpha * q[2]), q[1] + 2 * alpha * q[2], 2 * q[2]};
  add_frictionloss(&point, rows, ray);
  int from = ray->first_free;
  add_free(&point, ray->jar + from, ray->Jv + from, ray->D_free + from,
           SIMD_PADDED(rows->nefc) - from);
  for (int i = 0; i < ray->ncone; i++) {
    add_cone(&point, rows, ray, ray->cone[i]);
  }
  if (point.d2 <= 0) {
    mju_warning("Linesearch objective is not convex");
    point.d2 = mjMINVAL;
  }
  search->neval++;
  return point;
}

static Point newton_point(Search* search, const Point* from) {
  return evaluate(search, from->alpha - from->d1 / from->d2);
}

static RayResult result(const Search* search, const Point* point) {
  return (RayResult){point->alpha, mju_abs(point->d1), search->neval};
}

// Tightens one end of a bracket: the candidate nearest the root on the end's side of it. Then next
// is its Newton point.
static int tighten(Search* search, Point* end, Point* next, const Point candidate[3]) {
  int moved = 0;
  for (int i = 0; i < 3; i++) {
    mjtNum d1 = candidate[i].d1;
    if (end->d1 < 0 ? (d1 < 0 && d1 > end->d1) : (end->d1 > 0 && d1 > 0 && d1 < end->d1)) {
      *end = candidate[i];
      moved = 1;
    }
  }
  if (moved) {
    *next = newton_point(search, end);
  }
  return moved;
}

// x1 and x2 have slopes of opposite sign; y1, y2 are candidates for them
static RayResult bracket(Search* search, const Point* x0, Point x1, Point x2, mjtNum gtol,
                         int limit) {
  Point y1 = newton_point(search, &x1), y2 = x1;
  while (search->neval < limit) {
    Point middle = evaluate(search, (x1.alpha + x2.alpha) / 2);
    const Point candidate[3] = {y1, y2, middle};
    const Point* best = NULL;
    for (int i = 0; i < 3; i++) {
      if (mju_abs(candidate[i].d1) < gtol && (!best || candidate[i].cost < best->cost)) {
        best = candidate + i;
      }
    }
    if (best) {
      return result(search, best);
    }
    int moved1 = tighten(search, &x1, &y1, candidate);
    int moved2 = tighten(search, &x2, &y2, candidate);
    if (!moved1 && !moved2) {
      return result(search, &middle);
    }
  }

  // out of evaluations: the better end, if it is better than not moving at all
  if (x1.cost <= x2.cost && x1.cost < x0->cost) {
    return result(search, &x1);
  }
  if (x2.cost <= x1.cost && x2.cost < x0->cost) {
    return result(search, &x2);
  }
  return (RayResult){0, mju_abs(x0->d1), search->neval};
}

RayResult ray_minimum(const Ray* ray, const mjtNum gauss[3], mjtNum gtol, int limit) {
  Search search = {.ray = ray, .quadratic = {gauss[0], gauss[1], gauss[2]}};
  for (int i = 0; i < ray->rows->ne; i++) {
    mjtNum D = ray->rows->D[i], x = ray->jar[i], v = ray->Jv[i];
    search.quadratic[0] += D * x * x / 2;
    search.quadratic[1] += D * x * v;
    search.quadratic[2] += D * v * v / 2;
  }

  Point x0 = evaluate(&search, 0), x1 = newton_point(&search, &x0);
  if (x0.cost < x1.cost) {
    x1 = x0;
  }
  if (mju_abs(x1.d1) < gtol) {
    return result(&search, &x1);
  }

  // step along the descent until the slope changes sign
  mjtNum direction = x1.d1 < 0 ? 1 : -1;
  Point x2 = x1;
  while (direction * x1.d1 <= -gtol && search.neval < limit) {
    x2 = x1;
    x1 = newton_point(&search, &x1);
    if (mju_abs(x1.d1) < gtol) {
      return result(&search, &x1);
    }
  }
  if (search.neval >= limit) {
    return result(&search, &x1);
  }
  return bracket(&search, &x0, x1, x2, gtol, limit);
}
