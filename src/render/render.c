// render.c: a picture of a scene, pass by pass. docs/rendering.md

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <mujoco/api/view.h>
#include <string.h>

#include "render/device.h"
#include "render/draw.h"
#include "render/flat.h"
#include "render/gather.h"
#include "render/light.h"
#include "render/mirror.h"
#include "render/program.h"
#include "render/sky.h"
#include "render/view.h"

static const float NO_LIGHT = 0.3f;  // ambient light of a scene without lights

// One picture: a view of a scene.
typedef struct Picture_ {
  RenderDevice* device;
  const GL* gl;
  const mjrContext* con;
  const mjvScene* scn;
  RenderView view;
  RenderRuns runs;
  RenderPass pass;  // what all passes share
  float head[3];    // between the eyes, in the model
  int nlight, plain;
  int order[mjMAXLIGHT];
} Picture;

static void check_lights(const mjvScene* scn) {
  for (int i = 0; i < scn->nlight && i < mjMAXLIGHT; i++) {
    int type = scn->lights[i].type;
    if (type != mjLIGHT_SPOT && type != mjLIGHT_DIRECTIONAL) {
      mju_error("mjr_render: light %d has type %d: only spots and directional lights are drawn", i,
                type);
    }
  }
}

// The state that all passes start from: depths grow towards the eye.
static void begin(const Picture* p) {
  const GL* gl = p->gl;
  mjrRect rect = p->view.rect;
  gl->Viewport(rect.left, rect.bottom, rect.width, rect.height);
  if (gl->ClipControl) {
    gl->ClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  }
  gl->PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  gl->Enable(GL_DEPTH_TEST);
  gl->DepthFunc(GL_GEQUAL);
  gl->DepthMask(GL_TRUE);
  gl->ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl->ClearColor(0, 0, 0, 0);
  gl->ClearDepth(0);
  gl->ClearStencil(0);
  gl->Disable(GL_BLEND);
  gl->Disable(GL_STENCIL_TEST);
  gl->FrontFace(GL_CCW);
  gl->CullFace(GL_BACK);
}

static void clear(const Picture* p, mjrRect rect, GLbitfield what) {
  const GL* gl = p->gl;
  gl->Enable(GL_SCISSOR_TEST);
  gl->Scissor(rect.left, rect.bottom, rect.width, rect.height);
  gl->Clear(what);
  gl->Disable(GL_SCISSOR_TEST);
}

// OpenGL's own defaults, for the program's drawing.
static void finish(const Picture* p) {
  const GL* gl = p->gl;
  if (gl->ClipControl) {
    gl->ClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
  }
  gl->Disable(GL_DEPTH_TEST);
  gl->Disable(GL_CULL_FACE);
  gl->Disable(GL_BLEND);
  gl->DepthMask(GL_TRUE);
  gl->DepthFunc(GL_LESS);
  gl->ClearDepth(1);
  gl->UseProgram(0);
  gl->BindBuffer(GL_ARRAY_BUFFER, 0);
}

// Draws solid shapes, with up to four shadows per pass. Passes after the first are added to it.
static void draw_lit(const Picture* p) {
  const GL* gl = p->gl;
  RenderPass pass = p->pass;
  int ncast = p->nlight - p->plain, done = 0;
  do {
    RenderShadow shadow[RENDER_MAX_SHADOWS];
    int n = ncast - done < RENDER_MAX_SHADOWS ? ncast - done : RENDER_MAX_SHADOWS;
    for (int i = 0; i < n; i++) {
      const mjvLight* light = p->scn->lights + p->order[p->plain + done + i];
      light_shadow(shadow + i, p->device, p->con, p->scn, light, &p->view, &p->runs, i);
    }
    if (n) {
      mjr_restoreBuffer(p->con);
      gl->Viewport(p->view.rect.left, p->view.rect.bottom, p->view.rect.width, p->view.rect.height);
    }
    pass.shadow = shadow;
    pass.nshadow = n;
    pass.shadowed = p->plain + done;
    pass.features = p->pass.features + n * FEATURE_SHADOWS;
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE);
    draw_solid(p->device, p->con, &pass, &p->runs, 1);
    if (done == 0) {
      gl->Disable(GL_BLEND);
    }
    draw_solid(p->device, p->con, &pass, &p->runs, 0);
    gl->Disable(GL_BLEND);

    // passes that are added have no emission or ambient light, and no fog
    pass.plain = 0;
    pass.ambient = -1;
    memset(pass.fog, 0, sizeof(pass.fog));
    done += n;
  } while (done < ncast);
}

// Draws labels at the positions of shapes in the field of view, even if shapes hide them.
static void draw_labels(const Picture* p) {
  const mjvScene* scn = p->scn;
  const float white[4] = {1, 1, 1, 1};
  flat_begin(p->device, p->view.rect);
  for (int i = 0; i < scn->ngeom; i++) {
    const mjvGeom* geom = scn->geoms + i;
    if (!geom->label[0]) {
      continue;
    }
    mjtNum place[3] = {geom->pos[0], geom->pos[1], geom->pos[2]}, quat[4];
    if (scn->enabletransform) {
      mju_f2n(quat, scn->rotate, 4);
      mju_rotVecQuat(place, place, quat);
      for (int k = 0; k < 3; k++) {
        place[k] = place[k] * (mjtNum)scn->scale + (mjtNum)scn->translate[k];
      }
    }
    const float at[3] = {(float)place[0], (float)place[1], (float)place[2]};
    float clip[4];
    view_point(clip, p->view.view, at);
    if (clip[3] > 0 && fabsf(clip[0]) <= clip[3] && fabsf(clip[1]) <= clip[3] &&
        clip[2] >= -clip[3] && clip[2] <= clip[3]) {
      float x = (clip[0] / clip[3] + 1) / 2 * (float)p->view.rect.width;
      float y = (clip[1] / clip[3] + 1) / 2 * (float)p->view.rect.height;
      flat_text(p->device, mjFONT_SHADOW, geom->label, sizeof(geom->label), x, y, white);
    }
  }
  flat_end(p->device, FLAT_BLEND);
}

// A border inside the viewport.
static void draw_border(RenderDevice* device, const mjvScene* scn, mjrRect rect) {
  const float rgba[4] = {scn->framergb[0], scn->framergb[1], scn->framergb[2], 1};
  float b = (float)scn->framewidth, width = (float)rect.width, height = (float)rect.height;
  flat_begin(device, rect);
  flat_rectangle(device, 0, 0, width, b, rgba);
  flat_rectangle(device, 0, height - b, width, b, rgba);
  flat_rectangle(device, 0, 0, b, height, rgba);
  flat_rectangle(device, width - b, 0, b, height, rgba);
  flat_end(device, FLAT_BLEND);
}

// Everything from one eye.
static void draw_eye(Picture* p) {
  const mjvScene* scn = p->scn;
  int by_id = scn->flags[mjRND_SEGMENT];
  gather_scene(&p->runs, p->device, p->con, scn, p->head, by_id, scn->flags[mjRND_IDCOLOR]);
  p->pass.view = &p->view;
  if (scn->cnd_flags[mjRND_DEPTH - mjNRNDFLAG]) {
    p->gl->ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    p->pass.is_culled = scn->flags[mjRND_CULL_FACE];
    p->pass.features = FEATURE_IDS;
    draw_solid(p->device, p->con, &p->pass, &p->runs, 1);
    draw_solid(p->device, p->con, &p->pass, &p->runs, 0);
    p->gl->ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    return;
  }
  p->pass.is_culled = scn->flags[mjRND_CULL_FACE];
  if (by_id) {
    p->gl->Disable(GL_MULTISAMPLE);
    p->pass.features = FEATURE_IDS;
    draw_runs(p->device, p->con, &p->pass, p->runs.run, p->runs.solid);
    p->gl->Enable(GL_MULTISAMPLE);
    return;
  }
  int has_shadows = scn->flags[mjRND_SHADOW] && p->con->shadowSize > 0;
  p->nlight = light_upload(&p->plain, p->order, p->device, scn, has_shadows);
  p->pass.plain = p->plain;
  p->pass.ambient = scn->nlight ? 0 : NO_LIGHT;
  p->pass.features =
      (scn->flags[mjRND_FOG] ? FEATURE_FOG : 0) + (scn->flags[mjRND_WIREFRAME] ? FEATURE_WIRES : 0);
  p->gl->LineWidth(p->con->lineWidth > 0 ? p->con->lineWidth : 1);
  memcpy(p->pass.fog, p->con->fogRGBA, sizeof(p->pass.fog));
  p->pass.fog_range[0] = p->con->fogStart;
  p->pass.fog_range[1] = p->con->fogEnd;
  RenderPass all_lights = p->pass;
  all_lights.plain = p->nlight;
  if (p->runs.mirror >= 0 && scn->flags[mjRND_REFLECTION]) {
    mirror_draw(p->device, p->con, scn, &all_lights, &p->runs);
  }
  draw_lit(p);
  if (scn->flags[mjRND_SKYBOX] && p->device->skybox >= 0) {
    sky_draw(p->device, p->con, &p->pass);
    if (scn->flags[mjRND_HAZE]) {
      sky_draw_haze(p->device, scn, &p->pass);
    }
  }
  draw_clear(p->device, p->con, &all_lights, &p->runs, scn->flags[mjRND_ADDITIVE]);
  draw_labels(p);
}

static void draw_from(Picture* p, const mjvGLCamera* camera, mjrRect rect) {
  if (rect.width < 1) {
    return;
  }
  view_make(&p->view, p->gl, camera, rect);
  begin(p);
  clear(p, rect, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  draw_eye(p);
}

void mjr_render(mjrRect viewport, mjvScene* scn, const mjrContext* con) {
  RenderDevice* device = render_device(con);
  if (viewport.width < 1 || viewport.height < 1) {
    return;
  }
  mjvGLCamera middle = mjv_averageCamera(scn->camera, scn->camera + 1);
  if (middle.frustum_near < 1e-15f) {
    if (scn->ngeom > 0) {
      mju_error("mjr_render: the scene's cameras were not set: call mjv_updateScene");
    }
    return;
  }
  check_lights(scn);
  mjtNum head[3];
  mjv_cameraInModel(head, NULL, NULL, scn);
  const float eye[3] = {(float)head[0], (float)head[1], (float)head[2]};
  gather_order(scn, eye);
  Picture p = {.device = device,
               .gl = &device->gl,
               .con = con,
               .scn = scn,
               .head = {eye[0], eye[1], eye[2]}};
  if (scn->stereo == mjSTEREO_NONE) {
    draw_from(&p, &middle, viewport);
  } else if (scn->stereo == mjSTEREO_QUADBUFFERED && con->windowStereo &&
             con->currentBuffer == mjFB_WINDOW) {
    p.gl->DrawBuffer(con->windowDoublebuffer ? GL_BACK_LEFT : GL_FRONT_LEFT);
    draw_from(&p, scn->camera, viewport);
    p.gl->DrawBuffer(con->windowDoublebuffer ? GL_BACK_RIGHT : GL_FRONT_RIGHT);
    draw_from(&p, scn->camera + 1, viewport);
    mjr_restoreBuffer(con);
  } else {
    mjrRect half = {viewport.left, viewport.bottom, viewport.width / 2, viewport.height};
    draw_from(&p, scn->camera, half);
    half.left += half.width;
    draw_from(&p, scn->camera + 1, half);
  }
  if (scn->framewidth > 0) {
    draw_border(device, scn, viewport);
  }
  finish(&p);
}
