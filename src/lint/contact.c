// contact.c: checks of geoms that touch where they shouldn't, exist twice, or don't touch where
// they should.

#include <ctype.h>
#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/step.h>
#include <mujoco/mjdata.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "collision/broad/near_geoms.h"
#include "lint/checks.h"
#include "model/behaviour.h"
#include "model/meeting.h"

// least relative depth of a contact that is reported
static const mjtNum DEEP = (mjtNum)0.2;

// Penetration depth of a contact divided by the half thickness of the thinner geom; 0 for contacts
// of flexes.
static mjtNum relative_depth(const mjModel* m, const mjContact* contact) {
  int g1 = contact->geom[0], g2 = contact->geom[1];
  if (g1 < 0 || g2 < 0) {
    return 0;
  }
  mjtNum thin = num_min(lint_thickness(m, g1), lint_thickness(m, g2));
  return -contact->dist / num_max(thin, mjMINVAL);
}

static int same_bodies(const mjModel* m, const mjContact* a, const mjContact* b) {
  int a1 = m->geom_bodyid[a->geom[0]], a2 = m->geom_bodyid[a->geom[1]];
  int b1 = m->geom_bodyid[b->geom[0]], b2 = m->geom_bodyid[b->geom[1]];
  return (a1 == b1 && a2 == b2) || (a1 == b2 && a2 == b1);
}

// Is the contact the deepest between its two bodies, or the first of equally deep ones?
static int is_deepest(const Lint* l, int i) {
  const mjContact* contact = l->d->contact;
  for (int k = 0; k < l->d->ncon; k++) {
    mjtNum other = relative_depth(l->m, contact + k);
    mjtNum own = relative_depth(l->m, contact + i);
    if (other > DEEP && (other > own || (other == own && k < i)) &&
        same_bodies(l->m, contact + k, contact + i)) {
      return 0;
    }
  }
  return 1;
}

// Are both geoms on the same kinematic tree, that is, on one mechanism?
static int same_tree(const mjModel* m, int g1, int g2) {
  int tree = m->body_treeid[m->geom_bodyid[g1]];
  return tree >= 0 && tree == m->body_treeid[m->geom_bodyid[g2]];
}

// note is appended to the message.
static void report_contact(Lint* l, const mjContact* contact, int key, const char* note) {
  const mjModel* m = l->m;
  int g1 = contact->geom[0], g2 = contact->geom[1];
  int moving = m->body_weldid[m->geom_bodyid[g2]] ? g2 : g1, other = moving == g2 ? g1 : g2;
  double depth = -(double)contact->dist, sign = moving == g2 ? 1 : -1;
  const char* hint;
  if (same_tree(m, g1, g2)) {
    hint = lint_hint(l, "<exclude> their bodies, %s and %s, or move the geoms apart",
                     lint_name(l, mjOBJ_BODY, m->geom_bodyid[moving]).text,
                     lint_name(l, mjOBJ_BODY, m->geom_bodyid[other]).text);
  } else {
    double move[3];
    for (int i = 0; i < 3; i++) {
      // rounding beside an axis says nothing
      double part = fabs((double)contact->frame[i]) < 1e-6 ? 0 : (double)contact->frame[i];
      move[i] = part * depth * sign + 0.0;
    }
    hint =
        lint_hint(l, "move %s by (%.3g %.3g %.3g)",
                  lint_name(l, mjOBJ_BODY, m->geom_bodyid[moving]).text, move[0], move[1], move[2]);
  }
  LintSubject subject = key < 0 ? lint_id(l, mjOBJ_GEOM, moving) : lint_id(l, mjOBJ_KEY, key);
  if (key < 0) {
    lint_warn(l, subject, hint,
              "it starts %.3g m deep in %s, %.0f%% of the thinner geom's half thickness%s", depth,
              lint_name(l, mjOBJ_GEOM, other).text, 100 * relative_depth(m, contact), note);
  } else {
    lint_warn(l, subject, hint,
              "%s is %.3g m deep in %s, %.0f%% of the thinner geom's half thickness%s",
              lint_name(l, mjOBJ_GEOM, moving).text, depth, lint_name(l, mjOBJ_GEOM, other).text,
              100 * relative_depth(m, contact), note);
  }
}

static int has_contact(const mjData* d, int g1, int g2) {
  for (int i = 0; i < d->ncon; i++) {
    if (d->contact[i].geom[0] == g1 && d->contact[i].geom[1] == g2) {
      return 1;
    }
  }
  return 0;
}

// Do two boxes that may touch overlap without a contact? Writes the way out and the depth to out.
static int are_lost_boxes(mjContact* out, const Lint* l, int g1, int g2) {
  const mjModel* m = l->m;
  if (m->geom_type[g2] != mjGEOM_BOX || bounding_spheres_apart(m, l->d, g1, g2, 0) ||
      !geoms_may_meet(m, g1, g2, !(m->opt.disableflags & mjDSBL_FILTERPARENT)) ||
      bodies_excluded(m, m->geom_bodyid[g1], m->geom_bodyid[g2]) || has_contact(l->d, g1, g2)) {
    return 0;
  }
  mjtNum fromto[6];
  *out = (mjContact){.geom = {g1, g2}};
  out->dist = mj_geomDistance(m, l->d, g1, g2, 0, fromto);
  v3_sub(out->frame, fromto, fromto + 3);
  v3_normalize(out->frame);
  for (int k = 0; k < 3; k++) {
    out->frame[k] *= mju_abs(out->frame[k]) > mjMINVAL;  // drops rounding errors
  }
  return out->dist < 0;
}

// Reports boxes that are deep in each other and have no contact that would push them apart.
static void scan_lost_boxes(Lint* l, int key) {
  const mjModel* m = l->m;
  if (m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) {
    return;
  }
  for (int g1 = 0; g1 < m->ngeom; g1++) {
    for (int g2 = g1 + 1; g2 < m->ngeom && m->geom_type[g1] == mjGEOM_BOX; g2++) {
      mjContact lost;
      if (are_lost_boxes(&lost, l, g1, g2) && relative_depth(m, &lost) > DEEP) {
        report_contact(l, &lost, key,
                       ", and no contact pushes it out: soft contacts miss boxes that cross or "
                       "contain each other (condyle.contact hard or stick does not)");
      }
    }
  }
}

// Reports deep contacts in the pose of l->d, one per pair of bodies. key: the keyframe of that
// pose, or -1 for qpos0.
static void scan_contacts(Lint* l, int key) {
  for (int i = 0; i < l->d->ncon; i++) {
    const mjContact* contact = l->d->contact + i;
    if (relative_depth(l->m, contact) > DEEP && is_deepest(l, i)) {
      report_contact(l, contact, key, "");
    }
  }
  scan_lost_boxes(l, key);
}

// Whether a keyframe has the pose of mj_resetData: qpos0, and mocap bodies at their body_pos.
static int is_reset(const Lint* l, int key) {
  const mjModel* m = l->m;
  const mjtNum* mpos = m->key_mpos + 3 * (size_t)key * (size_t)m->nmocap;
  for (int i = 0; i < m->nbody; i++) {
    int mocap = m->body_mocapid[i];
    if (mocap >= 0 && v3_dist(mpos + 3 * mocap, m->body_pos + 3 * i) > 0) {
      return 0;
    }
  }
  return !memcmp(m->key_qpos + (size_t)key * (size_t)m->nq, m->qpos0,
                 (size_t)m->nq * sizeof(mjtNum));
}

void check_initial_contact(Lint* l) {
  scan_contacts(l, -1);
  for (int key = 0; key < l->m->nkey; key++) {
    if (!is_reset(l, key)) {
      lint_pose(l, key);
      scan_contacts(l, key);
    }
  }
  lint_pose(l, -1);
}

// What makes two geoms equal (all but the id): body, type, mesh or height field, size and pose.
typedef struct GeomShape_ {
  int body, type, data;
  mjtNum value[10];  // size, pos, quat
  int id;
} GeomShape;

static int compare_shapes(const GeomShape* a, const GeomShape* b) {
  int d = a->body != b->body   ? a->body - b->body
          : a->type != b->type ? a->type - b->type
                               : a->data - b->data;
  for (int i = 0; i < 10 && d == 0; i++) {
    d = (a->value[i] > b->value[i]) - (a->value[i] < b->value[i]);
  }
  return d;
}

static int order_shapes(const void* left, const void* right) {
  const GeomShape *a = left, *b = right;
  int d = compare_shapes(a, b);
  return d ? d : a->id - b->id;
}

void check_duplicate_geom(Lint* l) {
  const mjModel* m = l->m;
  GeomShape* shape = heap_take(((size_t)m->ngeom + 1) * sizeof(GeomShape));
  int n = 0;
  for (int i = 0; i < m->ngeom; i++) {
    if (lint_collides(m, i)) {
      GeomShape* s = &shape[n++];
      *s = (GeomShape){m->geom_bodyid[i], m->geom_type[i], m->geom_dataid[i], {0}, i};
      mju_copy3(s->value, m->geom_size + 3 * i);
      mju_copy3(s->value + 3, m->geom_pos + 3 * i);
      mju_copy4(s->value + 6, m->geom_quat + 4 * i);
    }
  }
  qsort(shape, (size_t)n, sizeof(GeomShape), order_shapes);
  for (int i = 1, first = 0; i < n; i++) {
    if (compare_shapes(&shape[first], &shape[i]) != 0) {
      first = i;
      continue;
    }
    lint_warn(l, lint_id(l, mjOBJ_GEOM, shape[i].id),
              "remove one, or let one only be seen: contype=\"0\" conaffinity=\"0\"",
              "it is the same as %s of the same body: both collide, so every contact counts twice",
              lint_name(l, mjOBJ_GEOM, shape[first].id).text);
  }
  heap_free(shape);
}

// Whether the name of a default class contains 'visual', in capital or small letters.
static int is_visual_name(const char* name) {
  char lower[64];
  size_t n = strlen(name);
  n = n < sizeof(lower) - 1 ? n : sizeof(lower) - 1;
  for (size_t i = 0; i < n; i++) {
    lower[i] = (char)tolower((unsigned char)name[i]);
  }
  lower[n] = 0;
  return strstr(lower, "visual") != NULL;
}

// Whether a geom is a mesh in group 2 on a body with a colliding geom in group 3. By convention
// group 2 is visual and group 3 is for collisions.
static int has_collision_twin(const mjModel* m, int g) {
  if (m->geom_group[g] != 2 || m->geom_type[g] != mjGEOM_MESH) {
    return 0;
  }
  int body = m->geom_bodyid[g];
  for (int i = 0; i < m->body_geomnum[body]; i++) {
    int other = m->body_geomadr[body] + i;
    if (m->geom_group[other] == 3 && lint_collides(m, other)) {
      return 1;
    }
  }
  return 0;
}

void check_visual_collides(Lint* l) {
  const mjModel* m = l->m;
  const char* hint = "contype=\"0\" conaffinity=\"0\"";
  for (int i = 0; i < m->ngeom; i++) {
    LintSubject subject = lint_id(l, mjOBJ_GEOM, i);
    const char* class = subject.object ? subject.object->classname : "";
    if (!lint_collides(m, i)) {
      continue;
    }
    if (is_visual_name(class)) {
      lint_warn(l, subject, hint, "it is of class '%s', but collides (contype %d, conaffinity %d)",
                class, m->geom_contype[i], m->geom_conaffinity[i]);
    } else if (has_collision_twin(m, i)) {
      lint_warn(l, subject, hint,
                "a mesh in group 2, but it collides (contype %d, conaffinity %d) beside the geoms "
                "in group 3 of the same body",
                m->geom_contype[i], m->geom_conaffinity[i]);
    }
  }
}

// A contact exerts force only at distances below margin - gap. If that is negative, geoms penetrate
// before the force begins. With the behaviour marginband the force begins at the margin.
void check_gap_over_margin(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->ngeom + m->npair && !behaves(m, cndBEHAVIOUR_marginband); i++) {
    int pair = i - m->ngeom;
    mjtNum margin = pair < 0 ? m->geom_margin[i] : m->pair_margin[pair];
    mjtNum gap = pair < 0 ? m->geom_gap[i] : m->pair_gap[pair];
    if (gap > margin && (pair >= 0 || lint_collides(m, i))) {
      lint_warn(l, pair < 0 ? lint_id(l, mjOBJ_GEOM, i) : lint_id(l, mjOBJ_PAIR, pair),
                lint_hint(l, "margin=\"%.4g\", or a smaller gap", gap),
                "gap %.4g is larger than margin %.4g: geoms sink in %.4g m before a force acts",
                gap, margin, gap - margin);
    }
  }
}

// Geoms within the margin get contacts. A margin wider than the geom makes contacts with nearly
// everything around it.
void check_wide_margin(Lint* l) {
  const mjModel* m = l->m;
  for (int i = 0; i < m->ngeom; i++) {
    double margin = (double)m->geom_margin[i], half = (double)lint_thickness(m, i);
    if (margin > half && lint_collides(m, i)) {
      lint_warn(l, lint_id(l, mjOBJ_GEOM, i), lint_hint(l, "margin=\"%.2g\"", half / 10),
                "margin %.4g is larger than the geom's own half thickness, %.4g: contacts are made "
                "of what is far away",
                margin, half);
    }
  }
}

// Collision detection searches the vertices of a hull many times per contact.
void check_large_hull(Lint* l) {
  const mjModel* m = l->m;
  enum {
    LARGE = 200
  };
  for (int i = 0; i < m->nmesh; i++) {
    int used = 0;
    for (int g = 0; g < m->ngeom && !used; g++) {
      used = m->geom_type[g] == mjGEOM_MESH && m->geom_dataid[g] == i && lint_collides(m, g);
    }
    int size = m->mesh_graphadr[i] >= 0 ? m->mesh_graph[m->mesh_graphadr[i]] : 0;
    if (used && size > LARGE) {
      lint_warn(l, lint_id(l, mjOBJ_MESH, i), "maxhullvert=\"64\", or a simpler mesh to collide",
                "its convex hull, which collides, has %d vertices, more than %d: contacts are slow",
                size, LARGE);
    }
  }
}

// Sets all joints to pose i of a Halton sequence, which covers the joint ranges evenly.
static void scatter_joints(const mjModel* m, mjData* d, int i) {
  static const int prime[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  const int nprime = sizeof prime / sizeof *prime;
  for (int j = 0; j < m->njnt; j++) {
    mjtNum low = m->jnt_range[2 * j], high = m->jnt_range[2 * j + 1];
    mjtNum* qpos = d->qpos + m->jnt_qposadr[j];
    mjtNum part = mju_Halton(i + 1 + 13 * (j / nprime), prime[j % nprime]);
    if (m->jnt_type[j] == mjJNT_HINGE && !m->jnt_limited[j]) {
      low = (mjtNum)-mjPI;
      high = (mjtNum)mjPI;
    }
    if (m->jnt_type[j] == mjJNT_HINGE || (m->jnt_type[j] == mjJNT_SLIDE && m->jnt_limited[j])) {
      *qpos = low + part * (high - low);
    } else if (m->jnt_type[j] == mjJNT_BALL) {
      mjtNum axis[3] = {1 - 2 * part, mju_Halton(i + 1, 41) - (mjtNum)0.5, (mjtNum)0.25};
      v3_normalize(axis);
      q_axisangle(qpos, axis, part * (m->jnt_limited[j] ? high : (mjtNum)mjPI));
    }
  }
}

// Do the two geoms penetrate each other in the pose of d?
static int is_inside(const mjData* d, int g1, int g2) {
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* contact = d->contact + i;
    if (contact->geom[0] == g1 && contact->geom[1] == g2 && contact->dist < 0) {
      return 1;
    }
  }
  return 0;
}

// Reports geoms of one kinematic tree that penetrate at qpos0 and in every sampled pose, so that
// their contact force never ends. Those deeper than DEEP are already reported by
// check_initial_contact.
void check_constant_overlap(Lint* l) {
  const mjModel* m = l->m;
  enum {
    POSES = 64
  };
  int n = 0, capacity = l->d->ncon;
  int(*pair)[2] = heap_take(((size_t)capacity + 1) * sizeof *pair);
  for (int i = 0; i < capacity; i++) {
    const mjContact* contact = l->d->contact + i;
    mjtNum depth = relative_depth(m, contact);
    if (depth > 0 && depth <= DEEP && same_tree(m, contact->geom[0], contact->geom[1]) &&
        !(n && pair[n - 1][0] == contact->geom[0] && pair[n - 1][1] == contact->geom[1])) {
      pair[n][0] = contact->geom[0];
      pair[n++][1] = contact->geom[1];
    }
  }
  for (int pose = 0; pose < POSES && n; pose++) {
    scatter_joints(m, l->d, pose);
    mj_kinematics(m, l->d);
    mj_comPos(m, l->d);
    mj_collision(m, l->d);
    int left = 0;
    for (int i = 0; i < n; i++) {
      if (is_inside(l->d, pair[i][0], pair[i][1])) {
        pair[left][0] = pair[i][0];
        pair[left++][1] = pair[i][1];
      }
    }
    n = left;
  }
  for (int i = 0; i < n; i++) {
    LintName body1 = lint_name(l, mjOBJ_BODY, m->geom_bodyid[pair[i][0]]);
    LintName body2 = lint_name(l, mjOBJ_BODY, m->geom_bodyid[pair[i][1]]);
    lint_warn(l, lint_id(l, mjOBJ_GEOM, pair[i][1]),
              lint_hint(l, "<exclude> their bodies, %s and %s", body1.text, body2.text),
              "it is inside %s at the start and in each of %d poses all over the joints' ranges",
              lint_name(l, mjOBJ_GEOM, pair[i][0]).text, POSES);
  }
  heap_free(pair);
  lint_pose(l, -1);
}
