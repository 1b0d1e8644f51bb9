// program.c: a program for MuJoCo 4.0.0 (mjVERSION_API 400) that calls what that release has added
// or changed, and compares the results with those of that release, recorded by the same program
// (compare.h). It is compiled as C and as C++.

#ifndef mjVERSION_API
#define mjVERSION_API 400
#endif
#include "compare.h"

static const char arm[] =
    "<mujoco><option timestep='.01'/>"
    "<worldbody><light pos='0 0 3'/><camera name='c' pos='0 -2 1' xyaxes='1 0 0 0 1 2'/>"
    "<geom name='floor' type='plane' size='2 2 .1'/>"
    "<geom name='box' type='box' size='.2 .3 .4' pos='1 .5 .4' euler='10 20 30'/>"
    "<body name='upper' pos='0 0 1'><joint name='shoulder' axis='0 1 0' damping='.1'/>"
    "<geom name='g1' type='capsule' fromto='0 0 0 .5 0 0' size='.05'/>"
    "<site name='inside' type='ellipsoid' size='.3 .2 .1'/>"
    "<body name='lower' pos='.5 0 0'><joint name='elbow' axis='0 1 0' stiffness='2'/>"
    "<geom name='g2' type='box' size='.2 .05 .04' pos='.2 0 0'/><site name='tip' pos='.4 0 0'/>"
    "</body></body>"
    "<body mocap='true' pos='0 1 1'><geom size='.1' contype='0' conaffinity='0'/></body>"
    "</worldbody>"
    "<tendon><spatial name='rope'><site site='inside'/><site site='tip'/><pulley "
    "divisor='2'/><site site='inside'/>"
    "<site site='tip'/></spatial><fixed name='sum'><joint joint='elbow' coef='3'/></fixed></tendon>"
    "<actuator><position name='servo' joint='shoulder' kp='5' nsample='4' delay='.02'/>"
    "<motor joint='elbow'/></actuator>"
    "<sensor><jointpos joint='elbow' nsample='3' interval='.02'/><clock/></sensor>"
    "</mujoco>";

static mjData* moved(const mjModel* m) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < m->nv; i++) {
    d->qpos[i] = .3 + .2 * i;
    d->qvel[i] = .5 - .1 * i;
    d->qacc[i] = 1 + i;
    d->ctrl[i] = .7 * i + .1;
  }
  mj_forward(m, d);
  return d;
}

static void versions(void) {
  number("mj_version", mj_version());
  number("mjVERSION_HEADER", mjVERSION_HEADER);
  text("mj_versionString", mj_versionString());
}

static void names(void) {
  for (int i = 0; i < mjNDISABLE; i++) {
    text("mjDISABLESTRING", mjDISABLESTRING[i]);
  }
  for (int i = 0; i < mjNENABLE; i++) {
    // bit 4 has another meaning in models of 3.3.7, and the others follow it
    if (1 << i == mjENBL_SLEEP || 1 << i == mjENBL_SPECULATIVE) {
      text("mjENABLESTRING", mjENABLESTRING[i]);
    }
  }
}

static void inertia(const mjModel* m, mjData* d) {
  mjtNum full[4], dense[4];
  mj_fullM(m, d, full);
  result("mj_fullM", full, 4);
  mju_sym2dense(dense, d->M, (int)m->nv, m->M_rownnz, m->M_rowadr, m->M_colind);
  result("mju_sym2dense", dense, 4);
  mjtNum by_position[2 * 10] = {0};
  mjd_inverseFD(m, d, 1e-6, 0, NULL, NULL, NULL, NULL, NULL, NULL, by_position);
  number("nC", (double)m->nC);
  for (int i = 0; i < 20; i++) {
    by_position[i] = round(1e5 * by_position[i]) / 1e5;
  }
  result("mjd_inverseFD", by_position, 2 * (int)m->nC);
}

static void states(const mjModel* m, mjData* d) {
  const int parts[] = {mjSTATE_TIME,      mjSTATE_QPOS,         mjSTATE_QVEL,
                       mjSTATE_ACT,       mjSTATE_HISTORY,      mjSTATE_WARMSTART,
                       mjSTATE_CTRL,      mjSTATE_QFRC_APPLIED, mjSTATE_XFRC_APPLIED,
                       mjSTATE_EQ_ACTIVE, mjSTATE_MOCAP_POS,    mjSTATE_MOCAP_QUAT,
                       mjSTATE_USERDATA,  mjSTATE_PLUGIN,       mjSTATE_PLASTIC};
  for (int i = 0; i < mjNSTATE; i++) {
    number("mjtState", parts[i]);
    number("mj_stateSize", mj_stateSize(m, 1 << i));
  }
  int sig = mjSTATE_PHYSICS | mjSTATE_CTRL | mjSTATE_MOCAP_POS, size = mj_stateSize(m, sig);
  mjtNum state[100], part[100];
  mj_getState(m, d, state, sig);
  result("mj_getState", state, size);
  mj_extractState(m, state, sig, part, mjSTATE_QVEL | mjSTATE_CTRL);
  result("mj_extractState", part, mj_stateSize(m, mjSTATE_QVEL | mjSTATE_CTRL));
  mjData* copy = mj_makeData(m);
  mj_copyState(m, d, copy, mjSTATE_QPOS | mjSTATE_CTRL);
  result("mj_copyState", copy->qpos, (int)m->nq);
  mj_setState(m, copy, state, sig);
  mj_fwdKinematics(m, copy);
  result("mj_fwdKinematics", copy->site_xpos, 3 * (int)m->nsite);
  result("mj_fwdKinematics", copy->ten_length, (int)m->ntendon);
  mj_resetCtrl(m, copy);
  result("mj_resetCtrl", copy->ctrl, (int)m->nu);
  mj_deleteData(copy);
}

static void histories(const mjModel* m, mjData* d) {
  const mjtNum times[4] = {0, .01, .02, .03}, values[4] = {1, 3, 2, 5};
  mj_initCtrlHistory(m, d, 0, times, values);
  for (int interp = 0; interp < 3; interp++) {
    mjtNum read = 0;
    const mjtNum* place = mj_readCtrl(m, d, 0, .034, &read, interp);
    number("mj_readCtrl", place ? *place : read);
  }
  const mjtNum sensed[3] = {7, 8, 6};
  mj_initSensorHistory(m, d, 0, times, sensed, 0);
  mjtNum read = 0;
  const mjtNum* place = mj_readSensor(m, d, 0, .015, &read, 1);
  number("mj_readSensor", place ? *place : read);
  text("mj_actuatorInputName", mj_actuatorInputName(m, 0, 0));
}

static void geometry(const mjModel* m, mjData* d) {
  const mjtNum from[3] = {1.1, .4, 3}, down[3] = {.05, .02, -1}, away[3] = {0, 0, 1};
  int geom = 0;
  mjtNum normal[3];
  number("mj_ray", mj_ray(m, d, from, down, NULL, 1, -1, &geom, normal));
  number("mj_ray", geom);
  result("mj_ray", normal, 3);
  number("mj_ray", mj_ray(m, d, from, away, NULL, 1, -1, &geom, normal));
  result("mj_ray", normal, 3);
  const mjtNum rays[6] = {0, 0, -1, -1, 0, -2};
  mjtNum distances[2], normals[6];
  int geoms[2];
  mj_multiRay(m, d, from, rays, NULL, 1, -1, geoms, distances, normals, 2, 10);
  result("mj_multiRay", distances, 2);
  result("mj_multiRay", normals, 6);
  number("mju_rayGeom", mju_rayGeom(d->geom_xpos + 3, d->geom_xmat + 9, m->geom_size + 3, from,
                                    down, mjGEOM_BOX, normal));
  result("mju_rayGeom", normal, 3);
  const mjtNum in[3] = {.1, .05, 1.02}, out[3] = {.1, .3, 1};
  number("mj_insideSite", mj_insideSite(m, d, 0, in));
  number("mj_insideSite", mj_insideSite(m, d, 0, out));
  mjtNum segment[6];
  number("mj_geomDistance", mj_geomDistance(m, d, 1, 2, 5, segment));
  number("mj_maxContact", mj_maxContact(m, 0, 2, -1));
}

// a collider of the program: one contact of a plane and a box, wherever they are
static int touch(const mjModel* m, mjData* d, mjPreContact* con, int g1, int g2, mjtNum margin) {
  (void)m;
  (void)margin;
  con->dist = -.01 * (g1 + g2);
  mju_copy3(con->pos, d->geom_xpos + 3 * g2);
  const mjtNum normal[3] = {0, .6, .8}, tangent[3] = {1, 0, 0};
  mju_copy3(con->normal, normal);
  mju_copy3(con->tangent, tangent);
  return 1;
}

static void colliders(void) {
  mjModel* m = load(
      "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='.1 .2 .09'><freejoint/>"
      "<geom type='box' size='.1 .2 .1'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mjfCollision before = mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_BOX];
  mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_BOX] = touch;
  mj_forward(m, d);
  number("mjCOLLISIONFUNC", d->ncon);
  number("mjCOLLISIONFUNC", d->contact[0].dist);
  result("mjCOLLISIONFUNC", d->contact[0].pos, 3);
  result("mjCOLLISIONFUNC", d->contact[0].frame, 9);
  mjCOLLISIONFUNC[mjGEOM_PLANE][mjGEOM_BOX] = before;
  mj_collision(m, d);
  number("mjCOLLISIONFUNC", d->ncon);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void cameras(const mjModel* m, const mjData* d) {
  mjvCamera cam;
  mjv_defaultFreeCamera(m, &cam);
  const int actions[] = {mjMOUSE_ROTATE_V, mjMOUSE_ROTATE_H, mjMOUSE_MOVE_V, mjMOUSE_MOVE_H,
                         mjMOUSE_ZOOM,     mjMOUSE_TURN_V,   mjMOUSE_TURN_H};
  for (int i = 0; i < 7; i++) {
    mjv_moveCamera(m, actions[i], .03, .02, &cam);
    const mjtNum pose[6] = {cam.lookat[0], cam.lookat[1], cam.lookat[2],
                            cam.distance,  cam.azimuth,   cam.elevation};
    result("mjv_moveCamera", pose, 6);
  }
  mjtNum frame[12];
  mjv_cameraFrame(frame, frame + 3, frame + 6, frame + 9, d, &cam);
  result("mjv_cameraFrame", frame, 12);
  cam.type = mjCAMERA_FIXED;
  cam.fixedcamid = 0;
  float vertical[2], horizontal[2], clip[2];
  mjv_cameraFrustum(vertical, horizontal, clip, m, &cam);
  const mjtNum planes[6] = {vertical[0], vertical[1], horizontal[0], horizontal[1], 0, 0};
  number("mjv_cameraFrustum", round(1e6 * planes[0] / planes[1]));
  mjvGLCamera gl = mjv_camera2GLCamera(m, d, &cam);
  for (int i = 0; i < 3; i++) {
    number("mjv_camera2GLCamera", gl.pos[i]);
    number("mjv_camera2GLCamera", gl.forward[i]);
  }
}

static void binary(const mjModel* m) {
  mjtSize size = mj_sizeModel(m);
  void* bytes = malloc((size_t)size);
  mj_saveModel(m, NULL, bytes, size);
  mjModel* again = mj_loadModelBuffer(bytes, size);
  number("mj_loadModelBuffer", again ? (double)again->ngeom : -1);
  mj_deleteModel(again);
  free(bytes);
}

// specs: const getters, textures with a class, paths of tendons
static void specs(void) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(arm, NULL, error, sizeof(error));
  const mjSpec* constant = spec;
  mjsBody* body = mjs_findBody(constant, "lower");
  const mjsElement* element = body->element;
  text("mjs_findBody", mjs_getString(mjs_getName((mjsElement*)element)));
  text("mjs_getParent", mjs_getString(mjs_getName(mjs_getParent(element)->element)));
  number("mjs_getSpec", mjs_getSpec(element) == spec);
  number("mjs_getOriginSpec", mjs_getOriginSpec(element) == spec);
  number("mjs_getCompiler", mjs_getCompiler(element)->degree);
  mjtLimited limited = mjs_asJoint(mjs_firstChild(body, mjOBJ_JOINT, 0))->limited;
  number("mjtLimited", limited);
  mjsJoint* elbow = mjs_asJoint(mjs_findElement(constant, mjOBJ_JOINT, "elbow"));
  result("mjsJoint.stiffness", elbow->stiffness, 3);
  mjsTexture* texture = mjs_addTexture(spec, mjs_getSpecDefault(constant));
  texture->builtin = mjBUILTIN_FLAT;
  number("mjs_addTexture", texture->nchannel);
  mjs_delete(spec, texture->element);
  mjsTendon* rope = mjs_asTendon(mjs_findElement(constant, mjOBJ_TENDON, "rope"));
  number("mjs_getWrapNum", mjs_getWrapNum(rope));
  for (int i = 0; i < 5; i++) {
    number("mjs_getWrap", mjs_getWrap(rope, i)->type);
  }
  number("mjs_getWrapDivisor", mjs_getWrapDivisor(mjs_getWrap(rope, 2)));
  text("mjs_getWrapTarget", mjs_getString(mjs_getName(mjs_getWrapTarget(mjs_getWrap(rope, 3)))));
  number("mjs_getWrapSideSite", mjs_getWrapSideSite(mjs_getWrap(rope, 3)) != NULL);
  mjsTendon* sum = mjs_asTendon(mjs_findElement(constant, mjOBJ_TENDON, "sum"));
  number("mjs_getWrapCoef", mjs_getWrapCoef(mjs_getWrap(sum, 0)));
  number("mjs_numWarnings", mjs_numWarnings(spec));
  number("mjs_getWarning", mjs_getWarning(spec, 0) != NULL);
  number("mjs_adoptInertial", mjs_adoptInertial(body, NULL));
  number("mass", round(1e9 * body->mass) / 1e9);
  number("mjs_fuseStatic", mjs_fuseStatic(spec, NULL));
  number("mjs_dedupAssets", mjs_dedupAssets(spec));
  number("mjs_discardVisual", mjs_discardVisual(spec, NULL));
  mjModel* m = mj_compile(spec, NULL);
  number("mjs_getTimer", mjs_getTimer(spec)[mjCTIMER_TOTAL] > 0);
  number("mj_encode", (double)mj_encode(spec, m, "a.unknown", NULL, NULL, error, sizeof(error)));
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// files that a provider has, and what decodes and encodes

static const char box[] = "<mujoco><worldbody><geom size='.25'/></worldbody></mujoco>";

static int open_text(mjResource* resource) {
  return strstr(resource->name, "box") != NULL;
}

static int read_text(mjResource* resource, const void** buffer) {
  (void)resource;
  *buffer = box;
  return (int)sizeof(box) - 1;
}

static void close_text(mjResource* resource) {
  (void)resource;
}

static int can_decode(const mjResource* resource) {
  return strstr(resource->name, ".box") != NULL;
}

static mjSpec* decode(mjResource* resource, const mjVFS* vfs, char* error, int error_sz) {
  const void* bytes = NULL;
  int n = mju_readResource(resource, &bytes);
  return n > 0 ? mj_parseXMLString(box, vfs, error, error_sz) : NULL;
}

static mjtSize encode(const mjSpec* s, const mjModel* m, const mjVFS* vfs, mjResource* resource) {
  (void)s;
  (void)m;
  (void)vfs;
  resource->data = (void*)(size_t)box;
  return 7;
}

static void resources(void) {
  char error[1000] = "";
  mjpResourceProvider provider;
  mjp_defaultProvider(&provider);
  provider.prefix = "mem";
  provider.open = open_text;
  provider.read = read_text;
  provider.close = close_text;
  int before = mjp_providerCount();
  int slot = mjp_registerProvider(&provider);
  number("mjp_registerProvider", slot > 0);
  number("mjp_providerCount", mjp_providerCount() - before);
  number("mjp_findProvider", mjp_findProvider("mem:box") == mjp_getProviderAtSlot(slot));
  mjResource* resource = mju_openResource(NULL, "mem:box", NULL, error, sizeof(error));
  const void* bytes = NULL;
  number("mju_readResource", mju_readResource(resource, &bytes));
  number("mju_isModifiedResource", mju_isModifiedResource(resource, "earlier"));
  mju_closeResource(resource);
  mjModel* m = mj_loadXML("mem:box", NULL, error, sizeof(error));
  number("mj_loadXML", m ? m->geom_size[0] : -1);
  mj_deleteModel(m);

  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  decoder.content_type = "model/box";
  decoder.extension = ".box";
  decoder.can_decode = can_decode;
  decoder.decode = decode;
  mjp_registerDecoder(&decoder);
  mjSpec* spec = mj_parse("mem:a.box", NULL, NULL, error, sizeof(error));
  number("mj_parse", spec != NULL);
  mjpEncoder encoder;
  mjp_defaultEncoder(&encoder);
  encoder.extension = ".seven";
  encoder.encode = encode;
  encoder.close_resource = close_text;
  mjp_registerEncoder(&encoder);
  number("mjp_findEncoder", mjp_findEncoder("a.seven", NULL) != NULL);
  mj_deleteSpec(spec);

  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "b.xml", box, (int)sizeof(box) - 1);
  number("mj_containsBufferVFS", mj_containsBufferVFS(&vfs, "b.xml"));
  number("mj_containsFileVFS", mj_containsFileVFS(&vfs, "", "other.xml"));
  number("mj_mountVFS", mj_mountVFS(&vfs, "folder", &provider));
  number("mj_mountVFS", mj_mountVFS(&vfs, "folder", &provider));
  number("mj_unmountVFS", mj_unmountVFS(&vfs, "folder"));
  mj_deleteVFS(&vfs);
}

// log

static int told[4];
static char last[1024];

static void handle(const mjLogMessage* message) {
  told[message->level]++;
  strncpy(last, message->subject, sizeof(last) - 1);
}

static void logging(void) {
  mjfLogHandler before = mju_setLogHandler(handle);
  mju_warning("seven is %d", 7);
  text("mju_warning", last);
  number("mju_warning", told[mjLOG_WARNING]);
  mju_info(mjTOPIC_NONE, "hello %s", "you");
  text("mju_info", last);
  mjLogMessage message;
  memset(&message, 0, sizeof(message));
  message.level = mjLOG_DEBUG;
  strcpy(message.subject, "deep");
  mju_message(&message);
  number("mju_message", told[mjLOG_DEBUG]);
  mju_setLogHandler(before);
  mjLogConfig config = mju_getLogConfig();
  config.topics = 5;
  mju_setLogConfig(config);
  number("mju_setLogConfig", mju_getLogConfig().topics);
  text("mjTOPICSTRING", mjTOPICSTRING[0]);
}

// lists of fields

static void lists(const mjModel* m) {
  long long sizes = 0;
#define X(name) sizes += (long long)(mjtSize)m->name > 0;
  MJMODEL_SIZES
#undef X
  number("MJMODEL_SIZES", sizes > 20);
  int fields = 0;
#define X(type, name, n) fields += sizeof(m->opt.name) == sizeof(type) * (n);
#define XVEC X
  MJOPTION_FIELDS
#undef X
#undef XVEC
  number("MJOPTION_FIELDS", fields >= 29);
  fields = 0;
#define X(type, name, n) fields += sizeof(((mjsBody*)0)->name) == sizeof(type) * (n);
#define XVEC X
  MJSBODY_FIELDS
#undef X
#undef XVEC
  number("MJSBODY_FIELDS", fields >= 17);
}

static void threads(const mjModel* m, mjData* d) {
  mju_threadpool(d, 2);
  mj_forward(m, d);
  mju_threadpool(d, 0);
  number("mju_threadpool", d->threadpool == 0);
}

int main(int argc, char** argv) {
  if (!results_open(argc, argv)) {
    return 1;
  }
  mjModel* m = load(arm);
  mjData* d = moved(m);
  versions();
  names();
  inertia(m, d);
  mj_forward(m, d);
  states(m, d);
  histories(m, d);
  geometry(m, d);
  colliders();
  cameras(m, d);
  binary(m);
  specs();
  resources();
  logging();
  lists(m);
  threads(m, d);
  mj_deleteData(d);
  mj_deleteModel(m);
  return results_close();
}
