// Where vertices of deformables are, and how long their edges; how both change.

#include "derivative/scene.h"
#include "smooth/flex/flex.h"

static const char kBox[] =
    "<mujoco><worldbody><body name='b' pos='0 0 1'><joint axis='0 1 0'/><geom size='.05'/>"
    "<flexcomp name='f' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' mass='.4' "
    "radius='.01' dof='trilinear'><contact contype='0' conaffinity='0' selfcollide='none' "
    "internal='false'/></flexcomp></body></worldbody></mujoco>";

// Shares of the nodes of a box: all of it at a corner; together 1; linear along each axis.
TEST(shares_of_nodes_are_those_of_a_box) {
  uint64_t seed = 2;
  for (int corner = 0; corner < FLEX_NODES; corner++) {
    mjtNum w[FLEX_NODES], x[3], mean[3] = {0};
    const mjtNum at[3] = {corner >> 2 & 1, corner >> 1 & 1, corner & 1};
    flex_node_weights(w, at);
    for (int i = 0; i < FLEX_NODES; i++) {
      assert_near(w[i], i == corner, 0);
    }
    random_fill(x, 3, &seed);
    flex_node_weights(w, x);
    mjtNum sum = 0;
    for (int i = 0; i < FLEX_NODES; i++) {
      const mjtNum node[3] = {i >> 2 & 1, i >> 1 & 1, i & 1};
      mju_addToScl3(mean, node, w[i]);
      sum += w[i];
    }
    assert_near(sum, 1, 1e-14);
    assert_close(mean, x, 3, 1e-14);
  }
}

TEST(vertices_are_means_of_the_nodes_by_their_shares) {
  Scene s = scene_make(kBox, 0.1);
  assert_true(s.m->flex_interp[0]);
  for (int v = 0; v < s.m->nflexvert; v++) {
    mjtNum w[FLEX_NODES], x[3], mean[3] = {0};
    flex_node_weights(w, s.m->flex_vert0 + 3 * v);
    for (int i = 0; i < FLEX_NODES; i++) {
      flex_node_position(x, s.m, s.d, 0, i);
      mju_addToScl3(mean, x, w[i]);
    }
    assert_close(s.d->flexvert_xpos + 3 * v, mean, 3, 1e-13);
  }
  scene_free(&s);
}

// Each pair of vertices of an element once.
TEST(edges_of_an_element_join_all_its_vertices) {
  for (int dim = 1; dim <= 3; dim++) {
    int seen = 0, n = flex_element_edges(dim);
    const int(*end)[2] = flex_edge_ends(dim);
    assert_int_equal(n, dim * (dim + 1) / 2);
    for (int e = 0; e < n; e++) {
      assert_in_range(end[e][0], 0, dim);
      assert_in_range(end[e][1], 0, dim);
      int pair = 1 << end[e][0] | 1 << end[e][1], key = 0;
      for (int i = 0; i <= dim; i++) {
        for (int j = i + 1; j <= dim; j++, key++) {
          if (pair == (1 << i | 1 << j)) {
            assert_false(seen >> key & 1);
            seen |= 1 << key;
          }
        }
      }
    }
    assert_int_equal(seen, (1 << n) - 1);
  }
}
