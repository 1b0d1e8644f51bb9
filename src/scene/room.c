// room.c: allocates the arrays of a scene, for shapes and for the surfaces of flexes and skins.

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/scene.h>
#include <mujoco/mjvisualize.h>
#include <string.h>

#include "base/algebra/vec.h"
#include "base/memory/check.h"
#include "base/memory/memory.h"
#include "model/flex/rod.h"
#include "scene/shape.h"

void mjv_defaultScene(mjvScene* scn) {
  check_given(scn);
  memset(scn, 0, sizeof(*scn));
}

// How many elements the arrays of a scene have.
typedef struct Room_ {
  size_t shapes, flexes, flexedges, flexverts, flexfaces, skins, skinverts;
} Room;

#define ARRAYS(ARRAY)                      \
  ARRAY(geoms, room->shapes)               \
  ARRAY(geomorder, room->shapes)           \
  ARRAY(flexedgeadr, room->flexes)         \
  ARRAY(flexedgenum, room->flexes)         \
  ARRAY(flexvertadr, room->flexes)         \
  ARRAY(flexvertnum, room->flexes)         \
  ARRAY(flexfaceadr, room->flexes)         \
  ARRAY(flexfacenum, room->flexes)         \
  ARRAY(flexfaceused, room->flexes)        \
  ARRAY(flexedge, 2 * room->flexedges)     \
  ARRAY(flexvert, 3 * room->flexverts)     \
  ARRAY(flexface, 9 * room->flexfaces)     \
  ARRAY(flexnormal, 9 * room->flexfaces)   \
  ARRAY(flextexcoord, 6 * room->flexfaces) \
  ARRAY(skinfacenum, room->skins)          \
  ARRAY(skinvertadr, room->skins)          \
  ARRAY(skinvertnum, room->skins)          \
  ARRAY(skinvert, 3 * room->skinverts)     \
  ARRAY(skinnormal, 3 * room->skinverts)

void mjv_freeScene(mjvScene* scn) {
  check_given(scn);
#define FREE(name, count) mju_free(scn->name);
  ARRAYS(FREE)
#undef FREE
  mjv_defaultScene(scn);
}

// Takes all arrays, filled with zeros; NULL where there is nothing. Returns 0 if memory runs out.
static int take_arrays(mjvScene* scn, const Room* room) {
#define TAKE(name, count)                                       \
  if ((count) > 0) {                                            \
    scn->name = memory_take_zero((count) * sizeof(*scn->name)); \
    if (!scn->name) {                                           \
      return 0;                                                 \
    }                                                           \
  }
  ARRAYS(TAKE)
#undef TAKE
  return 1;
}

// The largest number of elements in one layer of a flex; count has a place for each element.
static int widest_layer(const mjModel* m, int flex, int* count) {
  const int* layer = m->flex_elemlayer + m->flex_elemadr[flex];
  int elements = m->flex_elemnum[flex], most = 0;
  memset(count, 0, sizeof(int) * (size_t)elements);
  for (int i = 0; i < elements; i++) {
    if (layer[i] >= 0 && layer[i] < elements) {
      most = int_max(most, ++count[layer[i]]);
    }
  }
  return most;
}

// Room for the faces of a flex: both sides and the rim of a sheet; a box for each edge of a rod
// with a box section; the shell, or one layer, of anything else.
static size_t face_room(const mjModel* m, int flex, int* count) {
  size_t shells = (size_t)m->flex_shellnum[flex], elements = (size_t)m->flex_elemnum[flex];
  if (m->flex_dim[flex] == 2) {
    return 2 * shells + 2 * elements;
  }
  mjtNum half[2];
  if (rod_section(half, m, flex)) {
    return 12 * elements;
  }
  size_t layer = 4 * (size_t)widest_layer(m, flex, count);
  return layer > shells ? layer : shells;
}

// The sizes that the flexes and skins of a model require.
static Room room_of(const mjModel* m, int* count) {
  Room room = {
      .flexes = (size_t)m->nflex,
      .flexedges = (size_t)m->nflexedge,
      .flexverts = (size_t)m->nflexvert,
      .skins = (size_t)m->nskin,
      .skinverts = (size_t)m->nskinvert,
  };
  for (int i = 0; i < m->nflex; i++) {
    room.flexfaces += face_room(m, i, count);
  }
  return room;
}

static void copy_ints(int* to, const int* from, size_t n) {
  if (n) {
    memcpy(to, from, n * sizeof(int));
  }
}

// Copies what a renderer has to know about the model's flexes and skins.
static void describe(mjvScene* scn, const mjModel* m, const Room* room, int* count) {
  copy_ints(scn->flexedgeadr, m->flex_edgeadr, room->flexes);
  copy_ints(scn->flexedgenum, m->flex_edgenum, room->flexes);
  copy_ints(scn->flexvertadr, m->flex_vertadr, room->flexes);
  copy_ints(scn->flexvertnum, m->flex_vertnum, room->flexes);
  copy_ints(scn->flexedge, m->flex_edge, 2 * room->flexedges);
  copy_ints(scn->skinfacenum, m->skin_facenum, room->skins);
  copy_ints(scn->skinvertadr, m->skin_vertadr, room->skins);
  copy_ints(scn->skinvertnum, m->skin_vertnum, room->skins);
  int face = 0;
  for (int i = 0; i < m->nflex; i++) {
    scn->flexfaceadr[i] = face;
    scn->flexfacenum[i] = (int)face_room(m, i, count);
    face += scn->flexfacenum[i];
  }
}

void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom) {
  check_given(scn);
  mjv_freeScene(scn);
  Room room = {0};
  int* count = memory_take_zero(sizeof(int) * (m ? (size_t)m->nflexelem + 1 : 1));
  if (count && m) {
    room = room_of(m, count);
  }
  room.shapes = (size_t)int_max(0, maxgeom);
  if (!count || room.flexfaces > INT_MAX || !take_arrays(scn, &room)) {
    mju_free(count);
    mjv_freeScene(scn);
    mju_error("mjv_makeScene: " MEMORY_OUT ", for %d shapes", maxgeom);
    return;
  }
  scn->maxgeom = (int)room.shapes;
  scene_forget(scn, 0, scn->maxgeom);
  scn->scale = scn->rotate[0] = 1;
  for (int i = 0; i <= mjRND_POST_PROCESSING; i++) {
    mjtByte* flag = i < mjNRNDFLAG ? scn->flags + i : scn->cnd_flags + i - mjNRNDFLAG;
    *flag = cnd_RNDSTRING[i][1][0] == '1';
  }
  if (m) {
    scn->nflex = m->nflex;
    scn->nskin = m->nskin;
    describe(scn, m, &room, count);
  }
  mju_free(count);
}
