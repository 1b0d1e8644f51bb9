// From the time of an impact to contacts: points, lines of sight, distances.
//                                                              theory/contact/speculative.md

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/speculative/speculative.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "base/spring.h"
#include "collision/collide.h"
#include "collision/complete.h"
#include "collision/contact_param.h"
#include "collision/convex/patch.h"
#include "collision/speculative/effective.h"
#include "collision/speculative/impact.h"
#include "collision/speculative/sight.h"
#include "model/options.h"

enum {
  MOST_POINTS = 4
};

// Whether geoms of a type take part.
static int is_supported(int type) {
  return type == mjGEOM_PLANE || (type >= mjGEOM_SPHERE && type <= mjGEOM_MESH);
}

static int some_act(const mjContact* con, int num) {
  for (int i = 0; i < num; i++) {
    if (con[i].dist < con[i].includemargin) {
      return 1;
    }
  }
  return 0;
}

// Distance of corners at the near pose that the rest of the step may still bring to the other geom.
static mjtNum corner_reach(const Impact* impact, const mjModel* m) {
  mjtNum dist = impact->dist, rest = impact->closing * (1 - impact->t);
  return rest + dist + mju_abs(dist) + m->opt.ccd_tolerance;
}

// The points of an impact, as contacts at the near pose: corners within reach, or the nearest
// points alone. Planes have several whatever the flag multiccd.
static int near_points(mjContact con[MOST_POINTS], const Impact* impact, const mjModel* m,
                       mjData* d) {
  const ConvexShape *a = &impact->side[0].shape, *b = &impact->side[1].shape;
  const Gjk* g = &impact->nearest;
  mjtNum dist = impact->dist, reach = corner_reach(impact, m);
  int num = 0;
  if (impact->is_plane) {
    num = plane_patch(con, d, impact->n, a->pos, b, impact->id, reach);
  } else if (faces_are_complete(m) && has_patch(a->kind, b->kind)) {
    num = convex_patch(con, g, d, a, b, dist, reach);
  }
  if (num == 0) {
    mjtNum pos[3];
    v3_add(pos, g->x1, g->x2);
    v3_scl(pos, pos, (mjtNum)0.5);
    contact_set(con, dist, pos, impact->n);
    num = 1;
  }
  return num;
}

// Takes a point back to the first pose of both geoms: from x1, x2 to the ends of its line of sight.
//
//     x1, x2 = pos -+ (u dist / 2 + R (n - u))
//
// u: the normal of the face that the corner is seen from. Points of soft contacts are moved by half
// of the reach, R, if that is not the normal n of the impact, as in the reference.
static void first_points(mjtNum end[2][3], const Impact* impact, const mjModel* m,
                         const mjContact* con) {
  mjtNum R = m->cnd_contact.mode == cndCONTACT_HARD ? 0 : corner_reach(impact, m) / 2;
  for (int i = 0; i < 2; i++) {
    mjtNum point[3], side = i ? 1 : -1;
    v3_addscl(point, con->pos, con->frame, side * (con->dist / 2 - R));
    v3_addtoscl(point, impact->n, side * R);
    impact_origin(end[i], impact, i, point);
  }
}

// The law by which soft contacts with these parameters act.
static EffectiveLaw law_of(const mjModel* m, const mjContact* con) {
  mjtNum ref[mjNREF];
  reference_check(ref, m, con->solref, DEFAULT_REFERENCE);
  EffectiveLaw law = {
      .h = m->opt.timestep,
      .K = reference_stiffness(ref, con->solimp),
      .B = reference_damping(ref, con->solimp),
      .strength = num_clamp(con->solimp[1], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP),
      .width = num_max(con->solimp[2], 0),
      .is_discrete = options_is_discrete(m),
  };
  if (law.is_discrete) {
    reference_resolve(&law.K, &law.B, m, ref, law.strength);
  }
  return law;
}

// The distance of a contact. Rigid ones close by no more than what they are told: here the true gap
// but for a little, so that faces, which have several contacts, have them in the next step, too.
static mjtNum distance_of(const mjModel* m, const mjContact* con, const Impact* impact,
                          const mjtNum end[2][3]) {
  if (m->cnd_contact.mode == cndCONTACT_HARD) {
    mjtNum gap[3];
    v3_sub(gap, end[1], end[0]);
    return v3_dot(gap, impact->n) - impact->target;
  }
  EffectiveLaw law = law_of(m, con);
  return effective_distance(&law, con->includemargin, impact->closing, impact->t);
}

// Turns points at the near pose into contacts, and drops those out of sight. Returns their number.
static int finish(mjContact* con, mjContact* near, int num, const Impact* impact, const mjModel* m,
                  mjData* d, const SpeculativePair* pair) {
  mjtNum length[2] = {impact->side[0].travel->length, impact->side[1].travel->length};
  mjtNum weight = length[0] / (length[0] + length[1]);
  int turned = length[1] > length[0], count = 0;
  SightPair order = {turned ? pair->g2 : pair->g1, turned ? pair->g1 : pair->g2};
  for (int i = 0; i < num; i++) {
    mjtNum end[2][3];
    first_points(end, impact, m, near + i);
    if (sight_is_blocked(m, d, order, end[turned], end[!turned], pair->filter)) {
      continue;
    }
    mjContact* out = con + count++;
    v3_scl(out->pos, end[0], weight);
    v3_addtoscl(out->pos, end[1], 1 - weight);
    v3_copy(out->frame, impact->n);
    v3_zero(out->frame + 3);
    out->dist = -mjMAXVAL;  // it acts, whatever its distance
    contact_fill(m, out, 1, pair->g1, pair->g2, pair->ipair, pair->reach);
    out->dist = distance_of(m, out, impact, end);
  }
  return count;
}

int speculative_contacts(mjContact* con, int num, const Travel* travel, const mjModel* m, mjData* d,
                         const SpeculativePair* pair) {
  int g1 = pair->g1, g2 = pair->g2;
  if (!is_supported(m->geom_type[g1]) || !is_supported(m->geom_type[g2]) || some_act(con, num)) {
    return num;
  }
  Impact impact;
  mjContact near[MOST_POINTS];
  mjtNum margin = contact_acting_margin(m, g1, g2, pair->ipair);
  if (!impact_find(&impact, travel, m, d, g1, g2, margin)) {
    return num;
  }
  int most = near_points(near, &impact, m, d);
  int count = finish(con, near, most, &impact, m, d, pair);
  return count ? count : num;
}
