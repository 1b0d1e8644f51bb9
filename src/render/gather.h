// gather.h: the shapes of a scene as copies of meshes, in an order in which they are drawn with few
// calls: what is solid by texture and mesh, what is transparent by distance.

#pragma once

#include <mujoco/mjrender.h>
#include <mujoco/mjvisualize.h>

#include "render/shape.h"

struct RenderDevice_;

// What copies have in common that are drawn at once.
typedef enum RenderGroup_ {
  GROUP_MIRROR,   // the shape that mirrors the others
  GROUP_CASTING,  // solid
  GROUP_DECOR,    // solid, without a shadow
  GROUP_LINES,    // solid strips, without a shadow
} RenderGroup;

// Copies of one mesh with one texture, after each other in the buffer of instances.
typedef struct RenderRun_ {
  int group;
  int shape;
  int texture;  // -1: none
  int first, count;
} RenderRun;

// The runs of a scene. near_first and far_first are those of transparent shapes, in both orders.
typedef struct RenderRuns_ {
  RenderRun* run;
  int solid;       // number of runs
  int near_first;  // behind them
  int far_first;   // and behind those
  const RenderInstance* instance;
  int ninstance;
  int mirror;         // geom, -1: none
  RenderRun surface;  // what of it mirrors
} RenderRuns;

// Notes in the scene what is transparent, how far it is, and which shape is the mirror.
void gather_order(mjvScene* scn, const float head[3]);

// All shapes with the buffer of instances filled. by_id: all are solid, in colors that stand for
// them; is_coded: these are the bits of the numbers, else colors to look at.
void gather_scene(RenderRuns* out, struct RenderDevice_* device, const mjrContext* con,
                  const mjvScene* scn, const float head[3], int by_id, int is_coded);
