// robot.h: a robot as its file describes it, before it is a model.
//
//   URDF --urdf, gazebo--> RobotDescription --build--> mjSpec
//
// Formats of robots agree on what a robot is: links with mass, shapes to be seen and shapes to
// collide, joints between them, what drives and what measures. A reader fills this description and
// keeps the node of each part, so that everything said later has its place in the file. Whether a
// number makes sense is the reader's question; what becomes of it in a model is the builder's.
//
// Angles are radians, lengths metres. Poses of links follow from the joints above them. Texts
// belong to the document, arrays to the robot.

#pragma once

#include <condyle/robot.h>
#include <mujoco/mjmodel.h>

#include "base/algebra/pose.h"
#include "base/hash.h"
#include "mjcf/document.h"

typedef struct RobotMaterial_ {
  const char* name;
  const char* texture;  // file as written; NULL if none
  float rgba[4];
  int has_color;
} RobotMaterial;

// A shape to be seen, or to collide.
typedef struct RobotGeom_ {
  const Node* node;
  const char* name;  // "" if none
  int is_visual;
  Pose pose;  // in the link
  mjtGeom type;
  double size[3];    // as mjsGeom
  const char* file;  // of a mesh
  double scale[3];   // of a mesh
  int mesh;          // for the builder: number of its mesh from 1 on, 0 for none
  RobotMaterial material;
} RobotGeom;

typedef struct RobotLink_ {
  const Node* node;
  const char* name;
  double mass;
  double inertia[6];  // about the centre, in the axes of `inertial`: xx yy zz xy xz yz
  Pose inertial;
  int joint;         // to its parent, -1 for a root
  int parent;        // link, -1 for a root
  int first, last;   // children in the order of joints
  int next;          // next child of the same parent
  RobotGeom* geoms;  // in the order of the file
  int ngeom;
} RobotLink;

typedef enum RobotJointType_ {
  ROBOT_FIXED,
  ROBOT_REVOLUTE,
  ROBOT_PRISMATIC,
  ROBOT_PLANAR,
  ROBOT_FLOATING,
  ROBOT_BALL,
} RobotJointType;

typedef enum RobotDrive_ {
  ROBOT_DRIVE_NONE,
  ROBOT_DRIVE_POSITION,
  ROBOT_DRIVE_VELOCITY,
  ROBOT_DRIVE_MOTOR,
} RobotDrive;

typedef struct RobotJoint_ {
  const Node* node;
  const char* name;
  RobotJointType type;
  int parent, child;  // links
  Pose pose;          // of the child in the parent
  double axis[3];     // unit, in the child
  double anchor[3];   // in the child; URDF has it at the origin
  int has_range;
  double range[2];
  int has_aims;
  double aims[2];           // positions that a drive may ask for
  double effort, velocity;  // limits, 0 if there is none
  double damping, friction, stiffness, reference;
  int leader;  // joint that it mimics, -1 if none
  double multiplier, offset;
  RobotDrive drive;  // as a transmission says
  double gear;       // motor angle per joint angle
} RobotJoint;

typedef enum RobotSensorType_ {
  ROBOT_IMU,
  ROBOT_CAMERA,
  ROBOT_FORCETORQUE,
  ROBOT_RAY,
} RobotSensorType;

typedef struct RobotSensor_ {
  const Node* node;
  const char* name;
  RobotSensorType type;
  int link;                // that carries it; -1: see joint
  int joint;               // whose force it measures; -1: see link
  Pose pose;               // in the link
  double fov;              // horizontal
  int width, height;       // pixels
  int nray;                // in the plane xy
  double angle[2], range;  // first and last ray, reach
} RobotSensor;

// A kind of element that nobody reads.
typedef struct RobotUnused_ {
  const Node* node;  // the first of them
  int count;
} RobotUnused;

typedef struct RobotDescription_ {
  Document* document;
  const char* name;
  RobotLink* links;
  int nlink;
  RobotJoint* joints;
  int njoint;
  RobotSensor* sensors;
  int nsensor;
  RobotUnused* unused;
  int nunused;
  Hash link_names, joint_names, colors;
  cndDiagnostics* problems;
} RobotDescription;

// Reports what is wrong, or doubtful, at an element or, with its name, at an attribute.
void robot_error(const RobotDescription* robot, const Node* node, const char* attribute,
                 const char* message, ...) mjPRINTFLIKE(4, 5);
void robot_warn(const RobotDescription* robot, const Node* node, const char* attribute,
                const char* message, ...) mjPRINTFLIKE(4, 5);

// Notes an element that isn't read; robot_tellunused gives one line for each kind.
void robot_unused(RobotDescription* robot, const Node* node);
void robot_tellunused(const RobotDescription* robot);

// Appends an item of zeros to an array of the robot, and returns it.
void* robot_push(void** items, int* count, size_t size);

// The text of an attribute; "" if the node is NULL or doesn't have it.
const char* robot_text(const Node* node, const char* name);

// Numbers of an attribute. Returns 1 if all are there. Commas between them are read, with a
// warning. A missing attribute leaves out unchanged; a wrong one is an error.
int robot_reals(double* out, const RobotDescription* robot, const Node* node, const char* name,
                int count);

// Numbers of the text of an element, which may be NULL.
int robot_content(double* out, const RobotDescription* robot, const Node* node, int count);

// The pose of an <origin>, which may be NULL: identity.
void robot_origin(Pose* out, const RobotDescription* robot, const Node* origin);

// The pose (x y z roll pitch yaw) in the text of a <pose>, which may be NULL: identity.
void robot_pose(Pose* out, const RobotDescription* robot, const Node* pose);

// Index of a link or joint, -1 if there is none.
int robot_link(const RobotDescription* robot, const char* name);
int robot_joint(const RobotDescription* robot, const char* name);

// Ties links to their parents by the joints. Reports names without a link, links with two parents,
// and circles. Returns 0 after an error.
int robot_connect(RobotDescription* robot);
