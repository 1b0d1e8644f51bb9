// device.h: what a renderer keeps on the graphics device beyond the public fields of mjrContext,
// and memory for the lists of what is drawn.
//
//   mjrContext                      RenderDevice
//   +--------------+                +----------------------------+
//   | skinvertVBO  | -------------> | skin_buffers[] (last)      |
//   +--------------+                +----------------------------+
//
// mjrContext is public and has no field for the device. A renderer finds it through the four
// pointers of skins: they are handles that only a renderer reads, and they point into the device.

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjrender.h>
#include <stddef.h>

#include "render/gl.h"
#include "render/memory.h"
#include "render/types.h"

enum {
  RENDER_MAX_SHADOWS = 4,  // shadow maps that one pass reads
  RENDER_PROGRAMS = 512,   // variants of the programs for scenes
};

typedef struct RenderDevice_ {
  GL gl;
  void* native;  // the OpenGL context
  struct RenderDevice_* next;

  // shapes, in the order of shape.h
  RenderShape* shape;
  int nshape;
  int nplane, nmesh, nhfield, nskin, nflex;
  RenderArray skin_coords;  // of textures, two for each vertex of all skins
  GLuint instances;
  GLuint lights;

  // programs
  RenderProgram scene[RENDER_PROGRAMS];
  RenderProgram flat, sky, haze, pixels;

  // shadow maps, made when first used
  GLuint shadow_frame;
  GLuint shadow[RENDER_MAX_SHADOWS];
  int shadow_pixels;

  // flat pictures
  RenderFont font[2];  // normal, big
  GLuint font_texture;
  int font_size[2];
  float white[2];  // coordinates of a white spot
  mjrRect flat_rect;
  GLuint flat_array, flat_buffer;
  GLuint empty_array;  // for programs that need no vertices
  RenderArray flat_vertices;

  // lists of the picture that is being drawn
  RenderArray list, drawn, order, vertices;
  int skybox;  // texture, -1 if there is none
  float haze_rgb[3];
  float haze_fade;  // the part of the haze's distance over which it fades out

  unsigned int skin_buffers[];
} RenderDevice;

// The device of a context. Ends in mju_error naming the caller if the context was not made.
#define render_device(con) render_device_of(con, __func__)
RenderDevice* render_device_of(const mjrContext* con, const char* caller);

// The device of the OpenGL context that is current, NULL if none was made in it.
RenderDevice* render_device_current(void);

// The device of a context whether or not its OpenGL context is current, NULL if it was not made.
RenderDevice* render_device_handle(const mjrContext* con);

// Adds a device to the list that is searched by OpenGL context, and removes it.
void render_device_enter(RenderDevice* device);
void render_device_leave(const RenderDevice* device);
