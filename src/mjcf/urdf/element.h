// element.h: reading the elements inside links and joints of a URDF robot.
//
// There is no schema for these nodes, so every attribute is asked for by name. A wrong or missing
// one is reported and treated as absent.                               theory/model/format.md, URDF

#pragma once

#include <mujoco/mjspec.h>

#include "base/hash.h"
#include "mjcf/read/values.h"

typedef struct Link_ Link;

typedef struct Robot_ {
  const Reader* reader;
  Link* links;
  int nlink;
  Hash names;   // links by name
  Hash colors;  // nodes of materials with a color, by name; the first counts
  Hash joints;  // nodes of joints, by name; the first counts
  Hash geoms;   // visual and collision nodes whose names are taken
} Robot;

// Reports an error at an attribute, or at the node if attribute is NULL. message has one %s, for
// detail.
void urdf_report(const Robot* robot, const Node* node, const Attribute* attribute,
                 const char* message, const char* detail);

// Warns of something that the reference refuses, and that is read nevertheless.
void urdf_mend(const Robot* robot, const Node* node, const char* attribute, const char* message,
               const char* detail);

// A child that may occur once. NULL if there is none, with an error if it is required.
const Node* urdf_child(const Robot* robot, const Node* node, const char* name, int required);

// The text of an attribute. NULL if it is absent, with an error if it is required.
const char* urdf_text(const Robot* robot, const Node* node, const char* name, int required);

// The name of a node, "" if it has none.
const char* urdf_name(const Node* node);

// Keeps a node by its name, unless there is one of that name.
void urdf_add(Hash* nodes, const Node* node);

// Sets the pose of a body from the joint above it, and adds the joints that allow its motion and
// the equality of one that mimics another.
void urdf_readjoint(const Robot* robot, const Node* joint, mjsBody* body);

// Sets the inertia of a body from its link and adds its geoms.
void urdf_readlink(Robot* robot, const Node* link, mjsBody* body);
