// makers.h: the functions that make constraint rows, one per group of rows, in the order of efc.
//
// A maker walks the model's constraints of its group, decides which are active, and passes their
// rows to the sink (twice: see rows/sink.h).                    theory/contact/constraints.md, Rows

#pragma once

#include <mujoco/mjdata.h>

#include "constraint/rows/bodies.h"
#include "constraint/rows/sink.h"
#include "model/options.h"

void rows_equality(RowSink* sink, BodyJacobian* bodies);
void rows_friction(RowSink* sink);
void rows_limit(RowSink* sink);

// Of the contacts [begin, end), with their parameters.
void rows_contacts(RowSink* sink, BodyJacobian* bodies, int begin, int end);

// The bodies that a connect or weld connects: weight 1 for that of object 1, -1 for that of object
// 2.
void equality_bodies(RowBodies* bodies, const mjModel* m, int equality);

// The anchor points of a connect or weld, one on each object, in the world.
void equality_points(mjtNum point[2][3], const mjModel* m, const mjData* d, int equality);

// Slope of the polynomial of a joint or tendon equality: D1 + 2 D2 u + 3 D3 u^2 + 4 D4 u^3.
static inline mjtNum coupling_slope(const mjtNum* data, mjtNum u) {
  return data[1] + u * (2 * data[2] + u * (3 * data[3] + u * 4 * data[4]));
}

// The orientations of objects 1 and 2 that a weld keeps equal.
void weld_quats(mjtNum q1[4], mjtNum q2[4], const mjModel* m, const mjData* d, int equality);

// The torque on object 1, and its opposite on object 2, of the forces of a weld's rotation rows.
void weld_torque(mjtNum torque[3], const mjModel* m, const mjData* d, int equality,
                 const mjtNum force[3]);

// (d/dt J) qvel of the rows of a connect (3) or weld (6).
void equality_rate(mjtNum rate[6], const mjModel* m, const mjData* d, int equality);

// Whether a contact is one of two geoms.
static inline int contact_has_geoms(const mjContact* contact) {
  return contact->geom[0] >= 0 && contact->geom[1] >= 0;
}

// The bodies of a contact: weight 1 for that of the second geom, -1 for that of the first. A flex
// element has the bodies of its vertices.
void contact_bodies(RowBodies* bodies, const mjModel* m, const mjData* d, const mjContact* contact);

// Sum of |weight| body_invweight0 over these bodies, for translation and for rotation.
void contact_weight(mjtNum out[2], const mjModel* m, const mjData* d, const mjContact* contact);

// How many rows a contact has, and their type (mjtConstraint).
static inline int contact_rows(int type[1], const mjModel* m, const mjContact* contact) {
  int dim = contact->dim, pyramidal = options_is_pyramidal(m);
  if (dim == 1) {
    *type = mjCNSTR_CONTACT_FRICTIONLESS;
    return 1;
  }
  *type = pyramidal ? mjCNSTR_CONTACT_PYRAMIDAL : mjCNSTR_CONTACT_ELLIPTIC;
  return pyramidal ? 2 * (dim - 1) : dim;
}

// The Jacobian of a tendon's length, as one row.
RowJacobian tendon_jacobian(const mjModel* m, const mjData* d, int tendon);
