// tendon.c: tendons, tight along their path or slack like a rope.

#include "view/draw/tendon.h"

#include <mujoco/api/base.h>

#include "base/transmission.h"
#include "model/terms.h"
#include "view/draw/catenary.h"
#include "view/draw/color.h"
#include "view/draw/elements.h"

enum {
  PULLEY = -2,  // wrap_obj of a place where the path begins anew
};

// Takes a shape like another one, between two points.
static mjvGeom* take_like(Picture* p, const mjvGeom* like, mjtNum width, const mjtNum from[3],
                          const mjtNum to[3]) {
  mjvGeom* geom = take_shape(p, like->objtype, like->objid, like->category);
  if (geom) {
    int segid = geom->segid;
    *geom = *like;
    geom->segid = segid;
    scene_connect(geom, mjGEOM_CAPSULE, width, from, to);
  }
  return geom;
}

void draw_path(Picture* p, int tendon, mjtNum width, const mjvGeom* like) {
  const mjData* d = p->d;
  mjvGeom next = *like;
  int first = d->ten_wrapadr[tendon], last = first + d->ten_wrapnum[tendon] - 1;
  for (int j = first; j < last; j++) {
    const int* object = d->wrap_obj + j;
    if (object[0] != PULLEY && object[1] != PULLEY) {
      int inside = object[0] >= 0 && object[1] >= 0;
      if (!take_like(p, &next, inside ? width / 2 : width, d->wrap_xpos + 3 * j,
                     d->wrap_xpos + 3 * j + 3)) {
        return;
      }
    }
    next.label[0] = 0;
  }
}

// The largest length at which a tendon pulls with no force, 0 if there is none: the rest length of
// a spring that only pulls, or the limit of a rope.
static mjtNum slack_length(const mjModel* m, const mjData* d, int tendon) {
  const mjtNum *rest = m->tendon_lengthspring + 2 * tendon, *range = m->tendon_range + 2 * tendon;
  int pulls = terms_any(terms_tendon_spring(m, tendon));
  if (pulls && m->tendon_stiffness[tendon] >= 0 && rest[0] == 0 && rest[1] > 0) {
    return rest[1];
  }
  if (!pulls && m->tendon_limited[tendon] && range[0] == 0 && d->ten_length[tendon] < range[1]) {
    return range[1];
  }
  return 0;
}

static int is_driven(const mjModel* m, int tendon) {
  for (int i = 0; i < (int)m->nactuator; i++) {
    if (actuator_tendon(m, i) == tendon) {
      return 1;
    }
  }
  return 0;
}

// The length of the rope that a tendon is drawn as, 0 if it is drawn straight. A rope hangs between
// two sites, has no other forces, and gravity pulls it down.
static mjtNum rope_length(const mjModel* m, const mjData* d, int tendon) {
  if ((m->opt.disableflags & mjDSBL_GRAVITY) || v3_norm(m->opt.gravity) < mjMINVAL ||
      m->tendon_num[tendon] != 2 || d->ten_wrapnum[tendon] != 2 ||
      terms_any(terms_tendon_damper(m, tendon)) || m->tendon_frictionloss[tendon] != 0) {
    return 0;
  }
  mjtNum length = slack_length(m, d, tendon);
  return length > 0 && !is_driven(m, tendon) ? length : 0;
}

static void draw_rope(Picture* p, int tendon, mjtNum length, const mjvGeom* like) {
  const mjModel* m = p->m;
  const mjtNum* end = p->d->wrap_xpos + 3 * p->d->ten_wrapadr[tendon];
  mjtNum point[CATENARY_POINTS][3];
  int n = int_max(2, int_min(CATENARY_POINTS, m->vis.quality.numslices + 1));
  n = catenary(point, end, end + 3, m->opt.gravity, length, n);
  for (int i = 0; i + 1 < n; i++) {
    if (!take_like(p, like, m->tendon_width[tendon], point[i], point[i + 1])) {
      return;
    }
  }
}

void draw_tendon(Picture* p, int tendon) {
  const mjModel* m = p->m;
  const mjData* d = p->d;
  int material = m->tendon_matid[tendon];
  if (d->ten_wrapnum[tendon] < 2) {
    return;
  }
  mjvGeom like = scene_blank;
  float rgba[4];
  memcpy(rgba, m->tendon_rgba + 4 * tendon, sizeof(rgba));
  like.objtype = mjOBJ_TENDON;
  like.objid = tendon;
  like.category = mjCAT_DYNAMIC;
  set_label(p, &like, mjLABEL_TENDON, mjOBJ_TENDON, tendon);

  mjtNum length = rope_length(m, d, tendon);
  if (length > 0) {
    set_material(p, &like, material, rgba);
    draw_rope(p, tendon, length, &like);
    return;
  }
  if (material == -1 && is_usual_color(rgba)) {
    limit_color(rgba, p, mjCNSTR_LIMIT_TENDON, tendon);
  }
  set_material(p, &like, material, rgba);
  if (IS_SHOWN(p, ISLAND)) {
    set_texture(m, &like, -1);
    row_color(like.rgba, d, d->nisland ? d->tendon_efcadr[tendon] : -1);
  }
  draw_path(p, tendon, m->tendon_width[tendon], &like);
}
