// Resources as programs open them: where they are found, how providers are called, and archives.

#include "model/files/opened.h"

#include <condyle/load.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/archive/zip.h"
#include "base/memory/memory.h"
#include "support/caught.h"
#include "support/test.h"

static char error[400];

// Content of a file, NULL with the reason in error; valid until the next call.
static const char* content(const char* directory, const char* name, const mjVFS* vfs) {
  static char text[200];
  const void* buffer = NULL;
  error[0] = 0;
  mjResource* resource = mju_openResource(directory, name, vfs, error, sizeof(error));
  int count = resource ? mju_readResource(resource, &buffer) : -1;
  snprintf(text, sizeof(text), "%.*s", count > 0 ? count : 0, count > 0 ? (char*)buffer : "");
  mju_closeResource(resource);
  return resource && count >= 0 ? text : NULL;
}

static char folder[] = "/tmp/condyle-opened-XXXXXX";
static char archive[100], plain[100];

static void put(const char* path, const void* bytes, size_t size) {
  assert_that(mju_writeResource(path, bytes, size, NULL, error, sizeof(error)), ==, (int64_t)size);
}

static ZipMaker two_files(void) {
  ZipMaker maker = {0};
  zip_add(&maker, "sub/a.txt", "inside", 6);
  zip_add(&maker, "b.txt", "beside", 6);
  zip_end(&maker);
  return maker;
}

BEFORE_ALL() {
  assert_non_null(mkdtemp(folder));
  snprintf(archive, sizeof(archive), "%s/x.mjz", folder);
  snprintf(plain, sizeof(plain), "%s/a.txt", folder);
  ZipMaker maker = two_files();
  put(archive, maker.text, maker.size);
  put(plain, "on disk", 7);
  heap_free(maker.text);
}

AFTER_ALL() {
  unlink(archive);
  unlink(plain);
  rmdir(folder);
}

TEST(a_file_is_read_from_memory_before_the_disk) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_string_equal(content(folder, "a.txt", &vfs), "on disk");
  mj_addBufferVFS(&vfs, "a.txt", "in memory", 9);
  assert_string_equal(content(folder, "a.txt", &vfs), "in memory");
  assert_null(content(folder, "none", &vfs));
  assert_has(error, "Error opening file");
  assert_has(error, "No such file");
  assert_null(content(NULL, folder, NULL));
  mj_deleteVFS(&vfs);
}

TEST(a_resource_knows_its_directory_and_its_version) {
  const char* directory;
  int length;
  mjResource* resource = mju_openResource(folder, "a.txt", NULL, NULL, 0);
  assert_non_null(resource);
  mju_getResourceDir(resource, &directory, &length);
  assert_that((size_t)length, ==, strlen(folder) + 1);
  assert_int_equal(mju_isModifiedResource(resource, resource->timestamp), 0);
  assert_int_not_equal(mju_isModifiedResource(resource, "0"), 0);
  mju_closeResource(resource);
  mju_closeResource(NULL);
}

TEST(a_virtual_file_of_other_content_is_another_version) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "v", "1", 1);
  mjResource* before = mju_openResource(NULL, "v", &vfs, NULL, 0);
  char stamp[sizeof(before->timestamp)];
  memcpy(stamp, before->timestamp, sizeof(stamp));
  mju_closeResource(before);
  mj_deleteFileVFS(&vfs, "v");
  mj_addBufferVFS(&vfs, "v", "2", 1);
  mjResource* after = mju_openResource(NULL, "v", &vfs, NULL, 0);
  assert_int_not_equal(mju_isModifiedResource(after, stamp), 0);
  mju_closeResource(after);
  mj_deleteVFS(&vfs);
}

// archives

TEST(a_path_through_an_archive_leads_to_its_file) {
  char name[200];
  snprintf(name, sizeof(name), "%s/sub/a.txt", archive);
  assert_string_equal(content(NULL, name, NULL), "inside");
  assert_string_equal(content(archive, "sub/../b.txt", NULL), "beside");
  assert_null(content(archive, "none.txt", NULL));
  assert_has(error, "no such file in the archive");
}

TEST(a_name_in_an_archive_does_not_lead_out_of_it) {
  char name[200];
  assert_null(content(archive, "../a.txt", NULL));
  assert_has(error, "outside of the archive");
  snprintf(name, sizeof(name), "%s/sub", archive);
  assert_string_equal(content(name, "../b.txt", NULL), "beside");
  assert_null(content(name, "../../a.txt", NULL));
}

TEST(an_archive_may_be_a_virtual_file) {
  ZipMaker maker = two_files();
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "v.zip", maker.text, (int)maker.size);
  cnd_sealVFS(&vfs);
  assert_string_equal(content(NULL, "v.zip/b.txt", &vfs), "beside");
  assert_null(content(archive, "b.txt", &vfs));
  heap_free(maker.text);
  mj_deleteVFS(&vfs);
}

TEST(a_folder_that_is_called_like_an_archive_is_one) {
  char name[200], file[220];
  snprintf(name, sizeof(name), "%s/folder.zip", folder);
  snprintf(file, sizeof(file), "%s/c.txt", name);
  mkdir(name, 0700);
  put(file, "in a folder", 11);
  assert_string_equal(content(name, "c.txt", NULL), "in a folder");
  assert_string_equal(content(name, "../a.txt", NULL), "on disk");
  unlink(file);
  rmdir(name);
}

// providers

static char calls[1000];

static void note(const char* what, const mjResource* resource) {
  size_t n = strlen(calls);
  snprintf(calls + n, sizeof(calls) - n, "%s%s %s", n ? "; " : "", what, resource->name);
}

static int open_noted(mjResource* resource) {
  note(resource->data ? "open mounted" : "open", resource);
  resource->data = strstr(resource->name, "missing") ? NULL : "hello";
  return resource->data != NULL;
}

static int read_noted(mjResource* resource, const void** buffer) {
  *buffer = resource->data;
  return 5;
}

static void close_noted(mjResource* resource) {
  note("close", resource);
}

static int mount_noted(mjResource* resource) {
  note("mount", resource);
  resource->data = resource;
  return strstr(resource->name, "refused") == NULL;
}

static int unmount_noted(mjResource* resource) {
  note("unmount", resource);
  return 1;
}

static int64_t written;

static mjtSize write_noted(mjResource* resource, const void* buffer, mjtSize nbytes) {
  note("write", resource);
  (void)buffer;
  written = (int64_t)nbytes;
  return nbytes;
}

static mjpResourceProvider noted(const char* prefix) {
  mjpResourceProvider p;
  mjp_defaultProvider(&p);
  p.prefix = prefix;
  p.open = open_noted;
  p.read = read_noted;
  p.close = close_noted;
  p.mount = mount_noted;
  p.unmount = unmount_noted;
  p.write = write_noted;
  return p;
}

// Recorded from MuJoCo 4.0.0.
TEST(a_registered_provider_is_mounted_around_each_file) {
  mjpResourceProvider p = noted("noted");
  int before = mjp_providerCount(), slot = mjp_registerProvider(&p);
  assert_int_equal(slot, before + 1);
  assert_int_equal(mjp_providerCount(), before + 1);
  assert_ptr_equal(mjp_getProviderAtSlot(slot), mjp_findProvider("noted:"));
  assert_ptr_equal(mjp_findProvider("NOTED:x"), mjp_getResourceProvider("noted:y"));
  calls[0] = 0;
  assert_string_equal(content("dir", "noted:foo/bar", NULL), "hello");
  assert_string_equal(
      calls, "mount noted; open mounted noted:foo/bar; close noted:foo/bar; unmount noted");
  calls[0] = 0;
  assert_null(content(NULL, "noted:missing", NULL));
  assert_string_equal(calls, "mount noted; open mounted noted:missing; unmount noted");
  calls[0] = 0;
  assert_that(mju_writeResource("noted:out", "abc", 3, NULL, error, sizeof(error)), ==, 3);
  assert_string_equal(calls, "mount noted; write noted:out; unmount noted");
  assert_that(written, ==, 3);
}

TEST(a_provider_of_archives_is_mounted_at_the_archive) {
  mjpResourceProvider p = noted(".noa|.nob");
  int before = mjp_archiveProviderCount();
  mjp_registerArchiveProvider(&p);
  mjp_registerArchiveProvider(&p);
  assert_int_equal(mjp_archiveProviderCount(), before + 2);
  assert_non_null(mjp_findArchiveProvider("x.NOB"));
  assert_null(mjp_findArchiveProvider("x.noc"));
  assert_null(mjp_findArchiveProvider("x.noa/y"));
  calls[0] = 0;
  assert_string_equal(content("dir", "x.noa/m.xml", NULL), "hello");
  assert_string_equal(calls,
                      "mount dir/x.noa; open mounted dir/x.noa/m.xml; close dir/x.noa/m.xml; "
                      "unmount dir/x.noa");
  p.data = "other";
  assert_error(mjp_registerArchiveProvider(&p), "'.noa' is already registered");
}

TEST(archives_of_the_engine_have_providers_of_their_own) {
  assert_that(mjp_archiveProviderCount(), >=, 2);
  assert_string_equal(mjp_findArchiveProvider("a.MJZ")->prefix, ".mjz");
  assert_string_equal(mjp_findArchiveProvider("a.zip")->prefix, ".zip");
  assert_null(mjp_findArchiveProvider("mjz"));
}

// Recorded from MuJoCo 4.0.0.
TEST(a_mounted_provider_opens_all_below_its_path) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mjpResourceProvider p = noted(NULL);
  calls[0] = 0;
  assert_int_equal(mj_mountVFS(&vfs, "mnt", &p), 0);
  assert_int_equal(mj_mountVFS(&vfs, "mnt", &p), 2);
  assert_int_equal(mj_mountVFS(&vfs, "mnt/sub", &p), 0);
  assert_string_equal(calls, "mount mnt; mount mnt/sub");
  static const struct {
    const char *directory, *name, *opened;
  } cases[] = {
      {NULL, "mnt/file.txt", "mnt/file.txt"},
      {"mnt/", "d/file", "mnt/d/file"},
      {NULL, "mnt/sub/f", "mnt/sub/f"},
      {NULL, "mnt", "mnt"},
      {NULL, "x/../mnt/q", "mnt/q"},
      {NULL, "MNT/q", NULL},
      {NULL, "other/mnt/q", NULL},
      {"/abs", "mnt/q", NULL},
      {NULL, "mnt2/q", NULL},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char expected[200] = "";
    calls[0] = 0;
    const char* text = content(cases[i].directory, cases[i].name, &vfs);
    if (cases[i].opened) {
      snprintf(expected, sizeof(expected), "open mounted %s; close %s", cases[i].opened,
               cases[i].opened);
    }
    assert_string_equal(calls, expected);
    assert_int_equal(text != NULL, cases[i].opened != NULL);
  }
  calls[0] = 0;
  assert_that(mju_writeResource("mnt/out", "abc", 3, &vfs, error, sizeof(error)), ==, 3);
  assert_int_equal(mj_unmountVFS(&vfs, "mnt"), 0);
  assert_int_equal(mj_unmountVFS(&vfs, "mnt"), -1);
  assert_string_equal(calls, "write mnt/out; unmount mnt");
  mj_deleteVFS(&vfs);
  assert_string_equal(calls, "write mnt/out; unmount mnt; unmount mnt/sub");
}

TEST(what_can_not_be_mounted_is_refused) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mjpResourceProvider empty, p = noted(NULL);
  mjp_defaultProvider(&empty);
  assert_int_equal(mj_mountVFS(&vfs, "m", &empty), -1);
  assert_int_equal(mj_mountVFS(&vfs, "m", NULL), -1);
  assert_int_equal(mj_mountVFS(&vfs, "refused", &p), -1);
  mj_addBufferVFS(&vfs, "file", "x", 1);
  assert_int_equal(mj_mountVFS(&vfs, "file", &p), 2);
  assert_int_equal(mj_unmountVFS(&vfs, "file"), 0);
  assert_int_equal(mj_containsBufferVFS(&vfs, "file"), 0);
  mj_deleteVFS(&vfs);
}

TEST(files_that_can_not_be_written_are_told) {
  error[0] = 0;
  assert_that(mju_writeResource("/no such folder/x", "abc", 3, NULL, error, sizeof(error)), ==, -1);
  assert_has(error, "Error writing resource '/no such folder/x'");
}

// names of virtual files

TEST(virtual_files_are_contained_by_the_exact_name) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "a/x.obj", "1", 1);
  assert_int_equal(mj_addFileVFS(&vfs, folder, "A.txt"), -1);
  assert_int_equal(mj_addFileVFS(&vfs, folder, "a.txt"), 0);
  assert_int_equal(mj_containsBufferVFS(&vfs, "a/x.obj"), 1);
  assert_int_equal(mj_containsBufferVFS(&vfs, "x.obj"), 0);
  assert_int_equal(mj_containsBufferVFS(&vfs, "A/x.obj"), 0);
  assert_int_equal(mj_containsBufferVFS(&vfs, "./a/x.obj"), 0);
  assert_int_equal(mj_containsBufferVFS(&vfs, "a.txt"), 1);
  assert_int_equal(mj_containsFileVFS(&vfs, NULL, "A.TXT"), 1);
  assert_int_equal(mj_containsFileVFS(&vfs, "any", "b/a.txt"), 1);
  assert_int_equal(mj_containsFileVFS(&vfs, NULL, "a/x.obj"), 0);
  mj_deleteVFS(&vfs);
}

// Recorded from MuJoCo 4.0.0.
TEST(of_equal_base_names_the_last_one_is_found_where_that_is_asked_for) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  cnd_matchLastVFS(&vfs);
  mj_addBufferVFS(&vfs, "a/x.obj", "1", 1);
  static const char* const one[] = {"x.obj", "X.OBJ", "./x.obj", "q/../x.obj", "/else/x.obj"};
  for (size_t i = 0; i < sizeof(one) / sizeof(one[0]); i++) {
    assert_string_equal(content(NULL, one[i], &vfs), "1");
  }
  mj_addBufferVFS(&vfs, "b/x.obj", "2", 1);
  assert_string_equal(content(NULL, "a/x.obj", &vfs), "1");
  assert_string_equal(content(NULL, "b/x.obj", &vfs), "2");
  assert_string_equal(content(NULL, "x.obj", &vfs), "2");
  assert_string_equal(content("dir", "X.OBJ", &vfs), "2");
  assert_int_equal(mj_addBufferVFS(&vfs, "./a/x.obj", "3", 1), 0);
  assert_int_equal(mj_addBufferVFS(&vfs, "a/x.obj", "4", 1), 2);
  assert_int_equal(mj_deleteFileVFS(&vfs, "x.obj"), -1);
  assert_int_equal(mj_deleteFileVFS(&vfs, "./a/x.obj"), 0);
  mj_deleteVFS(&vfs);
}
