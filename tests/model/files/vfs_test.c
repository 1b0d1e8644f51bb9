// Files in memory, sources of files, and loading through them.

#include "model/files/vfs.h"

#include <condyle/load.h>

#include "base/memory/memory.h"
#include "model/files/resource.h"
#include "support/caught.h"
#include "support/test.h"

static int add(mjVFS* vfs, const char* name, const char* text) {
  return mj_addBufferVFS(vfs, name, text, (int)strlen(text));
}

static const char* content(const mjVFS* vfs, const char* name) {
  size_t size;
  const char* text = vfs_find(&size, vfs, name);
  assert_true(!text || strlen(text) == size);
  return text;
}

TEST(buffers_are_kept_under_their_reduced_name) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(add(&vfs, "a/B.xml", "1"), 0);
  assert_int_equal(add(&vfs, "a/B.xml", "2"), 2);
  assert_int_equal(add(&vfs, "A/b.xml", "3"), 0);
  assert_int_equal(add(&vfs, "./c/../d.xml", "4"), 0);
  assert_int_equal(add(&vfs, "d.xml", "5"), 2);
  assert_int_equal(add(&vfs, "empty", ""), 0);
  assert_int_equal(mj_addBufferVFS(&vfs, "negative", "x", -1), -1);
  assert_string_equal(content(&vfs, "a/B.xml"), "1");
  assert_string_equal(content(&vfs, "a\\.\\B.xml"), "1");
  assert_string_equal(content(&vfs, "A/b.xml"), "3");
  assert_null(content(&vfs, "B.xml"));
  assert_string_equal(content(&vfs, "empty"), "");
  mj_deleteVFS(&vfs);
}

TEST(the_base_name_in_lower_case_is_found_from_anywhere) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  add(&vfs, "arm.stl", "1");
  assert_string_equal(content(&vfs, "meshes/Arm.STL"), "1");
  assert_string_equal(content(&vfs, "/absolute/ARM.stl"), "1");
  assert_null(content(&vfs, "arm.obj"));
  assert_null(content(NULL, "arm.stl"));
  mj_deleteVFS(&vfs);
}

TEST(files_are_kept_under_their_base_name) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addFileVFS(&vfs, CONDYLE_SOURCE_DIR "/tests", "CMakeLists.txt"), 0);
  assert_int_equal(mj_addFileVFS(&vfs, CONDYLE_SOURCE_DIR, "tests/CMAKELISTS.txt"), 2);
  assert_int_equal(mj_addFileVFS(&vfs, NULL, CONDYLE_SOURCE_DIR "/LICENSE"), 0);
  assert_int_equal(mj_addFileVFS(&vfs, CONDYLE_SOURCE_DIR, "no such file"), -1);
  assert_non_null(strstr(content(&vfs, "cmakelists.txt"), "cmocka"));
  assert_non_null(content(&vfs, "license"));
  mj_deleteVFS(&vfs);
}

TEST(what_is_deleted_is_gone) {
  mjVFS vfs;
  char name[20];
  mj_defaultVFS(&vfs);
  for (int i = 0; i < 100; i++) {
    name[0] = (char)('a' + i % 26);
    name[1] = (char)('a' + i / 26);
    name[2] = 0;
    assert_int_equal(add(&vfs, name, name), 0);
  }
  assert_int_equal(mj_deleteFileVFS(&vfs, "bb"), 0);
  assert_int_equal(mj_deleteFileVFS(&vfs, "bb"), -1);
  assert_null(content(&vfs, "bb"));
  assert_string_equal(content(&vfs, "cb"), "cb");
  mj_deleteVFS(&vfs);
  assert_null(vfs.impl_);
  mj_deleteVFS(&vfs);
  assert_int_equal(add(&vfs, "x", "x"), -1);
  assert_int_equal(mj_deleteFileVFS(&vfs, "x"), -1);
}

TEST(models_includes_and_submodels_come_from_memory) {
  char error[300];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  add(&vfs, "dir/main.xml",
      "<mujoco model='m'><asset><model name='s' file='sub.xml'/></asset>"
      "<include file='parts/inc.xml'/></mujoco>");
  add(&vfs, "dir/parts/inc.xml", "<mujoco><include file='more.xml'/></mujoco>");
  add(&vfs, "dir/parts/more.xml",
      "<mujoco><worldbody><attach model='s' prefix='p'/></worldbody></mujoco>");
  add(&vfs, "sub.xml", "<mujoco><worldbody><body name='b'/></worldbody></mujoco>");
  mjModel* m = mj_loadXML("dir/main.xml", &vfs, error, sizeof(error));
  assert_string_equal(error, "");
  assert_non_null(m);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "pb"), 1);
  mj_deleteModel(m);

  assert_null(mj_loadXML("dir/other.xml", &vfs, error, sizeof(error)));
  assert_non_null(strstr(error, "Error opening file 'dir/other.xml'"));
  mj_deleteVFS(&vfs);
}

// A model of strangers may name any file of this machine.
TEST(beside_sealed_files_there_are_no_others) {
  static const char* const assets[] = {
      "<model name='x' file='" CONDYLE_SOURCE_DIR "/models/humanoid.xml'/>",
      "<mesh name='x' file='" CONDYLE_SOURCE_DIR "/models/a.obj'/>",
      "<texture name='x' type='2d' file='" CONDYLE_SOURCE_DIR "/docs/img/humanoid.png'/>",
      "<hfield name='x' size='1 1 1 1' file='" CONDYLE_SOURCE_DIR "/docs/img/humanoid.png'/>",
      "<skin name='x' file='" CONDYLE_SOURCE_DIR "/models/a.skn'/>",
      "</asset><include file='" CONDYLE_SOURCE_DIR "/models/humanoid.xml'/><asset>",
  };
  for (size_t i = 0; i < sizeof(assets) / sizeof(assets[0]); i++) {
    char error[400] = "", text[400];
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    snprintf(text, sizeof text, "<mujoco><asset>%s</asset></mujoco>", assets[i]);
    add(&vfs, "main.xml", text);
    cnd_sealVFS(&vfs);
    mjModel* m = mj_loadXML("main.xml", &vfs, error, sizeof(error));
    assert_null(m);
    if (!strstr(error, "it is not among the given files")) {
      assert_string_equal(error, "... it is not among the given files");
    }
    mj_deleteVFS(&vfs);
  }
}

// providers

static int nclosed;

static int open_any(mjResource* resource) {
  return strstr(resource->name, "missing") == NULL;
}

static int read_model_text(mjResource* resource, const void** buffer) {
  if (strstr(resource->name, "broken")) {
    return -1;
  }
  *buffer = resource->provider->data;
  return (int)strlen(resource->provider->data);
}

static void close_any(mjResource* resource) {
  (void)resource;
  nclosed++;
}

static mjpResourceProvider provider(const char* prefix, char* text) {
  mjpResourceProvider result;
  mjp_defaultResourceProvider(&result);
  result.prefix = prefix;
  result.open = open_any;
  result.read = read_model_text;
  result.close = close_any;
  result.data = text;
  return result;
}

static char model_text[] = "<mujoco model='provided'/>";

static void ignore_warning(const char* message) {
  (void)message;
}

BEFORE_ALL() {
  mju_user_warning = ignore_warning;
}

TEST(providers_are_found_by_their_scheme) {
  char error[300], prefix[] = "mem";
  mjpResourceProvider mem = provider(prefix, model_text);
  int before = mjp_resourceProviderCount(), slot = mjp_registerResourceProvider(&mem);
  assert_int_equal(slot, before + 1);
  assert_int_equal(mjp_registerResourceProvider(&mem), slot);
  assert_int_equal(mjp_resourceProviderCount(), before + 1);
  prefix[0] = 'x';  // the registry has its own copy
  assert_ptr_equal(mjp_getResourceProvider("MEM:any"), mjp_getResourceProviderAtSlot(slot));
  assert_null(mjp_getResourceProvider("mem"));
  assert_null(mjp_getResourceProvider("me:a"));
  assert_null(mjp_getResourceProviderAtSlot(0));
  assert_null(mjp_getResourceProviderAtSlot(slot + 1));
  mjpResourceProvider other = provider("Mem", NULL);
  assert_error(mjp_registerResourceProvider(&other), "already registered");

  mjModel* m = mj_loadXML("mem:a/b.xml", NULL, error, sizeof(error));
  assert_non_null(m);
  assert_string_equal(m->names, "provided");
  mj_deleteModel(m);
  assert_that(nclosed, >, 0);
  assert_null(mj_loadXML("mem:missing", NULL, error, sizeof(error)));
  assert_null(mj_loadXML("mem:broken", NULL, error, sizeof(error)));
  assert_non_null(strstr(error, "Error opening file 'mem:broken'"));

  char* path = resource_path("dir/", "mem:a/../b");
  assert_string_equal(path, "mem:b");
  heap_free(path);
}

// A provider that counts, and whose getdir needs what open has made.
static int nopen, nopened;

static int open_counted(mjResource* resource) {
  nopen++;
  nopened++;
  resource->data = strstr(resource->name, "missing") ? NULL : resource->provider->data;
  return resource->data != NULL;
}

static void close_counted(mjResource* resource) {
  (void)resource;
  nopen--;
}

static void dir_counted(mjResource* resource, const char** dir, int* ndir) {
  assert_int_equal(nopen, 1);
  assert_ptr_equal(resource->data, resource->provider->data);
  *dir = resource->name;
  *ndir = (int)strlen("counted:");
}

TEST(every_open_of_a_provider_has_its_close_and_getdir_sees_the_open_file) {
  char error[300];
  mjpResourceProvider p = provider("counted", model_text);
  p.open = open_counted;
  p.close = close_counted;
  p.getdir = dir_counted;
  mjp_registerResourceProvider(&p);
  mjModel* m = mj_loadXML("counted:m.xml", NULL, error, sizeof(error));
  assert_non_null(m);
  mj_deleteModel(m);
  assert_int_equal(nopen, 0);
  assert_int_equal(nopened, 1);
  assert_null(mj_loadXML("counted:missing", NULL, error, sizeof(error)));
  assert_int_equal(nopen, 0);
  assert_int_equal(nopened, 2);

  // an included file is opened once
  mjSpec* s = mj_parseXMLString("<mujoco><include file='counted:m.xml'/></mujoco>", NULL, error,
                                sizeof(error));
  assert_int_equal(nopen, 0);
  assert_int_equal(nopened, 3);
  mj_deleteSpec(s);
}

// A provider of a few files that writes down what it is asked for.
typedef struct Shelf_ {
  const char* file[4][2];  // name, content
  char asked[400];         // names, each with a space behind it
} Shelf;

static Shelf shelf;

static int open_shelf(mjResource* resource) {
  size_t length = strlen(shelf.asked);
  snprintf(shelf.asked + length, sizeof(shelf.asked) - length, "%s ", resource->name);
  resource->data = NULL;
  for (int i = 0; i < 4 && shelf.file[i][0]; i++) {
    if (strcmp(shelf.file[i][0], resource->name) == 0) {
      resource->data = (void*)(uintptr_t)shelf.file[i][1];
    }
  }
  return resource->data != NULL;
}

static int read_shelf(mjResource* resource, const void** buffer) {
  *buffer = resource->data;
  return (int)strlen(resource->data);
}

// Up to and including the last slash or the colon.
static void dir_shelf(mjResource* resource, const char** dir, int* ndir) {
  *dir = resource->name;
  *ndir = 0;
  for (int i = 0; resource->name[i]; i++) {
    *ndir = resource->name[i] == '/' || resource->name[i] == ':' ? i + 1 : *ndir;
  }
}

static void dir_elsewhere(mjResource* resource, const char** dir, int* ndir) {
  (void)resource;
  *dir = "P:other/and more";
  *ndir = 8;
}

#define MESH_IN "<mujoco><asset><mesh name='m' file='t.obj'/></asset></mujoco>"
#define OBJ "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

// Recorded from the reference; how often it asks for one name is not compared.
TEST(names_in_files_of_providers_are_looked_for_where_getdir_says) {
  static const struct {
    const char* file[4][2];
    const char* asked[4];  // in this order, and no other
    int isgood;
  } cases[] = {
      {{{"P:m.xml", MESH_IN}, {"P:t.obj", OBJ}}, {"P:m.xml", "P:/t.obj"}, 0},
      {{{"P:d/m.xml", MESH_IN}, {"P:d/t.obj", OBJ}}, {"P:d/m.xml", "P:d/t.obj"}, 1},
      {{{"P:m.xml", "<mujoco><include file='sub/inc.xml'/></mujoco>"},
        {"P:/sub/inc.xml", MESH_IN},
        {"P:/sub/t.obj", OBJ}},
       {"P:m.xml", "P:/sub/inc.xml", "P:/t.obj", "P:/sub/t.obj"},
       1},
      {{{"P:m.xml", "<mujoco><include file='P:sub/inc.xml'/></mujoco>"},
        {"P:sub/inc.xml", MESH_IN},
        {"P:sub/t.obj", OBJ}},
       {"P:m.xml", "P:sub/inc.xml", "P:/t.obj", "P:sub/t.obj"},
       1},
      {{{"N:d/m.xml", MESH_IN}, {"N:d/t.obj", OBJ}}, {"N:d/m.xml"}, 0},
      {{{"N:d/m.xml", "<mujoco><include file='inc.xml'/></mujoco>"}, {"N:d/inc.xml", MESH_IN}},
       {"N:d/m.xml"},
       0},
      {{{"E:m.xml", MESH_IN}, {"P:other/t.obj", OBJ}}, {"E:m.xml", "P:other/t.obj"}, 1},
  };
  static const char* const prefix[] = {"N", "P", "E"};
  void (*const getdir[])(mjResource*, const char**, int*) = {NULL, dir_shelf, dir_elsewhere};
  for (int i = 0; i < 3; i++) {
    mjpResourceProvider p = provider(prefix[i], NULL);
    p.open = open_shelf;
    p.read = read_shelf;
    p.getdir = getdir[i];
    assert_that(mjp_registerResourceProvider(&p), >, 0);
  }
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[300] = "";
    shelf = (Shelf){0};
    memcpy(shelf.file, cases[i].file, sizeof(shelf.file));
    mjModel* m = mj_loadXML(cases[i].file[0][0], NULL, error, sizeof(error));
    const char* at = shelf.asked;
    for (int k = 0; k < 4 && cases[i].asked[k]; k++) {
      size_t n = strlen(cases[i].asked[k]);
      int times = 0;
      for (; strncmp(at, cases[i].asked[k], n) == 0 && at[n] == ' '; at += n + 1) {
        times++;
      }
      if (!times) {
        fail_msg("case %zu: asked for %s, expected %s", i, shelf.asked, cases[i].asked[k]);
      }
    }
    if (*at || (m != NULL) != cases[i].isgood) {
      fail_msg("case %zu: asked for %s, %s", i, shelf.asked, m ? "loaded" : error);
    }
    mj_deleteModel(m);
  }
}

// Without a directory, names are those of virtual files or of the working directory.
TEST(files_of_a_provider_without_getdir_name_virtual_files) {
  char error[300] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  add(&vfs, "t.obj", OBJ);
  shelf = (Shelf){.file = {{"N:d/m.xml", MESH_IN}}};
  mjModel* m = mj_loadXML("N:d/m.xml", &vfs, error, sizeof(error));
  assert_string_equal(error, "");
  assert_non_null(m);
  assert_int_equal(m->nmesh, 1);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

TEST(incomplete_providers_are_refused) {
  static const char* const wrong[] = {"", "1a", "a b", "a:b", NULL};
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    mjpResourceProvider p = provider(wrong[i], NULL);
    assert_int_equal(mjp_registerResourceProvider(&p), -1);
  }
  mjpResourceProvider p = provider("a+b-c.1", NULL);
  p.close = NULL;
  assert_int_equal(mjp_registerResourceProvider(&p), -1);
}
