// Sites with the shape of a mesh in a scene: numbers of MuJoCo 4.0.0.

#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

// The first shape of a scene that belongs to an object.
static const mjvGeom* shape_of(const mjvScene* scene, int type, int id) {
  for (int i = 0; i < scene->ngeom; i++) {
    if (scene->geoms[i].objtype == type && scene->geoms[i].objid == id) {
      return scene->geoms + i;
    }
  }
  fail_msg("object %d of type %d is not drawn", id, type);
  return NULL;
}

TEST(mesh_sites_are_drawn_where_their_mesh_is) {
  static const float pos[3] = {0.19886005f, 0.3704698f, 1.4036587f};
  static const float axis[3] = {0.39855278f, 0.5675089f, 0.7204786f};
  static const float size[3] = {0.17144872f, 0.24492554f, 0.2465436f};
  mjModel* m = test_model(
      "<mujoco><asset><mesh name='m' vertex='0 0 0 .4 0 0 0 .3 0 0 0 .2 .3 .3 .3'/><material "
      "name='red'/><mesh name='k' vertex='0 0 0 .4 0 0 0 .3 0 0 0 .2 .3 .3 .3' material='red'/>"
      "</asset><worldbody><body pos='0 0 1'><freejoint/><geom size='.05'/><site name='s' "
      "type='mesh' mesh='m' pos='.1 .2 .3' euler='10 20 30'/><site type='mesh' mesh='k'/></body>"
      "</worldbody><actuator><motor site='s'/></actuator></mujoco>");
  mjData* d = test_data(m);
  mj_forward(m, d);
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjv_defaultScene(&scene);
  mjv_makeScene(m, &scene, 100);
  mjv_defaultOption(&option);
  mjv_defaultFreeCamera(m, &camera);
  option.flags[mjVIS_ACTUATOR] = 1;
  for (int hull = 0; hull < 2; hull++) {
    option.flags[mjVIS_CONVEXHULL] = (mjtByte)hull;
    mjv_updateScene(m, d, &option, NULL, &camera, mjCAT_ALL, &scene);
    const mjvGeom* first = shape_of(&scene, mjOBJ_SITE, 0);
    const mjvGeom* second = shape_of(&scene, mjOBJ_SITE, 1);
    const mjvGeom* around = shape_of(&scene, mjOBJ_ACTUATOR, 0);
    assert_int_equal(first->type, mjGEOM_MESH);
    assert_int_equal(first->dataid, hull);
    assert_int_equal(second->dataid, 2 + hull);
    assert_int_equal(second->matid, 0);
    assert_int_equal(around->dataid, hull);
    for (int k = 0; k < 3; k++) {
      assert_near(first->pos[k], pos[k], 1e-6);
      assert_near(first->mat[k], axis[k], 1e-6);
      assert_near(first->size[k], size[k], 1e-6);
      assert_near(around->pos[k], pos[k], 1e-6);
      assert_near(around->size[k], 1.05 * size[k], 1e-6);
    }
  }
  mjv_freeScene(&scene);
}
