// skin_surface.c: skins, whose vertices follow the bodies that they are bound to.
//
//   x = sum over bones of weight (R v + t),   R, t: from where the bone was bound to where it is
//
// A normal is the mean of those of the triangles around a vertex, large ones counting more.

#include <mujoco/api/base.h>
#include <mujoco/api/view.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "model/checks/pair.h"
#include "scene/shape.h"
#include "view/draw/picture.h"
#include "view/surface.h"

// The motion of a bone since it was bound.
static void bone_motion(mjtNum R[9], mjtNum t[3], const mjModel* m, const mjData* d, int bone) {
  int body = m->skin_bonebodyid[bone];
  mjtNum pos[3], quat[4], back[4], turn[4], turned[3];
  mju_f2n(pos, m->skin_bonebindpos + 3 * bone, 3);
  mju_f2n(quat, m->skin_bonebindquat + 4 * bone, 4);
  q_conj(back, quat);
  q_mul(turn, d->xquat + 4 * body, back);
  q_tomat(R, turn);
  m3_mulv(turned, R, pos);
  v3_sub(t, d->xpos + 3 * body, turned);
}

// Adds the contribution of one bone to its n vertices.
KERNEL static void move_vertices(float* vert, const float* bound, const int* id,
                                 const float* weight, int n, const mjtNum R[9], const mjtNum t[3]) {
  const Simd4 column[3] = {{R[0], R[3], R[6], 0}, {R[1], R[4], R[7], 0}, {R[2], R[5], R[8], 0}};
  const Simd4 shift = {t[0], t[1], t[2], 0};
  for (int i = 0; i < n; i++) {
    const float* v = bound + 3 * id[i];
    float* to = vert + 3 * id[i];
    Simd4 x = (mjtNum)v[0] * column[0] + (mjtNum)v[1] * column[1] + (mjtNum)v[2] * column[2];
    SceneFloat4 part = weight[i] * __builtin_convertvector(x + shift, SceneFloat4);
    to[0] += part[0];
    to[1] += part[1];
    to[2] += part[2];
  }
}

static void move_skin(float* vert, const mjModel* m, const mjData* d, int skin) {
  int first = m->skin_boneadr[skin];
  for (int bone = first; bone < first + m->skin_bonenum[skin]; bone++) {
    mjtNum R[9], t[3];
    int adr = m->skin_bonevertadr[bone];
    bone_motion(R, t, m, d, bone);
    move_vertices(vert, m->skin_vert + 3 * m->skin_vertadr[skin], m->skin_bonevertid + adr,
                  m->skin_bonevertweight + adr, m->skin_bonevertnum[bone], R, t);
  }
}

KERNEL static void add_normals(float* normal, const float* vert, const int* face, int n) {
  for (int i = 0; i < n; i++, face += 3) {
    const float *x = vert + 3 * face[0], *y = vert + 3 * face[1], *z = vert + 3 * face[2];
    float a0 = y[0] - x[0], a1 = y[1] - x[1], a2 = y[2] - x[2];
    float b0 = z[0] - x[0], b1 = z[1] - x[1], b2 = z[2] - x[2];
    float n0 = a1 * b2 - a2 * b1, n1 = a2 * b0 - a0 * b2, n2 = a0 * b1 - a1 * b0;
    for (int corner = 0; corner < 3; corner++) {
      float* to = normal + 3 * face[corner];
      to[0] += n0;
      to[1] += n1;
      to[2] += n2;
    }
  }
}

// Makes normals unit vectors, and moves vertices along them.
KERNEL static void inflate_skin(float* restrict vert, float* restrict normal, int n,
                                float inflate) {
  const float least = (float)mjMINVAL;
  for (int i = 0; i < 3 * n; i += 3) {
    float x = normal[i], y = normal[i + 1], z = normal[i + 2];
    float size = sqrtf(x * x + y * y + z * z), scale = 1 / (size > least ? size : least);
    normal[i] = x * scale;
    normal[i + 1] = y * scale;
    normal[i + 2] = z * scale;
    vert[i] += inflate * normal[i];
    vert[i + 1] += inflate * normal[i + 1];
    vert[i + 2] += inflate * normal[i + 2];
  }
}

void update_skins(const mjModel* m, const mjData* d, const mjvOption* opt, mjvScene* scn) {
  for (int skin = 0; skin < m->nskin; skin++) {
    int n = 3 * m->skin_vertnum[skin];
    float* vert = scn->skinvert + 3 * m->skin_vertadr[skin];
    float* normal = scn->skinnormal + 3 * m->skin_vertadr[skin];
    memset(vert, 0, sizeof(float) * (size_t)n);
    memset(normal, 0, sizeof(float) * (size_t)n);
    if (!is_group_shown(opt->skingroup, m->skin_group[skin])) {
      continue;
    }
    move_skin(vert, m, d, skin);
    add_normals(normal, vert, m->skin_face + 3 * m->skin_faceadr[skin], m->skin_facenum[skin]);
    inflate_skin(vert, normal, m->skin_vertnum[skin], m->skin_inflate[skin]);
  }
}

void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn) {
  check_pair(m, d);
  check_given(scn);
  if (!check_surfaces(__func__, m, scn)) {
    return;
  }
  mjvOption usual;
  mjv_defaultOption(&usual);
  update_skins(m, d, &usual, scn);
}
