// near.h: which pairs of geoms are asked in a step whether they are near. Where a model has many
// pairs, most are far from each other for many steps. So a block keeps a list of those that in
// some lane are nearer than their margin and the lane's slack; it holds until a geom of some lane
// has moved by half of that:
//
//   |c - c'| + |a - a'| <= slack / 2      c, a: centre and arm of a geom, c', a': for the list
//
// Two geoms that were further apart than margin + slack are then still further apart than margin.
// Lists change no contact, so they may depend on all lanes of the block. Each world keeps its own
// in a row of the batch: the next call, in which it may have other neighbours, begins with it.
//                                                           theory/contact/collision.md, Mid phase

#pragma once

#include "lanes/work.h"

// Lanes in which two geoms are not apart along the line g of their centres:
//
//   g.g - |arm1 . g| - |arm2 . g| > (margin + radius1 + radius2) |g|
//
// nor is the second above the first, a plane with the normal n:
//
//   n.g - |arm2 . n| > margin + radius2
//
// Also near_geoms in collision/broad/few_geoms.c.
INLINE Mask geoms_near(const Work* w, const LanePair* pair, Real margin) {
  const Real slack = lane_real_of((Num)1e-6);
  int i = pair->geom1, j = pair->geom2;
  Real3 g = r3_sub(w->centre[j], w->centre[i]);
  Real square = r3_dot(g, g);
  Real reach = margin + w->constants.geom[j].radius;
  if (w->m->geom_type[i] == mjGEOM_PLANE) {
    Real height = r3_dot(w->arm[i], g) - real_abs(r3_dot(w->arm[i], w->arm[j]));
    return ~(height - reach > slack * (square + 2));
  }
  Real arms = real_abs(r3_dot(w->arm[i], g)) + real_abs(r3_dot(w->arm[j], g));
  Real gap = square - arms - slack * (square + 2);
  reach += w->constants.geom[i].radius;
  return ~((gap > REAL_ZERO) & (gap * gap > reach * reach * square));
}

enum {
  LIST_STEPS = 4,  // that a list is to last at the speed of the step before
  LIST_SIZES = 8   // the slack at most, in mean sizes of geoms
};

// The slack of each lane: what its fastest geom needs for LIST_STEPS steps of length h,
//
//   |c'|^2 + |a'|^2 = (slack / (h LIST_STEPS))^2 / 8      c', a': velocities of centre and arm
//
// but no less than the mean size of geoms that move, which may begin to, and no more than some of
// these: what has exploded once must not leave a list of everything behind.
static Real near_slack(const Work* w) {
  const mjModel* m = w->m;
  Real fastest = REAL_ZERO, sizes = REAL_ZERO, h = REAL_ZERO;
  for (int k = 0; k < w->s->nmover; k++) {
    int g = w->s->mover[k], body = m->geom_bodyid[g];
    Real6 V = w->cvel[body];
    Real3 way = r3_crossadd(V.w, r3_sub(w->centre[g], w->com[m->body_rootid[body]]), V.u);
    Real3 turn = r3_cross(V.w, w->arm[g]);
    fastest = real_max(r3_dot(way, way) + r3_dot(turn, turn), fastest);
    sizes += real_sqrt(r3_dot(w->arm[g], w->arm[g])) + w->constants.geom[g].radius;
  }
  for (int l = 0; l < LANES; l++) {
    h[l] = (Num)(LIST_STEPS * w->steplength[l]);
  }
  Real mean = sizes / (Num)int_max(w->s->nmover, 1);
  return real_min(real_max(real_sqrt(fastest * 8) * h, mean), mean * (Num)LIST_SIZES);
}

// Whether some geom has moved too far in some lane since the list was made.
static int near_has_moved(const Work* w) {
  const Real most = w->slack * w->slack * (Num)0.125;  // (a + b)^2 <= 2 (a^2 + b^2)
  Mask moved = mask_of(0);
  for (int k = 0; k < w->s->nmover; k++) {
    int g = w->s->mover[k];
    Real3 way = r3_sub(w->centre[g], w->listed_centre[g]);
    Real3 turn = r3_sub(w->arm[g], w->listed_arm[g]);
    moved |= ~(r3_dot(way, way) + r3_dot(turn, turn) <= most);
  }
  return mask_any(moved);
}

// The row of a world: the slack of its list, 0 if there is none, a bit for each pair, and six
// numbers for each geom that moves.

INLINE double* list_slack(uint64_t* row) {
  return (double*)(void*)row;
}

INLINE uint64_t* list_bits(uint64_t* row) {
  return row + 1;
}

INLINE double* list_places(const LaneStructure* s, uint64_t* row) {
  return (double*)(void*)(row + 1 + set_words(s->npair));
}

// Takes the list from the rows that the worlds of the block have kept. Returns 0 if one has none.
static int near_take(Work* w) {
  const LaneStructure* s = w->s;
  for (int l = 0; l < LANES; l++) {
    if (!w->list[l] || *list_slack(w->list[l]) == 0) {
      return 0;
    }
    w->slack[l] = (Num)*list_slack(w->list[l]);
  }
  w->nlisted = 0;
  for (int k = 0; k < set_words(s->npair); k++) {
    uint64_t bits = 0;
    for (int l = 0; l < LANES; l++) {
      bits |= list_bits(w->list[l])[k];
    }
    for (; bits; bits &= bits - 1) {
      w->listed[w->nlisted++] = 64 * k + __builtin_ctzll(bits);
    }
  }
  for (int l = 0; l < LANES; l++) {
    const double* place = list_places(s, w->list[l]);
    for (int k = 0; k < s->nmover; k++, place += 6) {
      Real* centre = &w->listed_centre[s->mover[k]].x;
      Real* arm = &w->listed_arm[s->mover[k]].x;
      for (int i = 0; i < 3; i++) {
        centre[i][l] = (Num)place[i];
        arm[i][l] = (Num)place[3 + i];
      }
    }
  }
  return 1;
}

// Writes where geoms are to the rows of all lanes.
static void near_keep(Work* w) {
  const LaneStructure* s = w->s;
  for (int l = 0; l < LANES; l++) {
    if (!w->list[l]) {
      continue;
    }
    *list_slack(w->list[l]) = (double)w->slack[l];
    double* place = list_places(s, w->list[l]);
    for (int k = 0; k < s->nmover; k++, place += 6) {
      const Real* centre = &w->centre[s->mover[k]].x;
      const Real* arm = &w->arm[s->mover[k]].x;
      for (int i = 0; i < 3; i++) {
        place[i] = (double)centre[i][l];
        place[3 + i] = (double)arm[i][l];
      }
    }
  }
}

// Lists the pairs that are near with the slack, and in its row each lane's own.
static void near_search(Work* w) {
  const LaneStructure* s = w->s;
  const unsigned all = (1u << LANES) - 1;
  w->nlisted = 0;
  for (int first = 0; first < s->npair; first += 64) {
    uint64_t own[LANES] = {0};
    for (int k = first, end = int_min(first + 64, s->npair); k < end; k++) {
      const LanePair* pair = s->pair + k;
      int is_plane = w->m->geom_type[pair->geom1] == mjGEOM_PLANE;
      unsigned near =
          is_plane
              ? all
              : mask_bits(geoms_near(w, pair, w->slack + real_constant(w->constants.margin[k])));
      if (near) {
        w->listed[w->nlisted++] = k;
      }
      for (; near; near &= near - 1) {
        own[__builtin_ctz(near)] |= (uint64_t)1 << (k - first);
      }
    }
    for (int l = 0; l < LANES; l++) {
      if (w->list[l]) {
        list_bits(w->list[l])[first / 64] = own[l];
      }
    }
  }
}

// Keeps the list of pairs, ascending; those with a plane, whose heights are far from it, always.
static void near_list(Work* w) {
  const LaneStructure* s = w->s;
  if (!s->list_words) {
    for (int k = 0; !w->lists && k < s->npair; k++) {
      w->listed[k] = k;
    }
    w->nlisted = s->npair;
    w->lists = 1;
    return;
  }
  if (!w->lists) {
    w->lists = near_take(w);
  }
  if (w->lists && !near_has_moved(w)) {
    return;
  }
  w->slack = near_slack(w);
  near_search(w);
  near_keep(w);
  memcpy(w->listed_centre, w->centre, (size_t)w->m->ngeom * sizeof(Real3));
  memcpy(w->listed_arm, w->arm, (size_t)w->m->ngeom * sizeof(Real3));
  w->lists = 1;
}
