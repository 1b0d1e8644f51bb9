// light.c: lights, and their shadow maps, which hold the depths that a light sees.

#include "render/light.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <string.h>

#include "render/device.h"
#include "render/program.h"

// a light as the programs read it (std140)
typedef struct Light_ {
  float position[4], direction[4], ambient[4], diffuse[4], specular[4], attenuation[4];
} Light;

static const float PI = 3.14159265358979f;
static const float WIDEST = 160;  // angle of a spot's shadow, degrees

// Points and directions of the model, in the room.
static void to_room(float pos[3], float dir[3], const mjvScene* scn) {
  if (!scn->enabletransform) {
    return;
  }
  mjtNum quat[4] = {scn->rotate[0], scn->rotate[1], scn->rotate[2], scn->rotate[3]};
  mjtNum p[3] = {pos[0], pos[1], pos[2]}, d[3] = {dir[0], dir[1], dir[2]};
  mju_rotVecQuat(p, p, quat);
  mju_rotVecQuat(d, d, quat);
  for (int k = 0; k < 3; k++) {
    pos[k] = (float)p[k] * scn->scale + scn->translate[k];
    dir[k] = (float)d[k];
  }
}

static Light light_of(const mjvLight* given, const mjvScene* scn) {
  Light out = {{0}, {0}, {0}, {0}, {0}, {0}};
  int is_spot = given->type == mjLIGHT_SPOT;
  memcpy(out.position, given->pos, sizeof(given->pos));
  memcpy(out.direction, given->dir, sizeof(given->dir));
  to_room(out.position, out.direction, scn);
  view_normalize(out.direction);
  out.position[3] = (float)is_spot;
  // wider than a half space: light all around
  out.direction[3] = given->cutoff > 90 ? -2 : cosf(given->cutoff * PI / 180);
  memcpy(out.ambient, given->ambient, sizeof(given->ambient));
  memcpy(out.diffuse, given->diffuse, sizeof(given->diffuse));
  memcpy(out.specular, given->specular, sizeof(given->specular));
  memcpy(out.attenuation, given->attenuation, sizeof(given->attenuation));
  out.ambient[3] = given->exponent;
  return out;
}

int light_upload(int* out_plain, int order[mjMAXLIGHT], RenderDevice* device, const mjvScene* scn,
                 int has_shadows) {
  Light light[mjMAXLIGHT];
  memset(light, 0, sizeof(light));
  int n = 0, given = scn->nlight < mjMAXLIGHT ? scn->nlight : mjMAXLIGHT;
  for (int casting = 0; casting < 2; casting++) {
    for (int i = 0; i < given; i++) {
      if ((has_shadows && scn->lights[i].castshadow) == casting) {
        order[n] = i;
        light[n++] = light_of(scn->lights + i, scn);
      }
    }
    if (!casting) {
      *out_plain = n;
    }
  }
  const GL* gl = &device->gl;
  gl->BindBuffer(GL_UNIFORM_BUFFER, device->lights);
  gl->BufferData(GL_UNIFORM_BUFFER, sizeof(light), light, GL_STREAM_DRAW);
  return n;
}

static void make_map(RenderDevice* device, mjrContext* con, int i) {
  const GL* gl = &device->gl;
  if (!device->shadow_frame) {
    gl->GenFramebuffers(1, &device->shadow_frame);
    con->shadowFBO = device->shadow_frame;
  }
  if (device->shadow[i]) {
    return;
  }
  GLint most = 1;
  gl->GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  con->shadowSize = con->shadowSize > most ? (int)most : con->shadowSize;
  gl->GenTextures(1, &device->shadow[i]);
  gl->ActiveTexture(GL_TEXTURE0);
  gl->BindTexture(GL_TEXTURE_2D, device->shadow[i]);
  gl->TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, con->shadowSize, con->shadowSize, 0,
                 GL_DEPTH_COMPONENT, GL_FLOAT, NULL);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_GEQUAL);
  if (i == 0) {
    con->shadowTex = device->shadow[0];
  }
}

// The view of a light: a box along parallel rays, or the cone of a spot.
static void light_view(RenderView* out, const GL* gl, const mjrContext* con, const mjvScene* scn,
                       const mjvLight* light, const RenderView* view) {
  mjvGLCamera camera = {{0}, {0}, {0}, 0, 0, 0, 0, view->near, view->far, 0};
  memcpy(camera.pos, light->pos, sizeof(camera.pos));
  memcpy(camera.forward, light->dir, sizeof(camera.forward));
  to_room(camera.pos, camera.forward, scn);
  view_normalize(camera.forward);
  const float* f = camera.forward;
  int least = fabsf(f[0]) < fabsf(f[1]) ? 0 : 1;
  least = fabsf(f[2]) < fabsf(f[least]) ? 2 : least;
  camera.up[least] = 1;
  float half;
  if (light->type == mjLIGHT_SPOT) {
    float angle = fminf(2 * light->cutoff * con->shadowScale, WIDEST);
    half = view->near * tanf(angle / 2 * PI / 180);
  } else {
    half = con->shadowClip;
    camera.orthographic = 1;
  }
  camera.frustum_width = half;
  camera.frustum_bottom = -half;
  camera.frustum_top = half;
  mjrRect rect = {0, 0, con->shadowSize, con->shadowSize};
  view_make(out, gl, &camera, rect);
}

// Radius of a ball, around the position of a copy, that contains the copy.
static float reach(const RenderDevice* device, const RenderRun* run, const RenderInstance* copy) {
  const float* bound = device->shape[run->shape].bound;
  float sum = 0, stretch = 0;
  for (int k = 0; k < 3; k++) {
    float size = bound[k] * fabsf(copy->scale[k]) + (k == 2 ? fabsf(copy->length) : 0);
    sum += size * size;
    stretch = fmaxf(stretch, view_dot(copy->row[k], copy->row[k]));
  }
  return sqrtf(3 * stretch * sum);
}

// Are the positions of all copies in front of a plane?
static int is_free_behind(const RenderRuns* runs, const float up[3], float height) {
  for (int i = 0; i < runs->ninstance; i++) {
    const RenderInstance* copy = runs->instance + i;
    const float at[3] = {copy->row[0][3], copy->row[1][3], copy->row[2][3]};
    if (view_dot(up, at) < height - 1e-5f * fabsf(height)) {
      return 0;
    }
  }
  return 1;
}

// Whether a solid plane needs no shadow. It shades only what is behind it, and from the front
// nobody sees that if the plane is infinite or nothing is behind it.
static int is_floor(const RenderDevice* device, const RenderRun* run, const RenderRuns* runs,
                    const RenderView* from, const RenderView* view) {
  const RenderInstance* copy = runs->instance + run->first;
  int is_plane = run->shape == SOLID_SQUARE ||
                 (run->shape >= SOLID_COUNT && run->shape < SOLID_COUNT + device->nplane);
  if (!is_plane || run->count != 1 || copy->rgba[3] < 0.995f) {
    return 0;
  }
  const float up[3] = {copy->row[0][2], copy->row[1][2], copy->row[2][2]};
  const float at[3] = {copy->row[0][3], copy->row[1][3], copy->row[2][3]};
  float height = view_dot(up, at);
  return view_dot(up, view->eye) > height && view_dot(up, from->eye) > height &&
         view_dot(up, from->forward) < 0 &&
         (device->shape[run->shape].is_endless || is_free_behind(runs, up, height));
}

static int casts(const RenderDevice* device, const RenderRun* run, const RenderRuns* runs,
                 const RenderView* from, const RenderView* view) {
  return run->group != GROUP_DECOR && run->group != GROUP_LINES &&
         !is_floor(device, run, runs, from, view);
}

// The part of the map into which shadow casters fall, in clip space.
static void find_part(float out[4], const RenderDevice* device, const RenderRuns* runs,
                      const RenderView* view, const RenderView* eye, float half) {
  out[0] = out[1] = 1;
  out[2] = out[3] = -1;
  for (int i = 0; i < runs->solid + runs->near_first; i++) {
    const RenderRun* run = runs->run + i;
    if (!casts(device, run, runs, view, eye)) {
      continue;
    }
    for (int j = run->first; j < run->first + run->count; j++) {
      const RenderInstance* copy = runs->instance + j;
      float r = reach(device, run, copy), p[4];
      const float at[3] = {copy->row[0][3], copy->row[1][3], copy->row[2][3]};
      view_point(p, view->view, at);
      if (!view->is_parallel && p[3] <= r) {
        out[0] = out[1] = -1;
        out[2] = out[3] = 1;
        return;
      }
      // for a cone: the sides of a box around the ball, at its nearest and farthest depth
      for (int k = 0; k < 2; k++) {
        float low, high;
        if (view->is_parallel) {
          low = p[k] - r / half;
          high = p[k] + r / half;
        } else {
          float near = p[3] - r, far = p[3] + r;
          float a = p[k] - r * view->near / half, b = p[k] + r * view->near / half;
          low = fminf(a / near, a / far);
          high = fmaxf(b / near, b / far);
        }
        out[k] = fminf(out[k], low);
        out[2 + k] = fmaxf(out[2 + k], high);
      }
    }
  }
}

// The part in pixels, with a border for interpolation; `part` becomes its coordinates in the map.
static mjrRect cut_part(float part[4], int size) {
  float n = (float)size;
  int low[2], high[2];
  for (int k = 0; k < 2; k++) {
    float a = floorf((part[k] + 1) / 2 * n) - 2, b = ceilf((part[2 + k] + 1) / 2 * n) + 2;
    low[k] = (int)fmaxf(0, fminf(a, n));
    high[k] = (int)fmaxf(0, fminf(b, n));
    part[k] = ((float)low[k] + (low[k] > 0)) / n;
    part[2 + k] = ((float)high[k] - (high[k] < size)) / n;
  }
  // without casters low is above high: the part is empty and all is lit
  int width = high[0] - low[0], height = high[1] - low[1];
  mjrRect rect = {low[0], low[1], width > 0 ? width : 0, height > 0 ? height : 0};
  return rect;
}

// From clip space to coordinates of the map.
static void to_map(float out[16], const GL* gl, const float view[16]) {
  float z = gl->ClipControl ? 1.f : 0.5f;
  const float half[16] = {0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, z, 0, 0.5f, 0.5f, 1 - z, 1};
  view_product(out, half, view);
}

void light_shadow(RenderShadow* out, RenderDevice* device, const mjrContext* con,
                  const mjvScene* scn, const mjvLight* light, const RenderView* view,
                  const RenderRuns* runs, int i) {
  const GL* gl = &device->gl;
  make_map(device, (mjrContext*)con, i);
  out->map = device->shadow[i];
  RenderView from;
  light_view(&from, gl, con, scn, light, view);
  float half =
      light->type == mjLIGHT_SPOT
          ? view->near * tanf(fminf(light->cutoff * con->shadowScale, WIDEST / 2) * PI / 180)
          : con->shadowClip;
  find_part(out->part, device, runs, &from, view, half);
  mjrRect part = cut_part(out->part, con->shadowSize);
  to_map(out->view, gl, from.view);

  gl->BindFramebuffer(GL_FRAMEBUFFER, device->shadow_frame);
  gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, out->map, 0);
  gl->DrawBuffer(GL_NONE);
  gl->ReadBuffer(GL_NONE);
  gl->Viewport(0, 0, con->shadowSize, con->shadowSize);
  gl->Enable(GL_SCISSOR_TEST);
  gl->Scissor(part.left, part.bottom, part.width, part.height);
  gl->Clear(GL_DEPTH_BUFFER_BIT);
  gl->Enable(GL_POLYGON_OFFSET_FILL);
  gl->PolygonOffset(-4, -256);
  RenderPass pass = {.view = &from, .features = FEATURE_DEPTHS, .is_shadow = 1};
  for (int r = 0; r < runs->solid + runs->near_first; r++) {
    const RenderRun* run = runs->run + r;
    if (casts(device, run, runs, &from, view)) {
      draw_runs(device, con, &pass, run, 1);
    }
  }
  gl->Disable(GL_POLYGON_OFFSET_FILL);
  gl->Disable(GL_SCISSOR_TEST);
}
