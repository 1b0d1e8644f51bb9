// paint.c: sorts triangles by colour.

#include "meshfile/paint.h"

#include <string.h>

enum {
  MOST_COLORS = 64,
};

static void unpack(float rgba[4], uint32_t color) {
  for (int k = 0; k < 4; k++) {
    rgba[k] = (float)(color >> 8 * k & 255) / 255;
  }
}

// The colours in the order of their faces. Returns their number, MOST_COLORS + 1 if there are more.
static int list_colors(uint32_t list[MOST_COLORS], int* of_face, const uint32_t* color, int nface) {
  int n = 0, last = 0;
  for (int i = 0; i < nface; i++) {
    if (!n || list[last] != color[i]) {
      for (last = 0; last < n && list[last] != color[i]; last++) {
      }
      if (last == MOST_COLORS) {
        return MOST_COLORS + 1;
      }
      list[last] = color[i];
      n = last == n ? n + 1 : n;
    }
    of_face[i] = last;
  }
  return n;
}

// One part of all triangles, in the mean of their colours.
static void add_mean(MeshBuild* build, const MeshPart* shape, const uint32_t* color,
                     const char* texture) {
  double sum[4] = {0};
  int n = 0;
  for (int i = 0; i < shape->nface; i++) {
    float rgba[4];
    unpack(rgba, color[i]);
    for (int k = 0; k < 4 && color[i] != PAINT_NONE; k++) {
      sum[k] += (double)rgba[k];
    }
    n += color[i] != PAINT_NONE;
  }
  float mean[4];
  for (int k = 0; k < 4; k++) {
    mean[k] = (float)(sum[k] / (n ? n : 1));
  }
  MeshPart part = *shape;
  part.material = build_material(build, NULL, mean, texture);
  build_part(build, &part, &mesh_noplace);
}

// The part of one colour: its faces, and the vertices that they use.
static void add_color(MeshBuild* build, const MeshPart* shape, const int* of_face, int chosen,
                      int* renumbered, int material) {
  MeshPart part = *shape;
  part.nvert = part.nface = 0;
  part.material = material;
  int* face = heap_take(3 * (size_t)shape->nface * sizeof(int));
  int* kept = heap_take(3 * (size_t)shape->nface * sizeof(int));
  for (size_t i = 0; i < (size_t)shape->nface; i++) {
    for (size_t k = 0; of_face[i] == chosen && k < 3; k++) {
      int v = shape->face[3 * i + k];
      if (renumbered[v] < 0) {
        kept[part.nvert] = v;
        renumbered[v] = part.nvert++;
      }
      face[3 * part.nface + (int)k] = renumbered[v];
    }
    part.nface += of_face[i] == chosen;
  }
  struct {
    float **to, *from;
    size_t width;
  } arrays[] = {{&part.vert, shape->vert, 3},
                {&part.normal, shape->normal, 3},
                {&part.texcoord, shape->texcoord, 2}};
  for (size_t a = 0; a < sizeof(arrays) / sizeof(arrays[0]); a++) {
    size_t width = arrays[a].width;
    if (arrays[a].from) {
      float* to = *arrays[a].to = heap_take(width * (size_t)part.nvert * sizeof(float));
      for (size_t i = 0; i < (size_t)part.nvert; i++) {
        memcpy(to + width * i, arrays[a].from + width * (size_t)kept[i], width * sizeof(float));
      }
    }
  }
  part.face = face;
  build_part(build, &part, &mesh_noplace);
  for (int i = 0; i < part.nvert; i++) {
    renumbered[kept[i]] = -1;
  }
  for (size_t a = 0; a < sizeof(arrays) / sizeof(arrays[0]); a++) {
    heap_free(*arrays[a].to);
  }
  heap_free(face);
  heap_free(kept);
}

void paint_parts(MeshBuild* build, const MeshPart* shape, const uint32_t* color,
                 const char* texture) {
  uint32_t list[MOST_COLORS] = {0};
  int* of_face = heap_zero((size_t)shape->nface + 1, sizeof(int));
  int n = color ? list_colors(list, of_face, color, shape->nface) : 1;
  if (n > MOST_COLORS) {
    add_mean(build, shape, color, texture);
    return;
  }
  int* renumbered = heap_take(((size_t)shape->nvert + 1) * sizeof(int));
  memset(renumbered, -1, ((size_t)shape->nvert + 1) * sizeof(int));
  for (int i = 0; i < n; i++) {
    float rgba[4];
    unpack(rgba, list[i]);
    int is_painted = list[i] != PAINT_NONE, material = -1;
    if (is_painted || texture) {
      material = build_material(build, NULL, is_painted ? rgba : NULL, texture);
    }
    if (n == 1) {
      MeshPart part = *shape;
      part.material = material;
      build_part(build, &part, &mesh_noplace);
    } else {
      add_color(build, shape, of_face, i, renumbered, material);
    }
  }
}
