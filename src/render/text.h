// text.h: fonts on the graphics device, and drawing text.

#pragma once

#include <mujoco/mjrender.h>

struct RenderDevice_;

void text_free(struct RenderDevice_* device);
