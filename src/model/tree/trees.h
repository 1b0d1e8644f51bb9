// trees.h: what belongs to each kinematic tree, which trees a tendon ties, and which may sleep.
//
// A tree is a set of bodies that joints connect; its bodies, joints and dofs are consecutive.
// Policies of authors (never, allowed, init) stay as they are. For the other trees they follow from
// what acts on them: a tree that something drives at any time never sleeps.
//                                                       theory/time/sleep.md, Which trees may sleep

#pragma once

#include <mujoco/mjmodel.h>

// The body of item w of a tendon's path; 0, the world, for a pulley.
static inline int path_body(const mjModel* m, int w) {
  int id = m->wrap_objid[w];
  switch (m->wrap_type[w]) {
    case mjWRAP_JOINT:
      return m->jnt_bodyid[id];
    case mjWRAP_SITE:
      return m->site_bodyid[id];
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      return m->geom_bodyid[id];
    default:
      return 0;
  }
}

// Whether a tree may sleep at all.
static inline int tree_may_sleep(const mjModel* m, int tree) {
  int policy = m->tree_sleep_policy[tree];
  return policy == mjSLEEP_AUTO_ALLOWED || policy == mjSLEEP_ALLOWED || policy == mjSLEEP_INIT;
}

// Whether a flex resists stretch or bending.
int flex_is_elastic(const mjModel* m, int flex);

// Writes tree_{bodyadr, bodynum, dofadr, dofnum}, tendon_treenum and tendon_treeid, which follow
// from the ids of trees and from the paths of tendons.
void trees_write(mjModel* m);

// Decides about the trees whose policy is not an author's.
void trees_decide(mjModel* m);

// The first tendon that keeps a tree awake for which an author allows sleep, and that tree; -1 if
// there is none. Trees that more than two share, or that springs or dampers tie, can't sleep alone.
int trees_conflict(int* tree, const mjModel* m);

// Writes dof_length, from sizes and places of joints, geoms and flexes.
void trees_measure(mjModel* m);
