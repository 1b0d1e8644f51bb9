// near.h: which pairs of geoms are asked in a step whether they are near. Where a model has many
// pairs, most are far from each other for many steps. So a block keeps a list of those that in
// some lane are nearer than their margin and a slack; it holds until a geom has moved by half of
// the slack:
//
//   |c - c'| + |a - a'| <= slack / 2      c, a: centre and arm of a geom, c', a': for the list
//
// Two geoms that were further apart than margin + slack are then still further apart than margin.
// Lists change no contact, so they may depend on all lanes of the block.
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

// The slack: the mean size of geoms that have one.
static Real near_slack(const Work* w) {
  Real sum = REAL_ZERO;
  int n = 0;
  for (int g = 0; g < w->m->ngeom; g++) {
    int type = w->m->geom_type[g];
    if (type != mjGEOM_PLANE && type != mjGEOM_HFIELD) {
      sum += real_sqrt(r3_dot(w->arm[g], w->arm[g])) + w->constants.geom[g].radius;
      n++;
    }
  }
  return n ? sum / (Num)n : sum;
}

// Whether some geom has moved too far in some lane since the list was made.
static int near_has_moved(const Work* w) {
  const Real most = w->slack * w->slack * (Num)0.125;  // (a + b)^2 <= 2 (a^2 + b^2)
  Mask moved = mask_of(0);
  for (int g = 0; g < w->m->ngeom; g++) {
    Real3 way = r3_sub(w->centre[g], w->listed_centre[g]);
    Real3 turn = r3_sub(w->arm[g], w->listed_arm[g]);
    moved |= ~(r3_dot(way, way) + r3_dot(turn, turn) <= most);
  }
  return mask_any(moved);
}

// Keeps the list of pairs, ascending; those with a plane, whose heights are far from it, always.
static void near_list(Work* w) {
  const LaneStructure* s = w->s;
  int few = s->npair <= 4 * w->m->ngeom;
  if (w->lists && (few || !near_has_moved(w))) {
    return;
  }
  w->lists = 1;
  w->slack = near_slack(w);
  w->nlisted = 0;
  for (int k = 0; k < s->npair; k++) {
    const LanePair* pair = s->pair + k;
    if (few || w->m->geom_type[pair->geom1] == mjGEOM_PLANE ||
        mask_any(geoms_near(w, pair, w->slack + w->constants.margin[k]))) {
      w->listed[w->nlisted++] = k;
    }
  }
  memcpy(w->listed_centre, w->centre, (size_t)w->m->ngeom * sizeof(Real3));
  memcpy(w->listed_arm, w->arm, (size_t)w->m->ngeom * sizeof(Real3));
}
