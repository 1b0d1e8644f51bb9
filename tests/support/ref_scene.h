// ref_scene.h: scenes for the reference, whose mjvGeom, mjvLight and mjvScene lack the members of
// later releases that ours have.
//
// A test keeps scenes of our kind alone. Around a call of the reference it enters one, which fills
// in the reference's struct that belongs to it, and leaves it, which copies back what has changed:
//
//   ref_scene_make(b, &scn, 1000);
//   update(b->ref_m, b->ref_d, &opt, NULL, &cam, mjCAT_ALL, ref_scene_enter(&scn));
//   ref_scene_leave(&scn);
//   height = frustum_height(ref_scene_enter(&scn));  // a const scene needs no leaving
//   ref_scene_free(&scn);
//
// Shapes and lights are copied, other arrays are shared. Members that the reference doesn't know
// stay as they are. A struct from ref_scene_enter is good until a few other scenes are entered.

#pragma once

#include <mujoco/mujoco.h>

#include "support/bridge.h"

// The structs of 3.3.7; members are described in mjvisualize.h.

typedef struct RefGeom_ {
  int type, dataid, objtype, objid, category, matid, texcoord, segid;
  float size[3], pos[3], mat[9];
  float rgba[4], emission, specular, shininess, reflectance;
  char label[100];
  float camdist, modelrbound;
  mjtByte transparent;
} RefGeom;

typedef struct RefLight_ {
  int id;
  float pos[3], dir[3];
  int type, texid;
  float attenuation[3], cutoff, exponent;
  float ambient[3], diffuse[3], specular[3];
  mjtByte headlight, castshadow;
  float bulbradius, intensity, range;
} RefLight;

typedef struct RefScene_ {
  int maxgeom, ngeom;
  RefGeom* geoms;
  int* geomorder;

  int nflex;
  int *flexedgeadr, *flexedgenum, *flexvertadr, *flexvertnum;
  int *flexfaceadr, *flexfacenum, *flexfaceused, *flexedge;
  float *flexvert, *flexface, *flexnormal, *flextexcoord;
  mjtByte flexvertopt, flexedgeopt, flexfaceopt, flexskinopt;

  int nskin;
  int *skinfacenum, *skinvertadr, *skinvertnum;
  float *skinvert, *skinnormal;

  int nlight;
  RefLight lights[mjMAXLIGHT];

  mjvGLCamera camera[2];

  mjtByte enabletransform;
  float translate[3], rotate[4], scale;

  int stereo;
  mjtByte flags[10];

  int framewidth;
  float framergb[3];
  int status;
} RefScene;

// The reference's struct of a scene, with what the scene holds.
RefScene* ref_scene_enter(const mjvScene* scn);

// Copies the reference's struct of a scene, entered before, back to the scene.
void ref_scene_leave(mjvScene* scn);

// mjv_makeScene and mjv_freeScene of the reference, for a scene that is empty and for one made
// here. Shapes start as zeros.
void ref_scene_make(const Bridge* b, mjvScene* scn, int maxgeom);
void ref_scene_free(mjvScene* scn);
