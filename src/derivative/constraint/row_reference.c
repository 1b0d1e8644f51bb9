// Derivatives of aref and R of one row. With N = B w + K I (r + h w), aref = -N / s,
//
//   d(-aref)/dw = (B + h K I) / s
//   d(-aref)/dr = (N_r - N s_r / s) / s = alpha + beta w
//
//   alpha = (K I + r (K I)_r - r K I s_r / s) / s     beta = (B_r + h (K I)_r) / s^2
//   s_r = h (B_r + h (K I)_r)
//   sigma = - d log R / dr = I_r / (I (1 - I)) + s_r / s
//
// Where the step resolves the spring, K I = 1/h^2 is constant and B depends on I; else B and K are
// constant. Where R is that of the stiffest row, sigma is 0.

#include "derivative/constraint/row_reference.h"

#include "base/algebra/vec.h"
#include "constraint/rows/resolve.h"
#include "model/options.h"

// The numbers above of one row.
typedef struct {
  mjtNum h, s, by_residual;  // by_residual: s_r
  mjtNum pull, by_pull;      // K I, (K I)_r
  mjtNum damping, by_damping;
} Reference;

// first: the first row of the constraint, which has its impedance.
static Reference reference_of(const mjModel* m, const mjData* d, int row, int first) {
  const mjtNum *KBIP = d->efc_KBIP + 4 * (size_t)row, K = KBIP[0], I = KBIP[2];
  Reference out = {.s = 1, .pull = K * I, .damping = KBIP[1], .by_pull = K * KBIP[3]};
  if (!options_is_discrete(m)) {
    return out;
  }
  mjtNum slope;
  out.h = m->opt.timestep;
  out.s = 1 + out.h * out.damping + out.h * out.h * out.pull;
  if (rows_is_resolved(&slope, m, d, row, first)) {
    out.by_pull = 0;
    out.by_damping = slope * KBIP[3];
  }
  out.by_residual = out.h * (out.by_damping + out.h * out.by_pull);
  return out;
}

mjtNum reference_damping_of(const mjModel* m, const mjData* d, int row) {
  const mjtNum* KBIP = d->efc_KBIP + 4 * (size_t)row;
  if (!options_is_discrete(m)) {
    return KBIP[1];
  }
  mjtNum h = m->opt.timestep, b = KBIP[1] + h * KBIP[0] * KBIP[2];
  return b / (1 + h * b);
}

static mjtNum spring_at_rest(const Reference* at, mjtNum r) {
  return (at->pull + r * (at->by_pull - at->pull * at->by_residual / at->s)) / at->s;
}

static mjtNum spring_by_velocity(const Reference* at) {
  return (at->by_damping + at->h * at->by_pull) / (at->s * at->s);
}

static mjtNum residual_of(const mjData* d, int row) {
  return d->efc_pos[row] - d->efc_margin[row];
}

mjtNum reference_spring_of(const mjModel* m, const mjData* d, int row) {
  Reference at = reference_of(m, d, row, row);
  return spring_at_rest(&at, residual_of(d, row)) +
         spring_by_velocity(&at) * (at.h != 0 ? d->efc_vel[row] : 0);
}

mjtNum reference_sigma_of(const mjModel* m, const mjData* d, int row) {
  const mjtNum *KBIP = d->efc_KBIP + 4 * (size_t)row, I = KBIP[2];
  mjtNum sigma = KBIP[3] / (I * (1 - I));
  if (!options_is_discrete(m)) {
    return sigma;
  }
  Reference at = reference_of(m, d, row, row);
  mjtNum most = (mjtNum)mjMAXIMP;
  int is_stiffest = 1 / at.s <= (1 - most) / most * I / (1 - I);
  return is_stiffest ? 0 : sigma + at.by_residual / at.s;
}

// Velocities of the rows of a contact along its directions; those of a pyramid are n + phi t and
// n - phi t.
static void velocity_along(mjtNum out[6], const mjData* d, const mjContact* con) {
  const mjtNum* vel = d->efc_vel + con->efc_address;
  if (d->efc_type[con->efc_address] != mjCNSTR_CONTACT_PYRAMIDAL) {
    mju_copy(out, vel, con->dim);
    return;
  }
  out[0] = (vel[0] + vel[1]) / 2;
  for (int k = 1; k < con->dim; k++) {
    out[k] = (vel[2 * k - 2] - vel[2 * k - 1]) / (2 * con->friction[k - 1]);
  }
}

void reference_springs(mjtNum spring[6], const mjModel* m, const mjData* d, const mjContact* con) {
  int row = con->efc_address;
  mjtNum velocity[6] = {0};
  Reference at = reference_of(m, d, row, row);
  mju_zero(spring, 6);
  spring[0] = spring_at_rest(&at, residual_of(d, row));
  if (at.by_residual == 0) {
    return;
  }
  int is_pyramid = d->efc_type[row] == mjCNSTR_CONTACT_PYRAMIDAL;
  velocity_along(velocity, d, con);
  for (int k = 0; k < con->dim; k++) {
    if (k && !is_pyramid) {
      at = reference_of(m, d, row + k, row);
    }
    spring[k] += spring_by_velocity(&at) * velocity[k];
  }
}

// moved_i = r_i + h w_i + h^2 aref_i: what is left of the residual at the end of the step
TieReference tie_reference(const mjModel* m, const mjData* d, int row, int nrow) {
  Reference at = reference_of(m, d, row, row);
  TieReference out = {.stiffness = d->efc_KBIP[4 * (size_t)row] / at.s};
  for (int i = 0; i < nrow; i++) {
    mjtNum r = d->efc_pos[row + i], w = at.h != 0 ? d->efc_vel[row + i] : 0;
    mjtNum aref = -(at.damping * w + at.pull * (r + at.h * w)) / at.s;
    out.moved[i] = r + at.h * (w + at.h * aref);
  }
  return out;
}
