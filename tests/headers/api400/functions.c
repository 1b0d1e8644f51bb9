// functions.c: another program for MuJoCo 4.0.0 (mjVERSION_API 400), of the functions that it has
// added and program.c does not call: laws of actuators, generated flexes, textures by reference,
// archives, decoders, and many simulations as rows (compare.h). The last argument is a folder with
// srgb.png. It is compiled as C and as C++.

#ifndef mjVERSION_API
#define mjVERSION_API 400
#endif
#include <mujoco/mjbatch.h>
#include <setjmp.h>

#include "compare.h"

// errors: a handler leaves the call, so a result says whether there was one

static jmp_buf leave;
static mjtBool inside;

static void on_message(const mjLogMessage* message) {
  if (message->level == mjLOG_ERROR && inside) {
    longjmp(leave, 1);
  }
}

#define ERRS(label, call)          \
  do {                             \
    volatile int failed = 1;       \
    inside = 1;                    \
    if (!setjmp(leave)) {          \
      call;                        \
      failed = 0;                  \
    }                              \
    inside = 0;                    \
    number(label "_errs", failed); \
  } while (0)

// laws of actuators

static void law(const char* label, const mjsActuator* actuator, const char* error) {
  number(label, error != NULL && error[0]);
  number(label, actuator->ctrlspec);
  result(label, actuator->dynprm, 10);
  result(label, actuator->gainprm, 10);
  result(label, actuator->biasprm, 10);
}

static void laws(void) {
  mjSpec* spec = mj_makeSpec();
  double kv = .5, ratio = 2, ki = 3, imax = .4, slewmax = 6;
  mjsActuator* a = mjs_addActuator(spec, NULL);
  law("mjs_setToPID", a, mjs_setToPID(a, 7, &kv, NULL, &ki, &imax, &slewmax, 0, 7));
  law("mjs_setToPID", a, mjs_setToPID(a, 7, NULL, &ratio, NULL, NULL, NULL, 0, 0));
  number("mjs_setToPID_both", mjs_setToPID(a, 7, &kv, &ratio, NULL, NULL, NULL, 0, 0)[0] != 0);
  a = mjs_addActuator(spec, NULL);
  law("mjs_setToOrientation", a, mjs_setToOrientation(a, 4, &kv, NULL, mjCHART_QUAT));
  number("mjs_setToOrientation_both", mjs_setToOrientation(a, 4, &kv, &ratio, 0)[0] != 0);
  a = mjs_addActuator(spec, NULL);
  double constants[2] = {.05, .06}, limits[3] = {1, 2, 3}, coil[2] = {.002, 0},
         tooth[3] = {.1, 6, .3};
  double control[6] = {2, 5, .1, 20, .02, 12}, heat[6] = {2, 0, 10, .004, 25, 20};
  double brush[5] = {50, .2, .02, .03, .1};
  law("mjs_setToDCMotor", a,
      mjs_setToDCMotor(a, constants, .8, NULL, limits, coil, tooth, control, heat, brush, 15));
  double nominal[3] = {12, .5, 100};
  law("mjs_setToDCMotor", a,
      mjs_setToDCMotor(a, NULL, 0, nominal, NULL, NULL, NULL, NULL, NULL, NULL, 8));
  mj_deleteSpec(spec);
}

// a flex that is generated, and rays on it

static void flexes(void) {
  mjSpec* spec = mj_makeSpec();
  mjsBody* world = mjs_findBody(spec, "world");
  const int count[3] = {3, 4, 1};
  const double spacing[3] = {.1, .2, .1}, pos[3] = {.3, .2, 1};
  mjsFlex* flex = mjs_makeFlex(world, "cloth", "grid", 2, "full", count, NULL, spacing, NULL, .01,
                               2, .005, 0, 0, 0, 0, pos, NULL, NULL, NULL, NULL);
  number("mjs_makeFlex", flex != NULL && flex->dim == 2);
  mjModel* m = mj_compile(spec, NULL);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  number("mjs_makeFlex", (double)m->nflexvert);
  number("mjs_makeFlex", (double)m->nflexelem);
  number("mjs_makeFlex", (double)m->nflexedge);
  const mjtNum from[3] = {.33, .17, 2}, down[3] = {.01, .02, -1};
  for (int parts = 0; parts < 4; parts++) {
    int vertex = -1;
    mjtNum normal[3] = {0, 0, 0};
    number("mj_rayFlex", mj_rayFlex(m, d, 0, parts == 0, parts == 1, parts == 2, parts == 3, 0,
                                    from, down, &vertex, normal));
    number("mj_rayFlex", vertex);
    result("mj_rayFlex", normal, 3);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// textures by reference

static void textures(const char* folder) {
  char xml[2000], error[1000] = "";
  snprintf(xml, sizeof(xml),
           "<mujoco><compiler texturedir='%s'/><asset><texture name='t' type='2d' file='srgb.png' "
           "embed='false'/><texture name='u' type='2d' builtin='flat' rgb1='1 0 .2' width='2' "
           "height='2'/></asset></mujoco>",
           folder);
  mjModel* m = load(xml);
  number("mj_loadTexture", (double)m->ntexdata);
  for (int id = 0; id < 2; id++) {
    mjtByte* bytes = NULL;
    int width = 0, height = 0, colorspace = -1;
    number("mj_loadTexture",
           mj_loadTexture(m, id, &bytes, &width, &height, &colorspace, error, sizeof(error)));
    const mjtNum size[3] = {(mjtNum)width, (mjtNum)height, (mjtNum)colorspace};
    result("mj_loadTexture", size, 3);
    mjtNum pixels[12] = {0};
    for (int i = 0; bytes && i < 12; i++) {
      pixels[i] = bytes[i];
    }
    result("mj_loadTexture", pixels, 12);
    mju_free(bytes);
  }
  mjModel* whole = mj_embedAssets(m, error, sizeof(error));
  number("mj_embedAssets", whole ? (double)whole->ntexdata : -1);
  mj_deleteModel(whole);
  strcpy(m->paths + m->tex_pathadr[0], "no.png");
  mjtByte* bytes = NULL;
  number("mj_loadTexture",
         mj_loadTexture(m, 0, &bytes, NULL, NULL, NULL, error, sizeof(error)) != 0);
  number("mj_embedAssets", mj_embedAssets(m, error, sizeof(error)) == NULL);
  mj_deleteModel(m);
}

// files: archives, decoders, writing

static const char ball[] = "<mujoco><worldbody><geom name='g' size='.25'/></worldbody></mujoco>";
static char written[100];

static int open_ball(mjResource* resource) {
  return strstr(resource->name, "ball") != NULL;
}

static int read_ball(mjResource* resource, const void** buffer) {
  (void)resource;
  *buffer = ball;
  return (int)sizeof(ball) - 1;
}

static void close_ball(mjResource* resource) {
  (void)resource;
}

static mjtSize write_ball(mjResource* resource, const void* buffer, mjtSize n) {
  (void)resource;
  memcpy(written, buffer, (size_t)(n < 99 ? n : 99));
  return n;
}

static int can_decode(const mjResource* resource) {
  return strstr(resource->name, ".ball") != NULL;
}

static mjSpec* decode(mjResource* resource, const mjVFS* vfs, char* error, int error_sz) {
  const void* bytes = NULL;
  return mju_readResource(resource, &bytes) > 0 ? mj_parseXMLString(ball, vfs, error, error_sz)
                                                : NULL;
}

static void files(void) {
  char error[1000] = "";
  mjpResourceProvider provider;
  mjp_defaultProvider(&provider);
  provider.prefix = "mem";
  provider.open = open_ball;
  provider.read = read_ball;
  provider.close = close_ball;
  provider.write = write_ball;
  mjp_registerProvider(&provider);
  number("mju_writeResource",
         (double)mju_writeResource("mem:ball", "seven", 5, NULL, error, sizeof(error)));
  text("mju_writeResource", written);
  number("mju_writeResource",
         (double)mju_writeResource("none:ball/x/y", "seven", 5, NULL, error, sizeof(error)));

  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  decoder.content_type = "model/ball";
  decoder.extension = ".ball";
  decoder.can_decode = can_decode;
  decoder.decode = decode;
  mjp_registerDecoder(&decoder);
  mjResource* resource = mju_openResource(NULL, "mem:dir/a.ball", NULL, error, sizeof(error));
  const char* dir = NULL;
  int ndir = 0;
  mju_getResourceDir(resource, &dir, &ndir);
  number("mju_getResourceDir", ndir);
  number("mjp_findDecoder", mjp_findDecoder(resource, NULL) != NULL);
  number("mjp_findDecoder", mjp_findDecoder(resource, "model/none") != NULL);
  mjSpec* spec = mju_decodeResource(resource, NULL, NULL, error, sizeof(error));
  number("mju_decodeResource", spec && mjs_findElement(spec, mjOBJ_GEOM, "g"));
  mj_deleteSpec(spec);
  spec = mju_decodeResource(resource, "model/none", NULL, error, sizeof(error));
  number("mju_decodeResource", spec == NULL);
  mj_deleteSpec(spec);
  mju_closeResource(resource);

  int before = mjp_archiveProviderCount();
  mjpResourceProvider archive;
  mjp_defaultProvider(&archive);
  archive.prefix = ".pak|.pax";
  archive.open = open_ball;
  archive.read = read_ball;
  archive.close = close_ball;
  mjp_registerArchiveProvider(&archive);
  number("mjp_registerArchiveProvider", mjp_archiveProviderCount() - before);
  number("mjp_findArchiveProvider", mjp_findArchiveProvider("a.pax") != NULL);
  number("mjp_findArchiveProvider", mjp_findArchiveProvider("a.none") != NULL);
}

// many simulations as rows

static const char pole[] =
    "<mujoco><option timestep='.01'/><worldbody><body><joint name='j' axis='0 1 0' damping='.1'/>"
    "<geom size='.05' fromto='0 0 0 0 0 .5' type='capsule'/></body></worldbody>"
    "<actuator><motor joint='j'/></actuator><keyframe><key qpos='.7'/></keyframe></mujoco>";

static void push(const mjModel* m, mjData* d, int sim, void* arg) {
  (void)m;
  d->qvel[0] = sim + *(double*)arg;
}

static void batches(void) {
  mjModel* m = load(pole);
  char error[1000] = "";
  mjBatchConfig config;
  mjb_defaultConfig(&config);
  number("mjb_defaultConfig", config.persistent);
  config.nthread = 2;
  number("mjb_makeBatch", mjb_makeBatch(m, 0, &config, error, sizeof(error)) == NULL);
  mjBatch* b = mjb_makeBatch(m, 3, &config, error, sizeof(error));
  number("mjb_nsim", mjb_nsim(b));
  number("mjb_nthread", mjb_nthread(b));
  number("mjb_persistent", mjb_persistent(b));
  number("mjb_model", (double)mjb_model(b)->nv);
  int row = mjb_nstate(b), size = 0, bytes = 0;
  number("mjb_nstate", row);
  mjtNum* ctrl = mjb_stateComponent(b, mjSTATE_CTRL, &size);
  number("mjb_stateComponent", size);
  number("mjb_stateComponent", (double)(ctrl - mjb_state(b)));
  const mjtNum* xpos = (const mjtNum*)mjb_output(b, "xipos", &size, &bytes);
  number("mjb_output", size);
  number("mjb_output", bytes);
  number("mjb_output", mjb_output(b, "none", NULL, NULL) == NULL);
  for (int i = 0; i < 3; i++) {
    ctrl[row * i] = .1 * i + .05;
  }
  number("mjb_step", mjb_step(b, NULL, 0, 20, mjSTAGE_POS));
  result("mjb_step", xpos, 18);
  const int ids[2] = {0, 2}, keys[2] = {0, -1};
  number("mjb_reset", mjb_reset(b, ids, 2, keys, mjSTAGE_ACC));
  result("mjb_reset", xpos, 18);
  number("mjb_forward", mjb_forward(b, ids, 1, mjSTAGE_VEL));
  double more = .25;
  number("mjb_apply", mjb_apply(b, NULL, 0, push, &more, 1));
  mjtNum controls[3 * 4], positions[3 * 4];
  for (int i = 0; i < 12; i++) {
    controls[i] = .02 * i - .1;
  }
  const mjBatchRecord record = {"qpos", 0, positions};
  number("mjb_rollout", mjb_rollout(b, NULL, 0, 4, controls, mjSTATE_CTRL, &record, 1));
  result("mjb_rollout", positions, 12);
  mjtNum* mass = (mjtNum*)mjb_expand(b, "body_mass", &size, NULL);
  number("mjb_expand", size);
  number("mjb_expanded", mjb_expanded(b, "dof_invweight0", NULL, NULL) != NULL);
  for (int i = 0; i < 3; i++) {
    mass[2 * i + 1] *= i + 1;
  }
  number("mjb_setConst", mjb_setConst(b, NULL, 0));
  const mjtNum* weight = (const mjtNum*)mjb_expanded(b, "dof_invweight0", NULL, NULL);
  result("mjb_expanded", weight, 3);
  mjModel* own = mj_copyModel(NULL, m);
  mjb_getModel(b, 2, own);
  number("mjb_getModel", own->body_mass[1] / m->body_mass[1]);
  mjData* d = mj_makeData(m);
  mjb_getData(b, 1, d);
  number("mjb_getData", d->qpos[0]);
  number("mjb_warning", mjb_warning(b)[mjWARN_BADQPOS].number);
  number("mjb_status", mjb_status(b)[0]);
  number("mjb_error", mjb_error(b, 0)[0]);
  mjb_deleteBatch(b);

  b = mjb_makeBatch(m, 2, NULL, error, sizeof(error));
  const mjModel* models[2] = {own, m};
  mjb_setModels(b, models);
  mjb_step(b, NULL, 0, 5, mjSTAGE_POS);
  result("mjb_setModels", mjb_state(b), 3);
  mjb_deleteBatch(b);
  mj_deleteData(d);
  mj_deleteModel(own);
  mj_deleteModel(m);
}

// functions of 3.3.7 whose results are others in 4.0.0

static void numbers(void) {
  static const mjtNum halves[] = {-2.5, -1.5, -.5, .5, 1.5, 2.49, -2.51, 3e9, -3e9};
  for (int i = 0; i < 9; i++) {
    number("mju_round", mju_round(halves[i]));
  }
  static const mjtNum indefinite[3][9] = {{0, .1, .2, .1, -1, .3, .2, .3, 1},
                                          {4, 1, 2, 1, .25, .7, 2, .7, 5},
                                          {4, 1, 2, 1, 3, .7, 2, .7, 1}};
  for (int i = 0; i < 3; i++) {
    mjtNum L[9];
    mju_copy(L, indefinite[i], 9);
    number("mju_cholFactor", mju_cholFactor(L, 3, 1e-6));
    result("mju_cholFactor", L, 9);
  }
  mjtNum band[] = {0, 4, 1, 5, .5, 6};
  number("mju_cholFactorBand", mju_cholFactorBand(band, 3, 2, 0, .1, .01));
  result("mju_cholFactorBand", band + 1, 5);
  static const mjtNum small[9] = {3e-7, 1e-8, 2e-8, 1e-8, 4e-7, 3e-9, 2e-8, 3e-9, 5e-7};
  mjtNum value[3], vectors[9], quat[4];
  number("mju_eig3", mju_eig3(value, vectors, quat, small));
  result("mju_eig3", vectors, 9);
}

static void given(mjsActuator* a) {
  for (int i = 0; i < 10; i++) {
    a->gainprm[i] = i + 1;
    a->biasprm[i] = i + 21;
    a->dynprm[i] = i + 41;
  }
  a->gaintype = mjGAIN_AFFINE;
  a->dyntype = mjDYN_FILTER;
  a->actdim = 4;
  a->actearly = 1;
}

static void shortcuts(void) {
  mjSpec* spec = mj_makeSpec();
  mjsActuator* a = mjs_addActuator(spec, NULL);
  double kv = .5, ratio = 2, timeconst[2] = {.1, .2};
#define SHORTCUT(function, ...)                    \
  given(a);                                        \
  law(#function, a, function(a, __VA_ARGS__));     \
  number(#function, a->gaintype == mjGAIN_FIXED);  \
  number(#function, a->biastype == mjBIAS_AFFINE); \
  number(#function, a->dyntype == mjDYN_NONE);     \
  number(#function, a->actdim + 10 * a->actearly)
  given(a);
  law("mjs_setToMotor", a, mjs_setToMotor(a));
  SHORTCUT(mjs_setToPosition, 10, &kv, NULL, NULL, 0);
  SHORTCUT(mjs_setToPosition, 10, NULL, &ratio, timeconst, 0);
  SHORTCUT(mjs_setToPosition, 10, &kv, &ratio, timeconst, 0);
  SHORTCUT(mjs_setToIntVelocity, 10, &kv, NULL, NULL, 0);
  SHORTCUT(mjs_setToVelocity, 3);
  SHORTCUT(mjs_setToDamper, 3);
  SHORTCUT(mjs_setToCylinder, .1, .2, .3, -1);
  SHORTCUT(mjs_setToMuscle, timeconst, .3, NULL, -1, 2, -1, 4, 5, 6, -1);
  SHORTCUT(mjs_setToAdhesion, 2);
#undef SHORTCUT
  mj_deleteSpec(spec);
}

// The force of the mouse on a body that is both pulled and turned, and on the world.
static void perturbation(void) {
  mjModel* m = load(pole);
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  mjvPerturb pert;
  mjv_defaultPerturb(&pert);
  pert.active = mjPERT_TRANSLATE | mjPERT_ROTATE;
  pert.localmass = 2;
  pert.localpos[0] = .2;
  pert.localpos[1] = .3;
  pert.refselpos[2] = 1;
  pert.refquat[0] = .6;
  pert.refquat[1] = .8;
  for (pert.select = 0; pert.select < 2; pert.select++) {
    mjv_applyPerturbForce(m, d, &pert);
  }
  result("mjv_applyPerturbForce", d->xfrc_applied, 12);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// what the manual calls an error

static void errors(void) {
  mjModel* m = load(pole);
  mjData* d = mj_makeData(m);
  mjfLogHandler before = mju_setLogHandler(on_message);
  mjtNum state[100] = {0}, part[100];
  ERRS("mj_stateSize", mj_stateSize(m, -1));
  ERRS("mj_stateSize", mj_stateSize(m, 1 << mjNSTATE));
  ERRS("mj_extractState", mj_extractState(m, state, mjSTATE_QPOS, part, mjSTATE_QVEL));
  ERRS("mj_copyState", mj_copyState(m, d, d, 1 << mjNSTATE));
  ERRS("mj_readCtrl", mj_readCtrl(m, d, 1, 0, part, 0));
  ERRS("mj_readSensor", mj_readSensor(m, d, 0, 0, part, 0));
  ERRS("mj_initCtrlHistory", mj_initCtrlHistory(m, d, 0, NULL, state));
  ERRS("mj_initSensorHistory", mj_initSensorHistory(m, d, 0, NULL, state, 0));
  text("mj_actuatorInputName", mj_actuatorInputName(m, 0, 0));
  mjvCamera cam;
  mjv_defaultFreeCamera(m, &cam);
  ERRS("mjv_moveCamera", mjv_moveCamera(m, mjMOUSE_NONE, 0, 0, &cam));
  cam.type = mjCAMERA_USER;
  ERRS("mjv_cameraFrame", mjv_cameraFrame(part, NULL, NULL, NULL, d, &cam));
  mju_setLogHandler(before);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(int argc, char** argv) {
  if (!results_open(argc, argv)) {
    return 1;
  }
  laws();
  numbers();
  shortcuts();
  perturbation();
  flexes();
  textures(argv[argc - 1]);
  files();
  batches();
  errors();
  return results_close();
}
