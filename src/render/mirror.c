// mirror.c: marks the mirror in the stencil buffer, and draws there the scene from the eye's mirror
// image, without what is behind the mirror.

#include "render/mirror.h"

#include <string.h>

#include "render/device.h"
#include "render/flat.h"
#include "render/program.h"

static void clear(const GL* gl, const RenderView* view, GLbitfield what) {
  gl->Enable(GL_SCISSOR_TEST);
  gl->Scissor(view->rect.left, view->rect.bottom, view->rect.width, view->rect.height);
  gl->Clear(what);
  gl->Disable(GL_SCISSOR_TEST);
}

int mirror_draw(RenderDevice* device, const mjrContext* con, const mjvScene* scn,
                const RenderPass* pass, const RenderRuns* runs) {
  const GL* gl = &device->gl;
  const mjvGeom* geom = scn->geoms + runs->mirror;
  const RenderView* view = pass->view;
  const RenderInstance* copy = runs->instance + runs->surface.first;
  float middle[3], n[3];
  for (int k = 0; k < 3; k++) {
    middle[k] = copy->row[k][3];
    n[k] = copy->row[k][2];
  }
  view_normalize(n);
  float offset = view_dot(n, middle);
  if (view_dot(n, view->eye) <= offset) {
    return 0;
  }

  gl->Enable(GL_STENCIL_TEST);
  gl->StencilFunc(GL_ALWAYS, 1, 255);
  gl->StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  gl->ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  gl->DepthMask(GL_FALSE);
  RenderPass mask = *pass;
  mask.features = FEATURE_DEPTHS;
  draw_runs(device, con, &mask, &runs->surface, 1);

  gl->StencilFunc(GL_EQUAL, 1, 255);
  gl->StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  gl->ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl->DepthMask(GL_TRUE);
  gl->Enable(GL_CLIP_DISTANCE0);
  gl->FrontFace(GL_CW);
  RenderView mirrored;
  view_mirror(&mirrored, view, n, offset);
  RenderPass seen = *pass;
  seen.view = &mirrored;
  seen.features |= FEATURE_CLIP;
  memcpy(seen.mirror, n, sizeof(n));
  seen.mirror[3] = -offset;
  draw_solid(device, con, &seen, runs, 0);
  draw_clear(device, con, &seen, runs, scn->flags[mjRND_ADDITIVE]);
  gl->FrontFace(GL_CCW);
  gl->Disable(GL_CLIP_DISTANCE0);

  // darken the image to the share of light that the mirror reflects
  flat_begin(device, view->rect);
  const float gray[4] = {geom->reflectance, geom->reflectance, geom->reflectance, 1};
  flat_rectangle(device, 0, 0, (float)view->rect.width, (float)view->rect.height, gray);
  flat_end(device, FLAT_MULTIPLY);
  gl->Disable(GL_STENCIL_TEST);
  gl->Enable(GL_DEPTH_TEST);
  clear(gl, view, GL_DEPTH_BUFFER_BIT);
  return 1;
}
