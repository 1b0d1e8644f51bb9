// shape.c: meshes on the graphics device.

#include "render/shape.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "render/device.h"

int shape_of_plane(const RenderDevice* device, int plane) {
  return plane >= 0 && plane < device->nplane ? SOLID_COUNT + plane : SOLID_SQUARE;
}

int shape_of_mesh(const RenderDevice* device, int dataid) {
  int known = dataid >= 0 && dataid < 2 * device->nmesh;
  return known ? SOLID_COUNT + device->nplane + dataid : -1;
}

int shape_of_hfield(const RenderDevice* device, int hfield) {
  int known = hfield >= 0 && hfield < device->nhfield;
  return known ? SOLID_COUNT + device->nplane + 2 * device->nmesh + hfield : -1;
}

int shape_of_skin(const RenderDevice* device, int skin) {
  int known = skin >= 0 && skin < device->nskin;
  return known ? SOLID_COUNT + device->nplane + 2 * device->nmesh + device->nhfield + skin : -1;
}

int shape_of_flex(const RenderDevice* device, int flex) {
  int known = flex >= 0 && flex < device->nflex;
  return known ? device->nshape - device->nflex + flex : -1;
}

static void add(RenderArray* triangles, const RenderVertex* a, const RenderVertex* b,
                const RenderVertex* c) {
  RenderVertex* v = render_append(triangles, 3 * sizeof(*v));
  v[0] = *a;
  v[1] = *b;
  v[2] = *c;
}

void shape_triangle(RenderMesh* mesh, const RenderVertex* a, const RenderVertex* b,
                    const RenderVertex* c) {
  add(&mesh->triangles, a, b, c);
}

void shape_quad(RenderMesh* mesh, const RenderVertex* a, const RenderVertex* b,
                const RenderVertex* c, const RenderVertex* d) {
  add(&mesh->quads, a, b, c);
  add(&mesh->quads, c, d, a);
}

void shape_release(RenderMesh* mesh) {
  render_release(&mesh->quads);
  render_release(&mesh->triangles);
}

// FNV-1a over the words of a vertex
static size_t hash(const RenderVertex* v) {
  uint32_t word[sizeof(*v) / 4];
  memcpy(word, v, sizeof(*v));
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < sizeof(*v) / 4; i++) {
    h = (h ^ word[i]) * 1099511628211u;
  }
  return (size_t)(h ^ (h >> 32));
}

// Moves the first of each set of equal vertices to the front; index says where each has gone.
// Returns how many there are.
static size_t merge_equal(unsigned int* index, RenderVertex* vertex, size_t n) {
  size_t size = 16;
  while (size < 2 * n) {
    size *= 2;
  }
  unsigned int* slot = mju_malloc(size * sizeof(*slot));
  memset(slot, 0xff, size * sizeof(*slot));
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    size_t at = hash(vertex + i) & (size - 1);
    while (slot[at] != UINT32_MAX && memcmp(vertex + slot[at], vertex + i, sizeof(*vertex)) != 0) {
      at = (at + 1) & (size - 1);
    }
    if (slot[at] == UINT32_MAX) {
      slot[at] = (unsigned int)used;
      vertex[used++] = vertex[i];
    }
    index[i] = slot[at];
  }
  mju_free(slot);
  return used;
}

void shape_upload(RenderDevice* device, int id, RenderMesh* mesh) {
  RenderArray* all = &mesh->quads;
  size_t nhalves = all->n / sizeof(RenderVertex), plain = mesh->triangles.n;
  if (plain) {
    memcpy(render_append(all, plain), mesh->triangles.data, plain);
  }
  size_t n = all->n / sizeof(RenderVertex);
  unsigned int* index = mju_malloc((n + 1) * sizeof(*index));
  RenderVertex* vertex = all->data;
  size_t used = n ? merge_equal(index, vertex, n) : 0;
  shape_upload_indexed(device, id, vertex, used, index, n, nhalves);
  mju_free(index);
  mesh->quads.n = mesh->triangles.n = 0;
}

static void take_buffers(const GL* gl, RenderShape* shape) {
  gl->GenVertexArrays(1, &shape->array);
  gl->GenBuffers(1, &shape->vertices);
  gl->GenBuffers(1, &shape->indices);
  gl->BindVertexArray(shape->array);
  gl->BindBuffer(GL_ARRAY_BUFFER, shape->vertices);
  gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, shape->indices);
  const struct {
    GLint n;
    size_t offset;
  } field[] = {{3, offsetof(RenderVertex, position)},
               {3, offsetof(RenderVertex, normal)},
               {4, offsetof(RenderVertex, texture)}};
  for (GLuint i = 0; i < 3; i++) {
    gl->EnableVertexAttribArray(i);
    gl->VertexAttribPointer(i, field[i].n, GL_FLOAT, GL_FALSE, sizeof(RenderVertex),
                            (const void*)field[i].offset);
  }
}

void shape_upload_indexed(RenderDevice* device, int id, const RenderVertex* vertex, size_t nvertex,
                          const unsigned int* index, size_t nindex, size_t nhalves) {
  const GL* gl = &device->gl;
  RenderShape* shape = device->shape + id;
  if (!shape->array) {
    take_buffers(gl, shape);
  }
  int is_moving = id >= device->nshape - device->nskin - device->nflex;
  GLenum usage = is_moving ? GL_STREAM_DRAW : GL_STATIC_DRAW;
  gl->BindVertexArray(shape->array);
  gl->BindBuffer(GL_ARRAY_BUFFER, shape->vertices);
  gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(nvertex * sizeof(*vertex)), vertex, usage);
  if (index) {
    gl->BufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(nindex * sizeof(*index)), index, usage);
    shape->count = (GLsizei)nindex;
    shape->halves = (GLsizei)nhalves;
  }
  gl->BindVertexArray(0);
  memset(shape->bound, 0, sizeof(shape->bound));
  for (size_t i = 0; i < nvertex; i++) {
    for (int k = 0; k < 3; k++) {
      shape->bound[k] = fmaxf(shape->bound[k], fabsf(vertex[i].position[k]));
    }
  }
}

void shape_free(RenderDevice* device, int id) {
  const GL* gl = &device->gl;
  RenderShape* shape = device->shape + id;
  gl->DeleteVertexArrays(1, &shape->array);
  gl->DeleteBuffers(1, &shape->vertices);
  gl->DeleteBuffers(1, &shape->indices);
  memset(shape, 0, sizeof(*shape));
}
