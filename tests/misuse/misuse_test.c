// Wrong arguments, for every function of the public headers: NULL, ids and enums out of range,
// negative lengths, numbers that are none. Each call runs in a process of its own and must return,
// as its documentation says, or end in an error that begins with the name of the function.

#define _DEFAULT_SOURCE

#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condyle/batch.h>
#include <condyle/computed.h>
#include <condyle/derivative.h>
#include <condyle/dynamics.h>
#include <condyle/error.h>
#include <condyle/lint.h>
#include <condyle/load.h>
#include <condyle/output.h>
#include <condyle/robot.h>
#include <condyle/rollout.h>
#include <condyle/spec.h>
#include <condyle/state.h>
#include <condyle/view.h>
#include <mujoco/mjbatch.h>
#include "support/caught.h"
#include "support/models.h"

// Of these, nothing is asked.
static const char* const kExceptions[] = {
    "mju_error",    // takes a format and what belongs to it
    "mju_warning",  //
    "mju_error_i",  // are the error that is looked for
    "mju_error_s",  //
};

// Vectors and matrices of the arithmetic functions (mju_, mjd_) are not looked at: that would cost
// more than some of them take. Nor can a length be checked against an array, or what an array
// holds, or a body by mj_local2Global, which has no model.

typedef struct Value_ {
  void* p;
  int i;
  size_t z;
  mjtNum x;
} Value;

enum {
  MAX_ARGUMENTS = 24,
  SCRATCH = 1 << 16,
};

#define P(k) a[k].p
#define I(k) a[k].i
#define Z(k) a[k].z
#define X(k) a[k].x
#define CALL(name, kinds, arguments)        \
  static void call_##name(const Value* a) { \
    (void)a;                                \
    (void)name arguments;                   \
  }
// formats are any text here
#ifdef __clang__
#pragma clang diagnostic ignored "-Wformat-security"
#endif
#include "misuse/calls.h"
#undef CALL

static const struct {
  const char *name, *kinds;
  void (*call)(const Value* a);
} kCalls[] = {
#define CALL(name, kinds, arguments) {#name, kinds, call_##name},
#include "misuse/calls.h"
#undef CALL
};

enum {
  NCALL = sizeof kCalls / sizeof kCalls[0]
};

// a thing of every kind
static const char kModel[] =
    "<mujoco><size memory='100K' nuserdata='3'/><option><flag energy='enable'/></option>"
    "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><material name='m'/></asset>"
    "<default><default class='d'/></default><worldbody><geom type='plane' size='1 1 1'/><camera "
    "name='c'/>"
    "<light name='l'/><frame name='f'><body name='b' pos='0 0 .05'><freejoint/><geom name='g' "
    "size='.1'/>"
    "<site name='s'/><body pos='1 0 0'><joint name='j'/><geom type='mesh' "
    "mesh='m'/></body></body></frame>"
    "<body mocap='true'><geom size='.1'/></body></worldbody><tendon><spatial name='t'><site "
    "site='s'/>"
    "<geom geom='g'/><site site='s'/></spatial></tendon><equality><connect body1='b' anchor='0 0 "
    "0'/>"
    "</equality><actuator><muscle name='a' joint='j' lengthrange='0 1'/></actuator><sensor>"
    "<touch name='t' site='s'/></sensor><keyframe><key name='k'/></keyframe></mujoco>";

static mjModel* m;
static mjData* d;
static mjSpec* spec;
static cndDiagnostics* list;
static mjVFS vfs;

static const Value kGood = {NULL, 1, 8, 1};

static Value good_value(const char* kind, int k) {
  static _Alignas(64) char scratch[MAX_ARGUMENTS][SCRATCH];
  static mjsBody* body;
  static mjThreadPool* made;
  static mjvScene scene;
  static mjvCamera camera;
  static mjvPerturb perturb;
  static mjvFigure figure;
  static mjTask task, done = {.status = mjTASK_COMPLETED};
  static const cndDiagnostic problem = {cndSEVERITY_ERROR, "file", 1,  1, "geom",
                                        "wrong",           "",     "", 0, 0};
  Value value = kGood;
  made = made ? made : mju_threadPoolCreate(0);
  static cndPool* threads;
  threads = threads ? threads : cnd_makePool(0);
  static const mjModel* one[1];
  static const mjtNum state[100];
  one[0] = m;
  cndRollout rollout = {.nbatch = 1,
                        .nstep = 1,
                        .model = one,
                        .nmodel = 1,
                        .data = &d,
                        .ndata = 1,
                        .initial_state = state};
  static cndRollout kept;
  static cndBatch* worlds;
  worlds = worlds ? worlds : cnd_makeBatch(m, 2, 0);
  kept = rollout;
  static mjBatch* rows;
  const mjBatchConfig one_thread = {1, 0};
  rows = rows ? rows : mjb_makeBatch(m, 2, &one_thread, NULL, 0);
  static const mjModel* models[2];
  models[0] = models[1] = m;
  value.p = memset(scratch[k], 0, SCRATCH);
  for (int i = 0; !strcmp(kind, "num") && i < (int)(SCRATCH / sizeof(mjtNum)); i++) {
    ((mjtNum*)value.p)[i] = 1;
  }
  body = mjs_findBody(spec, "b");
  scene.scale = scene.rotate[0] = 1;
  scene.enabletransform = 1;
  scene.camera[0].frustum_near = scene.camera[1].frustum_near = 1;
  mjv_defaultCamera(&camera);
  mjv_defaultPerturb(&perturb);
  perturb.select = perturb.active = 1;
  mjsElement* tendon = mjs_findElement(spec, mjOBJ_TENDON, "t");
  const struct {
    const char* kind;
    void* p;
  } things[] = {
      {"model", m},
      {"data", d},
      {"spec", spec},
      {"vfs", &vfs},
      {"list", list},
      {"cache", mj_getCache()},
      {"none", NULL},
      {"diagnostic", (void*)&problem},
      {"str", "name"},
      {"body", body},
      {"bodies", &body},
      {"element", body->element},
      {"default", mjs_findDefault(spec, "d")},
      {"frame", mjs_findFrame(spec, "f")},
      {"tendon", mjs_asTendon(tendon)},
      {"wrap", mjs_getWrap(mjs_asTendon(tendon), 0)},
      {"actuator", mjs_asActuator(mjs_findElement(spec, mjOBJ_ACTUATOR, "a"))},
      {"sensor", mjs_asSensor(mjs_findElement(spec, mjOBJ_SENSOR, "t"))},
      {"mesh", mjs_asMesh(mjs_findElement(spec, mjOBJ_MESH, "m"))},
      {"plugin", &body->plugin},
      {"pool", made},
      {"task", &task},
      {"done", &done},
      {"scene", &scene},
      {"camera", &camera},
      {"perturb", &perturb},
      {"figure", &figure},
      {"threads", threads},
      {"rollout", &kept},
      {"batch", worlds},
      {"rows", rows},
      {"models", models},
  };
  for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
    if (!strcmp(kind, things[i].kind)) {
      value.p = things[i].p;
    }
  }
  if (!strcmp(kind, "heap")) {
    value.p = mju_malloc(100);
  }
  if (!strcmp(kind, "buffer")) {
    value.p = cnd_resizeBuffer(NULL, 100);
  }
  return value;
}

// The wrong value of that number of an argument; 0 if there are no more.
static int bad_value(Value* value, const char* kind, int number) {
  static const int ids[] = {-1, INT_MIN, INT_MAX, 1000}, lengths[] = {-1, INT_MIN, 0};
  const mjtNum numbers[] = {0, -1, (mjtNum)NAN, (mjtNum)1e30};
  int isid = !strcmp(kind, "id"), is_length = !strcmp(kind, "n");
  if (isid || is_length) {
    if (number >= (isid ? 4 : 3)) {
      return 0;
    }
    value->i = isid ? ids[number] : lengths[number];
  } else if (!strcmp(kind, "x")) {
    if (number >= 4) {
      return 0;
    }
    value->x = numbers[number];
  } else if (!strcmp(kind, "z")) {
    if (number >= 2) {
      return 0;
    }
    value->z = number ? SIZE_MAX : 0;
  } else {
    if (number || !strcmp(kind, "none")) {
      return 0;
    }
    value->p = NULL;
  }
  return 1;
}

// memory that can't be had is NULL there too
#ifdef CONDYLE_SANITIZED
__attribute__((visibility("default"))) const char* __asan_default_options(void);
const char* __asan_default_options(void) {
  return "allocator_may_return_null=1";
}
#endif

static char* message;  // shared with the children

enum {
  RETURNED = 0,
  ERROR = 3,
};

static void child_error(const char* text) {
  snprintf(message, 1000, "%s", text);
  _exit(ERROR);
}

// Does a message begin with the name of the function, of its kind (mj_stackAlloc), or of the public
// one for which it stands (mj_getState for cnd_getStateAs)?
static int is_told_of(const char* told, const char* name) {
  size_t length = strcspn(told, ":"), prefix = strcspn(told, "_");
  int same = length > 5 && !strncmp(told, name, length);
  int stands_for = !strncmp(name, "cnd_", 4) && prefix + 3 < length &&
                   !strncmp(told + prefix, name + 3, length - prefix);
  return same || stands_for;
}

// Calls in a process of its own; 0 and a line on the standard error if that is no way to end.
static int call_well(int call, const Value* a, const char* what) {
  const char* name = kCalls[call].name;
  message[0] = 0;
  fflush(stdout);
  pid_t child = fork();
  assert_that(child, >=, 0);
  if (!child) {
    for (int signal_number = 1; signal_number < 32; signal_number++) {
      signal(signal_number, SIG_DFL);
    }
    alarm(20);
    if (!freopen("/dev/null", "w", stdout)) {
      _exit(4);
    }
    mju_user_error = child_error;
    mju_user_warning = silent;
    kCalls[call].call(a);
    _exit(RETURNED);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  int ended = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (ended == RETURNED || (ended == ERROR && is_told_of(message, name))) {
    return 1;
  }
  if (ended == ERROR) {
    print_error("%s, %s: the error is \"%s\"\n", name, what, message);
  } else {
    print_error("%s, %s: crashes\n", name, what);
  }
  return 0;
}

static int is_arithmetic(const char* name, const char* kind) {
  return (!strncmp(name, "mju_", 4) || !strncmp(name, "mjd_", 4)) &&
         (!strcmp(kind, "num") || !strcmp(kind, "ints") || !strcmp(kind, "any"));
}

static int is_exception(const char* name) {
  for (size_t i = 0; i < sizeof kExceptions / sizeof kExceptions[0]; i++) {
    if (!strcmp(name, kExceptions[i])) {
      return 1;
    }
  }
  return 0;
}

// All wrong values of all arguments of a function, one at a time; returns how many end badly.
static int misuse(int call) {
  char kinds[200], *kind[MAX_ARGUMENTS];
  int n = 0, bad = 0;
  snprintf(kinds, sizeof kinds, "%s", kCalls[call].kinds);
  for (char* k = strtok(kinds, " "); k; k = strtok(NULL, " ")) {
    kind[n++] = k;
  }
  Value a[MAX_ARGUMENTS];
  for (int k = 0; k < n; k++) {
    a[k] = good_value(kind[k], k);
  }
  bad += !call_well(call, a, "good arguments");
  for (int k = 0; k < n; k++) {
    Value good = a[k];
    for (int number = 0; bad_value(a + k, kind[k], number); number++) {
      if (a[k].p || !is_arithmetic(kCalls[call].name, kind[k])) {
        char what[100];
        snprintf(what, sizeof what, "argument %d (%s), value %d", k + 1, kind[k], number);
        bad += !call_well(call, a, what);
      }
      a[k] = good;
    }
  }
  for (int k = 0; k < n; k++) {
    if (!strcmp(kind[k], "heap")) {
      mju_free(a[k].p);
    }
    if (!strcmp(kind[k], "buffer")) {
      cnd_resizeBuffer(a[k].p, 0);
    }
  }
  return bad;
}

static void make_things(void) {
  char error[1000] = "";
  message = mmap(NULL, 1000, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_that(message, !=, MAP_FAILED);
  mj_defaultVFS(&vfs);
  list = cnd_makeDiagnostics();
  spec = mj_parseXMLString(kModel, NULL, error, sizeof error);
  m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) {
    fail_msg("%s", spec ? mjs_getError(spec) : error);
  }
  d = mj_makeData(m);
  mj_forward(m, d);
  assert_that(d->ncon, >, 0);
  assert_that(d->nefc, >, 0);
}

static void free_things(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
  cnd_deleteDiagnostics(list);
  munmap(message, 1000);
}

TEST(wrong_arguments_end_in_an_answer_or_an_error) {
  const char* only = getenv("MISUSE");  // a function, for looking into it
  char folder[] = "/tmp/misuse_XXXXXX";
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  make_things();
  int bad = 0;
  for (int call = 0; call < NCALL; call++) {
    if (!is_exception(kCalls[call].name) && (!only || !strcmp(only, kCalls[call].name))) {
      bad += misuse(call);
    }
  }
  assert_int_equal(bad, 0);
  assert_int_equal(chdir("/"), 0);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  assert_int_equal(system(command), 0);
  free_things();
}

// Data of another model would be written behind its ends.
TEST(data_of_another_model_end_in_an_error) {
  mjModel* other = test_model(
      "<mujoco><worldbody><body><joint type='slide'/><geom size='1'/></body></worldbody></mujoco>");
  make_things();
  mjData* foreign = test_data(other);
  int bad = 0, tried = 0;
  for (int call = 0; call < NCALL; call++) {
    char kinds[200], *kind;
    Value a[MAX_ARGUMENTS];
    int n = 0, is_model = 0, is_data = 0;
    snprintf(kinds, sizeof kinds, "%s", kCalls[call].kinds);
    for (kind = strtok(kinds, " "); kind; kind = strtok(NULL, " "), n++) {
      int is_owned = !strcmp(kind, "heap") || !strcmp(kind, "buffer");
      a[n] = is_owned ? (Value){0} : good_value(kind, n);  // no such call takes data
      is_model |= !strcmp(kind, "model");
      if (!strcmp(kind, "data")) {
        a[n].p = foreign;
        is_data = 1;
      }
    }
    if (!is_model || !is_data) {
      continue;
    }
    tried++;
    int ended = call_well(call, a, "data of another model");
    if (ended && !strstr(message, "was made for another model: nq is 1, in m it is 8")) {
      print_error("%s takes data of another model: \"%s\"\n", kCalls[call].name, message);
    }
    bad += !ended || !strstr(message, "was made for another model: nq is 1, in m it is 8");
  }
  test_release(other);
  free_things();
  assert_int_equal(bad, 0);
  assert_that(tried, >, 90);
}

// What is wrong, its value, and what would be right.
TEST(errors_say_what_is_wrong) {
  mjModel* one = test_model(kModel);
  mjModel* other = test_model("<mujoco/>");
  mjData* data = test_data(one);
  mjtNum number[6] = {0};
  mjContact contact = {.dim = 2, .geom = {0, 1}};
  assert_error(mj_step(one, NULL), "mj_step: d is NULL");
  assert_error(mj_step(NULL, data), "mj_step: m is NULL");
  assert_error(mj_mulM(one, data, number, NULL), "mj_mulM: vec is NULL");
  assert_error(mjs_addGeom(NULL, NULL), "mjs_addGeom: body is NULL");
  assert_error(mj_geomDistance(one, data, 0, 99, 1, NULL), "geom 99 does not exist: there are 4");
  assert_error(mj_geomDistance(one, data, -1, 0, 1, NULL), "geom -1 does not exist: there are 4");
  assert_error(mj_addContact(one, data, &contact), "dim is 2, must be 1, 3, 4 or 6");
  contact = (mjContact){.dim = 3, .geom = {-1, 1}};
  assert_error(mj_addContact(one, data, &contact), "geom -1 does not exist: there are 4");
  assert_error(mju_Halton(5, 1), "mju_Halton: base is 1, must be a prime number");
  assert_error(mju_Halton(5, 0), "mju_Halton: base is 0, must be a prime number");
  assert_error(mj_printData(other, data, "x"), "d was made for another model");
  assert_error(mj_copyData(NULL, other, data), "mj_copyData: src was made for another model");
  assert_error(mj_stackAllocByte(data, 8, 3), "alignment is 3, must be a power of two");

  // arrays of no size may be missing, and so may what is documented to be
  mjData* empty = test_data(other);
  mj_mulM(other, empty, NULL, NULL);
  mj_jacBody(one, data, NULL, NULL, 1);
  assert_int_equal(mj_name2id(one, mjOBJ_BODY, NULL), -1);
  assert_null(mj_id2name(one, mjOBJ_BODY, 99));
  assert_null(mj_compile(NULL, NULL));
}

// Every function that a header declares stands in the table, or is an exception.
TEST(the_table_is_complete) {
  static const char* const headers[] = {
      "mujoco/api/base.h",    "mujoco/api/model.h",     "mujoco/api/spec.h",
      "mujoco/api/smooth.h",  "mujoco/api/collision.h", "mujoco/api/constraint.h",
      "mujoco/api/sensor.h",  "mujoco/api/print.h",     "mujoco/api/step.h",
      "mujoco/api/compile.h", "mujoco/api/derive.h",    "mujoco/api/mjcf.h",
      "condyle/condyle.h",    "condyle/load.h",         "condyle/diagnostic.h",
      "condyle/lint.h",       "condyle/vector.h",       "condyle/dynamics.h",
      "condyle/derivative.h", "condyle/state.h",        "condyle/computed.h",
      "condyle/view.h",       "mujoco/api/view.h",      "condyle/error.h",
      "condyle/pool.h",       "condyle/rollout.h",      "condyle/batch.h",
      "condyle/spec.h",       "condyle/output.h",       "condyle/robot.h",
      "mujoco/mjbatch.h"};
  int missing = 0, found = 0;
  for (size_t h = 0; h < sizeof headers / sizeof headers[0]; h++) {
    char path[1000];
    snprintf(path, sizeof path, "%s/include/%s", CONDYLE_SOURCE_DIR, headers[h]);
    char* text = model_text(path);
    for (const char* at = strstr(text, "\nMJAPI "); at; at = strstr(at + 1, "\nMJAPI ")) {
      // the word before the first bracket
      const char* end = at + strcspn(at, "(;");
      const char* begin = end;
      while (begin > at &&
             (begin[-1] == '_' || (begin[-1] >= '0' && begin[-1] <= '9') ||
              (begin[-1] >= 'A' && begin[-1] <= 'Z') || (begin[-1] >= 'a' && begin[-1] <= 'z'))) {
        begin--;
      }
      char name[100];
      snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
      if (!strncmp(at, "\nMJAPI extern", 13)) {
        continue;
      }
      int known = is_exception(name);
      for (int call = 0; call < NCALL; call++) {
        known |= !strcmp(kCalls[call].name, name);
      }
      if (!known) {
        print_error("%s: %s is not in tests/misuse/calls.h\n", headers[h], name);
      }
      missing += !known;
      found++;
    }
    free(text);
  }
  assert_int_equal(missing, 0);
  assert_that(found, >, 400);
}
