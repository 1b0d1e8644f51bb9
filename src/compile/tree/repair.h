// repair.h: inertias of robots as their makers ship them.
//
// Links between joints often have no mass, and tools of design export inertias that no rigid body
// has (A + B < C, or a negative one). The equations of motion only need the joint-space inertia M
// to be positive definite, and what a link carries often makes it so. So such numbers are kept as
// they are where M allows it, which agrees with other readers of the same file, and mended only
// where it doesn't.                                     theory/model/robots.md, Inertias of robots

#pragma once

#include "compile/context.h"

// Reports a problem of inertia: an error, or a warning if the object is of a robot, whose inertias
// are mended where M needs it. The first time such a thing is found in a robot that the reference
// would read, nothing is said: the tree is marked, and the model is compiled again.
void repair_problem(Compile* c, const SpecObject* object, const char* format, ...)
    mjPRINTFLIKE(3, 4);

// The name of a custom text that lets MJCF have what robots may have, as one written of them does.
#define REPAIR_TEXT "robot.inertia"

// Allows it if the model has such a text.
void repair_allow(SpecTree* tree);

// Is an object of a robot, whose inertias are mended?
int repair_islenient(const SpecObject* object);

// Is this model one that the reference refuses, so that none of its oddities are part of it?
int repair_isbeyond(const SpecObject* object);

// Mends the bodies of c->m that keep M from being positive definite, in the reference configuration
// and in some others. Does nothing if repair_problem found nothing. Needs c->m with its structure.
void repair_bodies(Compile* c);

// The principal inertias of the nearest rigid body. With second moments s_k = (A + B + C) / 2 - I_k
// along the principal axes, a body is rigid if all s_k >= 0; negative ones become 0.
void repair_nearest(double inertia[3]);
