// resting.c: checks of shapes that don't come to rest on others as they should.

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>

#include "collision/broad/body_pairs.h"
#include "collision/complete.h"
#include "lint/checks.h"
#include "model/behaviour.h"
#include "model/meeting.h"

static int moves(const mjModel* m, int geom) {
  return m->body_weldid[m->geom_bodyid[geom]] != 0;
}

// Has the model no contacts at all?
static int without_contacts(const mjModel* m) {
  return (m->opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT)) != 0;
}

// Can two geoms of different bodies, one of which moves, have contacts?
static int may_meet(const mjModel* m, int g1, int g2) {
  int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  int bits = (m->geom_contype[g1] & m->geom_conaffinity[g2]) ||
             (m->geom_contype[g2] & m->geom_conaffinity[g1]);
  return bits && (moves(m, g1) || moves(m, g2)) && bodies_may_meet(m, b1, b2, NULL) &&
         !bodies_excluded(m, b1, b2);
}

// height fields
//
// A contact of time constant T that is hit with the speed v gives way by about 0.35 T v. Once the
// middle of a geom is below the surface of a height field, the nearest side of a prism is no longer
// its top. Contacts with the other sides then hold the geom or drag it down. The rule was compared
// with simulations of balls.

// Mean time constant of the contacts of two geoms; 0 if one is given in the direct form.
static mjtNum mean_time(const mjModel* m, int g1, int g2) {
  mjtNum t1 = m->geom_solref[mjNREF * g1], t2 = m->geom_solref[mjNREF * g2];
  return t1 > 0 && t2 > 0 ? (t1 + t2) / 2 : 0;
}

void check_thin_on_hfield(Lint* l) {
  const mjtNum speed = (mjtNum)3.13, part = (mjtNum)0.35;  // m/s, after a fall of half a metre
  const mjModel* m = l->m;
  for (int ground = 0; ground < m->ngeom && !without_contacts(m); ground++) {
    mjtNum worst = 1;
    int which = -1, count = 0;
    for (int g = 0; g < m->ngeom && m->geom_type[ground] == mjGEOM_HFIELD; g++) {
      mjtNum half = lint_thickness(m, g), give = part * speed * mean_time(m, ground, g);
      if (half < give && moves(m, g) && may_meet(m, ground, g)) {
        count++;
        if (half < worst * give) {
          worst = half / give;
          which = g;
        }
      }
    }
    if (which >= 0) {
      mjtNum half = lint_thickness(m, which);
      lint_warn(l, lint_id(l, mjOBJ_GEOM, which),
                lint_hint(l,
                          "solref=\"%.2g 1\" of both, a larger geom, or a box or plane for even "
                          "ground; a shorter timestep alone doesn't help",
                          half / (part * speed)),
                "half its thickness is %.2g m, but a fall of 0.5 m presses it %.2g m into %s: "
                "once its middle is below the surface, contacts pull it down%s",
                half, half / worst, lint_name(l, mjOBJ_GEOM, ground).text,
                lint_more("; so do %d more geoms", count - 1).text);
    }
  }
}

// single contacts

// Has a geom a flat face that it can stand on? A mesh has one if a polygon of its hull covers a
// tenth of the smallest side of the box around the mesh.
static int has_flat_face(const mjModel* m, int geom) {
  int type = m->geom_type[geom], mesh = m->geom_dataid[geom];
  if (type != mjGEOM_MESH) {
    return type == mjGEOM_BOX || type == mjGEOM_CYLINDER;
  }
  const mjtNum* half = m->geom_aabb + 6 * geom + 3;
  mjtNum least = num_min(half[0], num_min(half[1], half[2]));
  mjtNum largest = num_max(half[0], num_max(half[1], half[2]));
  mjtNum middle = half[0] + half[1] + half[2] - least - largest, area = 0;
  const float* vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  for (int p = 0; p < m->mesh_polynum[mesh]; p++) {
    int at = m->mesh_polyadr[mesh] + p;
    const int* corner = m->mesh_polyvert + m->mesh_polyvertadr[at];
    mjtNum sum[3] = {0};
    for (int k = 2; k < m->mesh_polyvertnum[at]; k++) {
      mjtNum e1[3], e2[3], cross[3];
      for (int x = 0; x < 3; x++) {
        mjtNum first = vert[3 * (size_t)corner[0] + (size_t)x];
        e1[x] = vert[3 * (size_t)corner[k - 1] + (size_t)x] - first;
        e2[x] = vert[3 * (size_t)corner[k] + (size_t)x] - first;
      }
      v3_cross(cross, e1, e2);
      v3_addtoscl(sum, cross, (mjtNum)0.5);
    }
    area = num_max(area, v3_norm(sum));
  }
  return area > (mjtNum)0.4 * least * middle;
}

// Does the geom belong to a free body, which can come to rest on other geoms?
static int lies_about(const mjModel* m, int geom) {
  int body = m->body_weldid[m->geom_bodyid[geom]];
  return body && lint_turns_alone(m, body) && m->jnt_type[m->body_jntadr[body]] == mjJNT_FREE;
}

// Do two geoms touch in several contacts in the pose of d?
static int lie_flat(const mjData* d, int g1, int g2) {
  int count = 0;
  for (int i = 0; i < d->ncon; i++) {
    const int* pair = d->contact[i].geom;
    count += (pair[0] == g1 && pair[1] == g2) || (pair[0] == g2 && pair[1] == g1);
  }
  return count > 1;
}

// Can a geom lie on a support so that two flat faces meet in a single contact? The support must
// stand still, or be below the geom at the start. Two boxes have a collider with more contacts.
static int meets_in_one(const Lint* l, int geom, int support) {
  const mjModel* m = l->m;
  int boxes = m->geom_type[geom] == mjGEOM_BOX && m->geom_type[support] == mjGEOM_BOX;
  return !boxes && may_meet(m, geom, support) && has_flat_face(m, support) &&
         (!moves(m, support) || lie_flat(l->d, geom, support));
}

// One finding, at the first geom that lies on its face.
void check_single_contact(Lint* l) {
  const mjModel* m = l->m;
  if (without_contacts(m) || several_asked(m) || v3_norm(m->opt.gravity) == 0) {
    return;
  }
  mjModel several = *m;
  several.opt.enableflags |= mjENBL_MULTICCD;
  several.opt.disableflags &= ~mjDSBL_MULTICCD;
  mj_collision(&several, l->d);
  int which = -1, other = -1, count = 0;
  for (int g = 0; g < m->ngeom; g++) {
    if (!lint_collides(m, g) || !lies_about(m, g) || !has_flat_face(m, g)) {
      continue;
    }
    for (int k = 0; k < m->ngeom; k++) {
      if (meets_in_one(l, g, k)) {
        count++;
        other = which < 0 ? k : other;
        which = which < 0 ? g : which;
        break;
      }
    }
  }
  lint_pose(l, -1);
  if (which >= 0) {
    lint_warn(l, lint_id(l, mjOBJ_GEOM, which), "<option><flag multiccd=\"enable\"/></option>",
              "where a face of it lies on one of %s there is one contact, which jumps from corner "
              "to corner: it never comes to rest, a cube of 0.1 m rattles with 0.02 m/s and 0.6 "
              "rad/s%s",
              lint_name(l, mjOBJ_GEOM, other).text,
              lint_more("; so do %d more geoms", count - 1).text);
  }
}

// flush boxes
//
// Two boxes whose faces touch and which share an edge, turned against each other by rounding only
// (1e-9 to 1e-7 rad), at times get a contact as deep as they are wide.

// The second box in the axes of the first, if their axes are parallel. Returns 0 if not.
static int box_in_box(mjtNum center[3], mjtNum half[3], const Lint* l, int g1, int g2) {
  const mjtNum parallel = (mjtNum)1e-6;
  const mjtNum *mat1 = l->d->geom_xmat + 9 * g1, *mat2 = l->d->geom_xmat + 9 * g2;
  const mjtNum* size = l->m->geom_size + 3 * g2;
  mjtNum offset[3], turn[9];
  v3_sub(offset, l->d->geom_xpos + 3 * g2, l->d->geom_xpos + 3 * g1);
  m3_tmulv(center, mat1, offset);
  mju_mulMatTMat(turn, mat1, mat2, 3, 3, 3);
  for (int i = 0; i < 3; i++) {
    half[i] = 0;
    for (int k = 0; k < 3; k++) {
      mjtNum along = mju_abs(turn[3 * i + k]);
      if (along > parallel && along < 1 - parallel) {
        return 0;
      }
      half[i] += along > parallel ? size[k] : 0;
    }
  }
  return 1;
}

// Do faces of two parallel boxes touch, so that they share an edge?
static int share_edge(const mjtNum size[3], const mjtNum center[3], const mjtNum half[3]) {
  const mjtNum gap = (mjtNum)1e-4, same = (mjtNum)1e-6;
  int touching = 0, flush = 0;
  for (int i = 0; i < 3; i++) {
    mjtNum apart = mju_abs(center[i]) - size[i] - half[i];
    mjtNum low = mju_abs(center[i] - half[i] + size[i]);
    mjtNum high = mju_abs(center[i] + half[i] - size[i]);
    touching += mju_abs(apart) < gap;
    flush += low < same || high < same;
  }
  return touching == 1 && flush == 2;
}

void check_flush_boxes(Lint* l) {
  const mjModel* m = l->m;
  int which = -1, other = -1, count = 0;
  int is_sound = without_contacts(m) || behaves(m, cndBEHAVIOUR_boxclip);
  for (int g1 = 0; g1 < m->ngeom && !is_sound; g1++) {
    for (int g2 = g1 + 1; g2 < m->ngeom && m->geom_type[g1] == mjGEOM_BOX; g2++) {
      mjtNum center[3], half[3];
      if (m->geom_type[g2] == mjGEOM_BOX && may_meet(m, g1, g2) &&
          v3_dist(l->d->geom_xpos + 3 * g1, l->d->geom_xpos + 3 * g2) <
              m->geom_rbound[g1] + m->geom_rbound[g2] &&
          box_in_box(center, half, l, g1, g2) && share_edge(m->geom_size + 3 * g1, center, half)) {
        count++;
        other = which < 0 ? g1 : other;
        which = which < 0 ? g2 : which;
      }
    }
  }
  if (which >= 0) {
    lint_warn(l, lint_id(l, mjOBJ_GEOM, which),
              "<option><behaviour boxclip=\"enable\"/></option>, make one smaller by 0.1 mm on all "
              "sides, or leave 1 mm between them",
              "it lies flush against %s, edge at edge: once rounding has turned them by 1e-8 rad, "
              "contacts at times are as deep as the boxes are wide, and throw them apart%s",
              lint_name(l, mjOBJ_GEOM, other).text,
              lint_more("; there are %d more such pairs", count - 1).text);
  }
}
