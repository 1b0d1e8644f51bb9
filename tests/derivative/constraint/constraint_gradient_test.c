// Derivatives of constraint forces by parameters of contacts and dry friction, against differences.

#include "derivative/partials.h"

static const char kScene[] =
    "<mujoco><option impratio='3'/><worldbody><geom type='plane' size='3 3 .1' pos='0 0 .01' "
    "euler='4 3 0' condim='6' friction='.7 .02 .01'/>"
    "<body pos='0 0 .1'><freejoint/><geom size='.1' pos='.01 .02 0' friction='.9 .01 .02'/></body>"
    "<body pos='1 0 .06'><freejoint/><geom type='capsule' size='.1 .2' pos='.01 0 0' "
    "euler='30 60 0' friction='.2 .01 .02'/></body>"
    "<body pos='-1 0 .04'><freejoint/><geom type='ellipsoid' size='.1 .2 .15' pos='.01 0 0' "
    "euler='30 60 0' priority='1'/></body>"
    "<body pos='-1 1 .12'><freejoint/><geom type='box' size='.1 .2 .15' pos='.01 0 0' "
    "euler='30 60 0'/></body><body pos='0 1 .08'><freejoint/><geom type='cylinder' size='.1 .1' "
    "pos='.01 0 0' euler='30 60 0'/></body>"
    "<body pos='0 -1 1'><joint type='slide' axis='0 0 1' frictionloss='3'/>"
    "<joint name='t' type='slide' axis='0 1 0' frictionloss='.01'/><geom name='a' size='.1' "
    "pos='.02 .01 0'/></body><body pos='.02 -1.1 1.15'><freejoint/><geom name='b' type='capsule' "
    "size='.1 .1' pos='.02 0 0' euler='80 0 20'/></body></worldbody>"
    "<tendon><fixed frictionloss='.02'><joint joint='t' coef='2'/></fixed></tendon>"
    "<contact><pair geom1='b' geom2='a' condim='4' friction='.4 .8 .02 .01 "
    ".03'/></contact></mujoco>";

// lambda . F of the model as it is now.
static mjtNum power(Partials* p, const mjtNum* lambda) {
  mjtNum* F = mju_malloc(p->m->nv * sizeof(mjtNum));
  partials_force(F, p, p->x);
  mjtNum sum = mju_dot(F, lambda, p->m->nv);
  mju_free(F);
  return sum;
}

// Its difference by n numbers, or by small turns of n/3 quaternions if turned.
static void compare(const char* label, mjtNum* parameter, int n, int turned, mjtNum h,
                    const mjtNum* gradient, Partials* p, const mjtNum* lambda) {
  double largest = largest_of(gradient, n);
  assert_that(largest, >, 0);
  for (int i = 0; i < n; i++) {
    mjtNum value[4], before[4];
    mjtNum* at = turned ? parameter + i / 3 * 4 : parameter + i;
    mju_copy(before, at, turned ? 4 : 1);
    for (int k = 0; k < 4; k++) {
      mjtNum step = (k < 2 ? h : h / 2) * (k % 2 ? -1 : 1), axis[3] = {0, 0, 0};
      axis[i % 3] = 1;
      if (turned) {
        mju_quatIntegrate(at, axis, step);
      } else {
        *at += step;
      }
      value[k] = power(p, lambda);
      mju_copy(at, before, turned ? 4 : 1);
    }
    mjtNum wide = (value[0] - value[1]) / (2 * h), narrow = (value[2] - value[3]) / h;
    if (near_apart(label, gradient[i] / largest, (4 * narrow - wide) / 3 / largest, 1e-6)) {
      fail_msg("%s, number %d", label, i);
    }
  }
}

TEST(parameters_agree_with_differences) {
  DOUBLE_ONLY();
  mjModel* m = test_model(kScene);
  // frames of bodies would stand for those of geoms
  memset(m->geom_sameframe, 0, (size_t)m->ngeom);
  Partials p = {.m = m, .d = mj_makeData(m), .work = mj_makeData(m)};
  int nv = m->nv, ng = m->ngeom;
  mjtNum* x = mju_malloc((5 * nv + 13 * ng + 10) * sizeof(mjtNum));
  for (int cone = 0; cone < 2; cone++) {
    m->opt.cone = cone;
    mj_resetData(m, p.d);
    partials_seed = 5;
    partials_scatter(m, p.d, 0.02, 0.3);
    mj_forward(m, p.d);
    assert_that(p.d->ncon, >=, 8);
    mjtNum *lambda = x + nv, *rate = lambda + nv, *g = rate + 3 * nv;
    ConstraintGradient gradient = {.geom_friction = g,
                                   .geom_pos = g + 3 * ng,
                                   .geom_turn = g + 6 * ng,
                                   .geom_size = g + 9 * ng,
                                   .pair_friction = g + 12 * ng,
                                   .tendon_frictionloss = g + 12 * ng + 5,
                                   .dof_frictionloss = NULL};
    mjtNum* loss = mju_malloc(nv * sizeof(mjtNum));
    gradient.dof_frictionloss = loss;
    mju_zero(rate, 3 * nv + 12 * ng + 6);
    mju_zero(loss, nv);
    for (int i = 0; i < nv; i++) {
      lambda[i] = (mjtNum)sin(1 + 3 * i);
      x[i] = p.d->qacc[i] * (mjtNum)0.9;
    }
    p.x = x;
    constraint_vjp(m, p.d, x, NULL, lambda, rate, rate + nv, rate + 2 * nv, &gradient);
    mju_copy(p.work->qpos, p.d->qpos, m->nq);
    mju_copy(p.work->qvel, p.d->qvel, nv);
    compare("friction", m->geom_friction, 3 * ng, 0, 1e-4, gradient.geom_friction, &p, lambda);
    compare("place", m->geom_pos, 3 * ng, 0, 1e-4, gradient.geom_pos, &p, lambda);
    compare("turn", m->geom_quat, 3 * ng, 1, 1e-4, gradient.geom_turn, &p, lambda);
    compare("size", m->geom_size, 3 * ng, 0, 1e-4, gradient.geom_size, &p, lambda);
    compare("friction of a pair", m->pair_friction, 5, 0, 1e-4, gradient.pair_friction, &p, lambda);
    int dof = m->jnt_dofadr[mj_name2id(m, mjOBJ_JOINT, "t")] - 1;
    compare("dry friction", m->dof_frictionloss + dof, 2, 0, 5e-3, loss + dof, &p, lambda);
    compare("dry friction of a tendon", m->tendon_frictionloss, 1, 0, 5e-3,
            gradient.tendon_frictionloss, &p, lambda);
    mju_free(loss);
  }
  mju_free(x);
  mj_deleteData(p.d);
  mj_deleteData(p.work);
}

// Equal frictions of two geoms count by halves; boxes on boxes have no derivative by size.
TEST(shared_and_unknown_parameters) {
  DOUBLE_ONLY();
  mjModel* m = test_model(
      "<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .1 .1'/>"
      "</body><body pos='.02 .01 .19' euler='5 4 0'><freejoint/><geom type='box' "
      "size='.1 .1 .1'/></body></worldbody></mujoco>");
  mjData* d = test_data(m);
  mjtNum lambda[12], rate[36] = {0}, friction[6] = {0}, size[6] = {0};
  for (int i = 0; i < 12; i++) {
    lambda[i] = (mjtNum)sin(i);
    d->qvel[i] = (mjtNum)cos(i);
  }
  mj_forward(m, d);
  assert_that(d->nefc, >, 0);
  ConstraintGradient gradient = {.geom_friction = friction};
  constraint_vjp(m, d, d->qacc, NULL, lambda, rate, rate + 12, rate + 24, &gradient);
  assert_that(friction[0], !=, 0);
  assert_numbers(friction, friction + 3, 3, 1e-12, 1e-9);
  gradient.geom_size = size;
  assert_error(constraint_vjp(m, d, d->qacc, NULL, lambda, rate, rate + 12, rate + 24, &gradient),
               "no derivative by the sizes of geoms 0 and 1");
}
