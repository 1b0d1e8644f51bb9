// gather.h: the shapes of a scene as copies of meshes, in an order that takes few draw calls: solid
// ones sorted by texture and mesh, transparent ones by distance.

#pragma once

#include <mujoco/mjrender.h>
#include <mujoco/mjvisualize.h>

#include "render/shape.h"

struct RenderDevice_;

// Groups of copies that are drawn by the same call.
typedef enum RenderGroup_ {
  GROUP_MIRROR,   // the shape that mirrors the others
  GROUP_CASTING,  // solid, may cast a shadow
  GROUP_DECOR,    // solid, without a shadow
  GROUP_LINES,    // solid strips, without a shadow
} RenderGroup;

// Copies of one mesh with one texture, after each other in the buffer of instances.
typedef struct RenderRun_ {
  int group;
  int shape;
  int texture;  // -1: none
  int first, count;
  int begin, indices;  // the part of the shape's indices that is drawn; no indices: all
} RenderRun;

// The runs of a scene. Transparent shapes are listed twice, in both orders of distance.
typedef struct RenderRuns_ {
  RenderRun* run;
  int solid;       // number of runs
  int near_first;  // behind them
  int far_first;   // and behind those
  const RenderInstance* instance;
  int ninstance;
  int mirror;         // geom, -1: none
  RenderRun surface;  // its surface that mirrors
} RenderRuns;

// Stores in the scene which shapes are transparent, how far away they are, and which is the mirror.
void gather_order(mjvScene* scn, const float head[3]);

// Makes the runs of all shapes and fills the buffer of instances. by_id: all shapes are solid, in
// colors that identify them; is_coded: these colors are the bits of the ids, else colors to look
// at.
void gather_scene(RenderRuns* out, struct RenderDevice_* device, const mjrContext* con,
                  const mjvScene* scn, const float head[3], int by_id, int is_coded);
