// flex_skin.c: smooth surfaces of flexes.
//
//        N_a                    N mean of the unit normals of the triangles around a vertex
//       --^--  a + r N_a        upper side: corners a, b, c
//    a .     :                  lower side: a, c, b, so that it is seen from below
//       -----   a - r N_a       rim of a sheet: two triangles for each piece of its border
//
// Corners of faces are gathered from vertices that were moved and rounded once. Vectors have four
// components, of which the last is not used: with them surfaces of sheets take a third of the time.
//                                                             theory/scenes.md, Surfaces of flexes

#include "view/flex_skin.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/simd.h"
#include "base/vec.h"
#include "scene/shape.h"

// A surface in the making, an element for each vertex of the flex.
typedef struct Skin_ {
  const mjtNum* vert;
  mjtNum radius;
  Simd4* normal;
  SceneFloat4 *unit, *up, *down;  // as they are in the scene: normal, vertex on either side
} FlexSkin;

INLINE Simd4 load3(const mjtNum x[3]) {
  return (Simd4){x[0], x[1], x[2], 0};
}

INLINE Simd4 turn_axes(Simd4 v) {
  return SIMD4_ORDER(v, 1, 2, 0, 3);
}

INLINE Simd4 cross4(Simd4 a, Simd4 b) {
  return turn_axes(a * turn_axes(b) - turn_axes(a) * b);
}

// v of length 1; the x axis if it is shorter than mjMINVAL.
INLINE Simd4 unit4(Simd4 v) {
  Simd4 square = v * v;
  mjtNum norm = mju_sqrt(square[0] + square[1] + square[2]);
  if (norm < mjMINVAL) {
    return (Simd4){1, 0, 0, 0};
  }
  return v * (1 / norm);
}

// Adds the normals of n triangles to their corners.
KERNEL static void add_normals(Simd4* normal, const mjtNum* vert, const int* corner, int n) {
  for (int i = 0; i < n; i++, corner += 3) {
    Simd4 a = load3(vert + 3 * corner[0]), b = load3(vert + 3 * corner[1]);
    Simd4 c = load3(vert + 3 * corner[2]);
    Simd4 up = unit4(cross4(b - a, c - a));
    normal[corner[0]] += up;
    normal[corner[1]] += up;
    normal[corner[2]] += up;
  }
}

// Normals of length 1, and vertices on both sides.
KERNEL static void move_vertices(const FlexSkin* skin, int n) {
  for (int i = 0; i < n; i++) {
    Simd4 x = load3(skin->vert + 3 * i), up = unit4(skin->normal[i]);
    skin->normal[i] = up;
    skin->unit[i] = __builtin_convertvector(up, SceneFloat4);
    skin->up[i] = __builtin_convertvector(x + skin->radius * up, SceneFloat4);
    skin->down[i] = __builtin_convertvector(x - skin->radius * up, SceneFloat4);
  }
}

// Three vectors of three components, one after the other.
INLINE void put3(float out[9], SceneFloat4 a, SceneFloat4 b, SceneFloat4 c) {
  *(SceneFloat4*)(void*)out = a;
  *(SceneFloat4*)(void*)(out + 3) = b;
  memcpy(out + 6, &c, 3 * sizeof(float));
}

// Normals of a side point away from the flex; both sides have the same without a radius.
KERNEL static void write_upper(float* face, float* normal, const FlexSkin* skin, const int* corner,
                               int n, int stride) {
  float sign = skin->radius > 0 ? 1 : -1;
  for (int i = 0; i < n; i++, corner += 3, face += stride, normal += stride) {
    int a = corner[0], b = corner[1], c = corner[2];
    put3(face, skin->up[a], skin->up[b], skin->up[c]);
    put3(normal, sign * skin->unit[a], sign * skin->unit[b], sign * skin->unit[c]);
  }
}

KERNEL static void write_lower(float* face, float* normal, const FlexSkin* skin, const int* corner,
                               int n, int stride) {
  for (int i = 0; i < n; i++, corner += 3, face += stride, normal += stride) {
    int a = corner[0], b = corner[2], c = corner[1];
    put3(face, skin->down[a], skin->down[b], skin->down[c]);
    put3(normal, -skin->unit[a], -skin->unit[b], -skin->unit[c]);
  }
}

// A triangle of the rim between vertices p and q: p on one side, q on both.
INLINE void write_rim(float* face, float* normal, const FlexSkin* skin, const SceneFloat4* near,
                      const SceneFloat4* far, int p, int q, mjtNum sign) {
  Simd4 side = load3(skin->vert + 3 * q) - load3(skin->vert + 3 * p);
  SceneFloat4 n = __builtin_convertvector(unit4(sign * cross4(side, skin->normal[q])), SceneFloat4);
  put3(face, near[p], far[q], near[q]);
  put3(normal, n, n, n);
}

KERNEL static void write_rims(float* face, float* normal, const FlexSkin* skin, const int* end,
                              int n) {
  mjtNum sign = skin->radius > 0 ? 1 : -1;
  for (int i = 0; i < n; i++, end += 2, face += 18, normal += 18) {
    write_rim(face, normal, skin, skin->up, skin->down, end[0], end[1], sign);
    write_rim(face + 9, normal + 9, skin, skin->down, skin->up, end[1], end[0], -1);
  }
}

// The normals of the upper side of flat triangles, at all corners of `sides` faces of each.
static void write_flat_normals(float* normal, const FlexSkin* skin, const int* corner, int n,
                               int sides) {
  float sign = skin->radius > 0 ? 1 : -1;
  for (int i = 0; i < n; i++, corner += 3) {
    Simd4 a = load3(skin->vert + 3 * corner[0]), b = load3(skin->vert + 3 * corner[1]);
    Simd4 c = load3(skin->vert + 3 * corner[2]);
    SceneFloat4 up = __builtin_convertvector(unit4(cross4(b - a, c - a)), SceneFloat4);
    for (int side = 0; side < sides; side++, normal += 9) {
      SceneFloat4 own = up * (side ? 1 : sign);
      put3(normal, own, own, own);
    }
  }
}

int flex_has_room(const mjvScene* scn, int flex, int n) {
  if (n > scn->flexfacenum[flex]) {
    mju_error("mjv_updateScene: flex %d has %d faces, more than the scene has room for, %d", flex,
              n, scn->flexfacenum[flex]);
    return 0;
  }
  return 1;
}

void flex_set_texture(float out[6], const mjModel* m, int flex, int a, int b, int c) {
  const int corner[3] = {a, b, c};
  for (int k = 0; k < 3; k++) {
    int i = int_min(m->flex_texcoordadr[flex] + corner[k], m->nflextexcoord - 1);
    memcpy(out + 2 * k, m->flex_texcoord + 2 * i, 2 * sizeof(float));
  }
}

// Elements have texture coordinates of their own; the shell of a solid and the rim of a sheet take
// those with the numbers of their vertices.
static void write_textures(float* out, const mjModel* m, int flex) {
  int solid = m->flex_dim[flex] == 3;
  const int* corner = m->flex_elemtexcoord + m->flex_elemdataadr[flex];
  const int* shell = m->flex_shell + m->flex_shelldataadr[flex];
  for (int i = 0; !solid && i < m->flex_elemnum[flex]; i++, corner += 3, out += 12) {
    flex_set_texture(out, m, flex, corner[0], corner[1], corner[2]);
    flex_set_texture(out + 6, m, flex, corner[0], corner[2], corner[1]);
  }
  for (int i = 0; i < m->flex_shellnum[flex]; i++) {
    if (solid) {
      flex_set_texture(out, m, flex, shell[0], shell[1], shell[2]);
      shell += 3;
      out += 6;
    } else {
      flex_set_texture(out, m, flex, shell[0], shell[1], shell[1]);
      flex_set_texture(out + 6, m, flex, shell[1], shell[0], shell[0]);
      shell += 2;
      out += 12;
    }
  }
}

// Memory for n vertices; 0 if there is none.
static int take_vertices(FlexSkin* skin, mjData* d, size_t n) {
  skin->normal = mj_stackAllocByte(d, n * sizeof(Simd4), sizeof(Simd4));
  skin->unit = mj_stackAllocByte(d, 3 * n * sizeof(SceneFloat4), sizeof(SceneFloat4));
  skin->up = skin->unit + n;
  skin->down = skin->up + n;
  return skin->normal && skin->unit;
}

int flex_skin(const mjModel* m, mjData* d, int flex, mjvScene* scn) {
  int solid = m->flex_dim[flex] == 3, vertices = m->flex_vertnum[flex];
  int shells = m->flex_shellnum[flex], triangles = solid ? shells : m->flex_elemnum[flex];
  int sides = solid ? 1 : 2, faces = sides * triangles + (solid ? 0 : 2 * shells);
  const int* shell = m->flex_shell + m->flex_shelldataadr[flex];
  const int* corner = solid ? shell : m->flex_elem + m->flex_elemdataadr[flex];
  int adr = scn->flexfaceadr[flex];
  float *face = scn->flexface + 9 * adr, *normal = scn->flexnormal + 9 * adr;
  FlexSkin skin = {.vert = d->flexvert_xpos + 3 * m->flex_vertadr[flex],
                   .radius = m->flex_radius[flex]};
  if (!flex_has_room(scn, flex, faces)) {
    return 0;
  }
  mj_markStack(d);
  if (vertices && take_vertices(&skin, d, (size_t)vertices)) {
    memset(skin.normal, 0, (size_t)vertices * sizeof(Simd4));
    add_normals(skin.normal, skin.vert, corner, triangles);
    move_vertices(&skin, vertices);
    write_upper(face, normal, &skin, corner, triangles, 9 * sides);
    if (!solid) {
      write_lower(face + 9, normal + 9, &skin, corner, triangles, 18);
      write_rims(face + 18 * triangles, normal + 18 * triangles, &skin, shell, shells);
    }
    if (m->flex_flatskin[flex]) {
      write_flat_normals(normal, &skin, corner, triangles, sides);
    }
    if (m->flex_texcoordadr[flex] >= 0) {
      write_textures(scn->flextexcoord + 6 * adr, m, flex);
    }
  }
  mj_freeStack(d);
  return faces;
}
