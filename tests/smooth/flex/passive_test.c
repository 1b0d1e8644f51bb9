// Deformables: forces are gradients, conserve momentum and know no rigid motion; edges move as
// their Jacobian says.

#include "support/differences.h"
#include "support/models.h"
#include "support/near.h"

// A flex on sliders below the world, without contacts; gravity is off.
#define FLEX(type, material)                                                             \
  "<mujoco><option gravity='0 0 0' timestep='.001'/><worldbody><flexcomp name='f' " type \
  " mass='1'><contact contype='0' conaffinity='0' selfcollide='none'/>" material         \
  "</flexcomp></worldbody></mujoco>"

#define CLOTH "type='grid' count='4 3 1' spacing='.1 .12 .1'"
#define SOLID "type='grid' dim='3' count='3 3 2' spacing='.1 .12 .13'"

static double noise(int i, int k) {
  return mju_Halton(i + 1, k) - 0.5;
}

static void deform(const mjModel* m, mjData* d, double size) {
  for (int i = 0; i < m->nq; i++) {
    d->qpos[i] = size * noise(i, 3);
  }
}

// qfrc_spring of a cloth or solid whose vertices are all sliders: three numbers per vertex, in
// order
static void assert_no_net_force(const mjModel* m, const mjData* d, const mjtNum* force) {
  mjtNum sum[6] = {0}, size = 0;
  for (int v = 0; v < m->nflexvert; v++) {
    const mjtNum *f = force + 3 * v, *x = d->flexvert_xpos + 3 * v;
    mjtNum torque[3];
    mju_cross(torque, x, f);
    for (int k = 0; k < 3; k++) {
      sum[k] += f[k];
      sum[3 + k] += torque[k];
      size += mju_abs(f[k]);
    }
  }
  assert_that(size, >, 0);
  for (int k = 0; k < 6; k++) {
    assert_near(sum[k] / size, 0, 1e-13);
  }
}

static void check_momentum(const char* text) {
  mjModel* m = test_model(text);
  mjData* d = test_data(m);
  deform(m, d, 0.02);
  mj_forward(m, d);
  assert_no_net_force(m, d, d->qfrc_spring);
  test_release(m);
}

TEST(elastic_forces_keep_momentum) {
  check_momentum(
      FLEX(CLOTH, "<elasticity young='100' poisson='.2' thickness='.01' elastic2d='stretch'/>"));
  check_momentum(FLEX(SOLID, "<elasticity young='1000' poisson='.3'/>"));
}

// W = 1/4 D' K D, summed over elements: the energy whose gradient the forces are
static double elastic_energy(const mjModel* m, const mjData* d) {
  int per = m->flex_dim[0] == 2 ? 3 : 6;
  double energy = 0;
  for (int e = 0; e < m->flex_elemnum[0]; e++) {
    const mjtNum* K = m->flex_stiffness + 21 * e;
    double D[6];
    for (int a = 0; a < per; a++) {
      int edge = m->flex_elemedge[per * e + a];
      double l = d->flexedge_length[edge], L = m->flexedge_length0[edge];
      D[a] = l * l - L * L;
    }
    for (int a = 0; a < per; a++) {
      for (int b = a; b < per; b++) {
        energy += (a == b ? 0.25 : 0.5) * *K++ * D[a] * D[b];
      }
    }
  }
  return energy;
}

static void check_gradient(const char* text) {
  const double step = 1e-6;
  mjModel* m = test_model(text);
  mjData* d = test_data(m);
  deform(m, d, 0.02);
  mj_forward(m, d);
  mjtNum* force = malloc(m->nv * sizeof *force);
  memcpy(force, d->qfrc_spring, m->nv * sizeof *force);
  for (int i = 0; i < m->nv; i += 5) {
    double energy[2];
    mjtNum before = d->qpos[i];
    for (int side = 0; side < 2; side++) {
      d->qpos[i] = before + (side ? step : -step);
      mj_kinematics(m, d);
      mj_comPos(m, d);
      mj_flex(m, d);
      energy[side] = elastic_energy(m, d);
    }
    d->qpos[i] = before;
    assert_relative(-(energy[1] - energy[0]) / (2 * step), force[i], 1e-6, 1e-3);
  }
  free(force);
  test_release(m);
}

TEST(elastic_forces_are_gradients) {
  DOUBLE_ONLY();
  check_gradient(FLEX(CLOTH,
                      "<edge damping='1e-9'/><elasticity young='100' poisson='.2' thickness='.01' "
                      "elastic2d='stretch'/>"));
  check_gradient(FLEX(SOLID, "<edge damping='1e-9'/><elasticity young='1000' poisson='.3'/>"));
}

// Green's strain G of a stretch by s along x: G_xx = (s^2 - 1)/2. The energy of a solid of volume V
// is V (mu G:G + la tr(G)^2), so a block's is known.
TEST(a_stretched_block_has_the_energy_of_its_strain) {
  DOUBLE_ONLY();
  mjModel* m =
      test_model(FLEX(SOLID, "<edge damping='1e-9'/><elasticity young='1000' poisson='.3'/>"));
  mjData* d = test_data(m);
  const double stretch = 1.1, G = (stretch * stretch - 1) / 2;
  const double mu = 1000 / 2.6, la = 1000 * 0.3 / (1.3 * 0.4), volume = 0.2 * 0.24 * 0.13;
  for (int b = 1; b < m->nbody; b++) {
    d->qpos[3 * (b - 1)] = (stretch - 1) * m->body_pos[3 * b];
  }
  mj_forward(m, d);
  assert_relative(elastic_energy(m, d), volume * (mu + la) * G * G, 1e-10, 1e-6);
}

// Turned about an axis, neither elements nor a cage nor bending resist.
static void check_rigid(const char* text) {
  mjModel* m = test_model(text);
  mjData* d = test_data(m);
  mjtNum axis[3] = {0.36, 0.48, 0.8}, quat[4];
  mju_axisAngle2Quat(quat, axis, 0.7);
  for (int b = 1; b < m->nbody; b++) {
    mjtNum turned[3];
    mju_rotVecQuat(turned, m->body_pos + 3 * b, quat);
    mju_sub3(d->qpos + 3 * (b - 1), turned, m->body_pos + 3 * b);
  }
  mj_forward(m, d);
  for (int i = 0; i < m->nv; i++) {
    assert_near(d->qfrc_spring[i], 0, 1e-9);
  }
  deform(m, d, 0.02);
  mj_forward(m, d);
  assert_that(largest_of(d->qfrc_spring, m->nv), >, 1e-6);
  test_release(m);
}

TEST(rigid_motions_make_no_force) {
  check_rigid(
      FLEX(CLOTH, "<elasticity young='100' poisson='.2' thickness='.01' elastic2d='both'/>"));
  check_rigid(FLEX(SOLID, "<elasticity young='1000' poisson='.3'/>"));
  check_rigid(FLEX("type='grid' dim='3' dof='trilinear' count='3 3 3' spacing='.1 .12 .13'",
                   "<elasticity young='1000' poisson='.3'/>"));
}

#define CAGE(name, pin)                                                                         \
  "<flexcomp name='" name                                                                       \
  "' type='grid' dim='3' dof='trilinear' count='4 4 4' mass='1' "                               \
  "spacing='.1 .08 .12' radius='.001'><contact contype='0' conaffinity='0' selfcollide='none' " \
  "internal='false'/><elasticity young='5000' poisson='.2' damping='.01'/>" pin "</flexcomp>"

#define CAGES(bodies)                                                            \
  "<mujoco><compiler eulerseq='XYZ'/><option gravity='0 0 0' timestep='.0001'/>" \
  "<worldbody>" bodies "</worldbody></mujoco>"

static const char* const kTurnedCages[] = {
    CAGES("<body name='b' euler='0 90 0'>" CAGE("f", "") "</body>"),
    CAGES("<body name='b' euler='0 0 180'>" CAGE("f", "") "</body>"),
    CAGES("<body name='b' euler='180 0 0'>" CAGE("f", "") "</body>"),
    CAGES("<body name='b' pos='.1 .2 .3' euler='10 20 30'>" CAGE("f", "") "</body>"),
    CAGES("<body name='b' euler='10 -120 30'>" CAGE("f", "<pin id='0 1'/>") "</body>"),
    CAGES("<body pos='1 2 3' euler='40 0 90'><body euler='0 70 5'><body name='b' euler='130 0 "
          "0'>" CAGE("f", "") "</body></body></body>"),
    CAGES("<frame euler='0 0 90'><body name='b' euler='20 0 0'>" CAGE("f", "") "</body></frame>"),
    CAGES("<body name='b' euler='150 0 0'><freejoint/><geom size='.1'/>" CAGE("f", "") "</body>"),
};

static double largest_spring(const mjModel* m, mjData* d) {
  mj_forward(m, d);
  return largest_of(d->qfrc_spring, m->nv);
}

static void check_rest(const mjModel* m, const char* text) {
  mjData* d = mj_makeData(m);
  assert_non_null(d);
  assert_near(largest_spring(m, d), 0, 1e-11);
  for (int i = 0; i < 200; i++) {
    mj_step(m, d);
  }
  double moved = largest_spring(m, d);
  if (moved > 1e-11) {
    print_message("%s\n", text);
  }
  assert_near(moved, 0, 1e-11);
  mj_deleteData(d);
}

TEST(a_turned_cage_is_at_rest) {
  DOUBLE_ONLY();
  for (size_t i = 0; i < sizeof(kTurnedCages) / sizeof(kTurnedCages[0]); i++) {
    mjModel* m = test_model(kTurnedCages[i]);
    check_rest(m, kTurnedCages[i]);
    test_release(m);
  }
}

TEST(a_cage_that_is_attached_to_a_turned_frame_is_at_rest) {
  DOUBLE_ONLY();
  char error[300] = "";
  mjSpec* child = mj_parseXMLString(kTurnedCages[0], NULL, error, sizeof(error));
  mjSpec* parent = mj_parseXMLString(CAGES(""), NULL, error, sizeof(error));
  assert_true(child);
  assert_true(parent);
  const double quat[4] = {1, 2, 3, -4};
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), NULL);
  memcpy(frame->quat, quat, sizeof(quat));
  assert_non_null(mjs_attach(frame->element, mjs_findBody(child, "b")->element, "a_", ""));
  mjModel* m = mj_compile(parent, NULL);
  assert_non_null(m);
  assert_int_equal(m->nflex, 1);
  check_rest(m, "attached");
  mj_deleteModel(m);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

// A cage knows nothing of the world's axes: its forces, in the axes of its sliders, depend on its
// deformation alone, and its vertices lie in the turned frame as they do in the world's.
TEST(a_turned_cage_is_as_stiff_as_one_that_is_not) {
  DOUBLE_ONLY();
  static const char* const text[] = {
      CAGES("<body name='b' pos='.1 .2 .3'>" CAGE("f", "") "</body>"),
      CAGES("<body name='b' pos='.1 .2 .3' euler='10 20 130'>" CAGE("f", "") "</body>"),
  };
  mjtNum force[2][24], vert[2][64][3];
  for (int k = 0; k < 2; k++) {
    mjModel* m = test_model(text[k]);
    mjData* d = test_data(m);
    assert_int_equal(m->nv, 24);
    deform(m, d, 0.02);
    mj_forward(m, d);
    mju_copy(force[k], d->qfrc_spring, 24);
    for (int v = 0; v < 64; v++) {
      mjtNum away[3];
      mju_sub3(away, d->flexvert_xpos + 3 * v, d->xpos + 3);
      mju_mulMatTVec3(vert[k][v], d->xmat + 9, away);
    }
    test_release(m);
  }
  assert_that(largest_of(force[0], 24), >, 0.1);
  for (int i = 0; i < 24; i++) {
    assert_near(force[1][i], force[0][i], 1e-7);
  }
  for (int i = 0; i < 192; i++) {
    assert_near(vert[1][i / 3][i % 3], vert[0][i / 3][i % 3], 1e-12);
  }
}

// Vertices on turning bodies: velocity of lengths against their difference.
TEST(edges_move_as_their_jacobian_says) {
  const char* const jacobian[] = {"dense", "sparse"};
  for (int k = 0; k < 2; k++) {
    char text[1500];
    snprintf(
        text, sizeof text,
        "<mujoco><option jacobian='%s'/><worldbody><body name='a'><freejoint/><geom "
        "size='.1'/><body "
        "name='b' pos='.5 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.1 .1 0'/></body></body>"
        "<body name='c' pos='0 1 0'><joint type='ball'/><geom size='.1' pos='.2 0 "
        "0'/></body></worldbody>"
        "<deformable><flex dim='1' body='a b b c world' vertex='.1 0 .2 .3 .1 .1 0 .2 .1 .4 0 .1 1 "
        "1 1' "
        "element='0 1 1 2 3 2 3 4 0 4'><contact selfcollide='none' contype='0' conaffinity='0'/>"
        "<edge damping='1'/></flex></deformable></mujoco>",
        jacobian[k]);
    mjModel* m = test_model(text);
    mjData* d = test_data(m);
    for (int i = 0; i < m->nv; i++) {
      d->qvel[i] = noise(i, 5);
    }
    mj_integratePos(m, d->qpos, d->qvel, 0.3);
    mj_forward(m, d);
    const double step = sizeof(mjtNum) == sizeof(float) ? 1e-2 : 1e-5;
    mjtNum before[5], rate[5];
    memcpy(rate, d->flexedge_velocity, sizeof rate);
    mj_integratePos(m, d->qpos, d->qvel, -step);
    mj_forward(m, d);
    memcpy(before, d->flexedge_length, sizeof before);
    mj_integratePos(m, d->qpos, d->qvel, 2 * step);
    mj_forward(m, d);
    assert_that(largest_of(rate, 5), >, 0.1);
    for (int e = 0; e < 5; e++) {
      double tolerance = sizeof(mjtNum) == sizeof(float) ? 1e-2 : 1e-8;
      assert_relative((d->flexedge_length[e] - before[e]) / (2 * step), rate[e], tolerance, 1);
    }
    assert_near(rate[1], 0, 1e-12);  // both ends on one body
    test_release(m);
  }
}

// Sparse rows of edges are packed at the start of arrays whose rest nobody touches: a copy has
// them, a reset leaves nothing in the whole of the arrays, and a dense Jacobian has its place, too.
TEST(rows_of_edges_are_copied_and_reset) {
  static const char* const files[] = {"flex_cloth", "flex_cable", "flex_solid", "flexcomp_grids"};
  for (int k = 0; k < 8; k++) {
    mjModel* m = test_model_file("tests/models/%s.xml", files[k / 2]);
    m->opt.jacobian = k % 2 ? mjJAC_DENSE : mjJAC_SPARSE;
    mjData* d = test_data(m);
    size_t size = (size_t)m->nflexedge * (size_t)m->nv;
    mj_step(m, d);
    mjData* copy = mj_copyData(NULL, m, d);
    assert_that(mju_norm(d->flexedge_J, (int)size), >, 0);
    assert_memory_equal(copy->flexedge_J, d->flexedge_J, size * sizeof(mjtNum));
    if (k % 2 == 0) {
      assert_memory_equal(copy->flexedge_J_colind, d->flexedge_J_colind, size * sizeof(int));
    }
    mj_resetData(m, d);
    for (size_t i = 0; i < size; i++) {
      assert_that(d->flexedge_J[i], ==, 0);
      assert_that(d->flexedge_J_colind[i], ==, 0);
    }
    mj_deleteData(copy);
    test_release(m);
  }
}

// A roof of two triangles that is bent at rest.
static const char kRoof[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='f' type='direct' dim='2' mass='1' "
    "point='0 0 0 .1 0 .04 0 .1 .03 .1 .1 0' element='0 1 2 1 3 2'><contact contype='0' "
    "conaffinity='0' selfcollide='none'/><elasticity young='1000' poisson='.2' thickness='.02' "
    "elastic2d='bend'/></flexcomp></worldbody></mujoco>";

// U = 1/2 sum B_ab x_a . x_b + beta e_0 . (e_1 x e_2) over edges between two triangles
static void fold_energy(mjtNum* energy, const mjModel* m, mjData* d, void* of) {
  (void)of;
  *energy = 0;
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
  for (int edge = 0; edge < m->nflexedge; edge++) {
    const int *end = m->flex_edge + 2 * edge, *flap = m->flex_edgeflap + 2 * edge;
    const mjtNum* B = m->flex_bending + 17 * edge;
    if (flap[1] < 0) {
      continue;
    }
    const int corner[4] = {end[0], end[1], flap[0], flap[1]};
    mjtNum e[3][3], product[3];
    for (int a = 0; a < 4; a++) {
      const mjtNum* x = d->flexvert_xpos + 3 * corner[a];
      for (int b = 0; b < 4; b++) {
        *energy += B[4 * a + b] * mju_dot3(x, d->flexvert_xpos + 3 * corner[b]) / 2;
      }
      if (a) {
        mju_sub3(e[a - 1], x, d->flexvert_xpos + 3 * corner[0]);
      }
    }
    assert_that(mju_abs(B[16]), >, 0);
    mju_cross(product, e[1], e[2]);
    *energy += B[16] * mju_dot3(e[0], product);
  }
}

TEST(a_fold_that_is_bent_at_rest_pushes_down_its_energy) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kRoof);
  mjData* d = test_data(m);
  mjtNum gradient[12];
  assert_int_equal(m->nv, 12);
  deform(m, d, 0.05);
  mj_forward(m, d);
  differences_by_dofs(gradient, fold_energy, NULL, m, d, 1, (mjtNum)1e-3);
  mju_scl(gradient, gradient, -1, 12);
  assert_numbers(d->qfrc_spring, gradient, 12, 1e-8, largest_of(gradient, 12));
}
