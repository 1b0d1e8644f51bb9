// candidates.c: compares boxes of trees that sleep with those of trees that are awake.

#include "collision/broad/candidates.h"

#include "base/joint.h"
#include "collision/broad/geom_box.h"
#include "collision/wake.h"
#include "model/data/arena.h"
#include "model/data/awake.h"

static int has_plane(const mjModel* m, int body) {
  int begin = m->body_geomadr[body], end = begin + m->body_geomnum[body];
  for (int g = begin; g < end; g++) {
    if (m->geom_type[g] == mjGEOM_PLANE) {
      return 1;
    }
  }
  return 0;
}

int body_is_unbounded(const mjModel* m, int body) {
  return body == 0 || (!body_moves(m, body) && has_plane(m, body));
}

// The boxes around awake trees and mocap bodies, and the one around all. unbounded: one of them has
// a plane.
typedef struct Reach_ {
  GeomBox around, *box;
  int num, unbounded;
} Reach;

static int body_counts(const mjModel* m, int body, int all) {
  return m->body_geomnum[body] && (all || m->body_contype[body] || m->body_conaffinity[body]);
}

// Adds a body to the box of its tree, which is the last one if it is in it already.
static void reach_add(Reach* reach, int* root, const mjModel* m, const mjData* d, int body,
                      const Travel* travel) {
  for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; g++) {
    GeomBox box;
    geom_box(&box, m, d, g);
    if (travel) {
      travel_extend(&box, travel, m, g);
    }
    if (*root == m->body_rootid[body]) {
      box_include(reach->box + reach->num - 1, &box);
    } else {
      *root = m->body_rootid[body];
      reach->box[reach->num++] = box;
    }
  }
}

static Reach find_reach(const mjModel* m, mjData* d, int all, const Travel* travel) {
  Reach reach = {.box = arena_take(d, (size_t)m->nbody * sizeof(GeomBox), _Alignof(GeomBox))};
  int root = -1;
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    for (int b = run->body; b < run->body_end; b++) {
      if (d->body_awake[b] != mjS_AWAKE || !body_counts(m, b, all)) {
        continue;
      }
      reach.unbounded |= body_is_unbounded(m, b);
      reach_add(&reach, &root, m, d, b, travel);
    }
  }
  for (int i = 0; i < reach.num; i++) {
    reach.around = i ? reach.around : reach.box[0];
    box_include(&reach.around, reach.box + i);
  }
  return reach;
}

static int is_reached(const Reach* reach, const GeomBox* box) {
  if (reach->unbounded) {
    return 1;
  }
  if (!reach->num || box_apart(&reach->around, box)) {
    return 0;
  }
  for (int i = 0; i < reach->num; i++) {
    if (!box_apart(reach->box + i, box)) {
      return 1;
    }
  }
  return 0;
}

static int add_bodies(int* body, int num, const mjModel* m, int begin, int end, int all) {
  for (int b = begin; b < end; b++) {
    if (body_counts(m, b, all)) {
      body[num++] = b;
    }
  }
  return num;
}

int candidate_bodies(int* body, const mjModel* m, mjData* d, int all, const Travel* travel) {
  if (!awake_some_sleep(m, d)) {
    return add_bodies(body, 0, m, 0, m->nbody, all);
  }
  int num = 0;
  Reach reach = find_reach(m, d, all, travel);
  asleep_boxes_open(m, d);
  for (int k = 0; k < d->cnd_nrun; k++) {
    const AwakeRun* run = awake_run(d, k);
    num = add_bodies(body, num, m, run->body, run->body_end, all);
    AwakeGap gap = k + 1 < d->cnd_nrun ? awake_gap(m, d, k) : (AwakeGap){0, 0};
    for (int t = gap.tree; t < gap.tree_end; t++) {
      if (is_reached(&reach, asleep_box(m, d, t))) {
        int first = m->tree_bodyadr[t];
        num = add_bodies(body, num, m, first, first + m->tree_bodynum[t], all);
      }
    }
  }
  return num;
}
