// sky.c: the sky and the haze. Both are one triangle over the whole picture.

#include "render/sky.h"

#include "render/device.h"
#include "render/program.h"

static const float WALL = 0.7f;  // distance of sky and haze, as a part of the far plane's

// Sets the fog, or without fog a range that is never reached.
static void set_fog(const GL* gl, const RenderProgram* p, const RenderPass* pass) {
  int is_foggy = pass->features & FEATURE_FOG;
  gl->Uniform4fv(p->fog, 1, pass->fog);
  gl->Uniform2f(p->fog_range, is_foggy ? pass->fog_range[0] : 1e30f,
                is_foggy ? pass->fog_range[1] : 2e30f);
}

static void draw_triangle(RenderDevice* device) {
  const GL* gl = &device->gl;
  gl->Disable(GL_CULL_FACE);
  gl->DepthMask(GL_FALSE);
  gl->BindVertexArray(device->empty_array);
  gl->DrawArrays(GL_TRIANGLES, 0, 3);
  gl->BindVertexArray(0);
  gl->DepthMask(GL_TRUE);
}

void sky_draw(RenderDevice* device, const mjrContext* con, const RenderPass* pass) {
  const RenderView* view = pass->view;
  const GL* gl = &device->gl;
  const RenderProgram* p = program_use_sky(device);
  gl->Uniform3fv(p->ray, 3, view->ray[0]);
  gl->Uniform3fv(p->forward, 1, view->forward);
  gl->Uniform4f(p->range, WALL * view->far, 0, view->near, view->far);
  gl->ActiveTexture(GL_TEXTURE0);
  gl->BindTexture(GL_TEXTURE_CUBE_MAP, con->texture[device->skybox]);
  set_fog(gl, p, pass);
  draw_triangle(device);
}

// The first infinite plane; -1: there is none.
static int find_plane(const mjvScene* scn) {
  for (int i = 0; i < scn->ngeom; i++) {
    const mjvGeom* geom = scn->geoms + i;
    if (geom->type == mjGEOM_PLANE && geom->size[0] == 0 && geom->size[1] == 0) {
      return i;
    }
  }
  return -1;
}

void sky_draw_haze(RenderDevice* device, const mjvScene* scn, const RenderPass* pass) {
  const RenderView* view = pass->view;
  int i = find_plane(scn);
  if (i < 0 || view->is_parallel) {
    return;
  }
  const mjvGeom* geom = scn->geoms + i;
  const float up[3] = {geom->mat[2], geom->mat[5], geom->mat[8]};
  float height = view_dot(up, view->eye) - view_dot(up, geom->pos);
  if (height <= 0) {
    return;
  }
  const GL* gl = &device->gl;
  const RenderProgram* p = program_use_haze(device);
  gl->Uniform3fv(p->ray, 3, view->ray[0]);
  gl->Uniform3fv(p->tint, 1, device->haze_rgb);
  gl->Uniform3fv(p->forward, 1, view->forward);
  gl->Uniform4f(p->plane, up[0], up[1], up[2], height);
  gl->Uniform4f(p->range, WALL * view->far, device->haze_fade, view->near, view->far);
  gl->Enable(GL_BLEND);
  gl->BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  set_fog(gl, p, pass);
  draw_triangle(device);
  gl->Disable(GL_BLEND);
}
