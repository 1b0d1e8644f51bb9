// Shapes of a URDF file: what URDF has as it is, capsules as a cylinder and two spheres, meshes and
// ellipsoids as files of triangles (binary STL) beside it.

#include <condyle/output.h>
#include <errno.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/algebra/elementary.h"
#include "base/system/files.h"
#include "mjcf/urdf/save/link.h"

enum {
  PATH_BYTES = 4096,
  BALL_RINGS = 12,  // of the file of a ball, from pole to pole
  BALL_SIDES = 24,
};

// files of triangles

// A float in the order of bytes that STL has.
static void put_single(FILE* file, double value) {
  float number = (float)value;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  for (int i = 0; i < 4; i++) {
    putc((int)(bits >> 8 * i & 255), file);
  }
}

static void put_count(FILE* file, uint32_t n) {
  for (int i = 0; i < 4; i++) {
    putc((int)(n >> 8 * i & 255), file);
  }
}

static void put_triangle(FILE* file, const double a[3], const double b[3], const double c[3]) {
  double u[3], v[3], n[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = u[j] * v[k] - u[k] * v[j];
  }
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int i = 0; i < 3; i++) {
    put_single(file, length > 0 ? n[i] / length : 0);
  }
  const double* const corner[] = {a, b, c};
  for (int i = 0; i < 9; i++) {
    put_single(file, corner[i / 3][i % 3]);
  }
  putc(0, file);
  putc(0, file);
}

static void put_mesh(FILE* file, const mjModel* m, int mesh) {
  const float* vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
  const int* face = m->mesh_face + 3 * (size_t)m->mesh_faceadr[mesh];
  put_count(file, (uint32_t)m->mesh_facenum[mesh]);
  for (int f = 0; f < m->mesh_facenum[mesh]; f++) {
    double corner[3][3];
    for (int i = 0; i < 9; i++) {
      corner[i / 3][i % 3] = (double)vert[3 * (size_t)face[3 * f + i / 3] + (size_t)(i % 3)];
    }
    put_triangle(file, corner[0], corner[1], corner[2]);
  }
}

// A point of the unit ball.
static void ball_point(double out[3], int ring, int side) {
  double polar = 3.14159265358979323846 * ring / BALL_RINGS;
  double around = 2 * 3.14159265358979323846 * side / BALL_SIDES;
  out[0] = portable_sin(polar) * portable_cos(around);
  out[1] = portable_sin(polar) * portable_sin(around);
  out[2] = portable_cos(polar);
}

static void put_ball(FILE* file) {
  put_count(file, 2 * BALL_SIDES * (BALL_RINGS - 1));
  for (int ring = 0; ring < BALL_RINGS; ring++) {
    for (int side = 0; side < BALL_SIDES; side++) {
      double a[3], b[3], c[3], d[3];
      ball_point(a, ring, side);
      ball_point(b, ring + 1, side);
      ball_point(c, ring + 1, side + 1);
      ball_point(d, ring, side + 1);
      if (ring + 1 < BALL_RINGS) {
        put_triangle(file, a, b, c);
      }
      if (ring) {
        put_triangle(file, a, c, d);
      }
    }
  }
}

// The path of a file of triangles relative to the URDF file. Characters that mean something in
// paths are replaced.
static void name_file(char relative[LINK_NAME_BYTES + 16], const char* name) {
  snprintf(relative, LINK_NAME_BYTES + 16, "meshes/%s.stl", name);
  for (char* c = relative + strlen("meshes/"); *c; c++) {
    *c = strchr("/\\:*?\"<>|", *c) ? '_' : *c;
  }
}

// Writes a file of triangles, that of the ball if mesh is negative.
static void save_file(UrdfSave* s, const char* relative, int mesh) {
  char path[PATH_BYTES];
  const char* end = strrchr(s->filename, '/');
  int folder = end ? (int)(end - s->filename) + 1 : 0;
  snprintf(path, sizeof path, "%.*smeshes", folder, s->filename);
  int reason = !system_makefolder(path, 0777) && errno != EEXIST ? errno : 0;
  snprintf(path, sizeof path, "%.*s%s", folder, s->filename, relative);
  cndOutput out;
  if (!reason && cnd_openOutput(&out, path)) {
    fprintf(out.file, "%-80.80s", "triangles");
    if (mesh < 0) {
      put_ball(out.file);
    } else {
      put_mesh(out.file, s->m, mesh);
    }
  }
  if (!reason && !cnd_closeOutput(&out, 1)) {
    reason = out.reason;
  }
  if (reason) {
    diagnostic_add(s->notes, cndSEVERITY_ERROR, s->place, NULL, NULL, "can't write '%s': %s", path,
                   strerror(reason));
    s->failed = 1;
  }
}

// elements

// What an element needs of a geom.
typedef struct {
  UrdfSave* s;
  int geom;
  const char* element;  // visual or collision
} Shape;

static void put_color(Shape shape) {
  const mjModel* m = shape.s->m;
  Writer* w = &shape.s->w;
  char name[LINK_NAME_BYTES];
  int material = m->geom_matid[shape.geom];
  const float* rgba =
      material < 0 ? m->geom_rgba + 4 * (size_t)shape.geom : m->mat_rgba + 4 * (size_t)material;
  write_begin(w, "material");
  if (material < 0) {
    char geom[LINK_NAME_BYTES - 16];
    snprintf(geom, sizeof geom, "%s", urdf_name_of(name, m, mjOBJ_GEOM, shape.geom));
    snprintf(name, sizeof name, "color of %s", geom);
  } else {
    urdf_name_of(name, m, mjOBJ_MATERIAL, material);
  }
  write_text(w, "name", name);
  write_begin(w, "color");
  write_singles(w, "rgba", rgba, 4, 0);
  write_end(w);
  write_end(w);
}

// Opens an element with its place: `along` on the geom's z axis from its centre.
static void begin_shape(Shape shape, mjtNum along) {
  const mjModel* m = shape.s->m;
  mjtNum pos[3], offset[3] = {0, 0, along};
  mju_rotVecQuat(pos, offset, m->geom_quat + 4 * (size_t)shape.geom);
  mju_addTo3(pos, m->geom_pos + 3 * (size_t)shape.geom);
  write_begin(&shape.s->w, shape.element);
  const char* name = mj_id2name(m, mjOBJ_GEOM, shape.geom);
  if (along == 0 && name && *name) {
    write_text(&shape.s->w, "name", name);
  }
  urdf_origin(&shape.s->w, pos, m->geom_quat + 4 * (size_t)shape.geom);
  write_begin(&shape.s->w, "geometry");
}

static void end_shape(Shape shape) {
  write_end(&shape.s->w);
  if (!strcmp(shape.element, "visual")) {
    put_color(shape);
  }
  write_end(&shape.s->w);
}

static void put_round(Shape shape, const char* kind, mjtNum along, mjtNum radius, mjtNum length) {
  begin_shape(shape, along);
  write_begin(&shape.s->w, kind);
  write_numbers(&shape.s->w, "radius", &radius, 1);
  if (length > 0) {
    write_numbers(&shape.s->w, "length", &length, 1);
  }
  write_end(&shape.s->w);
  end_shape(shape);
}

static void put_box(Shape shape, const mjtNum size[3]) {
  mjtNum sides[3];
  mju_scl3(sides, size, 2);
  begin_shape(shape, 0);
  write_begin(&shape.s->w, "box");
  write_numbers(&shape.s->w, "size", sides, 3);
  write_end(&shape.s->w);
  end_shape(shape);
}

static void put_triangles(Shape shape, const char* relative, const mjtNum* scale) {
  begin_shape(shape, 0);
  write_begin(&shape.s->w, "mesh");
  write_text(&shape.s->w, "filename", relative);
  if (scale) {
    write_numbers(&shape.s->w, "scale", scale, 3);
  }
  write_end(&shape.s->w);
  end_shape(shape);
}

static void put_mesh_shape(Shape shape, int mesh) {
  UrdfSave* s = shape.s;
  char name[LINK_NAME_BYTES], relative[LINK_NAME_BYTES + 16];
  name_file(relative, urdf_name_of(name, s->m, mjOBJ_MESH, mesh));
  if (!s->made[mesh]) {
    s->made[mesh] = 1;
    save_file(s, relative, mesh);
  }
  put_triangles(shape, relative, NULL);
}

static void put_ellipsoid(Shape shape, const mjtNum size[3]) {
  char relative[LINK_NAME_BYTES + 16];
  name_file(relative, "unit_ball");
  if (!shape.s->ball) {
    shape.s->ball = 1;
    save_file(shape.s, relative, -1);
  }
  put_triangles(shape, relative, size);
}

static void put_shape(Shape shape) {
  const mjModel* m = shape.s->m;
  const mjtNum* size = m->geom_size + 3 * (size_t)shape.geom;
  switch ((mjtGeom)m->geom_type[shape.geom]) {
    case mjGEOM_SPHERE:
      put_round(shape, "sphere", 0, size[0], 0);
      return;
    case mjGEOM_CYLINDER:
      put_round(shape, "cylinder", 0, size[0], 2 * size[1]);
      return;
    case mjGEOM_CAPSULE:
      put_round(shape, "cylinder", 0, size[0], 2 * size[1]);
      put_round(shape, "sphere", size[1], size[0], 0);
      put_round(shape, "sphere", -size[1], size[0], 0);
      return;
    case mjGEOM_BOX:
      put_box(shape, size);
      return;
    case mjGEOM_ELLIPSOID:
      put_ellipsoid(shape, size);
      return;
    default:
      put_mesh_shape(shape, m->geom_dataid[shape.geom]);
  }
}

static int has_shape(const mjModel* m, int geom) {
  int type = m->geom_type[geom];
  return (type >= mjGEOM_SPHERE && type <= mjGEOM_BOX) ||
         ((type == mjGEOM_MESH || type == mjGEOM_SDF) && m->geom_dataid[geom] >= 0);
}

// Geoms of groups up to this one are shown by default.
#define LAST_SHOWN 2

void urdf_geoms(UrdfSave* s, int body) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->body_geomnum[body]; i++) {
    int geom = m->body_geomadr[body] + i;
    if (!has_shape(m, geom)) {
      char name[LINK_NAME_BYTES];
      diagnostic_add(s->notes, cndSEVERITY_WARNING, s->place,
                     urdf_name_of(name, m, mjOBJ_GEOM, geom), NULL,
                     "left out: URDF has no planes and no height fields");
      continue;
    }
    int collides = m->geom_contype[geom] || m->geom_conaffinity[geom];
    if (!collides || m->geom_group[geom] <= LAST_SHOWN) {
      put_shape((Shape){s, geom, "visual"});
    }
    if (collides) {
      put_shape((Shape){s, geom, "collision"});
    }
  }
}
