// constants.c: mj_setConst for each simulation.
//
// It runs on a whole model of the slot's own, which holds the batch's constants and the expanded
// rows that were asked for. A first pass finds the fields that come out different from the batch's
// in some simulation; these get rows. A second one fills the rows. So what no simulation changes
// stays shared.

#include <mujoco/api/base.h>
#include <mujoco/api/derive.h>
#include <mujoco/api/model.h>
#include <mujoco/api/step.h>
#include <stddef.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "batch/context.h"
#include "batch/fields.h"
#include "batch/simulations/check.h"
#include "batch/simulations/expand.h"
#include "batch/simulations/run.h"
#include "compile/derive/derive.h"
#include "compile/derive/follow.h"

// Fields that mj_setConst reads.
static const BatchFields kInputs[] = {
    {1,
     " qpos0 qpos_spring body_pos body_quat body_ipos body_iquat body_mass body_inertia "
     "body_gravcomp jnt_pos jnt_axis dof_armature geom_size geom_aabb geom_pos geom_quat "
     "geom_margin geom_gap geom_contype geom_conaffinity site_pos site_quat cam_pos cam_quat "
     "light_pos light_dir flex_vert flex_vert0 flex_node flex_radius flex_stiffness flex_bending "
     "flex_damping flex_edgestiffness flex_edgedamping eq_data tendon_stiffness tendon_damping "
     "tendon_armature tendon_lengthspring actuator_cranklength actuator_gear actuator_biasprm "},
    {0, NULL},
};

// What follows from frames, margins and sizes, beside what mj_setConst writes.
static const char* const kFollowing[] = {
    "body_sameframe", "geom_sameframe", "site_sameframe", "bvh_aabb",
    "body_margin",    "geom_aabb",      "geom_rbound",    "geom_fluid",
};

enum {
  NFOLLOWING = sizeof(kFollowing) / sizeof(kFollowing[0]),
  NOUTPUT = NFIELD_CONSTANT + NFOLLOWING
};

// The k-th output: fields, then the statistic, then the number of bodies without weight.
static Expanded output_at(const mjBatch* b, int k) {
  if (k == NOUTPUT) {
    return expand_describe(b, NULL, 0);
  }
  if (k > NOUTPUT) {
    return (Expanded){.offset = offsetof(mjModel, ngravcomp), .bytes = sizeof(int)};
  }
  const char* name = k < NFIELD_CONSTANT ? fields_constants[k] : kFollowing[k - NFIELD_CONSTANT];
  const cndField* field = NULL;
  for (int i = 0; (field = cnd_modelField(i)) && strcmp(field->name, name) != 0; i++) {
  }
  return expand_describe(b, field, 0);
}

// Puts the batch's constants and the rows that were asked for into the slot's model, and what an
// error may have left there of a simulation before.
static void fill_model(const mjBatch* b, mjModel* full, int sim) {
  memcpy(full->cam_mode, b->m->cam_mode, (size_t)b->m->ncam * sizeof(int));
  memcpy(full->light_mode, b->m->light_mode, (size_t)b->m->nlight * sizeof(int));
  memcpy(full->flex_rigid, b->m->flex_rigid, (size_t)b->m->nflex);
  for (int k = 0; k < NOUTPUT + 2; k++) {
    Expanded e = output_at(b, k);
    if (e.bytes) {
      memcpy(expand_place(&e, full), expand_place(&e, b->m), e.bytes);
    }
  }
  for (int k = 0; k < b->nexpanded; k++) {
    const Expanded* e = b->expanded + k;
    if (e->is_asked && e->bytes) {
      memcpy(expand_place(e, full), e->rows + (size_t)sim * e->bytes, e->bytes);
    }
  }
}

enum {
  FOLLOW_SIZE = 1 << 16  // of shapes; the others are in batch/context.h
};

// FOLLOW_* of all fields that were asked for.
static int follows(const mjBatch* b) {
  int what = 0;
  for (int k = 0; k < b->nexpanded; k++) {
    const Expanded* e = b->expanded + k;
    const char* name = e->is_asked && e->field ? e->field->name : "";
    what |= fields_value(fields_follow, name, 0) | (strcmp(name, "geom_size") ? 0 : FOLLOW_SIZE);
  }
  return what;
}

// Bounds of primitive shapes of other sizes than the batch's.
static void follow_sizes(mjModel* m, const mjModel* before) {
  for (int i = 0; i < m->ngeom; i++) {
    if (memcmp(m->geom_size + 3 * i, before->geom_size + 3 * i, 3 * sizeof(mjtNum)) != 0) {
      follow_size(m, i);
    }
  }
}

// Flags of frames that coincide, bounds of shapes, boxes of bodies.
static void follow_frames(mjModel* m, const mjModel* before, int what) {
  if (what & FOLLOW_BODY) {
    follow_bodyframes(m);
  }
  if (what & (FOLLOW_BODY | FOLLOW_GEOM)) {
    follow_geomframes(m);
  }
  if (what & (FOLLOW_BODY | FOLLOW_SITE)) {
    follow_siteframes(m);
  }
  if (what & FOLLOW_SIZE) {
    follow_sizes(m, before);
  }
  if (what & (FOLLOW_BODY | FOLLOW_GEOM | FOLLOW_SIZE)) {
    derive_refit(m);
  }
}

static void follow_counts(mjModel* m, int what) {
  if (what & FOLLOW_MARGIN) {
    follow_margins(m);
  }
  if (what & FOLLOW_GRAVCOMP) {
    follow_gravcomp(m);
  }
}

// Marks outputs that differ from the batch's, or stores those that have rows.
static void take_results(mjBatch* b, const mjModel* full, int sim, int stores) {
  for (int k = 0; k < NOUTPUT + 2; k++) {
    Expanded e = output_at(b, k);
    const Expanded* has = expand_at(b, e.offset);
    const char* result = e.bytes ? expand_place(&e, full) : NULL;
    if (!result) {
      continue;
    }
    if (stores && has) {
      memcpy(has->rows + (size_t)sim * e.bytes, result, e.bytes);
    } else if (!has && memcmp(result, expand_place(&e, b->m), e.bytes) != 0) {
      __atomic_store_n(&b->differs[k], 1, __ATOMIC_RELAXED);
    }
  }
}

static void run_constants(const SimItem* item, const SimCall* call, const mjModel* m, mjData* d) {
  (void)m;
  (void)d;
  mjModel* full = item->slot->full;
  int what = follows(item->b);
  fill_model(item->b, full, item->sim);
  follow_frames(full, item->b->m, what);
  follow_counts(full, what);
  mj_setConst(full, item->slot->work);
  take_results(item->b, full, item->sim, call->stores);
}

// Whether a field that mj_setConst reads was asked for.
static int has_input(const mjBatch* b) {
  for (int k = 0; k < b->nexpanded; k++) {
    const Expanded* e = b->expanded + k;
    if (e->is_asked && (e->is_option || fields_value(kInputs, e->field->name, 0))) {
      return 1;
    }
  }
  return 0;
}

// Gives slots whole models and data.
static void make_models(mjBatch* b) {
  for (int s = 0; s < b->nslot; s++) {
    SimSlot* slot = b->slot + s;
    slot->full = slot->full ? slot->full : mj_copyModel(NULL, b->m);
    slot->work = slot->work ? slot->work : mj_makeData(b->m);
    if (!slot->full || !slot->work) {
      mju_error("mjb_setConst: " MEMORY_OUT);
    }
  }
}

typedef struct Computing_ {
  mjBatch* b;
  SimCall call;
  int failed;
} Computing;

static void compute(void* argument) {
  Computing* c = argument;
  mjBatch* b = c->b;
  make_models(b);
  memset(b->differs, 0, NOUTPUT + 2);
  sim_run(b, &c->call);
  for (int k = 0; k < NOUTPUT + 2; k++) {
    Expanded e = output_at(b, k);
    if (b->differs[k]) {
      expand_add("mjb_setConst", b, &e);
    }
  }
  c->call.stores = 1;
  c->failed = sim_run(b, &c->call);
}

int mjb_setConst(mjBatch* b, const int* ids, int nid) {
  Computing c = {b, sim_call("mjb_setConst", b, ids, nid, run_constants), 0};
  if (b->models) {
    mju_error("mjb_setConst: the batch runs on caller models");
  }
  if (!has_input(b)) {
    return 0;
  }
  c.call.skips_load = 1;
  sim_alone(b, compute, &c);
  return c.failed;
}
