// mirror.h: the picture in a plane or on the top of a box that mirrors.

#pragma once

#include "render/draw.h"
#include "render/gather.h"

struct RenderDevice_;

// Draws the other shapes mirrored where the mirror is seen, darkened by its reflectance. pass is
// that of shapes with all lights and without shadows. Depths are left as if nothing had been drawn.
// Returns 0 if the mirror is seen from behind.
int mirror_draw(struct RenderDevice_* device, const mjrContext* con, const mjvScene* scn,
                const RenderPass* pass, const RenderRuns* runs);
