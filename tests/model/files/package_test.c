// package.c: where files are looked for that a robot names by a path of another machine.

#include "model/files/package.h"

#include "base/memory/memory.h"
#include "support/test.h"

// The path that is found for a name in robots/arm/xacro/.
static void assert_found(const mjVFS* vfs, const char* name, const char* path) {
  char looked[400];
  PackagePlaces places = {.directory = "robots/arm/xacro/", .vfs = vfs};
  char* found = package_find(looked, sizeof(looked), &places, name);
  if (path) {
    assert_non_null(found);
    assert_string_equal(found, path);
  } else {
    assert_null(found);
    assert_non_null(strstr(looked, "robots/arm/"));
  }
  heap_free(found);
}

TEST(a_path_that_is_not_beside_the_file_is_found_in_a_folder_above) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "robots/arm/meshes/link.stl", "x", 1);
  mj_addBufferVFS(&vfs, "robots/arm/xacro/near.stl", "x", 1);
  mj_addBufferVFS(&vfs, "robots/near.stl", "x", 1);
  assert_found(&vfs, "./meshes/link.stl", "robots/arm/meshes/link.stl");
  assert_found(&vfs, "near.stl", "robots/arm/xacro/near.stl");
  assert_found(&vfs, "/meshes/link.stl", "robots/arm/meshes/link.stl");
  assert_found(&vfs, "file:///meshes/link.stl", "robots/arm/meshes/link.stl");
  assert_found(&vfs, "meshes/other.stl", NULL);
  mj_deleteVFS(&vfs);
}
