// program.c: compiles programs. Their sources are files in shader/, embedded when the library is
// built.

#include "render/program.h"

#include <mujoco/api/base.h>
#include <stdio.h>
#include <string.h>

#include "render/device.h"
#include "render/source.h"

// Compiles one stage: its source after the head that all stages of the program share.
static GLuint compile(const GL* gl, GLenum kind, const char* head, const char* source) {
  GLuint shader = gl->CreateShader(kind);
  const GLchar* text[] = {"#version 330 core\n", head, "#line 1\n", source};
  gl->ShaderSource(shader, 4, text, NULL);
  gl->CompileShader(shader);
  GLint is_good = 0;
  gl->GetShaderiv(shader, GL_COMPILE_STATUS, &is_good);
  if (!is_good) {
    char log[800] = {0};
    gl->GetShaderInfoLog(shader, sizeof(log), NULL, log);
    gl->DeleteShader(shader);
    mju_error("OpenGL doesn't compile a shader: %s", log);
  }
  return shader;
}

static void find_uniforms(const GL* gl, RenderProgram* p) {
  const struct {
    GLint* place;
    const char* name;
  } uniform[] = {{&p->view, "view"},
                 {&p->eye, "eye"},
                 {&p->forward, "forward"},
                 {&p->pixels, "pixels"},
                 {&p->mirror, "mirror"},
                 {&p->ambient, "ambient"},
                 {&p->plain, "plain"},
                 {&p->shadowed, "shadowed"},
                 {&p->use_position, "use_position"},
                 {&p->parallel, "parallel"},
                 {&p->halves, "halves"},
                 {&p->front, "front"},
                 {&p->image, "image"},
                 {&p->fog, "fog"},
                 {&p->fog_range, "fog_range"},
                 {&p->shadow_view, "shadow_view"},
                 {&p->shadow_map, "shadow_map"},
                 {&p->shadow_part, "shadow_part"},
                 {&p->ray, "ray"},
                 {&p->tint, "tint"},
                 {&p->plane, "plane"},
                 {&p->range, "range"}};
  for (size_t i = 0; i < sizeof(uniform) / sizeof(uniform[0]); i++) {
    *uniform[i].place = gl->GetUniformLocation(p->program, uniform[i].name);
  }
  GLuint lights = gl->GetUniformBlockIndex(p->program, "Lights");
  if (lights != GL_INVALID_INDEX) {
    gl->UniformBlockBinding(p->program, lights, 0);
  }
}

// Makes a program of three stages; the geometry stage may be NULL.
static void make(const GL* gl, RenderProgram* p, const char* head, const char* vertex,
                 const char* geometry, const char* fragment) {
  const GLenum kind[3] = {GL_VERTEX_SHADER, GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER};
  const char* source[3] = {vertex, geometry, fragment};
  GLuint program = gl->CreateProgram();
  for (int i = 0; i < 3; i++) {
    if (source[i]) {
      GLuint shader = compile(gl, kind[i], head, source[i]);
      gl->AttachShader(program, shader);
      gl->DeleteShader(shader);
    }
  }
  gl->LinkProgram(program);
  GLint is_good = 0;
  gl->GetProgramiv(program, GL_LINK_STATUS, &is_good);
  if (!is_good) {
    char log[800] = {0};
    gl->GetProgramInfoLog(program, sizeof(log), NULL, log);
    gl->DeleteProgram(program);
    mju_error("OpenGL doesn't link a program: %s", log);
  }
  p->program = program;
  find_uniforms(gl, p);
}

// Assigns texture units to samplers: 0 to the image, those after it to shadow maps.
static void set_units(const GL* gl, const RenderProgram* p, int shadows) {
  gl->UseProgram(p->program);
  if (p->image >= 0) {
    gl->Uniform1i(p->image, 0);
  }
  for (int i = 0; i < shadows && p->shadow_map >= 0; i++) {
    gl->Uniform1i(p->shadow_map + i, 1 + i);
  }
}

static int has(int features, int feature) {
  return (features & feature) != 0;
}

const RenderProgram* program_use_scene(RenderDevice* device, int features) {
  const GL* gl = &device->gl;
  int is_plain = has(features, FEATURE_IDS | FEATURE_DEPTHS);
  int index = is_plain ? RENDER_PROGRAMS - 4 + 2 * has(features, FEATURE_DEPTHS) +
                             has(features, FEATURE_LINES)
                       : features;
  RenderProgram* p = device->scene + index;
  if (!p->program) {
    int shadows = is_plain ? 0 : features % FEATURE_WIRES / FEATURE_SHADOWS;
    int wires = has(features, FEATURE_WIRES);
    char head[2000];
    snprintf(head, sizeof(head),
             "#define TEXTURED %d\n#define FOGGED %d\n#define CLIPPED %d\n#define LINES %d\n"
             "#define SHADOWS %d\n#define IDS %d\n#define DEPTHS %d\n#define LIT %d\n"
             "#define WIRES %d\n%s",
             has(features, FEATURE_IMAGE) + 2 * has(features, FEATURE_CUBE),
             has(features, FEATURE_FOG), has(features, FEATURE_CLIP), has(features, FEATURE_LINES),
             shadows, has(features, FEATURE_IDS), has(features, FEATURE_DEPTHS),
             !is_plain && !has(features, FEATURE_LINES), wires, SHADER_SCENE_GLSL);
    make(gl, p, head, SHADER_SCENE_VERT, wires ? SHADER_SCENE_GEOM : NULL, SHADER_SCENE_FRAG);
    set_units(gl, p, shadows);
  }
  gl->UseProgram(p->program);
  return p;
}

// Programs that have no variants.
static const RenderProgram* use(RenderDevice* device, RenderProgram* p, const char* vertex,
                                const char* fragment) {
  const GL* gl = &device->gl;
  if (!p->program) {
    make(gl, p, "", vertex, NULL, fragment);
    set_units(gl, p, 0);
  }
  gl->UseProgram(p->program);
  return p;
}

const RenderProgram* program_use_flat(RenderDevice* device) {
  return use(device, &device->flat, SHADER_FLAT_VERT, SHADER_FLAT_FRAG);
}

const RenderProgram* program_use_sky(RenderDevice* device) {
  return use(device, &device->sky, SHADER_SKY_VERT, SHADER_SKY_FRAG);
}

const RenderProgram* program_use_haze(RenderDevice* device) {
  return use(device, &device->haze, SHADER_SKY_VERT, SHADER_HAZE_FRAG);
}

const RenderProgram* program_use_pixels(RenderDevice* device) {
  return use(device, &device->pixels, SHADER_SKY_VERT, SHADER_PIXELS_FRAG);
}

void program_free_all(RenderDevice* device) {
  const GL* gl = &device->gl;
  for (int i = 0; i < RENDER_PROGRAMS; i++) {
    gl->DeleteProgram(device->scene[i].program);
  }
  gl->DeleteProgram(device->flat.program);
  gl->DeleteProgram(device->sky.program);
  gl->DeleteProgram(device->haze.program);
  gl->DeleteProgram(device->pixels.program);
  memset(device->scene, 0, sizeof(device->scene));
  memset(&device->flat, 0, sizeof(device->flat));
  memset(&device->sky, 0, sizeof(device->sky));
  memset(&device->haze, 0, sizeof(device->haze));
  memset(&device->pixels, 0, sizeof(device->pixels));
}
