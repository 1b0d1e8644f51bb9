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

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "scene/shape.h"

// A vertex as it is in the scene: its normal, and where it is on either side.
typedef struct SkinVertex_ {
  SceneFloat4 unit, up, down;
} SkinVertex;

// A surface in the making.
typedef struct Skin_ {
  const mjtNum* vert;
  mjtNum radius;
  Simd4* normal;
  SkinVertex* vertex;
} FlexSkin;

// Loads a vertex. The fourth number read belongs to the next vertex or, after the last one, to
// whatever follows in the buffer of mjData.
#define VERTEX(skin, i) SIMD_READ(Simd4, (skin)->vert + 3 * (i))

// out = a x b
INLINE void cross4(Simd4* out, const Simd4* a, const Simd4* b) {
  Simd4 x = SIMD4_ORDER(*a, 1, 2, 0, 3), y = SIMD4_ORDER(*b, 1, 2, 0, 3), z = *a * y - x * *b;
  *out = SIMD4_ORDER(z, 1, 2, 0, 3);
}

// Makes v a unit vector; the x axis if it is shorter than mjMINVAL.
INLINE void make_unit(Simd4* v) {
  Simd4 square = *v * *v;
  mjtNum norm = mju_sqrt(square[0] + square[1] + square[2]);
  if (norm < mjMINVAL) {
    *v = (Simd4){1, 0, 0, 0};
  } else {
    *v *= 1 / norm;
  }
}

// Three vectors of three components, one after the other, by overlapping stores.
INLINE void put3(float out[9], SceneFloat4 a, SceneFloat4 b, SceneFloat4 c) {
  *(SceneFloat4*)(void*)out = a;
  *(SceneFloat4*)(void*)(out + 3) = b;
  *(SceneFloat4*)(void*)(out + 5) = (SceneFloat4){b[2], c[0], c[1], c[2]};
}

// Adds the normals of n triangles to the vertices at their corners.
INLINE void add_each(const FlexSkin* skin, const int* corner, int n, float* flat, int sides,
                     float sign) {
  for (int i = 0; i < n; i++, corner += 3) {
    Simd4 a = VERTEX(skin, corner[0]), b = VERTEX(skin, corner[1]) - a;
    Simd4 c = VERTEX(skin, corner[2]) - a, up;
    cross4(&up, &b, &c);
    make_unit(&up);
    skin->normal[corner[0]] += up;
    skin->normal[corner[1]] += up;
    skin->normal[corner[2]] += up;
    if (flat) {
      SceneFloat4 rounded = __builtin_convertvector(up, SceneFloat4), upper = sign * rounded;
      put3(flat, upper, upper, upper);
      if (sides == 2) {
        put3(flat + 9, rounded, rounded, rounded);
      }
      flat += 9 * sides;
    }
  }
}

KERNEL static void add_normals(const FlexSkin* skin, const int* corner, int n) {
  add_each(skin, corner, n, NULL, 0, 0);
}

// The same for flat shading: all corners of a face get its own normal, that of the upper side on
// both sides.
KERNEL static void add_flat_normals(const FlexSkin* skin, const int* corner, int n, float* flat,
                                    int sides, float sign) {
  add_each(skin, corner, n, flat, sides, sign);
}

// Normalizes the normals and computes each vertex on both sides.
KERNEL static void move_vertices(const FlexSkin* skin, int n) {
  for (int i = 0; i < n; i++) {
    Simd4 x = VERTEX(skin, i), up = skin->normal[i];
    make_unit(&up);
    skin->normal[i] = up;
    SkinVertex* vertex = skin->vertex + i;
    vertex->unit = __builtin_convertvector(up, SceneFloat4);
    vertex->up = __builtin_convertvector(x + skin->radius * up, SceneFloat4);
    vertex->down = __builtin_convertvector(x - skin->radius * up, SceneFloat4);
  }
}

// Sign of the upper side's normals: +1, outward. A flex of radius 0 has both sides in one place;
// both then use the lower side's normal, -1.
INLINE float upper_sign(const FlexSkin* skin) {
  return skin->radius > 0 ? 1 : -1;
}

// One or both sides of n triangles. normal: NULL if they have been written.
KERNEL static void write_sides(float* face, float* normal, const FlexSkin* skin, const int* corner,
                               int n, int both) {
  float sign = upper_sign(skin);
  const SkinVertex* vert = skin->vertex;
  for (int i = 0; i < n; i++, corner += 3) {
    const SkinVertex *a = vert + corner[0], *b = vert + corner[1], *c = vert + corner[2];
    put3(face, a->up, b->up, c->up);
    face += 9;
    if (both) {
      put3(face, a->down, c->down, b->down);
      face += 9;
    }
    if (normal) {
      put3(normal, sign * a->unit, sign * b->unit, sign * c->unit);
      normal += 9;
      if (both) {
        put3(normal, -a->unit, -c->unit, -b->unit);
        normal += 9;
      }
    }
  }
}

// A triangle of the rim between vertices p and q: p on one side, q on both.
INLINE void write_rim(float* face, float* normal, const FlexSkin* skin, int p, int q, int upper,
                      mjtNum sign) {
  const SkinVertex *from = skin->vertex + p, *to = skin->vertex + q;
  Simd4 side = sign * (VERTEX(skin, q) - VERTEX(skin, p)), out;
  cross4(&out, &side, skin->normal + q);
  make_unit(&out);
  SceneFloat4 n = __builtin_convertvector(out, SceneFloat4);
  if (upper) {
    put3(face, from->up, to->down, to->up);
  } else {
    put3(face, from->down, to->up, to->down);
  }
  put3(normal, n, n, n);
}

KERNEL static void write_rims(float* face, float* normal, const FlexSkin* skin, const int* end,
                              int n) {
  mjtNum sign = (mjtNum)upper_sign(skin);
  for (int i = 0; i < n; i++, end += 2, face += 18, normal += 18) {
    write_rim(face, normal, skin, end[0], end[1], 1, sign);
    write_rim(face + 9, normal + 9, skin, end[1], end[0], 0, -1);
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

// Triangles and pieces of the rim that follow each other: of the whole flex, or of one part.
// Elements have texture coordinates of their own; the shell of a solid and the rim of a sheet take
// those with the numbers of their vertices.
typedef struct SkinRun_ {
  int solid, triangles, rims;
  const int *corner, *coord, *rim;  // vertices and coordinates of triangles, vertices of rims
} SkinRun;

static int faces_of(const SkinRun* run) {
  return (run->solid ? 1 : 2) * run->triangles + 2 * run->rims;
}

static void write_textures(float* out, const mjModel* m, int flex, const SkinRun* run) {
  const int *corner = run->coord, *rim = run->rim;
  for (int i = 0; i < run->triangles; i++, corner += 3, out += 6) {
    flex_set_texture(out, m, flex, corner[0], corner[1], corner[2]);
    if (!run->solid) {
      flex_set_texture(out += 6, m, flex, corner[0], corner[2], corner[1]);
    }
  }
  for (int i = 0; i < run->rims; i++, rim += 2, out += 12) {
    flex_set_texture(out, m, flex, rim[0], rim[1], rim[1]);
    flex_set_texture(out + 6, m, flex, rim[1], rim[0], rim[0]);
  }
}

// Memory for n vertices; 0 if there is none.
static int take_vertices(FlexSkin* skin, mjData* d, size_t n) {
  skin->normal = mj_stackAllocByte(d, n * sizeof(Simd4), sizeof(Simd4));
  skin->vertex = mj_stackAllocByte(d, n * sizeof(SkinVertex), sizeof(SceneFloat4));
  return skin->normal && skin->vertex;
}

// All that is drawn of a flex.
static SkinRun whole(const mjModel* m, int flex) {
  const int* shell = m->flex_shell + m->flex_shelldataadr[flex];
  int from = m->flex_elemdataadr[flex], shells = m->flex_shellnum[flex];
  return m->flex_dim[flex] == 3 ? (SkinRun){1, shells, 0, shell, shell, NULL}
                                : (SkinRun){0,
                                            m->flex_elemnum[flex],
                                            shells,
                                            m->flex_elem + from,
                                            m->flex_elemtexcoord + from,
                                            shell};
}

// n rows of `width` numbers in another order, on the stack; NULL if there is no memory.
static const int* in_order(mjData* d, const int* from, const int* order, int n, int width) {
  int* out = mj_stackAllocInt(d, (size_t)n * (size_t)width);
  for (int i = 0; out && i < n; i++) {
    memcpy(out + (size_t)width * (size_t)i, from + (size_t)width * (size_t)order[i],
           (size_t)width * sizeof(int));
  }
  return out;
}

// The same sorted by part. Returns 0 if there is no memory.
static int sort_run(SkinRun* run, mjData* d, const FlexParts* parts) {
  run->corner =
      in_order(d, run->corner, run->solid ? parts->shell : parts->elem, run->triangles, 3);
  if (run->solid) {
    run->coord = run->corner;
    return run->corner != NULL;
  }
  run->coord = in_order(d, run->coord, parts->elem, run->triangles, 3);
  run->rim = in_order(d, run->rim, parts->shell, run->rims, 2);
  return run->corner && run->coord && run->rim;
}

static SkinRun run_of(const SkinRun* all, const FlexPart* part) {
  SkinRun run = *all;
  int first = run.solid ? part->shell : part->elem;
  run.triangles = run.solid ? part->nshell : part->nelem;
  run.rims = run.solid ? 0 : part->nshell;
  run.corner += 3 * (size_t)first;
  run.coord += 3 * (size_t)first;
  run.rim = run.solid ? NULL : run.rim + 2 * (size_t)part->shell;
  return run;
}

// Writes a run to the scene, from a face on.
static void write_run(mjvScene* scn, const FlexSkin* skin, const SkinRun* run, const mjModel* m,
                      int flex, int at) {
  float *face = scn->flexface + 9 * (size_t)at, *normal = scn->flexnormal + 9 * (size_t)at;
  size_t sides = (run->solid ? 9 : 18) * (size_t)run->triangles;
  write_sides(face, m->flex_flatskin[flex] ? NULL : normal, skin, run->corner, run->triangles,
              !run->solid);
  write_rims(face + sides, normal + sides, skin, run->rim, run->rims);
  if (m->flex_texcoordadr[flex] >= 0) {
    write_textures(scn->flextexcoord + 6 * (size_t)at, m, flex, run);
  }
}

// Adds the normals of a run's triangles to the vertices; with flat shading to the scene as well.
static void add_run(mjvScene* scn, const FlexSkin* skin, const SkinRun* run, const mjModel* m,
                    int flex, int at) {
  if (m->flex_flatskin[flex]) {
    add_flat_normals(skin, run->corner, run->triangles, scn->flexnormal + 9 * (size_t)at,
                     run->solid ? 1 : 2, upper_sign(skin));
  } else {
    add_normals(skin, run->corner, run->triangles);
  }
}

int flex_skin(const mjModel* m, mjData* d, int flex, mjvScene* scn, const FlexParts* parts) {
  int vertices = m->flex_vertnum[flex], adr = scn->flexfaceadr[flex], n = parts->n;
  SkinRun all = whole(m, flex);
  FlexSkin skin = {.vert = d->flexvert_xpos + 3 * m->flex_vertadr[flex],
                   .radius = m->flex_radius[flex]};
  if (!flex_has_room(scn, flex, faces_of(&all))) {
    return 0;
  }
  mj_markStack(d);
  if (vertices && take_vertices(&skin, d, (size_t)vertices) && (!n || sort_run(&all, d, parts))) {
    memset(skin.normal, 0, (size_t)vertices * sizeof(Simd4));
    for (int p = 0; p < int_max(n, 1); p++) {
      SkinRun run = n ? run_of(&all, parts->part + p) : all;
      add_run(scn, &skin, &run, m, flex, adr + (n ? parts->part[p].face : 0));
    }
    move_vertices(&skin, vertices);
    for (int p = 0; p < int_max(n, 1); p++) {
      SkinRun run = n ? run_of(&all, parts->part + p) : all;
      write_run(scn, &skin, &run, m, flex, adr + (n ? parts->part[p].face : 0));
    }
  }
  mj_freeStack(d);
  return faces_of(&all);
}
