// OBJ with groups and materials, STL with colours, and broken files of both.

#include "meshfile_files.h"

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static int give_materials(void* user, const char* name, const void** bytes, size_t* size) {
  *bytes = user;
  *size = strlen(user);
  return strcmp(name, "a.mtl") == 0;
}

static MeshFile* read_with(const char* text, const char* materials) {
  char error[300];
  const MeshFileAccess access = {give_materials, (void*)materials};
  MeshFile* file = meshfile_read("a.obj", text, strlen(text), &access, error, sizeof(error));
  if (!file) {
    fail_msg("%s", error);
  }
  return file;
}

TEST(groups_and_materials_become_parts) {
  MeshFile* file = read_with("mtllib b.mtl a.mtl\n" SQUARE
                             "g left\nusemtl red\nf 1 2 3\nusemtl glass one\nf 1 3 4\n"
                             "g right side \nf -4 -2 -1\nusemtl unknown\nf 1 2 4\n",
                             "newmtl red\n  Kd 1 0 0 \n# no\nnewmtl glass one\r\nKd 0 0 1\r\n"
                             "d .25\r\nmap_Kd -s 1 1 1 -clamp on my skin.png\r\n");
  assert_int_equal(file->npart, 4);
  assert_string_equal(file->part[0].name, "left");
  assert_string_equal(file->part[2].name, "right side");
  assert_int_equal(file->part[1].material, file->part[2].material);
  const MeshMaterial* material = &file->material[file->part[0].material];
  assert_floats(material->rgba, 4, (double[]){1, 0, 0, 1});
  material = &file->material[file->part[1].material];
  assert_string_equal(material->name, "glass one");
  assert_string_equal(material->texture, "my skin.png");
  assert_floats(material->rgba, 4, (double[]){0, 0, 1, .25});
  material = &file->material[file->part[3].material];
  assert_string_equal(material->name, "unknown");
  assert_int_equal(material->has_color, 0);
  meshfile_free(file);
}

TEST(corners_have_separate_indices_and_lines_go_on_behind_a_backslash) {
  MeshFile* file = read_text(
      "a.obj", SQUARE "vt 0 0\nvt .5\nvn 0 0 2\nf 1/1/1 2/2/1 \\\n 3/1/1 4//1\nf 1/2 2/2 3/2\n");
  const MeshPart* part = &file->part[0];
  assert_int_equal(part->nface, 3);
  assert_int_equal(part->nvert, 7);
  assert_area(part, 0, 0, 1.5);
  assert_floats(part->texcoord, 4, (double[]){0, 0, .5, 0});
  // corners without a normal get that of their triangle
  assert_floats(part->normal + 3 * 6, 3, (double[]){0, 0, 1});
  meshfile_free(file);
}

TEST(a_group_keeps_its_vertices_when_others_follow) {
  // the list of positions grows and moves, and normals take its old place
  char text[500] = SQUARE "f 1 2 3 4\nvt 0 0\n";
  for (int i = 0; i < 13; i++) {
    strcat(text, "v 7 7 7\n");
  }
  for (int i = 0; i < 16; i++) {
    strcat(text, "vn 9 9 9\n");
  }
  MeshFile* file = read_text("a.obj", text);
  assert_int_equal(file->part[0].nvert, 4);
  assert_area(&file->part[0], 0, 0, 1);
  meshfile_free(file);
}

TEST(colours_of_vertices_paint_faces_without_a_material) {
  MeshFile* file = read_with(
      "mtllib a.mtl\nv 0 0 0 1 .4 0\nv 1 0 0 0 0 1\nv 1 1 0 1\nv 0 1 0\n"
      "f 1 2 3\nf 2 3 4\nf 4 3 2\nusemtl red\nf 1 3 4\n",
      "newmtl red\nKd 1 0 0\n");
  assert_int_equal(file->npart, 4);
  assert_floats(file->material[file->part[0].material].rgba, 4, (double[]){1, .4, 0, 1});
  assert_floats(file->material[file->part[1].material].rgba, 4, (double[]){0, 0, 1, 1});
  assert_int_equal(file->part[2].material, -1);
  assert_string_equal(file->material[file->part[3].material].name, "red");
  meshfile_free(file);
}

TEST(broken_obj_is_refused_with_its_place) {
  static const struct {
    const char *text, *words;
  } cases[] = {
      {SQUARE "f 1 2 5\n", "a.obj:5: index 5 is out of range: there are 4 before it"},
      {SQUARE "f 1 2 -5\n", "index -5 is out of range"},
      {SQUARE "f 1 2 0\n", "index 0 is out of range"},
      {SQUARE "f 1 2 x\n", "a.obj:5: 'x' is no corner of a face"},
      {SQUARE "f 1/1 2/1 3/1\n", "index 1 is out of range: there are 0"},
      {"v 0 0\nf 1 1 1\n", "a.obj:1: it needs 3 numbers"},
      {"v nan 0 0\nf 1 1 1\n", "a.obj:2: position 0 is not finite"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_refused("a.obj", cases[i].text, cases[i].words);
  }
}

TEST(a_file_without_triangles_has_no_parts) {
  MeshFile* file = read_text("a.obj", SQUARE);
  assert_int_equal(file->npart, 0);
  meshfile_free(file);
}

#define FACET(a, b, c) \
  "facet normal 0 0 1\nouter loop\nvertex " a "\nVERTEX " b "\nvertex " c "\nendloop\nendfacet\n"

TEST(an_stl_text_is_welded_and_has_its_name) {
  MeshFile* file = read_text("a.stl", "solid my part\r\n" FACET("0 0 0", "1 0 0", "1 1 0")
                                          FACET("0 0 0", "1 1 0", "0 1 0") "endsolid\n");
  assert_string_equal(file->part[0].name, "my part");
  assert_int_equal(file->part[0].nvert, 4);
  assert_area(&file->part[0], 0, 0, 1);
  meshfile_free(file);
  assert_refused("a.stl", "solid a\n" FACET("0 0 0", "1 0 0", "1 inf 0"),
                 "a.stl:6: vertex 2 has no three finite numbers");
  assert_refused("a.stl", "solid a\nvertex 0 0 0\n", "ends within a triangle: it has 1 vertices");
}

// Writes a binary STL of triangles (0 0 0) (1 0 0) (0 1 0) with these last two bytes.
static size_t make_stl(unsigned char* out, const char* head, const unsigned short* bits, int n) {
  const float record[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  memset(out, 0, 84);
  memcpy(out, head, strlen(head));
  memcpy(out + 80, &n, 4);
  for (int i = 0; i < n; i++) {
    memcpy(out + 84 + 50 * i, record, 48);
    memcpy(out + 84 + 50 * i + 48, &bits[i], 2);
  }
  return 84 + 50 * (size_t)n;
}

TEST(colours_of_an_stl_are_those_of_viscam_or_of_materialise) {
  unsigned char bytes[400];
  char error[200];
  // red of VisCAM twice, and none
  size_t size = make_stl(bytes, "solid", (unsigned short[]){0x8000 | 31 << 10, 0xFC00, 0}, 3);
  MeshFile* file = meshfile_read("a.stl", bytes, size, NULL, error, sizeof(error));
  assert_that(file != NULL, ==, 1);
  assert_int_equal(file->npart, 2);
  assert_int_equal(file->part[0].nface, 2);
  assert_floats(file->material[file->part[0].material].rgba, 4, (double[]){1, 0, 0, 1});
  assert_int_equal(file->part[1].material, -1);
  meshfile_free(file);

  // Materialise: the colour of the header, and red of its own
  size = make_stl(bytes, "COLOR=\x33\x66\x99\xFF", (unsigned short[]){0x8000, 31}, 2);
  file = meshfile_read("a.stl", bytes, size, NULL, error, sizeof(error));
  assert_that(file != NULL, ==, 1);
  assert_floats(file->material[file->part[0].material].rgba, 4, (double[]){.2, .4, .6, 1});
  assert_floats(file->material[file->part[1].material].rgba, 4, (double[]){1, 0, 0, 1});
  meshfile_free(file);

  // bytes may follow, even if it begins as a text
  memcpy(bytes, "solid", 5);
  file = meshfile_read("a.stl", bytes, size + 3, NULL, error, sizeof(error));
  assert_that(file != NULL, ==, 1);
  assert_int_equal(file->part[0].nface + file->part[1].nface, 2);
  meshfile_free(file);
  bytes[0] = 'S' + 1;

  assert_refused_bytes("a.stl", bytes, size - 1, "it should have 2 triangles, but ends after 1");
  assert_refused_bytes("a.stl", bytes, 50, "too short for a binary STL: 50 bytes");
  memset(bytes + 84 + 12, 0xFF, 4);
  assert_refused_bytes("a.stl", bytes, size, "triangle 0 has a vertex that is not finite");
}

TEST(an_unknown_format_names_the_known_ones) {
  assert_refused("a.fbx", "x", "known are .dae .gltf .glb .ply .stl .obj");
  assert_refused("fbx", "x", "the format is unknown");
}
