// view.c: cameras as matrices.

#include "render/view.h"

#include <math.h>
#include <string.h>

float view_dot(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void view_cross(float out[3], const float a[3], const float b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

float view_normalize(float v[3]) {
  float length = sqrtf(view_dot(v, v));
  for (int k = 0; k < 3; k++) {
    v[k] = length > 0 ? v[k] / length : k == 0;
  }
  return length;
}

void view_product(float out[16], const float a[16], const float b[16]) {
  for (int c = 0; c < 4; c++) {
    for (int r = 0; r < 4; r++) {
      float sum = 0;
      for (int k = 0; k < 4; k++) {
        sum += a[4 * k + r] * b[4 * c + k];
      }
      out[4 * c + r] = sum;
    }
  }
}

void view_point(float out[4], const float view[16], const float x[3]) {
  for (int r = 0; r < 4; r++) {
    out[r] = view[r] * x[0] + view[4 + r] * x[1] + view[8 + r] * x[2] + view[12 + r];
  }
}

void view_look(float out[16], const float from[3], const float forward[3], const float up[3]) {
  float f[3] = {forward[0], forward[1], forward[2]}, right[3], top[3];
  view_normalize(f);
  view_cross(right, f, up);
  view_normalize(right);
  view_cross(top, right, f);
  for (int k = 0; k < 3; k++) {
    out[4 * k] = right[k];
    out[4 * k + 1] = top[k];
    out[4 * k + 2] = -f[k];
    out[4 * k + 3] = 0;
  }
  out[12] = -view_dot(right, from);
  out[13] = -view_dot(top, from);
  out[14] = view_dot(f, from);
  out[15] = 1;
}

// The box that a camera sees, in its own frame.
typedef struct Frustum_ {
  float left, right, bottom, top, near, far;
} Frustum;

static Frustum frustum_of(const mjvGLCamera* camera, mjrRect rect) {
  float half = camera->frustum_width;
  if (half == 0) {
    half = 0.5f * (float)rect.width / (float)rect.height *
           (camera->frustum_top - camera->frustum_bottom);
  }
  Frustum f = {camera->frustum_center - half, camera->frustum_center + half, camera->frustum_bottom,
               camera->frustum_top,           camera->frustum_near,          camera->frustum_far};
  return f;
}

static void project(float out[16], const Frustum* f, int is_parallel) {
  float width = f->right - f->left, height = f->top - f->bottom, depth = f->far - f->near;
  memset(out, 0, 16 * sizeof(float));
  if (is_parallel) {
    out[0] = 2 / width;
    out[5] = 2 / height;
    out[10] = 1 / depth;
    out[12] = -(f->right + f->left) / width;
    out[13] = -(f->top + f->bottom) / height;
    out[14] = f->far / depth;
    out[15] = 1;
  } else {
    out[0] = 2 * f->near / width;
    out[5] = 2 * f->near / height;
    out[8] = (f->right + f->left) / width;
    out[9] = (f->top + f->bottom) / height;
    out[10] = f->near / depth;
    out[11] = -1;
    out[14] = f->near * f->far / depth;
  }
}

void view_make(RenderView* out, const GL* gl, const mjvGLCamera* camera, mjrRect rect) {
  Frustum f = frustum_of(camera, rect);
  float look[16], projection[16];
  view_look(look, camera->pos, camera->forward, camera->up);
  project(projection, &f, camera->orthographic);
  if (!gl->ClipControl) {
    for (int c = 0; c < 4; c++) {
      projection[4 * c + 2] = 2 * projection[4 * c + 2] - projection[4 * c + 3];
    }
  }
  view_product(out->view, projection, look);
  out->rect = rect;
  out->near = f.near;
  out->far = f.far;
  out->is_parallel = camera->orthographic;
  memcpy(out->eye, camera->pos, sizeof(out->eye));
  float scale = camera->orthographic ? 0 : 1 / f.near;
  for (int k = 0; k < 3; k++) {
    float right = look[4 * k], top = look[4 * k + 1], forward = -look[4 * k + 2];
    out->forward[k] = forward;
    out->ray[0][k] =
        forward + 0.5f * scale * ((f.left + f.right) * right + (f.bottom + f.top) * top);
    out->ray[1][k] = 0.5f * scale * (f.right - f.left) * right;
    out->ray[2][k] = 0.5f * scale * (f.top - f.bottom) * top;
  }
}

void view_mirror(RenderView* out, const RenderView* view, const float n[3], float offset) {
  float mirror[16] = {0};
  for (int c = 0; c < 3; c++) {
    for (int r = 0; r < 3; r++) {
      mirror[4 * c + r] = (float)(r == c) - 2 * n[r] * n[c];
    }
    mirror[12 + c] = 2 * offset * n[c];
  }
  mirror[15] = 1;
  *out = *view;
  view_product(out->view, view->view, mirror);
  float eye[4];
  view_point(eye, mirror, view->eye);
  memcpy(out->eye, eye, sizeof(out->eye));
  float along = 2 * view_dot(n, view->forward);
  for (int k = 0; k < 3; k++) {
    out->forward[k] = view->forward[k] - along * n[k];
  }
}
