// warning.c: warnings while simulating, counted by kind in mjData and reported once for each kind.
//                                                                          theory/data.md, Warnings

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>

#include "base/memory/check.h"
#include "model/data/hold.h"

// texts before and after the number of a warning
static const struct {
  const char *before, *behind;
} texts[cndWARN_END] = {
    [mjWARN_INERTIA] = {"Inertia matrix is too close to singular at DOF ", ". Check model."},
    [mjWARN_CONTACTFULL] = {"Too many contacts. The arena memory is full, increase arena memory "
                            "allocation.(ncon = ",
                            ")"},
    [mjWARN_CNSTRFULL] = {"Insufficient arena memory for the number of constraints generated. "
                          "Increase arena memory allocation above ",
                          " bytes."},
    [mjWARN_VGEOMFULL] = {"Pre-allocated visual geom buffer is full. Increase maxgeom above ", "."},
    [mjWARN_BADQPOS] = {"Nan, Inf or huge value in QPOS at DOF ", ". The simulation is unstable."},
    [mjWARN_BADQVEL] = {"Nan, Inf or huge value in QVEL at DOF ", ". The simulation is unstable."},
    [mjWARN_BADQACC] = {"Nan, Inf or huge value in QACC at DOF ", ". The simulation is unstable."},
    [mjWARN_BADCTRL] = {"Nan, Inf or huge value in CTRL at ACTUATOR ",
                        ". The simulation is unstable."},
    [cndWARN_SOLREF] = {"mixed solref format, replacing with default, at constraint row ",
                        ": both numbers must be positive, or both not."},
    [cndWARN_LINESEARCH] = {"The solver's cost is not convex along its direction, at evaluation ",
                            " of a line search. The inertia matrix or the constraints hold numbers "
                            "that are not finite."},
    [cndWARN_DEPTH] =
        {"No distance or depth found of two convex shapes: they get no contact, after contact ",
         ". Their poses and sizes must be finite, and their meshes not flat."},
    [cndWARN_MEMORY] = {"More constraints than are kept from step to step, which are ",
                        ": the others begin anew in each step."},
    [cndWARN_UNSOLVED] = {"Hard contacts end above condyle.tolerance, in island ",
                          ": they may need more condyle.iterations. No proof was found that they "
                          "contradict each other."},
    [cndWARN_INVERSE] =
        {"Flag fwdinv: forward and inverse dynamics are not compared. Hard contacts have no "
         "inverse, "
         "nor has integrator RK4 in discrete time (flag invdiscrete). Integrator = ",
         "."},
    [cndWARN_DERIVATIVE] =
        {"Exact derivatives are not finite, first at entry ",
         " of a result. The state or the inputs hold huge numbers, or such that are none."},
    [cndWARN_CONTRADICTION] = {"Hard constraints contradict each other, in island ",
                               ": no motion obeys them all, so the step has no solution. A bounce "
                               "that an equality forbids does that."},
};

static _Thread_local int* holding;

int* warning_hold(int* held) {
  int* before = holding;
  holding = held;
  return before;
}

int warning_is_held(void) {
  if (holding) {
    *holding = 1;
  }
  return holding != NULL;
}

static int is_known(int warning) {
  return warning >= 0 && warning < cndWARN_END && texts[warning].before;
}

const char* mju_warningText(int warning, size_t info) {
  static _Thread_local char text[1024];
  char number[32];
  snprintf(number, sizeof(number), "%zu", info);
  if (!is_known(warning)) {
    snprintf(text, sizeof(text), "Unknown warning type %d.", warning);
  } else {
    snprintf(text, sizeof(text), "%s%s%s", texts[warning].before,
             warning == mjWARN_CNSTRFULL ? mju_writeNumBytes(info) : number, texts[warning].behind);
  }
  return text;
}

void mj_warning(mjData* d, int warning, int info) {
  check_given(d);
  if (!is_known(warning)) {
    mju_error("mj_warning: invalid warning type %d", warning);
    return;
  }
  if (warning_is_held()) {
    return;
  }
  mjWarningStat* stat =
      warning < mjNWARNING ? d->warning + warning : d->cnd_warning + (warning - cndWARN_FIRST);
  stat->lastinfo = info;
  if (!stat->number) {
    mju_warning("%s Time = %.4f.", mju_warningText(warning, (size_t)info), (double)d->time);
  }
  stat->number++;
}
