// scene.c: mj_printScene, a scene as text.
//
// Each part is a table of its members: how they are called, where they are, and how many numbers
// they have.

#include <mujoco/api/print.h>
#include <mujoco/api/scene.h>
#include <mujoco/mjvisualize.h>
#include <stddef.h>

#include "base/memory/check.h"
#include "print/print.h"

typedef enum Kind_ {
  INT,
  FLOAT,
  BYTE,
  TEXT,
} Kind;

typedef struct Member_ {
  const char* name;
  size_t place;
  Kind kind;
  int count;
} Member;

#define MEMBER(type, name, kind, count) \
  { #name, offsetof(type, name), kind, count }
#define GEOM(...) MEMBER(mjvGeom, __VA_ARGS__)
#define LIGHT(...) MEMBER(mjvLight, __VA_ARGS__)
#define CAMERA(...) MEMBER(mjvGLCamera, __VA_ARGS__)

static const Member geom_members[] = {
    GEOM(type, INT, 1),        GEOM(category, INT, 1),      GEOM(label, TEXT, 1),
    GEOM(objtype, INT, 1),     GEOM(objid, INT, 1),         GEOM(pos, FLOAT, 3),
    GEOM(mat, FLOAT, 9),       GEOM(size, FLOAT, 3),        GEOM(segid, INT, 1),
    GEOM(dataid, INT, 1),      GEOM(matid, INT, 1),         GEOM(texcoord, INT, 1),
    GEOM(rgba, FLOAT, 4),      GEOM(emission, FLOAT, 1),    GEOM(specular, FLOAT, 1),
    GEOM(shininess, FLOAT, 1), GEOM(reflectance, FLOAT, 1),
};

static const Member light_members[] = {
    LIGHT(id, INT, 1),           LIGHT(pos, FLOAT, 3),         LIGHT(dir, FLOAT, 3),
    LIGHT(type, INT, 1),         LIGHT(castshadow, BYTE, 1),   LIGHT(headlight, BYTE, 1),
    LIGHT(intensity, FLOAT, 1),  LIGHT(range, FLOAT, 1),       LIGHT(ambient, FLOAT, 3),
    LIGHT(diffuse, FLOAT, 3),    LIGHT(specular, FLOAT, 3),    LIGHT(texid, INT, 1),
    LIGHT(exponent, FLOAT, 1),   LIGHT(attenuation, FLOAT, 3), LIGHT(cutoff, FLOAT, 1),
    LIGHT(bulbradius, FLOAT, 1),
};

static const Member camera_members[] = {
    CAMERA(pos, FLOAT, 3),
    CAMERA(forward, FLOAT, 3),
    CAMERA(up, FLOAT, 3),
    CAMERA(orthographic, INT, 1),
    CAMERA(frustum_center, FLOAT, 1),
    CAMERA(frustum_width, FLOAT, 1),
    CAMERA(frustum_bottom, FLOAT, 1),
    CAMERA(frustum_top, FLOAT, 1),
    CAMERA(frustum_near, FLOAT, 1),
    CAMERA(frustum_far, FLOAT, 1),
};

static void print_floats(const Print* print, const char* name, int indent, int width,
                         const float* x, int n) {
  fprintf(print->file, "%*s%-*s", indent, "", width, name);
  for (int i = 0; i < n; i++) {
    print_real(print, (double)x[i]);
    fputs(n > 1 ? " " : "", print->file);
  }
  fputc('\n', print->file);
}

static void print_member(const Print* print, const void* owner, const Member* member) {
  const void* place = (const char*)owner + member->place;
  switch (member->kind) {
    case INT:
      fprintf(print->file, "    %-18s%d\n", member->name, *(const int*)place);
      break;
    case BYTE:
      fprintf(print->file, "    %-18s%d\n", member->name, *(const mjtByte*)place);
      break;
    case TEXT:
      fprintf(print->file, "    %-17s%s\n", member->name, (const char*)place);
      break;
    case FLOAT:
      print_floats(print, member->name, 4, 17, place, member->count);
  }
}

#define COUNT(members) (int)(sizeof(members) / sizeof((members)[0]))

// A part of n structs.
static void print_part(const Print* print, const char* title, const char* each, const void* first,
                       size_t size, int n, const Member* members, int count) {
  fprintf(print->file, "%s %d\n", title, n);
  for (int i = 0; i < n; i++) {
    fprintf(print->file, "  %s %d\n", each, i);
    for (int k = 0; k < count; k++) {
      print_member(print, (const char*)first + size * (size_t)i, members + k);
    }
    fputc('\n', print->file);
  }
  fputc('\n', print->file);
}

typedef struct Column_ {
  const char* name;
  const int* value;
} Column;

// What flexes or skins have: integers, and arrays that would be too long.
static void print_surfaces(const Print* print, const char* title, int n, const Column* columns,
                           int ncolumn, const char* const* arrays) {
  fprintf(print->file, "%s %d\n", title, n);
  for (int i = 0; i < n; i++) {
    fprintf(print->file, "  %s %d\n", title, i);
    for (int k = 0; k < ncolumn; k++) {
      fprintf(print->file, "    %-18s%d\n", columns[k].name, columns[k].value[i]);
    }
    for (const char* const* name = arrays; *name; name++) {
      fprintf(print->file, "    %-17s...\n", *name);
    }
    fputc('\n', print->file);
  }
  fputc('\n', print->file);
}

static void print_flags(const Print* print, const mjvScene* s) {
  const struct {
    const char* name;
    int value;
  } more[] = {{"flexvertopt", s->flexvertopt},
              {"flexedgeopt", s->flexedgeopt},
              {"flexfaceopt", s->flexfaceopt},
              {"flexskinopt", s->flexskinopt},
              {"stereo", s->stereo}};
  fprintf(print->file, "FLAGS\n");
  for (int i = 0; i < mjNRNDFLAG; i++) {
    fprintf(print->file, "  %-22s%d\n", mjRNDSTRING[i][0], s->flags[i]);
  }
  for (int i = 0; i < COUNT(more); i++) {
    fprintf(print->file, "  %-20s%d\n", more[i].name, more[i].value);
  }
  fputs("\n\n", print->file);
}

void mj_printFormattedScene(const mjvScene* s, const char* filename, const char* float_format) {
  static const char* const flex_arrays[] = {"edges",   "verts",     "faces",
                                            "normals", "texcoords", NULL};
  static const char* const skin_arrays[] = {"verts", "normals", NULL};
  check_given(s);
  Print print;
  if (!print_open(&print, filename, float_format)) {
    return;
  }
  const Column flexes[] = {{"face_used", s->flexfaceused}, {"edge_adr", s->flexedgeadr},
                           {"edge_num", s->flexedgenum},   {"vert_adr", s->flexvertadr},
                           {"vert_num", s->flexvertnum},   {"face_adr", s->flexfaceadr},
                           {"face_num", s->flexfacenum}};
  const Column skins[] = {
      {"face_num", s->skinfacenum}, {"vert_adr", s->skinvertadr}, {"vert_num", s->skinvertnum}};
  print_part(&print, "GEOMS", "GEOM", s->geoms, sizeof(mjvGeom), s->ngeom, geom_members,
             COUNT(geom_members));
  print_part(&print, "LIGHTS", "LIGHT", s->lights, sizeof(mjvLight), s->nlight, light_members,
             COUNT(light_members));
  print_part(&print, "CAMERAS", "CAMERA", s->camera, sizeof(mjvGLCamera), 2, camera_members,
             COUNT(camera_members));
  print_surfaces(&print, "FLEX DATA", s->nflex, flexes, COUNT(flexes), flex_arrays);
  print_surfaces(&print, "SKIN DATA", s->nskin, skins, COUNT(skins), skin_arrays);
  print_flags(&print, s);
  fprintf(print.file, "TRANSFORM %d\n", s->enabletransform);
  if (s->enabletransform) {
    print_floats(&print, "translate", 2, 19, s->translate, 3);
    print_floats(&print, "rotate", 2, 19, s->rotate, 4);
    print_floats(&print, "scale", 2, 19, &s->scale, 1);
    fputc('\n', print.file);
  }
  fputc('\n', print.file);
  print_close(&print);
}

void mj_printScene(const mjvScene* s, const char* filename) {
  check_given(s);
  mj_printFormattedScene(s, filename, print_defaultformat);
}
