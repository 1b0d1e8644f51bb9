// contact.h: rigid or sticking contacts instead of the convex soft model.
//
// A model chooses them by custom elements, so its file stays valid for other engines, which ignore
// these:
//
//   <custom>
//     <text name="condyle.contact" data="hard"/>
//     <numeric name="condyle.restitution" data="0.2"/>
//     <tuple name="condyle.restitution"><element objtype="geom" objname="ball" prm="0.8"/></tuple>
//   </custom>
//
// The compiler reads them into mjModel.cnd_contact and mjModel.cnd_geom_restitution, which a
// program may change between steps. mj_saveModel and mj_saveXML save the elements, not such
// changes. Soft contacts are the default, at no extra cost.
//                                                                   theory/contact/hard-contacts.md

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

// The law of forces of contacts and other constraints: condyle.contact.
typedef enum cndtContact_ {
  cndCONTACT_SOFT = 0,  // "soft": the convex model of mjOption and its solvers
  cndCONTACT_HARD,      // "hard": no penetration, Coulomb friction, impacts
  cndCONTACT_STICK,     // "stick": soft, but sticking contacts do not creep

  cndNCONTACT  // number of modes
} cndtContact;

// Contact options, set by numeric elements condyle.NAME; defaults in parentheses. Only `mode` and
// `restitution` apply to contacts that are not hard.
typedef struct cndContactOption_ {
  int mode;                      // cndtContact
  int iterations;                // largest number of solver sweeps, 1 .. 1000000 (120)
  mjtNum tolerance;              // residual at which the solver stops, >= 0 (1e-10)
  mjtNum restitution;            // default for geoms without their own, 0 .. 1 (0)
  mjtNum restitution_threshold;  // approach speed below which nothing bounces, m/s, >= 0 (0.01)
  mjtNum correction;             // fraction of the penetration removed per step, 0 .. 1 (0.2)
  mjtNum slop;                   // penetration that is not removed, m, >= 0 (1e-4)
  mjtNum correction_velocity;    // largest speed of removal, m/s, >= 0 (0.5)
} cndContactOption;

// Error of the constraint forces of the last mj_forward or mj_step against the exact solution of
// its equations. To be called before the state changes.
//   hard: max weight |f - P(f - w / k)| / max weight |f|, over all rows, friction divided by its
//         coefficient, k the diagonal of K, weight sqrt(k)
//                                                       theory/contact/hard-contacts.md, Conditions
//   soft: |M qacc - qfrc_smooth - J' f(qacc)|, scaled as mjSolverStat.gradient
// Writes nothing but the stack of d. Ends in mju_error if the stack has no room.
MJAPI mjtNum cnd_solverResidual(const mjModel* m, const mjData* d);

// Makes room for ncon contacts and nefc constraint rows with nJ entries of their Jacobian (nv each
// if it is dense), for programs that have computed them elsewhere and fill them in. All are zero.
// Earlier contacts and rows, islands and efc_AR are dropped. Returns 1, or 0 without any contacts
// and rows if the arena has no room. Ends in mju_error if a number is negative.
MJAPI int cnd_layoutRows(const mjModel* m, mjData* d, int ncon, int nefc, int nJ);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_CONTACT_H_
