// Sums of wrenches over the tree, against Jacobians and differences of them.

#include "derivative/tree/coupling.h"

#include "derivative/tree/twist_rates.h"

// Y += scale J' A R for 6 x nv matrices.
static void add_sandwich(mjtNum* Y, const Scene* s, const mjtNum* J, const mjtNum A[36],
                         const mjtNum* R, mjtNum scale) {
  mjtNum *AR = scene_zeros(s, 6 * s->nv), *product = scene_zeros(s, s->nv * s->nv);
  mju_mulMatMat(AR, A, R, 6, 6, s->nv);
  mju_mulMatTMat(product, J, AR, 6, s->nv, s->nv);
  mju_addToScl(Y, product, scale, s->nv * s->nv);
}

// F_q, F_v and H of a coupling by their definition.
static void expect(mjtNum* F[3], const Scene* s, const Coupling* c, const mjtNum point[3],
                   const mjtNum* x) {
  mjtNum *J[2], *rate[2][2], *G = scene_zeros(s, s->nv * s->nv);
  for (int a = 0; a < 2; a++) {
    Seen seen = {.body = c->body[a], .wrench = c->wrench[a]};
    mju_copy3(seen.point, point);
    J[a] = scene_zeros(s, 6 * s->nv);
    body_twists(J[a], s->m, s->d, c->body[a], point);
    for (int i = 0; i < 2; i++) {
      rate[a][i] = scene_zeros(s, 6 * s->nv);
      seen.z = i ? s->d->qvel : x;
      twist_rates(rate[a][i], s, &seen, J[a]);
    }
    differences_by_dofs(G, seen_force, &seen, s->m, s->d, s->nv, (mjtNum)1e-3);
    mju_addTo(F[0], G, s->nv * s->nv);
  }
  for (int a = 0; a < 2; a++) {
    for (int b = 0; b < 2; b++) {
      const CouplingBlock* block = &c->block[a][b];
      add_sandwich(F[0], s, J[a], block->move, J[b], 1);
      add_sandwich(F[0], s, J[a], block->stiff, rate[b][0], -1);
      add_sandwich(F[0], s, J[a], block->damp, rate[b][1], -1);
      add_sandwich(F[1], s, J[a], block->damp, J[b], -1);
      add_sandwich(F[2], s, J[a], block->stiff, J[b], 1);
    }
  }
}

// The stiffness comes from a cost: it is symmetric.
static void make_coupling(Coupling* c, const Scene* s, const char* body1, const char* body2) {
  uint64_t seed = 2;
  c->body[0] = scene_id(s, mjOBJ_BODY, body1);
  c->body[1] = scene_id(s, mjOBJ_BODY, body2);
  random_fill(c->block[0][0].move, sizeof(c->block) / sizeof(mjtNum), &seed);
  random_fill(c->wrench[0], 12, &seed);
  for (int i = 0; i < 36; i++) {
    int across = i % 6 * 6 + i / 6;
    for (int a = 0; a < 2; a++) {
      c->block[a][a].stiff[i] = c->block[a][a].stiff[across];
    }
    c->block[1][0].stiff[i] = c->block[0][1].stiff[across];
  }
}

// Bodies of one chain, of two branches, of two trees, and beside the world.
static const char* const kPairs[4][2] = {
    {"base", "wrist"}, {"wrist", "shin"}, {"shin", "crate"}, {"world", "arm"}};

TEST(sums_are_those_of_jacobians) {
  DOUBLE_ONLY();
  const mjtNum point[3] = {(mjtNum)0.4, (mjtNum)0.2, (mjtNum)0.9};
  for (int pair = 0; pair < 4; pair++) {
    Scene s = scene_make(ZOO_XML, 1);
    int n = s.nv * s.nv;
    const mjtNum* x = scene_numbers(&s, s.nv, 9);
    mjtNum *F[3], *expected[3];
    for (int i = 0; i < 3; i++) {
      F[i] = scene_zeros(&s, n);
      expected[i] = scene_zeros(&s, n);
    }
    Coupling c;
    make_coupling(&c, &s, kPairs[pair][0], kPairs[pair][1]);
    expect(expected, &s, &c, point, x);
    Couplings of = couplings_make(s.m, s.d, x, F[0], F[1], F[2]);
    couplings_add(&of, &c, point);
    couplings_finish(&of);
    assert_numbers(F[1], expected[1], n, 1e-11, 1);
    assert_numbers(F[2], expected[2], n, 1e-11, 1);
    assert_numbers(F[0], expected[0], n, 1e-8, 1);
    scene_free(&s);
  }
}

TEST(pieces_add_up_to_the_whole) {
  DOUBLE_ONLY();
  Scene s = scene_make(ZOO_XML, 1);
  const mjtNum point[3] = {(mjtNum)0.4, (mjtNum)0.2, (mjtNum)0.9};
  const mjtNum* x = scene_numbers(&s, s.nv, 9);
  int n = s.nv * s.nv;
  mjtNum* F[3][3];
  for (int i = 0; i < 9; i++) {
    F[i / 3][i % 3] = scene_zeros(&s, n);
  }
  Coupling c, copy;
  make_coupling(&c, &s, "wrist", "shin");
  Couplings of[3] = {couplings_make(s.m, s.d, x, F[0][0], F[0][1], F[0][2]),
                     couplings_make(s.m, s.d, x, F[1][0], F[1][1], F[1][2]),
                     couplings_make(s.m, s.d, x, NULL, NULL, F[2][2])};
  for (int i = 0; i < 3; i++) {
    copy = c;
    if (i != 1) {
      couplings_add(&of[i], &copy, point);
    } else {
      for (int k = 0; k < 4; k++) {
        couplings_add_block(&of[i], c.body[k / 2], c.body[k % 2], &copy.block[k / 2][k % 2], point);
      }
      couplings_add_wrench(&of[i], c.body[0], c.wrench[0], point);
      couplings_add_wrench(&of[i], c.body[1], c.wrench[1], point);
    }
    couplings_finish(&of[i]);
  }
  for (int k = 0; k < 3; k++) {
    assert_numbers(F[1][k], F[0][k], n, 1e-12, 1);
  }
  assert_numbers(F[2][2], F[0][2], n, 1e-12, 1);
  scene_free(&s);
}

TEST(twists_move_to_a_point_with_the_arm_to_it) {
  Scene s = scene_make(ZOO_XML, 1);
  int body = scene_id(&s, mjOBJ_BODY, "wrist");
  const mjtNum point[3] = {1, 2, 3};
  mjtNum *J = scene_zeros(&s, 6 * s.nv), out[6], expected[6];
  Twists V = twists_make(s.m, s.d, s.d->qvel);
  twist_at(out, s.m, s.d, body, V.body + 6 * body, point);
  body_twists(J, s.m, s.d, body, point);
  mju_mulMatVec(expected, J, s.d->qvel, 6, s.nv);
  assert_close(out, expected, 6, 1e-12);
  scene_free(&s);
}
