// light.h: lights on the graphics device, and the shadows of those that cast some.

#pragma once

#include <mujoco/mjrender.h>
#include <mujoco/mjvisualize.h>

#include "render/draw.h"

struct RenderDevice_;

// Puts the lights of a scene on the device: those without shadows first. Returns the number of
// lights; plain is that of those without shadows, and order says which light of the scene each is.
int light_upload(int* out_plain, int order[mjMAXLIGHT], struct RenderDevice_* device,
                 const mjvScene* scn, int has_shadows);

// Draws the map of the shadows that a light of the scene casts, number i of those of one pass.
void light_shadow(RenderShadow* out, struct RenderDevice_* device, const mjrContext* con,
                  const mjvScene* scn, const mjvLight* light, const RenderView* view,
                  const RenderRuns* runs, int i);
