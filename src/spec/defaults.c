// defaults.c: default values of the public structs of elements.
//                                                           theory/model/model.md, Element defaults
//
// Members that are not set here are zero or empty. NaN means "not given" where zero is a valid
// value.

#include <condyle/behaviour.h>
#include <math.h>
#include <mujoco/api/model.h>
#include <mujoco/api/spec.h>
#include <mujoco/mjvisualize.h>
#include <string.h>

#include "base/memory/check.h"

// Zeros the element, which must not be NULL.
#define CLEAR(element)  \
  check_given(element); \
  memset(element, 0, sizeof(*(element)))

static void set_doubles(double* out, int n, const double* values) {
  memcpy(out, values, (size_t)n * sizeof(double));
}

static void set_floats(float* out, float r, float g, float b, float a) {
  out[0] = r;
  out[1] = g;
  out[2] = b;
  out[3] = a;
}

static void grey(float rgba[4]) {
  set_floats(rgba, 0.5f, 0.5f, 0.5f, 1);
}

static void unit_quat(double quat[4]) {
  set_doubles(quat, 4, (const double[]){1, 0, 0, 0});
}

void mjs_defaultSpec(mjSpec* spec) {
  CLEAR(spec);

  mj_defaultOption(&spec->option);
  mj_defaultVisual(&spec->visual);
  mjStatistic* stat = &spec->stat;
  stat->meaninertia = stat->meanmass = stat->meansize = stat->extent = (mjtNum)NAN;
  stat->center[0] = (mjtNum)NAN;

  mjsCompiler* compiler = &spec->compiler;
  compiler->autolimits = 1;
  compiler->settotalmass = -1;
  compiler->degree = 1;
  memcpy(compiler->eulerseq, "xyz", 3);
  compiler->usethread = 1;
  compiler->savecompiled = compiler->savecanonical = 1;
  compiler->inertiafromgeom = mjINERTIAFROMGEOM_AUTO;
  compiler->inertiagrouprange[1] = mjNGROUP - 1;
  compiler->dialect = cnd_dialect("3.3");
  mj_defaultLROpt(&compiler->LRopt);

  spec->memory = (mjtSize)-1;
  spec->nstack = (mjtSize)-1;
  spec->njmax = spec->nconmax = -1;
  spec->nuser_body = spec->nuser_jnt = spec->nuser_geom = spec->nuser_site = -1;
  spec->nuser_cam = spec->nuser_tendon = spec->nuser_actuator = spec->nuser_sensor = -1;
}

void mjs_defaultBody(mjsBody* body) {
  CLEAR(body);
  unit_quat(body->quat);
  unit_quat(body->iquat);
  body->ipos[0] = NAN;
  body->fullinertia[0] = NAN;
  body->simple = body->fuse = 1;
}

void mjs_defaultFrame(mjsFrame* frame) {
  CLEAR(frame);
  unit_quat(frame->quat);
  frame->scale[0] = frame->scale[1] = frame->scale[2] = 1;
}

void mjs_defaultJoint(mjsJoint* joint) {
  CLEAR(joint);
  joint->type = mjJNT_HINGE;
  joint->axis[2] = 1;
  joint->limited = mjLIMITED_AUTO;
  joint->actfrclimited = mjLIMITED_AUTO;
  joint->align = mjALIGNFREE_AUTO;
  mj_defaultSolRefImp(joint->solref_limit, joint->solimp_limit);
  mj_defaultSolRefImp(joint->solref_friction, joint->solimp_friction);
}

void mjs_defaultGeom(mjsGeom* geom) {
  CLEAR(geom);
  geom->type = mjGEOM_SPHERE;
  unit_quat(geom->quat);
  geom->fromto[0] = NAN;
  geom->contype = geom->conaffinity = 1;
  geom->condim = 3;
  set_doubles(geom->friction, 3, (const double[]){1, 0.005, 0.0001});
  geom->solmix = 1;
  mj_defaultSolRefImp(geom->solref, geom->solimp);
  geom->mass = NAN;
  geom->density = 1000;
  geom->typeinertia = mjINERTIA_VOLUME;
  geom->fluid_coefs[0] = (mjtNum)0.5;
  geom->fluid_coefs[1] = (mjtNum)0.25;
  geom->fluid_coefs[2] = (mjtNum)1.5;
  geom->fluid_coefs[3] = 1;
  geom->fluid_coefs[4] = 1;
  grey(geom->rgba);
  geom->fitscale = 1;
  geom->castshadow = 1;
}

void mjs_defaultSite(mjsSite* site) {
  CLEAR(site);
  site->type = mjGEOM_SPHERE;
  unit_quat(site->quat);
  set_doubles(site->size, 3, (const double[]){0.005, 0.005, 0.005});
  site->fromto[0] = NAN;
  grey(site->rgba);
}

void mjs_defaultCamera(mjsCamera* camera) {
  CLEAR(camera);
  camera->mode = mjCAMLIGHT_FIXED;
  unit_quat(camera->quat);
  camera->fovy = 45;
  camera->output = mjCAMOUT_RGB;
  camera->ipd = 0.068;
  camera->resolution[0] = camera->resolution[1] = 1;
}

void mjs_defaultLight(mjsLight* light) {
  CLEAR(light);
  light->mode = mjCAMLIGHT_FIXED;
  light->dir[2] = -1;
  light->castshadow = 1;
  light->softness = 0.2f;
  light->active = 1;
  light->bulbradius = 0.02f;
  light->range = 10;
  light->attenuation[0] = 1;
  light->cutoff = 45;
  light->exponent = 10;
  for (int i = 0; i < 3; i++) {
    light->diffuse[i] = 0.7f;
    light->specular[i] = 0.3f;
  }
}

void mjs_defaultFlex(mjsFlex* flex) {
  CLEAR(flex);
  flex->contype = flex->conaffinity = 1;
  flex->condim = 3;
  set_doubles(flex->friction, 3, (const double[]){1, 0.005, 0.0001});
  flex->solmix = 1;
  mj_defaultSolRefImp(flex->solref, flex->solimp);
  flex->dim = 2;
  flex->radius = 0.005;
  flex->selfcollide = mjFLEXSELF_AUTO;
  flex->activelayers = 1;
  grey(flex->rgba);
  flex->thickness = -1;
  flex->cellcount[0] = flex->cellcount[1] = flex->cellcount[2] = 1;
}

void mjs_defaultMesh(mjsMesh* mesh) {
  CLEAR(mesh);
  unit_quat(mesh->refquat);
  set_doubles(mesh->scale, 3, (const double[]){1, 1, 1});
  mesh->maxhullvert = -1;
  mesh->octree_maxdepth = 6;
  mesh->inertia = mjMESH_INERTIA_LEGACY;
}

void mjs_defaultSkin(mjsSkin* skin) {
  CLEAR(skin);
  grey(skin->rgba);
}

void mjs_defaultTexture(mjsTexture* texture) {
  CLEAR(texture);
  texture->type = mjTEXTURE_CUBE;
  texture->colorspace = mjCOLORSPACE_AUTO;
  set_doubles(texture->rgb1, 3, (const double[]){0.8, 0.8, 0.8});
  set_doubles(texture->rgb2, 3, (const double[]){0.5, 0.5, 0.5});
  texture->random = 0.01;
  texture->gridsize[0] = texture->gridsize[1] = 1;
  memset(texture->gridlayout, '.', sizeof(texture->gridlayout) - 1);
  texture->nchannel = 3;
  texture->embed = mjEMBED_AUTO;
}

void mjs_defaultMaterial(mjsMaterial* material) {
  CLEAR(material);
  material->texrepeat[0] = material->texrepeat[1] = 1;
  material->specular = 0.5f;
  material->shininess = 0.5f;
  material->metallic = -1;
  material->roughness = -1;
  set_floats(material->rgba, 1, 1, 1, 1);
}

void mjs_defaultPair(mjsPair* pair) {
  CLEAR(pair);
  pair->condim = 3;
  mj_defaultSolRefImp(pair->solref, pair->solimp);
  set_doubles(pair->friction, 5, (const double[]){1, 1, 0.005, 0.0001, 0.0001});
}

void mjs_defaultEquality(mjsEquality* equality) {
  CLEAR(equality);
  equality->type = mjEQ_CONNECT;
  equality->active = 1;
  equality->data[1] = 1;   // joints and tendons: linear coefficient
  equality->data[10] = 1;  // welds: torque scale
  mj_defaultSolRefImp(equality->solref, equality->solimp);
}

void mjs_defaultTendon(mjsTendon* tendon) {
  CLEAR(tendon);
  tendon->limited = mjLIMITED_AUTO;
  tendon->springlength[0] = tendon->springlength[1] = -1;
  mj_defaultSolRefImp(tendon->solref_limit, tendon->solimp_limit);
  mj_defaultSolRefImp(tendon->solref_friction, tendon->solimp_friction);
  tendon->width = 0.003;
  grey(tendon->rgba);
}

void mjs_defaultActuator(mjsActuator* actuator) {
  CLEAR(actuator);
  actuator->gaintype = mjGAIN_FIXED;
  actuator->gainprm[0] = 1;
  actuator->biastype = mjBIAS_NONE;
  actuator->dyntype = mjDYN_NONE;
  actuator->dynprm[0] = 1;
  actuator->actdim = -1;
  actuator->trntype = mjTRN_UNDEFINED;
  actuator->gear[0] = 1;
  actuator->ctrllimited = mjLIMITED_AUTO;
  actuator->forcelimited = mjLIMITED_AUTO;
  actuator->actlimited = mjLIMITED_AUTO;
}

void mjs_defaultSensor(mjsSensor* sensor) {
  CLEAR(sensor);
  sensor->type = mjSENS_TOUCH;
  sensor->datatype = mjDATATYPE_REAL;
  sensor->needstage = mjSTAGE_ACC;
}

// types whose defaults are all zero
#define ZERO(Name, name)                    \
  void mjs_default##Name(mjs##Name* name) { \
    CLEAR(name);                            \
  }

ZERO(Orientation, orient)
ZERO(HField, hfield)
ZERO(Numeric, numeric)
ZERO(Text, text)
ZERO(Tuple, tuple)
ZERO(Key, key)
ZERO(Plugin, plugin)
