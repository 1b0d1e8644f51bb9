// A compiled model must be what its own basic arrays say: clear everything derived, derive it
// again.

#include "compile/derive/derive.h"
#include "model/structure.h"

#include "compile/derive/bvh.h"
#include "support/bridge.h"
#include "support/load.h"
#include "support/near.h"
#include "support/test.h"

#ifdef mjUSESINGLE
static const double tolerance = 1e-4;
#else
static const double tolerance = 1e-9;
#endif

// every joint type, several in one body, simple bodies of both kinds and some that just fail to be,
// static bodies in between, turned geoms, cameras and lights that track
#define WORLD                                                                                    \
  "<worldbody><geom type='plane' size='1 1 .1' pos='0 0 -2'/>"                                   \
  "<light mode='trackcom' pos='1 2 3' dir='0 1 -1'/>"                                            \
  "<camera mode='targetbody' target='reach' pos='1 1 1'/>"                                       \
  "<body name='arm' pos='0 0 1'><joint name='shoulder' axis='0 1 0' stiffness='3' damping='2'/>" \
  "<geom type='capsule' size='.05' fromto='0 0 0 .4 0 0'/>"                                      \
  "<camera mode='trackcom' pos='1 0 0'/><light mode='targetbodycom' target='cart' pos='.1 .2 "   \
  ".3'/>"                                                                                        \
  "<body name='reach' pos='.4 0 0'><joint name='slide' type='slide' axis='1 0 0' ref='.1'/>"     \
  "<joint name='wrist' type='ball'/><geom type='box' size='.1 .05 .04' pos='.1 0 .02'"           \
  " euler='10 20 30'/><geom type='sphere' size='.03' pos='.3 .1 0'/>"                            \
  "<geom type='sphere' size='.03' pos='.3 -.1 0' contype='0' conaffinity='0'/>"                  \
  "<geom type='capsule' size='.03 .05' pos='-.3 -.1 0' euler='90 0 0' margin='.02'/>"            \
  "<geom type='sphere' size='.02' pos='-.1 .2 .1'/></body></body>"                               \
  "<body name='cart' pos='1 0 1' gravcomp='1'><joint name='cx' type='slide' axis='1 0 0'"        \
  " armature='.3'/><joint type='slide' axis='0 0 1'/><geom size='.1'/></body>"                   \
  "<body name='ball' pos='2 0 1'><freejoint/><geom size='.1'/></body>"                           \
  "<body name='gimbal' pos='3 0 1'><joint name='pivot' type='ball'/>"                            \
  "<geom type='box' size='.1 .2 .3'/><body pos='0 .2 0'><inertial pos='.01 0 0' mass='1'"        \
  " diaginertia='1 2 2.5'/><geom size='.01'/></body></body>"                                     \
  "<body name='top' pos='4 0 1'><joint axis='0 0 2'/><geom type='box' size='.1 .2 .3'/></body>"  \
  "<body name='pole' pos='5 0 1'><body pos='1 0 0'><joint axis='0 0 2'/>"                        \
  "<joint type='slide' axis='0 1 0'/><geom type='box' size='.1 .2 .3'/></body></body>"           \
  "<body name='lift' pos='6 0 1'><joint type='slide' axis='0 0 2'/><joint axis='0 1 0'/>"        \
  "<geom type='box' size='.1 .2 .3'/><geom type='box' size='.1 .2 .3' mass='0' pos='1 1 1'"      \
  " quat='0 1 0 0'/></body>"                                                                     \
  "<body name='skew' pos='7 0 1'><joint axis='1 1 0'/><geom type='box' size='.1 .2 .3'/></body>" \
  "</worldbody>"

#define MECHANISMS                                                                          \
  "<tendon><fixed name='cord' armature='.1'><joint joint='shoulder' coef='1.5'/>"           \
  "<joint joint='slide' coef='-.5'/></fixed>"                                               \
  "<fixed name='spring' springlength='.1 .2'><joint joint='cx' coef='2'/></fixed></tendon>" \
  "<actuator><position joint='shoulder' kp='10' dampratio='1.3'/>"                          \
  "<position joint='pivot' kp='10' dampratio='.7' gear='1 2 0'/><motor tendon='cord'/>"     \
  "<motor jointinparent='pivot'/><position tendon='spring' kp='3' dampratio='.5'/></actuator>"

// what only the reference compiles today
#define EQUALITIES                                                                         \
  "<equality><connect body1='arm' body2='cart' anchor='.1 .2 .3'/>"                        \
  "<weld body1='arm' body2='ball' anchor='.1 .2 .3'/>"                                     \
  "<weld body1='reach' relpose='0 1 0 1 1 0 0'/><joint joint1='shoulder' joint2='slide'/>" \
  "<tendon tendon1='cord'/></equality>"

static const char* const own_xml = "<mujoco>" WORLD MECHANISMS "</mujoco>";

#define TREE                                                                                \
  "body_rootid body_weldid body_treeid body_dofnum body_dofadr body_simple body_sameframe " \
  "body_subtreemass body_contype body_conaffinity body_margin jnt_qposadr jnt_dofadr "      \
  "dof_bodyid dof_jntid dof_parentid dof_treeid dof_Madr dof_simplenum geom_sameframe "     \
  "site_sameframe ntree ngravcomp "
#define SPARSE                                                                             \
  "B_rownnz B_rowadr B_colind M_rownnz M_rowadr M_colind mapM2M D_rownnz D_rowadr D_diag " \
  "D_colind mapM2D mapD2M "
#define BVH "body_bvhadr body_bvhnum bvh_depth bvh_child bvh_nodeid bvh_aabb "
#define CONST                                                                                \
  "dof_M0 tendon_length0 actuator_length0 body_invweight0 dof_invweight0 tendon_invweight0 " \
  "actuator_acc0 cam_pos0 cam_poscom0 cam_mat0 light_pos0 light_poscom0 light_dir0 "

#define WIPE(array, count) memset(m->array, 0x7f, sizeof(*m->array) * (size_t)(count))

static void wipe_structure(mjModel* m) {
  WIPE(body_rootid, m->nbody);
  WIPE(body_weldid, m->nbody);
  WIPE(body_treeid, m->nbody);
  WIPE(body_dofnum, m->nbody);
  WIPE(body_dofadr, m->nbody);
  WIPE(body_simple, m->nbody);
  WIPE(body_sameframe, m->nbody);
  WIPE(body_subtreemass, m->nbody);
  WIPE(body_contype, m->nbody);
  WIPE(body_conaffinity, m->nbody);
  WIPE(body_margin, m->nbody);
  WIPE(jnt_qposadr, m->njnt);
  WIPE(jnt_dofadr, m->njnt);
  WIPE(dof_bodyid, m->nv);
  WIPE(dof_jntid, m->nv);
  WIPE(dof_parentid, m->nv);
  WIPE(dof_treeid, m->nv);
  WIPE(dof_Madr, m->nv);
  WIPE(dof_simplenum, m->nv);
  WIPE(geom_sameframe, m->ngeom);
  WIPE(site_sameframe, m->nsite);
  WIPE(B_rownnz, m->nbody);
  WIPE(B_rowadr, m->nbody);
  WIPE(B_colind, m->nB);
  WIPE(M_rownnz, m->nv);
  WIPE(M_rowadr, m->nv);
  WIPE(M_colind, m->nC);
  WIPE(mapM2M, m->nC);
  WIPE(D_rownnz, m->nv);
  WIPE(D_rowadr, m->nv);
  WIPE(D_diag, m->nv);
  WIPE(D_colind, m->nD);
  WIPE(mapM2D, m->nD);
  WIPE(mapD2M, m->nC);
  WIPE(body_bvhadr, m->nbody);
  WIPE(body_bvhnum, m->nbody);
  WIPE(bvh_depth, m->nbvh);
  WIPE(bvh_child, 2 * m->nbvh);
  WIPE(bvh_nodeid, m->nbvh);
  WIPE(bvh_aabb, 6 * m->nbvhstatic);
  m->ntree = m->ngravcomp = -1;
}

static void wipe_constants(mjModel* m) {
  WIPE(dof_M0, m->nv);
  WIPE(tendon_length0, m->ntendon);
  WIPE(actuator_length0, m->nu);
  WIPE(body_invweight0, 2 * m->nbody);
  WIPE(dof_invweight0, m->nv);
  WIPE(tendon_invweight0, m->ntendon);
  WIPE(actuator_acc0, m->nu);
  WIPE(cam_pos0, 3 * m->ncam);
  WIPE(cam_poscom0, 3 * m->ncam);
  WIPE(cam_mat0, 9 * m->ncam);
  WIPE(light_pos0, 3 * m->nlight);
  WIPE(light_poscom0, 3 * m->nlight);
  WIPE(light_dir0, 3 * m->nlight);
}

static void check_sizes(const mjModel* m) {
  DeriveSizes s;
  derive_sizes(&s, m);
  assert_int_equal(s.structure.nq, m->nq);
  assert_int_equal(s.structure.nv, m->nv);
  assert_int_equal(s.structure.ntree, m->ntree);
  assert_int_equal(s.structure.nM, m->nM);
  assert_int_equal(s.structure.nB, m->nB);
  assert_int_equal(s.structure.nC, m->nC);
  assert_int_equal(s.structure.nD, m->nD);
  assert_int_equal(s.nJmom, m->nJmom);
  assert_int_equal(s.nemax, m->nemax);
  assert_int_equal(s.nbvhbody, m->nbvh);
}

static void check_statistic(const mjStatistic* ours, const mjStatistic* other) {
  const mjtNum a[7] = {ours->meaninertia, ours->meanmass,  ours->meansize, ours->extent,
                       ours->center[0],   ours->center[1], ours->center[2]};
  const mjtNum b[7] = {other->meaninertia, other->meanmass,  other->meansize, other->extent,
                       other->center[0],   other->center[1], other->center[2]};
  for (int i = 0; i < 7; i++) {
    assert_relative(a[i], b[i], tolerance, 1);
  }
}

static void rederive(mjModel* m, mjData* d) {
  wipe_structure(m);
  derive_tree(m);
  structure_patterns(m);
  assert_int_equal(derive_bvh(m), m->nbvh);
  wipe_constants(m);
  memset(&m->stat, 0, sizeof(m->stat));
  mj_setConst(m, d);
}

TEST(a_wiped_model_is_derived_again) {
  mjModel* m = test_model(own_xml);
  mjModel* expected = mj_copyModel(NULL, m);
  mjData* d = test_data(m);
  check_sizes(m);
  rederive(m, d);
  assert_int_equal(bridge_compare_models(m, expected, TREE SPARSE BVH CONST, tolerance), 0);
  check_statistic(&m->stat, &expected->stat);
  mj_deleteModel(expected);
}

TEST(the_reference_derives_the_same) {
  BRIDGE_OR_SKIP();
  Bridge* b = test_bridge("<mujoco>" WORLD MECHANISMS EQUALITIES "</mujoco>");
  mjModel* expected = mj_copyModel(NULL, b->m);
  mjModel* m = b->m;
  check_sizes(m);
  assert_that(derive_arena(m, (mjtSize)-1, (mjtSize)-1), ==, m->narena);

  // what setConst completes once, as the author left it
  const mjtNum ratio[5] = {(mjtNum)1.3, (mjtNum)0.7, 0, 0, (mjtNum)0.5};
  for (int u = 0; u < m->nu; u++) {
    m->actuator_biasprm[mjNBIAS * u + 2] = ratio[u];
  }
  m->tendon_lengthspring[0] = m->tendon_lengthspring[1] = -1;
  mju_zero(m->eq_data + 3, 3);
  mju_zero(m->eq_data + mjNEQDATA + 3, 7);

  rederive(m, b->d);
  assert_int_equal(
      bridge_compare_models(m, expected,
                            TREE SPARSE BVH CONST "actuator_biasprm tendon_lengthspring eq_data",
                            tolerance),
      0);
  check_statistic(&m->stat, &expected->stat);
  mj_deleteModel(expected);
}

// the definitions, without any other implementation
TEST(patterns_are_ancestors_and_descendants) {
  mjModel* m = test_model(own_xml);
  int nv = m->nv;
  char* above = calloc((size_t)(nv * nv), 1);  // [i nv + j]: j is i or an ancestor of it
  for (int i = 0; i < nv; i++) {
    for (int a = i; a >= 0; a = m->dof_parentid[a]) {
      above[i * nv + a] = 1;
    }
  }
  for (int i = 0; i < nv; i++) {
    int count = 0;
    for (int j = 0; j < nv; j++) {
      count += above[i * nv + j] || above[j * nv + i];
    }
    assert_int_equal(m->D_rownnz[i], count);
    assert_int_equal(m->D_colind[m->D_rowadr[i] + m->D_diag[i]], i);
    const int* row = m->D_colind + m->D_rowadr[i];
    for (int k = 0; k < count; k++) {
      int j = row[k], index = m->mapM2D[m->D_rowadr[i] + k];
      assert_true(above[i * nv + j] || above[j * nv + i]);
      assert_true(k == 0 || row[k - 1] < j);
      int low = i > j ? i : j, high = i > j ? j : i;
      if (index < 0) {
        assert_that(i, !=, j);
        assert_true(m->dof_simplenum[low]);
      } else {
        assert_in_range(index, m->M_rowadr[low], m->M_rowadr[low] + m->M_rownnz[low] - 1);
        assert_int_equal(m->M_colind[index], high);
      }
    }
    // the body's row in B is that of any of its dofs in D
    int b = m->dof_bodyid[i];
    assert_int_equal(m->B_rownnz[b], count);
    assert_memory_equal(m->B_colind + m->B_rowadr[b], row, (size_t)count * sizeof(int));
  }
  for (int k = 0; k < m->nC; k++) {
    assert_int_equal(m->mapM2D[m->mapD2M[k]], k);
  }
  free(above);
}

static int joint_body_simple(const char* joints) {
  char xml[600];
  snprintf(
      xml, sizeof(xml),
      "<mujoco><worldbody><body name='b'>%s<geom type='box' size='.1 .2 .3'/></body></worldbody>"
      "</mujoco>",
      joints);
  mjModel* m = test_model(xml);
  int simple = m->body_simple[1];
  test_release(m);
  return simple;
}

TEST(a_body_is_simple_if_its_inertia_stays_diagonal) {
  assert_int_equal(joint_body_simple("<freejoint/>"), 1);
  assert_int_equal(joint_body_simple("<joint type='ball'/>"), 1);
  assert_int_equal(joint_body_simple(""), 1);
  assert_int_equal(joint_body_simple("<joint type='slide' axis='0 2 0'/>"), 2);
  assert_int_equal(joint_body_simple("<joint type='slide' axis='0 2 0'/><joint axis='0 0 1'/>"), 1);
  assert_int_equal(joint_body_simple("<joint axis='0 0 1'/><joint type='slide' axis='0 1 0'/>"), 0);
  assert_int_equal(joint_body_simple("<joint type='slide' axis='0 1 1'/>"), 0);
  assert_int_equal(joint_body_simple("<joint axis='0 0 1' pos='.1 0 0'/>"), 0);
  assert_int_equal(joint_body_simple("<freejoint/><body><geom size='.1'/></body>"), 0);
  assert_int_equal(joint_body_simple("<body><geom size='.1'/></body>"), 0);
}

TEST(frames_within_a_micrometer_are_the_same) {
  const mjtNum zero[3] = {0}, one[4] = {1, 0, 0, 0}, minus[4] = {-1, 0, 0, 0};
  const mjtNum near[3] = {(mjtNum)9e-7, 0, 0}, off[3] = {0, (mjtNum)1.1e-6, 0};
  const mjtNum half[4] = {0, 1, 0, 0};
  assert_int_equal(derive_bodyframe(zero, one), mjSAMEFRAME_BODY);
  assert_int_equal(derive_bodyframe(near, minus), mjSAMEFRAME_BODY);
  assert_int_equal(derive_bodyframe(off, one), mjSAMEFRAME_BODYROT);
  assert_int_equal(derive_bodyframe(zero, half), mjSAMEFRAME_NONE);
  assert_int_equal(derive_sameframe(near, one, off, half), mjSAMEFRAME_BODY);
  assert_int_equal(derive_sameframe(off, one, off, one), mjSAMEFRAME_BODYROT);
  assert_int_equal(derive_sameframe(off, half, off, half), mjSAMEFRAME_INERTIA);
  assert_int_equal(derive_sameframe(zero, half, off, half), mjSAMEFRAME_INERTIAROT);
  assert_int_equal(derive_sameframe(off, half, off, one), mjSAMEFRAME_NONE);
}

static double coordinate(int i, int axis) {
  return fmod((i + 1) * (axis + 1) * 0.6180339887, 1) * (3 - axis);
}

// Boxes hold their children's, leaves are all things once, halves differ by at most one.
static int check_tree(const BvhNodes* t, int node, int depth, int* seen) {
  assert_int_equal(t->depth[node], depth);
  if (t->nodeid[node] >= 0) {
    assert_int_equal(t->child[2 * node], -1);
    assert_int_equal(t->child[2 * node + 1], -1);
    seen[t->nodeid[node]]++;
    return 1;
  }
  int count[2];
  for (int side = 0; side < 2; side++) {
    int child = t->child[2 * node + side];
    assert_that(child, >, node);
    count[side] = check_tree(t, child, depth + 1, seen);
    for (int k = 0; k < 3; k++) {
      const mjtNum *outer = t->aabb + 6 * node, *inner = t->aabb + 6 * child;
      assert_that(mju_abs(outer[k] - inner[k]) + inner[3 + k], <=, outer[3 + k] + (mjtNum)1e-5);
    }
  }
  assert_in_range(count[1] - count[0], 0, 1);
  return count[0] + count[1];
}

TEST(a_tree_of_boxes_holds_every_leaf_once) {
  enum {
    MOST = 300
  };
  static BvhLeaf leaf[MOST];
  static int depth[2 * MOST], child[4 * MOST], nodeid[2 * MOST], seen[MOST];
  static mjtNum aabb[12 * MOST];
  BvhNodes nodes = {depth, child, nodeid, aabb};
  assert_int_equal(bvh_build(&nodes, leaf, 0), 0);

  // spread, on a line, and all at one place (not even a number)
  for (int kind = 0; kind < 4; kind++) {
    for (int n = 1; n < MOST; n += 1 + n / 3) {
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
          mjtNum x = kind == 0 || (kind == 1 && k == 2) ? (mjtNum)coordinate(i, k) : 0;
          leaf[i].pos[k] = kind == 3 ? (mjtNum)NAN : x;
          leaf[i].lower[k] = x - (mjtNum)0.01;
          leaf[i].upper[k] = x + (mjtNum)0.01;
        }
        leaf[i].id = i;
      }
      memset(seen, 0, sizeof(seen));
      assert_int_equal(bvh_build(&nodes, leaf, n), 2 * n - 1);
      assert_int_equal(check_tree(&nodes, 0, 0, seen), n);
      for (int i = 0; i < n; i++) {
        assert_int_equal(seen[i], 1);
      }
    }
  }
}

TEST(inverse_weights_are_those_of_the_inertia_matrix) {
  mjModel* m = test_model(own_xml);
  mjData* d = test_data(m);
  int nv = m->nv;
  mju_copy(d->qpos, m->qpos0, m->nq);
  mj_forward(m, d);
  mjtNum* jac = malloc(sizeof(mjtNum) * (size_t)(12 * nv));
  mjtNum* solved = jac + 6 * nv;
  for (int b = 1; b < m->nbody; b++) {
    mj_jacBodyCom(m, d, jac, jac + 3 * nv, b);
    mj_solveM(m, d, solved, jac, 6);
    for (int part = 0; part < 2; part++) {
      double mean = 0;
      for (int r = 3 * part; r < 3 * part + 3; r++) {
        mean += (double)mju_dot(jac + r * nv, solved + r * nv, nv) / 3;
      }
      if (m->body_simple[b] == 2) {
        mean = part ? 0 : 1 / (double)m->body_mass[b];
      }
      double weight = (double)m->body_invweight0[2 * b + part];
      assert_that(fabs(weight - mean), <=, 10 * tolerance * (1 + mean));
    }
  }
  free(jac);
}

// stiffness k and damping b give the time constant and ratio that were asked for: 2 I / b and
// b / (2 sqrt(k I))
TEST(springs_and_dampers_have_their_time_constant) {
  mjModel* m = test_model(own_xml);
  mjtNum* asked = calloc((size_t)(2 * m->njnt), sizeof(mjtNum));
  mjtNum stiffness = m->jnt_stiffness[0], damping = m->dof_damping[0];
  int j = 2;  // the ball joint; the others stay
  asked[2 * j] = (mjtNum)0.2;
  asked[2 * j + 1] = (mjtNum)0.7;
  asked[1] = 1;
  derive_springdamper(m, asked);
  assert_that(m->jnt_stiffness[0], ==, stiffness);
  assert_that(m->dof_damping[0], ==, damping);

  int dof = m->jnt_dofadr[j];
  double inertia = 1 / (double)m->dof_invweight0[dof];
  double k = (double)m->jnt_stiffness[j], b = (double)m->dof_damping[dof + 2];
  assert_that(fabs(2 * inertia / b - 0.2), <, 1e-5);
  assert_that(fabs(b / (2 * sqrt(k * inertia)) - 0.7), <, 1e-5);

  // no ratio at all is the smallest: as stiff as can be
  asked[2 * j + 1] = (mjtNum)NAN;
  derive_springdamper(m, asked);
  assert_that(m->dof_damping[dof + 2], ==, (mjtNum)b);
  assert_that(fabs((double)m->jnt_stiffness[j] * mjMINVAL / inertia - 1), <, 1e-5);
  free(asked);
}

TEST(the_authors_statistics_win) {
  mjModel* m = test_model(own_xml);
  mjtNum nan = (mjtNum)NAN;
  mjStatistic before = m->stat, author = {nan, 3, nan, nan, {nan, 1, 1}};
  derive_statistic(m, &author);
  assert_that(m->stat.meanmass, ==, 3);
  assert_that(m->stat.extent, ==, before.extent);
  assert_that(m->stat.center[1], ==, before.center[1]);
  author.center[0] = 0;
  derive_statistic(m, &author);
  assert_that(m->stat.center[0], ==, 0);
  assert_that(m->stat.center[1], ==, 1);
}

TEST(an_arena_has_the_size_that_was_asked_for) {
  mjModel* m = test_model(own_xml);
  const mjtSize unset = (mjtSize)-1;
  assert_that(derive_arena(m, 12345, unset), ==, 12345u);
  assert_that(derive_arena(m, unset, 0) % (1 << 20), ==, 0u);
  assert_that(derive_arena(m, unset, 1 << 20) - derive_arena(m, unset, 0), ==, 8u << 20);
}

// An unlimited slide is pulled away for ever, a limited one from stop to stop.
TEST(a_length_range_goes_from_stop_to_stop) {
  mjModel* m = test_model(
      "<mujoco><worldbody><body><joint name='a' type='slide' axis='1 0 0' range='-.2 .3' "
      "limited='true'/>"
      "<geom size='.1'/></body><body pos='0 1 0'><joint name='b' type='slide' axis='1 0 0'/>"
      "<geom size='.1'/></body></worldbody>"
      "<actuator><motor joint='a' gear='2'/><motor joint='b'/></actuator></mujoco>");
  mjData* d = test_data(m);
  char error[200] = "";
  mjLROpt opt;
  mj_defaultLROpt(&opt);
  assert_int_equal(mj_setLengthRange(m, d, 0, &opt, error, sizeof(error)), 1);
  assert_that(m->actuator_lengthrange[1], ==, 0);  // not a muscle

  opt.mode = mjLRMODE_ALL;
  mjOption before = m->opt;
  assert_int_equal(derive_lengthranges(m, d, &opt, error, sizeof(error)), 1);
  assert_memory_equal(&m->opt, &before, sizeof(before));
  assert_that(fabs((double)m->actuator_lengthrange[0] + 0.4), <, 0.01);
  assert_that(fabs((double)m->actuator_lengthrange[1] - 0.6), <, 0.01);
  assert_non_null(strstr(error, "actuator 1"));
}

// numbers of 4.0.0
TEST(a_body_that_must_not_be_simple_has_its_whole_block) {
  static const char world[] =
      "<mujoco><worldbody><body %s><freejoint/><geom type='box' size='.1 .2 .3'/></body>"
      "<body %s pos='5 0 0'><joint type='slide'/><joint type='slide' axis='1 0 0'/>"
      "<geom size='.1'/></body></worldbody></mujoco>";
  char text[500];
  snprintf(text, sizeof(text), world, "", "");
  const mjModel* usual = test_model(text);
  assert_int_equal(usual->body_simple[1], 1);
  assert_int_equal(usual->body_simple[2], 2);
  assert_int_equal(usual->nC, 8);
  snprintf(text, sizeof(text), world, "simple='false'", "simple='false'");
  const mjModel* full = test_model(text);
  assert_int_equal(full->body_simple[0], 1);
  assert_int_equal(full->body_simple[1], 0);
  assert_int_equal(full->body_simple[2], 0);
  assert_int_equal(full->dof_simplenum[0], 0);
  assert_int_equal(full->nC, 24);
  assert_int_equal(full->nM, usual->nM);
}
