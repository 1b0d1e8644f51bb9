// wake.c: contacts that wake, and the boxes in which trees sleep.      theory/time/sleep.md, Waking

#include "collision/wake.h"

#include <math.h>

#include "base/algebra/vec.h"
#include "model/data/awake.h"

// The tree of one side of a contact; of a flex any one, because they wake together. -1: none.
static int side_tree(const mjModel* m, const mjContact* con, int side) {
  int geom = con->geom[side], flex = con->flex[side], tree = -1;
  if (geom >= 0) {
    return m->body_treeid[m->geom_bodyid[geom]];
  }
  int nodes = m->flex_interp[flex] != 0;
  int adr = nodes ? m->flex_nodeadr[flex] : m->flex_vertadr[flex];
  int num = nodes ? m->flex_nodenum[flex] : m->flex_vertnum[flex];
  const int* body = nodes ? m->flex_nodebodyid : m->flex_vertbodyid;
  for (int i = adr; i < adr + num && tree < 0; i++) {
    tree = m->body_treeid[body[i]];
  }
  return tree;
}

// A mocap body may move at any time.
static int side_is_mocap(const mjModel* m, const mjContact* con, int side) {
  int geom = con->geom[side];
  return geom >= 0 && m->body_mocapid[m->body_rootid[m->geom_bodyid[geom]]] >= 0;
}

// A tree that sleeps gets the counter of the awake one that touches it, or the lowest of several.
static int wake_side(const mjModel* m, mjData* d, const mjContact* con, int side) {
  int tree = side_tree(m, con, side), other = side_tree(m, con, !side);
  if (!tree_sleeps(d, tree) || tree_sleeps(d, other)) {
    return 0;
  }
  if (other < 0 && !side_is_mocap(m, con, !side)) {
    return 0;
  }
  awake_wake(m, d, tree, other < 0 ? FULLY_AWAKE : d->tree_asleep[other]);
  return 1;
}

int collision_wake(const mjModel* m, mjData* d) {
  int woken = 0;
  for (int i = 0; i < d->ncon; i++) {
    woken += wake_side(m, d, d->contact + i, 0);
    woken += wake_side(m, d, d->contact + i, 1);
  }
  if (woken) {
    awake_update(m, d);
  }
  return woken != 0;
}

// boxes: the fourth number of a lower corner is 1 until the box is computed, then 0

_Static_assert(sizeof(GeomBox) == 8 * sizeof(float), "a box is a row of the table");

static GeomBox* box_of(mjData* d, int tree) {
  return (GeomBox*)(void*)d->cnd_box_asleep + tree;
}

void asleep_boxes_open(const mjModel* m, mjData* d) {
  mjtNum margin = m->opt.enableflags & mjENBL_OVERRIDE ? m->opt.o_margin : -1;
  if (margin == d->cnd_margin_asleep) {
    return;
  }
  d->cnd_margin_asleep = margin;
  for (int t = 0; t < m->ntree; t++) {
    box_of(d, t)->lo[3] = 1;
  }
}

const GeomBox* asleep_box(const mjModel* m, mjData* d, int tree) {
  GeomBox* box = box_of(d, tree);
  if (box->lo[3] == 0) {
    return box;
  }
  *box = (GeomBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  int first = m->tree_bodyadr[tree];
  for (int b = first; b < first + m->tree_bodynum[tree]; b++) {
    for (int g = m->body_geomadr[b]; g < m->body_geomadr[b] + m->body_geomnum[b]; g++) {
      GeomBox one;
      geom_box(&one, m, d, g);
      box_include(box, &one);
    }
  }
  return box;
}
