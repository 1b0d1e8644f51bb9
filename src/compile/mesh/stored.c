// stored.c: a mesh as the content of an entry: its numbers, then its arrays in the order of their
// tables. A mesh that is read keeps the entry as one block, in which its arrays lie.

#include "compile/mesh/stored.h"

#include <limits.h>
#include <mujoco/mjmodel.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/memory/slab.h"
#include "compile/mesh/mesh.h"
#include "model/checks/validate.h"

enum {
  MOST_ROWS = INT_MAX / 16,  // of an array
};

typedef struct Head_ {
#define COUNT(name) int32_t name;
  MESH_COUNTS(COUNT)
#undef COUNT
  int32_t nographwarning, nlost;
  uint32_t present;  // bit k: array k is there
  double pos[3], quat[4], volume, boxsize[3], lower[3], upper[3], thickness;
} Head;

#define EACH_ARRAY(X) MESH_ARRAYS(X) MESH_BOXES(X)

static size_t array_bytes(size_t rows, size_t columns, size_t size) {
  return rows * columns * size;
}

static Head head_of(const Mesh* mesh) {
  Head head;
  memset(&head, 0, sizeof(head));
#define COUNT(name) head.name = mesh->name;
  MESH_COUNTS(COUNT)
#undef COUNT
  uint32_t bit = 1;
#define MARK(type, name, rows, columns, to) \
  head.present |= mesh->name ? bit : 0;     \
  bit <<= 1;
  EACH_ARRAY(MARK)
#undef MARK
  head.nographwarning = mesh->nographwarning;
  head.nlost = mesh->nlost;
  memcpy(head.pos, mesh->pos, sizeof(head.pos));
  memcpy(head.quat, mesh->quat, sizeof(head.quat));
  memcpy(head.boxsize, mesh->boxsize, sizeof(head.boxsize));
  memcpy(head.lower, mesh->lower, sizeof(head.lower));
  memcpy(head.upper, mesh->upper, sizeof(head.upper));
  head.volume = mesh->volume;
  head.thickness = mesh->thickness;
  return head;
}

static void take_head(Mesh* mesh, const Head* head) {
#define COUNT(name) mesh->name = head->name;
  MESH_COUNTS(COUNT)
#undef COUNT
  mesh->nographwarning = head->nographwarning;
  mesh->nlost = head->nlost;
  memcpy(mesh->pos, head->pos, sizeof(mesh->pos));
  memcpy(mesh->quat, head->quat, sizeof(mesh->quat));
  memcpy(mesh->boxsize, head->boxsize, sizeof(mesh->boxsize));
  memcpy(mesh->lower, head->lower, sizeof(mesh->lower));
  memcpy(mesh->upper, head->upper, sizeof(mesh->upper));
  mesh->volume = head->volume;
  mesh->thickness = head->thickness;
}

// Lays the arrays of a mesh, as its counts and `present` say, into `size` bytes of an entry.
// Returns 0 if they don't fill them.
static int place_arrays(Mesh* mesh, char* content, size_t size, uint32_t present) {
  size_t at = store_step(0, sizeof(Head));
  uint32_t bit = 1;
#define PLACE(type, name, rows, columns, to)                                     \
  if (present & bit) {                                                           \
    mesh->name = (type*)(void*)(content + at);                                   \
    at = store_step(at, array_bytes((size_t)mesh->rows, columns, sizeof(type))); \
    if (at > size) {                                                             \
      return 0;                                                                  \
    }                                                                            \
  }                                                                              \
  bit <<= 1;
  EACH_ARRAY(PLACE)
#undef PLACE
  return at == size && present < bit;
}

// Are there as many rows as an array can have, and is there an array where there have to be rows?
// Normals and texture coordinates may be missing with their indices.
static int counts_valid(const Mesh* mesh) {
#define COUNT(name)                               \
  if (mesh->name < 0 || mesh->name > MOST_ROWS) { \
    return 0;                                     \
  }
  MESH_COUNTS(COUNT)
#undef COUNT
  return 1;
}

static int arrays_valid(const Mesh* mesh) {
#define IS_THERE(type, name, rows, columns, to)                                       \
  if (!mesh->name && mesh->rows && (const void*)&mesh->name != &mesh->facetexcoord) { \
    return 0;                                                                         \
  }
  EACH_ARRAY(IS_THERE)
#undef IS_THERE
  return mesh->facetexcoord || !mesh->ntexcoord;
}

// Are all indices in range? The rule is that of models from files, so the mesh is looked at as the
// only one of a model.
static int indices_valid(const Mesh* mesh) {
  int zero = 0, none = -1;
  mjModel m = {.nmesh = 1,
               .nmeshvert = mesh->nvert,
               .nmeshnormal = mesh->nnormal,
               .nmeshtexcoord = mesh->ntexcoord,
               .nmeshface = mesh->nface,
               .nmeshgraph = mesh->ngraph,
               .nmeshpoly = mesh->npoly,
               .nmeshpolyvert = mesh->npolyvert,
               .nmeshpolymap = mesh->npolyvert,
               .nbvh = mesh->nbvh,
               .noct = mesh->noct};
  m.mesh_vertadr = m.mesh_faceadr = m.mesh_normaladr = m.mesh_bvhadr = m.mesh_polyadr = &zero;
  m.mesh_texcoordadr = mesh->ntexcoord ? &zero : &none;
  m.mesh_graphadr = mesh->graph ? &zero : &none;
  m.mesh_octadr = mesh->noct ? &zero : &none;
  m.mesh_pathadr = &none;
  m.mesh_vertnum = (int*)&mesh->nvert;
  m.mesh_facenum = (int*)&mesh->nface;
  m.mesh_normalnum = (int*)&mesh->nnormal;
  m.mesh_texcoordnum = (int*)&mesh->ntexcoord;
  m.mesh_bvhnum = (int*)&mesh->nbvh;
  m.mesh_octnum = (int*)&mesh->noct;
  m.mesh_polynum = (int*)&mesh->npoly;
#define LEND(type, name, rows, columns, to) m.to = mesh->name;
  EACH_ARRAY(LEND)
#undef LEND
  return !model_validate_meshes(&m);
}

void* mesh_pack(size_t* size, const Mesh* mesh) {
  Head head = head_of(mesh);
  *size = store_step(0, sizeof(Head));
#define ADD(type, name, rows, columns, to) \
  *size =                                  \
      store_step(*size, mesh->name ? array_bytes((size_t)mesh->rows, columns, sizeof(type)) : 0);
  EACH_ARRAY(ADD)
#undef ADD
  char* packed = store_pack(*size);
  if (!packed) {
    return NULL;
  }
  size_t at = store_step(0, sizeof(Head));
  memset(packed, 0, at);
  memcpy(packed, &head, sizeof(head));
#define COPY(type, name, rows, columns, to)                                \
  if (mesh->name) {                                                        \
    size_t bytes = array_bytes((size_t)mesh->rows, columns, sizeof(type)); \
    size_t next = store_step(at, bytes);                                   \
    memcpy(packed + at, mesh->name, bytes);                                \
    memset(packed + at + bytes, 0, next - at - bytes);                     \
    at = next;                                                             \
  }
  EACH_ARRAY(COPY)
#undef COPY
  return packed;
}

void mesh_store(Store* store, const Digest* key, const Mesh* mesh) {
  size_t size;
  void* packed = mesh_pack(&size, mesh);
  if (packed) {
    store_write(store, key, packed, size);
  }
  heap_free(packed);
}

int mesh_unpack(Mesh* mesh, void* content, size_t size) {
  Head head;
  if (size < sizeof(head)) {
    return 0;
  }
  memcpy(&head, content, sizeof(head));
  take_head(mesh, &head);
  return counts_valid(mesh) && place_arrays(mesh, content, size, head.present) &&
         arrays_valid(mesh) && indices_valid(mesh);
}

Mesh* mesh_fetch(Store* store, const Digest* key) {
  size_t size;
  Mesh* mesh = heap_zero(1, sizeof(Mesh));
  Heap* heap = heap_pause();  // no error may end this: blocks of slabs belong to no heap
  char* content = store_readlarge(store, &size, key);
  int good = content && mesh_unpack(mesh, content, size);
  heap_resume(heap);
  if (!good) {
    slab_free(content);
    heap_free(mesh);
    return NULL;
  }
  mesh->block = content;
  mesh_share(mesh);
  return mesh;
}
