// texture.h: images on the graphics device.

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjrender.h>

struct RenderDevice_;

// Notes which textures the materials of a model use, and puts all textures on the device.
void texture_upload_all(struct RenderDevice_* device, mjrContext* con, const mjModel* m);

// Puts one texture on the device, in place of what it was.
void texture_upload(struct RenderDevice_* device, const mjrContext* con, const mjModel* m, int id);

void texture_free_all(struct RenderDevice_* device, mjrContext* con);
