// rows.h: the makers of constraint rows, one per group, in the order in which the groups stand in
// efc.
//
// A maker walks the model's constraints of its group, decides which are active, and gives their
// rows to the sink (twice: see rows/sink.h).                            spec 06, sections 1.4 to 1.7

#ifndef CONDYLE_CONSTRAINT_ROWS_ROWS_H_
#define CONDYLE_CONSTRAINT_ROWS_ROWS_H_

#include "constraint/rows/body_rows.h"
#include "constraint/rows/sink.h"

void rows_equality(RowSink* sink, BodyPair* pair);
void rows_friction(RowSink* sink);
void rows_limit(RowSink* sink);
void rows_contact(RowSink* sink, BodyPair* pair);

// The bodies an equality of type connect or weld ties together.
void equality_bodies(int body[2], const mjModel* m, int equality);

// The bodies of the two geoms of a contact.
void contact_bodies(int body[2], const mjModel* m, const mjContact* contact);

// How many rows a contact has, and their type (mjtConstraint).
int contact_rows(int type[1], const mjModel* m, const mjContact* contact);

// The Jacobian of a tendon's length, as one row.
RowJacobian tendon_jacobian(const mjModel* m, const mjData* d, int tendon);

#endif  // CONDYLE_CONSTRAINT_ROWS_ROWS_H_
