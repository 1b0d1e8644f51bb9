// contact.h: contacts that are rigid or stick, instead of the convex soft model.
//
// A model chooses by custom elements, which other engines ignore, so that its file stays valid
// there:
//
//   <custom>
//     <text name="condyle.contact" data="hard"/>
//     <numeric name="condyle.restitution" data="0.2"/>
//     <tuple name="condyle.restitution"><element objtype="geom" objname="ball" prm="0.8"/></tuple>
//   </custom>
//
// The compiler reads them into mjModel.cnd_contact and mjModel.cnd_geom_restitution, which a
// program may change between steps. mj_saveModel and mj_saveXML keep the elements, not such
// changes. Soft contacts are the default and cost nothing more.
//                                                                          theory/hard-contacts.md

#ifndef CONDYLE_CONTACT_H_
#define CONDYLE_CONTACT_H_

#include <mujoco/mjexport.h>
#include <mujoco/mjtnum.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mjModel_ mjModel;
typedef struct mjData_ mjData;

#define CND_NMEMORY 12  // numbers in a row of mjData.cnd_memory

// How contacts and the other constraints make forces: condyle.contact.
typedef enum cndtContact_ {
  cndCONTACT_SOFT = 0,  // "soft": the convex model of mjOption and its solvers
  cndCONTACT_HARD,      // "hard": rigid; no penetration, Coulomb's friction, impacts
  cndCONTACT_STICK,     // "stick": soft, but what sticks does not creep

  cndNCONTACT  // how many there are
} cndtContact;

// The numbers below are those of the numeric elements condyle.NAME. Only `mode` and `restitution`
// have a meaning for contacts that are not hard.
typedef struct cndContactOption_ {
  int mode;                      // cndtContact
  int iterations;                // most sweeps of the solver in one solve, 1 .. 1000000 (120)
  mjtNum tolerance;              // residual at which it stops, >= 0 (1e-10)
  mjtNum restitution;            // of geoms without one of their own, 0 .. 1 (0)
  mjtNum restitution_threshold;  // slower approach doesn't bounce, m/s, >= 0 (0.01)
  mjtNum correction;             // part of the penetration that a step removes, 0 .. 1 (0.2)
  mjtNum slop;                   // penetration that is left alone, m, >= 0 (1e-4)
  mjtNum correction_velocity;    // fastest removal, m/s, >= 0 (0.5)
} cndContactOption;

// How far the constraint forces of the last mj_forward or mj_step are from those that its equations
// define, after mj_forward and before the state is changed.
//   hard: max weight |f - P(f - w / k)| / max weight |f|, over all rows, friction divided by its
//         coefficient, k the diagonal of K, weight sqrt(k)      theory/hard-contacts.md, Conditions
//   soft: |M qacc - qfrc_smooth - J' f(qacc)|, scaled as mjSolverStat.gradient
// Uses the stack of d, nothing else of it; an error if that has no room.
MJAPI mjtNum cnd_solverResidual(const mjModel* m, const mjData* d);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_CONTACT_H_
