// defaults.c: settings before anyone has set them.                    spec 07, section 4.8; spec 01

#include <mujoco/api/model.h>

#include "base/check.h"

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
  };
  mj_defaultSolRefImp(opt->o_solref, opt->o_solimp);
}

void mj_defaultVisual(mjVisual* vis) {
  check_given(vis);
  *vis = (mjVisual){
      .global =
          {
              .cameraid = -1,
              .orthographic = 0,
              .fovy = 45,
              .ipd = 0.068f,
              .azimuth = 90,
              .elevation = -45,
              .linewidth = 1,
              .glow = 0.3f,
              .realtime = 1,
              .offwidth = 640,
              .offheight = 480,
              .ellipsoidinertia = 0,
              .bvactive = 1,
          },
      .quality =
          {
              .shadowsize = 4096,
              .offsamples = 4,
              .numslices = 28,
              .numstacks = 16,
              .numquads = 4,
          },
      .headlight =
          {
              .ambient = {0.1f, 0.1f, 0.1f},
              .diffuse = {0.4f, 0.4f, 0.4f},
              .specular = {0.5f, 0.5f, 0.5f},
              .active = 1,
          },
      .map =
          {
              .stiffness = 100,
              .stiffnessrot = 500,
              .force = 0.005f,
              .torque = 0.1f,
              .alpha = 0.3f,
              .fogstart = 3,
              .fogend = 10,
              .znear = 0.01f,
              .zfar = 50,
              .haze = 0.3f,
              .shadowclip = 1,
              .shadowscale = 0.6f,
              .actuatortendon = 2,
          },
      .scale =
          {
              .forcewidth = 0.1f,
              .contactwidth = 0.3f,
              .contactheight = 0.1f,
              .connect = 0.2f,
              .com = 0.4f,
              .camera = 0.3f,
              .light = 0.3f,
              .selectpoint = 0.2f,
              .jointlength = 1,
              .jointwidth = 0.1f,
              .actuatorlength = 0.7f,
              .actuatorwidth = 0.2f,
              .framelength = 1,
              .framewidth = 0.1f,
              .constraint = 0.1f,
              .slidercrank = 0.2f,
              .frustum = 10,
          },
      .rgba =
          {
              .fog = {0, 0, 0, 1},
              .haze = {1, 1, 1, 1},
              .force = {1, 0.5f, 0.5f, 1},
              .inertia = {0.8f, 0.2f, 0.2f, 0.6f},
              .joint = {0.2f, 0.6f, 0.8f, 1},
              .actuator = {0.2f, 0.25f, 0.2f, 1},
              .actuatornegative = {0.2f, 0.6f, 0.9f, 1},
              .actuatorpositive = {0.9f, 0.4f, 0.2f, 1},
              .com = {0.9f, 0.9f, 0.9f, 1},
              .camera = {0.6f, 0.9f, 0.6f, 1},
              .light = {0.6f, 0.6f, 0.9f, 1},
              .selectpoint = {0.9f, 0.9f, 0.1f, 1},
              .connect = {0.2f, 0.2f, 0.8f, 1},
              .contactpoint = {0.9f, 0.6f, 0.2f, 1},
              .contactforce = {0.7f, 0.9f, 0.9f, 1},
              .contactfriction = {0.9f, 0.8f, 0.4f, 1},
              .contacttorque = {0.9f, 0.7f, 0.9f, 1},
              .contactgap = {0.5f, 0.8f, 0.9f, 1},
              .rangefinder = {1, 1, 0.1f, 1},
              .constraint = {0.9f, 0, 0, 1},
              .slidercrank = {0.5f, 0.3f, 0.8f, 1},
              .crankbroken = {0.9f, 0, 0, 1},
              .frustum = {1, 1, 0, 0.2f},
              .bv = {0, 1, 0, 0.5f},
              .bvactive = {1, 0, 0, 0.5f},
          },
  };
}
