// glTF: node trees, every kind of number, buffers inside and beside the file, and broken files.

#include "meshfile_files.h"

// a square of 1 x 1: 4 positions (48 bytes), 6 indices of 2 bytes
#define SQUARE                                                               \
  "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAACAPwAAgD8AAAAAAAAAAAAAgD8AAAAAAAABAAIA" \
  "AAACAAMA"
#define BUFFER \
  "'buffers':[{'byteLength':60,'uri':'data:application/octet-stream;base64," SQUARE "'}],"
#define VIEWS \
  "'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':12}],"
#define POSITIONS "{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}"
#define INDICES "{'bufferView':1,'componentType':5123,'count':6,'type':'SCALAR'}"
#define ACCESSORS "'accessors':[" POSITIONS "," INDICES "],"
#define MESH(more) \
  "'meshes':[{'name':'plate','primitives':[{'attributes':{'POSITION':0},'indices':1" more "}]}]"
#define HEAD "{'asset':{'version':'2.0'},"
#define SCENE(nodes) "'scene':0,'scenes':[{'nodes':[0]}],'nodes':[" nodes "],"
#define DATA BUFFER VIEWS ACCESSORS

// Writes a text with its quotes doubled.
static const char* quoted(char out[], const char* text) {
  size_t i = 0;
  do {
    out[i] = text[i];
    out[i] = text[i] == '\'' ? '"' : text[i];
  } while (text[i++]);
  return out;
}

static MeshFile* read_gltf(const char* text) {
  char quotes[4000];
  return read_text("a.gltf", quoted(quotes, text));
}

TEST(meshes_without_a_scene_are_read) {
  MeshFile* file = read_gltf(HEAD DATA MESH("") "}");
  assert_int_equal(file->npart, 1);
  assert_int_equal(file->up, 'y');
  assert_int_equal(file->part[0].nvert, 4);
  assert_int_equal(file->part[0].nface, 2);
  assert_string_equal(file->part[0].name, "plate");
  assert_area(&file->part[0], 0, 0, 1);
  meshfile_free(file);
}

TEST(nodes_move_turn_and_scale_their_children) {
  static const struct {
    const char* text;
    double corner[3], area[3];  // place of the corner (1, 0, 0)
  } cases[] = {
      {HEAD DATA SCENE("{'children':[1],'translation':[1,2,3]},{'mesh':0,'scale':[2,3,1],"
                       "'rotation':[0,0,0.70710678,0.70710678]}") MESH("") "}",
       {1, 4, 3},
       {0, 0, 6}},
      // columns
      {HEAD DATA SCENE("{'mesh':0,'matrix':[0,1,0,0, 0,0,1,0, 1,0,0,0, 5,6,7,1]}") MESH("") "}",
       {5, 7, 7},
       {1, 0, 0}},
      {HEAD DATA SCENE("{'mesh':0,'scale':[-1,1,1]}") MESH("") "}", {-1, 0, 0}, {0, 0, 1}},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    MeshFile* file = read_gltf(cases[i].text);
    assert_floats(file->part[0].vert + 3, 3, cases[i].corner);
    assert_area(&file->part[0], cases[i].area[0], cases[i].area[1], cases[i].area[2]);
    meshfile_free(file);
  }
}

TEST(strips_fans_and_corners_without_indices_are_read) {
  static const struct {
    const char* text;
    double area;
  } cases[] = {
      // the strip 0 1 2 0 2 3: (0 1 2), (2 1 0), (2 0 2) and (2 0 3)
      {HEAD DATA MESH(",'mode':5") "}", -0.5},
      {HEAD DATA "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':6}]}]}", 1},
      {HEAD DATA "'meshes':[{'primitives':[{'attributes':{'POSITION':0}}]}]}", 0.5},
      {HEAD DATA "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'mode':1},"
                 "{'attributes':{'POSITION':0},'mode':6}]}]}",
       1},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    MeshFile* file = read_gltf(cases[i].text);
    assert_int_equal(file->npart, 1);
    assert_area(&file->part[0], 0, 0, cases[i].area);
    meshfile_free(file);
  }
}

TEST(integers_are_normalized_and_sparse_values_replace_others) {
  // bytes 127 0 -128 0 255 0 0 0: normals as signed, texture coordinates as unsigned ones
  MeshFile* file = read_gltf(
      HEAD
      "'buffers':[{'byteLength':60,'uri':'data:;base64," SQUARE
      "'},{'byteLength':24,'uri':"
      "'data:;base64,fwCAAP8AAAACAAAAAABAQAAAQEAAAAAA'}],"
      "'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':12},"
      "{'buffer':1,'byteLength':24}],"
      "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3','sparse':{"
      "'count':1,'indices':{'bufferView':2,'byteOffset':8,'componentType':5125},"
      "'values':{'bufferView':2,'byteOffset':12}}}," INDICES
      ",{'bufferView':2,'componentType':5120,'normalized':true,'count':4,'type':'VEC3'},"
      "{'bufferView':2,'componentType':5121,'normalized':true,'count':4,'type':'VEC2'}],"
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':2,'TEXCOORD_0':3},"
      "'indices':1}]}]}");
  const MeshPart* part = &file->part[0];
  const double half = 0.70710678;
  assert_floats(part->vert + 6, 3, (double[]){3, 3, 0});
  assert_floats(part->normal, 3, (double[]){half, 0, -half});
  assert_floats(part->texcoord, 4, (double[]){127.0 / 255, 1, 128.0 / 255, 1});
  meshfile_free(file);
}

TEST(materials_have_their_colour_opacity_and_image) {
  MeshFile* file =
      read_gltf(HEAD DATA
                "'materials':[{'name':'glass','alphaMode':'BLEND','pbrMetallicRoughness':{"
                "'baseColorFactor':[1,0.5,0,0.25]}},{'pbrMetallicRoughness':{'baseColorTexture':{"
                "'index':0}}}],'textures':[{'source':0}],'images':[{'uri':'a%20b.png'}],"
                "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,'material':0},"
                "{'attributes':{'POSITION':0},'indices':1,'material':1},"
                "{'attributes':{'POSITION':0},'indices':1,'material':0}]}]}");
  assert_int_equal(file->npart, 3);
  assert_int_equal(file->nmaterial, 2);
  assert_int_equal(file->part[2].material, 0);
  assert_string_equal(file->material[0].name, "glass");
  assert_floats(file->material[0].rgba, 4, (double[]){1, .5, 0, .25});
  assert_int_equal(file->material[1].has_color, 0);
  assert_string_equal(file->material[1].texture, "a b.png");
  meshfile_free(file);
}

TEST(vertices_without_a_material_give_their_mean_colour) {
  MeshFile* file = read_gltf(HEAD DATA
                             "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':0},"
                             "'indices':1}]}]}");
  assert_floats(file->material[file->part[0].material].rgba, 4, (double[]){.5, .5, 0, 1});
  meshfile_free(file);
}

TEST(images_inside_of_the_file_are_given_as_bytes) {
  MeshFile* file = read_gltf(
      HEAD BUFFER
      "'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':12},"
      "{'buffer':0,'byteOffset':49,'byteLength':3}]," ACCESSORS
      "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}},"
      "{'pbrMetallicRoughness':{'baseColorTexture':{'index':1}}}],'textures':[{'source':0},"
      "{'source':1}],'images':[{'bufferView':2},{'uri':'data:image/png;base64,iVBO'}],"
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,'material':0},"
      "{'attributes':{'POSITION':0},'indices':1,'material':1}]}]}");
  assert_int_equal(file->material[0].image_size, 3);
  assert_memory_equal(file->material[0].image, "\0\1\0", 3);
  assert_int_equal(file->material[1].image_size, 3);
  assert_memory_equal(file->material[1].image, "\x89PN", 3);
  assert_null(file->material[1].texture);
  meshfile_free(file);
}

TEST(an_empty_image_is_none) {
  MeshFile* file = read_gltf(
      HEAD BUFFER
      "'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':12},"
      "{'buffer':0,'byteOffset':49,'byteLength':0}]," ACCESSORS
      "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0}}}],"
      "'textures':[{'source':0}],'images':[{'bufferView':2}],"
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,'material':0}]}]}");
  assert_int_equal(file->material[0].image_size, 0);
  assert_area(&file->part[0], 0, 0, 1);
  meshfile_free(file);
}

static int give_square(void* user, const char* name, const void** bytes, size_t* size) {
  *bytes = user;
  *size = 60;
  return strcmp(name, "s q.bin") == 0;
}

// The bytes of the buffer of the square.
static void square_bytes(unsigned char out[60]) {
  const float place[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  const unsigned short index[6] = {0, 1, 2, 0, 2, 3};
  memcpy(out, place, sizeof(place));
  memcpy(out + sizeof(place), index, sizeof(index));
}

TEST(a_buffer_beside_the_file_is_asked_for_by_its_name) {
  unsigned char bytes[60];
  char text[4000], error[200];
  square_bytes(bytes);
  quoted(text,
         HEAD "'buffers':[{'byteLength':60,'uri':'s%20q.bin'}]," VIEWS ACCESSORS MESH("") "}");
  const MeshFileAccess access = {give_square, bytes};
  MeshFile* file = meshfile_read("a.gltf", text, strlen(text), &access, error, sizeof(error));
  assert_that(file != NULL, ==, 1);
  assert_area(&file->part[0], 0, 0, 1);
  meshfile_free(file);
  assert_refused("a.gltf", text, "the buffer 's q.bin' can't be read");
}

// Writes a GLB of a text and the square. Returns its size.
static size_t make_glb(unsigned char* out, const char* text) {
  unsigned length = (unsigned)strlen(text), padded = (length + 3) / 4 * 4;
  unsigned head[5] = {0x46546C67, 2, 12 + 8 + padded + 8 + 60, padded, 0x4E4F534A};
  unsigned chunk[2] = {60, 0x004E4942};
  memcpy(out, head, sizeof(head));
  memset(out + 20, ' ', padded);
  memcpy(out + 20, text, length);
  memcpy(out + 20 + padded, chunk, sizeof(chunk));
  square_bytes(out + 28 + padded);
  return head[2];
}

TEST(a_glb_holds_its_buffer) {
  unsigned char bytes[4000];
  char text[4000], error[200];
  quoted(text, HEAD "'buffers':[{'byteLength':60}]," VIEWS ACCESSORS MESH("") "}");
  size_t size = make_glb(bytes, text);
  MeshFile* file = meshfile_read("a.GLB", bytes, size, NULL, error, sizeof(error));
  assert_that(file != NULL, ==, 1);
  assert_area(&file->part[0], 0, 0, 1);
  meshfile_free(file);
  assert_refused_bytes("a.glb", bytes, size - 1, "a chunk of 60 bytes ends behind the file");
  assert_refused_bytes("a.glb", bytes, 10, "it doesn't begin as a GLB");
  bytes[4] = 1;
  assert_refused_bytes("a.glb", bytes, size, "GLB version 1 is unknown");
}

TEST(broken_gltf_is_refused_with_its_place) {
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"{\n'asset':", "a.gltf:2: JSON: the text ends too early"},
      {"{'asset':{'version':'1.0'}}", "glTF version '1.0' is unknown"},
      {HEAD "'extensionsRequired':['KHR_draco_mesh_compression']}", "'KHR_draco_mesh_compression'"},
      {HEAD DATA "'meshes':[{'primitives':[{'attributes':{'POSITION':7}}]}]}",
       "'POSITION' refers to no element of 'accessors'"},
      {HEAD DATA "'meshes':[{'primitives':[{'attributes':{'POSITION':1}}]}]}",
       "the primitive has no POSITION of VEC3"},
      {HEAD BUFFER VIEWS "'accessors':[" POSITIONS
                         ",{'bufferView':1,'componentType':5123,'count':7,"
                         "'type':'SCALAR'}]," MESH("") "}",
       "the accessor ends behind its view of 12 bytes"},
      {HEAD BUFFER
       "'bufferViews':[{'buffer':0,'byteOffset':20,'byteLength':48}]," ACCESSORS MESH("") "}",
       "the view ends behind its buffer of 60 bytes"},
      {HEAD BUFFER VIEWS "'accessors':[" POSITIONS
                         ",{'bufferView':0,'componentType':5125,'count':6,"
                         "'type':'SCALAR'}]," MESH("") "}",
       "of a position is out of range: there are 4"},
      {HEAD BUFFER VIEWS
       "'accessors':[{'componentType':5126,'count':1e9,'type':'VEC3'}]," MESH("") "}",
       "1000000000 elements, which is too much"},
      {HEAD "'buffers':[{'byteLength':60,'uri':'data:;base64,A!'}]," VIEWS ACCESSORS MESH("") "}",
       "the data isn't base64"},
      {HEAD DATA SCENE("{'mesh':0,'children':[0]}") MESH("") "}",
       "nested too deeply, or contain themselves"},
      {HEAD DATA SCENE("{'mesh':0,'matrix':[1,0]}") MESH("") "}", "'matrix' needs 16 numbers"},
      {HEAD DATA SCENE("{'mesh':0,'scale':[1e300,1,1]}") MESH("") "}", "is not finite"},
      {HEAD BUFFER
       "'bufferViews':[{'buffer':0,'byteLength':48,'byteOffset':-1}]," ACCESSORS MESH("") "}",
       "'byteOffset' is not a whole number"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[4000];
    assert_refused("a.gltf", quoted(text, cases[i].text), cases[i].words);
  }
}
