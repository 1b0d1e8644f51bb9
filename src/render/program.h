// program.h: programs of the graphics device, compiled when first used. Those for scenes are
// variants of one source, so that a feature that isn't used costs nothing.

#pragma once

#include "render/types.h"

typedef enum RenderFeature_ {
  FEATURE_IMAGE = 1,  // texture with two coordinates
  FEATURE_CUBE = 2,   // texture on a cube; not with the former
  FEATURE_FOG = 4,
  FEATURE_CLIP = 8,         // only what is before the mirror
  FEATURE_LINES = 16,       // strips of given width
  FEATURE_SHADOWS = 32,     // times the number of shadow maps, up to 4: bits 5 to 7
  FEATURE_WIRES = 1 << 8,   // sides of polygons; not with the former two
  FEATURE_IDS = 1 << 9,     // colors that stand for shapes; with LINES alone
  FEATURE_DEPTHS = 1 << 10  // no colors; with LINES alone
} RenderFeature;

struct RenderDevice_;

// Makes a variant current.
const RenderProgram* program_use_scene(struct RenderDevice_* device, int features);

// Makes one of the other programs current.
const RenderProgram* program_use_flat(struct RenderDevice_* device);
const RenderProgram* program_use_sky(struct RenderDevice_* device);
const RenderProgram* program_use_haze(struct RenderDevice_* device);
const RenderProgram* program_use_pixels(struct RenderDevice_* device);

void program_free_all(struct RenderDevice_* device);
