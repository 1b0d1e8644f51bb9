// Trees of the same shape side by side have the numbers that they have one by one, in every stage,
// whatever differs between them, whoever their neighbours are and however many there are.

#include "smooth/alike/alike.h"

#include <condyle/behaviour.h>

#include "support/load.h"
#include "support/near.h"
#include "support/random.h"
#include "support/test.h"

// trees of every joint, with frames of every kind; each with its number of copies

#define LEG(x, y)                                                       \
  "<body pos='" x " " y                                                 \
  " 0'><joint axis='1 2 0' range='-60 60' damping='.5' stiffness='5'/>" \
  "<geom type='capsule' fromto='0 0 0 " x " " y " -.2' size='.03'/><geom size='.02'/></body>"
#define LEGGED                                                                      \
  "<body pos='0 0 .4'><freejoint/><geom size='.1'/>" LEG(".1", "0") LEG("-.1", "0") \
      LEG("0", ".1") "<site/></body>"
#define ARM                                                                              \
  "<body><joint type='ball' pos='.1 0 .1' damping='.1' stiffness='2'/><geom type='box' " \
  "size='.1 .05 .02' pos='.1 0 0' euler='10 20 30'/><body pos='.2 0 0' euler='0 40 0'>"  \
  "<joint type='slide' axis='0 1 1'/><joint axis='1 0 0' pos='0 .1 0' armature='.02'/>"  \
  "<geom type='box' size='.1 .1 .02' euler='0 0 45'/><body><geom size='.1'/></body></body></body>"
#define BOX "<body pos='0 0 2'><freejoint/><geom type='box' size='.1 .2 .3'/></body>"
#define HAMMER \
  "<body pos='0 0 3'><freejoint/><geom size='.1'/><geom size='.05' pos='.3 .1 0'/></body>"
#define CART                                                                   \
  "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>" \
  "<joint axis='0 0 1'/><geom size='.1' pos='.1 0 .1'/></body>"
#define LINK(inner)                                                                               \
  "<body pos='.1 0 0' euler='0 0 5'><joint axis='0 1 .2'/><geom size='.03' pos='.05 0 0'/>" inner \
  "</body>"
#define FOUR(inner) LINK(LINK(LINK(LINK(inner))))
#define CHAIN FOUR(FOUR(FOUR(FOUR(FOUR("")))))
#define QUIET "<mujoco><option><flag contact='disable'/></option><worldbody>"
#define SOME(count, thing) "<replicate count='" count "' offset='0 3 0'>" thing "</replicate>"

// shapes take turns, the last group of each is not full, and most plain bodies lie between groups
static const char crowd[] =
    "<mujoco><option><flag contact='disable'/></option><default><geom density='200'/></default>"
    "<worldbody><body mocap='true' name='m'><geom size='.1' contype='0' conaffinity='0'/>"
    "<body pos='0 0 1'><joint/><geom size='.1' pos='.1 0 0'/></body></body>" SOME("3", LEGGED)
        SOME("3", ARM) SOME("2", LEGGED) SOME("4", BOX) SOME("9", HAMMER) SOME("6", CART)
            SOME("2", ARM) SOME("2", LEGGED) SOME("4", CHAIN) SOME("1", CHAIN)
                SOME("2", CART) "</worldbody></mujoco>";

// A model with groups, also where they don't pay.
static mjModel* grouped(const char* xml) {
  mjModel* m = test_model(xml);
  alike_find(m);
  return m;
}

// Other numbers for every tree, all that keeps its shape.
static void vary(mjModel* m, uint64_t* seed) {
  for (int i = 1; i < m->nbody; i++) {
    m->body_mass[i] *= (mjtNum)uniform_between(seed, 0.5, 1.5);
    for (int k = 0; k < 3; k++) {
      m->body_inertia[3 * i + k] *= (mjtNum)uniform_between(seed, 0.8, 1.2);
      m->body_pos[3 * i + k] += (mjtNum)uniform_between(seed, -0.1, 0.1);
    }
    for (int k = 0; k < 4; k++) {
      m->body_quat[4 * i + k] += (mjtNum)uniform_between(seed, -0.2, 0.2);
    }
    mju_normalize4(m->body_quat + 4 * i);
    m->body_sameframe[i] = i % 3 ? m->body_sameframe[i] : mjSAMEFRAME_NONE;
  }
  for (int j = 0; j < m->njnt; j++) {
    m->jnt_stiffness[j] += (mjtNum)(j % 2);
    for (int k = 0; k < 3 && j % 4 == 1; k++) {
      m->jnt_pos[3 * j + k] += (mjtNum)uniform_between(seed, -0.1, 0.1);
    }
  }
  for (int i = 0; i < m->ngeom; i++) {
    m->geom_sameframe[i] = i % 5 ? m->geom_sameframe[i] : mjSAMEFRAME_NONE;
  }
  for (int i = 0; i < m->nv; i++) {
    m->dof_armature[i] += i % 3 ? 0 : (mjtNum)0.1;
    m->dof_damping[i] += (mjtNum)(i % 4) / 10;
  }
}

static void move(const mjModel* m, mjData* d, uint64_t* seed) {
  for (int i = 0; i < m->nq; i++) {
    d->qpos[i] += (mjtNum)uniform_between(seed, -1, 1);
  }
  for (int i = 0; i < m->nv; i++) {
    d->qvel[i] = (mjtNum)uniform_between(seed, -1, 1);
    d->qacc[i] = (mjtNum)uniform_between(seed, -9, 9);
    d->qfrc_applied[i] = (mjtNum)uniform_between(seed, -0.01, 0.01);
  }
}

// The same model without groups.
static mjModel* one_by_one(const mjModel* m) {
  mjModel* alone = test_own_model(mj_copyModel(NULL, m));
  alone->cnd_ngroup = 0;
  return alone;
}

#define SAME(array, n) assert_numbers(a->array, b->array, n, rounding(1e-13), 1)

static void same_positions(const mjModel* m, const mjData* a, const mjData* b) {
  SAME(xanchor, 3 * m->njnt);
  SAME(xaxis, 3 * m->njnt);
  SAME(xpos, 3 * m->nbody);
  SAME(xquat, 4 * m->nbody);
  SAME(xmat, 9 * m->nbody);
  SAME(xipos, 3 * m->nbody);
  SAME(ximat, 9 * m->nbody);
  SAME(xiquat, 4 * m->nbody);
  SAME(geom_xpos, 3 * m->ngeom);
  SAME(geom_xmat, 9 * m->ngeom);
  SAME(geom_xquat, 4 * m->ngeom);
  SAME(site_xpos, 3 * m->nsite);
  SAME(site_xmat, 9 * m->nsite);
}

static void same_rest(const mjModel* m, const mjData* a, const mjData* b) {
  SAME(subtree_com, 3 * m->nbody);
  SAME(cdof, 6 * m->nv);
  SAME(cinert, 10 * m->nbody);
  SAME(crb, 10 * m->nbody);
  SAME(M, m->nC);
  SAME(qM, m->nM);
  SAME(qLD, m->nC);
  SAME(qLDiagInv, m->nv);
  SAME(cvel, 6 * m->nbody);
  SAME(cdof_dot, 6 * m->nv);
  SAME(qfrc_passive, m->nv);
  SAME(qfrc_bias, m->nv);
  SAME(qacc_smooth, m->nv);
}

// Two data in the same state, of models with and without groups.
typedef struct {
  mjModel *m, *alone;
  mjData *a, *b;
} Pair;

static Pair make_pair(const char* xml, uint64_t seed) {
  Pair p = {.m = grouped(xml)};
  vary(p.m, &seed);
  mj_setConst(p.m, test_data(p.m));
  p.alone = one_by_one(p.m);
  assert_that(p.m->cnd_ngroup, >, 0);
  p.a = test_data(p.m);
  move(p.m, p.a, &seed);
  p.b = test_own_data(mj_copyData(NULL, p.alone, p.a), p.alone);
  return p;
}

TEST(stages_called_one_by_one_are_those_of_single_trees) {
  Pair p = make_pair(crowd, 1);
  mjtNum *ra = test_data(p.m)->qacc, *rb = test_data(p.m)->qacc;
  for (int k = 0; k < 2; k++) {
    const mjModel* m = k ? p.alone : p.m;
    mjData* d = k ? p.b : p.a;
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_makeM(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_passive(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    mj_fwdAcceleration(m, d);
    mj_rne(m, d, 1, k ? rb : ra);
  }
  same_positions(p.m, p.a, p.b);
  same_rest(p.m, p.a, p.b);
  assert_numbers(ra, rb, p.m->nv, rounding(1e-13), 1);
}

// Quaternions of any length, and exactly the bits of single trees where nothing may be fused.
TEST(poses_have_the_same_bits) {
  for (uint64_t seed = 2; seed < 6; seed++) {
    Pair p = make_pair(crowd, seed);
    p.m->opt.behaviour = p.alone->opt.behaviour = seed % 2 ? 1 << cndBEHAVIOUR_gjkepa : 0;
    mj_kinematics(p.m, p.a);
    mj_kinematics(p.alone, p.b);
    same_positions(p.m, p.a, p.b);
    assert_memory_equal(p.a->xmat, p.b->xmat, 9 * (size_t)p.m->nbody * sizeof(mjtNum));
    assert_memory_equal(p.a->xipos, p.b->xipos, 3 * (size_t)p.m->nbody * sizeof(mjtNum));
    assert_memory_equal(p.a->geom_xmat, p.b->geom_xmat, 9 * (size_t)p.m->ngeom * sizeof(mjtNum));
  }
}

// steps

static void same_steps(Pair* p, int n) {
  for (int i = 0; i < n; i++) {
    mj_step(p->m, p->a);
    mj_step(p->alone, p->b);
  }
  assert_that(p->a->warning[mjWARN_BADQACC].number, ==, 0);
  assert_numbers(p->a->qpos, p->b->qpos, p->m->nq, rounding(1e-9), 1);
  assert_numbers(p->a->qvel, p->b->qvel, p->m->nv, rounding(1e-8), 1);
}

TEST(steps_of_every_integrator_are_those_of_single_trees) {
  static const int integrator[] = {mjINT_EULER, mjINT_RK4, mjINT_IMPLICITFAST, mjINT_IMPLICIT};
  for (int i = 0; i < 4; i++) {
    Pair p = make_pair(crowd, 7 + (uint64_t)i);
    p.m->opt.integrator = p.alone->opt.integrator = integrator[i];
    p.m->opt.timestep = p.alone->opt.timestep = (mjtNum)0.0001;
    same_steps(&p, 20);
  }
}

TEST(disabled_flags_are_heeded) {
  static const int flag[] = {mjDSBL_GRAVITY, mjDSBL_SPRING, mjDSBL_DAMPER, mjDSBL_EULERDAMP};
  for (int i = 0; i < 4; i++) {
    Pair p = make_pair(crowd, 11 + (uint64_t)i);
    p.m->opt.disableflags |= flag[i];
    p.alone->opt.disableflags |= flag[i];
    same_steps(&p, 5);
  }
}

// A tree may have any neighbours: it has the same bits in groups of others.
TEST(a_tree_has_the_same_bits_in_any_lane) {
  enum {
    FROM = 3,
    TO = 4 + 6
  };
  mjModel* m = grouped(QUIET SOME("5", ARM) "</worldbody></mujoco>");
  mjModel* other = grouped(QUIET SOME("4", HAMMER) SOME("9", ARM) "</worldbody></mujoco>");
  mjData *a = test_data(m), *b = test_data(other);
  uint64_t seed = 5;
  move(m, a, &seed);
  move(other, b, &seed);
  int body = m->tree_bodyadr[FROM], dof = m->tree_dofadr[FROM], nv = m->tree_dofnum[FROM];
  int to = other->tree_bodyadr[TO], to_dof = other->tree_dofadr[TO];
  int qpos = m->jnt_qposadr[m->dof_jntid[dof]],
      to_qpos = other->jnt_qposadr[other->dof_jntid[to_dof]];
  mju_copy3(other->body_pos + 3 * to, m->body_pos + 3 * body);
  mju_copy(b->qpos + to_qpos, a->qpos + qpos, nv + 1);
  mju_copy(b->qvel + to_dof, a->qvel + dof, nv);
  mju_copy(b->qfrc_applied + to_dof, a->qfrc_applied + dof, nv);
  mj_forward(m, a);
  mj_forward(other, b);
  size_t bytes = (size_t)nv * sizeof(mjtNum);
  assert_memory_equal(a->qfrc_bias + dof, b->qfrc_bias + to_dof, bytes);
  assert_memory_equal(a->qacc + dof, b->qacc + to_dof, bytes);
  assert_memory_equal(a->cdof + 6 * dof, b->cdof + 6 * to_dof, 6 * bytes);
}

TEST(threads_change_no_bit) {
  mjModel* m =
      grouped(QUIET SOME("60", LEGGED) SOME("61", ARM) SOME("63", HAMMER) "</worldbody></mujoco>");
  mjData *a = test_data(m), *b = test_data(m);
  uint64_t seed = 3;
  move(m, a, &seed);
  mj_copyData(b, m, a);
  mju_threadpool(b, 3);
  for (int i = 0; i < 5; i++) {
    mj_step(m, a);
    mj_step(m, b);
  }
  size_t numbers = sizeof(mjtNum);
  assert_memory_equal(a->qpos, b->qpos, (size_t)m->nq * numbers);
  assert_memory_equal(a->qvel, b->qvel, (size_t)m->nv * numbers);
  assert_memory_equal(a->qLD, b->qLD, (size_t)m->nC * numbers);
  assert_memory_equal(a->geom_xmat, b->geom_xmat, 9 * (size_t)m->ngeom * numbers);
  assert_memory_equal(a->site_xpos, b->site_xpos, 3 * (size_t)m->nsite * numbers);
}

// sleep

static const char field[] =
    "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='9 9 1'/>"
    "<replicate count='6' offset='0 1 0'><body pos='0 0 .05'><freejoint/><geom type='box' "
    "size='.1 .1 .05'/><body pos='0 0 .05'><joint axis='1 0 0' damping='1' stiffness='9'/>"
    "<geom type='box' size='.02 .02 .1' pos='0 0 .1'/></body></body></replicate>"
    "</worldbody></mujoco>";

TEST(what_sleeps_stays_and_the_others_share_groups) {
  Pair p = {.m = grouped(field)};
  p.alone = one_by_one(p.m);
  p.a = test_data(p.m);
  p.b = test_data(p.alone);
  assert_that(p.m->cnd_ngroup, ==, 2);
  for (int i = 0; i < 600 && p.a->ntree_awake; i++) {
    mj_step(p.m, p.a);
    mj_step(p.alone, p.b);
    assert_that(p.a->ntree_awake, ==, p.b->ntree_awake);
  }
  assert_that(p.a->ntree_awake, ==, 0);
  mjtNum* asleep = test_data(p.m)->qpos;
  mju_copy(asleep, p.a->qpos, p.m->nq);
  // the first and the last are pushed
  for (int k = 0; k < 2; k++) {
    mjData* d = k ? p.b : p.a;
    d->qvel[0] = d->qvel[p.m->nv - 7] = 1;
    d->qfrc_applied[2] = d->qfrc_applied[p.m->nv - 5] = 1;
  }
  same_steps(&p, 20);
  assert_that(p.a->ntree_awake, ==, 2);
  assert_that(p.a->cnd_ngroup, ==, 1);
  same_positions(p.m, p.a, p.b);
  same_rest(p.m, p.a, p.b);
  assert_memory_equal(p.a->qpos + 8, asleep + 8, (size_t)(p.m->nq - 16) * sizeof(mjtNum));
  assert_that(mju_abs(p.a->qpos[0] - asleep[0]), >, 0);
}
