// Derivatives of a step and of inverse dynamics by finite differences.
//                                                    theory/time/derivatives.md, Finite differences
//
//   dy/dx_j = (y(x + eps e_j) - y(x)) / eps    or    (y(x + eps e_j) - y(x - eps e_j)) / (2 eps)
//
// Every evaluation starts from the same state, warm start included, so a column depends on its own
// nudge only. Stages that an input can't change are not computed again:
//
//   control, activation, acceleration    the stages of position and velocity are reused
//   velocity                             the stage of position is reused
//   position                             all are computed
//
// Inputs are processed in this order, because the stages reused must be those of the unperturbed
// point. Columns of one input are shared out among the threads of a pool. The last one is always
// evaluated in d itself, which so ends in the same state.

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/model.h>
#include <mujoco/api/sensor.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>
#include <string.h>

#include "collision/pair_cache.h"
#include "constraint/law/cache.h"
#include "model/checks/pair.h"
#include "model/data/arena.h"
#include "sensor/sensor.h"
#include "step/integrate.h"
#include "step/replicas.h"

enum {
  MAX_OUTPUTS = 3
};

typedef struct Difference_ {
  const mjModel* m;
  mjData* d;
  void (*evaluate)(struct Difference_* f, mjtNum* y, int skipstage);  // y(x) for the x in d
  mjtNum eps;
  int centered, actuation;
  unsigned int saved;         // parts of the state that an evaluation may change
  int nq, nv;                 // sizes of qpos and its tangent at the start of y; 0 if y has none
  int ny;                     // numbers of y behind the positions
  int nsensor, nM;            // how many of the ny are sensors and entries of the inertia matrix
  int is_M;                   // are those entries of M, not of qM
  mjtNum* state;              // state at the unperturbed point
  mjtNum *at, *plus, *minus;  // y at that point, at x + eps e_j and at x - eps e_j
  mjtNum* slope;              // dy/dx_j, nv + ny
  mjtNum* unit;               // scratch for e_j, zero between uses (m->nv)
  mjtNum* warmstart;          // qacc_warmstart as it was on entry
  size_t point;               // top of the stack before the caches
  Replicas replicas;
  struct Difference_* beside;  // of each replica; NULL: none
} Difference;

typedef enum InputKind_ {
  BY_CONTROL,
  BY_ACTIVATION,
  BY_VELOCITY,
  BY_POSITION,
  BY_ACCELERATION
} InputKind;

// An input: n numbers, its first column, and the stages that it doesn't change.
typedef struct Input_ {
  InputKind kind;
  int n, first, skipstage;
} InputColumns;

// An output of n numbers of dy/dx_j: out[row i + column j]; out is NULL if not wanted.
typedef struct Output_ {
  mjtNum* out;
  int n, row, column;
} Output;

// one column

// The numbers of an input; NULL: positions.
static mjtNum* numbers_of(const mjData* d, InputKind kind) {
  mjtNum* const numbers[] = {[BY_CONTROL] = d->ctrl,
                             [BY_ACTIVATION] = d->act,
                             [BY_VELOCITY] = d->qvel,
                             [BY_POSITION] = NULL,
                             [BY_ACCELERATION] = d->qacc};
  return numbers[kind];
}

static void nudge(Difference* f, mjtNum* x, int j, mjtNum by) {
  if (x) {
    x[j] += by;
  } else {
    f->unit[j] = 1;
    mj_integratePos(f->m, f->d->qpos, f->unit, by);
    f->unit[j] = 0;
  }
}

// y = y(x + by e_j)
static void evaluate_beside(mjtNum* y, Difference* f, const InputColumns* input, int j, mjtNum by) {
  mjtNum *numbers = numbers_of(f->d, input->kind), x = numbers ? numbers[j] : 0;
  nudge(f, numbers, j, by);
  f->evaluate(f, y, input->skipstage);
  mj_setState(f->m, f->d, f->state, f->saved);
  if (numbers) {
    numbers[j] = x;
  }
}

// slope = (y2 - y1) / h. For positions, it is the velocity that leads from y1 to y2 in time h.
static void divide(Difference* f, const mjtNum* y1, const mjtNum* y2, mjtNum h) {
  if (f->nq) {
    mj_differentiatePos(f->m, f->slope, h, y1, y2);
  }
  for (int i = 0; i < f->ny; i++) {
    f->slope[f->nv + i] = (y2[f->nq + i] - y1[f->nq + i]) / h;
  }
}

// Whether control j may be nudged by `by`: a clamped control must stay in its range.
static int is_free(const Difference* f, int j, mjtNum by) {
  const mjtNum* range = f->m->actuator_ctrlrange + 2 * j;
  mjtNum u = f->d->ctrl[j];
  return !f->m->actuator_ctrllimited[j] || (f->m->opt.disableflags & mjDSBL_CLAMPCTRL) ||
         (range[0] <= u && u <= range[1] && range[0] <= u + by && u + by <= range[1]);
}

// slope = (y(x + eps e_j) - y(x)) / eps, or the centered difference. A control at an end of its
// range is nudged inwards only. A control outside of its range has no effect.
static void differentiate_one(Difference* f, const InputColumns* input, int j) {
  int is_control = input->kind == BY_CONTROL, forward = !is_control || is_free(f, j, f->eps);
  int backward = (f->centered || !forward) && (!is_control || is_free(f, j, -f->eps));
  if (!forward && !backward) {
    mju_zero(f->slope, f->nv + f->ny);
    return;
  }
  if (forward) {
    evaluate_beside(f->plus, f, input, j, f->eps);
  }
  if (backward) {
    evaluate_beside(f->minus, f, input, j, -f->eps);
  }
  divide(f, backward ? f->minus : f->at, forward ? f->plus : f->at,
         f->eps * (mjtNum)(forward + backward));
}

static int is_wanted(const Output output[MAX_OUTPUTS]) {
  int wanted = 0;
  for (int p = 0; p < MAX_OUTPUTS; p++) {
    wanted |= output[p].out && output[p].n;
  }
  return wanted;
}

// Column j of an input.
static void differentiate_column(Difference* f, const InputColumns* input, int j,
                                 const Output output[MAX_OUTPUTS]) {
  const mjtNum* slope = f->slope;
  differentiate_one(f, input, j);
  for (const Output* p = output; p < output + MAX_OUTPUTS; slope += p++->n) {
    size_t column = (size_t)p->column * (size_t)(input->first + j);
    for (int i = 0; p->out && i < p->n; i++) {
      p->out[(size_t)p->row * (size_t)i + column] = slope[i];
    }
  }
}

typedef struct SharedColumns_ {
  Difference* f;
  const InputColumns* input;
  const Output* output;
} SharedColumns;

static void differentiate_beside(void* argument, int thread, int j) {
  const SharedColumns* s = argument;
  differentiate_column(thread ? s->f->beside + thread - 1 : s->f, s->input, j, s->output);
}

// All columns of an input, unless no output wants them.
static void differentiate(Difference* f, InputColumns input, const Output output[MAX_OUTPUTS]) {
  int columns = is_wanted(output) ? input.n : 0, begin = 0;
  SharedColumns shared = {f, &input, output};
  if (f->beside && columns > 2) {
    if (replicas_run(&f->replicas, columns - 1, differentiate_beside, &shared)) {
      begin = columns - 1;
    } else {
      replicas_free(&f->replicas);
      f->beside = NULL;
    }
  }
  for (int j = begin; j < columns; j++) {
    differentiate_column(f, &input, j, output);
  }
}

// Columns of positions. With two bodies or more, most bodies don't move in a column. So their
// contacts are cached at the poses of the unperturbed point, where the last evaluation was.
static void differentiate_positions(Difference* f, const Output output[MAX_OUTPUTS]) {
  const mjModel* m = f->m;
  mjData* d = f->d;
  size_t top = d->pstack;
  int is_cached = m->nbody > 2 && is_wanted(output);
  for (int i = 0; is_cached && i < f->replicas.n; i++) {
    pair_cache_open(m, f->replicas.copy[i]);
  }
  if (is_cached) {
    pair_cache_open(m, d);
  }
  differentiate(f, (InputColumns){BY_POSITION, m->nv, 0, mjSTAGE_NONE}, output);
  pair_cache_close(d);
  arena_pop(d, top);
}

// evaluations and the public functions

// The stages to skip for a column of velocity: the position stage, unless a sensor of that stage
// measures kinetic energy, or contacts follow from velocities.
static int skip_for_velocity(const Difference* f) {
  int measured = f->nsensor && sensor_exists(f->m, mjSENS_E_KINETIC);
  int foreseen = (f->m->opt.enableflags & mjENBL_SPECULATIVE) != 0;
  return measured || foreseen ? mjSTAGE_NONE : mjSTAGE_POS;
}

// The parts of the state that an evaluation may change: the integrated ones and the warm start.
// Plugins and callbacks may change more.
static unsigned int parts_changed(const mjModel* m) {
  int others = m->nplugin || mjcb_control || mjcb_passive || mjcb_sensor || mjcb_contactfilter;
  unsigned int later = mjSTATE_HISTORY | mjSTATE_PLASTIC;
  return later | (others ? mjSTATE_INTEGRATION : mjSTATE_FULLPHYSICS | mjSTATE_WARMSTART);
}

// The arrays of an evaluation that every thread has for itself: plus, minus, slope, unit.
static size_t scratch_size(const Difference* f) {
  size_t y = (size_t)f->nq + (size_t)f->ny;
  return 2 * y + (size_t)(f->nv + f->ny + f->m->nv);
}

static void place_scratch(Difference* f, mjtNum* at) {
  size_t y = (size_t)f->nq + (size_t)f->ny;
  f->plus = at;
  f->minus = f->plus + y;
  f->slope = f->minus + y;
  f->unit = f->slope + f->nv + f->ny;
  mju_zero(f->unit, f->m->nv);
}

// Allocates all arrays, saves the point and evaluates y there; 0 after an error.
static int begin(Difference* f, const char* function) {
  const mjModel* m = f->m;
  mjData* d = f->d;
  if (m->opt.enableflags & mjENBL_SLEEP) {
    mju_error("%s: evaluations would put trees to sleep and wake them: disable the flag sleep",
              function);
    return 0;
  }
  if (!isfinite(f->eps) || f->eps == 0) {
    mju_error("%s: eps is %g, must be finite and not zero", function, (double)f->eps);
    return 0;
  }
  f->saved = parts_changed(m);
  size_t state = (size_t)mj_stateSize(m, f->saved), y = (size_t)f->nq + (size_t)f->ny;
  size_t numbers = state + y + scratch_size(f) + (size_t)m->nv;
  size_t bytes = numbers * sizeof(mjtNum);
  f->state = arena_push(d, bytes, _Alignof(mjtNum));
  if (!f->state) {
    mju_error("%s: out of memory, stack overflow: %zu bytes do not fit into the arena of %zu",
              function, bytes, (size_t)d->narena);
    return 0;
  }
  f->at = f->state + state;
  f->warmstart = f->at + y;
  place_scratch(f, f->warmstart + m->nv);
  mju_copy(f->warmstart, d->qacc_warmstart, m->nv);
  mj_getState(m, d, f->state, f->saved);
  f->evaluate(f, f->at, mjSTAGE_NONE);
  mj_setState(m, d, f->state, f->saved);
  return 1;
}

// Makes replicas of d as it is, at the unperturbed point.
static void begin_beside(Difference* f) {
  mjData* d = f->d;
  if (!d->threadpool) {
    return;
  }
  f->replicas = replicas_make(f->m, d);
  f->beside = f->replicas.n
                  ? arena_push(d, (size_t)f->replicas.n * sizeof(Difference), _Alignof(Difference))
                  : NULL;
  for (int i = 0; f->beside && i < f->replicas.n; i++) {
    Difference* g = f->beside + i;
    *g = *f;
    g->d = f->replicas.copy[i];
    mjtNum* scratch = arena_push(g->d, scratch_size(f) * sizeof(mjtNum), _Alignof(mjtNum));
    if (!scratch) {
      f->beside = NULL;
      break;
    }
    place_scratch(g, scratch);
  }
}

// y = (qpos, qvel, act) after a step, and the sensors before it
static void evaluate_step(Difference* f, mjtNum* y, int skipstage) {
  const mjModel* m = f->m;
  mjData* d = f->d;
  int integrator = m->opt.integrator;
  // Runge-Kutta's later stages overwrite what the next evaluation could reuse
  int skip = integrator == mjINT_RK4 ? mjSTAGE_NONE : skipstage;
  mj_forwardSkip(m, d, skip, !f->nsensor);
  integrate(m, d, integrator, skip);
  mju_copy(y, d->qpos, m->nq);
  mju_copy(y += m->nq, d->qvel, m->nv);
  mju_copy(y += m->nv, d->act, m->na);
  mju_copy(y + m->na, d->sensordata, f->nsensor);
}

static void open_cache(Difference* f) {
  f->point = f->d->pstack;
  solver_cache_open(f->m, f->d);
}

static void close_cache(Difference* f) {
  solver_cache_close(f->d);
  arena_pop(f->d, f->point);
}

// If Newton's method has converged at the unperturbed point, all evaluations start from that
// solution. Nudges are small, so one iteration is enough, and its remaining error cancels in
// differences.
static void start_at_solution(Difference* f) {
  const mjModel* m = f->m;
  mjData* d = f->d;
  int found = d->nefc && m->opt.solver == mjSOL_NEWTON;
  for (int i = 0; i < mjNISLAND; i++) {
    found &= d->solver_niter[i] < m->opt.iterations;
  }
  if (found && !(m->opt.disableflags & mjDSBL_WARMSTART)) {
    mju_copy(d->qacc_warmstart, d->qacc, m->nv);
    mj_getState(m, d, f->state, f->saved);
    f->evaluate(f, f->at, mjSTAGE_VEL);
    mj_setState(m, d, f->state, f->saved);
  }
}

void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A,
                      mjtNum* B, mjtNum* C, mjtNum* D) {
  check_pair(m, d);
  if (m->nhistory) {
    mju_error("mjd_transitionFD: past controls and sensors are no part of the state that it has");
    return;
  }
  int nv = m->nv, na = m->na, nu = m->nu, nx = 2 * nv + na, ns = C || D ? m->nsensordata : 0;
  Difference f = {.m = m, .d = d, .evaluate = evaluate_step, .eps = eps, .centered = flg_centered};
  f.nq = m->nq;
  f.nv = nv;
  f.ny = nv + na + ns;
  f.nsensor = ns;
  size_t top = d->pstack;
  if (!begin(&f, "mjd_transitionFD")) {
    return;
  }

  begin_beside(&f);
  open_cache(&f);
  start_at_solution(&f);
  for (int i = 0; f.beside && i < f.replicas.n; i++) {
    mj_setState(m, f.replicas.copy[i], f.state, f.saved);
    open_cache(f.beside + i);
  }
  const Output control[MAX_OUTPUTS] = {{B, nx, nu, 1}, {D, ns, nu, 1}};
  const Output state[MAX_OUTPUTS] = {{A, nx, nx, 1}, {C, ns, nx, 1}};
  differentiate(&f, (InputColumns){BY_CONTROL, nu, 0, mjSTAGE_VEL}, control);
  differentiate(&f, (InputColumns){BY_ACTIVATION, na, 2 * nv, mjSTAGE_VEL}, state);
  differentiate(&f, (InputColumns){BY_VELOCITY, nv, nv, skip_for_velocity(&f)}, state);
  close_cache(&f);
  for (int i = 0; f.beside && i < f.replicas.n; i++) {
    close_cache(f.beside + i);
  }
  differentiate_positions(&f, state);
  replicas_free(&f.replicas);
  mju_copy(d->qacc_warmstart, f.warmstart, nv);
  arena_pop(d, top);
}

// y = (force, sensors, M). Actuators come before the sensors that measure their forces.
static void evaluate_inverse(Difference* f, mjtNum* y, int skipstage) {
  const mjModel* m = f->m;
  mjData* d = f->d;
  if (skipstage < mjSTAGE_POS) {
    mj_invPosition(m, d);
    if (f->nsensor) {
      mj_sensorPos(m, d);
    }
  }
  if (skipstage < mjSTAGE_VEL) {
    mj_invVelocity(m, d);
    if (f->nsensor) {
      mj_sensorVel(m, d);
    }
    if (f->actuation) {
      mj_fwdActuation(m, d);
    }
  }
  mj_inverseSkip(m, d, mjSTAGE_VEL, !f->nsensor);
  mju_copy(y, d->qfrc_inverse, m->nv);
  if (f->actuation) {
    mju_subFrom(y, d->qfrc_actuator, m->nv);
  }
  mju_copy(y += m->nv, d->sensordata, f->nsensor);
  mju_copy(y + f->nsensor, f->is_M ? d->M : d->qM, f->nM);
}

// Both functions below; DmDq is of M if is_M is set, else of qM.
static void differentiate_inverse(const mjModel* m, mjData* d, mjtNum eps, int actuation, int is_M,
                                  mjtNum* DfDq, mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq,
                                  mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq) {
  if (m->opt.noslip_iterations > 0) {
    mju_error("mjd_inverseFD: the noslip solver has no inverse");
    return;
  }
  if (m->opt.integrator == mjINT_RK4 && (m->opt.enableflags & mjENBL_INVDISCRETE)) {
    mju_error("mjd_inverseFD: Runge-Kutta has no inverse in discrete time");
    return;
  }
  int nv = m->nv, ns = DsDq || DsDv || DsDa ? m->nsensordata : 0;
  int nM = !DmDq ? 0 : is_M ? m->nC : m->nM;
  Difference f = {.m = m, .d = d, .evaluate = evaluate_inverse, .eps = eps};
  f.actuation = actuation;
  f.ny = nv + ns + nM;
  f.nsensor = ns;
  f.nM = nM;
  f.is_M = is_M;
  size_t top = d->pstack;
  if (!begin(&f, "mjd_inverseFD")) {
    return;
  }
  const Output by_acceleration[MAX_OUTPUTS] = {{DfDa, nv, 1, nv}, {DsDa, ns, 1, ns}};
  const Output by_velocity[MAX_OUTPUTS] = {{DfDv, nv, 1, nv}, {DsDv, ns, 1, ns}};
  const Output by_position[MAX_OUTPUTS] = {{DfDq, nv, 1, nv}, {DsDq, ns, 1, ns}, {DmDq, nM, 1, nM}};
  begin_beside(&f);
  differentiate(&f, (InputColumns){BY_ACCELERATION, nv, 0, mjSTAGE_VEL}, by_acceleration);
  differentiate(&f, (InputColumns){BY_VELOCITY, nv, 0, skip_for_velocity(&f)}, by_velocity);
  differentiate_positions(&f, by_position);
  replicas_free(&f.replicas);
  arena_pop(d, top);
}

void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq,
                   mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa,
                   mjtNum* DmDq) {
  check_pair(m, d);
  differentiate_inverse(m, d, eps, flg_actuation, 0, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq);
}

void cnd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq,
                   mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa,
                   mjtNum* DmDq) {
  check_pair(m, d);
  differentiate_inverse(m, d, eps, flg_actuation, 1, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq);
}
