// Scales of frames: arrays of models against numbers recorded from 4.0.0, motion that stays the
// same in other units, and what can't be scaled.

#include "compile/scale/scale.h"

#include <condyle/condyle.h>
#include <unistd.h>

#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"
#include "support/windows.h"

static double element(const cndArray* array, size_t i) {
  const char* type = array->field->type;
  return !strcmp(type, "mjtNum")  ? (double)((const mjtNum*)array->data)[i]
         : !strcmp(type, "float") ? (double)((const float*)array->data)[i]
                                  : (double)((const int*)array->data)[i];
}

// One recorded array, compared with ours of the same name. Returns 1 if they differ.
static int array_differs(const mjModel* m, const char* name, const double* expected, size_t n) {
  cndArray array;
  if (!cnd_modelArray(&array, m, name)) {
    print_error("  there is no array '%s'\n", name);
    return 1;
  }
  size_t have = array.rows * array.columns;
  if (have != n) {
    print_error("  %s has %zu numbers, recorded are %zu\n", name, have, n);
    return 1;
  }
  double* ours = malloc((n + 1) * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    ours[i] = element(&array, i);
  }
  // frames of meshes were found in another precision
  int single = !strcmp(array.field->type, "float") || !strncmp(name, "geom_", 5) ||
               !strncmp(name, "mesh_", 5);
  int differ = n && numbers_differ(name, ours, expected, n, single ? 1e-6 : 1e-9, 1e-3);
  free(ours);
  return differ;
}

// Compares all arrays recorded for a model.
static void compare(const char* model) {
  DOUBLE_ONLY();
  const mjModel* m = test_model_file("tests/models/since/%s.xml", model);
  FILE* file = fopen(CONDYLE_SOURCE_DIR "/tests/reference/since/numbers.txt", "r");
  assert_non_null(file);
  char *line = NULL, name[100];
  size_t room = 0, prefix = strlen(model);
  int differ = 0, lines = 0;
  while (getline(&line, &room, file) > 0) {
    size_t n;
    int length = 0;
    if (strncmp(line, model, prefix) || line[prefix] != '_' ||
        sscanf(line + prefix + 1, "%99s %zu%n", name, &n, &length) != 2) {
      continue;
    }
    double* expected = malloc((n + 1) * sizeof(double));
    char* end = line + prefix + 1 + length;
    for (size_t i = 0; i < n; i++) {
      expected[i] = strtod(end, &end);
    }
    differ += array_differs(m, name, expected, n);
    lines++;
    free(expected);
  }
  free(line);
  fclose(file);
  assert_that(lines, >, 70);
  assert_int_equal(differ, 0);
}

TEST(one_scale_gives_the_recorded_arrays) {
  compare("scaled");
}

TEST(three_scales_give_the_recorded_arrays) {
  compare("stretched");
}

// Motion

#define CHAIN                                                                                    \
  "<body pos='0 0 1'><joint name='h' axis='0 1 0' stiffness='2 1' damping='.1' armature='.01'/>" \
  "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.05'/><body pos='.5 0 0'>"                   \
  "<joint name='s' type='slide' axis='1 0 0' stiffness='20' damping='.3'/><geom size='.1'/>"     \
  "</body></body>"

// qpos after 200 steps of a chain in a frame.
static void run(mjtNum qpos[2], const char* frame, double gravity, double ctrl) {
  char xml[1200];
  snprintf(xml, sizeof(xml),
           "<mujoco><option timestep='.005' gravity='0 0 %g'/><worldbody><frame %s>" CHAIN
           "</frame></worldbody><actuator><position joint='s' kp='10' kv='1'/></actuator></mujoco>",
           gravity, frame);
  const mjModel* m = test_model(xml);
  mjData* d = test_data(m);
  d->ctrl[0] = ctrl;
  for (int i = 0; i < 200; i++) {
    mj_step(m, d);
  }
  mju_copy(qpos, d->qpos, 2);
}

TEST(a_similar_scale_moves_alike_in_scaled_gravity) {
  mjtNum plain[2], similar[2], geometry[2];
  run(plain, "", -9.81, .1);
  run(similar, "scale='2' massscale='3'", -19.62, .2);
  run(geometry, "scale='2' scaling='geometry'", -9.81, .2);
  assert_close(plain, ((mjtNum[]){1.62581673455, 2.85096457688}), 2, 1e-10);
  assert_close(similar, ((mjtNum[]){1.62581673455, 5.70192915376}), 2, 1e-10);
  assert_close(geometry, ((mjtNum[]){1.50099554543, 4.46362237689}), 2, 1e-10);
}

// Instances of assets

#define TETRAHEDRON "<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
#define MESH "<geom type='mesh' mesh='m'/>"

static const mjModel* with_meshes(const char* content) {
  char xml[1200];
  snprintf(xml, sizeof(xml),
           "<mujoco><asset>" TETRAHEDRON
           "<mesh name='n' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>%s</worldbody>"
           "</mujoco>",
           content);
  return test_model(xml);
}

TEST(the_first_use_of_a_mesh_keeps_its_name) {
  const mjModel* m = with_meshes("<frame scale='2'>" MESH "</frame><frame scale='3'>" MESH
                                 "</frame>" MESH "<frame scale='2'>" MESH "</frame>");
  assert_int_equal(m->nmesh, 4);
  assert_string_equal(mj_id2name(m, mjOBJ_MESH, 2), "m@1");
  assert_string_equal(mj_id2name(m, mjOBJ_MESH, 3), "m@2");
  assert_int_equal(m->geom_dataid[0], 0);
  assert_int_equal(m->geom_dataid[1], 2);
  assert_int_equal(m->geom_dataid[2], 3);
  assert_int_equal(m->geom_dataid[3], 0);
  assert_near(m->mesh_scale[0], 2, 0);
  assert_near(m->mesh_scale[6], 3, 0);
  assert_near(m->mesh_scale[9], 1, 0);
}

TEST(a_mesh_is_stretched_along_axes_that_are_not_its_own) {
  const mjModel* m = with_meshes(
      "<frame scale='1 2 3' scaling='geometry'><frame euler='0 0 30'>" MESH "</frame></frame>");
  static const double vert[] = {-5.3690928e-01, -7.3481411e-01, -4.5733622e-01, 6.7022699e-01,
                                -3.4554219e-01, -8.3322090e-01, -1.8382351e-01, 9.2818564e-01,
                                -1.0571382e+00, 5.0505802e-02,  1.5217067e-01,  2.3476954e+00};
  assert_numbers(m->mesh_vert, vert, 12, 1e-6, 1);
  assert_numbers(m->mesh_pos, ((double[]){0.42075318, 0.54575318, 0.75}), 3, 1e-7, 1);
  assert_numbers(m->geom_pos, ((double[]){0.0915063509461097, 0.6830127018922193, 0.75}), 3,
                 last_digits(), 1);
}

// What a spec says stays

TEST(a_spec_keeps_what_is_written_and_is_scaled_again) {
  mjSpec* s = test_spec(
      "<mujoco><worldbody><frame name='f' scale='2'><body name='b' pos='1 0 0'>"
      "<freejoint/><geom name='g' size='.1'/></body></frame></worldbody></mujoco>");
  const mjModel* m = test_compile(s);
  mjsBody* body = mjs_findBody(s, "b");
  assert_near(m->body_pos[3], 2, 0);
  assert_near(m->geom_size[0], (mjtNum).2, 0);
  assert_near(body->pos[0], 1, 0);
  assert_int_equal(mjs_getId(body->element), 1);
  mjsFrame* frame = mjs_findFrame(s, "f");
  frame->scale[0] = frame->scale[1] = frame->scale[2] = 3;
  assert_near(test_compile(s)->geom_size[0], .1 * 3, 1e-15);
  frame->scale[0] = frame->scale[1] = frame->scale[2] = 1;
  assert_near(test_compile(s)->geom_size[0], (mjtNum).1, 0);
}

TEST(a_scaled_model_is_written_as_it_was_compiled) {
  const char* xml =
      "<mujoco><worldbody><frame scale='2'><body name='b' pos='1 0 0'><freejoint/>"
      "<geom name='g' size='.1'/></body></frame></worldbody></mujoco>";
  mjSpec* s = test_spec(xml);
  const mjModel* m = test_compile(s);
  char text[4000], error[200] = "";
  assert_int_equal(mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)), 0);
  assert_null(strstr(text, "scale="));
  const mjModel* again = test_model(text);
  assert_near(again->body_mass[1], m->body_mass[1], 1e-12);
  assert_near(again->body_pos[3], 2, 0);
}

// What can't be scaled

#define STRETCHED(content) "<frame scale='2 3 4' scaling='geometry'>" content "</frame>"

TEST(what_cannot_be_scaled_is_an_error_with_its_place) {
  static const struct {
    const char *content, *error;
  } cases[] = {
      {"<frame scale='1 2 3'/>", "an anisotropic frame scale requires scaling 'geometry'"},
      {"<frame scale='2 1'/>", "attribute 'scale' must have 1 or 3 values"},
      {"<frame scale='-2'/>", "frame scale must be finite and positive"},
      {"<frame scale='2' massscale='-1'/>", "frame massscale must be finite and non-negative"},
      {STRETCHED("<geom size='.1'/>"), "a sphere can only be scaled uniformly"},
      {STRETCHED("<geom type='box' size='1 1 1' euler='0 0 30'/>"),
       "this shape is not aligned with the axes of the scale"},
      {STRETCHED("<geom type='capsule' size='1 1'/>"),
       "this shape can only be scaled equally across its axis"},
      {STRETCHED("<geom type='capsule' size='.1' fromto='0 0 0 0 1 1'/>"),
       "the axis of this shape is not aligned with the axes of the scale"},
      {STRETCHED("<body><joint axis='1 1 0'/><geom type='box' size='1 1 1'/></body>"),
       "the axis of this joint is not aligned with the axes of the scale"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char xml[600], error[500] = "";
    snprintf(xml, sizeof(xml), "<mujoco><worldbody>\n%s</worldbody></mujoco>", cases[i].content);
    mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
    mjModel* m = s ? mj_compile(s, NULL) : NULL;
    assert_null(m);
    const char* message = s ? mjs_getError(s) : error;
    if (!strstr(message, cases[i].error)) {
      fail_msg("'%s' instead of '%s'", message, cases[i].error);
    }
    if (!strstr(message, "line 2") && strncmp(message, "2:", 2)) {
      fail_msg("no line in '%s'", message);
    }
    mj_deleteSpec(s);
  }
}

TEST(shapes_may_lie_two_degrees_off_the_axes_of_their_scale) {
  const mjModel* m = test_model(
      "<mujoco><worldbody><frame scale='1 2 3' scaling='geometry'>"
      "<geom type='box' size='1 1 1' euler='0 0 1'/></frame></worldbody></mujoco>");
  assert_close(m->geom_size, ((mjtNum[]){1.0004567754137892, 1.9997715470844772, 3}), 3, 1e-12);
}

TEST(parameters_of_users_are_scaled_by_geometry_alone) {
  const char* format =
      "<mujoco><worldbody><frame scale='2' %s><body><joint name='j'/><geom size='1'/></body>"
      "</frame></worldbody><actuator><general joint='j' gaintype='user'/></actuator></mujoco>";
  char xml[600];
  snprintf(xml, sizeof(xml), format, "");
  mjSpec* s = test_spec(xml);
  assert_null(mj_compile(s, NULL));
  assert_non_null(strstr(mjs_getError(s), "the parameters of this actuator cannot be scaled"));
  snprintf(xml, sizeof(xml), format, "scaling='geometry'");
  test_model(xml);
}

// Skins

// Writes a skin of two triangles on bodies a and b.
static void write_skin(const char* path) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  const int count[4] = {4, 0, 2, 2}, face[6] = {0, 1, 2, 0, 2, 3}, two = 2;
  const float vert[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, weight[2] = {1, 1};
  fwrite(count, sizeof(count), 1, file);
  fwrite(vert, sizeof(vert), 1, file);
  fwrite(face, sizeof(face), 1, file);
  for (int i = 0; i < 2; i++) {
    char body[40] = {(char)('a' + i)};
    const float pos[3] = {(float)i, 0, 0}, quat[4] = {1, 0, 0, 0};
    const int ids[2] = {2 * i, 2 * i + 1};
    fwrite(body, sizeof(body), 1, file);
    fwrite(pos, sizeof(pos), 1, file);
    fwrite(quat, sizeof(quat), 1, file);
    fwrite(&two, sizeof(two), 1, file);
    fwrite(ids, sizeof(ids), 1, file);
    fwrite(weight, sizeof(weight), 1, file);
  }
  fclose(file);
}

TEST(a_skin_in_a_file_is_scaled_with_its_bones) {
  char path[100], xml[900];
  snprintf(path, sizeof(path), "/tmp/scale_test_%d.skn", (int)getpid());
  write_skin(path);
  for (int scaled = 0; scaled < 2; scaled++) {
    snprintf(xml, sizeof(xml),
             "<mujoco><worldbody><frame scale='%d'><body name='a'><geom size='.1'/></body>"
             "<body name='b' pos='1 0 0'><geom size='.1'/></body></frame><frame scale='3'><body "
             "pos='9 0 0'><geom size='.1'/></body></frame></worldbody><asset>"
             "<skin name='s' file='%s' inflate='.01'/></asset></mujoco>",
             1 + scaled, path);
    const mjModel* m = test_model(xml);
    mjtNum by = (mjtNum)(1 + scaled);
    assert_int_equal(m->nskinvert, 4);
    assert_near(m->skin_vert[3], by, 1e-6);
    assert_near(m->skin_bonebindpos[3], by, 1e-6);
    assert_near(m->skin_inflate[0], (mjtNum)0.01 * by, 1e-6);
  }
  remove(path);
}
