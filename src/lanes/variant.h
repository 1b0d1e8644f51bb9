// variant.h: the functions of a variant. cmake/lanes.cmake makes a file of each from variant.c.in,
// which sets LANES_BYTES, LANES_SINGLE and LANES_VARIED (see real.h); one for registers that the
// compiler doesn't make stays empty.

#pragma once

#include "lanes/lanes.h"

#if LANES_BYTES == 16 || LANES_WIDE
#if LANES_BYTES == 64
#pragma GCC target("arch=x86-64-v4")
#elif LANES_BYTES == 32
#pragma GCC target("arch=x86-64-v3")
#endif

#include <string.h>

#include "lanes/results/body_forces.h"
#include "lanes/step.h"
#include "model/options.h"
#include "smooth/fluid.h"
#include "smooth/passive.h"

static size_t variant_size(const LaneStructure* s) {
  Work work = {0};
  return work_place(&work, NULL, s);
}

static Work* variant_make(void* block, const LaneStructure* s, mjData* d) {
  Work* w = block;
  w->s = s;
  w->m = s->m;
  w->d = d;
  work_place(w, block, s);
  for (int l = 0; l < LANES; l++) {
    w->way[l] = w->ways + (size_t)l * (size_t)s->nway;
  }
  return w;
}

#if !LANES_VARIED
// Whether the contacts of two slots on planes differ in their place alone.
static int contacts_are_alike(const Work* w, int k) {
  const LaneContact *a = w->s->contact + k - 1, *b = a + 1;
  const ContactConstants *one = w->constants.contact + k - 1, *two = one + 1;
  const int* body = w->m->geom_bodyid;
  return a->geom1 == b->geom1 && body[a->geom2] == body[b->geom2] && a->dim == b->dim &&
         a->body[0] == b->body[0] && a->body[1] == b->body[1] &&
         !memcmp(&one->spring, &two->spring, sizeof(one->spring)) &&
         !memcmp(one->friction, two->friction, sizeof(one->friction)) && one->mu == two->mu &&
         one->slide == two->slide && one->soft == two->soft;
}

// Which slots may be packed: where nobody asks to which geoms a contact belongs, nor in which order
// rows come.
static void mark_alike(Work* w) {
  const LaneStructure* s = w->s;
  int asked = s->adheres || s->senses[NEEDS_CONTACTS] || w->is_dual || w->is_short ||
              w->m->opt.noslip_iterations > 0;
  for (int k = 1; k < s->nplane; k++) {
    w->alike[k] = !asked && contacts_are_alike(w, k);
  }
}
#endif

// Fills in the numbers of a lane (of all lanes, if they share them) from the model of its world.
static void variant_constants(Work* w, int lane, const mjModel* m) {
  int others = LANES_VARIED && lane;
  int is_passive = ~m->opt.disableflags & (mjDSBL_SPRING | mjDSBL_DAMPER);
  w->lifts = (is_passive && passive_has_gravcomp(m)) || (others && w->lifts);
  w->flows = is_passive && fluid_is_active(m);
  w->damps_implicitly = options_euler_damps(m) || (others && w->damps_implicitly);
  w->has_cones = m->opt.cone != mjCONE_PYRAMIDAL;
  w->is_short = lanes_end_early(m, w->s->minimum);
  w->is_dual = m->opt.solver == mjSOL_PGS;
  constants_fill(w->numbers, w->s, m);
  size_t n = constants_place(&(Constants){0}, NULL, w->s);
  for (size_t i = 0; i < n; i++) {
#if LANES_VARIED
    w->constant[i][lane] = (Num)w->numbers[i];
#else
    w->constant[i] = (Num)w->numbers[i];
#endif
  }
#if !LANES_VARIED
  mark_alike(w);
#endif
  for (int l = 0; l < LANES; l++) {
    if (!LANES_VARIED || l == lane) {
      w->steplength[l] = (double)m->opt.timestep;
    }
  }
}

// pack and unpack                                             theory/time/lanes.md, Gather, scatter

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

static void variant_ctrl(Work* w, int lane, const mjtNum* ctrl) {
  load_lane(w->ctrl, lane, ctrl, w->m->nu);
}

static void variant_load(Work* w, int lane, const LaneRow* row) {
  const mjModel* m = w->m;
  w->time[lane] = (double)*row->time;
  w->lists = w->is_placed = w->path_steps = 0;
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
  w->list[lane] = w->s->list_words ? row->list : NULL;
  w->way[lane] = row->way ? row->way : w->ways + (size_t)lane * (size_t)w->s->nway;
  w->touches[lane] = w->s->ntouch ? row->touches : NULL;
  // forces on bodies, which are hardly ever there, are read by nobody if no lane has them
  int n = 6 * m->nbody, pushed = 0;
  for (int i = 0; i < n; i++) {
    pushed |= row->xfrc[i] != 0;
  }
  w->pushed = lane && w->pushed;
  if (pushed) {
    for (int i = 0; i < n && !w->pushed; i++) {
      w->xfrc[i] = REAL_ZERO;
    }
    w->pushed = 1;
    load_lane(w->xfrc, lane, row->xfrc, n);
  }
}

static void variant_store(const Work* w, int lane, const LaneRow* row) {
  const mjModel* m = w->m;
  *row->time = (mjtNum)w->time[lane];
  store_lane(row->qpos, lane, w->qpos, m->nq);
  store_lane(row->qvel, lane, w->qvel, m->nv);
  store_lane(row->act, lane, w->act, m->na);
  if (row->warm) {
    store_lane(row->warm, lane, w->warm, m->nv);
  }
}

static unsigned variant_failed(Work* w) {
  unsigned failed = w->failed;
  w->failed = w->unsolved = 0;
  return failed;
}

static unsigned variant_unsolved(const Work* w) {
  return w->unsolved;
}

static LaneCount variant_count(const Work* w) {
  return w->count;
}

// qM: rows backwards, ancestors alone
static void read_qM(mjtNum* out, int lane, const Work* w) {
  for (int i = 0; i < w->m->nv; i++) {
    for (int j = i; j >= 0; j = w->m->dof_parentid[j]) {
      *out++ = (mjtNum)w->M[lane_row_at(i) + j][lane];
    }
  }
}

static void variant_read(const Work* w, int lane, LaneField field, mjtNum* out) {
  const mjModel* m = w->m;
  switch (field) {
#define READ(field, name, from, n)                              \
  case LANE_##field:                                            \
    store_lane(out, lane, (const Real*)(const void*)(from), n); \
    break;
    LANE_FIELDS(READ)
#undef READ
    case LANE_QM:
      read_qM(out, lane, w);
      break;
    case NLANEFIELD:
      break;
  }
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
    .step = lane_step,
    .body_forces = lane_body_forces,
    .failed = variant_failed,
    .unsolved = variant_unsolved,
    .count = variant_count,
    .likeness = contacts_likeness,
    .read = variant_read,
};
#endif
