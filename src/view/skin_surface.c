// skin_surface.c: skins, whose vertices follow the bodies that they are bound to.
//
//   x = sum over bones of weight (R v + t),   R, t: from where the bone was bound to where it is
//
// A normal is the mean of those of the triangles around a vertex, large ones counting more.

#include <mujoco/api/base.h>
#include <mujoco/api/view.h>
#include <string.h>

#include "base/vec.h"
#include "model/pair.h"
#include "view/surface.h"

// The way of a bone since it was bound.
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

static void move_vertices(float* vert, const mjModel* m, const mjData* d, int skin) {
  const float* bound = m->skin_vert + 3 * m->skin_vertadr[skin];
  int first = m->skin_boneadr[skin];
  for (int bone = first; bone < first + m->skin_bonenum[skin]; bone++) {
    mjtNum R[9], t[3];
    bone_motion(R, t, m, d, bone);
    const int* id = m->skin_bonevertid + m->skin_bonevertadr[bone];
    const float* weight = m->skin_bonevertweight + m->skin_bonevertadr[bone];
    for (int i = 0; i < m->skin_bonevertnum[bone]; i++) {
      const float* from = bound + 3 * id[i];
      float* to = vert + 3 * id[i];
      const mjtNum v[3] = {(mjtNum)from[0], (mjtNum)from[1], (mjtNum)from[2]};
      mjtNum x[3];
      v3_toworld(x, v, t, R);
      for (int k = 0; k < 3; k++) {
        to[k] += weight[i] * (float)x[k];
      }
    }
  }
}

static void find_normals(float* normal, const float* vert, const mjModel* m, int skin) {
  const int* face = m->skin_face + 3 * m->skin_faceadr[skin];
  for (int i = 0; i < m->skin_facenum[skin]; i++, face += 3) {
    const float *x = vert + 3 * face[0], *y = vert + 3 * face[1], *z = vert + 3 * face[2];
    float a[3], b[3];
    for (int k = 0; k < 3; k++) {
      a[k] = y[k] - x[k];
      b[k] = z[k] - x[k];
    }
    const float n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                        a[0] * b[1] - a[1] * b[0]};
    for (int corner = 0; corner < 3; corner++) {
      for (int k = 0; k < 3; k++) {
        normal[3 * face[corner] + k] += n[k];
      }
    }
  }
  for (int i = 0; i < 3 * m->skin_vertnum[skin]; i += 3) {
    float* n = normal + i;
    float size = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    float scale = 1 / (size > (float)mjMINVAL ? size : (float)mjMINVAL);
    for (int k = 0; k < 3; k++) {
      n[k] *= scale;
    }
  }
}

void update_skins(const mjModel* m, const mjData* d, const mjvOption* opt, mjvScene* scn) {
  for (int skin = 0; skin < m->nskin; skin++) {
    int n = 3 * m->skin_vertnum[skin];
    float* vert = scn->skinvert + 3 * m->skin_vertadr[skin];
    float* normal = scn->skinnormal + 3 * m->skin_vertadr[skin];
    memset(vert, 0, sizeof(float) * (size_t)n);
    memset(normal, 0, sizeof(float) * (size_t)n);
    if (!opt->skingroup[int_max(0, int_min(mjNGROUP - 1, m->skin_group[skin]))]) {
      continue;
    }
    move_vertices(vert, m, d, skin);
    find_normals(normal, vert, m, skin);
    if (m->skin_inflate[skin] != 0) {
      for (int i = 0; i < n; i++) {
        vert[i] += m->skin_inflate[skin] * normal[i];
      }
    }
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
