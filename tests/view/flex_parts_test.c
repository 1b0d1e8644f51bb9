// Flexes in scenes: rods with box sections, and elements with their own materials. Numbers and
// orders of release 4.0.0.

#include <mujoco/mujoco.h>
#include <string.h>

#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

typedef struct Stage_ {
  mjModel* m;
  mjData* d;
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
} Stage;

static Stage stage_of(mjModel* m) {
  Stage s = {.m = m, .d = test_data(m)};
  mjv_defaultScene(&s.scene);
  mjv_makeScene(m, &s.scene, 100);
  mjv_defaultOption(&s.option);
  mjv_defaultFreeCamera(m, &s.camera);
  return s;
}

static void update(Stage* s) {
  mj_forward(s->m, s->d);
  mjv_updateScene(s->m, s->d, &s->option, NULL, &s->camera, mjCAT_ALL, &s->scene);
}

// The shapes of flexes in the scene; returns how many.
static int flex_shapes(const mjvGeom* out[20], const mjvScene* scene) {
  int n = 0;
  for (int i = 0; i < scene->ngeom && n < 20; i++) {
    if (scene->geoms[i].type == mjGEOM_FLEX) {
      out[n++] = scene->geoms + i;
    }
  }
  return n;
}

TEST(rods_with_box_sections_are_drawn_as_recorded) {
  DOUBLE_ONLY();
  Stage s = stage_of(test_model_file("tests/models/since/boxrods.xml"));
  mjtNum move[200], faces[216], parts[20];
  for (int i = 0; i < s.m->nv; i++) {
    move[i] = (mjtNum)0.01 * mju_sin((mjtNum)(1 + i));
  }
  mj_integratePos(s.m, s.d->qpos, move, 1);
  update(&s);
  for (int i = 0; i < 108; i++) {
    faces[i] = s.scene.flexface[i];
    faces[108 + i] = s.scene.flexnormal[i];
  }
  assert_recorded_near("boxrods_faces", faces, 216, 1e-6);
  const mjvGeom* shape[20];
  assert_int_equal(flex_shapes(shape, &s.scene), 4);
  for (int i = 0; i < 4; i++) {
    parts[5 * i] = shape[i]->objid;
    parts[5 * i + 1] = shape[i]->dataid;
    for (int k = 0; k < 3; k++) {
      parts[5 * i + 2 + k] = shape[i]->size[k];
    }
  }
  assert_recorded_near("boxrods_parts", parts, 20, 1e-6);
  mjv_freeScene(&s.scene);
}

// Each face looks away from the middle of its edge.
TEST(faces_of_a_box_section_look_outwards) {
  Stage s = stage_of(test_model_file("tests/models/since/boxrods.xml"));
  update(&s);
  for (int flex = 0; flex < 2; flex++) {
    assert_int_equal(s.scene.flexfaceused[flex], 12 * s.m->flex_elemnum[flex]);
    for (int i = 0; i < s.scene.flexfaceused[flex]; i++) {
      const float* x = s.scene.flexface + 9 * (s.scene.flexfaceadr[flex] + i);
      const float* n = s.scene.flexnormal + 9 * (s.scene.flexfaceadr[flex] + i);
      mjtNum a[3], b[3], up[3];
      for (int k = 0; k < 3; k++) {
        a[k] = x[3 + k] - x[k];
        b[k] = x[6 + k] - x[k];
      }
      mju_cross(up, a, b);
      mju_normalize3(up);
      assert_near(up[0] * n[0] + up[1] * n[1] + up[2] * n[2], 1, 1e-4);
    }
  }
  mjv_freeScene(&s.scene);
}

#define PATCHES(list)                                                                             \
  "<mujoco><asset><material name='r' rgba='1 0 0 1'/><material name='g' rgba='0 1 0 1'/></asset>" \
  "<worldbody/><deformable><flex name='f' dim='2' body='world' radius='.01' "                     \
  "vertex='0 0 0  1 0 0  0 1 0  1 1 0  2 0 0' element='0 1 2  1 3 2  1 4 3' material='" list      \
  "'/>"                                                                                           \
  "<flex name='l' dim='1' body='world' vertex='0 0 2  1 0 2  2 0 2  3 0 2' "                      \
  "element='0 1  1 2  2 3' material='" list "'/></deformable></mujoco>"

// Sides of elements 0 and 2 and their rims come first, then those of element 1.
TEST(parts_follow_the_materials_of_their_first_elements) {
  static const float size[2][2] = {{0, 12}, {12, 4}};
  static const float color[2] = {0, 1};  // red of green, red
  Stage s = stage_of(test_model(PATCHES("g r g")));
  update(&s);
  const mjvGeom* shape[20];
  assert_int_equal(flex_shapes(shape, &s.scene), 4);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(shape[i]->objid, 0);
    assert_int_equal(shape[i]->dataid, i);
    assert_near(shape[i]->size[1], size[i][0], 0);
    assert_near(shape[i]->size[2], size[i][1], 0);
    assert_near(shape[i]->rgba[0], color[i], 0);
  }
  assert_int_equal(s.scene.flexfaceused[0], 16);
  // the third face is of element 2, the thirteenth of element 1
  assert_near(s.scene.flexface[9 * 2 + 3], 2, 1e-6);
  assert_near(s.scene.flexface[9 * 12 + 3], 1, 1e-6);
  assert_near(s.scene.flexface[9 * 12 + 4], 1, 1e-6);
  mjv_freeScene(&s.scene);
}

TEST(edges_of_lines_are_in_the_order_of_parts) {
  Stage s = stage_of(test_model(PATCHES("g r g")));
  update(&s);
  const mjvGeom* shape[20];
  flex_shapes(shape, &s.scene);
  assert_near(shape[2]->size[2], 2, 0);
  assert_near(shape[3]->size[1], 2, 0);
  assert_near(shape[3]->size[2], 1, 0);
  const int* edge = s.scene.flexedge + 2 * s.scene.flexedgeadr[1];
  assert_int_equal(edge[2], 2);
  assert_int_equal(edge[3], 3);
  assert_int_equal(edge[4], 1);
  assert_int_equal(edge[5], 2);
  mjv_freeScene(&s.scene);
}

TEST(one_material_is_one_shape) {
  Stage s = stage_of(test_model(PATCHES("r r r")));
  update(&s);
  const mjvGeom* shape[20];
  assert_int_equal(flex_shapes(shape, &s.scene), 2);
  assert_int_equal(shape[0]->dataid, -1);
  assert_near(shape[0]->rgba[0], 1, 0);
  mjv_freeScene(&s.scene);
}

// Without the skin, faces of elements are drawn alone, in the same order.
TEST(flat_faces_have_parts) {
  Stage s = stage_of(test_model(PATCHES("g r g")));
  s.option.flags[mjVIS_FLEXSKIN] = 0;
  s.option.flags[mjVIS_FLEXFACE] = 1;
  update(&s);
  const mjvGeom* shape[20];
  flex_shapes(shape, &s.scene);
  assert_near(shape[0]->size[2], 4, 0);
  assert_near(shape[1]->size[1], 4, 0);
  assert_near(shape[1]->size[2], 2, 0);
  assert_int_equal(s.scene.flexfaceused[0], 6);
  assert_near(s.scene.flexface[9 * 2 + 3], 2, 1e-6);
  mjv_freeScene(&s.scene);
}
