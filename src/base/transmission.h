// transmission.h: what follows from the kind of a transmission.
//
//                   drives    second site     moment
//   joint           joint     none            the joint's dofs
//   jointinparent   joint     none            the joint's dofs
//   slidercrank     site      slider's        any dofs
//   tendon          tendon    none            any dofs
//   site            site      reference's     any dofs
//   body            body      none            any dofs
//   so3             joint     none            three rows: the joint's dofs
//                   or site   reference's     three rows: any dofs
//
// What an actuator drives is actuator_trnid[2 i], the second site actuator_trnid[2 i + 1].

#pragma once

#include <mujoco/mjmodel.h>

// Whether a second site belongs to a transmission.
typedef enum SecondSite {
  SECOND_NONE,
  SECOND_OPTIONAL,  // -1: there is none
  SECOND_REQUIRED
} SecondSite;

typedef struct Transmission {
  mjtObj target;  // mjOBJ_UNKNOWN for an invalid kind
  SecondSite second;
} Transmission;

static inline Transmission transmission_of(int trntype) {
  switch (trntype) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return (Transmission){mjOBJ_JOINT, SECOND_NONE};
    case mjTRN_SLIDERCRANK:
      return (Transmission){mjOBJ_SITE, SECOND_REQUIRED};
    case mjTRN_TENDON:
      return (Transmission){mjOBJ_TENDON, SECOND_NONE};
    case mjTRN_SITE:
      return (Transmission){mjOBJ_SITE, SECOND_OPTIONAL};
    case mjTRN_BODY:
      return (Transmission){mjOBJ_BODY, SECOND_NONE};
    default:
      return (Transmission){mjOBJ_UNKNOWN, SECOND_NONE};
  }
}

// Gears of ball and free joints may be in axes of the child or of the parent: both are on a joint.
static inline int transmission_on_joint(int trntype) {
  return trntype == mjTRN_JOINT || trntype == mjTRN_JOINTINPARENT;
}

// Does it act at sites? A slider-crank acts at two, others at one or two.
static inline int transmission_on_site(int trntype) {
  return trntype == mjTRN_SITE || trntype == mjTRN_SLIDERCRANK || trntype == mjTRN_SO3;
}

// The tendon that an actuator drives; -1 if it drives something else.
static inline int actuator_tendon(const mjModel* m, int actuator) {
  return m->actuator_trntype[actuator] == mjTRN_TENDON ? m->actuator_trnid[2 * actuator] : -1;
}

// The joint that an actuator drives; -1 if it drives something else.
static inline int actuator_joint(const mjModel* m, int actuator) {
  return transmission_on_joint(m->actuator_trntype[actuator]) ? m->actuator_trnid[2 * actuator]
                                                              : -1;
}
