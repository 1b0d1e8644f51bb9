// defaults.c: default values of options, visual settings and elements of mjModel.
//                         theory/data.md, Default settings; theory/model/model.md, Element defaults

#include <mujoco/api/model.h>

#include "base/memory/check.h"

void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp) {
  if (solref) {
    solref[0] = (mjtNum)0.02;
    solref[1] = 1;
  }
  if (solimp) {
    solimp[0] = (mjtNum)0.9;
    solimp[1] = (mjtNum)0.95;
    solimp[2] = (mjtNum)0.001;
    solimp[3] = (mjtNum)0.5;
    solimp[4] = 2;
  }
}

void mj_defaultLROpt(mjLROpt* opt) {
  check_given(opt);
  *opt = (mjLROpt){
      .mode = mjLRMODE_MUSCLE,
      .useexisting = 1,
      .uselimit = 0,
      .accel = 20,
      .maxforce = 0,
      .timeconst = 1,
      .timestep = (mjtNum)0.01,
      .inttotal = 10,
      .interval = 2,
      .tolrange = (mjtNum)0.05,
  };
}

void mj_defaultOption(mjOption* opt) {
  check_given(opt);
  *opt = (mjOption){
      .timestep = (mjtNum)0.002,
      .impratio = 1,
      .tolerance = (mjtNum)1e-8,
      .ls_tolerance = (mjtNum)0.01,
      .noslip_tolerance = (mjtNum)1e-6,
      .ccd_tolerance = (mjtNum)1e-6,
      .gravity = {0, 0, (mjtNum)-9.81},
      .wind = {0, 0, 0},
      .magnetic = {0, (mjtNum)-0.5, 0},
      .density = 0,
      .viscosity = 0,
      .o_margin = 0,
      .o_friction = {1, 1, (mjtNum)0.005, (mjtNum)0.0001, (mjtNum)0.0001},
      .integrator = mjINT_EULER,
      .cone = mjCONE_PYRAMIDAL,
      .jacobian = mjJAC_AUTO,
      .solver = mjSOL_NEWTON,
      .iterations = 100,
      .ls_iterations = 50,
      .noslip_iterations = 0,
      .ccd_iterations = 35,
      .disableflags = 0,
      .enableflags = 0,
      .disableactuator = 0,
      .sdf_initpoints = 40,
      .sdf_iterations = 10,
      .sleep_tolerance = (mjtNum)1e-3,
  };
  mj_defaultSolRefImp(opt->o_solref, opt->o_solimp);
}

void mj_defaultVisual(mjVisual* vis) {
  check_given(vis);
  *vis = (mjVisual){
      .global.cameraid = -1,
      .global.orthographic = 0,
      .global.fovy = 45,
      .global.ipd = 0.068f,
      .global.azimuth = 90,
      .global.elevation = -45,
      .global.linewidth = 1,
      .global.glow = 0.3f,
      .global.realtime = 1,
      .global.offwidth = 640,
      .global.offheight = 480,
      .global.ellipsoidinertia = 0,
      .global.bvactive = 1,
      .quality.shadowsize = 4096,
      .quality.offsamples = 4,
      .quality.numslices = 28,
      .quality.numstacks = 16,
      .quality.numquads = 4,
      .headlight.ambient = {0.1f, 0.1f, 0.1f},
      .headlight.diffuse = {0.4f, 0.4f, 0.4f},
      .headlight.specular = {0.5f, 0.5f, 0.5f},
      .headlight.active = 1,
      .map.stiffness = 100,
      .map.stiffnessrot = 500,
      .map.force = 0.005f,
      .map.torque = 0.1f,
      .map.alpha = 0.3f,
      .map.fogstart = 3,
      .map.fogend = 10,
      .map.znear = 0.01f,
      .map.zfar = 50,
      .map.haze = 0.3f,
      .map.shadowclip = 1,
      .map.shadowscale = 0.6f,
      .map.actuatortendon = 2,
      .scale.forcewidth = 0.1f,
      .scale.contactwidth = 0.3f,
      .scale.contactheight = 0.1f,
      .scale.connect = 0.2f,
      .scale.com = 0.4f,
      .scale.camera = 0.3f,
      .scale.light = 0.3f,
      .scale.selectpoint = 0.2f,
      .scale.jointlength = 1,
      .scale.jointwidth = 0.1f,
      .scale.actuatorlength = 0.7f,
      .scale.actuatorwidth = 0.2f,
      .scale.framelength = 1,
      .scale.framewidth = 0.1f,
      .scale.constraint = 0.1f,
      .scale.slidercrank = 0.2f,
      .scale.frustum = 10,
      .rgba.fog = {0, 0, 0, 1},
      .rgba.haze = {1, 1, 1, 1},
      .rgba.force = {1, 0.5f, 0.5f, 1},
      .rgba.inertia = {0.8f, 0.2f, 0.2f, 0.6f},
      .rgba.joint = {0.2f, 0.6f, 0.8f, 1},
      .rgba.actuator = {0.2f, 0.25f, 0.2f, 1},
      .rgba.actuatornegative = {0.2f, 0.6f, 0.9f, 1},
      .rgba.actuatorpositive = {0.9f, 0.4f, 0.2f, 1},
      .rgba.com = {0.9f, 0.9f, 0.9f, 1},
      .rgba.camera = {0.6f, 0.9f, 0.6f, 1},
      .rgba.light = {0.6f, 0.6f, 0.9f, 1},
      .rgba.selectpoint = {0.9f, 0.9f, 0.1f, 1},
      .rgba.connect = {0.2f, 0.2f, 0.8f, 1},
      .rgba.contactpoint = {0.9f, 0.6f, 0.2f, 1},
      .rgba.contactforce = {0.7f, 0.9f, 0.9f, 1},
      .rgba.contactfriction = {0.9f, 0.8f, 0.4f, 1},
      .rgba.contacttorque = {0.9f, 0.7f, 0.9f, 1},
      .rgba.contactgap = {0.5f, 0.8f, 0.9f, 1},
      .rgba.rangefinder = {1, 1, 0.1f, 1},
      .rgba.constraint = {0.9f, 0, 0, 1},
      .rgba.slidercrank = {0.5f, 0.3f, 0.8f, 1},
      .rgba.crankbroken = {0.9f, 0, 0, 1},
      .rgba.frustum = {1, 1, 0, 0.2f},
      .rgba.bv = {0, 1, 0, 0.5f},
      .rgba.bvactive = {1, 0, 0, 0.5f},
  };
}
