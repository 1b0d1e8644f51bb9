// callbacks.c: the callbacks that a program sets (all NULL at first), and names of flags and
// timers.

#include <condyle/profile.h>
#include <mujoco/api/model.h>

mjfGeneric mjcb_passive = NULL;
mjfGeneric mjcb_control = NULL;
mjfConFilt mjcb_contactfilter = NULL;
mjfSensor mjcb_sensor = NULL;
mjfTime mjcb_time = NULL;
mjfAct mjcb_act_dyn = NULL;
mjfAct mjcb_act_gain = NULL;
mjfAct mjcb_act_bias = NULL;
cndfPair cnd_observePair = NULL;

void mj_resetCallbacks(void) {
  mjcb_passive = NULL;
  mjcb_control = NULL;
  mjcb_contactfilter = NULL;
  mjcb_sensor = NULL;
  mjcb_time = NULL;
  mjcb_act_dyn = NULL;
  mjcb_act_gain = NULL;
  mjcb_act_bias = NULL;
  cnd_observePair = NULL;
}

#define DISABLE                                                                                \
  "Constraint", "Equality", "Frictionloss", "Limit", "Contact", "Spring", "Damper", "Gravity", \
      "Clampctrl", "Warmstart", "Filterparent", "Actuation", "Refsafe", "Sensor", "Midphase",  \
      "Eulerdamp", "AutoReset", "NativeCCD", "Island"
#define ENABLE "Override", "Energy", "Fwdinv", "InvDiscrete", "MultiCCD"
const char* mjDISABLESTRING[mjNDISABLE] = {DISABLE};
const char* cnd_DISABLESTRING[20] = {DISABLE, "MultiCCD"};
const char* mjENABLESTRING[mjNENABLE] = {ENABLE};
const char* cnd_ENABLESTRING[9] = {ENABLE, "Sleep", "DiagExact", "IPC", "Speculative"};
#undef DISABLE
#undef ENABLE

const char* mjTIMERSTRING[mjNTIMER] = {
    "step",          "forward",    "inverse",     "position",       "velocity",
    "actuation",     "constraint", "advance",     "pos_kinematics", "pos_inertia",
    "pos_collision", "pos_make",   "pos_project", "col_broadphase", "col_narrowphase",
};
