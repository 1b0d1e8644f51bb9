// same_scene.h: are two scenes the same? Every member of mjvScene is compared, integers exactly.
//
// Both are of our kind; those of the reference come from support/ref_scene.h. Members of later
// releases, which it doesn't know, are compared apart.

#pragma once

#include "support/near.h"
#include "support/test.h"

// Differences that are printed of one scene.
enum {
  SCENE_PRINTED = 3
};

static int scene_printed;

#define SAME_INT(where, name)                                                              \
  if (a->name != b->name) {                                                                \
    differ++;                                                                              \
    if (scene_printed++ < SCENE_PRINTED) {                                                 \
      print_error("  %s." #name ": %d, expected %d\n", where, (int)a->name, (int)b->name); \
    }                                                                                      \
  }

// Floats may differ by 1e-6, relative to the largest of them or to a least size.
static inline int floats_differ(const char* where, const char* name, const float* a, const float* b,
                                size_t n, double least) {
  if (n == 0 || memcmp(a, b, n * sizeof(float)) == 0) {
    return 0;
  }
  size_t i;
  double error = near_error(&i, a, sizeof(float), b, sizeof(float), n, least);
  if (error <= 1e-6) {
    return 0;
  }
  if (scene_printed++ < SCENE_PRINTED) {
    print_error("  %s.%s[%zu]: %.9g, expected %.9g\n", where, name, i, (double)a[i], (double)b[i]);
  }
  return 1;
}

#define SAME_FLOATS(where, name, least)                                \
  differ +=                                                            \
      floats_differ(where, #name, (const float*)(const void*)&a->name, \
                    (const float*)(const void*)&b->name, sizeof(a->name) / sizeof(float), least)

static inline int shapes_differ(int i, const mjvGeom* a, const mjvGeom* b) {
  char where[100];
  int differ = 0;
  snprintf(where, sizeof where, "geoms[%d, type %d of %d %d]", i, b->type, b->objtype, b->objid);
  SAME_INT(where, type)
  SAME_INT(where, dataid)
  SAME_INT(where, objtype)
  SAME_INT(where, objid)
  SAME_INT(where, category)
  SAME_INT(where, matid)
  SAME_INT(where, texcoord)
  SAME_INT(where, segid)
  SAME_INT(where, transparent)
  SAME_FLOATS(where, size, 1e-6);
  SAME_FLOATS(where, pos, 1e-2);
  SAME_FLOATS(where, mat, 1);
  SAME_FLOATS(where, rgba, 1e-3);
  SAME_FLOATS(where, emission, 1e-3);
  SAME_FLOATS(where, specular, 1e-3);
  SAME_FLOATS(where, shininess, 1e-3);
  SAME_FLOATS(where, reflectance, 1e-3);
  SAME_FLOATS(where, camdist, 1e-3);
  SAME_FLOATS(where, modelrbound, 1e-6);
  if (strncmp(a->label, b->label, sizeof(a->label))) {
    differ++;
    if (scene_printed++ < SCENE_PRINTED) {
      print_error("  %s.label: \"%s\", expected \"%s\"\n", where, a->label, b->label);
    }
  }
  return differ;
}

static inline int lights_differ(int i, const mjvLight* a, const mjvLight* b) {
  char where[100];
  int differ = 0;
  snprintf(where, sizeof where, "lights[%d]", i);
  SAME_INT(where, id)
  SAME_INT(where, type)
  SAME_INT(where, texid)
  SAME_INT(where, headlight)
  SAME_INT(where, castshadow)
  SAME_FLOATS(where, pos, 1e-2);
  SAME_FLOATS(where, dir, 1);
  SAME_FLOATS(where, attenuation, 1e-3);
  SAME_FLOATS(where, cutoff, 1e-3);
  SAME_FLOATS(where, exponent, 1e-3);
  SAME_FLOATS(where, ambient, 1e-3);
  SAME_FLOATS(where, diffuse, 1e-3);
  SAME_FLOATS(where, specular, 1e-3);
  SAME_FLOATS(where, bulbradius, 1e-3);
  SAME_FLOATS(where, intensity, 1e-3);
  SAME_FLOATS(where, range, 1e-3);
  return differ;
}

static inline int glcameras_differ(int i, const mjvGLCamera* a, const mjvGLCamera* b) {
  char where[100];
  int differ = 0;
  snprintf(where, sizeof where, "camera[%d]", i);
  SAME_INT(where, orthographic)
  SAME_FLOATS(where, pos, 1e-2);
  SAME_FLOATS(where, forward, 1);
  SAME_FLOATS(where, up, 1);
  SAME_FLOATS(where, frustum_center, 1e-3);
  SAME_FLOATS(where, frustum_width, 1e-3);
  SAME_FLOATS(where, frustum_bottom, 1e-3);
  SAME_FLOATS(where, frustum_top, 1e-3);
  SAME_FLOATS(where, frustum_near, 1e-6);
  SAME_FLOATS(where, frustum_far, 1e-3);
  return differ;
}

// Arrays of a flex or skin: n integers that are the same.
static inline int ints_differ(const char* where, const char* name, const int* a, const int* b,
                              int n) {
  for (int i = 0; i < n; i++) {
    if (a[i] != b[i]) {
      if (scene_printed++ < SCENE_PRINTED) {
        print_error("  %s.%s[%d]: %d, expected %d\n", where, name, i, a[i], b[i]);
      }
      return 1;
    }
  }
  return 0;
}

#define SAME_INTS(name, n) differ += ints_differ("scene", #name, a->name, b->name, n)
#define SAME_PART(name, adr, n, least) \
  differ += floats_differ("scene", #name, a->name + (adr), b->name + (adr), (size_t)(n), least)

// Faces beyond those in use hold anything.
static inline int flexes_differ(const mjModel* m, const mjvScene* a, const mjvScene* b) {
  int differ = 0;
  SAME_INTS(flexedgeadr, a->nflex);
  SAME_INTS(flexedgenum, a->nflex);
  SAME_INTS(flexvertadr, a->nflex);
  SAME_INTS(flexvertnum, a->nflex);
  SAME_INTS(flexfaceadr, a->nflex);
  SAME_INTS(flexfacenum, a->nflex);
  SAME_INTS(flexfaceused, a->nflex);
  SAME_INTS(flexedge, 2 * m->nflexedge);
  SAME_PART(flexvert, 0, 3 * m->nflexvert, 1e-2);
  for (int i = 0; i < a->nflex && !differ; i++) {
    int adr = a->flexfaceadr[i], n = a->flexfaceused[i];
    SAME_PART(flexface, 9 * adr, 9 * n, 1e-2);
    SAME_PART(flexnormal, 9 * adr, 9 * n, 1);
    if (m->flex_texcoordadr[i] >= 0) {
      SAME_PART(flextexcoord, 6 * adr, 6 * n, 1e-3);
    }
  }
  return differ;
}

// How many members of a scene of m differ from what is expected; the first few are printed.
// `surfaces`: flexes and skins have been computed.
static inline int scenes_differ(const mjModel* m, const mjvScene* a, const mjvScene* b,
                                int surfaces) {
  int differ = 0;
  scene_printed = 0;
  SAME_INT("scene", maxgeom)
  SAME_INT("scene", ngeom)
  SAME_INT("scene", nflex)
  SAME_INT("scene", nskin)
  SAME_INT("scene", nlight)
  SAME_INT("scene", status)
  SAME_INT("scene", enabletransform)
  SAME_INT("scene", stereo)
  SAME_INT("scene", framewidth)
  SAME_INT("scene", flexvertopt)
  SAME_INT("scene", flexedgeopt)
  SAME_INT("scene", flexfaceopt)
  SAME_INT("scene", flexskinopt)
  SAME_FLOATS("scene", translate, 1e-3);
  SAME_FLOATS("scene", rotate, 1);
  SAME_FLOATS("scene", scale, 1e-3);
  SAME_FLOATS("scene", framergb, 1e-3);
  for (int i = 0; i < mjNRNDFLAG; i++) {
    SAME_INT("scene", flags[i])
  }
  int shapes = a->ngeom < b->ngeom ? a->ngeom : b->ngeom;
  for (int i = 0; i < shapes; i++) {
    if (memcmp(a->geoms + i, b->geoms + i, offsetof(mjvGeom, transparent) + 1)) {
      differ += shapes_differ(i, a->geoms + i, b->geoms + i);
    }
  }
  int lights = a->nlight < b->nlight ? a->nlight : b->nlight;
  for (int i = 0; i < lights; i++) {
    differ += lights_differ(i, a->lights + i, b->lights + i);
  }
  for (int i = 0; i < 2; i++) {
    differ += glcameras_differ(i, a->camera + i, b->camera + i);
  }
  if (surfaces && !differ) {
    differ += flexes_differ(m, a, b);
    SAME_INTS(skinfacenum, a->nskin);
    SAME_INTS(skinvertadr, a->nskin);
    SAME_INTS(skinvertnum, a->nskin);
    SAME_PART(skinvert, 0, 3 * m->nskinvert, 1e-2);
    SAME_PART(skinnormal, 0, 3 * m->nskinvert, 1);
  }
  return differ;
}

// The same for members of later releases, of two scenes that agree in all others.
static inline int later_members_differ(const mjvScene* scn, const mjvScene* expected) {
  int differ = 0;
  for (int i = 0; i < scn->ngeom; i++) {
    const mjvGeom *a = scn->geoms + i, *b = expected->geoms + i;
    SAME_INT("geoms", castshadow)
    SAME_INT("geoms", texid)
    SAME_INT("geoms", texuniform)
    SAME_FLOATS("geoms", texrepeat, 1e-3);
  }
  for (int i = 0; i < scn->nlight; i++) {
    const mjvLight *a = scn->lights + i, *b = expected->lights + i;
    SAME_FLOATS("lights", softness, 1e-3);
  }
  return differ + (memcmp(scn->cnd_flags, expected->cnd_flags, sizeof(scn->cnd_flags)) != 0);
}
