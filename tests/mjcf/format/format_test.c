// Models in files of all formats: what is encoded is parsed, and archives hold all that they need.

#include <condyle/load.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/archive/zip.h"
#include "base/memory/memory.h"
#include "support/caught.h"
#include "support/test.h"

static char folder[] = "/tmp/condyle-format-XXXXXX";
static char error[700];

#define OBJ "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
#define LARGE_OBJ "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"

// A path in the folder; valid until the fourth call after it.
static const char* in(const char* name) {
  static char path[4][200];
  static int next;
  char* out = path[next = (next + 1) % 4];
  snprintf(out, sizeof(path[0]), "%s/%s", folder, name);
  return out;
}

static void put(const char* name, const char* text) {
  assert_that(mju_writeResource(in(name), text, strlen(text), NULL, error, sizeof(error)), >, 0);
}

BEFORE_ALL() {
  assert_non_null(mkdtemp(folder));
  mkdir(in("meshes"), 0700);
  mkdir(in("other"), 0700);
  put("meshes/m.obj", OBJ);
  put("other/m.obj", LARGE_OBJ);
}

AFTER_ALL() {
  char command[100];
  snprintf(command, sizeof(command), "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

static const char plain[] =
    "<mujoco model='p'><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";

// Encodes a model that stands in a text; returns the length of the file.
static int64_t encode(const char* text, const char* file, int with_model) {
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  assert_non_null(spec);
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  int64_t size = mj_encode(spec, with_model ? m : NULL, in(file), NULL, NULL, error, sizeof(error));
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return size;
}

static int64_t size_of(const char* file) {
  struct stat s;
  return stat(in(file), &s) == 0 ? (int64_t)s.st_size : -1;
}

TEST(the_ending_of_a_name_says_how_a_model_is_encoded) {
  static const char* const names[] = {"a.xml", "a.XML", "a.mjz", "a.zip", "a.mjb", "a.txt"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    int64_t size = encode(plain, names[i], 1);
    assert_string_equal(error, "");
    assert_that(size, >, 0);
    assert_that(size, ==, size_of(names[i]));
  }
  mjModel* m = mj_loadModel(in("a.mjb"), NULL);
  assert_non_null(m);
  mj_deleteModel(m);
  assert_that(encode(plain, "a.zzz", 1), ==, -1);
  assert_string_equal(error, "no encoder found");
}

TEST(only_mjcf_and_archives_do_without_a_model) {
  assert_that(encode(plain, "b.xml", 0), >, 0);
  assert_that(encode(plain, "b.mjz", 0), >, 0);
  assert_that(encode(plain, "b.mjb", 0), ==, -1);
  assert_string_equal(error, "model is required for MJB encoding");
  assert_that(encode(plain, "b.txt", 0), ==, -1);
  assert_string_equal(error, "model is required for TXT encoding");
}

TEST(a_spec_that_was_not_compiled_is_not_encoded) {
  mjSpec* spec = mj_parseXMLString(plain, NULL, error, sizeof(error));
  static const char* const names[] = {"c.xml", "c.mjz"};
  for (size_t i = 0; i < 2; i++) {
    assert_that(mj_encode(spec, NULL, in(names[i]), NULL, NULL, error, sizeof(error)), ==, -1);
    assert_string_equal(error, "XML Write error: Only compiled model can be written");
    assert_that(size_of(names[i]), ==, -1);
  }
  mj_deleteSpec(spec);
}

TEST(changes_of_a_model_are_encoded_and_those_of_another_one_refused) {
  mjSpec* spec = mj_parseXMLString(plain, NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  mjModel* other = cnd_loadXMLString("<mujoco/>", NULL, NULL);
  m->geom_size[0] = 0.25;
  assert_that(mj_encode(spec, m, in("d.mjz"), NULL, NULL, error, sizeof(error)), >, 0);
  mjSpec* read = mj_parse(in("d.mjz"), NULL, NULL, error, sizeof(error));
  mjModel* again = mj_compile(read, NULL);
  assert_non_null(again);
  assert_that(again->geom_size[0], ==, 0.25);
  assert_that(mj_encode(spec, other, in("e.mjz"), NULL, NULL, error, sizeof(error)), ==, -1);
  assert_has(error, "can't be copied back");
  mj_deleteModel(again);
  mj_deleteSpec(read);
  mj_deleteModel(other);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// archives

// The names of the files in an archive, in alphabetical order, each with a space behind it.
static void list(char* out, size_t size, const char* file) {
  FILE* open = fopen(in(file), "rb");
  assert_non_null(open);
  ZipBytes bytes = {.file = open, .size = zip_filesize(open)};
  Zip zip;
  assert_true(zip_open(&zip, &bytes, error, sizeof(error)));
  out[0] = 0;
  for (int i = 0; i < zip.count; i++) {
    size_t n = strlen(out);
    snprintf(out + n, size - n, "%s ", zip.entry[i].name);
  }
  zip_close(&zip);
  fclose(open);
}

// Models beside the folders of their meshes, what their archives hold, and the mass: of the small
// mesh 1000/6 kg, of the large one twice that.
TEST(an_archive_holds_all_files_under_names_inside_of_it) {
  static const struct {
    const char *compiler, *mesh, *names;
    double mass;
  } cases[] = {
      {"", "file='meshes/m.obj'", "meshes/m.obj model.xml ", 1000. / 6},
      {"meshdir='meshes'", "file='m.obj'", "meshes/m.obj model.xml ", 1000. / 6},
      {"meshdir='x/../meshes/'", "file='./m.obj'", "meshes/m.obj model.xml ", 1000. / 6},
      {"meshdir='../other'", "file='m.obj'", "model.xml other/m.obj ", 2000. / 6},
      {"", "file='../other/m.obj'", "model.xml other/m.obj ", 2000. / 6},
      {"meshdir='%s/other'", "file='m.obj'", "m.obj model.xml ", 2000. / 6},
      {"", "file='%s/other/m.obj'", "m.obj model.xml ", 2000. / 6},
      {"strippath='true' meshdir='meshes'", "file='q/m.obj'", "meshes/m.obj model.xml ", 1000. / 6},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char compiler[200], mesh[200], text[800], names[200];
    snprintf(compiler, sizeof(compiler), cases[i].compiler, folder);
    snprintf(mesh, sizeof(mesh), cases[i].mesh, folder);
    snprintf(text, sizeof(text),
             "<mujoco><compiler %s/><asset><mesh name='m' %s/></asset><worldbody><body><freejoint/>"
             "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
             compiler, mesh);
    const char* file = strstr(text, "../other") ? "meshes/in.xml" : "in.xml";
    put(file, text);
    mjSpec* spec = mj_parse(in(file), NULL, NULL, error, sizeof(error));
    mjModel* m = mj_compile(spec, NULL);
    assert_non_null(m);
    assert_that(mj_encode(spec, NULL, in("packed.mjz"), NULL, NULL, error, sizeof(error)), >, 0);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
    list(names, sizeof(names), "packed.mjz");
    assert_string_equal(names, cases[i].names);

    // read where nothing lies beside it
    mkdir(in("alone"), 0700);
    rename(in("packed.mjz"), in("alone/moved.mjz"));
    m = mj_loadXML(in("alone/moved.mjz"), NULL, error, sizeof(error));
    assert_string_equal(error, "");
    assert_float_equal(m->body_mass[1], cases[i].mass, 1e-6);
    mj_deleteModel(m);
    mj_freeLastXML();
  }
}

TEST(files_of_equal_names_get_different_ones) {
  put("same.xml",
      "<mujoco><asset><model name='c' file='other/child.xml'/></asset><compiler meshdir='meshes'/>"
      "<asset><mesh name='m' file='m.obj'/></asset><worldbody><geom type='mesh' mesh='m'/>"
      "<body><freejoint/><attach model='c' body='b' prefix='p_'/></body></worldbody></mujoco>");
  char child[400], names[200];
  snprintf(child, sizeof(child),
           "<mujoco><asset><mesh name='m' file='%s/other/m.obj'/></asset><worldbody><body name='b'>"
           "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
           folder);
  put("other/child.xml", child);
  mjSpec* spec = mj_parse(in("same.xml"), NULL, NULL, error, sizeof(error));
  assert_string_equal(error, "");
  mjModel* m = mj_compile(spec, NULL);
  double mass = m->body_subtreemass[0];
  assert_that(mj_encode(spec, m, in("same.mjz"), NULL, NULL, error, sizeof(error)), >, 0);
  list(names, sizeof(names), "same.mjz");
  assert_string_equal(names, "m.obj meshes/m.obj model.xml ");
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  m = mj_loadXML(in("same.mjz"), NULL, error, sizeof(error));
  assert_non_null(m);
  assert_float_equal(m->body_subtreemass[0], mass, 1e-9);
  mj_deleteModel(m);
  mj_freeLastXML();
}

TEST(a_virtual_file_is_packed_in_place_of_one_on_disk) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "v.obj", LARGE_OBJ, (int)strlen(LARGE_OBJ));
  mjSpec* spec = mj_parseXMLString(
      "<mujoco><asset><mesh name='m' file='v.obj'/></asset><worldbody><body><geom type='mesh' "
      "mesh='m'/></body></worldbody></mujoco>",
      &vfs, error, sizeof(error));
  mjModel* m = mj_compile(spec, &vfs);
  assert_that(mj_encode(spec, m, in("v.mjz"), NULL, NULL, error, sizeof(error)), ==, -1);
  assert_has(error, "Error opening file 'v.obj'");
  assert_that(mj_encode(spec, m, in("v.mjz"), NULL, &vfs, error, sizeof(error)), >, 0);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
  m = mj_loadXML(in("v.mjz"), NULL, error, sizeof(error));
  assert_non_null(m);
  assert_float_equal(m->body_mass[1], 2000. / 6, 1e-6);
  mj_deleteModel(m);
  mj_freeLastXML();
}

// Writes an archive of two files of one content, of which the second may be NULL.
static void pack(const char* file, const char* name, const char* second) {
  ZipMaker maker = {0};
  zip_add(&maker, name, plain, strlen(plain));
  if (second) {
    zip_add(&maker, second, plain, strlen(plain));
  }
  zip_end(&maker);
  assert_that(mju_writeResource(in(file), maker.text, maker.size, NULL, error, sizeof(error)), >,
              0);
  heap_free(maker.text);
}

TEST(the_model_of_an_archive_has_one_of_four_names) {
  static const struct {
    const char* name;
    int is_found;
  } cases[] = {{"model.xml", 1}, {"arm.xml", 1},         {"arm/arm.xml", 1},  {"arm/model.xml", 1},
               {"other.xml", 0}, {"other/model.xml", 0}, {"a/arm/arm.xml", 0}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    pack("arm.mjz", cases[i].name, NULL);
    mjSpec* spec = mj_parse(in("arm.mjz"), NULL, NULL, error, sizeof(error));
    if ((spec != NULL) != cases[i].is_found) {
      fail_msg("%s: %s", cases[i].name, spec ? "found" : error);
    }
    if (!spec) {
      assert_has(error, "no model XML found in archive");
      assert_has(error, "arm/model.xml");
    }
    mj_deleteSpec(spec);
  }
}

TEST(a_broken_archive_is_refused_with_its_reason) {
  pack("hostile.mjz", "model.xml", "../evil.xml");
  assert_null(mj_parse(in("hostile.mjz"), NULL, NULL, error, sizeof(error)));
  assert_has(error, "hostile.mjz");
  assert_has(error, "'../evil.xml', which would lie outside");
  pack("twice.zip", "model.xml", "model.xml");
  assert_null(mj_parse(in("twice.zip"), NULL, NULL, error, sizeof(error)));
  assert_has(error, "two files 'model.xml'");
  put("cut.mjz", "PK");
  assert_null(mj_parse(in("cut.mjz"), NULL, NULL, error, sizeof(error)));
  assert_has(error, "cut off");
  assert_null(mj_parse(in("none.mjz"), NULL, NULL, error, sizeof(error)));
  assert_has(error, "No such file");
}

TEST(a_model_in_an_archive_reads_no_file_beside_it) {
  static const char* const texts[] = {
      ("<mujoco><asset><mesh name='m' file='../meshes/m.obj'/></asset><worldbody><geom type='mesh' "
       "mesh='m'/></worldbody></mujoco>"),
      "<mujoco><include file='../plain.xml'/></mujoco>",
      "<mujoco><asset><model name='c' file='../plain.xml'/></asset></mujoco>",
      "<sdf version='1.7'><world name='w'><include><uri>../plain.sdf</uri></include></world></sdf>",
  };
  put("plain.xml", plain);
  put("plain.sdf", "<sdf version='1.7'><model name='m'><link name='l'/></model></sdf>");
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    ZipMaker maker = {0};
    zip_add(&maker, "model.xml", texts[i], strlen(texts[i]));
    zip_end(&maker);
    mju_writeResource(in("leaves.mjz"), maker.text, maker.size, NULL, error, sizeof(error));
    heap_free(maker.text);
    error[0] = 0;
    mjModel* m = mj_loadXML(in("leaves.mjz"), NULL, error, sizeof(error));
    if (m) {
      fail_msg("%s was read", texts[i]);
    }
    assert_has(error, "outside of the archive");
  }
}

// The digest of a file that was read before is known without reading it again.
TEST(a_model_in_an_archive_gets_no_file_beside_it_that_was_read_before) {
  static const char model[] = "<mujoco><asset><mesh name='m' file='%s" CONDYLE_SOURCE_DIR
                              "/tests/models/assets/roof.obj'/></asset><worldbody><geom "
                              "type='mesh' mesh='m'/></worldbody></mujoco>";
  char text[600];
  mj_clearCache(mj_getCache());
  snprintf(text, sizeof(text), model, "");
  for (int i = 0; i < 2; i++) {
    mjModel* m = cnd_loadXMLString(text, NULL, NULL);
    assert_non_null(m);
    mj_deleteModel(m);
  }
  snprintf(text, sizeof(text), model, "../../..");
  ZipMaker maker = {0};
  zip_add(&maker, "model.xml", text, strlen(text));
  zip_end(&maker);
  mju_writeResource(in("known.mjz"), maker.text, maker.size, NULL, error, sizeof(error));
  heap_free(maker.text);
  error[0] = 0;
  mjModel* m = mj_loadXML(in("known.mjz"), NULL, error, sizeof(error));
  mj_freeLastXML();
  if (m) {
    mj_deleteModel(m);
    fail_msg("%s was read", text);
  }
  assert_has(error, "outside of the archive");
}

TEST(a_text_whose_name_ends_like_an_archive_is_read_as_before) {
  put("text.zip", plain);
  mjModel* m = mj_loadXML(in("text.zip"), NULL, error, sizeof(error));
  assert_non_null(m);
  assert_string_equal(m->names, "p");
  mj_deleteModel(m);
  mj_freeLastXML();
}

TEST(an_archive_is_read_from_memory_without_a_disk) {
  pack("memory.mjz", "model.xml", NULL);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addFileVFS(&vfs, folder, "memory.mjz"), 0);
  unlink(in("memory.mjz"));
  cnd_sealVFS(&vfs);
  mjModel* m = mj_loadXML("memory.mjz", &vfs, error, sizeof(error));
  assert_non_null(m);
  mj_deleteModel(m);
  mj_freeLastXML();
  mj_deleteVFS(&vfs);
}

// formats of programs

static mjSpec* decode(mjResource* resource, const mjVFS* vfs, char* text, int size) {
  (void)vfs;
  const void* bytes;
  int count = mju_readResource(resource, &bytes);
  if (strstr(resource->name, "bad")) {
    snprintf(text, (size_t)size, "my reason");
    return NULL;
  }
  return strstr(resource->name, "silent")
             ? NULL
             : mj_parseXMLString(count == 1 ? plain : "<mujoco/>", NULL, text, size);
}

static int can_decode(const mjResource* resource) {
  return strstr(resource->name, ".q") != NULL;
}

static int closed;

static mjtSize encode_own(const mjSpec* s, const mjModel* m, const mjVFS* vfs,
                          mjResource* resource) {
  (void)s, (void)vfs;
  resource->data = m ? "with a model" : "none";
  return m ? 4 : (mjtSize)-1;
}

static void close_own(mjResource* resource) {
  (void)resource;
  closed++;
}

// Recorded from MuJoCo 4.0.0.
TEST(registered_decoders_read_their_formats) {
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  mju_user_warning = keep_warning;
  mjp_registerDecoder(&decoder);
  assert_string_equal(warning_text, "decoder must provide decode and can_decode callbacks.");
  mju_user_warning = NULL;
  decoder = (mjpDecoder){"model/q", ".q|.qq", can_decode, decode};
  mjp_registerDecoder(&decoder);
  mjp_registerDecoder(&decoder);
  put("a.q", "1");
  put("bad.qq", "1");
  put("silent.q", "1");
  put("a.r", "1");
  mjSpec* spec = mj_parse(in("a.q"), NULL, NULL, error, sizeof(error));
  assert_non_null(spec);
  mj_deleteSpec(spec);
  assert_null(mj_parse(in("bad.qq"), NULL, NULL, error, sizeof(error)));
  assert_string_equal(error, "my reason");
  assert_null(mj_parse(in("silent.q"), NULL, NULL, error, sizeof(error)));
  assert_has(error, "could not decode resource");
  assert_null(mj_parse(in("a.r"), "model/q", NULL, error, sizeof(error)));
  assert_has(error, "could not find decoder for resource");
  assert_null(mj_parse(in("a.r"), NULL, NULL, error, sizeof(error)));
  assert_has(error, "could not find decoder for resource");
  decoder.extension = ".other";
  assert_error(mjp_registerDecoder(&decoder), "decoder 'model/q' is already registered");
}

static mjSpec* decode_mesh(mjResource* resource, const mjVFS* vfs, char* text, int size) {
  (void)vfs;
  if (strstr(resource->name, "bad")) {
    snprintf(text, (size_t)size, "my reason");
    return NULL;
  }
  mjSpec* spec = mj_makeSpec();
  if (!strstr(resource->name, "empty")) {
    static const float vert[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int face[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    mjsMesh* mesh = mjs_addMesh(spec, NULL);
    mjs_setFloat(mesh->uservert, vert, 12);
    mjs_setInt(mesh->userface, face, strstr(resource->name, "broken") ? 11 : 12);
  }
  return spec;
}

static int can_decode_mesh(const mjResource* resource) {
  return strstr(resource->name, "cannot") == NULL;
}

// Recorded from MuJoCo 4.0.0.
TEST(registered_decoders_read_meshes) {
  static const struct {
    const char *name, *error;
  } cases[] = {
      {"good.m1", NULL},
      {"good.m2' content_type='model/own-mesh", NULL},
      {"bad.m1", "my reason"},
      {"broken.m1", "face data must be a multiple of 3"},
      {"empty.m1", "the decoder found no mesh"},
      {"cannot.m1", "no decoder found for mesh file"},
      {"good.m2", "unknown or unsupported mesh file"},
      {"missing.m1", "Error opening file"},
  };
  mjpDecoder decoder = {"model/own-mesh", ".m1", can_decode_mesh, decode_mesh};
  mjp_registerDecoder(&decoder);
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[500], file[100];
    snprintf(file, sizeof(file), "%.*s", (int)strcspn(cases[i].name, "'"), cases[i].name);
    if (!strstr(file, "missing")) {
      put(file, "1");
    }
    snprintf(text, sizeof(text),
             "<mujoco><compiler meshdir='%s'/><asset><mesh name='m' file='%s'/></asset><worldbody>"
             "<body><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
             folder, cases[i].name);
    mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
    mjModel* m = mj_compile(spec, NULL);
    if (cases[i].error) {
      assert_null(m);
      assert_has(mjs_getError(spec), cases[i].error);
    } else {
      assert_non_null(m);
      assert_float_equal(m->body_mass[1], 1000. / 6, 1e-6);
    }
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
}

TEST(a_text_without_an_ending_is_parsed_by_its_type) {
  put("noending", plain);
  mjSpec* spec = mj_parse(in("noending"), "text/xml", NULL, error, sizeof(error));
  assert_non_null(spec);
  mj_deleteSpec(spec);
}

TEST(archives_have_a_decoder_and_an_encoder) {
  pack("own.mjz", "model.xml", NULL);
  mjResource* resource = mju_openResource(NULL, in("own.mjz"), NULL, error, sizeof(error));
  assert_non_null(resource);
  assert_non_null(mjp_findDecoder(resource, NULL));
  mjSpec* spec = mju_decodeResource(resource, NULL, NULL, error, sizeof(error));
  assert_non_null(spec);
  mjModel* m = mj_compile(spec, NULL);
  const mjpEncoder* encoder = mjp_findEncoder("x", "application/zip");
  assert_ptr_equal(encoder, mjp_findEncoder("x.mjz", NULL));
  assert_null(mjp_findEncoder("x.xml", NULL));
  mjResource made = {.name = (char*)"made"};
  assert_that((int64_t)encoder->encode(spec, m, NULL, &made), >, 0);
  assert_memory_equal(made.data, "PK", 2);
  encoder->close_resource(&made);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mju_closeResource(resource);
}

TEST(registered_encoders_write_their_formats) {
  mjpEncoder encoder;
  mjp_defaultEncoder(&encoder);
  encoder.content_type = "model/own";
  encoder.extension = ".own";
  encoder.encode = encode_own;
  encoder.close_resource = close_own;
  mjp_registerEncoder(&encoder);
  closed = 0;
  assert_that(encode(plain, "x.own", 1), ==, 4);
  assert_that(size_of("x.own"), ==, 4);
  assert_that(encode(plain, "y.own", 0), ==, -1);
  assert_string_equal(error, "encoder failed");
  assert_int_equal(closed, 2);
  assert_ptr_equal(mjp_findEncoder(NULL, "model/own"), mjp_findEncoder("a.OWN", NULL));
  encoder.close_resource = NULL;
  assert_error(mjp_registerEncoder(&encoder), "already registered");
}

TEST(a_model_is_loaded_from_memory) {
  mjModel* m = cnd_loadXMLString(plain, NULL, NULL);
  mjtSize size = (mjtSize)mj_sizeModel(m);
  char* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, (int)size);
  mjModel* copy = mj_loadModelBuffer(bytes, size);
  assert_non_null(copy);
  assert_that(copy->nbuffer, ==, m->nbuffer);
  mju_user_warning = keep_warning;
  assert_null(mj_loadModelBuffer(bytes, size - 1));
  assert_has(warning_text, "Truncated");
  assert_null(mj_loadModelBuffer(NULL, 0));
  mju_user_warning = NULL;
  free(bytes);
  mj_deleteModel(copy);
  mj_deleteModel(m);
  mj_freeLastXML();
}
