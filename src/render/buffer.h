// buffer.h: buffers that are drawn into.

#pragma once

#include <mujoco/mjrender.h>

struct RenderDevice_;

// Notes what the OpenGL context's window can do.
void buffer_find_window(struct RenderDevice_* device, mjrContext* con);

// The offscreen buffer of con->offWidth, offHeight and offSamples, which is cut to what the device
// has.
void buffer_make_offscreen(struct RenderDevice_* device, mjrContext* con);

// Frees the offscreen buffer and all auxiliary ones.
void buffer_free_all(struct RenderDevice_* device, mjrContext* con);
