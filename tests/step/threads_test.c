// A pool of threads changes no bit of any stage: contacts, rows, islands, references and solutions
// are those of one thread, for any number of threads and room in the arena. What a program has set
// is called on its own thread.

#include <pthread.h>

#include "support/caught.h"
#include "support/models.h"

// A heap of so many things, in columns that fall on each other, an option and what else there is.
static mjModel* heap(const char* option, const char* memory, const char* thing, double apart,
                     int columns, int layers, const char* more) {
  char xml[4000];
  snprintf(xml, sizeof xml,
           "<mujoco>%s<size memory='%s'/><asset><mesh name='m' vertex='.1 0 0  0 .1 0  -.1 -.1 0  "
           "0 0 .12  .06 .06 .06  -.05 .02 -.09'/><mesh name='flat' vertex='.1 .1 .1  -.1 .1 .1  "
           ".1 -.1 .1  .1 .1 -.1  -.1 -.1 .1  -.1 .1 -.1  .1 -.1 -.1  -.1 -.1 -.1'/><hfield "
           "name='h' nrow='6' ncol='6' size='3 3 .3 .1'/></asset><worldbody><geom type='plane' "
           "size='9 9 1'/>%s<replicate count='%d' offset='0 0 %g' euler='2 3 9'><replicate "
           "count='%d' offset='%g 0 0' euler='0 0 3'><body pos='0 0 .1'><freejoint/><geom %s/>"
           "</body></replicate></replicate></worldbody></mujoco>",
           option, memory, more, layers, apart, columns, apart, thing);
  return test_model(xml);
}

static mjModel* boxes(const char* option, const char* memory) {
  return heap(option, memory, "type='box' size='.1 .08 .1'", .19, 22, 10, "");
}

#define SAME(array, n)                                                                    \
  if (alone->array && (n) > 0) {                                                          \
    assert_memory_equal(alone->array, pooled->array, (size_t)(n) * sizeof *alone->array); \
  }

// A contact ends with bytes that belong to no member.
static void same_contacts(const mjData* alone, const mjData* pooled) {
  size_t bytes = offsetof(mjContact, efc_address) + sizeof(int);
  assert_int_equal(alone->ncon, pooled->ncon);
  for (int i = 0; i < alone->ncon; i++) {
    assert_memory_equal(alone->contact + i, pooled->contact + i, bytes);
  }
}

static void same_data(const mjModel* m, const mjData* alone, const mjData* pooled) {
  same_contacts(alone, pooled);
  int rows = alone->nefc, islands = alone->nisland < mjNISLAND ? alone->nisland : mjNISLAND;
  assert_int_equal(rows, pooled->nefc);
  assert_int_equal(alone->nJ, pooled->nJ);
  assert_int_equal(alone->nisland, pooled->nisland);
  SAME(qpos, m->nq)
  SAME(qvel, m->nv)
  SAME(qacc, m->nv)
  SAME(xpos, 3 * m->nbody)
  SAME(xquat, 4 * m->nbody)
  SAME(xmat, 9 * m->nbody)
  SAME(ximat, 9 * m->nbody)
  SAME(geom_xpos, 3 * m->ngeom)
  SAME(geom_xmat, 9 * m->ngeom)
  SAME(site_xpos, 3 * m->nsite)
  SAME(site_xmat, 9 * m->nsite)
  SAME(cdof, 6 * m->nv)
  SAME(cvel, 6 * m->nbody)
  SAME(cdof_dot, 6 * m->nv)
  SAME(qfrc_bias, m->nv)
  SAME(qfrc_constraint, m->nv)
  SAME(efc_type, rows)
  SAME(efc_id, rows)
  SAME(efc_J_rownnz, rows)
  SAME(efc_J_rowadr, rows)
  SAME(efc_J_rowsuper, rows)
  SAME(efc_J, alone->nJ)
  SAME(efc_pos, rows)
  SAME(efc_margin, rows)
  SAME(efc_D, rows)
  SAME(efc_R, rows)
  SAME(efc_KBIP, 4 * rows)
  SAME(efc_diagApprox, rows)
  SAME(efc_vel, rows)
  SAME(efc_aref, rows)
  SAME(efc_b, rows)
  SAME(efc_force, rows)
  SAME(efc_state, rows)
  SAME(solver_niter, islands)
  SAME(solver_nnz, islands)
  SAME(solver, islands * mjNSOLVER)
  if (rows && mj_isSparse(m)) {
    SAME(efc_J_colind, alone->nJ)
  }
  if (alone->nisland) {
    SAME(efc_island, rows)
    SAME(iefc_type, rows)
    SAME(iefc_id, rows)
    SAME(iefc_D, rows)
    SAME(iefc_R, rows)
    SAME(iefc_J_rownnz, rows)
    SAME(iefc_J_rowadr, rows)
    SAME(iefc_J_rowsuper, rows)
  }
  if (alone->nisland && !mj_isDual(m)) {
    SAME(iefc_aref, rows)
    SAME(iefc_force, rows)
    SAME(iefc_state, rows)
  }
  for (int k = 0; k < mjNWARNING; k++) {
    assert_int_equal(alone->warning[k].number, pooled->warning[k].number);
    assert_int_equal(alone->warning[k].lastinfo, pooled->warning[k].lastinfo);
  }
  for (int k = 0; k < cndWARN_END - cndWARN_FIRST; k++) {
    assert_int_equal(alone->cnd_warning[k].number, pooled->cnd_warning[k].number);
    assert_int_equal(alone->cnd_warning[k].lastinfo, pooled->cnd_warning[k].lastinfo);
  }
}

static int most;  // contacts in same_steps_of

// Steps on one thread and with a pool of nworker more from a state after some steps.
static void same_steps_of(const mjModel* m, int nworker, int before, int steps) {
  mjData *alone = mj_makeData(m), *pooled = mj_makeData(m);
  for (int i = 0; i < before; i++) {
    mj_step(m, alone);
  }
  mj_copyData(pooled, m, alone);
  mju_threadpool(pooled, nworker);
  most = 0;
  for (int i = 0; i < steps; i++) {
    mj_step(m, alone);
    mj_step(m, pooled);
    same_data(m, alone, pooled);
    most = alone->ncon > most ? alone->ncon : most;
  }
  mj_deleteData(alone);
  mj_deleteData(pooled);
}

// ... of two, three and eight threads.
static void same_steps(mjModel* m) {
  static const int workers[] = {1, 2, 7};
  for (int i = 0; i < 3; i++) {
    same_steps_of(m, workers[i], 3, kThorough ? 10 : 1);
    assert_that(most, >, 128);
  }
  test_release(m);
}

TEST(a_heap_of_boxes) {
  same_steps(boxes("", "100M"));
  same_steps(boxes("<option cone='elliptic'/>", "100M"));
}

TEST(one_problem_instead_of_islands) {
  same_steps(heap("<option><flag island='disable'/></option>", "100M",
                  "type='box' size='.1 .08 .1'", .19, 10, 6, ""));
}

TEST(other_solvers_and_dense_rows) {
  same_steps(boxes("<option solver='CG' iterations='5'/>", "100M"));
  same_steps(heap("<option solver='PGS' iterations='3'/>", "400M", "type='box' size='.1 .08 .1'",
                  .19, 10, 5, ""));
  same_steps(heap("<option jacobian='dense' iterations='3'/>", "400M",
                  "type='box' size='.1 .08 .1'", .19, 10, 6, ""));
}

TEST(a_heap_of_meshes) {
  same_steps(heap("", "100M", "type='mesh' mesh='m'", .12, 18, 8, ""));
  same_steps(heap("<option><flag multiccd='enable'/></option>", "100M", "type='mesh' mesh='flat'",
                  .18, 12, 6, ""));
}

TEST(round_shapes_on_a_height_field) {
  static const char* const things[] = {"type='ellipsoid' size='.1 .08 .1'",
                                       "type='cylinder' size='.1 .1'",
                                       "type='capsule' size='.08 .05'"};
  for (int i = 0; i < 3; i++) {
    same_steps(heap("<option iterations='3'/>", "100M", things[i], .13, 18, 8,
                    "<geom type='hfield' hfield='h'/>"));
  }
}

// Trees of several bodies, with what hangs on them, some without joints.
TEST(many_trees) {
  mjModel* m = test_model(
      "<mujoco><size memory='100M'/><worldbody><geom type='plane' size='30 30 1'/><site pos='1 2 "
      "3'/>"
      "<replicate count='16' offset='0 1 0' euler='0 0 2'><replicate count='16' offset='1 0 0' "
      "euler='0 1 3'><body pos='0 0 .1'><freejoint/><geom size='.1'/><site pos='.1 0 0'/>"
      "<body pos='.2 0 0' euler='10 20 5'><joint axis='0 1 0' pos='-.05 0 0'/><joint type='slide' "
      "axis='1 .2 0'/><geom type='box' size='.1 .05 .05' euler='30 0 0'/><site euler='0 4 9'/>"
      "<body pos='.2 0 .02'><geom size='.05'/><site/></body></body></body><body pos='.5 .5 0'>"
      "<geom type='capsule' size='.02 .1'/></body></replicate></replicate></worldbody></mujoco>");
  assert_that(m->nbody, >, 1000);
  same_steps_of(m, 1, 3, 3);
  same_steps_of(m, 7, 3, 3);
  // of which many sleep
  m->opt.enableflags |= mjENBL_SLEEP;
  same_steps_of(m, 2, 3, 3);
}

TEST(bodies_that_sleep) {
  same_steps(boxes("<option><flag sleep='enable'/></option>", "100M"));
}

TEST(explicit_pairs_and_excludes) {
  mjSpec* spec = test_spec(
      "<mujoco><size memory='100M'/><worldbody><geom name='floor' type='plane' size='9 9 1'/>"
      "</worldbody></mujoco>");
  spec->option.iterations = 3;
  mjsBody* world = mjs_findBody(spec, "world");
  for (int i = 0; i < 160; i++) {
    char name[20];
    mjsBody* body = mjs_addBody(world, NULL);
    snprintf(name, sizeof name, "b%d", i);
    mjs_setName(body->element, name);
    body->pos[0] = .21 * (i % 16);
    body->pos[1] = .19 * ((i / 16) % 5);
    body->pos[2] = .1 + .19 * (i / 80);
    mjs_addFreeJoint(body);
    for (int k = 0; k < 2; k++) {
      mjsGeom* geom = mjs_addGeom(body, NULL);
      snprintf(name, sizeof name, "g%d.%d", i, k);
      mjs_setName(geom->element, name);
      geom->type = k ? mjGEOM_BOX : mjGEOM_SPHERE;
      geom->size[0] = geom->size[1] = geom->size[2] = .1;
      geom->pos[0] = .02 * k;
    }
  }
  for (int i = 0; i + 1 < 160; i += 3) {
    char name1[20], name2[20];
    if (i % 2) {
      snprintf(name1, sizeof name1, "g%d.0", i);
      snprintf(name2, sizeof name2, "g%d.1", i + 1);
      mjsPair* pair = mjs_addPair(spec, NULL);
      mjs_setString(pair->geomname1, name1);
      mjs_setString(pair->geomname2, name2);
    } else {
      snprintf(name1, sizeof name1, "b%d", i);
      snprintf(name2, sizeof name2, "b%d", i + 1);
      mjsExclude* exclude = mjs_addExclude(spec);
      mjs_setString(exclude->bodyname1, name1);
      mjs_setString(exclude->bodyname2, name2);
    }
  }
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  assert_that(m->npair, >, 20);
  assert_that(m->nexclude, >, 20);
  for (int workers = 1; workers < 3; workers++) {
    same_steps_of(m, workers, 2, kThorough ? 6 : 1);
    assert_that(most, >, 128);
  }
  mj_deleteModel(m);
}

TEST(a_deformable_among_boxes) {
  same_steps(heap("", "200M", "type='box' size='.1 .08 .1'", .19, 14, 8,
                  "<flexcomp name='f' type='grid' count='8 8 1' spacing='.2 .2 .2' pos='1 1 2.4' "
                  "radius='.02' dim='2'><edge equality='true'/></flexcomp>"));
}

// Where contacts or rows find no room, it is the same ones, with the same warnings.
TEST(a_full_arena) {
  static const char* const sizes[] = {"300K", "500K", "800K", "1M", "1500K", "2M", "3M", "5M"};
  mju_user_warning = silent;
  for (int i = 0; i < 8; i++) {
    mjModel* m = heap("", sizes[i], "type='box' size='.1 .08 .1'", .19, 12, 6, "");
    mjData *alone = mj_makeData(m), *pooled = mj_makeData(m);
    mju_threadpool(pooled, 2);
    for (int k = 0; k < (kThorough ? 20 : 3); k++) {
      mj_step(m, alone);
      mj_step(m, pooled);
      same_data(m, alone, pooled);
    }
    mj_deleteData(alone);
    mj_deleteData(pooled);
    test_release(m);
  }
  mju_user_warning = NULL;
}

// Warnings of threads are counted and reported as those of one are: by the caller, once.
static pthread_t warned_on;
static int warned;

static void note_warning(const char* text) {
  (void)text;
  warned_on = pthread_self();
  warned++;
}

TEST(warnings_of_contacts_are_counted) {
  mjModel* m = boxes("", "100M");
  for (int i = 1; i < m->ngeom; i += 5) {
    m->geom_solref[mjNREF * i] = -100;
    m->geom_solref[mjNREF * i + 1] = 1;
    m->geom_priority[i] = 1;
  }
  warned = 0;
  mju_user_warning = note_warning;
  same_steps_of(m, 3, 5, 4);
  mju_user_warning = NULL;
  assert_int_equal(warned, 1);  // the copy has the count of the first
  assert_true(pthread_equal(warned_on, pthread_self()));
  test_release(m);
}

// Errors of threads are the caller's.
TEST(an_error_in_a_piece_is_the_callers) {
  mjModel* m = boxes("", "100M");
  mjData* d = mj_makeData(m);
  mju_threadpool(d, 3);
  for (int i = 0; i < 5; i++) {
    mj_step(m, d);
  }
  for (int i = 100; i < m->ngeom; i++) {
    m->geom_condim[i] = 7;
  }
  assert_error(mj_step(m, d), "mj_collision: condim of the contact between geom");
  for (int i = 100; i < m->ngeom; i++) {
    m->geom_condim[i] = 3;
  }
  mj_resetData(m, d);
  mjData* fresh = mj_makeData(m);
  for (int i = 0; i < 5; i++) {
    mj_step(m, d);
    mj_step(m, fresh);
  }
  same_data(m, fresh, d);
  mj_deleteData(fresh);
  mj_deleteData(d);
  test_release(m);
}

// Callbacks, and colliders of a program, stay on the calling thread.
static pthread_t caller;
static int calls;

static int keep_odd(const mjModel* m, mjData* d, int geom1, int geom2) {
  (void)m, (void)d;
  assert_true(pthread_equal(caller, pthread_self()));
  calls++;
  return (geom1 + geom2) % 7 == 0;
}

static int no_contact(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                      mjtNum margin) {
  (void)m, (void)d, (void)con, (void)g1, (void)g2, (void)margin;
  assert_true(pthread_equal(caller, pthread_self()));
  calls++;
  return 0;
}

TEST(callbacks_stay_on_the_calling_thread) {
  mjModel* m = boxes("", "100M");
  caller = pthread_self();
  calls = 0;
  mjcb_contactfilter = keep_odd;
  same_steps_of(m, 3, 5, 2);
  mjcb_contactfilter = NULL;
  assert_that(calls, >, 500);

  calls = 0;
  mjfCollision collider = mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE];
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = no_contact;
  mjModel* spheres = heap("", "100M", "type='sphere' size='.11'", .18, 16, 8, "");
  same_steps_of(spheres, 3, 5, 2);
  mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_SPHERE] = collider;
  assert_that(calls, >, 100);
  test_release(spheres);
  test_release(m);
}

// A worker may itself step data: then it has nobody to share with.
static void* step_it(void* data) {
  const mjModel* m = ((void**)data)[0];
  for (int i = 0; i < 3; i++) {
    mj_step(m, ((void**)data)[1]);
  }
  return data;
}

TEST(a_worker_steps_alone) {
  mjModel* m = boxes("", "100M");
  mjThreadPool* pool = mju_threadPoolCreate(2);
  mjData *d = mj_makeData(m), *alone = mj_makeData(m);
  mju_bindThreadPool(d, pool);
  void* both[2] = {m, d};
  mjTask task;
  mju_defaultTask(&task);
  task.func = step_it;
  task.args = both;
  mju_threadPoolEnqueue(pool, &task);
  mju_taskJoin(&task);
  for (int i = 0; i < 3; i++) {
    mj_step(m, alone);
  }
  same_data(m, alone, d);
  mj_deleteData(d);
  mj_deleteData(alone);
  mju_threadPoolDestroy(pool);
  test_release(m);
}
