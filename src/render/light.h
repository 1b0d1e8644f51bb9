// light.h: lights on the graphics device, and the shadows of those that cast some.

#pragma once

#include <mujoco/mjrender.h>
#include <mujoco/mjvisualize.h>

#include "render/draw.h"

struct RenderDevice_;

// Uploads the lights of a scene, those without shadows first. Returns the number of lights. plain:
// number of those without shadows; order: the index in the scene of each light.
int light_upload(int* out_plain, int order[mjMAXLIGHT], struct RenderDevice_* device,
                 const mjvScene* scn, int has_shadows);

// Draws the shadow map of a light of the scene, as number i of the maps of one pass.
void light_shadow(RenderShadow* out, struct RenderDevice_* device, const mjrContext* con,
                  const mjvScene* scn, const mjvLight* light, const RenderView* view,
                  const RenderRuns* runs, int i);
