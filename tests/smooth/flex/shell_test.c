// Shells of cages: numbers of release 4.0.0, rest and turns, a membrane and a plate by theory.

#include <mujoco/mujoco.h>
#include <string.h>

#include "model/cage.h"
#include "model/model.h"
#include "support/load.h"
#include "support/near.h"
#include "support/precision.h"
#include "support/recorded.h"
#include "support/test.h"

static mjModel* hollow(void) {
  return test_model_file("tests/models/since/hollow.xml");
}

TEST(shells_weigh_and_move_as_recorded) {
  DOUBLE_ONLY();
  mjModel* m = hollow();
  mjData* d = test_data(m);
  assert_recorded_near("hollow_mass", m->body_mass, (size_t)m->nbody, 1e-12);
  mjtNum* move = malloc((size_t)m->nv * sizeof(mjtNum));
  for (int i = 0; i < m->nv; i++) {
    move[i] = (mjtNum)0.01 * mju_sin((mjtNum)(1 + i));
    d->qvel[i] = (mjtNum)0.1 * mju_cos((mjtNum)(2 * i));
  }
  mj_integratePos(m, d->qpos, move, 1);
  free(move);
  mj_forward(m, d);
  assert_recorded_near("hollow_vertices", d->flexvert_xpos, 3 * (size_t)m->nflexvert, 1e-12);
  // faces turn by an iteration that ends at 1e-9
  assert_recorded_near("hollow_spring", d->qfrc_spring, (size_t)m->nv, 1e-6);
  for (int i = 0; i < 20; i++) {
    mj_step(m, d);
  }
  size_t n = (size_t)(m->nq + m->nv);
  mjtNum* state = malloc(n * sizeof(mjtNum));
  mju_copy(state, d->qpos, m->nq);
  mju_copy(state + m->nq, d->qvel, m->nv);
  assert_recorded_near("hollow_steps", state, n, 1e-7);
  free(state);
}

// Moves the nodes of a flex whose places at rest are X to Q X.
static void move_nodes(const mjModel* m, mjData* d, int flex, const mjtNum Q[9]) {
  for (int i = 0; i < m->flex_nodenum[flex]; i++) {
    int node = m->flex_nodeadr[flex] + i, body = m->flex_nodebodyid[node];
    mjtNum x[3];
    mju_mulMatVec(x, Q, m->flex_node0 + 3 * node, 3, 3);
    for (int k = 0; k < 3 && m->body_jntnum[body]; k++) {
      d->qpos[m->jnt_qposadr[m->body_jntadr[body]] + k] = x[k] - m->flex_node0[3 * node + k];
    }
  }
}

TEST(shells_resist_no_turn) {
  mjModel* m = hollow();
  mjData* d = test_data(m);
  mjtNum Q[9];
  mju_quat2Mat(Q, (const mjtNum[]){0.5, 0.5, 0.5, 0.5});
  move_nodes(m, d, 1, Q);
  mj_forward(m, d);
  for (int i = 0; i < m->nv; i++) {
    assert_near(d->qfrc_spring[i], 0, sizeof(mjtNum) == 8 ? 1e-5 : 10);
  }
}

// A box of one cell that is drawn along x by the strain e: its four faces along x pull with
// E t / (1 - nu^2) e per length, since their other sides are held.
TEST(a_drawn_box_pulls_as_its_membranes) {
  mjModel* m = test_model(
      "<mujoco><compiler dialect='4.0'/><worldbody><body name='b'><flexcomp name='f' type='grid' "
      "dim='3' "
      "count='2 2 2' spacing='1 2 3' radius='0' dof='trilinear'><contact selfcollide='none'/>"
      "<elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='stretch'/></flexcomp></body>"
      "</worldbody></mujoco>");
  mjData* d = test_data(m);
  mjtNum e = (mjtNum)1e-3, force = 0;
  move_nodes(m, d, 0, (const mjtNum[]){1 + e, 0, 0, 0, 1, 0, 0, 0, 1});
  mj_forward(m, d);
  for (int i = 0; i < m->nv; i += 3) {
    force += m->flex_node0[i] > 0 ? d->qfrc_spring[i] : 0;
  }
  mjtNum expected = -(mjtNum)1e4 * (mjtNum)0.01 / (1 - (mjtNum)0.09) * e * 2 * (2 + 3);
  assert_near(force, expected, -1e-3 * expected);
}

TEST(inner_nodes_follow_the_outer_ones) {
  mjModel* m = hollow();
  mjData* d = test_data(m);
  mj_forward(m, d);
  mjtNum* before = malloc(3 * (size_t)m->nflexvert * sizeof(mjtNum));
  mju_copy(before, d->flexvert_xpos, 3 * m->nflexvert);
  for (int i = m->nv - 3 * 26; i < m->nv; i += 3) {
    d->qpos[i] = 1;  // all nodes of the second one by 1 m
  }
  mj_forward(m, d);
  for (int v = m->flex_vertadr[1]; v < m->nflexvert; v++) {
    assert_near(d->flexvert_xpos[3 * v] - before[3 * v], 1, last_digits());
  }
  free(before);
  for (int f = 0; f < m->nflex; f++) {
    for (int v = 0; v < m->flex_vertnum[f]; v++) {
      FlexShare of;
      flex_share(&of, m, f, m->flex_vert0 + 3 * (size_t)(m->flex_vertadr[f] + v));
      for (int i = 0; i < of.n; i++) {
        assert_that(flex_node_is_inside(m->flex_interp[f], m->flex_cellnum + 3 * f, of.node[i]), ==,
                    0);
      }
    }
  }
}

TEST(models_with_wrong_shells_are_invalid) {
  mjModel* m = hollow();
  long long faces = flex_face_count(m->flex_cellnum);
  mjtNum* hinges = m->cnd_flex_cell + m->cnd_flex_celladr[0] + faces * 144;
  const struct {
    mjtNum *place, value;
  } wrong[] = {{hinges, -1}, {hinges, 1e6}, {hinges + 1, -1}, {hinges + 2, (mjtNum)faces}};
  assert_null(model_validate(m));
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    mjtNum before = *wrong[i].place;
    *wrong[i].place = wrong[i].value;
    assert_non_null(model_validate(m));
    *wrong[i].place = before;
  }
  m->cnd_flex_shell[1] = 0;  // cells need more numbers than faces
  assert_non_null(model_validate(m));
}
