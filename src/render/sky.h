// sky.h: what is behind the shapes of a scene.

#pragma once

#include <mujoco/mjrender.h>
#include <mujoco/mjvisualize.h>

#include "render/draw.h"

struct RenderDevice_;

// The cube around the eye, where nothing was drawn.
void sky_draw(struct RenderDevice_* device, const mjrContext* con, const RenderPass* pass);

// Haze along the horizon of the first infinite plane, seen from above.
void sky_draw_haze(struct RenderDevice_* device, const mjvScene* scn, const RenderPass* pass);
