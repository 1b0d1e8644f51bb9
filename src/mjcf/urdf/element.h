// element.h: what stands inside the links and joints of a robot in URDF.
//
// No schema describes these nodes, so every attribute is asked for by name. What is wrong or
// missing is reported at its place and read as if it were not there.         theory/format.md, URDF

#ifndef CONDYLE_MJCF_URDF_ELEMENT_H_
#define CONDYLE_MJCF_URDF_ELEMENT_H_

#include <mujoco/mjspec.h>

#include "base/hash.h"
#include "mjcf/read/values.h"

typedef struct Link_ Link;

typedef struct Robot_ {
  const Reader* reader;
  Link* links;
  int nlink;
  Hash names;   // links by name
  Hash colors;  // nodes of materials with a color, by name; of several the first counts
  Hash geoms;   // nodes of visuals and collisions whose names have been given, be it to no geom
} Robot;

// Reports an error at an attribute (NULL: at the node); message has one %s, for detail.
void urdf_report(const Robot* robot, const Node* node, const Attribute* attribute,
                 const char* message, const char* detail);

// A child that may stand once; NULL, and an error if it is required, if there is none.
const Node* urdf_child(const Robot* robot, const Node* node, const char* name, int required);

// The text of an attribute; NULL, and an error if it is required, if there is none.
const char* urdf_text(const Robot* robot, const Node* node, const char* name, int required);

// The name of a node, "" if it has none.
const char* urdf_name(const Node* node);

// Keeps a node by its name, unless there is one of that name.
void urdf_add(Hash* nodes, const Node* node);

// Places a body as the joint above it says, and gives it the joints that allow its motion.
void urdf_readjoint(const Robot* robot, const Node* joint, mjsBody* body);

// Gives a body the inertia and the geoms of a link.
void urdf_readlink(Robot* robot, const Node* link, mjsBody* body);

#endif  // CONDYLE_MJCF_URDF_ELEMENT_H_
