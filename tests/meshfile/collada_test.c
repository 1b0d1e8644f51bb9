// Collada: node trees, units, axes, every kind of primitive, materials, and broken files.

#include "meshfile_files.h"

#define HEAD(asset) "<?xml version='1.0'?>\n<COLLADA version='1.4.1'>\n<asset>" asset "</asset>\n"
#define Z_UP HEAD("<up_axis>Z_UP</up_axis>")
#define TAIL "</COLLADA>"

// a square of 1 x 1 in the plane z = 0
#define SQUARE                                                                                    \
  "<source id='p'><float_array id='pa' count='12'>0 0 0 1 0 0 1 1 0 0 1 0</float_array>"          \
  "<technique_common><accessor source='#pa' count='4' stride='3'><param name='X'/>"               \
  "<param name='Y'/><param name='Z'/></accessor></technique_common></source>"                     \
  "<source id='n'><float_array id='na' count='3'>0 0 2</float_array><technique_common>"           \
  "<accessor source='#na' count='1' stride='3'/></technique_common></source>"                     \
  "<source id='t'><float_array id='ta' count='8'>0 0 1 0 1 1 0 1</float_array><technique_common>" \
  "<accessor source='#ta' count='4' stride='2'/></technique_common></source>"                     \
  "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
#define VERTEX "<input semantic='VERTEX' source='#v' offset='0'/>"
#define GEOMETRY(primitives)                                                   \
  "<library_geometries><geometry id='g' name='plate'><mesh>" SQUARE primitives \
  "</mesh></geometry>"                                                         \
  "</library_geometries>\n"
#define TRIANGLES "<triangles material='m' count='2'>" VERTEX "<p>0 1 2 0 2 3</p></triangles>"
#define SCENE(nodes)                                   \
  "<library_visual_scenes><visual_scene id='s'>" nodes \
  "</visual_scene></library_visual_scenes>"            \
  "<scene><instance_visual_scene url='#s'/></scene>\n"
#define SHOW "<instance_geometry url='#g'/>"

TEST(units_become_metres_and_axes_stay) {
  static const struct {
    const char* text;
    double area;
    char up;
  } cases[] = {
      {HEAD("<unit meter='0.1'/><up_axis>Z_UP</up_axis>") GEOMETRY(TRIANGLES) TAIL, 0.01, 'z'},
      {HEAD("<up_axis> Y_UP </up_axis>") GEOMETRY(TRIANGLES) TAIL, 1, 'y'},
      {HEAD("") GEOMETRY(TRIANGLES) TAIL, 1, 'y'},
      {HEAD("<up_axis>X_UP</up_axis>") GEOMETRY(TRIANGLES) TAIL, 1, 'x'},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    MeshFile* file = read_text("a.dae", cases[i].text);
    assert_int_equal(file->npart, 1);
    assert_int_equal(file->up, cases[i].up);
    assert_string_equal(file->part[0].name, "plate");
    assert_area(&file->part[0], 0, 0, cases[i].area);
    meshfile_free(file);
  }
}

TEST(each_kind_of_primitive_covers_the_square) {
  static const char* const texts[] = {
      Z_UP GEOMETRY(TRIANGLES) TAIL,
      Z_UP GEOMETRY("<polylist>" VERTEX "<vcount>4</vcount><p>0 1 2 3</p></polylist>") TAIL,
      Z_UP GEOMETRY("<polylist>" VERTEX "<vcount>3 <!-- and --> 3</vcount><p>0 1 2 0 2 3</p>"
                    "</polylist>") TAIL,
      Z_UP GEOMETRY("<polygons>" VERTEX "<p>0 1 2</p><p>0 2 3</p></polygons>") TAIL,
      Z_UP GEOMETRY("<polygons>" VERTEX "<ph><p>0 1 2 3</p><h>0 1 2</h></ph></polygons>") TAIL,
      Z_UP GEOMETRY("<trifans>" VERTEX "<p>0 1 2 3</p></trifans>") TAIL,
      Z_UP GEOMETRY("<tristrips>" VERTEX "<p>0 1 3 2</p></tristrips>") TAIL,
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    MeshFile* file = read_text("a.dae", texts[i]);
    assert_int_equal(file->part[0].nvert, 4);
    assert_int_equal(file->part[0].nface, 2);
    assert_area(&file->part[0], 0, 0, 1);
    meshfile_free(file);
  }
}

TEST(a_concave_polygon_is_cut_inside_its_border) {
  // an arrow: the fan of its first corner would cover what is outside
  MeshFile* file = read_text(
      "a.dae", Z_UP
      "<library_geometries><geometry id='g'><mesh><source id='p'><float_array>-1 0 0 0 1 0 1 0 0 "
      "0 .5 0</float_array></source><vertices id='v'><input semantic='POSITION' source='#p'/>"
      "</vertices><polygons>" VERTEX
      "<p>0 3 2 1</p></polygons></mesh></geometry>"
      "</library_geometries>" TAIL);
  const MeshPart* part = &file->part[0];
  assert_int_equal(part->nface, 2);
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    double area[3];
    MeshPart one = *part;
    one.face = part->face + 3 * i;
    one.nface = 1;
    part_area(area, &one);
    sum += fabs(area[2]);
  }
  assert_near(sum, 0.5, 1e-6);
  meshfile_free(file);
}

TEST(transformations_apply_from_the_last_to_the_first) {
  static const struct {
    const char* node;
    double first[3], area[3];  // place of the corner (1, 0, 0)
  } cases[] = {
      {"<translate>1 2 3</translate><rotate>0 0 2 90</rotate><scale>2 3 1</scale>",
       {1, 4, 3},
       {0, 0, 6}},
      {"<scale>2 3 1</scale><translate>1 2 3</translate>", {4, 6, 3}, {0, 0, 6}},
      {"<matrix>0 0 1 5 1 0 0 6 0 1 0 7 0 0 0 1</matrix>", {5, 7, 7}, {1, 0, 0}},
      {"<lookat>0 0 0 0 0 -1 0 1 0</lookat>", {1, 0, 0}, {0, 0, 1}},
      {"<skew>45 0 1 0 1 0 0</skew>", {1, 0, 0}, {0, 0, 1}},
      {"<skew>45 1 0 0 0 0 1</skew>", {1, 0, 1}, {-1, 0, 1}},
      // a mirror shows the same side
      {"<scale>-1 1 1</scale>", {-1, 0, 0}, {0, 0, 1}},
      {"<scale>1 1 -1</scale>", {1, 0, 0}, {0, 0, -1}},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[4000];
    snprintf(text, sizeof(text), "%s%s%s</node>%s",
             Z_UP GEOMETRY(TRIANGLES) "<library_visual_scenes><visual_scene id='s'><node>",
             cases[i].node, SHOW,
             "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/>"
             "</scene>" TAIL);
    MeshFile* file = read_text("a.dae", text);
    assert_floats(file->part[0].vert + 3, 3, cases[i].first);
    assert_area(&file->part[0], cases[i].area[0], cases[i].area[1], cases[i].area[2]);
    meshfile_free(file);
  }
}

TEST(the_scene_that_is_shown_is_read_or_else_the_first) {
  static const char* const links[] = {"#s2", "#none"};
  for (int i = 0; i < 2; i++) {
    char text[4000];
    snprintf(text, sizeof(text),
             Z_UP GEOMETRY(TRIANGLES) "<library_visual_scenes><visual_scene id='s1'><node>" SHOW
                                      "</node></visual_scene><visual_scene id='s2'><node>"
                                      "<scale>2 2 2</scale>" SHOW
                                      "</node></visual_scene></library_visual_scenes><scene>"
                                      "<instance_visual_scene url='%s'/></scene>" TAIL,
             links[i]);
    MeshFile* file = read_text("a.dae", text);
    assert_int_equal(file->npart, 1);
    assert_area(&file->part[0], 0, 0, i == 0 ? 4 : 1);
    meshfile_free(file);
  }
}

TEST(nodes_nest_and_are_instanced) {
  MeshFile* file = read_text(
      "a.dae",
      Z_UP GEOMETRY(TRIANGLES)
          SCENE("<node><translate>1 0 0</translate><node name='inner'><translate>0 1 0"
"</translate>" SHOW
                "</node><instance_node url='#lib'/></node>") 
          "<library_nodes><node id='lib'><translate>0 0 1</translate>" SHOW "</node>"
"</library_nodes>" TAIL);
  assert_int_equal(file->npart, 2);
  assert_floats(file->part[0].vert, 3, (double[]){1, 1, 0});
  assert_floats(file->part[1].vert, 3, (double[]){1, 0, 1});
  meshfile_free(file);
}

TEST(a_skin_shows_its_geometry_as_it_was_bound) {
  MeshFile* file = read_text(
      "a.dae", Z_UP GEOMETRY(TRIANGLES) "<library_controllers><controller id='c'><skin source='#g'>"
                                        "<bind_shape_matrix>1 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1"
                                        "</bind_shape_matrix></skin></controller>"
                                        "</library_controllers>"
          SCENE("<node><scale>2 2 2</scale><instance_controller url='#c'/></node>") TAIL);
  assert_floats(file->part[0].vert, 3, (double[]){2, 4, 6});
  meshfile_free(file);
}

TEST(corners_with_separate_indices_become_vertices) {
  // one normal for all, and corner 1 with two texture coordinates
  MeshFile* file = read_text(
      "a.dae", Z_UP GEOMETRY("<triangles count='2'>" VERTEX
                             "<input semantic='NORMAL' source='#n' offset='2'/>"
                             "<input semantic='TEXCOORD' source='#t' offset='1' set='0'/>"
                             "<p>0 0 0 1 1 0 2 2 0  1 3 0 2 2 0 3 3 0</p></triangles>") TAIL);
  const MeshPart* part = &file->part[0];
  assert_int_equal(part->nvert, 5);
  assert_floats(part->normal + 3 * 4, 3, (double[]){0, 0, 1});
  assert_floats(part->texcoord + 2 * 1, 2, (double[]){1, 0});
  assert_floats(part->texcoord + 2 * part->face[3], 2, (double[]){0, 1});
  meshfile_free(file);
}

TEST(ids_that_geometries_share_are_those_of_their_own) {
  MeshFile* file = read_text(
      "a.dae", Z_UP
      "<library_geometries><geometry id='g'><mesh>" SQUARE TRIANGLES
      "</mesh></geometry><geometry id='h'><mesh><source id='p'><float_array id='pa'>0 0 0 2 0 0 "
      "2 2 0 0 2 0</float_array></source><vertices id='v'><input semantic='POSITION' "
      "source='#p'/></vertices>" TRIANGLES "</mesh></geometry></library_geometries>" TAIL);
  assert_int_equal(file->npart, 2);
  assert_area(&file->part[0], 0, 0, 1);
  assert_area(&file->part[1], 0, 0, 4);
  meshfile_free(file);
}

#define EFFECT(params, shader)                                                              \
  "<library_materials><material id='red' name='Red'><instance_effect url='#e'/></material>" \
  "</library_materials><library_effects><effect id='e'><profile_COMMON>" params             \
  "<technique sid='c'>" shader                                                              \
  "</technique></profile_COMMON></effect></library_effects>"                                \
  "<library_images><image id='i'><init_from>a%20b&amp;c.png</init_from></image></library_images>"
#define BOUND                                                                            \
  SCENE(                                                                                 \
      "<node><instance_geometry url='#g'><bind_material><technique_common>"              \
      "<instance_material symbol='m' target='#red'/></technique_common></bind_material>" \
      "</instance_geometry></node>")
#define TRANSPARENT(mode, color, number)                                          \
  "<lambert><diffuse><color>1 .5 0 1</color></diffuse><transparent opaque='" mode \
  "'><color>" color "</color></transparent><transparency><float>" number          \
  "</float></transparency></lambert>"

TEST(colours_and_opacities_are_those_of_the_effect) {
  static const struct {
    const char* text;
    double alpha;
  } cases[] = {
      {Z_UP GEOMETRY(TRIANGLES)
           EFFECT("", "<phong><diffuse><color>1 .5 0 1</color></diffuse></phong>") BOUND TAIL,
       1},
      {Z_UP GEOMETRY(TRIANGLES) EFFECT("",
                                       "<constant><emission><color>1 .5 0 1</color></emission>"
                                       "</constant>") BOUND TAIL,
       1},
      {Z_UP GEOMETRY(TRIANGLES) EFFECT("", TRANSPARENT("A_ONE", "1 1 1 1", ".25")) BOUND TAIL, .25},
      {Z_UP GEOMETRY(TRIANGLES) EFFECT("", TRANSPARENT("A_ZERO", "1 1 1 1", ".25")) BOUND TAIL,
       .75},
      {Z_UP GEOMETRY(TRIANGLES) EFFECT("", TRANSPARENT("RGB_ZERO", ".5 .5 .5 1", ".5")) BOUND TAIL,
       .75},
      {Z_UP GEOMETRY(TRIANGLES) EFFECT("", TRANSPARENT("RGB_ONE", ".5 .5 .5 1", ".5")) BOUND TAIL,
       .25},
      // invisible means that the exporter meant the opposite
      {Z_UP GEOMETRY(TRIANGLES) EFFECT("", TRANSPARENT("A_ONE", "1 1 1 1", "0")) BOUND TAIL, 1},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    MeshFile* file = read_text("a.dae", cases[i].text);
    assert_int_equal(file->nmaterial, 1);
    assert_int_equal(file->part[0].material, 0);
    assert_string_equal(file->material[0].name, "Red");
    assert_int_equal(file->material[0].has_color, 1);
    assert_floats(file->material[0].rgba, 4, (double[]){1, .5, 0, cases[i].alpha});
    meshfile_free(file);
  }
}

TEST(texts_in_other_encodings_are_read) {
  MeshFile* file = read_text(
      "a.dae",
      "\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8'?><COLLADA>" GEOMETRY(TRIANGLES) TAIL);
  meshfile_free(file);
  file = read_text("a.dae",
                   "<?xml version='1.0' encoding='windows-1252'?><COLLADA><asset><author>"
                   "M\xFCller</author></asset>" GEOMETRY(TRIANGLES) TAIL);
  assert_area(&file->part[0], 0, 0, 1);
  meshfile_free(file);
}

TEST(a_texture_is_found_through_sampler_and_surface) {
  static const char* const texts[] = {
      Z_UP GEOMETRY(TRIANGLES) EFFECT(
          "<newparam sid='su'><surface type='2D'><init_from>i</init_from></surface></newparam>"
          "<newparam sid='sa'><sampler2D><source>su</source></sampler2D></newparam>",
          "<blinn><diffuse><texture texture='sa' texcoord='u'/></diffuse></blinn>") BOUND TAIL,
      Z_UP GEOMETRY(TRIANGLES)
          EFFECT("<newparam sid='sa'><sampler2D><instance_image url='#i'/></sampler2D></newparam>",
                 "<blinn><diffuse><texture texture='sa'/></diffuse></blinn>") BOUND TAIL,
      Z_UP GEOMETRY(TRIANGLES)
          EFFECT("", "<blinn><diffuse><texture texture='i'/></diffuse></blinn>") BOUND TAIL,
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    MeshFile* file = read_text("a.dae", texts[i]);
    assert_string_equal(file->material[0].texture, "a b&c.png");
    assert_int_equal(file->material[0].has_color, 0);
    meshfile_free(file);
  }
}

TEST(broken_collada_is_refused_with_its_place) {
  static const struct {
    const char *text, *words;
  } cases[] = {
      {"", "a.dae: the file is empty"},
      {"<mesh/>", "the root is <mesh>, not <COLLADA>"},
      {"<COLLADA>\n<asset>\n</COLLADA>", "a.dae:3: XML parse error: mismatched tag"},
      {Z_UP GEOMETRY("<triangles>" VERTEX "<p>0 1 4</p></triangles>") TAIL,
       "a.dae:4: index 4 of a position is out of range: there are 4"},
      {Z_UP GEOMETRY("<triangles>" VERTEX "<p>0 1 -1</p></triangles>") TAIL,
       "index -1 of a position"},
      {Z_UP GEOMETRY("<triangles>" VERTEX "<p>0 1 2 0</p></triangles>") TAIL,
       "the indices end within a triangle"},
      {Z_UP GEOMETRY("<triangles>" VERTEX "<p>0 1 two</p></triangles>") TAIL,
       "'two' isn't a corner of 1 indices"},
      {Z_UP GEOMETRY("<polylist>" VERTEX "<vcount>999999999</vcount><p>0 1 2</p></polylist>") TAIL,
       "a polygon of 999999999 corners, but <p> ends"},
      {Z_UP GEOMETRY("<triangles><p>0 1 2</p></triangles>") TAIL, "no input gives positions"},
      {Z_UP GEOMETRY(TRIANGLES) SCENE("<node><scale>1 2</scale></node>") TAIL,
       "a.dae:5: <scale> needs 3 numbers, not 2"},
      {Z_UP GEOMETRY(TRIANGLES) SCENE("<node><instance_geometry url='#h'/></node>") TAIL,
       "url='#h' refers to no <geometry>"},
      {Z_UP GEOMETRY(TRIANGLES) SCENE("<node id='x'><instance_node url='#x'/></node>") TAIL,
       "nested too deeply, or contain themselves"},
      {Z_UP GEOMETRY(TRIANGLES) SCENE(
           "<node><matrix>1e38 0 0 0 0 1e38 0 0 0 0 1 0 0 0 0 1</matrix><scale>1e9 1 1</scale>" SHOW
           "</node>") TAIL,
       "vertex 1 of 'plate' is not finite"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    assert_refused("a.dae", cases[i].text, cases[i].words);
  }
  assert_refused("a.dae",
                 Z_UP
                 "<library_geometries><geometry id='g'><mesh><source id='p'><float_array>\n"
                 "0 0 0 1 nan 0 1 1 0</float_array></source><vertices id='v'><input "
                 "semantic='POSITION' source='#p'/></vertices><triangles>" VERTEX
                 "<p>0 1 2</p></triangles></mesh></geometry></library_geometries>" TAIL,
                 "position 1 is not finite: 1 nan 0");
}

TEST(instances_of_instances_end_in_an_error_not_in_all_memory) {
  // each node shows the next one ten times: 10^30 squares
  enum {
    LEVELS = 30,
    TIMES = 10
  };
  static char text[40000];
  int n = snprintf(text, sizeof(text), "%s<library_nodes>", Z_UP GEOMETRY(TRIANGLES));
  for (int i = 0; i < LEVELS; i++) {
    n += snprintf(text + n, sizeof(text) - (size_t)n, "<node id='n%d'>", i);
    for (int k = 0; k < TIMES; k++) {
      n += snprintf(text + n, sizeof(text) - (size_t)n, "<instance_node url='#n%d'/>", i + 1);
    }
    n += snprintf(text + n, sizeof(text) - (size_t)n, "</node>");
  }
  snprintf(text + n, sizeof(text) - (size_t)n, "<node id='n%d'>%s</node></library_nodes>%s%s",
           LEVELS, SHOW, SCENE("<node><instance_node url='#n0'/></node>"), TAIL);
  assert_refused("a.dae", text, "too many");
}
