// solid.c: the shapes that are independent of a model, with size 1. They are as finely divided as
// the model asks for, because light is computed at their vertices.

#include <math.h>
#include <string.h>

#include "render/device.h"
#include "render/shape.h"

static const float PI = 3.14159265358979f;

static RenderVertex vertex(float x, float y, float z, float nx, float ny, float nz, float end) {
  RenderVertex v = {{x, y, z}, {nx, ny, nz}, {x, y, z}, end};
  return v;
}

// A point of a surface that goes around z, in the plane y = 0: radius, height, normal, end.
typedef struct Profile_ {
  float r, z, nr, nz, end, texture_z;
} Profile;

static RenderVertex turn(const Profile* p, int i, int slices) {
  float angle = 2 * PI * (float)(i % slices) / (float)slices;
  float c = cosf(angle), s = sinf(angle);
  RenderVertex v = vertex(p->r * c, p->r * s, p->z, p->nr * c, p->nr * s, p->nz, p->end);
  v.texture[2] = p->texture_z;
  return v;
}

// The surface between two points of a profile, the lower one first.
static void ring(RenderMesh* out, const Profile* low, const Profile* high, int slices) {
  for (int i = 0; i < slices; i++) {
    RenderVertex corner[4] = {turn(low, i, slices), turn(low, i + 1, slices),
                              turn(high, i + 1, slices), turn(high, i, slices)};
    if (low->r > 0 && high->r > 0) {
      shape_quad(out, corner + 1, corner + 2, corner + 3, corner);
    } else if (low->r > 0) {
      shape_triangle(out, corner, corner + 1, corner + 3);
    } else {
      shape_triangle(out, corner + 1, corner + 2, corner + 3);
    }
  }
}

static Profile on_sphere(int i, int stacks, float end) {
  float angle = PI * ((float)i / (float)stacks - 0.5f);
  int is_pole = i == 0 || i == stacks;
  float r = is_pole ? 0 : cosf(angle), z = sinf(angle);
  Profile p = {r, z, r, z, end, z + end};
  return p;
}

// Two domes; an odd number of stacks is rounded down.
static void sphere(RenderMesh* out, int slices, int half) {
  for (int i = 0; i < 2 * half; i++) {
    Profile low = on_sphere(i, 2 * half, 0), high = on_sphere(i + 1, 2 * half, 0);
    ring(out, &low, &high, slices);
  }
}

// The side of a cylinder: at heights +-1, or (is_moved) at height 0 with its ends moved by the
// program.
static void tube(RenderMesh* out, int slices, int stacks, int is_moved) {
  for (int i = 0; i < stacks; i++) {
    float z0 = 2 * (float)i / (float)stacks - 1, z1 = 2 * (float)(i + 1) / (float)stacks - 1;
    Profile low = {1, z0, 1, 0, 0, z0}, high = {1, z1, 1, 0, 0, z1};
    if (is_moved) {
      low.z = high.z = 0;
      low.end = z0;
      high.end = z1;
    }
    ring(out, &low, &high, slices);
  }
}

// A disk at height z; up is the sign of its normal.
static void disk(RenderMesh* out, int slices, int rings, float z, float up) {
  for (int i = 0; i < rings; i++) {
    Profile inner = {(float)i / (float)rings, z, 0, up, 0, z};
    Profile outer = {(float)(i + 1) / (float)rings, z, 0, up, 0, z};
    ring(out, up > 0 ? &outer : &inner, up > 0 ? &inner : &outer, slices);
  }
}

static void capsule(RenderMesh* out, int slices, int half, int stacks) {
  for (int i = 0; i < half; i++) {
    Profile low = on_sphere(i, 2 * half, -1), high = on_sphere(i + 1, 2 * half, -1);
    ring(out, &low, &high, slices);
    low = on_sphere(half + i, 2 * half, 1);
    high = on_sphere(half + i + 1, 2 * half, 1);
    ring(out, &low, &high, slices);
  }
  tube(out, slices, stacks, 1);
}

// A cone from radius 1 at height 0 to its tip at height 1.
static void cone(RenderMesh* out, int slices, int stacks) {
  const float n = sqrtf(0.5f);
  for (int i = 0; i < stacks; i++) {
    float z0 = (float)i / (float)stacks, z1 = (float)(i + 1) / (float)stacks;
    Profile low = {1 - z0, z0, n, n, 0, z0}, high = {1 - z1, z1, n, n, 0, z1};
    if (i == stacks - 1) {
      high.r = 0;
    }
    ring(out, &low, &high, slices);
  }
  disk(out, slices, stacks, 0, -1);
}

// A side of the box: axis k, at sign.
static void box_side(RenderMesh* out, int k, float sign, int quads) {
  int u = (k + 1) % 3, v = (k + 2) % 3;
  for (int i = 0; i < quads; i++) {
    for (int j = 0; j < quads; j++) {
      RenderVertex corner[4];
      for (int c = 0; c < 4; c++) {
        int di = c == 1 || c == 2, dj = c >= 2;
        float p[3] = {0}, n[3] = {0};
        p[k] = n[k] = sign;
        p[u] = (2 * (float)(i + di) / (float)quads - 1) * sign;
        p[v] = 2 * (float)(j + dj) / (float)quads - 1;
        corner[c] = vertex(p[0], p[1], p[2], n[0], n[1], n[2], 0);
      }
      shape_quad(out, corner, corner + 1, corner + 2, corner + 3);
    }
  }
}

static void triangle(RenderMesh* out) {
  RenderVertex corner[3] = {vertex(0, 0, 0, 0, 0, 1, 0), vertex(1, 0, 0, 0, 0, 1, 0),
                            vertex(0, 1, 0, 0, 0, 1, 0)};
  shape_triangle(out, corner, corner + 1, corner + 2);
  for (int i = 0; i < 3; i++) {
    corner[i].normal[2] = -1;
  }
  shape_triangle(out, corner, corner + 2, corner + 1);
}

// x goes along the line, y is the side.
static void line(RenderMesh* out) {
  RenderVertex corner[4] = {vertex(0, -1, 0, 0, 0, 1, 0), vertex(1, -1, 0, 0, 0, 1, 0),
                            vertex(1, 1, 0, 0, 0, 1, 0), vertex(0, 1, 0, 0, 0, 1, 0)};
  shape_quad(out, corner, corner + 1, corner + 2, corner + 3);
}

static void build(RenderMesh* out, int solid, int slices, int stacks, int quads) {
  int half = stacks / 2 > 0 ? stacks / 2 : 1;
  switch (solid) {
    case SOLID_SPHERE:
      sphere(out, slices, half);
      break;
    case SOLID_CAPSULE:
      capsule(out, slices, half, stacks);
      break;
    case SOLID_CYLINDER:
      tube(out, slices, stacks, 0);
      disk(out, slices, quads, 1, 1);
      disk(out, slices, quads, -1, -1);
      break;
    case SOLID_BOX:
      for (int k = 0; k < 6; k++) {
        box_side(out, k / 2, k % 2 ? -1.f : 1.f, quads);
      }
      break;
    case SOLID_CONE:
      cone(out, slices, stacks);
      break;
    case SOLID_TUBE:
      tube(out, slices, stacks, 0);
      break;
    case SOLID_TRIANGLE:
      triangle(out);
      break;
    case SOLID_LINE:
      line(out);
      break;
    default:
      break;
  }
}

// A square of half size 1 at height 0.
static void square(RenderMesh* out, int quads) {
  box_side(out, 2, 1, quads);
  RenderVertex* v = out->quads.data;
  for (size_t i = 0; i < out->quads.n / sizeof(*v); i++) {
    v[i].position[2] = v[i].texture[2] = 0;
  }
}

void solid_upload(RenderDevice* device, int slices, int stacks, int quads) {
  for (int i = 0; i < SOLID_COUNT; i++) {
    RenderMesh out = {{0}, {0}};
    if (i == SOLID_SQUARE) {
      square(&out, quads);
    } else {
      build(&out, i, slices, stacks, quads);
    }
    shape_upload(device, i, &out);
    shape_release(&out);
  }
}
