// variant.h: the functions of a variant, for a file of variant/ that has set LANES_BYTES, LANES_SINGLE
// and LANES_VARIED (see real.h). A file for registers that the compiler doesn't make stays empty.

#pragma once

#include "lanes/lanes.h"

#if LANES_BYTES == 16 || LANES_WIDE
#if LANES_BYTES == 64
#pragma GCC target("arch=x86-64-v4")
#elif LANES_BYTES == 32
#pragma GCC target("arch=x86-64-v3")
#endif

#include <string.h>

#include "lanes/body_forces.h"
#include "lanes/step.h"

static size_t variant_size(const LaneStructure* s) {
  Work work = {0};
  Layout at = {NULL, (sizeof(Work) + 63) / 64 * 64};
  place_work(&at, &work, s);
  return at.used;
}

static void* variant_make(void* block, const LaneStructure* s, mjData* d) {
  Work* w = block;
  Layout at = {block, (sizeof(Work) + 63) / 64 * 64};
  w->s = s;
  w->m = s->m;
  w->d = d;
  place_work(&at, w, s);
  return w;
}

static void variant_constants(void* work, int lane, const mjModel* m) {
  Work* w = work;
  constants_fill(&w->constants, lane, w->s, m);
  for (int l = 0; l < LANES; l++) {
    if (!LANES_VARIED || l == lane) {
      w->steplength[l] = (double)m->opt.timestep;
    }
  }
}

// pack and unpack                                                  theory/lanes.md, Gather, scatter

INLINE void load_lane(Real* to, int lane, const mjtNum* from, int n) {
  for (int i = 0; i < n; i++) {
    to[i][lane] = (Num)from[i];
  }
}

INLINE void store_lane(mjtNum* to, int lane, const Real* from, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = (mjtNum)from[i][lane];
  }
}

static void variant_ctrl(void* work, int lane, const mjtNum* ctrl) {
  Work* w = work;
  load_lane(w->ctrl, lane, ctrl, w->m->nu);
}

static void variant_load(void* work, int lane, const LaneRow* row) {
  Work* w = work;
  const mjModel* m = w->m;
  w->time[lane] = (double)*row->time;
  load_lane(w->qpos, lane, row->qpos, m->nq);
  load_lane(w->qvel, lane, row->qvel, m->nv);
  load_lane(w->act, lane, row->act, m->na);
  load_lane(w->ctrl, lane, row->ctrl, m->nu);
  load_lane(w->warm, lane, row->warm, m->nv);
  load_lane(w->applied, lane, row->applied, m->nv);
  for (int i = 0; i < m->neq; i++) {
    w->active[i][lane] = row->active[i] ? 1 : 0;
  }
  load_lane(w->mocap_pos, lane, row->mocap_pos, 3 * m->nmocap);
  load_lane(w->mocap_quat, lane, row->mocap_quat, 4 * m->nmocap);
  int n = 6 * m->nbody, pushed = 0;
  for (int i = 0; i < n; i++) {
    pushed |= row->xfrc[i] != 0;
  }
  w->pushed = pushed || (lane && w->pushed);
  load_lane(w->xfrc, lane, row->xfrc, n);
}

static void variant_store(const void* work, int lane, const LaneRow* row) {
  const Work* w = work;
  const mjModel* m = w->m;
  *row->time = (mjtNum)w->time[lane];
  store_lane(row->qpos, lane, w->qpos, m->nq);
  store_lane(row->qvel, lane, w->qvel, m->nv);
  store_lane(row->act, lane, w->act, m->na);
  if (row->warm) {
    store_lane(row->warm, lane, w->warm, m->nv);
  }
}

static void variant_step(void* work, int senses) {
  step(work, senses);
}

static unsigned variant_likeness(const void* work, int lane) {
  return contacts_likeness(work, lane);
}

static void variant_body_forces(void* work) {
  body_forces(work);
}

static unsigned variant_failed(void* work) {
  Work* w = work;
  unsigned failed = w->failed;
  w->failed = 0;
  return failed;
}

// Fields that are arrays of Reals.
static void read_reals(mjtNum* out, int lane, const void* from, int n) {
  store_lane(out, lane, from, n);
}

// qM: rows backwards, ancestors alone
static void read_qM(mjtNum* out, int lane, const Work* w) {
  for (int i = 0; i < w->m->nv; i++) {
    for (int j = i; j >= 0; j = w->m->dof_parentid[j]) {
      *out++ = (mjtNum)w->M[row_at(i) + j][lane];
    }
  }
}

static void variant_read(const void* work, int lane, LaneField field, mjtNum* out) {
  const Work* w = work;
  const mjModel* m = w->m;
  if (field == LANE_QM) {
    read_qM(out, lane, w);
    return;
  }
  const struct {
    const void* from;
    int n;
  } fields[NLANEFIELD] = {
      [LANE_XPOS] = {w->xpos, 3 * m->nbody},
      [LANE_XQUAT] = {w->xquat, 4 * m->nbody},
      [LANE_XMAT] = {w->xmat, 9 * m->nbody},
      [LANE_XIPOS] = {w->xipos, 3 * m->nbody},
      [LANE_CDOF] = {w->cdof, 6 * m->nv},
      [LANE_CINERT] = {w->cinert, 10 * m->nbody},
      [LANE_CRB] = {w->crb, 10 * m->nbody},
      [LANE_CVEL] = {w->cvel, 6 * m->nbody},
      [LANE_BIAS] = {w->bias, m->nv},
      [LANE_PASSIVE] = {w->passive, m->nv},
      [LANE_ACTUATOR] = {w->actuator, m->nv},
      [LANE_SMOOTH] = {w->smooth, m->nv},
      [LANE_ACC_SMOOTH] = {w->acc_smooth, m->nv},
      [LANE_CONSTRAINT] = {w->constraint, m->nv},
      [LANE_ACC] = {w->acc, m->nv},
      [LANE_FORCE] = {w->force, m->nu},
      [LANE_LENGTH] = {w->length, m->nu},
      [LANE_VELOCITY] = {w->velocity, m->nu},
      [LANE_SENSORS] = {w->sensordata, m->nsensordata},
      [LANE_CACC] = {w->total, 6 * m->nbody},
      [LANE_CFRC_INT] = {w->internal, 6 * m->nbody},
      [LANE_CFRC_EXT] = {w->external, 6 * m->nbody},
  };
  read_reals(out, lane, fields[field].from, fields[field].n);
}

// lanes_variant_64_0_1 and so on
#define NAME_OF(bytes, single, varied) lanes_variant_##bytes##_##single##_##varied
#define NAME(bytes, single, varied) NAME_OF(bytes, single, varied)
#define VARIANT NAME(LANES_BYTES, LANES_SINGLE, LANES_VARIED)

extern const LaneVariant VARIANT;
const LaneVariant VARIANT = {
    .name = LANES_BYTES == 64   ? "AVX-512"
            : LANES_BYTES == 32 ? "AVX2"
                                : "plain",
    .lanes = LANES,
    .size = variant_size,
    .make = variant_make,
    .constants = variant_constants,
    .load = variant_load,
    .store = variant_store,
    .ctrl = variant_ctrl,
    .step = variant_step,
    .body_forces = variant_body_forces,
    .failed = variant_failed,
    .likeness = variant_likeness,
    .read = variant_read,
};
#endif
