// Boxes about elements of deformables, and about what is below a node of their tree.

#include "derivative/scene.h"
#include "smooth/flex/flex.h"

static const char* const grids[3] = {"dim='1' count='4 1 1'", "dim='2' count='4 3 1'",
                                     "dim='3' count='3 2 2'"};

static Scene grid_scene(int i) {
  char xml[1000];
  snprintf(xml, sizeof(xml),
           "<mujoco><worldbody><flexcomp name='f' type='grid' spacing='.1 .1 .1' %s mass='.4' "
           "radius='.02'/></worldbody></mujoco>",
           grids[i]);
  return scene_make(xml, 0.2);
}

// The box of an element is its vertices' with the radius around, and no larger.
TEST(boxes_of_elements_just_hold_their_vertices) {
  for (int dim = 1; dim <= 3; dim++) {
    Scene s = grid_scene(dim - 1);
    flex_box_elements(s.m, s.d, 0);
    for (int e = 0; e < s.m->flex_elemnum[0]; e++) {
      const mjtNum* box = s.d->flexelem_aabb + 6 * e;
      for (int k = 0; k < 3; k++) {
        mjtNum low = INFINITY, high = -INFINITY;
        for (int i = 0; i <= dim; i++) {
          mjtNum x = s.d->flexvert_xpos[3 * s.m->flex_elem[(dim + 1) * e + i] + k];
          low = mju_min(low, x);
          high = mju_max(high, x);
        }
        assert_near(box[k] - box[3 + k], low - s.m->flex_radius[0], 1e-13);
        assert_near(box[k] + box[3 + k], high + s.m->flex_radius[0], 1e-13);
      }
    }
    scene_free(&s);
  }
}

TEST(boxes_of_nodes_hold_those_of_their_children) {
  for (int dim = 1; dim <= 3; dim++) {
    Scene s = grid_scene(dim - 1);
    int adr = s.m->flex_bvhadr[0], leaves = 0;
    flex_box_elements(s.m, s.d, 0);
    flex_box_tree(s.m, s.d, 0);
    const mjtNum* box = s.d->bvh_aabb_dyn + 6 * (adr - s.m->nbvhstatic);
    for (int i = 0; i < s.m->flex_bvhnum[0]; i++) {
      int leaf = s.m->bvh_nodeid[adr + i];
      if (leaf >= 0) {
        assert_close(box + 6 * i, s.d->flexelem_aabb + 6 * leaf, 6, 0);
        leaves++;
        continue;
      }
      for (int k = 0; k < 3; k++) {
        mjtNum low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 2; c++) {
          const mjtNum* child = box + 6 * s.m->bvh_child[2 * (adr + i) + c];
          low = mju_min(low, child[k] - child[3 + k]);
          high = mju_max(high, child[k] + child[3 + k]);
        }
        assert_near(box[6 * i + k] - box[6 * i + 3 + k], low, 1e-13);
        assert_near(box[6 * i + k] + box[6 * i + 3 + k], high, 1e-13);
      }
    }
    assert_int_equal(leaves, s.m->flex_elemnum[0]);
    scene_free(&s);
  }
}
