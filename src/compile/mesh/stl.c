// stl.c: reads STL, binary and text.
//
//   binary: 80 bytes, int32 count, then per triangle 12 floats (normal, three vertices) and 2 bytes
//   text:   solid NAME {facet normal x y z  outer loop {vertex x y z} endloop endfacet} endsolid
//
// Triangles have their own vertices. Vertices at the same position are merged and numbered by first
// occurrence.
#include <math.h>
#include <mujoco/api/base.h>
#include <stdint.h>
#include <string.h>

#include "base/text/text.h"
#include "compile/mesh/steps.h"
#include "meshfile/weld.h"

enum {
  STL_HEADER = 84,
  STL_RECORD = 50,
  STL_MAXFACE = 200000,
};

static const float stl_bound = 1073741824.0f;  // 2^30

// Merges vertices: mesh->vert has 3 vertices per triangle; keeps one per position and writes face.
static void merge(Mesh* mesh, int nface) {
  size_t ncorner = 3 * (size_t)nface;
  mesh->face = mesh_take(ncorner, sizeof(int));
  mesh->nvert = weld_points(mesh->face, mesh->vert, ncorner);
  mesh->nface = nface;
}

static void check_bounds(const MeshRequest* request, const float v[3]) {
  for (int k = 0; k < 3; k++) {
    if (fabsf(v[k]) > stl_bound) {
      mju_error("vertex in STL file '%s' exceed maximum bounds", request->file->shown);
    }
  }
}

// Reads the next word of a text in lower case, cut to 15 characters. Returns 0 at the end.
static int next_word(const char** cursor, char word[16]) {
  while (text_isspace(**cursor)) {
    (*cursor)++;
  }
  int length = text_tokenlength(*cursor);
  int kept = length < 15 ? length : 15;
  for (int i = 0; i < kept; i++) {
    char c = (*cursor)[i];
    word[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  word[kept] = 0;
  *cursor += length;
  return length > 0;
}

static void read_text(Mesh* mesh, const MeshRequest* request) {
  // the shortest vertex is "vertex 0 0 0 "
  const size_t shortest = 13;
  size_t most = request->file->size / shortest + 1, n = 0;
  const char* cursor = request->file->bytes;
  char word[16];
  mesh->vert = mesh_take(3 * most, sizeof(float));
  cursor += strcspn(cursor, "\r\n");
  while (next_word(&cursor, word)) {
    if (strcmp(word, "endsolid") == 0) {
      break;
    }
    if (strcmp(word, "vertex") != 0) {
      continue;
    }
    float v[3];
    for (int k = 0; k < 3; k++) {
      if (n == most || text_single(&v[k], &cursor) != TEXT_OK) {
        mju_error("bad vertex %zu in STL file '%s'", n, request->file->shown);
      }
    }
    check_bounds(request, v);
    memcpy(mesh->vert + 3 * n++, v, sizeof(v));
  }
  if (n == 0 || n % 3 != 0 || n / 3 > STL_MAXFACE) {
    mju_error("number of faces should be between 1 and %d in STL file '%s'", STL_MAXFACE,
              request->file->shown);
  }
  merge(mesh, (int)(n / 3));
}

static void read_binary(Mesh* mesh, const MeshRequest* request, int nface) {
  mesh->vert = mesh_take(9 * (size_t)nface, sizeof(float));
  for (int i = 0; i < nface; i++) {
    float* v = mesh->vert + 9 * (size_t)i;
    memcpy(v, request->file->bytes + STL_HEADER + (size_t)i * STL_RECORD + 12, 9 * sizeof(float));
    for (int k = 0; k < 3; k++) {
      check_bounds(request, v + 3 * k);
    }
  }
  merge(mesh, nface);
}

void mesh_readstl(Mesh* mesh, const MeshRequest* request) {
  const char* path = request->file->shown;
  if (request->file->size == 0) {
    mju_error("STL file '%s' is empty", path);
  }

  // a binary file may begin with "solid" too, but a text is very unlikely to have exactly the size
  // of a binary file
  int32_t nface = 0;
  if (request->file->size >= STL_HEADER) {
    memcpy(&nface, request->file->bytes + STL_HEADER - 4, sizeof(nface));
  }
  int is_binary = nface >= 1 && nface <= STL_MAXFACE &&
                  request->file->size == STL_HEADER + (size_t)nface * STL_RECORD;
  if (is_binary) {
    read_binary(mesh, request, nface);
  } else if (request->file->size >= 6 && strncmp(request->file->bytes, "solid", 5) == 0 &&
             text_isspace(request->file->bytes[5])) {
    read_text(mesh, request);
  } else if (request->file->size < STL_HEADER) {
    mju_error("invalid header in STL file '%s'", path);
  } else if (nface < 1 || nface > STL_MAXFACE) {
    mju_error(
        "number of faces should be between 1 and %d in STL file '%s'; perhaps this is "
        "an ASCII file?",
        STL_MAXFACE, path);
  } else {
    mju_error("STL file '%s' has wrong size; perhaps this is an ASCII file?", path);
  }
}
