// mujoco.h: the functions of the library. Include this one; it brings all types. The functions
// stand in the headers below it, one for each part of the library.
//
// Source-compatible with MuJoCo 3.3.7, or with 4.0.0 where a program asks for it (mjversion.h): a
// program written for it compiles here unchanged, except that a function which does not exist yet
// is not declared. What only Condyle has is in
// condyle/condyle.h.
//
// Conventions: SI units and radians; outputs come before inputs where a name says nothing else;
// matrices are row-major; quaternions are (w, x, y, z); a rotation matrix has the axes of the local
// frame as columns; 6D vectors are rotation first, then translation. Pointers may be NULL only
// where the text says so. Misuse (an index out of range, say) ends in mju_error, which does not
// return.

#ifndef MUJOCO_MUJOCO_H_
#define MUJOCO_MUJOCO_H_

#include <condyle/dynamics.h>
#include <condyle/view.h>
#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/collision.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/constraint.h>
#include <mujoco/api/mjcf.h>
#include <mujoco/api/model.h>
#include <mujoco/api/print.h>
#include <mujoco/api/render.h>
#include <mujoco/api/scene.h>
#include <mujoco/api/sensor.h>
#include <mujoco/api/smooth.h>
#include <mujoco/api/spec.h>
#include <mujoco/api/step.h>
#include <mujoco/api/ui.h>
#include <mujoco/api/view.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>
#include <mujoco/mjrender.h>
#include <mujoco/mjsan.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjtype.h>
#include <mujoco/mjui.h>
#include <mujoco/mjversion.h>
#include <mujoco/mjvisualize.h>
#include <stdlib.h>

#if mjVERSION_API >= 400
#include <mujoco/mjassert.h>

// functions with other results in 4.0.0
#define mju_round cnd_roundAway
#define mju_cholFactor cnd_cholFactor
#define mju_cholFactorBand cnd_cholFactorBand
#define mju_eig3 cnd_eig3
#define mjv_applyPerturbForce cnd_applyPerturbForce
#endif

#endif  // MUJOCO_MUJOCO_H_
