// Newton's step: the laws that apply at the moment give linear equations for the changes of forces.

#include "constraint/hard/newton.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/dense_solve.h"
#include "base/simd.h"
#include "base/vec.h"

// Bounds of the regularization, relative to the diagonal of K. Between them it equals the residual,
// so that steps become exact near a solution. More would slow convergence, less would amplify
// rounding.
#define PROXIMAL_MOST ((mjtNum)1e-7)
#define PROXIMAL_LEAST ((mjtNum)1e-12)

void linear_gather(mjtNum* A, int ld, const int* place, const HardProblem* p, const int* list,
                   int nlist) {
  const HardMatrix* K = p->K;
  for (int l = 0; l < nlist; l++) {
    int i = list[l];
    const HardBlock* block = p->block + i;
    for (int c = 0; c < block->dim; c++) {
      int to = place[block->first + c];
      const mjtNum* column = K->value + K->adr[i] + (int64_t)c * K->length[i];
      for (int k = K->runadr[i]; to >= 0 && k < K->runadr[i + 1]; k++) {
        // K is symmetric, so its column is row `to` of A
        for (int r = 0; r < K->run[k].n; r++) {
          int from = place[K->run[k].first + r];
          if (from >= 0) {
            A[(size_t)to * ld + from] = column[r];
          }
        }
        column += K->run[k].n;
      }
    }
  }
}

int linear_solve(mjtNum* A, int ld, mjtNum* x, int n) {
  int is_solved = pivoted_solve(x, A, n, 1, 1, ld, mjMINVAL);
  for (int i = 0; i < n; i++) {
    is_solved &= isfinite(x[i]) != 0;
  }
  return is_solved;
}

// Contact state of a block. FIXED (open or at its bound) has no rows in the system.
typedef enum {
  FIXED = 0,
  STICKS,
  SLIDES
} Motion;

// The equations: n unknowns, the changes of forces at rows row[i] of the problem.
typedef struct {
  int n;
  int* row;
  int* place;  // unknown of each row of the problem, -1 if it has none
  mjtNum* A;   // n x ld
  int ld;
  mjtNum* x;  // right-hand side, then solution
  mjtNum proximal;
} Equations;

static Motion motion_of(const HardProblem* p, int i) {
  const HardBlock* block = p->block + i;
  const mjtNum *f = p->f + block->first, *w = p->w + block->first;
  mjtNum ft = 0, wt = 0;
  switch (block->law) {
    case HARD_FREE:
      return STICKS;
    case HARD_BOUND:
      return mju_abs(f[0]) < block->bound ? STICKS : FIXED;
    case HARD_PUSH:
      return f[0] > 0 ? STICKS : FIXED;
    default:
      break;
  }
  if (!(f[0] > 0)) {
    return FIXED;
  }
  for (int r = 1; r < block->dim; r++) {
    ft += f[r] * f[r];
    wt += w[r] * w[r];
  }
  const mjtNum inside = 1 - (mjtNum)1e-9;
  return ft < inside * f[0] * f[0] || wt == 0 ? STICKS : SLIDES;
}

// Which rows take part. Returns 0 if there are none, or too many.
static int choose_rows(Equations* e, const HardProblem* p, const int* list, int nlist) {
  e->n = 0;
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    int moves = motion_of(p, list[l]) != FIXED;
    for (int r = 0; r < block->dim; r++) {
      int row = block->first + r;
      int mobile = p->weight[row] > 0;
      e->place[row] = -1;
      if (moves && mobile) {
        if (e->n == NEWTON_MOST_ROWS) {
          return 0;
        }
        e->place[row] = e->n;
        e->row[e->n++] = row;
      }
    }
  }
  return e->n > 0;
}

// Replaces the tangent rows of a sliding contact, which hold K so far.
static void slide_rows(Equations* e, const HardProblem* p, int i) {
  const HardBlock* block = p->block + i;
  const mjtNum *f = p->f + block->first, *w = p->w + block->first;
  int n = e->n, dim = block->dim;
  mjtNum speed = 0, along[6], sum;
  for (int r = 1; r < dim; r++) {
    speed += w[r] * w[r];
  }
  speed = mju_sqrt(speed);
  for (int r = 1; r < dim; r++) {
    along[r] = w[r] / speed;
  }

  // column by column: rows r become f_n / |w_t| (row_r - along_r along . rows)
  const int* place = e->place + block->first;
  for (int c = 0; c < n; c++) {
    sum = 0;
    for (int r = 1; r < dim; r++) {
      sum += place[r] >= 0 ? along[r] * e->A[(size_t)place[r] * e->ld + c] : 0;
    }
    for (int r = 1; r < dim; r++) {
      if (place[r] >= 0) {
        mjtNum* a = e->A + (size_t)place[r] * e->ld + c;
        *a = f[0] / speed * (*a - along[r] * sum);
      }
    }
  }
  for (int r = 1; r < dim; r++) {
    if (place[r] >= 0) {
      mjtNum* row = e->A + (size_t)place[r] * e->ld;
      row[place[r]] += 1;
      if (place[0] >= 0) {
        row[place[0]] += along[r];
      }
      e->x[place[r]] = -(f[r] + f[0] * along[r]);
    }
  }
}

// Rows of w = 0, in units of force.
static void stick_row(Equations* e, const HardProblem* p, int row, mjtNum diagonal) {
  mjtNum* a = e->A + (size_t)e->place[row] * e->ld;
  a[e->place[row]] += e->proximal * diagonal;
  for (int c = 0; c < e->n; c++) {
    a[c] /= diagonal;
  }
  e->x[e->place[row]] = -p->w[row] / diagonal;
}

static void make_equations(Equations* e, const HardProblem* p, const int* list, int nlist) {
  memset(e->A, 0, (size_t)e->n * e->ld * sizeof(mjtNum));
  linear_gather(e->A, e->ld, e->place, p, list, nlist);
  for (int l = 0; l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    Motion motion = motion_of(p, list[l]);
    if (motion == SLIDES) {
      slide_rows(e, p, list[l]);
    }
    for (int r = 0; r < (motion == SLIDES ? 1 : block->dim); r++) {
      if (e->place[block->first + r] >= 0) {
        stick_row(e, p, block->first + r, matrix_diagonal(p->K, list[l], r, r));
      }
    }
  }
}

// v = 0 where it sticks; v_n = 0 and f_t + f_n v_t / |v_t| = 0, linearized, where it slides
int newton_step(HardProblem* p, const int* list, int nlist, mjtNum residual) {
  mjData* d = p->d;
  mj_markStack(d);
  Equations e = {.row = mj_stackAllocInt(d, NEWTON_MOST_ROWS),
                 .place = mj_stackAllocInt(d, p->nrow),
                 .proximal = num_clamp(residual, PROXIMAL_LEAST, PROXIMAL_MOST)};
  for (int i = 0; i < p->nrow; i++) {
    e.place[i] = -1;
  }
  int done = choose_rows(&e, p, list, nlist);
  if (done) {
    e.ld = SIMD_PADDED(e.n);
    e.A = mj_stackAllocByte(d, (size_t)e.n * e.ld * sizeof(mjtNum), 64);
    e.x = mj_stackAllocNum(d, e.n);
    make_equations(&e, p, list, nlist);
    done = linear_solve(e.A, e.ld, e.x, e.n);
  }
  for (int l = 0; done && l < nlist; l++) {
    const HardBlock* block = p->block + list[l];
    mjtNum change[6], *f = p->f + block->first;
    for (int r = 0; r < block->dim; r++) {
      int place = e.place[block->first + r];
      change[r] = place >= 0 ? e.x[place] : 0;
      f[r] += change[r];
    }
    matrix_add(p->w, p->K, list[l], change, block->dim);
  }
  mj_freeStack(d);
  return done;
}
