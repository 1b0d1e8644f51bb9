// tasks.c: residuals of swinging up and of standing up, with their derivatives.
//
// All are functions of places, directions and joint coordinates, so their derivatives are Jacobians
// of the engine.

#include "tasks.h"

#include <stdio.h>
#include <string.h>

enum {
  MAX_DOF = 64
};

// Row i of the slope, by positions: the given row of a Jacobian.
static void put_row(mjtNum* slope, int i, const mjtNum* row, const mjModel* m) {
  mju_copy(slope + i * 2 * m->nv, row, m->nv);
}

static int add_velocities(mjtNum* residual, mjtNum* slope, int row, const mjModel* m,
                          const mjData* d) {
  for (int i = 0; i < m->nv; i++) {
    residual[row + i] = d->qvel[i];
    if (slope) {
      slope[(row + i) * 2 * m->nv + m->nv + i] = 1;
    }
  }
  return row + m->nv;
}

// ---- cart-pole

// the tip against its highest place, along x and z; the place of the cart; velocities
static void cart_pole_residual(mjtNum* residual, mjtNum* slope, const Task* task, const mjModel* m,
                               mjData* d) {
  int tip = task->parts[0];
  residual[0] = d->site_xpos[3 * tip];
  residual[1] = d->site_xpos[3 * tip + 2] - task->goals[0];
  residual[2] = d->qpos[0];
  if (slope) {
    mjtNum jacobian[3 * MAX_DOF];
    mj_jacSite(m, d, jacobian, NULL, tip);
    put_row(slope, 0, jacobian, m);
    put_row(slope, 1, jacobian + 2 * m->nv, m);
    slope[2 * 2 * m->nv] = 1;
  }
  add_velocities(residual, slope, 3, m, d);
}

int task_cartPole(Task* task, mjModel* m, mjData* d, char* error, int error_size) {
  memset(task, 0, sizeof *task);
  int tip = mj_name2id(m, mjOBJ_SITE, "tip");
  if (tip < 0 || m->nv != 2 || m->nq != 2) {
    snprintf(error, (size_t)error_size, "two joints and a site named tip are needed");
    return 0;
  }
  mj_resetData(m, d);
  mj_forward(m, d);
  task->residual = cart_pole_residual;
  task->parts[0] = tip;
  task->goals[0] = -d->site_xpos[3 * tip + 2];
  task->nresidual = 5;
  mjtNum running[] = {0.3, 1, 0.1, 0.01, 0.01}, final[] = {300, 300, 100, 30, 30};
  mju_copy(task->running, running, 5);
  mju_copy(task->final, final, 5);
  task->control = 0.02;
  task->horizon = 150;
  task->windows = 1;
  task->iterations = 200;
  task->start = 0.1;
  return 1;
}

// ---- humanoid

// parts of the humanoid, and what they are called
enum {
  HEAD,
  TORSO,
  PELVIS,
  RIGHT_FOOT,
  LEFT_FOOT,
  NPART
};
static const struct {
  int type;
  const char *name, *other;
} PARTS[NPART] = {
    {mjOBJ_GEOM, "head", NULL},
    {mjOBJ_BODY, "torso", NULL},
    {mjOBJ_BODY, "pelvis", NULL},
    {mjOBJ_BODY, "right_foot", "foot_right"},
    {mjOBJ_BODY, "left_foot", "foot_left"},
};

// what the residuals are, and how much they count
enum {
  HEAD_HEIGHT,
  PELVIS_HEIGHT,
  TORSO_UP,
  PELVIS_UP = TORSO_UP + 3,
  FOOT_HEIGHT = PELVIS_UP + 3,
  FOOT_UP = FOOT_HEIGHT + 2,
  BALANCE = FOOT_UP + 6,
  POSTURE = BALANCE + 2,
};
static const struct {
  int first, count;
  mjtNum weight;
} WEIGHTS[] = {
    {HEAD_HEIGHT, 1, 4}, {PELVIS_HEIGHT, 1, 4}, {TORSO_UP, 3, 0.5}, {PELVIS_UP, 3, 0.5},
    {FOOT_HEIGHT, 2, 4}, {FOOT_UP, 6, 0.3},     {BALANCE, 2, 4},
};
static const mjtNum POSTURE_WEIGHT = 0.01, VELOCITY_WEIGHT = 0.002;

// the end of a window that moves on stands for all that follows, but is soon replaced
static const mjtNum FINAL_FACTOR = 3;

// the z axis of a body against that of the world
static void add_upright(mjtNum* residual, mjtNum* slope, int row, const mjModel* m, mjData* d,
                        int body) {
  mjtNum axis[3], jacobian[3 * MAX_DOF];
  for (int i = 0; i < 3; i++) {
    axis[i] = d->xmat[9 * body + 3 * i + 2];
    residual[row + i] = axis[i] - (i == 2);
  }
  if (slope) {
    mj_jacPointAxis(m, d, NULL, jacobian, d->xpos + 3 * body, axis, body);
    for (int i = 0; i < 3; i++) {
      put_row(slope, row + i, jacobian + i * m->nv, m);
    }
  }
}

static void add_height(mjtNum* residual, mjtNum* slope, int row, const mjModel* m, const mjData* d,
                       int body, const mjtNum place[3], mjtNum goal) {
  residual[row] = place[2] - goal;
  if (slope) {
    mjtNum jacobian[3 * MAX_DOF];
    mj_jac(m, d, jacobian, NULL, place, body);
    put_row(slope, row, jacobian + 2 * m->nv, m);
  }
}

// the center of mass above the middle of the feet
static void add_balance(mjtNum* residual, mjtNum* slope, const Task* task, const mjModel* m,
                        mjData* d) {
  const mjtNum* com = d->subtree_com + 3 * task->parts[TORSO];
  const mjtNum* right = d->xpos + 3 * task->parts[RIGHT_FOOT];
  const mjtNum* left = d->xpos + 3 * task->parts[LEFT_FOOT];
  for (int i = 0; i < 2; i++) {
    residual[BALANCE + i] = com[i] - (right[i] + left[i]) / 2;
  }
  if (slope) {
    mjtNum jacobian[3 * MAX_DOF], foot[3 * MAX_DOF];
    mj_jacSubtreeCom(m, d, jacobian, task->parts[TORSO]);
    for (int side = RIGHT_FOOT; side <= LEFT_FOOT; side++) {
      mj_jacBody(m, d, foot, NULL, task->parts[side]);
      mju_addToScl(jacobian, foot, -0.5, 2 * m->nv);
    }
    put_row(slope, BALANCE, jacobian, m);
    put_row(slope, BALANCE + 1, jacobian + m->nv, m);
  }
}

static void stand_up_residual(mjtNum* residual, mjtNum* slope, const Task* task, const mjModel* m,
                              mjData* d) {
  const int* parts = task->parts;
  add_height(residual, slope, HEAD_HEIGHT, m, d, m->geom_bodyid[parts[HEAD]],
             d->geom_xpos + 3 * parts[HEAD], task->goals[HEAD]);
  add_height(residual, slope, PELVIS_HEIGHT, m, d, parts[PELVIS], d->xpos + 3 * parts[PELVIS],
             task->goals[PELVIS]);
  add_upright(residual, slope, TORSO_UP, m, d, parts[TORSO]);
  add_upright(residual, slope, PELVIS_UP, m, d, parts[PELVIS]);
  for (int i = 0; i < 2; i++) {
    int foot = parts[RIGHT_FOOT + i];
    add_height(residual, slope, FOOT_HEIGHT + i, m, d, foot, d->xpos + 3 * foot,
               task->goals[RIGHT_FOOT + i]);
    add_upright(residual, slope, FOOT_UP + 3 * i, m, d, foot);
  }
  add_balance(residual, slope, task, m, d);

  // all joints but the free one, which is first, as in the standing pose
  for (int i = 6; i < m->nv; i++) {
    residual[POSTURE + i - 6] = d->qpos[i + 1] - m->qpos0[i + 1];
    if (slope) {
      slope[(POSTURE + i - 6) * 2 * m->nv + i] = 1;
    }
  }
  add_velocities(residual, slope, POSTURE + m->nv - 6, m, d);
}

static int find_parts(Task* task, const mjModel* m, char* error, int error_size) {
  for (int i = 0; i < NPART; i++) {
    const char* other = PARTS[i].other;
    int id = mj_name2id(m, PARTS[i].type, PARTS[i].name);
    task->parts[i] = id < 0 && other ? mj_name2id(m, PARTS[i].type, other) : id;
    if (task->parts[i] < 0) {
      snprintf(error, (size_t)error_size, "a %s named %s%s%s is needed",
               mju_type2Str(PARTS[i].type), PARTS[i].name, other ? " or " : "", other ? other : "");
      return 0;
    }
  }
  int scalar = m->njnt > 0 && m->jnt_type[0] == mjJNT_FREE && m->nv == m->nq - 1;
  if (!scalar || m->nv > MAX_DOF || POSTURE + 2 * m->nv - 6 > TASK_RESIDUALS) {
    snprintf(error, (size_t)error_size, "a free joint and at most %d scalar ones are needed",
             (TASK_RESIDUALS - POSTURE + 6) / 2 - 6);
    return 0;
  }
  return 1;
}

// Lying on the right side, after a second without controls.
static void lie_down(mjModel* m, mjData* d) {
  mj_resetData(m, d);
  const mjtNum side[4] = {0.70710678118654752, 0.70710678118654752, 0, 0};
  mju_copy4(d->qpos + 3, side);
  d->qpos[2] = 0.35;
  while (d->time < 1) {
    mj_step(m, d);
  }
  mju_zero(d->qvel, m->nv);
  d->time = 0;
  mj_forward(m, d);
}

int task_standUp(Task* task, mjModel* m, mjData* d, char* error, int error_size) {
  memset(task, 0, sizeof *task);
  if (!find_parts(task, m, error, error_size)) {
    return 0;
  }
  m->opt.timestep = 0.01;
  mj_resetData(m, d);
  mj_forward(m, d);

  // the soles of the standing pose on the floor
  const int* parts = task->parts;
  mjtNum gap = mjMAXVAL;
  for (int i = 0; i < m->ngeom; i++) {
    int body = m->geom_bodyid[i];
    if (body == parts[RIGHT_FOOT] || body == parts[LEFT_FOOT]) {
      gap = mju_min(gap, d->geom_xpos[3 * i + 2] - m->geom_size[3 * i]);
    }
  }
  task->goals[HEAD] = d->geom_xpos[3 * parts[HEAD] + 2] - gap;
  for (int i = PELVIS; i <= LEFT_FOOT; i++) {
    task->goals[i] = d->xpos[3 * parts[i] + 2] - gap;
  }
  int velocity = POSTURE + m->nv - 6;
  for (size_t i = 0; i < sizeof WEIGHTS / sizeof *WEIGHTS; i++) {
    mju_fill(task->running + WEIGHTS[i].first, WEIGHTS[i].weight, WEIGHTS[i].count);
  }
  mju_fill(task->running + POSTURE, POSTURE_WEIGHT, m->nv - 6);
  mju_fill(task->running + velocity, VELOCITY_WEIGHT, m->nv);
  mju_scl(task->final, task->running, FINAL_FACTOR, TASK_RESIDUALS);
  task->nresidual = velocity + m->nv;
  task->residual = stand_up_residual;
  task->control = 0.02;
  task->horizon = 60;
  task->windows = 300;
  task->stride = 2;
  task->iterations = 2;
  lie_down(m, d);
  return 1;
}

mjtNum task_height(const Task* task, const mjData* d) {
  int part = task->parts[0];
  mjtNum z = task->residual == cart_pole_residual ? d->site_xpos[3 * part + 2]
                                                  : d->geom_xpos[3 * part + 2];
  return z / task->goals[0];
}
