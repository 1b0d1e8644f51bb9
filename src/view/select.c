// select.c: what is under the mouse: the first geom, flex or skin that a ray from the eye meets.

#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/view.h>

#include "base/algebra/vec.h"
#include "model/cage.h"
#include "model/checks/pair.h"
#include "view/surface.h"

// A ray from the eye, and its nearest hit so far.
typedef struct Pick_ {
  mjtNum from[3], along[3];
  mjtNum nearest;  // -1: nothing
  int body, geom, flex, skin;
  mjtNum point[3];
} Pick;

// Makes the ray through a position in the picture; (0, 0) is the lower left corner.
static int find_ray(Pick* pick, const mjvScene* scn, mjtNum aspectratio, mjtNum relx, mjtNum rely) {
  mjtNum head[3] = {0}, forward[3] = {1, 0, 0}, up[3] = {0, 0, 1}, left[3];
  mjvGLCamera eye = mjv_averageCamera(scn->camera, scn->camera + 1);
  mjv_cameraInModel(head, forward, up, scn);
  v3_cross(left, up, forward);
  v3_normalize(left);
  mjtNum bottom = (mjtNum)eye.frustum_bottom;
  mjtNum height = (mjtNum)(eye.frustum_top - eye.frustum_bottom);
  mjtNum upward = bottom + rely * height;
  mjtNum leftward = -((mjtNum)eye.frustum_center + (2 * relx - 1) * aspectratio * height / 2);
  mjtNum side[3];
  v3_scl(side, up, upward);
  v3_addtoscl(side, left, leftward);
  if (eye.orthographic) {
    v3_add(pick->from, head, side);
    v3_copy(pick->along, forward);
  } else {
    v3_copy(pick->from, head);
    v3_addscl(pick->along, side, forward, (mjtNum)eye.frustum_near);
    v3_normalize(pick->along);
  }
  return eye.frustum_near > 0;
}

// Is a hit the first one so far?
static int is_nearer(Pick* pick, mjtNum x) {
  if (x < 0 || (pick->nearest >= 0 && x >= pick->nearest)) {
    return 0;
  }
  pick->nearest = x;
  pick->geom = pick->flex = pick->skin = -1;
  return 1;
}

static void try_geoms(Pick* pick, const mjModel* m, const mjData* d, const mjvOption* vopt) {
  int geom = -1;
  mjtNum x =
      mj_ray(m, d, pick->from, pick->along, vopt->geomgroup, vopt->flags[mjVIS_STATIC], -1, &geom);
  if (is_nearer(pick, x)) {
    pick->geom = geom;
    pick->body = m->geom_bodyid[geom];
    v3_addscl(pick->point, pick->from, pick->along, x);
  }
}

// Selects the node of an interpolated flex: the corner of its cage on the same side as the vertex.
static void take_corner(Pick* pick, const mjModel* m, const mjData* d, int flex, int vert) {
  FlexShare share;
  int best = 0;
  flex_share(&share, m, flex, m->flex_vert0 + 3 * vert);
  for (int i = 1; i < share.n; i++) {
    best = share.weight[i] > share.weight[best] ? i : best;
  }
  int node = m->flex_nodeadr[flex] + share.node[best];
  pick->body = m->flex_nodebodyid[node];
  v3_copy(pick->point, d->xpos + 3 * pick->body);
  if (!m->flex_centered[flex]) {
    v3_toworld(pick->point, m->flex_node + 3 * node, d->xpos + 3 * pick->body,
               d->xmat + 9 * pick->body);
  }
}

static void try_flexes(Pick* pick, const mjModel* m, const mjData* d, const mjvOption* vopt) {
  mjtByte vert = vopt->flags[mjVIS_FLEXVERT], edge = vopt->flags[mjVIS_FLEXEDGE];
  mjtByte face = vopt->flags[mjVIS_FLEXFACE], skin = vopt->flags[mjVIS_FLEXSKIN];
  for (int i = 0; (vert || edge || face || skin) && i < m->nflex; i++) {
    int hit = -1;
    mjtNum x = mju_rayFlex(m, d, vopt->flex_layer, vert, edge, face, skin, i, pick->from,
                           pick->along, &hit);
    if (hit < 0 || !is_nearer(pick, x)) {
      continue;
    }
    pick->flex = i;
    hit += m->flex_vertadr[i];
    if (m->flex_interp[i]) {
      take_corner(pick, m, d, i, hit);
    } else {
      pick->body = m->flex_vertbodyid[hit];
      v3_copy(pick->point, d->flexvert_xpos + 3 * hit);
    }
  }
}

// The body of the bone that moves a vertex of a skin most; -1 if none does.
static int heaviest_body(const mjModel* m, int skin, int vert) {
  int body = -1, first = m->skin_boneadr[skin];
  float most = 0;
  for (int bone = first; bone < first + m->skin_bonenum[skin]; bone++) {
    int adr = m->skin_bonevertadr[bone];
    for (int i = adr; i < adr + m->skin_bonevertnum[bone]; i++) {
      if (m->skin_bonevertid[i] == vert && m->skin_bonevertweight[i] > most) {
        most = m->skin_bonevertweight[i];
        body = m->skin_bonebodyid[bone];
      }
    }
  }
  return body;
}

// Tests skins where the last picture has drawn them.
static void try_skins(Pick* pick, const mjModel* m, const mjvOption* vopt, const mjvScene* scn) {
  for (int i = 0; vopt->flags[mjVIS_SKIN] && i < m->nskin; i++) {
    const float* vert = scn->skinvert + 3 * m->skin_vertadr[i];
    int hit = -1;
    mjtNum x =
        mju_raySkin(m->skin_facenum[i], m->skin_vertnum[i], m->skin_face + 3 * m->skin_faceadr[i],
                    vert, pick->from, pick->along, &hit);
    int body = hit >= 0 ? heaviest_body(m, i, hit) : -1;
    if (body >= 0 && is_nearer(pick, x)) {
      pick->skin = i;
      pick->body = body;
      mju_f2n(pick->point, vert + 3 * hit, 3);
    }
  }
}

static void give(int* id, int value) {
  if (id) {
    *id = value;
  }
}

int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio,
               mjtNum relx, mjtNum rely, const mjvScene* scn, mjtNum selpnt[3], int geomid[1],
               int flexid[1], int skinid[1]) {
  check_pair(m, d);
  check_given(vopt, scn, selpnt);
  Pick pick = {.nearest = -1, .body = -1, .geom = -1, .flex = -1, .skin = -1};
  if (find_ray(&pick, scn, aspectratio, relx, rely)) {
    try_geoms(&pick, m, d, vopt);
    try_flexes(&pick, m, d, vopt);
    if (vopt->flags[mjVIS_SKIN] && m->nskin && check_surfaces("mjv_select", m, scn)) {
      try_skins(&pick, m, vopt, scn);
    }
  }
  give(geomid, pick.geom);
  give(flexid, pick.flex);
  give(skinid, pick.skin);
  if (pick.nearest >= 0) {
    v3_copy(selpnt, pick.point);
  }
  return pick.body;
}
