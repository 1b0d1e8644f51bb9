// mjmodel.h: constants, kinds of things, and mjModel: everything that does not change while a model
// is simulated.

#ifndef MUJOCO_MJMODEL_H_
#define MUJOCO_MJMODEL_H_

#include <condyle/contact.h>
#include <condyle/model_table.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjversion.h>
#include <stddef.h>
#include <stdint.h>

// numbers of the engine
#define mjPI 3.14159265358979323846
#define mjMAXVAL 1E+10     // a coordinate, velocity or acceleration beyond it is bad
#define mjMINMU 1E-5       // smallest friction coefficient
#define mjMINIMP 0.0001    // smallest impedance
#define mjMAXIMP 0.9999    // largest impedance
#define mjMAXCONPAIR 50    // most contacts of two geoms
#define mjMAXTREEDEPTH 50  // deepest bounding volume tree
#define mjMAXFLEXNODES 27  // most nodes of an interpolated flex
#define mjMINAWAKE 10      // fewest steps at rest before a tree of later releases sleeps

// lengths of parameter vectors
#define mjNEQDATA 11   // eq_data
#define mjNDYN 10      // actuator_dynprm
#define mjNGAIN 10     // actuator_gainprm
#define mjNBIAS 10     // actuator_biasprm
#define mjNFLUID 12    // geom_fluid
#define mjNREF 2       // solref
#define mjNIMP 5       // solimp
#define mjNPOLY 2      // polynomials (*poly) of later releases
#define mjNSENS 3      // sensor_intprm
#define mjNSOLVER 200  // solver iterations of which statistics are kept
#define mjNISLAND 20   // islands of which statistics are kept

// Default features that can be switched off: bits of mjOption.disableflags.
typedef enum mjtDisableBit_ {
  mjDSBL_CONSTRAINT = 1 << 0,     // all constraints
  mjDSBL_EQUALITY = 1 << 1,       // equality constraints
  mjDSBL_FRICTIONLOSS = 1 << 2,   // dry friction of joints and tendons
  mjDSBL_LIMIT = 1 << 3,          // limits of joints and tendons
  mjDSBL_CONTACT = 1 << 4,        // collision detection and contacts
  mjDSBL_SPRING = 1 << 5,         // passive springs
  mjDSBL_DAMPER = 1 << 6,         // passive dampers
  mjDSBL_GRAVITY = 1 << 7,        // gravity
  mjDSBL_CLAMPCTRL = 1 << 8,      // clamping of ctrl
  mjDSBL_WARMSTART = 1 << 9,      // start of the solver at the last acceleration
  mjDSBL_FILTERPARENT = 1 << 10,  // exclusion of collisions between a body and its parent
  mjDSBL_ACTUATION = 1 << 11,     // actuator forces
  mjDSBL_REFSAFE = 1 << 12,       // lower bound of two steps for the time constant of solref
  mjDSBL_SENSOR = 1 << 13,        // sensors
  mjDSBL_MIDPHASE = 1 << 14,      // bounding volume trees in collision detection
  mjDSBL_EULERDAMP = 1 << 15,     // implicit joint damping of the Euler integrator
  mjDSBL_AUTORESET = 1 << 16,     // reset when a number has gone bad
  mjDSBL_NATIVECCD = 1 << 17,     // own convex collision; the legacy pipeline takes over
  mjDSBL_ISLAND = 1 << 18,        // splitting of the constraints into islands

  mjDSBL_MULTICCD = 1 << 19,  // several contacts of a general convex pair, in later releases

  mjNDISABLE = CND_API(19, 20)  // how many bits there are
} mjtDisableBit;

// Optional features that can be switched on: bits of mjOption.enableflags.
typedef enum mjtEnableBit_ {
  mjENBL_OVERRIDE = 1 << 0,     // contact parameters of mjOption rule over those of geoms
  mjENBL_ENERGY = 1 << 1,       // energy is computed in every step
  mjENBL_FWDINV = 1 << 2,       // forward and inverse dynamics are compared
  mjENBL_INVDISCRETE = 1 << 3,  // inverse dynamics takes qacc as a difference over one step
  mjENBL_MULTICCD = 1 << 4,     // several contacts of a general convex pair

  // of later releases, whose bit 4 is SLEEP and which have no MULTICCD
  mjENBL_SLEEP = 1 << 5,        // trees at rest sleep
  mjENBL_DIAGEXACT = 1 << 6,    // exact diagonal of the constraint inertia
  mjENBL_IPC = 1 << 7,          // contacts of flexes that never penetrate
  mjENBL_SPECULATIVE = 1 << 8,  // contacts before they happen

  mjNENABLE = CND_API(5, 9)  // how many bits there are
} mjtEnableBit;

// Kinds of joint. A ball's and a free body's orientation is a quaternion in qpos, three numbers in
// qvel.
typedef enum mjtJoint_ {
  mjJNT_FREE = 0,  // moves and turns freely: qpos 7, qvel 6
  mjJNT_BALL,      // turns about a point: qpos 4, qvel 3
  mjJNT_SLIDE,     // moves along an axis: qpos 1, qvel 1
  mjJNT_HINGE      // turns about an axis: qpos 1, qvel 1
} mjtJoint;

// Shapes. Sizes are half sizes; the long direction is the local z-axis.
typedef enum mjtGeom_ {
  // of models
  mjGEOM_PLANE = 0,  // half space below z = 0
  mjGEOM_HFIELD,     // terrain of samples on a grid
  mjGEOM_SPHERE,     // (radius)
  mjGEOM_CAPSULE,    // (radius, half length of the straight part)
  mjGEOM_ELLIPSOID,  // (three semi-axes)
  mjGEOM_CYLINDER,   // (radius, half length)
  mjGEOM_BOX,        // (three half sizes)
  mjGEOM_MESH,       // convex hull of a mesh
  mjGEOM_SDF,        // signed distance field

  mjNGEOMTYPES,  // how many shapes models have

  // of scenes only
  mjGEOM_ARROW = 100,  // arrow
  mjGEOM_ARROW1,       // arrow without a head's underside
  mjGEOM_ARROW2,       // arrow with two heads
  mjGEOM_LINE,         // line
  mjGEOM_LINEBOX,      // edges of a box
  mjGEOM_FLEX,         // flex
  mjGEOM_SKIN,         // skin
  mjGEOM_LABEL,        // text
  mjGEOM_TRIANGLE,     // triangle

  mjGEOM_NONE = 1001  // no shape
} mjtGeom;

// Projection of a camera: the values of cam_orthographic (0, 1). Later releases call that field
// cam_projection and use this enum.
typedef enum mjtProjection_ {
  mjPROJ_PERSPECTIVE = 0,
  mjPROJ_ORTHOGRAPHIC
} mjtProjection;

// What a camera makes: bits of cam_output of later releases.
typedef enum mjtCamOutBit_ {
  mjCAMOUT_RGB = 1 << 0,     // color
  mjCAMOUT_DEPTH = 1 << 1,   // distance from the plane of the camera
  mjCAMOUT_DIST = 1 << 2,    // distance from its eye
  mjCAMOUT_NORMAL = 1 << 3,  // normals
  mjCAMOUT_SEG = 1 << 4,     // segments

  mjNCAMOUT = 5  // how many bits there are
} mjtCamOutBit;

// How a camera or light moves with bodies.
typedef enum mjtCamLight_ {
  mjCAMLIGHT_FIXED = 0,     // fixed in its body
  mjCAMLIGHT_TRACK,         // keeps its offset from the body in world axes, never turns
  mjCAMLIGHT_TRACKCOM,      // the same with the center of mass of the subtree
  mjCAMLIGHT_TARGETBODY,    // fixed in its body, turns towards another body
  mjCAMLIGHT_TARGETBODYCOM  // fixed in its body, turns towards the center of mass of a subtree
} mjtCamLight;

// Kinds of light.
typedef enum mjtLightType_ {
  mjLIGHT_SPOT = 0,     // cone
  mjLIGHT_DIRECTIONAL,  // parallel rays
  mjLIGHT_POINT,        // all directions
  mjLIGHT_IMAGE,        // from a picture of the surroundings
} mjtLightType;

// How a texture is laid on a surface.
typedef enum mjtTexture_ {
  mjTEXTURE_2D = 0,  // by two coordinates
  mjTEXTURE_CUBE,    // projected from six sides
  mjTEXTURE_SKYBOX   // on the sky
} mjtTexture;

// What a texture of a material stands for.
typedef enum mjtTextureRole_ {
  mjTEXROLE_USER = 0,   // whatever the user wants
  mjTEXROLE_RGB,        // color
  mjTEXROLE_OCCLUSION,  // how much ambient light arrives
  mjTEXROLE_ROUGHNESS,  // roughness
  mjTEXROLE_METALLIC,   // metallicness
  mjTEXROLE_NORMAL,     // direction of the normal
  mjTEXROLE_OPACITY,    // opacity
  mjTEXROLE_EMISSIVE,   // emitted light
  mjTEXROLE_RGBA,       // color and opacity
  mjTEXROLE_ORM,        // occlusion, roughness, metallicness in one image
  mjNTEXROLE            // how many roles there are
} mjtTextureRole;

// Encoding of a texture's colors.
typedef enum mjtColorSpace_ {
  mjCOLORSPACE_AUTO = 0,  // as the file says, else linear
  mjCOLORSPACE_LINEAR,    // proportional to light
  mjCOLORSPACE_SRGB       // standard screen colors
} mjtColorSpace;

// How a step is integrated.
typedef enum mjtIntegrator_ {
  mjINT_EULER = 0,     // semi-implicit Euler, joint damping implicit
  mjINT_RK4,           // Runge-Kutta of order 4
  mjINT_IMPLICIT,      // implicit in all forces that depend on velocity
  mjINT_IMPLICITFAST,  // the same without Coriolis terms, hence symmetric
  mjINT_DISCRETE       // of later releases
} mjtIntegrator;

// Shape of friction cones.
typedef enum mjtCone_ {
  mjCONE_PYRAMIDAL = 0,  // pyramid spanned by its edges
  mjCONE_ELLIPTIC        // the true cone
} mjtCone;

// Form of the constraint Jacobian.
typedef enum mjtJacobian_ {
  mjJAC_DENSE = 0,  // dense
  mjJAC_SPARSE,     // sparse
  mjJAC_AUTO        // sparse from 60 dofs on
} mjtJacobian;

// Constraint solvers.
typedef enum mjtSolver_ {
  mjSOL_PGS = 0,  // projected Gauss-Seidel in force space
  mjSOL_CG,       // conjugate gradients in acceleration space
  mjSOL_NEWTON    // Newton in acceleration space
} mjtSolver;

// Kinds of equality constraint.
typedef enum mjtEq_ {
  mjEQ_CONNECT = 0,  // a point of two bodies coincides
  mjEQ_WELD,         // two bodies keep their relative pose
  mjEQ_JOINT,        // a joint follows a polynomial of another, or is locked
  mjEQ_TENDON,       // a tendon follows a polynomial of another, or keeps its length
  mjEQ_FLEX,         // all edges of a flex keep their lengths
  mjEQ_DISTANCE,     // no longer supported
  mjEQ_FLEXSTRAIN,   // strains of the cells of a flex, of later releases
  mjEQ_FLEXVERT      // no longer supported by later releases
} mjtEq;

// Kinds of tendon.
typedef enum mjtTendon_ {
  mjTENDON_FIXED = 0,  // sum of joint coordinates
  mjTENDON_SPATIAL     // path through sites and around geoms
} mjtTendon;

// Kinds of path item of a tendon.
typedef enum mjtWrap_ {
  mjWRAP_NONE = 0,  // nothing
  mjWRAP_JOINT,     // joint coordinate times a coefficient
  mjWRAP_PULLEY,    // splits the path; lengths beyond are divided
  mjWRAP_SITE,      // goes through a site
  mjWRAP_SPHERE,    // bends around a sphere
  mjWRAP_CYLINDER   // bends around a cylinder
} mjtWrap;

// How an actuator's force reaches the mechanism.
typedef enum mjtTrn_ {
  mjTRN_JOINT = 0,      // on a joint
  mjTRN_JOINTINPARENT,  // on a joint, ball and free torques in axes of the parent
  mjTRN_SLIDERCRANK,    // through a slider-crank
  mjTRN_TENDON,         // on a tendon
  mjTRN_SITE,           // on a site, as force and torque in its own or another site's frame
  mjTRN_BODY,           // on the contacts of a body, as adhesion
  mjTRN_SO3,            // on an orientation: of a ball joint, or of a site to another one

  mjTRN_UNDEFINED = 1000  // not set
} mjtTrn;

// How control becomes activation.
typedef enum mjtDyn_ {
  mjDYN_NONE = 0,     // no activation
  mjDYN_INTEGRATOR,   // act' = ctrl
  mjDYN_FILTER,       // act' = (ctrl - act) / tau
  mjDYN_FILTEREXACT,  // the same, integrated exactly
  mjDYN_MUSCLE,       // filter with different time constants up and down
  mjDYN_USER,         // by mjcb_act_dyn

  // since 3.7 and 3.12; in later releases mjDYN_USER comes after them
  mjDYN_DCMOTOR,  // current, temperature and friction of a motor, and its controller
  mjDYN_PID       // integral and slew rate of a controller
} mjtDyn;

// How force depends on ctrl or activation.
typedef enum mjtGain_ {
  mjGAIN_FIXED = 0,  // constant factor
  mjGAIN_AFFINE,     // factor linear in length and velocity
  mjGAIN_MUSCLE,     // force-length-velocity curve of a muscle
  mjGAIN_USER,       // by mjcb_act_gain

  // since 3.7, 3.11 and 3.12; in later releases mjGAIN_USER comes after them
  mjGAIN_DCMOTOR,  // torque of a current
  mjGAIN_SO3,      // on the rotation to a target
  mjGAIN_PID       // on the integral of the error
} mjtGain;

// Force that an actuator adds.
typedef enum mjtBias_ {
  mjBIAS_NONE = 0,  // none
  mjBIAS_AFFINE,    // linear in length and velocity
  mjBIAS_MUSCLE,    // passive force of a muscle
  mjBIAS_USER,      // by mjcb_act_bias

  // since 3.7 and 3.11; in later releases mjBIAS_USER comes after them
  mjBIAS_DCMOTOR,  // cogging and friction
  mjBIAS_SO3       // damping of a rotation
} mjtBias;

// The controls of an actuator: bits of actuator_ctrlspec.
typedef enum mjtCtrlInput_ {
  mjINPUT_POS = 1 << 0,      // where to be
  mjINPUT_VEL = 1 << 1,      // how fast to move
  mjINPUT_FF = 1 << 2,       // force to add, feedforward
  mjINPUT_VOLTAGE = 1 << 3,  // voltage of a motor
  mjINPUT_NONE = 1 << 4,     // no control: a motor whose terminals are joined
  mjINPUT_PRESSURE = 1 << 5  // pressure of a cylinder
} mjtCtrlInput;

// How the target of an orientation is given: actuator_ctrlspec of mjGAIN_SO3.
typedef enum mjtCtrlChart_ {
  mjCHART_EXPMAP = 1,  // 3 controls, a rotation vector
  mjCHART_QUAT = 2     // 4 controls, a quaternion
} mjtCtrlChart;

// Kinds of object.
typedef enum mjtObj_ {
  mjOBJ_UNKNOWN = 0,  // none of the below
  mjOBJ_BODY,         // body; as a frame: its inertial frame
  mjOBJ_XBODY,        // body; as a frame: its body frame
  mjOBJ_JOINT,        // joint
  mjOBJ_DOF,          // degree of freedom
  mjOBJ_GEOM,         // geom
  mjOBJ_SITE,         // site
  mjOBJ_CAMERA,       // camera
  mjOBJ_LIGHT,        // light
  mjOBJ_FLEX,         // flex
  mjOBJ_MESH,         // mesh
  mjOBJ_SKIN,         // skin
  mjOBJ_HFIELD,       // height field
  mjOBJ_TEXTURE,      // texture
  mjOBJ_MATERIAL,     // material
  mjOBJ_PAIR,         // explicit collision pair
  mjOBJ_EXCLUDE,      // excluded body pair
  mjOBJ_EQUALITY,     // equality constraint
  mjOBJ_TENDON,       // tendon
  mjOBJ_ACTUATOR,     // actuator
  mjOBJ_SENSOR,       // sensor
  mjOBJ_NUMERIC,      // custom number array
  mjOBJ_TEXT,         // custom text
  mjOBJ_TUPLE,        // custom tuple
  mjOBJ_KEY,          // keyframe
  mjOBJ_PLUGIN,       // plugin instance

  mjNOBJECT,  // how many kinds mjModel has

  // of editable models only
  mjOBJ_FRAME = 100,  // frame
  mjOBJ_DEFAULT,      // class of defaults
  mjOBJ_MODEL         // the whole model
} mjtObj;

// Kinds of sensor.
typedef enum mjtSensor_ {
  // at a site, in its frame
  mjSENS_TOUCH = 0,      // sum of normal forces in the site's volume
  mjSENS_ACCELEROMETER,  // linear acceleration minus gravity
  mjSENS_VELOCIMETER,    // linear velocity
  mjSENS_GYRO,           // angular velocity
  mjSENS_FORCE,          // force from the parent on the site's body
  mjSENS_TORQUE,         // torque from the parent on the site's body
  mjSENS_MAGNETOMETER,   // magnetic flux
  mjSENS_RANGEFINDER,    // distance to the next surface along z; -1 if none
  mjSENS_CAMPROJECTION,  // pixel at which a camera sees the site

  // of hinges, slides, tendons and actuators
  mjSENS_JOINTPOS,      // joint coordinate
  mjSENS_JOINTVEL,      // joint velocity
  mjSENS_TENDONPOS,     // tendon length
  mjSENS_TENDONVEL,     // tendon velocity
  mjSENS_ACTUATORPOS,   // actuator length
  mjSENS_ACTUATORVEL,   // actuator velocity
  mjSENS_ACTUATORFRC,   // actuator force
  mjSENS_JOINTACTFRC,   // force of all actuators on a joint
  mjSENS_TENDONACTFRC,  // force of all actuators on a tendon

  // of ball joints
  mjSENS_BALLQUAT,    // orientation
  mjSENS_BALLANGVEL,  // angular velocity

  // of limits
  mjSENS_JOINTLIMITPOS,   // distance to a joint limit
  mjSENS_JOINTLIMITVEL,   // its velocity
  mjSENS_JOINTLIMITFRC,   // force of a joint limit
  mjSENS_TENDONLIMITPOS,  // distance to a tendon limit
  mjSENS_TENDONLIMITVEL,  // its velocity
  mjSENS_TENDONLIMITFRC,  // force of a tendon limit

  // of frames of bodies, geoms, sites and cameras
  mjSENS_FRAMEPOS,     // position
  mjSENS_FRAMEQUAT,    // orientation
  mjSENS_FRAMEXAXIS,   // x-axis
  mjSENS_FRAMEYAXIS,   // y-axis
  mjSENS_FRAMEZAXIS,   // z-axis
  mjSENS_FRAMELINVEL,  // linear velocity
  mjSENS_FRAMEANGVEL,  // angular velocity
  mjSENS_FRAMELINACC,  // linear acceleration minus gravity
  mjSENS_FRAMEANGACC,  // angular acceleration

  // of subtrees
  mjSENS_SUBTREECOM,     // center of mass
  mjSENS_SUBTREELINVEL,  // its velocity
  mjSENS_SUBTREEANGMOM,  // angular momentum about it

  // of shapes
  mjSENS_INSIDESITE,  // 1 if an object is inside a site's volume
  mjSENS_GEOMDIST,    // distance of two geoms
  mjSENS_GEOMNORMAL,  // direction of the shortest way between them
  mjSENS_GEOMFROMTO,  // ends of the shortest way

  mjSENS_CONTACT,  // chosen numbers of chosen contacts

  // of the whole model
  mjSENS_E_POTENTIAL,  // potential energy
  mjSENS_E_KINETIC,    // kinetic energy
  mjSENS_CLOCK,        // simulated time

  mjSENS_TACTILE,  // penetration and sliding at the vertices of a mesh

  mjSENS_PLUGIN,  // by a plugin
  mjSENS_USER     // by mjcb_sensor
} mjtSensor;

// Stages of the computation; each needs those before it.
typedef enum mjtStage_ {
  mjSTAGE_NONE = 0,  // nothing
  mjSTAGE_POS,       // what depends on position
  mjSTAGE_VEL,       // what depends on velocity
  mjSTAGE_ACC        // forces and accelerations
} mjtStage;

// What kind of number a sensor gives.
typedef enum mjtDataType_ {
  mjDATATYPE_REAL = 0,   // any number
  mjDATATYPE_POSITIVE,   // positive, or inactive if not
  mjDATATYPE_AXIS,       // unit vector
  mjDATATYPE_QUATERNION  // unit quaternion
} mjtDataType;

// Numbers that a contact sensor can give.
typedef enum mjtConDataField_ {
  mjCONDATA_FOUND = 0,  // how many contacts matched
  mjCONDATA_FORCE,      // force, contact frame
  mjCONDATA_TORQUE,     // torque, contact frame
  mjCONDATA_DIST,       // distance
  mjCONDATA_POS,        // position
  mjCONDATA_NORMAL,     // normal
  mjCONDATA_TANGENT,    // first tangent

#if mjVERSION_API >= 400
  mjCONDATA_LINVEL,  // relative velocity, contact frame
  mjCONDATA_ANGVEL,  // relative angular velocity, contact frame

  mjNCONDATA = 9  // how many there are
#else
  mjNCONDATA = 7  // how many there are, without linvel and angvel of 3.16
#endif
} mjtConDataField;

// Numbers that a rangefinder of later releases can give.
typedef enum mjtRayDataField_ {
  mjRAYDATA_DIST = 0,  // distance; -1: nothing is hit
  mjRAYDATA_DIR,       // direction of the ray
  mjRAYDATA_ORIGIN,    // its origin
  mjRAYDATA_POINT,     // where it hits
  mjRAYDATA_NORMAL,    // normal of the surface there
  mjRAYDATA_DEPTH,     // distance from the plane of the camera

  mjNRAYDATA = 6  // how many there are
} mjtRayDataField;

// Whether a tree may sleep, in later releases.
typedef enum mjtSleepPolicy_ {
  mjSLEEP_AUTO = 0,      // not decided yet
  mjSLEEP_AUTO_NEVER,    // never, as the compiler found
  mjSLEEP_AUTO_ALLOWED,  // at rest, as the compiler found
  mjSLEEP_NEVER,         // never
  mjSLEEP_ALLOWED,       // at rest
  mjSLEEP_INIT           // from the start
} mjtSleepPolicy;

// Which frame of its body a frame coincides with, so that a product can be left out.
typedef enum mjtSameFrame_ {
  mjSAMEFRAME_NONE = 0,   // with none
  mjSAMEFRAME_BODY,       // with the body frame
  mjSAMEFRAME_INERTIA,    // with the inertial frame
  mjSAMEFRAME_BODYROT,    // only in orientation, with the body frame
  mjSAMEFRAME_INERTIAROT  // only in orientation, with the inertial frame
} mjtSameFrame;

// For which actuators length ranges are computed.
typedef enum mjtLRMode_ {
  mjLRMODE_NONE = 0,    // for none
  mjLRMODE_MUSCLE,      // for muscles
  mjLRMODE_MUSCLEUSER,  // for muscles and user actuators
  mjLRMODE_ALL          // for all
} mjtLRMode;

// How elements of one flex are tested against each other.
typedef enum mjtFlexSelf_ {
  mjFLEXSELF_NONE = 0,  // not at all
  mjFLEXSELF_NARROW,    // every pair
  mjFLEXSELF_BVH,       // by the bounding volume tree
  mjFLEXSELF_SAP,       // by sweep and prune
  mjFLEXSELF_AUTO       // sweep and prune for cables and cloth, tree for solids
} mjtFlexSelf;

// How two signed distances A and B are combined.
typedef enum mjtSDFType_ {
  mjSDFTYPE_SINGLE = 0,    // A
  mjSDFTYPE_INTERSECTION,  // max(A, B)
  mjSDFTYPE_MIDSURFACE,    // A - B
  mjSDFTYPE_COLLISION,     // A + B + |max(A, B)|
} mjtSDFType;

// How mj_setLengthRange finds the lengths that an actuator can reach.
struct mjLROpt_ {
  int mode;         // for which actuators (mjtLRMode)
  int useexisting;  // 1 keeps a range that is already there
  int uselimit;     // 1 takes the limits of the joint or tendon where there are any

  mjtNum accel;      // norm of the acceleration for which the force is chosen
  mjtNum maxforce;   // bound on the norm of the force; 0 for no bound
  mjtNum timeconst;  // velocities decay with this time constant, s
  mjtNum timestep;   // time step, s; 0 for that of mjOption
  mjtNum inttotal;   // simulated time, s
  mjtNum interval;   // last part of that time, in which the length must hold still, s
  mjtNum tolrange;   // how still it must hold, as a fraction of the range
};
typedef struct mjLROpt_ mjLROpt;

// Assets that the compiler keeps between models.
struct mjCache_ {
  void* impl_;  // internal
};
typedef struct mjCache_ mjCache;

// Files in memory that loading looks at before the disk.
struct mjVFS_ {
  void* impl_;  // internal
};
typedef struct mjVFS_ mjVFS;

// Settings of the physics. The meaning of each is in condyle/model_table.h.
// clang-format off
struct mjOption_ {
#define CND_DECLARE_SCALAR(type, name, meaning) type name;
#define CND_DECLARE_VECTOR(name, length, meaning) mjtNum name[length];
  CND_OPTION_TOLERANCES(CND_DECLARE_SCALAR)
  CND_OPTION_FIELDS(CND_DECLARE_VECTOR)
  CND_OPTION_MEDIUM(CND_DECLARE_SCALAR)
  CND_OPTION_OVERRIDES(CND_DECLARE_VECTOR)
  CND_OPTION_INTS(CND_DECLARE_SCALAR)
#define CND_DECLARE_SCALAR_SINCE(release, type, name, meaning) type name;
  CND_OPTION_SINCE(CND_DECLARE_SCALAR_SINCE)
#undef CND_DECLARE_SCALAR_SINCE
#undef CND_DECLARE_SCALAR
#undef CND_DECLARE_VECTOR
};
// clang-format on
typedef struct mjOption_ mjOption;

// Settings of the picture. Lengths named "scale" are multiples of the model's mean size.
struct mjVisual_ {
  struct {
    int cameraid;          // camera at the start; -1 for the free one
    int orthographic;      // 1 for parallel projection of the free camera
    float fovy;            // vertical view of the free camera, degrees; a length if orthographic
    float ipd;             // distance of the free camera's eyes, m
    float azimuth;         // direction of the free camera at the start, degrees
    float elevation;       // elevation of the free camera at the start, degrees
    float linewidth;       // width of lines, pixels
    float glow;            // how much a selected body shines
    float realtime;        // simulated seconds per second
    int offwidth;          // width of the offscreen picture, pixels
    int offheight;         // height of the offscreen picture, pixels
    int ellipsoidinertia;  // 1 draws inertia as ellipsoids, 0 as boxes
    int bvactive;          // 1 marks tree nodes that collision has reached
  } global;

  struct {
    int shadowsize;  // pixels of the shadow map
    int offsamples;  // samples per pixel of the offscreen picture
    int numslices;   // pieces around an axis of a round shape
    int numstacks;   // pieces along the axis of a round shape
    int numquads;    // pieces along the side of a box
  } quality;

  struct {
    float ambient[3];   // ambient color
    float diffuse[3];   // diffuse color
    float specular[3];  // specular color
    int active;         // whether the headlight shines: 0 no, 1 yes, 2 auto, which is yes
  } headlight;

  struct {
    float stiffness;       // force per displacement when dragging with the mouse
    float stiffnessrot;    // torque per angle when turning with the mouse
    float force;           // length of an arrow per force
    float torque;          // length of an arrow per torque
    float alpha;           // opacity of geoms in the transparent mode
    float fogstart;        // fog begins at this multiple of the extent
    float fogend;          // fog is complete at this multiple of the extent
    float znear;           // nearest visible depth, as a multiple of the extent
    float zfar;            // farthest visible depth, as a multiple of the extent
    float haze;            // part of the horizon that fades into the sky
    float shadowclip;      // half width of a directional light's shadows, multiple of the extent
    float shadowscale;     // opening of a spot light's shadows, as a fraction of its cutoff
    float actuatortendon;  // width of driven tendons relative to others
  } map;

  struct {
    float forcewidth;      // width of force arrows
    float contactwidth;    // width of contact discs
    float contactheight;   // height of contact discs
    float connect;         // width of lines between bodies
    float com;             // radius of centers of mass
    float camera;          // size of cameras
    float light;           // size of lights
    float selectpoint;     // radius of the selected point
    float jointlength;     // length of joints
    float jointwidth;      // width of joints
    float actuatorlength;  // length of actuators
    float actuatorwidth;   // width of actuators
    float framelength;     // length of frame axes
    float framewidth;      // width of frame axes
    float constraint;      // width of constraint lines
    float slidercrank;     // width of slider-cranks
    float frustum;         // depth of camera pyramids
  } scale;

  struct {
    float fog[4];               // fog
    float haze[4];              // haze
    float force[4];             // external forces
    float inertia[4];           // inertia boxes
    float joint[4];             // joints
    float actuator[4];          // actuators at rest
    float actuatornegative[4];  // actuators at their lower bound
    float actuatorpositive[4];  // actuators at their upper bound
    float com[4];               // centers of mass
    float camera[4];            // cameras
    float light[4];             // lights
    float selectpoint[4];       // selected point
    float connect[4];           // lines between bodies
    float contactpoint[4];      // contacts
    float contactforce[4];      // contact forces
    float contactfriction[4];   // friction forces
    float contacttorque[4];     // contact torques
    float contactgap[4];        // contacts in the gap
    float rangefinder[4];       // rays of range finders
    float constraint[4];        // constraints
    float slidercrank[4];       // slider-cranks
    float crankbroken[4];       // slider-cranks that can't reach
    float frustum[4];           // camera pyramids
    float bv[4];                // bounding volumes
    float bvactive[4];          // bounding volumes that collision has reached
  } rgba;
};
typedef struct mjVisual_ mjVisual;

// Sizes of the model at qpos0, by which solvers and viewers scale.
struct mjStatistic_ {
  mjtNum meaninertia;  // mean of the diagonal of the inertia matrix
  mjtNum meanmass;     // mean mass of the bodies, kg
  mjtNum meansize;     // mean size of the bodies, m
  mjtNum extent;       // diameter, m
  mjtNum center[3];    // middle, world frame, m
};
typedef struct mjStatistic_ mjStatistic;

// A compiled model. The meaning of each size and array is in condyle/model_table.h.
// clang-format off
struct mjModel_ {
#define CND_DECLARE_SIZE(type, name, meaning) type name;
#define CND_DECLARE_ARRAY(type, name, rows, columns, meaning) type* name;
#define CND_DECLARE_SIZE_SINCE(release, type, name, meaning) type name;
#define CND_DECLARE_SINCE(release, absent, type, name, rows, columns, meaning) type* name;
  CND_MODEL_SIZES(CND_DECLARE_SIZE)
  mjOption opt;      // settings of the physics
  mjVisual vis;      // settings of the picture
  mjStatistic stat;  // sizes at qpos0
  void* buffer;      // memory of the arrays, nbuffer bytes
  CND_MODEL_ARRAYS(CND_DECLARE_ARRAY, CND_DECLARE_ARRAY)
  CND_MODEL_SIZES_SINCE(CND_DECLARE_SIZE_SINCE)
  CND_MODEL_ARRAYS_SINCE(CND_DECLARE_SINCE)
  uint64_t signature;  // hash of the structure of the editable model it was compiled from
  cndContactOption cnd_contact;  // hardness of contacts, of condyle.* custom elements
  uint64_t cnd_shape;  // hash of the sizes that data follow (CND_DATA_SIZES)
  int cnd_has_terms;   // 1 if springs or dampers have polynomial terms, or actuators add to them
  int cnd_ngroup;      // number of groups in cnd_group
  int cnd_nplain;      // number of runs in cnd_plain
  CND_MODEL_PRIVATE_SIZES(CND_DECLARE_SIZE)
  CND_MODEL_PRIVATE_ARRAYS(CND_DECLARE_ARRAY)
#undef CND_DECLARE_SIZE
#undef CND_DECLARE_ARRAY
#undef CND_DECLARE_SIZE_SINCE
#undef CND_DECLARE_SINCE
};
// clang-format on
typedef struct mjModel_ mjModel;

#endif  // MUJOCO_MJMODEL_H_
