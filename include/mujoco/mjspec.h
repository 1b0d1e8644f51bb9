// mjspec.h: the editable model.
//
// A model is built in two steps: an mjSpec is read from text or put together by mjs_add* calls,
// then mj_compile turns it into an mjModel. The structs here are the attributes of the parts of an
// mjSpec, free to be written between compilations; their names follow the attributes of the XML
// format, and their values mean the same (angles in degrees if the compiler's `degree` says so).
// Objects belong to their spec. An undefined number is NaN where 0 would mean something.

#ifndef MUJOCO_MJSPEC_H_
#define MUJOCO_MJSPEC_H_

#include <condyle/vector.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjversion.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// enums

typedef enum mjtGeomInertia_ {  // where the mass of a geom sits
  mjINERTIA_VOLUME = 0,         // in its volume
  mjINERTIA_SHELL,              // on its surface
} mjtGeomInertia;

typedef enum mjtMeshInertia_ {  // how mass properties of a mesh are found
  mjMESH_INERTIA_CONVEX = 0,    // from its convex hull
  mjMESH_INERTIA_EXACT,         // from signed volumes, the mesh must be closed
  mjMESH_INERTIA_LEGACY,        // from absolute volumes, overcounts concave parts
  mjMESH_INERTIA_SHELL          // from its surface
} mjtMeshInertia;

typedef enum mjtMeshBuiltin_ {  // shape of a generated mesh
  mjMESH_BUILTIN_NONE = 0,
  mjMESH_BUILTIN_SPHERE,
  mjMESH_BUILTIN_HEMISPHERE,
  mjMESH_BUILTIN_CONE,
  mjMESH_BUILTIN_SUPERSPHERE,
  mjMESH_BUILTIN_SUPERTORUS,
  mjMESH_BUILTIN_WEDGE,
  mjMESH_BUILTIN_PLATE,
  mjMESH_BUILTIN_GRID,  // shapes of flexcomp, since 4.0
  mjMESH_BUILTIN_BOX,
  mjMESH_BUILTIN_CYLINDER,
  mjMESH_BUILTIN_ELLIPSOID,
  mjMESH_BUILTIN_SQUARE,
  mjMESH_BUILTIN_DISC,
} mjtMeshBuiltin;

typedef enum mjtBuiltin_ {  // pattern of a generated texture
  mjBUILTIN_NONE = 0,
  mjBUILTIN_GRADIENT,  // from rgb1 to rgb2
  mjBUILTIN_CHECKER,   // squares of rgb1 and rgb2
  mjBUILTIN_FLAT       // 2d: rgb1; cube: rgb1 up and sides, rgb2 down
} mjtBuiltin;

typedef enum mjtMark_ {  // marks over a generated texture
  mjMARK_NONE = 0,
  mjMARK_EDGE,   // along the edges
  mjMARK_CROSS,  // through the middle
  mjMARK_RANDOM  // dots at random
} mjtMark;

typedef enum mjtLimited_ {  // is a range in force
  mjLIMITED_FALSE = 0,      // no
  mjLIMITED_TRUE,           // yes
  mjLIMITED_AUTO,           // if a range is given and the compiler's autolimits is on
} mjtLimited;

typedef enum mjtAlignFree_ {  // does a free body's frame become its inertial frame
  mjALIGNFREE_FALSE = 0,      // no
  mjALIGNFREE_TRUE,           // yes
  mjALIGNFREE_AUTO,           // as the compiler's alignfree says
} mjtAlignFree;

typedef enum mjtInertiaFromGeom_ {  // do masses come from geoms
  mjINERTIAFROMGEOM_FALSE = 0,      // never
  mjINERTIAFROMGEOM_TRUE,           // always, even over an explicit inertial
  mjINERTIAFROMGEOM_AUTO            // when there is no explicit inertial
} mjtInertiaFromGeom;

typedef enum mjtOrientation_ {  // which alternative to a quaternion is given
  mjORIENTATION_QUAT = 0,       // none
  mjORIENTATION_AXISANGLE,
  mjORIENTATION_XYAXES,
  mjORIENTATION_ZAXIS,
  mjORIENTATION_EULER,
} mjtOrientation;

typedef enum mjtConflict_ {  // what happens to settings of an attached model, since 3.10
  mjCONFLICT_WARNING = 0,    // the parent's stay, and mjs_getWarning tells
  mjCONFLICT_MERGE,          // smaller, larger or united, as the setting asks
  mjCONFLICT_ERROR,          // different ones are an error
} mjtConflict;

typedef enum mjtScaling_ {  // what the scale of a frame changes, since 3.16
  mjSCALING_SIMILAR = 0,    // the units of length and mass: everything that has them
  mjSCALING_GEOMETRY,       // lengths, masses and inertias
} mjtScaling;

typedef enum mjtPassthrough_ {  // assets that stay in their files, as bits, since 3.17
  mjPASSTHROUGH_NONE = 0,       // all are in the model
  mjPASSTHROUGH_TEXTURES = 1,   // textures of one file
} mjtPassthrough;

typedef enum mjtEmbed_ {  // is a texture in the model, since 3.17
  mjEMBED_FALSE = 0,      // the path of its file is
  mjEMBED_TRUE,           // its pixels are
  mjEMBED_AUTO,           // as the compiler's passthrough says
} mjtEmbed;

typedef enum mjtActuator_ {  // word that an actuator is written with, in later releases
  mjACTUATOR_GENERAL = 0,
  mjACTUATOR_MOTOR,
  mjACTUATOR_POSITION,
  mjACTUATOR_VELOCITY,
  mjACTUATOR_INTVELOCITY,
  mjACTUATOR_DAMPER,
  mjACTUATOR_CYLINDER,
  mjACTUATOR_MUSCLE,
  mjACTUATOR_ADHESION,
  mjACTUATOR_PID,
  mjACTUATOR_ORIENTATION,
  mjACTUATOR_DCMOTOR
} mjtActuator;

typedef enum mjtFlexSection_ {  // cross section of a cable, in later releases
  mjFLEXSECTION_CIRCLE = 0,
  mjFLEXSECTION_BOX
} mjtFlexSection;

typedef enum mjtCTimer_ {  // what a compilation spends time on, since 3.9
  mjCTIMER_TOTAL = 0,      // everything
  mjCTIMER_ASSETS,         // meshes, height fields and textures; below, summed over threads:
  mjCTIMER_TEXTURE,        // textures
  mjCTIMER_MESH_LOAD,      // meshes: reading
  mjCTIMER_MESH_HULL,      // convex hulls
  mjCTIMER_MESH_POLYGON,   // normals and polygons
  mjCTIMER_MESH_INERTIA,   // volumes, centers, inertias
  mjCTIMER_MESH_BVH,       // trees of boxes
  mjCTIMER_MESH_OCTREE,    // octrees and distances

  mjNCTIMER,
} mjtCTimer;

// elements

typedef struct mjsElement_ {  // handle of any part of a spec; not to be written
  mjtObj elemtype;            // what it is
  uint64_t signature;         // of the spec's structure when last compiled
} mjsElement;

typedef struct mjsCompiler_ {  // how text and attributes are understood
  CND_BOOL autolimits;         // a given range means limited
  double boundmass;            // lower bound of body masses
  double boundinertia;         // lower bound of principal inertias
  double settotalmass;         // scale all masses to this total; ignored if <= 0
  CND_BOOL balanceinertia;     // repair inertias that break A + B >= C
  CND_BOOL fitaabb;            // fit primitives to a mesh's bounding box, not to its inertia box
  CND_BOOL degree;             // angles are in degrees
  char eulerseq[3];            // axes of Euler angles: xyz turning, XYZ fixed
  CND_BOOL discardvisual;      // drop geoms and assets that only serve the eye
  CND_BOOL usethread;          // compile with several threads
  CND_BOOL fusestatic;         // merge bodies without joints into their parents
  CND_API(int, mjtInertiaFromGeom) inertiafromgeom;  // mjtInertiaFromGeom
  int inertiagrouprange[2];                          // geom groups that carry mass: first, last
  CND_BOOL saveinertial;                             // write explicit inertials
  int alignfree;                                     // align free bodies with their inertial frames
  CND_BOOL savecompiled;                             // write values as compiled; 0: as written
  CND_BOOL savecanonical;      // write quaternions, radians and general actuators; 0: as written
  mjtPassthrough passthrough;  // which assets stay in their files
  mjtConflict conflict;        // between settings of this and an attached model
  mjLROpt LRopt;               // how actuator length ranges are found
  mjString* meshdir;           // directory of meshes and height fields
  mjString* texturedir;        // directory of textures
  uint64_t authored;           // bit for each attribute that the text gives
  int dialect;                 // whose rules: 303 (3.3.7) to 400 (4.0.0); cnd_setDialect sets it
} mjsCompiler;

typedef struct mjsAuthored_ {  // bit for each setting that the text gives, in the order of fields
  uint64_t option;
  int disableflags;  // flags, by their own bits
  int enableflags;
  int disableactuator;  // groups
  uint64_t visual_global;
  uint64_t visual_quality;
  uint64_t visual_headlight;
  uint64_t visual_map;
  uint64_t visual_scale;
  uint64_t visual_rgba;
} mjsAuthored;

typedef struct mjSpec_ {  // a model that can be edited
  mjsElement* element;
  mjString* modelname;

  // reading
  mjsCompiler compiler;
  CND_BOOL strippath;  // ignore the directories of asset files

  // simulation
  mjOption option;
  mjVisual visual;
  mjStatistic stat;  // overrides, NaN: computed

  // sizes; -1: chosen by the compiler
  mjtSize memory;  // bytes of mjData's arena
  int nemax;       // equality rows
  int nuserdata;   // numbers in mjData.userdata
  int nuser_body;  // numbers per body in body_user; likewise below
  int nuser_jnt;
  int nuser_geom;
  int nuser_site;
  int nuser_cam;
  int nuser_tendon;
  int nuser_actuator;
  int nuser_sensor;
  int nkey;        // least number of keyframes
  int njmax;       // outdated: constraint rows
  int nconmax;     // outdated: contacts
  mjtSize nstack;  // outdated: numbers on mjData's stack

  // provenance
  mjString* comment;       // comment at the top of the text
  mjString* modelfiledir;  // directory of the model file

  // other
  CND_BOOL hasImplicitPluginElem;  // an element configures a plugin in place
  mjsAuthored authored;            // what counts as given when models are attached
} mjSpec;

typedef struct mjsOrientation_ {  // alternatives to a quaternion
  mjtOrientation type;            // the one in force
  double axisangle[4];            // axis, angle
  double xyaxes[6];               // x axis, vector in the plane of x and y
  double zaxis[3];                // least rotation taking z here
  double euler[3];                // angles about the axes of eulerseq
} mjsOrientation;

typedef struct mjsPlugin_ {  // plugin instance, or an element's use of one
  mjsElement* element;       // the instance
  mjString* name;            // name of the instance
  mjString* plugin_name;     // name of the plugin
  CND_BOOL active;           // in use
  mjString* info;            // added to error messages
} mjsPlugin;

typedef struct mjsBody_ {  // rigid body
  mjsElement* element;
  mjString* childclass;  // default class of what is inside

  // body frame, in the parent's
  double pos[3];
  double quat[4];
  mjsOrientation alt;

  // inertial frame, in the body's
  double mass;
  double ipos[3];     // center of mass; NaN: not given
  double iquat[4];    // principal axes
  double inertia[3];  // principal moments
  mjsOrientation ialt;
  double fullinertia[6];  // xx yy zz xy xz yz; NaN: not given

  // other
  CND_BOOL mocap;        // moved by the user
  double gravcomp;       // share of its weight that is compensated
  mjtByte simple;        // 1: its part of the inertia matrix is diagonal where it can be; 0: never
  mjtByte fuse;          // 1: may be merged into its parent; 0: never
  mjtSleepPolicy sleep;  // whether the tree of which it is the root may sleep
  mjDoubleVec* userdata;
  CND_BOOL explicitinertial;  // write an inertial element
  mjsPlugin plugin;           // passive forces
  mjString* info;             // added to error messages
} mjsBody;

typedef struct mjsFrame_ {  // pose shared by the elements inside
  mjsElement* element;
  mjString* childclass;  // default class of what is inside
  double pos[3];
  double quat[4];
  mjsOrientation alt;
  double scale[3];     // of what is inside, along the axes of the frame
  mjtScaling scaling;  // what the scale changes
  double massscale;    // of masses inside; 0: the product of the three scales
  mjString* info;
} mjsFrame;

typedef struct mjsJoint_ {  // joint between a body and its parent
  mjsElement* element;
  mjtJoint type;

  // geometry
  double pos[3];  // anchor
  double axis[3];
  double ref;                        // joint value in the drawn pose
  CND_API(int, mjtAlignFree) align;  // mjtAlignFree

  // spring
#if mjVERSION_API >= 400
  double stiffness[1 + mjNPOLY];  // linear, quadratic, cubic
#else
  double stiffness;
  double stiffnesspoly[mjNPOLY];  // quadratic, cubic
#endif
  double springref;    // joint value at rest
  double springyield;  // displacement beyond which its rest follows; 0: elastic
  double
      springdamper[2];  // time constant, damping ratio; replaces stiffness and damping if positive

  // limits
  CND_API(int, mjtLimited) limited;  // mjtLimited
  double range[2];
  double margin;  // distance to a limit at which it becomes a constraint
  mjtNum solref_limit[mjNREF];
  mjtNum solimp_limit[mjNIMP];
  CND_API(int, mjtLimited) actfrclimited;  // mjtLimited
  double actfrcrange[2];

  // degrees of freedom
  double armature;  // added inertia (or mass)
#if mjVERSION_API >= 400
  double damping[1 + mjNPOLY];  // linear, quadratic, cubic
#else
  double damping;
  double dampingpoly[mjNPOLY];  // quadratic, cubic
#endif
  double frictionloss;
  mjtNum solref_friction[mjNREF];
  mjtNum solimp_friction[mjNIMP];

  // other
  int group;
  CND_BOOL actgravcomp;  // gravity compensation counts as actuator force
  mjDoubleVec* userdata;
  mjString* info;
} mjsJoint;

typedef struct mjsGeom_ {  // shape that collides, weighs and is seen
  mjsElement* element;
  mjtGeom type;

  // pose and size
  double pos[3];
  double quat[4];
  mjsOrientation alt;
  double fromto[6];  // end points; NaN: not given
  double size[3];    // depends on the type

  // contact
  int contype;  // may collide if contype & conaffinity of the other
  int conaffinity;
  int condim;          // 1 frictionless, 3 sliding, 4 spinning, 6 rolling
  int priority;        // the higher one's parameters win
  double friction[3];  // sliding, spinning, rolling
  double solmix;       // weight when parameters of two geoms mix
  mjtNum solref[mjNREF];
  mjtNum solimp[mjNIMP];
  double margin;         // distance at which contacts are found
  double gap;            // contacts act below margin - gap
  double surfacevel[6];  // velocity of the surface in the geom's frame: linear, angular
  double adhesion;       // force by which it adheres to what it touches

  // mass
  double mass;  // NaN: from density
  double density;
  mjtGeomInertia typeinertia;

  // fluid
  mjtNum fluid_ellipsoid;  // use the ellipsoid model
  mjtNum fluid_coefs[5];   // its coefficients

  // looks
  mjString* material;
  float rgba[4];  // if there is no material
  int group;
  CND_BOOL castshadow;

  // other
  mjString* hfieldname;
  mjString* meshname;
  double fitscale;  // scale of a primitive fitted to a mesh
  mjDoubleVec* userdata;
  mjsPlugin plugin;  // signed distance field
  mjString* info;
} mjsGeom;

typedef struct mjsSite_ {  // marked place on a body
  mjsElement* element;

  // pose and size
  double pos[3];
  double quat[4];
  mjsOrientation alt;
  double fromto[6];  // end points; NaN: not given
  double size[3];

  // looks
  mjtGeom type;
  mjString* material;
  int group;
  float rgba[4];

  // other
  mjString* meshname;
  mjDoubleVec* userdata;
  mjString* info;
} mjsSite;

typedef struct mjsCamera_ {  // camera on a body
  mjsElement* element;

  // pose
  double pos[3];
  double quat[4];
  mjsOrientation alt;
  mjtCamLight mode;      // how it follows
  mjString* targetbody;  // what it looks at or follows

  // optics
#if mjVERSION_API >= 400
  mjtProjection proj;  // perspective or parallel
#else
  int orthographic;
#endif
  int output;                 // what pictures it makes, bits of mjtCamOutBit
  double fovy;                // vertical view: angle in degrees, or length if orthographic
  double ipd;                 // distance between the eyes
  float intrinsic[4];         // focal length and principal point, length
  float sensor_size[2];       // length
  float resolution[2];        // pixels
  float focal_length[2];      // length
  float focal_pixel[2];       // pixels
  float principal_length[2];  // length
  float principal_pixel[2];   // pixels

  // other
  mjDoubleVec* userdata;
  mjString* info;
} mjsCamera;

typedef struct mjsLight_ {  // light on a body
  mjsElement* element;

  // pose
  double pos[3];
  double dir[3];
  mjtCamLight mode;      // how it follows
  mjString* targetbody;  // what it points at or follows

  // rays
  CND_BOOL active;
  mjtLightType type;
  mjString* texture;  // of an image light
  CND_BOOL castshadow;
  float bulbradius;      // softens shadows
  float intensity;       // candela
  float range;           // reach
  float attenuation[3];  // constant, linear, quadratic
  float cutoff;          // half angle of a spot, degrees
  float exponent;        // how a spot fades to its rim
  float softness;        // of the rim: share of the cone in which it fades, 0 to 1
  float ambient[3];
  float diffuse[3];
  float specular[3];

  // other
  mjString* info;
} mjsLight;

typedef struct mjsFlex_ {  // deformable body
  mjsElement* element;

  // contact, as of a geom
  int contype;
  int conaffinity;
  int condim;
  int priority;
  double friction[3];
  double solmix;
  mjtNum solref[mjNREF];
  mjtNum solimp[mjNIMP];
  double margin;
  double gap;

  // structure and looks
  int dim;                                // 1 lines, 2 triangles, 3 tetrahedra
  double radius;                          // around every element
  CND_BOOL internal;                      // collisions inside the flex
  CND_BOOL flatskin;                      // facets are seen
  CND_API(int, mjtFlexSelf) selfcollide;  // mjtFlexSelf
  int vertcollide;                        // vertices collide as points
  int passive;                            // contacts act as passive forces
  int activelayers;                       // layers of tetrahedra that collide
  int group;
  double edgestiffness;
  double edgedamping;
  float rgba[4];
  mjString* CND_API(material, cnd_material);  // of all elements
  mjStringVec* CND_API(materials, material);  // of the elements, one each, or one of all
  double young;                               // elastic modulus
  double poisson;                             // ratio
  double shear;            // modulus of the torsion of a cable; 0: from young and poisson
  double damping;          // Rayleigh, time
  double thickness;        // of a shell; negative: not given
  double stressyield[2];   // strains at which stretch and bending yield; 0: elastic
  int elastic2d;           // 0 none, 1 bending, 2 stretching, 3 both
  int elastic3d;           // 0: Saint-Venant-Kirchhoff, the only one here
  mjtFlexSection section;  // of a cable
  double sectionsize[2];   // half sides of a box section
  double size[3];          // half sides of the box around the vertices; of the reference, not used
  int cellcount[3];        // cells of the cage along each axis
  int order;               // of interpolation in a cell: 1 linear, 2 quadratic; 0: as nodes say

  // mesh
  mjStringVec* nodebody;  // bodies of the nodes
  mjStringVec* vertbody;  // bodies of the vertices
  mjDoubleVec* node;      // positions of nodes
  mjDoubleVec* vert;      // positions of vertices
  mjIntVec* elem;         // dim + 1 vertices per element
  mjFloatVec* texcoord;
  mjIntVec* elemtexcoord;  // texture coordinates of the elements

  // other
  mjString* info;
} mjsFlex;

typedef struct mjsMesh_ {  // triangle mesh
  mjsElement* element;
  mjString* content_type;  // media type of the file
  mjString* file;
  double refpos[3];   // origin of the mesh, taken away
  double refquat[4];  // orientation of the mesh, taken away
  double scale[3];
  mjtMeshInertia inertia;
  CND_BOOL smoothnormal;  // average normals over sharp edges too
  CND_BOOL needsdf;       // make a signed distance field
  int maxhullvert;        // bound on hull vertices; -1: none
  mjFloatVec* uservert;
  mjFloatVec* usernormal;
  mjFloatVec* usertexcoord;
  mjIntVec* userface;
  mjIntVec* userfacenormal;
  mjIntVec* userfacetexcoord;
  mjDoubleVec* usernode;  // nodes of a solid, for flexcomp
  mjIntVec* usertet;      // its tetrahedra
  mjsPlugin plugin;       // signed distance field
  mjString* material;
  int octree_maxdepth;  // finest cells of its octree are 2^depth along a side, 0 ... 8
  mjString* info;
} mjsMesh;

typedef struct mjsHField_ {  // height field
  mjsElement* element;
  mjString* content_type;  // media type of the file
  mjString* file;
  double size[4];  // half x, half y, top, bottom
  int nrow;
  int ncol;
  mjFloatVec* userdata;  // heights
  mjString* info;
} mjsHField;

typedef struct mjsSkin_ {  // surface that follows bodies
  mjsElement* element;
  mjString* file;
  mjString* material;
  float rgba[4];
  float inflate;  // along the normals
  int group;

  // mesh
  mjFloatVec* vert;
  mjFloatVec* texcoord;
  mjIntVec* face;

  // bones
  mjStringVec* bodyname;
  mjFloatVec* bindpos;
  mjFloatVec* bindquat;
  mjIntVecVec* vertid;        // vertices of each bone
  mjFloatVecVec* vertweight;  // how much the bone moves each of its vertices

  // other
  mjString* info;
} mjsSkin;

typedef struct mjsTexture_ {  // image
  mjsElement* element;
  mjtTexture type;
  mjtColorSpace colorspace;

  // generated
  CND_API(int, mjtBuiltin) builtin;  // mjtBuiltin
  CND_API(int, mjtMark) mark;        // mjtMark
  double rgb1[3];
  double rgb2[3];
  double markrgb[3];
  double random;  // probability of a dot
  int height;
  int width;
  int nchannel;

  // from one file
  mjString* content_type;  // media type of the file
  mjString* file;
  int gridsize[2];      // rows and columns of faces in the file
  char gridlayout[13];  // which face is where: R L U D F B, dot for none

  // from six files
  mjStringVec* cubefiles;

  // from memory
  mjByteVec* data;

  // turned over
  CND_BOOL hflip;  // left to right
  CND_BOOL vflip;  // top to bottom

  mjtEmbed embed;  // are its pixels in the model

  // other
  mjString* info;
} mjsTexture;

typedef struct mjsMaterial_ {  // look of a surface
  mjsElement* element;
  mjStringVec* textures;  // by role (mjtTextureRole)
  CND_BOOL texuniform;    // repeat per length, not per object
  float texrepeat[2];
  float emission;
  float specular;
  float shininess;
  float reflectance;
  float metallic;
  float roughness;
  float rgba[4];
  mjString* info;
} mjsMaterial;

typedef struct mjsPair_ {  // two geoms that may collide whatever their bits are
  mjsElement* element;
  mjString* geomname1;
  mjString* geomname2;

  // contact, as of a geom; taken from the geoms where not given
  int condim;
  mjtNum solref[mjNREF];          // normal
  mjtNum solreffriction[mjNREF];  // tangential
  mjtNum solimp[mjNIMP];
  double margin;
  double gap;
  double adhesion;
  double friction[5];  // two sliding, spinning, two rolling
  mjString* info;
} mjsPair;

typedef struct mjsExclude_ {  // two bodies that never collide
  mjsElement* element;
  mjString* bodyname1;
  mjString* bodyname2;
  mjString* info;
} mjsExclude;

typedef struct mjsEquality_ {  // equality constraint
  mjsElement* element;
  mjtEq type;
  double data[mjNEQDATA];  // depends on the type
  CND_BOOL active;         // on from the start
  mjString* name1;
  mjString* name2;
  mjtObj objtype;  // type of both objects
  mjtNum solref[mjNREF];
  mjtNum solimp[mjNIMP];
  mjString* info;
} mjsEquality;

typedef struct mjsTendon_ {  // tendon
  mjsElement* element;

  // spring, losses, inertia
#if mjVERSION_API >= 400
  double stiffness[1 + mjNPOLY];  // linear, quadratic, cubic
#else
  double stiffness;
  double stiffnesspoly[mjNPOLY];  // quadratic, cubic
#endif
  double springlength[2];  // slack between these; -1 -1: length in the spring pose
  double springyield;      // displacement beyond which these follow; 0: elastic
#if mjVERSION_API >= 400
  double damping[1 + mjNPOLY];  // linear, quadratic, cubic
#else
  double damping;
  double dampingpoly[mjNPOLY];  // quadratic, cubic
#endif
  double frictionloss;
  mjtNum solref_friction[mjNREF];
  mjtNum solimp_friction[mjNIMP];
  double armature;

  // limits
  CND_API(int, mjtLimited) limited;        // mjtLimited
  CND_API(int, mjtLimited) actfrclimited;  // mjtLimited
  double range[2];
  double actfrcrange[2];
  double margin;
  mjtNum solref_limit[mjNREF];
  mjtNum solimp_limit[mjNIMP];

  // looks
  mjString* material;
  double width;
  float rgba[4];
  int group;

  // other
  mjDoubleVec* userdata;
  mjString* info;
} mjsTendon;

typedef struct mjsWrap_ {  // one station of a tendon's path
  mjsElement* element;
  mjtWrap type;  // as in later releases; SPHERE for every geom, the compiler tells cylinders apart
  mjString* info;
} mjsWrap;

typedef struct mjsActuator_ {  // actuator
  mjsElement* element;
  mjtActuator type;  // word that it was written with, or that made it

  // force = gain * input + bias
  mjtGain gaintype;
  double gainprm[mjNGAIN];
  mjtBias biastype;
  double biasprm[mjNBIAS];

  // activation
  mjtDyn dyntype;
  double dynprm[mjNDYN];
  int actdim;         // activation variables; -1: as the dynamics need
  CND_BOOL actearly;  // force uses the coming activation

  // transmission
  mjtTrn trntype;
  double gear[6];
  mjString* target;
  mjString* refsite;     // frame of a site transmission
  mjString* slidersite;  // cylinder of a slider-crank
  double cranklength;    // rod of a slider-crank
  double lengthrange[2];
  double inheritrange;  // take the range from the target, scaled

  // clamping
  CND_API(int, mjtLimited) ctrllimited;  // mjtLimited
  double ctrlrange[2];
  CND_API(int, mjtLimited) forcelimited;  // mjtLimited
  double forcerange[2];
  CND_API(int, mjtLimited) actlimited;  // mjtLimited
  double actrange[2];

  // controls
  int ctrlspec;        // bits of mjtCtrlInput, or mjtCtrlChart; 0: as the gain has by default
  double velrange[2];  // of velocities of a pid
  double ffrange[2];   // of feedforward forces of a pid

  // what the motor adds to the joint or tendon that it drives, by the square of the gear
  double damping[1 + mjNPOLY];  // linear, quadratic, cubic
  double armature;

  // past controls
  int nsample;   // how many are kept
  int interp;    // between them: 0 the earlier one, 1 linear, 2 cubic
  double delay;  // time after which a control acts

  // other
  int group;
  mjDoubleVec* userdata;
  mjsPlugin plugin;
  mjString* info;
} mjsActuator;

typedef struct mjsSensor_ {  // sensor
  mjsElement* element;

  // what is measured
  mjtSensor type;
  mjtObj objtype;
  mjString* objname;
  mjtObj reftype;
  mjString* refname;
  int intprm[mjNSENS];  // depends on the type

  // sensors defined by the user
  mjtDataType datatype;
  mjtStage needstage;  // stage after which it can be computed
  int dim;

  // output
  double cutoff;  // bound on the reading; 0: none
  double noise;   // standard deviation, for the user

  // past values
  int nsample;         // how many are kept
  int interp;          // between them: 0 the earlier one, 1 linear, 2 cubic
  double delay;        // age of what it tells
  double interval[2];  // time between two measurements; phase of the first one, not positive

  // other
  mjDoubleVec* userdata;
  mjsPlugin plugin;
  mjString* info;
} mjsSensor;

typedef struct mjsNumeric_ {  // custom numbers
  mjsElement* element;
  mjDoubleVec* data;
  int size;  // length of the array, padded with zeros
  mjString* info;
} mjsNumeric;

typedef struct mjsText_ {  // custom text
  mjsElement* element;
  mjString* data;
  mjString* info;
} mjsText;

typedef struct mjsTuple_ {  // custom list of objects
  mjsElement* element;
  mjIntVec* objtype;  // mjtObj
  mjStringVec* objname;
  mjDoubleVec* objprm;
  mjString* info;
} mjsTuple;

typedef struct mjsKey_ {  // keyframe
  mjsElement* element;
  double time;
  mjDoubleVec* qpos;
  mjDoubleVec* qvel;
  mjDoubleVec* act;
  mjDoubleVec* mpos;
  mjDoubleVec* mquat;
  mjDoubleVec* ctrl;
  mjDoubleVec* plastic;
  mjString* info;
} mjsKey;

typedef struct mjsDefault_ {  // default class: what new elements start from
  mjsElement* element;
  mjsJoint* joint;
  mjsGeom* geom;
  mjsSite* site;
  mjsCamera* camera;
  mjsLight* light;
  mjsFlex* flex;
  mjsMesh* mesh;
  mjsTexture* texture;  // as in later releases
  mjsMaterial* material;
  mjsPair* pair;
  mjsEquality* equality;
  mjsTendon* tendon;
  mjsActuator* actuator;
} mjsDefault;

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_MJSPEC_H_
