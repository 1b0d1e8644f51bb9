// apart.h: for each pair of geoms, the direction along which the pair was last found separated, or
// the polytope in which its depth was found.
//
// Most pairs that come near each other in a step are separated, usually along the same direction as
// in the step before. Two support points prove that, where a search needs many. A stored direction
// never changes a result: if it proves nothing, it only costs the time to try it. So directions are
// not part of the state. Copies of data and resets leave them alone.
//
//   pairs of n geoms:  (0,1) (0,2) (1,2) (0,3) (1,3) (2,3) (0,4) ...   modulo the number of slots
//
// Up to 91 geoms each pair has a slot of its own. Beyond that, pairs that share a slot overwrite
// each other. Meshes that overlap each other or a box have a slot more, for the polytope; of these
// there are fewer. What holds for directions holds for polytopes: they change no result.
//                                  theory/contact/convex.md, Proof of separation, Hulls that touch

#pragma once

#include <mujoco/mjdata.h>
#include <stdint.h>

typedef struct Apart {
  int geom[2];           // ids plus 1, in the order in which they collide; 0: nothing is known
  int vertex[2];         // vertices of meshes that were furthest towards each other
  float way[3];          // direction from the first geom to the second, in the frame of the first
  char taken;            // by a thread that collides a pair
  uint8_t misses, idle;  // how often in a row the direction proved nothing; collisions until it is
                         // tried again
} Apart;

enum {
  TOUCH_VERTS = 32,
  TOUCH_FACES = 2 * TOUCH_VERTS - 4
};

// All that a search without a contact depends on.
typedef struct TouchPoses {
  mjtNum pose[24];  // centres and axes of both geoms
  uint64_t rest;    // a hash of vertices, boxes and options
} TouchPoses;

enum {
  HOLD_NEAR = 8
};

// Where a pair has overlapped least, and what it takes to prove that it still does (convex/hold.h).
// Vertices are pairs of ids as in Touch, coordinates those of the first mesh.
typedef struct Hold {
  mjtNum pose[12];                 // of the second mesh: axes by rows, centre
  mjtNum n[3];                     // normal of the face at which they overlap least
  mjtNum next;                     // how near the next face was
  mjtNum room;                     // how near the other faces were that are not listed
  uint16_t vertex[3][2];           // definite corners of that face
  uint16_t near[HOLD_NEAR][3][2];  // the nearest other faces
  mjtNum dist[HOLD_NEAR];          // how near they were, ascending
  int nnear;                       // -1: nothing is known
  uint8_t misses, idle;            // as in Apart
} Hold;

// A closed surface of triangles, all of whose vertices are differences a - b of vertices of two
// meshes. Where there is none: the vertices in which the supports of the last search ended.
typedef struct Touch {
  int geom[2];                      // as in Apart
  uint16_t vertex[TOUCH_VERTS][2];  // ids of a and b, as support functions return them
  union {
    uint32_t corner[TOUCH_FACES];  // three vertices each, a byte for each, in outward order
    TouchPoses poses;              // where the shapes had no contact, if is_level
  };
  uint8_t nvert, nface;  // nface 0: no surface is known
  char taken;
  uint8_t is_tied;   // whether the shapes touched in more than a point
  uint8_t is_level;  // whether rounding decided that they have no contact
  uint8_t searches;  // counts those that have left their vertices
  Hold* hold;        // NULL if meshes, boxes or options may change between steps
} Touch;

typedef struct ApartTable {
  size_t mask;  // number of slots - 1
  Apart* slot;  // in the same block of memory
  size_t touch_mask;
  Touch* touch;  // NULL if the model has no meshes
} ApartTable;

// Makes empty slots for the data of a model that has pairs for the general collider. If memory runs
// out, the data have no slots.
void apart_make(const mjModel* m, mjData* d);
void apart_free(mjData* d);

// Empties all slots.
void apart_clear(mjData* d);

// The slot of two geoms, which may hold another pair; NULL if d has none.
static inline Apart* apart_slot(const mjData* d, int g1, int g2) {
  const ApartTable* table = (const ApartTable*)d->cnd_apart;
  if (!table) {
    return NULL;
  }
  size_t low = (size_t)(g1 < g2 ? g1 : g2), high = (size_t)(g1 < g2 ? g2 : g1);
  return table->slot + ((high * (high - 1) / 2 + low) & table->mask);
}

// The same for a thread that collides the pair, until it gives the slot back; NULL also if another
// thread has it.
static inline Apart* apart_take(const mjData* d, int g1, int g2) {
  Apart* slot = apart_slot(d, g1, g2);
  int shared = slot && d->threadpool;
  return shared && __atomic_exchange_n(&slot->taken, 1, __ATOMIC_ACQUIRE) ? NULL : slot;
}

static inline void apart_give_back(const mjData* d, Apart* slot) {
  if (slot && d->threadpool) {
    __atomic_store_n(&slot->taken, 0, __ATOMIC_RELEASE);
  }
}

// The same for polytopes.
static inline Touch* touch_slot(const mjData* d, int g1, int g2) {
  const ApartTable* table = (const ApartTable*)d->cnd_apart;
  if (!table || !table->touch) {
    return NULL;
  }
  size_t low = (size_t)(g1 < g2 ? g1 : g2), high = (size_t)(g1 < g2 ? g2 : g1);
  return table->touch + ((high * (high - 1) / 2 + low) & table->touch_mask);
}

static inline Touch* touch_take(const mjData* d, int g1, int g2) {
  Touch* slot = touch_slot(d, g1, g2);
  int shared = slot && d->threadpool;
  return shared && __atomic_exchange_n(&slot->taken, 1, __ATOMIC_ACQUIRE) ? NULL : slot;
}

static inline void touch_give_back(const mjData* d, Touch* slot) {
  if (slot && d->threadpool) {
    __atomic_store_n(&slot->taken, 0, __ATOMIC_RELEASE);
  }
}
