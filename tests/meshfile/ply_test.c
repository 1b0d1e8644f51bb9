// PLY: the three encodings, types of numbers, colours, polygons and strips, and broken files.

#include "meshfile_files.h"

#define VERTICES                                                                      \
  "comment a square\nelement vertex 4\nproperty float x\nproperty float y\nproperty " \
  "float z\n"
#define FACES "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define SQUARE "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"

TEST(an_ascii_square_becomes_two_triangles) {
  MeshFile* file =
      read_text("a.ply", "ply\nformat ascii 1.0\n" VERTICES FACES SQUARE "4 0 1 2 3\n");
  assert_int_equal(file->npart, 1);
  assert_int_equal(file->nmaterial, 0);
  assert_int_equal(file->part[0].nface, 2);
  assert_that(file->part[0].normal == NULL, ==, 1);
  assert_area(&file->part[0], 0, 0, 1);
  meshfile_free(file);
}

// Appends a number of some bytes, the lowest or the highest first.
static void append(char* out, size_t* size, const void* number, size_t bytes, int is_big) {
  const char* from = number;
  for (size_t i = 0; i < bytes; i++) {
    out[(*size)++] = from[is_big ? bytes - 1 - i : i];
  }
}

TEST(binary_numbers_have_either_order_of_bytes_and_any_type) {
  for (int is_big = 0; is_big < 2; is_big++) {
    char bytes[1000], error[200];
    size_t size = (size_t)snprintf(
        bytes, sizeof(bytes),
        "ply\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty double x\nproperty short "
        "y\nproperty float z\nproperty uchar confidence\nelement other 1\nproperty list ushort "
        "double w\nelement face 1\nproperty int flag\nproperty list uint ushort "
        "vertex_index\nend_header\n",
        is_big ? "big" : "little");
    for (int i = 0; i < 3; i++) {
      double x = i == 1 ? 2 : 0;
      short y = (short)(i == 2 ? -1 : 0);
      float z = 0.5f;
      append(bytes, &size, &x, 8, is_big);
      append(bytes, &size, &y, 2, is_big);
      append(bytes, &size, &z, 4, is_big);
      bytes[size++] = 7;
    }
    unsigned short one = 1;
    double w = 3;
    int flag = 9;
    unsigned count = 3;
    append(bytes, &size, &one, 2, is_big);
    append(bytes, &size, &w, 8, is_big);
    append(bytes, &size, &flag, 4, is_big);
    append(bytes, &size, &count, 4, is_big);
    for (unsigned short i = 0; i < 3; i++) {
      append(bytes, &size, &i, 2, is_big);
    }
    MeshFile* file = meshfile_read("a.ply", bytes, size, NULL, error, sizeof(error));
    assert_that(file != NULL, ==, 1);
    assert_floats(file->part[0].vert, 9, (double[]){0, 0, .5, 2, 0, .5, 0, -1, .5});
    meshfile_free(file);
    assert_refused_bytes("a.ply", bytes, size - 1, "the file ends too early");
  }
}

TEST(normals_texture_coordinates_and_the_texture_are_read) {
  MeshFile* file = read_text(
      "a.ply",
      "ply\nformat ascii 1.0\ncomment TextureFile skin one.png\nelement vertex 3\nproperty float "
      "nx\nproperty float ny\nproperty float nz\nproperty float x\nproperty float y\nproperty "
      "float "
      "z\nproperty float s\nproperty float t\n" FACES
      "0 0 2 0 0 0 .5 .25\n0 0 0 1 0 0 1 0\n0 0 1 0 1 0 0 1\n3 0 1 2\n");
  assert_floats(file->part[0].normal, 6, (double[]){0, 0, 1, 0, 0, 1});
  assert_floats(file->part[0].texcoord, 2, (double[]){.5, .25});
  assert_string_equal(file->material[file->part[0].material].texture, "skin one.png");
  meshfile_free(file);
}

TEST(faces_of_each_colour_become_a_part) {
  MeshFile* file = read_text(
      "a.ply", "ply\nformat ascii 1.0\n" VERTICES
               "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face "
               "3\nproperty list uchar int vertex_indices\nend_header\n0 0 0 255 0 0\n1 0 0 255 0 "
               "0\n1 1 0 0 255 0\n0 1 0 0 0 255\n3 0 1 2\n3 2 3 0\n3 1 2 3\n");
  assert_int_equal(file->npart, 2);
  assert_int_equal(file->part[0].nface, 2);
  assert_area(&file->part[1], 0, 0, 0.5);
  assert_floats(file->material[file->part[0].material].rgba, 4, (double[]){1, 0, 0, 1});
  assert_floats(file->material[file->part[1].material].rgba, 4, (double[]){0, 1, 0, 1});
  meshfile_free(file);
}

TEST(very_many_colours_become_their_mean) {
  static char text[20000];
  int n = snprintf(text, sizeof(text),
                   "ply\nformat ascii 1.0\n" VERTICES
                   "element face 200\nproperty list uchar int vertex_indices\nproperty float "
                   "red\nproperty float green\nproperty float blue\nend_header\n" SQUARE);
  for (int i = 0; i < 200; i++) {
    n += snprintf(text + n, sizeof(text) - (size_t)n, "3 0 1 2 %g 1 0\n", i / 199.0);
  }
  MeshFile* file = read_text("a.ply", text);
  assert_int_equal(file->npart, 1);
  assert_int_equal(file->part[0].nface, 200);
  assert_near((double)file->material[0].rgba[0], 0.5, 0.01);
  assert_floats(file->material[0].rgba + 1, 3, (double[]){1, 0, 1});
  meshfile_free(file);
}

TEST(strips_begin_anew_behind_minus_one) {
  MeshFile* file = read_text("a.ply", "ply\nformat ascii 1.0\n" VERTICES
                                      "element tristrips 1\nproperty list int int vertex_indices\n"
                                      "end_header\n" SQUARE "8 0 1 3 2 -1 0 1 2\n");
  assert_int_equal(file->part[0].nface, 3);
  assert_area(&file->part[0], 0, 0, 1.5);
  meshfile_free(file);
}

TEST(broken_ply_is_refused_with_its_place) {
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"solid", "it doesn't begin with 'ply'"},
      {"ply\nformat ascii 1.0\n", "the header has no end"},
      {"ply\nformat octal 1.0\n", "a.ply:2: the format 'octal' is unknown"},
      {"ply\nformat ascii 1.0\nelement vertex 2000000000\n", "a.ply:3: element 'vertex'"},
      {"ply\nformat ascii 1.0\nelement vertex -1\n", "a count that the file can't hold"},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\n",
       "property 'x' has an unknown type"},
      {"ply\nformat ascii 1.0\n" FACES "3 0 1 2\n", "the faces stand before the vertices"},
      {"ply\nformat ascii 1.0\n" VERTICES FACES SQUARE "3 0 1 4\n",
       "a.ply:15: index 4 of a position is out of range"},
      {"ply\nformat ascii 1.0\n" VERTICES FACES "0 0 0\n1 0 zero\n", "'zero' is not a number"},
      {"ply\nformat ascii 1.0\n" VERTICES FACES SQUARE "900 0 1 2\n", "a list has 900 values"},
      {"ply\nformat ascii 1.0\n" VERTICES FACES SQUARE "3 0 1\n", "the file ends too early"},
      {"ply\nformat ascii 1.0\n" VERTICES FACES "nan 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n",
       "position 0 is not finite: nan 0 0"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_refused("a.ply", cases[i].text, cases[i].words);
  }
}
