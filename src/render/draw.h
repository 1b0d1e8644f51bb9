// draw.h: drawing runs of copies with the programs that they need.

#pragma once

#include "render/gather.h"
#include "render/view.h"

struct RenderDevice_;

// A light that casts a shadow: the map of depths, and how points of the room fall onto it.
typedef struct RenderShadow_ {
  GLuint map;
  float view[16];  // to coordinates of the map, from 0 to 1
  float part[4];   // of the map that is drawn: least x, y; most x, y. All is lit beyond
} RenderShadow;

// Settings common to all copies of one pass.
typedef struct RenderPass_ {
  const RenderView* view;
  int features;   // RenderFeature, except for those that depend on the run
  int is_shadow;  // depths alone, seen from a light
  int is_culled;  // back faces are not drawn
  int plain;      // number of lights without shadows
  int shadowed;   // the first light with a shadow in this pass
  int nshadow;    // how many lights with shadows this pass has
  const RenderShadow* shadow;
  float ambient;
  float mirror[4];
  float fog[4], fog_range[2];
} RenderPass;

// Draws runs, with the lights in the buffer that light_upload has filled.
void draw_runs(struct RenderDevice_* device, const mjrContext* con, const RenderPass* pass,
               const RenderRun* run, int n);

// Draws solid shapes: the mirror only, or all others.
void draw_solid(struct RenderDevice_* device, const mjrContext* con, const RenderPass* pass,
                const RenderRuns* runs, int mirror);

// Draws transparent shapes: the near ones first and then, unless colors are added up, all of them
// again with the far ones first.
void draw_clear(struct RenderDevice_* device, const mjrContext* con, const RenderPass* pass,
                const RenderRuns* runs, int is_additive);
