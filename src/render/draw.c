// draw.c: draws each run of copies by one call.

#include "render/draw.h"

#include <stddef.h>

#include "render/device.h"
#include "render/program.h"

// Points the per-copy attributes to the first copy of a run.
static void point_to(const GL* gl, const RenderDevice* device, int first) {
  static const struct {
    GLint n;
    size_t offset;
  } field[] = {{4, offsetof(RenderInstance, row[0])}, {4, offsetof(RenderInstance, row[1])},
               {4, offsetof(RenderInstance, row[2])}, {4, offsetof(RenderInstance, scale)},
               {4, offsetof(RenderInstance, rgba)},   {4, offsetof(RenderInstance, emission)},
               {4, offsetof(RenderInstance, texgen)}, {4, offsetof(RenderInstance, id)}};
  gl->BindBuffer(GL_ARRAY_BUFFER, device->instances);
  for (GLuint i = 0; i < sizeof(field) / sizeof(field[0]); i++) {
    size_t offset = (size_t)first * sizeof(RenderInstance) + field[i].offset;
    gl->EnableVertexAttribArray(3 + i);
    gl->VertexAttribDivisor(3 + i, 1);
    gl->VertexAttribPointer(3 + i, field[i].n, GL_FLOAT, GL_FALSE, sizeof(RenderInstance),
                            (const void*)offset);
  }
}

static void set_pass(const GL* gl, const RenderProgram* p, const RenderPass* pass) {
  const RenderView* view = pass->view;
  gl->UniformMatrix4fv(p->view, 1, GL_FALSE, view->view);
  gl->Uniform3fv(p->eye, 1, view->eye);
  gl->Uniform3fv(p->forward, 1, view->forward);
  gl->Uniform2f(p->pixels, (float)view->rect.width, (float)view->rect.height);
  gl->Uniform4fv(p->mirror, 1, pass->mirror);
  const float ambient[3] = {pass->ambient, pass->ambient, pass->ambient};
  gl->Uniform3fv(p->ambient, 1, ambient);
  gl->Uniform1i(p->plain, pass->plain);
  gl->Uniform1i(p->shadowed, pass->shadowed);
  gl->Uniform1i(p->parallel, view->is_parallel);
  gl->Uniform4fv(p->fog, 1, pass->fog);
  gl->Uniform2f(p->fog_range, pass->fog_range[0], pass->fog_range[1]);
  for (int i = 0; i < pass->nshadow && p->shadow_view >= 0; i++) {
    gl->UniformMatrix4fv(p->shadow_view + i, 1, GL_FALSE, pass->shadow[i].view);
    gl->Uniform4fv(p->shadow_part + i, 1, pass->shadow[i].part);
  }
}

// Planes and lines are seen from both sides.
static int is_two_sided(const RenderDevice* device, int shape) {
  return shape == SOLID_LINE || shape == SOLID_SQUARE ||
         (shape >= SOLID_COUNT && shape < SOLID_COUNT + device->nplane);
}

// Whether a shape is closed. A back face of a closed shape hides nothing that a front face doesn't
// hide too, so shadows don't need back faces.
static int is_closed(int shape) {
  return shape == SOLID_SPHERE || shape == SOLID_CAPSULE || shape == SOLID_CYLINDER ||
         shape == SOLID_BOX || shape == SOLID_CONE;
}

// Draws part of a shape's triangles as lines. If they are halves of quadrangles, the diagonal is
// left out.
static void draw_wires(const GL* gl, const RenderProgram* p, int halves, size_t first,
                       GLsizei count, GLsizei copies) {
  if (count) {
    gl->Uniform1i(p->halves, halves);
    gl->DrawElementsInstanced(GL_TRIANGLES, count, GL_UNSIGNED_INT,
                              (const void*)(first * sizeof(unsigned int)), copies);
  }
}

void draw_runs(RenderDevice* device, const mjrContext* con, const RenderPass* pass,
               const RenderRun* run, int n) {
  const GL* gl = &device->gl;
  gl->BindBufferBase(GL_UNIFORM_BUFFER, 0, device->lights);
  for (int i = 0; i < pass->nshadow; i++) {
    gl->ActiveTexture((GLenum)(GL_TEXTURE1 + i));
    gl->BindTexture(GL_TEXTURE_2D, pass->shadow[i].map);
  }
  gl->ActiveTexture(GL_TEXTURE0);
  int used = -1, bound = -1;
  const RenderProgram* p = NULL;
  for (int i = 0; i < n; i++) {
    const RenderShape* shape = device->shape + run[i].shape;
    if (!shape->count || !run[i].count) {
      continue;
    }
    int is_colored = !(pass->features & (FEATURE_IDS | FEATURE_DEPTHS));
    int features = pass->features;
    int is_cube = 0;
    if (run[i].group == GROUP_LINES) {
      features =
          (features | FEATURE_LINES) % FEATURE_SHADOWS + features / FEATURE_IDS * FEATURE_IDS;
    } else if (is_colored && run[i].texture >= 0) {
      is_cube = con->textureType[run[i].texture] != mjTEXTURE_2D;
      features |= is_cube ? FEATURE_CUBE : FEATURE_IMAGE;
      if (run[i].texture != bound) {
        bound = run[i].texture;
        gl->BindTexture(is_cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D, con->texture[bound]);
      }
    }
    if (features != used) {
      used = features;
      p = program_use_scene(device, features);
      set_pass(gl, p, pass);
    }
    gl->Uniform1i(p->use_position, shape->has_coords && is_cube);
    gl->BindVertexArray(shape->array);
    point_to(gl, device, run[i].first);
    int is_culled = pass->features & FEATURE_DEPTHS
                        ? pass->is_shadow && is_closed(run[i].shape)
                        : pass->is_culled && !is_two_sided(device, run[i].shape);
    (is_culled ? gl->Enable : gl->Disable)(GL_CULL_FACE);
    if (features & FEATURE_WIRES) {
      // mirroring reverses which faces are front faces
      gl->Uniform1i(p->front, !is_culled ? 0 : features & FEATURE_CLIP ? -1 : 1);
      int part = run[i].indices > 0;  // of a flex, which has no halves
      size_t begin = part ? (size_t)run[i].begin : (size_t)shape->halves;
      draw_wires(gl, p, 1, 0, part ? 0 : shape->halves, run[i].count);
      draw_wires(gl, p, 0, begin, part ? run[i].indices : shape->count - shape->halves,
                 run[i].count);
    } else {
      int part = run[i].indices > 0;
      gl->DrawElementsInstanced(GL_TRIANGLES, part ? run[i].indices : shape->count, GL_UNSIGNED_INT,
                                (const void*)((size_t)run[i].begin * sizeof(unsigned int)),
                                run[i].count);
    }
  }
  gl->BindVertexArray(0);
}

void draw_solid(RenderDevice* device, const mjrContext* con, const RenderPass* pass,
                const RenderRuns* runs, int mirror) {
  for (int i = 0; i < runs->solid; i++) {
    if ((runs->run[i].group == GROUP_MIRROR) == mirror) {
      draw_runs(device, con, pass, runs->run + i, 1);
    }
  }
}

void draw_clear(RenderDevice* device, const mjrContext* con, const RenderPass* pass,
                const RenderRuns* runs, int is_additive) {
  const GL* gl = &device->gl;
  gl->Enable(GL_BLEND);
  gl->BlendFunc(GL_SRC_ALPHA, is_additive ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
  gl->DepthMask(GL_FALSE);
  const RenderRun* run = runs->run + runs->solid;
  draw_runs(device, con, pass, run, runs->near_first);
  if (!is_additive) {
    draw_runs(device, con, pass, run + runs->near_first, runs->far_first);
  }
  gl->DepthMask(GL_TRUE);
  gl->Disable(GL_BLEND);
}
