// flex_surface.c: the faces by which flexes are seen: each triangle apart and flat, or a smooth
// skin.
//
//   flat, radius r                    smooth                         N    N
//       ___________  v + r n             _.-'''-._  v + r N           \  /
//      |___________| v - r n            (_       _) v - r N         ---\/---
//                                                                 N mean of normals
//
// A sheet has two sides and, if smooth, a rim along its border; a solid shows its shell, or one
// layer of its tetrahedra.                                    theory/scenes.md, Surfaces of flexes

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/check.h"
#include "base/vec.h"
#include "scene/shape.h"
#include "view/surface.h"

// A flex and the faces of it that are in the scene so far.
typedef struct Surface_ {
  const mjModel* m;
  mjvScene* scn;
  int flex;
  const mjtNum* vert;  // places of vertices
  mjtNum radius;
  int used;  // faces

  // of smooth surfaces: normals of vertices, and vertices moved along them to both sides, as they
  // are in the scene
  const mjtNum* normal;
  const float *unit, *up, *down;
} Surface;

// Three corners of a face: vertices, and the coordinates of the texture that belong to them.
typedef struct Corners_ {
  int vert[3], texcoord[3];
} Corners;

// The places of the next face; NULL if there is no room for it.
static float* next_face(Surface* s, float** normal) {
  mjvScene* scn = s->scn;
  if (s->used >= scn->flexfacenum[s->flex]) {
    mju_error("mjv_updateScene: flex %d has more faces than the scene has room for, %d", s->flex,
              scn->flexfacenum[s->flex]);
    return NULL;
  }
  int face = scn->flexfaceadr[s->flex] + s->used++;
  *normal = scn->flexnormal + 9 * face;
  return scn->flexface + 9 * face;
}

static void set_texture(Surface* s, const int index[3]) {
  const mjModel* m = s->m;
  int adr = m->flex_texcoordadr[s->flex];
  if (adr < 0) {
    return;
  }
  float* out = s->scn->flextexcoord + 6 * (s->scn->flexfaceadr[s->flex] + s->used - 1);
  for (int k = 0; k < 3; k++) {
    int i = int_min(adr + index[k], m->nflextexcoord - 1);
    memcpy(out + 2 * k, m->flex_texcoord + 2 * i, 2 * sizeof(float));
  }
}

static void unit_normal(mjtNum out[3], const mjtNum* vert, const int corner[3]) {
  mjtNum a[3], b[3];
  v3_sub(a, vert + 3 * corner[1], vert + 3 * corner[0]);
  v3_sub(b, vert + 3 * corner[2], vert + 3 * corner[0]);
  v3_cross(out, a, b);
  v3_normalize(out);
}

// Corners a, b, c of element e.
static Corners element_corners(const Surface* s, int e, int a, int b, int c) {
  const mjModel* m = s->m;
  int adr = m->flex_elemdataadr[s->flex] + e * (m->flex_dim[s->flex] + 1);
  const int *vert = m->flex_elem + adr, *texcoord = m->flex_elemtexcoord + adr;
  return (Corners){{vert[a], vert[b], vert[c]}, {texcoord[a], texcoord[b], texcoord[c]}};
}

// Corners of a triangle of the shell of a solid; its vertices have the coordinates of their number.
static Corners shell_corners(const Surface* s, int i) {
  const int* vert = s->m->flex_shell + s->m->flex_shelldataadr[s->flex] + 3 * i;
  return (Corners){{vert[0], vert[1], vert[2]}, {vert[0], vert[1], vert[2]}};
}

// flat faces

static int add_flat(Surface* s, Corners corners) {
  float *normal, *face = next_face(s, &normal);
  if (!face) {
    return 0;
  }
  mjtNum n[3], x[3];
  unit_normal(n, s->vert, corners.vert);
  for (int k = 0; k < 3; k++) {
    v3_addscl(x, s->vert + 3 * corners.vert[k], n, s->radius);
    scene_round3(face + 3 * k, x);
    scene_round3(normal + 3 * k, n);
  }
  set_texture(s, corners.texcoord);
  return 1;
}

// Both sides of each triangle of a sheet, the sides of each tetrahedron of a layer of a solid.
static void flat_surface(Surface* s, int layer) {
  static const int sides[2][4][3] = {{{0, 1, 2}, {0, 2, 1}},
                                     {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
  const mjModel* m = s->m;
  int solid = m->flex_dim[s->flex] == 3;
  const int* layers = m->flex_elemlayer + m->flex_elemadr[s->flex];
  for (int e = 0; e < m->flex_elemnum[s->flex]; e++) {
    if (solid && layers[e] != layer) {
      continue;
    }
    for (int k = 0; k < (solid ? 4 : 2); k++) {
      const int* side = sides[solid][k];
      if (!add_flat(s, element_corners(s, e, side[0], side[1], side[2]))) {
        return;
      }
    }
  }
}

// smooth faces

// Adds the normals of the triangles at each vertex, n triangles of `stride` numbers.
static void add_normals(mjtNum* normal, const mjtNum* vert, const int* corner, int stride, int n) {
  for (int i = 0; i < n; i++, corner += stride) {
    mjtNum here[3];
    unit_normal(here, vert, corner);
    for (int k = 0; k < 3; k++) {
      v3_addto(normal + 3 * corner[k], here);
    }
  }
}

// Normals of the vertices, and the vertices moved along them.
static void smooth_vertices(Surface* s, mjtNum* normal, float* rounded) {
  const mjModel* m = s->m;
  int flex = s->flex, n = m->flex_vertnum[flex];
  float *unit = rounded, *up = unit + 3 * n, *down = up + 3 * n;
  mju_zero(normal, 3 * n);
  if (m->flex_dim[flex] == 2) {
    add_normals(normal, s->vert, m->flex_elem + m->flex_elemdataadr[flex], 3,
                m->flex_elemnum[flex]);
  } else {
    add_normals(normal, s->vert, m->flex_shell + m->flex_shelldataadr[flex], 3,
                m->flex_shellnum[flex]);
  }
  for (int i = 0; i < 3 * n; i += 3) {
    mjtNum above[3], below[3];
    v3_normalize(normal + i);
    v3_addscl(above, s->vert + i, normal + i, s->radius);
    v3_addscl(below, s->vert + i, normal + i, -s->radius);
    scene_round3(unit + i, normal + i);
    scene_round3(up + i, above);
    scene_round3(down + i, below);
  }
  s->normal = normal;
  s->unit = unit;
  s->up = up;
  s->down = down;
}

// A face on the upper or lower side. Normals point away from it; those of a flat skin are of the
// face as it is turned, so both sides have that of the upper one.
static int add_smooth(Surface* s, Corners corners, int upper) {
  float *normal, *face = next_face(s, &normal);
  if (!face) {
    return 0;
  }
  float sign = upper && s->radius > 0 ? 1 : -1;
  mjtNum flat[3];
  float own[3];
  int is_flat = s->m->flex_flatskin[s->flex];
  if (is_flat) {
    unit_normal(flat, s->vert, corners.vert);
    scene_round3(own, flat);
  }
  for (int k = 0; k < 3; k++) {
    int v = 3 * corners.vert[k];
    const float* n = is_flat ? own : s->unit + v;
    memcpy(face + 3 * k, (upper ? s->up : s->down) + v, 3 * sizeof(float));
    for (int i = 0; i < 3; i++) {
      normal[3 * k + i] = sign * n[i];
    }
  }
  set_texture(s, corners.texcoord);
  return 1;
}

// Half of a strip of the rim between vertices p and q: p on one side, q on both.
static int add_rim(Surface* s, int p, int q, int upper) {
  float *normal, *face = next_face(s, &normal);
  if (!face) {
    return 0;
  }
  const float *near = upper ? s->up : s->down, *other = upper ? s->down : s->up;
  memcpy(face, near + 3 * p, 3 * sizeof(float));
  memcpy(face + 3, other + 3 * q, 3 * sizeof(float));
  memcpy(face + 6, near + 3 * q, 3 * sizeof(float));
  mjtNum side[3], n[3];
  v3_sub(side, s->vert + 3 * q, s->vert + 3 * p);
  v3_cross(n, side, s->normal + 3 * q);
  v3_scl(n, n, upper && s->radius > 0 ? 1 : -1);
  v3_normalize(n);
  for (int k = 0; k < 3; k++) {
    scene_round3(normal + 3 * k, n);
  }
  const int texcoord[3] = {p, q, q};
  set_texture(s, texcoord);
  return 1;
}

static void smooth_faces(Surface* s) {
  const mjModel* m = s->m;
  int flex = s->flex, shells = m->flex_shellnum[flex];
  if (m->flex_dim[flex] == 3) {
    for (int i = 0; i < shells && add_smooth(s, shell_corners(s, i), 1); i++) {
    }
    return;
  }
  for (int e = 0; e < m->flex_elemnum[flex]; e++) {
    if (!add_smooth(s, element_corners(s, e, 0, 1, 2), 1) ||
        !add_smooth(s, element_corners(s, e, 0, 2, 1), 0)) {
      return;
    }
  }
  const int* rim = m->flex_shell + m->flex_shelldataadr[flex];
  for (int i = 0; i < shells; i++, rim += 2) {
    if (!add_rim(s, rim[0], rim[1], 1) || !add_rim(s, rim[1], rim[0], 0)) {
      return;
    }
  }
}

static void smooth_surface(Surface* s, mjData* d) {
  size_t numbers = 3 * (size_t)s->m->flex_vertnum[s->flex];
  mj_markStack(d);
  mjtNum* normal = mj_stackAllocNum(d, numbers);
  float* rounded = mj_stackAllocByte(d, 3 * numbers * sizeof(float), sizeof(float));
  if (normal && rounded) {
    smooth_vertices(s, normal, rounded);
    smooth_faces(s);
  }
  mj_freeStack(d);
}

int check_surfaces(const char* function, const mjModel* m, const mjvScene* scn) {
  int same = scn->nflex == m->nflex && scn->nskin == m->nskin;
  for (int i = 0; same && i < m->nflex; i++) {
    same = scn->flexvertadr[i] == m->flex_vertadr[i] && scn->flexvertnum[i] == m->flex_vertnum[i];
  }
  for (int i = 0; same && i < m->nskin; i++) {
    same = scn->skinvertadr[i] == m->skin_vertadr[i] && scn->skinvertnum[i] == m->skin_vertnum[i];
  }
  if (!same) {
    mju_error("%s: the scene was made for a model with other flexes or skins", function);
  }
  return same;
}

void update_flexes(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn) {
  scn->flexvertopt = opt->flags[mjVIS_FLEXVERT];
  scn->flexedgeopt = opt->flags[mjVIS_FLEXEDGE];
  scn->flexfaceopt = opt->flags[mjVIS_FLEXFACE];
  scn->flexskinopt = opt->flags[mjVIS_FLEXSKIN];
  for (int i = 0; i < 3 * m->nflexvert; i++) {
    scn->flexvert[i] = (float)d->flexvert_xpos[i];
  }
  for (int flex = 0; flex < m->nflex; flex++) {
    Surface s = {.m = m,
                 .scn = scn,
                 .flex = flex,
                 .vert = d->flexvert_xpos + 3 * m->flex_vertadr[flex],
                 .radius = m->flex_radius[flex]};
    if (m->flex_dim[flex] > 1 && scn->flexskinopt) {
      smooth_surface(&s, d);
    } else if (m->flex_dim[flex] > 1 && scn->flexfaceopt) {
      flat_surface(&s, opt->flex_layer);
    }
    scn->flexfaceused[flex] = s.used;
  }
}
