// ref_scene.c: scenes for the reference.

#include "support/ref_scene.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Our structs begin with all members of the reference's.
_Static_assert(sizeof(RefGeom) == 236, "RefGeom");
_Static_assert(sizeof(RefLight) == 108, "RefLight");
_Static_assert(offsetof(RefGeom, transparent) == offsetof(mjvGeom, transparent), "RefGeom");
_Static_assert(offsetof(RefLight, range) == offsetof(mjvLight, range), "RefLight");

// Parts of a scene without pointers to shapes, lights and members of later releases.
_Static_assert(offsetof(RefScene, geoms) == offsetof(mjvScene, geoms), "RefScene");
_Static_assert(offsetof(RefScene, lights) == offsetof(mjvScene, lights), "RefScene");
_Static_assert(offsetof(RefScene, flags) - offsetof(RefScene, camera) ==
                   offsetof(mjvScene, flags) - offsetof(mjvScene, camera),
               "RefScene");
_Static_assert(offsetof(RefScene, status) - offsetof(RefScene, framewidth) ==
                   offsetof(mjvScene, status) - offsetof(mjvScene, framewidth),
               "RefScene");

enum {
  GEOM_SIZE = offsetof(RefGeom, transparent) + sizeof(mjtByte),
  LIGHT_SIZE = offsetof(RefLight, range) + sizeof(float),
  ARRAYS_SIZE = offsetof(RefScene, lights),
  CAMERA_SIZE =
      offsetof(RefScene, flags) + sizeof(((RefScene*)0)->flags) - offsetof(RefScene, camera),
  FRAME_SIZE = offsetof(RefScene, status) + sizeof(int) - offsetof(RefScene, framewidth),
  PAIRS = 8
};

// A scene and the reference's struct of it.
typedef struct Pair_ {
  const mjvScene* scn;
  RefScene ref;
  mjvGeom* geoms;     // shapes of a scene that the reference made, which has its own beside them
  RefGeom* borrowed;  // those of any other scene, for the reference
} Pair;

static Pair pairs[PAIRS];

// The pair of a scene; a new one replaces that of a scene which the reference hasn't made.
static Pair* pair_of(const mjvScene* scn) {
  static int next;
  for (int i = 0; i < PAIRS; i++) {
    if (pairs[i].scn == scn) {
      return pairs + i;
    }
  }
  for (int i = 0; i < PAIRS; i++) {
    Pair* pair = pairs + next++ % PAIRS;
    if (!pair->geoms) {
      pair->scn = scn;
      return pair;
    }
  }
  fprintf(stderr, "ref_scene: more than %d scenes of the reference\n", PAIRS);
  abort();
}

static void* not_null(void* memory) {
  if (!memory) {
    fprintf(stderr, "ref_scene: out of memory\n");
    abort();
  }
  return memory;
}

// The part of a struct that begins with a member.
#define PART(scn, member) ((char*)(scn) + offsetof(__typeof__(*(scn)), member))
#define CONST_PART(scn, member) ((const char*)(scn) + offsetof(__typeof__(*(scn)), member))

RefScene* ref_scene_enter(const mjvScene* scn) {
  Pair* pair = pair_of(scn);
  RefScene* ref = &pair->ref;
  RefGeom* geoms = ref->geoms;
  if (!pair->geoms || pair->geoms != scn->geoms) {
    pair->geoms = NULL;  // of a scene that was here and is gone
    geoms = NULL;
    if (scn->geoms) {
      size_t size = sizeof(RefGeom) * ((size_t)scn->maxgeom + 1);
      geoms = pair->borrowed = not_null(realloc(pair->borrowed, size));
    }
  }
  memcpy(ref, scn, ARRAYS_SIZE);
  ref->geoms = geoms;
  for (int i = 0; geoms && i < scn->ngeom; i++) {
    memcpy(geoms + i, scn->geoms + i, GEOM_SIZE);
  }
  for (int i = 0; i < mjMAXLIGHT; i++) {
    memcpy(ref->lights + i, scn->lights + i, LIGHT_SIZE);
  }
  memcpy(PART(ref, camera), CONST_PART(scn, camera), CAMERA_SIZE);
  memcpy(PART(ref, framewidth), CONST_PART(scn, framewidth), FRAME_SIZE);
  return ref;
}

void ref_scene_leave(mjvScene* scn) {
  const RefScene* ref = &pair_of(scn)->ref;
  mjvGeom* geoms = scn->geoms;
  memcpy(scn, ref, ARRAYS_SIZE);
  scn->geoms = geoms;
  for (int i = 0; geoms && i < ref->ngeom; i++) {
    memcpy(geoms + i, ref->geoms + i, GEOM_SIZE);
  }
  for (int i = 0; i < mjMAXLIGHT; i++) {
    memcpy(scn->lights + i, ref->lights + i, LIGHT_SIZE);
  }
  memcpy(PART(scn, camera), CONST_PART(ref, camera), CAMERA_SIZE);
  memcpy(PART(scn, framewidth), CONST_PART(ref, framewidth), FRAME_SIZE);
}

void ref_scene_make(const Bridge* b, mjvScene* scn, int maxgeom) {
  typedef void Make(void*, RefScene*, int);
  Make* make = (Make*)(uintptr_t)bridge_function("mjv_makeScene");
  make(b->ref_m, ref_scene_enter(scn), maxgeom);
  Pair* pair = pair_of(scn);
  size_t shapes = (size_t)pair->ref.maxgeom;
  if (shapes) {
    memset(pair->ref.geoms, 0, sizeof(RefGeom) * shapes);
  }
  pair->geoms = scn->geoms = not_null(calloc(shapes + 1, sizeof(mjvGeom)));
  ref_scene_leave(scn);
}

void ref_scene_free(mjvScene* scn) {
  typedef void Free(RefScene*);
  Free* release = (Free*)(uintptr_t)bridge_function("mjv_freeScene");
  release(ref_scene_enter(scn));
  Pair* pair = pair_of(scn);
  free(pair->geoms);
  pair->geoms = scn->geoms = NULL;
  ref_scene_leave(scn);
}
