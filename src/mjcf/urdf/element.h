// element.h: what stands inside the links and joints of a robot in URDF.
//
// No schema describes these nodes, so every attribute is asked for by name. What is wrong or missing
// is reported at its place and read as if it were not there.                 theory/format.md, URDF

#ifndef CONDYLE_MJCF_URDF_ELEMENT_H_
#define CONDYLE_MJCF_URDF_ELEMENT_H_

#include <mujoco/mjspec.h>

#include "mjcf/read/values.h"

// A node that is looked up by its name. Of several with one name the first counts.
typedef struct Named_ {
  const char* name;
  const Node* node;
  int index;  // place in the file among its kind
} Named;

typedef struct Link_ Link;

typedef struct Robot_ {
  const Reader* reader;
  Link* links;
  Named* names;  // of the links, sorted
  int nlink;
  Named* colors;  // materials with a color, sorted
  int ncolor;
  Named* geoms;  // visuals and collisions with a name, sorted
  char* used;    // the name has been given, be it to a geom that was discarded
  int ngeom;
} Robot;

// Reports an error at an attribute (NULL: at the node); message has one %s, for detail.
void urdf_report(const Robot* robot, const Node* node, const Attribute* attribute,
                 const char* message, const char* detail);

// A child that may stand once; NULL, and an error if it is required, if there is none.
const Node* urdf_child(const Robot* robot, const Node* node, const char* name, int required);

// The text of an attribute; NULL, and an error if it is required, if there is none.
const char* urdf_text(const Robot* robot, const Node* node, const char* name, int required);

// Index of the first of n sorted names that is this one, -1 if there is none such.
int urdf_find(const Named* names, int n, const char* name);

// Places a body as the joint above it says, and gives it the joints that allow its motion.
void urdf_readjoint(const Robot* robot, const Node* joint, mjsBody* body);

// Gives a body the inertia and the geoms of a link.
void urdf_readlink(const Robot* robot, const Node* link, mjsBody* body);

#endif  // CONDYLE_MJCF_URDF_ELEMENT_H_
