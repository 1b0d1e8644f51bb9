// repair.c: makes M positive definite where a robot's inertias don't.
//
// M = L' D L is factored from the leaves to the roots. D_i is the inertia that dof i meets while
// all dofs below it are free, so the first D_i that is not positive tells under which joint inertia
// is missing. There the inertias that no rigid body has become the nearest that one has; if that
// was not the reason, there is no mass, and the joint's body gets a little.

#include "compile/tree/repair.h"

#include <math.h>
#include <mujoco/api/model.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/memory.h"

enum {
  NPOSE = 6,  // configurations in which M is looked at; the first is the reference
};

// what a body without mass gets: too little to be seen in the motion of anything else
static const double least_mass = 1e-7, least_inertia = 1e-9;

static const SpecTree* tree_of(const SpecObject* object) {
  return object->origin ? object->origin : object->tree;
}

void repair_allow(SpecTree* tree) {
  if (spec_find(tree, mjOBJ_TEXT, REPAIR_TEXT)) {
    tree->lenient = tree->beyond = 1;
  }
}

int repair_islenient(const SpecObject* object) {
  return tree_of(object)->lenient;
}

int repair_isbeyond(const SpecObject* object) {
  return tree_of(object)->lenient && tree_of(object)->beyond;
}

void repair_problem(Compile* c, const SpecObject* object, const char* format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  SpecTree* tree = object->origin ? object->origin : object->tree;
  if (!tree->lenient) {
    compile_error(c, object, "%s", text);
    return;
  }
  if (!tree->beyond) {
    c->again = tree->beyond = 1;
  } else if (!c->simplified) {
    compile_warning(c, object, "%s", text);
  }
  c->doubtful = 1;
}

void repair_nearest(double inertia[3]) {
  double half = (inertia[0] + inertia[1] + inertia[2]) / 2, moment[3];
  for (int i = 0; i < 3; i++) {
    moment[i] = fmax(half - inertia[i], 0);
  }
  inertia[0] = moment[1] + moment[2];
  inertia[1] = moment[0] + moment[2];
  inertia[2] = moment[0] + moment[1];
}

// Up to rounding.
static int is_rigid(const mjtNum inertia[3]) {
  double a = (double)inertia[0], b = (double)inertia[1], c = (double)inertia[2];
  double small = 1e-12 * (fabs(a) + fabs(b) + fabs(c));
  return a >= 0 && b >= 0 && c >= 0 && a + b >= c - small && a + c >= b - small &&
         b + c >= a - small;
}

// A configuration that is the same in every run: joints turned by up to half a turn, slides by up
// to half a meter.
static void set_pose(mjData* d, const mjModel* m, int pose) {
  unsigned seed = 12345u + (unsigned)pose * 7919u;
  memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(mjtNum));
  for (int j = 0; j < m->njnt && pose; j++) {
    seed = seed * 1664525u + 1013904223u;
    double part = (double)(seed >> 8) / (1 << 24) - 0.5;
    int is_hinge = m->jnt_type[j] == mjJNT_HINGE;
    if (is_hinge || m->jnt_type[j] == mjJNT_SLIDE) {
      d->qpos[m->jnt_qposadr[j]] += (mjtNum)(part * (is_hinge ? 2 * mjPI : 1));
    }
  }
}

// M in the present pose by the composite inertias of subtrees, dense, with its diagonal beside it.
// (mj_makeM takes rows of simple bodies from constants that aren't computed yet.)
static void dense_inertia(mjtNum* M, mjtNum* diagonal, mjtNum* composite, const mjModel* m,
                          mjData* d) {
  size_t nv = (size_t)m->nv;
  mj_kinematics(m, d);
  mj_comPos(m, d);
  memset(M, 0, nv * nv * sizeof(mjtNum));
  memcpy(composite, d->cinert, 10 * (size_t)m->nbody * sizeof(mjtNum));
  for (int i = m->nbody - 1; i > 0; i--) {
    for (int k = 0; k < 10 && m->body_parentid[i]; k++) {
      composite[10 * m->body_parentid[i] + k] += composite[10 * i + k];
    }
  }
  for (int i = 0; i < m->nv; i++) {
    mjtNum force[6];
    sp_mulinertia(force, composite + 10 * m->dof_bodyid[i], d->cdof + 6 * i);
    for (int j = i; j >= 0; j = m->dof_parentid[j]) {
      mjtNum sum = i == j ? m->dof_armature[i] : 0;
      for (int k = 0; k < 6; k++) {
        sum += d->cdof[6 * j + k] * force[k];
      }
      M[(size_t)i * nv + (size_t)j] = sum;
    }
    diagonal[i] = M[(size_t)i * nv + (size_t)i];
  }
}

// The last dof whose D is not positive; -1 if there is none. Factors M in place.
static int weak_dof(mjtNum* M, const mjtNum* diagonal, const mjModel* m) {
  size_t nv = (size_t)m->nv;
  for (int i = m->nv - 1; i >= 0; i--) {
    mjtNum* row = M + (size_t)i * nv;
    if (!(row[i] > mjMINVAL) || !(row[i] > 1e-10 * diagonal[i])) {
      return i;
    }
    for (int j = m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
      mjtNum factor = row[j] / row[i];
      for (int k = j; k >= 0; k = m->dof_parentid[k]) {
        M[(size_t)j * nv + (size_t)k] -= factor * row[k];
      }
    }
  }
  return -1;
}

static int is_below(const mjModel* m, int body, int above) {
  while (body > above) {
    body = m->body_parentid[body];
  }
  return body == above;
}

// Makes the inertias below a body those of rigid bodies. Returns the number of changes.
static int mend_inertias(Compile* c, int above) {
  mjModel* m = c->m;
  int changed = 0;
  for (int i = above; i < m->nbody; i++) {
    mjtNum* inertia = m->body_inertia + 3 * i;
    if (!is_below(m, i, above) || is_rigid(inertia)) {
      continue;
    }
    double mended[3] = {(double)inertia[0], (double)inertia[1], (double)inertia[2]};
    repair_nearest(mended);
    compile_warning(c, c->list[mjOBJ_BODY][i],
                    "the joint-space inertia is not positive definite with the principal inertias "
                    "%g %g %g kg m2: the nearest ones of a rigid body are used, %g %g %g",
                    (double)inertia[0], (double)inertia[1], (double)inertia[2], mended[0],
                    mended[1], mended[2]);
    compile_store(inertia, mended, 3);
    changed++;
  }
  return changed;
}

static void give_mass(Compile* c, int body) {
  mjModel* m = c->m;
  m->body_mass[body] = (mjtNum)fmax((double)m->body_mass[body], least_mass);
  for (int k = 0; k < 3; k++) {
    mjtNum* inertia = m->body_inertia + 3 * body + k;
    *inertia = (mjtNum)(fmax((double)*inertia, 0) + least_inertia);
  }
  compile_warning(c, c->list[mjOBJ_BODY][body],
                  "nothing that its joint moves has mass or inertia: it gets %g kg and %g kg m2",
                  least_mass, least_inertia);
}

void repair_bodies(Compile* c) {
  mjModel* m = c->m;
  if (!c->doubtful || !m->nv) {
    return;
  }
  mjData* d = mj_makeData(m);
  size_t nv = (size_t)m->nv;
  mjtNum* M = heap_take((nv * nv + nv + 10 * (size_t)m->nbody) * sizeof(mjtNum));
  mjtNum *diagonal = M + nv * nv, *composite = diagonal + nv;
  // each round gives mass to a body or mends all below one, so the rounds end
  int left = 2 * m->nbody + m->nv;
  for (int pose = 0; d && pose < NPOSE; pose++) {
    int weak;
    set_pose(d, m, pose);
    dense_inertia(M, diagonal, composite, m, d);
    while ((weak = weak_dof(M, diagonal, m)) >= 0 && left-- > 0) {
      int body = m->dof_bodyid[weak];
      if (!mend_inertias(c, body)) {
        give_mass(c, body);
      }
      dense_inertia(M, diagonal, composite, m, d);
    }
  }
  heap_free(M);
  mj_deleteData(d);
}
