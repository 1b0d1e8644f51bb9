// stored.c: a mesh from the store is the mesh, bit by bit, and a forged one is none.

#define _GNU_SOURCE  // mkdtemp

#include "compile/mesh/stored.h"

#include <mujoco/mjspec.h>
#include <unistd.h>

#include "base/memory/memory.h"
#include "compile/mesh/mesh.h"
#include "support/load.h"
#include "support/test.h"

#define CUBE                                                              \
  "vertex='-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1 1 1 -1 1 1 1 1 -1 1 1' " \
  "face='0 3 2 0 2 1 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7'"
#define COORDS "texcoord='0 0 1 0 1 1 0 1 0 0 1 0 1 1 0 1' "

static char folder[100];
static Store* store;

BEFORE_EACH() {
  snprintf(folder, sizeof(folder), "/tmp/condyle-store-XXXXXX");
  assert_non_null(mkdtemp(folder));
  setenv("CONDYLE_CACHE", folder, 1);
  store = store_open();
  assert_non_null(store);
}

AFTER_EACH() {
  char command[200];
  store_close(store);
  snprintf(command, sizeof(command), "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

static Mesh* make_mesh(const char* attributes, int needhull, int needoctree) {
  char xml[1000];
  snprintf(xml, sizeof(xml), "<mujoco><asset><mesh name='m' %s/></asset></mujoco>", attributes);
  const mjsMesh* spec = mjs_asMesh(mjs_findElement(test_spec(xml), mjOBJ_MESH, "m"));
  MeshRequest request = {.spec = spec, .name = "m", .needhull = needhull, .needoctree = needoctree};
  return mesh_make(&request);
}

// What comes back of a mesh that is stored.
static Mesh* through_store(const Mesh* mesh) {
  Digest key = store_key(store, "test");
  mesh_store(store, &key, mesh);
  return mesh_fetch(store, &key);
}

static const char* const meshes[] = {CUBE, CUBE COORDS, CUBE " inertia='shell'",
                                     "vertex='0 0 0 1 0 0 0 1 0 0 0 1'"};

TEST_EACH(comes_back_bit_by_bit, meshes) {
  for (int needs = 0; needs < 4; needs++) {
    Mesh* a = make_mesh(text, needs & 1, needs >> 1);
    Mesh* b = through_store(a);
    assert_non_null(b);
#define SAME(member) assert_int_equal(memcmp(&a->member, &b->member, sizeof(a->member)), 0);
#define COUNT(name) assert_int_equal(a->name, b->name);
    MESH_COUNTS(COUNT)
    SAME(pos)
    SAME(quat)
    SAME(volume)
    SAME(boxsize)
    SAME(lower)
    SAME(upper)
    SAME(thickness)
    SAME(nographwarning)
    SAME(nlost)
#define ARRAY(type, name, rows, columns, to)                                                       \
  assert_int_equal(!a->name, !b->name);                                                            \
  assert_int_equal(a->name ? memcmp(a->name, b->name, columns*(size_t)a->rows * sizeof(type)) : 0, \
                   0);
    MESH_ARRAYS(ARRAY)
    MESH_BOXES(ARRAY)
    assert_int_equal(a->shared.bytes, b->shared.bytes);
    asset_release(a);
    asset_release(b);
  }
}

// Every index of an array is put out of range, in turn; the mesh must not come back.
static void forge(const char* name, const Mesh* mesh, int* index, size_t n, int lowest) {
  const int wrong[2] = {lowest - 1, 1 << 24};
  size_t step = n > 300 ? n / 100 : 1;
  for (size_t i = 0; index && i < n; i += step) {
    for (int k = 0; k < 2; k++) {
      int kept = index[i];
      index[i] = wrong[k];
      Mesh* back = through_store(mesh);
      if (back) {
        fail_msg("%s[%zu] = %d came back", name, i, index[i]);
      }
      index[i] = kept;
    }
  }
}

TEST(a_mesh_with_an_index_out_of_range_is_none) {
  Mesh* mesh = make_mesh(CUBE COORDS, 1, 1);
#define FORGE(name, n, lowest) forge(#name, mesh, mesh->name, (size_t)(n), lowest)
  FORGE(face, 3 * mesh->nface, 0);
  FORGE(facenormal, 3 * mesh->nface, -1);
  FORGE(facetexcoord, 3 * mesh->nface, -1);
  FORGE(graph, 2 + 2 * mesh->graph[0], 0);
  FORGE(polyvertadr, mesh->npoly, 0);
  FORGE(polyvertnum, mesh->npoly, 0);
  FORGE(polyvert, mesh->npolyvert, 0);
  FORGE(polymapadr, mesh->nvert, 0);
  FORGE(polymapnum, mesh->nvert, 0);
  FORGE(polymap, mesh->npolyvert, 0);
  FORGE(octchild, 8, 0);
  for (int i = 0; i < mesh->nbvh; i++) {
    if (mesh->bvhnodeid[i] < 0) {
      forge("bvhchild", mesh, mesh->bvhchild + 2 * i, 2, 0);
    }
  }
  Mesh* back = through_store(mesh);
  assert_non_null(back);
  asset_release(back);
  asset_release(mesh);
}

TEST(a_mesh_with_other_counts_is_none) {
  Mesh* mesh = make_mesh(CUBE COORDS, 1, 0);
  size_t size;
  Digest key = store_key(store, "test");
  mesh_store(store, &key, mesh);
  asset_release(mesh);
  int* entry = store_read(store, &size, &key);
  assert_non_null(entry);
#define ONE(name) +1
  int counts = 0 MESH_COUNTS(ONE);
  for (int i = 0; i < counts + 3; i++) {  // and what is there
    const int wrong[] = {-1, entry[i] + 1, entry[i] - 1, 0, 1 << 30, INT32_MAX};
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
      int is_warning = i == counts || i == counts + 1, is_same = wrong[k] == entry[i];
      char* packed = store_pack(size);
      memcpy(packed, entry, size);
      memcpy(packed + (size_t)i * sizeof(int), &wrong[k], sizeof(int));
      Digest forged = store_key(store, "forged");
      store_write(store, &forged, packed, size);
      heap_free(packed);
      Mesh* back = mesh_fetch(store, &forged);
      if (back && !is_warning && !is_same) {
        // within the padding of an array it may be another mesh, but a valid one
        assert_that(back->nface, ==, 12);
        assert_that(abs(wrong[k] - entry[i]), ==, 1);
      }
      asset_release(back);
    }
  }
  heap_free(entry);
}
