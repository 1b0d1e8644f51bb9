// warning.c: trouble while simulating, counted in mjData and reported once of each kind.
//                                                                             spec 07, section 3.1

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stdio.h>

#include "base/check.h"

// text = one of the lines below with info in its place
static void write_text(char* text, size_t size, int warning, size_t info) {
  switch (warning) {
    case mjWARN_INERTIA:
      snprintf(text, size, "Inertia matrix is too close to singular at DOF %zu. Check model.",
               info);
      break;
    case mjWARN_CONTACTFULL:
      snprintf(text, size,
               "Too many contacts. The arena memory is full, increase arena memory allocation."
               "(ncon = %zu)",
               info);
      break;
    case mjWARN_CNSTRFULL:
      snprintf(text, size,
               "Insufficient arena memory for the number of constraints generated. Increase arena "
               "memory allocation above %s bytes.",
               mju_writeNumBytes(info));
      break;
    case mjWARN_VGEOMFULL:
      snprintf(text, size, "Pre-allocated visual geom buffer is full. Increase maxgeom above %zu.",
               info);
      break;
    case mjWARN_BADQPOS:
      snprintf(text, size, "Nan, Inf or huge value in QPOS at DOF %zu. The simulation is unstable.",
               info);
      break;
    case mjWARN_BADQVEL:
      snprintf(text, size, "Nan, Inf or huge value in QVEL at DOF %zu. The simulation is unstable.",
               info);
      break;
    case mjWARN_BADQACC:
      snprintf(text, size, "Nan, Inf or huge value in QACC at DOF %zu. The simulation is unstable.",
               info);
      break;
    case mjWARN_BADCTRL:
      snprintf(text, size,
               "Nan, Inf or huge value in CTRL at ACTUATOR %zu. The simulation is unstable.", info);
      break;
    case cndWARN_SOLREF:
      snprintf(text, size,
               "mixed solref format, replacing with default, at constraint row %zu: both numbers "
               "must be positive, or both not.",
               info);
      break;
    case cndWARN_LINESEARCH:
      snprintf(text, size,
               "The solver's cost is not convex along its direction, at evaluation %zu of a line "
               "search. The inertia matrix or the constraints hold numbers that are not finite.",
               info);
      break;
    default:
      snprintf(text, size, "Unknown warning type %d.", warning);
  }
}

const char* mju_warningText(int warning, size_t info) {
  static _Thread_local char text[1024];
  write_text(text, sizeof(text), warning, info);
  return text;
}

void mj_warning(mjData* d, int warning, int info) {
  check_given(d);
  int own = warning - cndWARN_FIRST;
  if (warning < 0 || warning >= cndWARN_END || (warning >= mjNWARNING && own < 0)) {
    mju_error("mj_warning: invalid warning type %d", warning);
    return;
  }
  mjWarningStat* stat = own < 0 ? d->warning + warning : d->cnd_warning + own;
  stat->lastinfo = info;
  if (!stat->number) {
    mju_warning("%s Time = %.4f.", mju_warningText(warning, (size_t)info), (double)d->time);
  }
  stat->number++;
}
