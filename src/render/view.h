// view.h: the view of a scene: where the eye is, where it looks, and the matrix to the viewport.
//
// Matrices are OpenGL's: columns after each other. Depth is 1 at the near plane and 0 at the far
// one, which single precision keeps exact far away:
//
//   perspective  near (far - z) / (z (far - near))      z: distance along the view
//   orthographic (far - z) / (far - near)

#pragma once

#include <mujoco/mjrender.h>
#include <mujoco/mjvisualize.h>

#include "render/gl.h"

typedef struct RenderView_ {
  mjrRect rect;
  float view[16];  // from the room to clip space
  float eye[3], forward[3];
  float ray[3][3];  // through the middle, and from there to the right and upper edges
  float near, far;
  int is_parallel;
} RenderView;

// The view of a camera. Clip space has depths from -1 to 1 if gl has no ClipControl, else from 0.
void view_make(RenderView* out, const GL* gl, const mjvGLCamera* camera, mjrRect rect);

// What a mirror shows: the plane of points x with n.x = offset. The eye is mirrored as well.
void view_mirror(RenderView* out, const RenderView* view, const float n[3], float offset);

// out = a b
void view_product(float out[16], const float a[16], const float b[16]);

// The matrix that puts from at the origin and looks along forward.
void view_look(float out[16], const float from[3], const float forward[3], const float up[3]);

// out = view (x, 1)
void view_point(float out[4], const float view[16], const float x[3]);

float view_dot(const float a[3], const float b[3]);
void view_cross(float out[3], const float a[3], const float b[3]);
// Returns the length; a vector of length 0 becomes (1, 0, 0).
float view_normalize(float v[3]);
