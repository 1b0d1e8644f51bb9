// Nothing that steps asks the heap for memory: every allocation function of the C library and both
// hooks of the interface are counted while models fall, collide and rest.

#include <errno.h>

#include "base/system/machine.h"
#include "support/models.h"

// a sanitizer brings its own allocator, which must not be replaced: there the hooks alone count
#if defined(__GLIBC__) && !defined(CONDYLE_SANITIZED)
#define INTERPOSE 1
#else
#define INTERPOSE 0
#endif

static int counting;
static long calls;

static inline void count(void) {
  calls += counting;
}

#if INTERPOSE
#include <malloc.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);

void* malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void* calloc(size_t n, size_t size) {
  count();
  return __libc_calloc(n, size);
}

void* realloc(void* block, size_t size) {
  count();
  return __libc_realloc(block, size);
}

void free(void* block) {
  count();
  __libc_free(block);
}

void* memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** block, size_t alignment, size_t size) {
  count();
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}
#endif

static void* counted_malloc(size_t size) {
  count();
  return system_takealigned(64, (size + 63) / 64 * 64);
}

static void counted_free(void* block) {
  count();
  system_freealigned(block);
}

// Heap calls of so many steps with random controls.
static long heap_calls(const mjModel* m, mjData* d, int steps) {
  uint64_t seed = 1;
  calls = 0;
  counting = 1;
  for (int i = 0; i < steps; i++) {
    for (int k = 0; k < m->nu; k++) {
      d->ctrl[k] = uniform_random(&seed);
    }
    mj_step(m, d);
  }
  counting = 0;
  return calls;
}

TEST(the_counter_counts) {
  calls = 0;
  counting = 1;
  mjData* d = NULL;
  mjModel* m = our_model(kChain);
  d = m ? mj_makeData(m) : NULL;
  counting = 0;
  mj_deleteData(d);
  test_release(m);
#if INTERPOSE
  assert_that(calls, >, 10);
#endif
  mju_user_malloc = counted_malloc;
  mju_user_free = counted_free;
  calls = 0;
  counting = 1;
  mju_free(mju_malloc(10));
  counting = 0;
  mju_user_malloc = NULL;
  mju_user_free = NULL;
  assert_that(calls, >=, 2);
}

// The model steps with and without the hooks, with every integrator, solver and cone.
static void steps_without_heap(const char* model, int steps) {
  static const struct {
    int integrator, solver, cone, jacobian;
  } settings[] = {
      {mjINT_EULER, mjSOL_NEWTON, mjCONE_PYRAMIDAL, mjJAC_AUTO},
      {mjINT_EULER, mjSOL_NEWTON, mjCONE_ELLIPTIC, mjJAC_SPARSE},
      {mjINT_IMPLICITFAST, mjSOL_CG, mjCONE_PYRAMIDAL, mjJAC_DENSE},
      {mjINT_IMPLICIT, mjSOL_NEWTON, mjCONE_ELLIPTIC, mjJAC_DENSE},
      {mjINT_RK4, mjSOL_PGS, mjCONE_PYRAMIDAL, mjJAC_SPARSE},
      {mjINT_DISCRETE, mjSOL_NEWTON, mjCONE_ELLIPTIC, mjJAC_SPARSE},
      {mjINT_DISCRETE, mjSOL_PGS, mjCONE_PYRAMIDAL, mjJAC_DENSE},
  };
  for (int hooks = 0; hooks < 2; hooks++) {
    mju_user_malloc = hooks ? counted_malloc : NULL;
    mju_user_free = hooks ? counted_free : NULL;
    mjModel* m = our_model(model);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
      if (m->nflex && settings[i].integrator == mjINT_DISCRETE) {
        continue;  // springs of edges
      }
      mjData* d = test_data(m);
      m->opt.integrator = settings[i].integrator;
      m->opt.solver = settings[i].solver;
      m->opt.cone = settings[i].cone;
      m->opt.jacobian = settings[i].jacobian;
      long found = heap_calls(m, d, i == 0 ? steps : steps / 10);
      if (found) {
        print_error("%s, setting %zu: %ld heap calls\n", model, i, found);
      }
      assert_int_equal(found, 0);
    }
    test_release(m);
  }
  mju_user_malloc = NULL;
  mju_user_free = NULL;
}

TEST(humanoid_steps_without_heap) {
  steps_without_heap(kHumanoid, kThorough ? 5000 : 500);
}

TEST(chain_steps_without_heap) {
  steps_without_heap(kChain, kThorough ? 5000 : 500);
}

TEST(limits_step_without_heap) {
  steps_without_heap(kLimits, kThorough ? 5000 : 500);
}

TEST(rubble_steps_without_heap) {
  steps_without_heap(kRubble, kThorough ? 5000 : 500);
}

// height fields and meshes, with both searches for contacts of convex shapes
TEST(marbles_step_without_heap) {
  steps_without_heap(CONDYLE_SOURCE_DIR "/tests/models/hfield_marbles.xml", 500);
  steps_without_heap(CONDYLE_SOURCE_DIR "/tests/models/hfield_legacy.xml", 500);
}

TEST(skins_are_felt_without_heap) {
  steps_without_heap(CONDYLE_SOURCE_DIR "/tests/models/sensor_tactile.xml", 500);
}

TEST(flexes_step_without_heap) {
  steps_without_heap(CONDYLE_SOURCE_DIR "/tests/models/flex_contact_cloth.xml", 50);
  steps_without_heap(CONDYLE_SOURCE_DIR "/tests/models/flexcomp_grids.xml", 50);
}

// 20 people in heaps
TEST(crowd_steps_without_heap) {
  mjModel* m = our_model(kCrowd20);
  mjData* d = test_data(m);
  assert_int_equal(heap_calls(m, d, kThorough ? 1000 : 50), 0);
  assert_true(!kThorough || d->maxuse_con > 50);
}

static int messages;

static void count_message(const char* message) {
  (void)message;
  messages++;
}

// Springs given in half of each format: counted in every step, said once.
TEST(warnings_are_counted_without_heap) {
  mjModel* m = our_model(kHumanoid);
  mjData* d = test_data(m);
  for (int i = 0; i < m->njnt; i++) {
    m->jnt_solref[2 * i + 1] = -1;
  }
  for (int i = 0; i < m->ngeom; i++) {
    m->geom_solref[2 * i + 1] = -1;
  }
  messages = 0;
  mju_user_warning = count_message;
  assert_int_equal(heap_calls(m, d, 500), 0);
  mju_user_warning = NULL;
  assert_int_equal(messages, 1);
  assert_that(d->cnd_warning[cndWARN_SOLREF - cndWARN_FIRST].number, >, 100);
  mj_resetData(m, d);
  assert_int_equal(d->cnd_warning[cndWARN_SOLREF - cndWARN_FIRST].number, 0);
}
