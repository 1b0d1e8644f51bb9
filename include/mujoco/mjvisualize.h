// mjvisualize.h: the abstract picture of a simulation.
//
// A scene is a flat list of coloured shapes, lights and cameras, with nothing of the model's
// structure left; a renderer needs to understand nothing else. Poses are in single precision, in
// the world.

#ifndef MUJOCO_MJVISUALIZE_H_
#define MUJOCO_MJVISUALIZE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

#define mjNGROUP 6          // groups of objects that can be switched
#define mjMAXLIGHT 100      // lights in a scene
#define mjMAXOVERLAY 500    // characters of overlay text
#define mjMAXLINE 100       // lines in a figure
#define mjMAXLINEPNT 1001   // points in a line
#define mjMAXPLANEGRID 200  // divisions of a plane's grid

// enums

typedef enum mjtCatBit_ {  // where a shape of the scene comes from
  mjCAT_STATIC = 1,        // world body
  mjCAT_DYNAMIC = 2,       // any other body
  mjCAT_DECOR = 4,         // drawn for explanation
  mjCAT_ALL = 7
} mjtCatBit;

typedef enum mjtMouse_ {  // what dragging the mouse does
  mjMOUSE_NONE = 0,
  mjMOUSE_ROTATE_V,    // turn, vertical plane
  mjMOUSE_ROTATE_H,    // turn, horizontal plane
  mjMOUSE_MOVE_V,      // shift, vertical plane
  mjMOUSE_MOVE_H,      // shift, horizontal plane
  mjMOUSE_ZOOM,        // closer, farther
  mjMOUSE_MOVE_V_REL,  // shift, vertical plane of the target
  mjMOUSE_MOVE_H_REL,  // shift, horizontal plane of the target
  mjMOUSE_TURN_V,      // turn where the camera stands, vertical plane: of 3.11, for cnd_moveCamera
  mjMOUSE_TURN_H,      // the same, horizontal plane
} mjtMouse;

typedef enum mjtPertBit_ {  // how a body is being pushed
  mjPERT_TRANSLATE = 1,     // by force
  mjPERT_ROTATE = 2         // by torque
} mjtPertBit;

typedef enum mjtCamera_ {  // who steers the camera
  mjCAMERA_FREE = 0,       // the mouse
  mjCAMERA_TRACKING,       // the mouse, about trackbodyid
  mjCAMERA_FIXED,          // camera fixedcamid of the model
  mjCAMERA_USER            // the program, through mjvGLCamera
} mjtCamera;

typedef enum mjtLabel_ {  // what gets a text label
  mjLABEL_NONE = 0,
  mjLABEL_BODY,
  mjLABEL_JOINT,
  mjLABEL_GEOM,
  mjLABEL_SITE,
  mjLABEL_CAMERA,
  mjLABEL_LIGHT,
  mjLABEL_TENDON,
  mjLABEL_ACTUATOR,
  mjLABEL_CONSTRAINT,
  mjLABEL_FLEX,
  mjLABEL_SKIN,
  mjLABEL_SELECTION,     // the selected object
  mjLABEL_SELPNT,        // the selected point, with coordinates
  mjLABEL_CONTACTPOINT,  // contacts
  mjLABEL_CONTACTFORCE,  // contacts, with the size of their force
  mjLABEL_ISLAND,        // ids of constraint islands

  mjNLABEL
} mjtLabel;

typedef enum mjtFrame_ {  // whose axes are drawn
  mjFRAME_NONE = 0,
  mjFRAME_BODY,
  mjFRAME_GEOM,
  mjFRAME_SITE,
  mjFRAME_CAMERA,
  mjFRAME_LIGHT,
  mjFRAME_CONTACT,
  mjFRAME_WORLD,

  mjNFRAME
} mjtFrame;

typedef enum mjtVisFlag_ {  // what is drawn
  mjVIS_CONVEXHULL = 0,     // hulls in place of meshes
  mjVIS_TEXTURE,
  mjVIS_JOINT,
  mjVIS_CAMERA,
  mjVIS_ACTUATOR,
  mjVIS_ACTIVATION,
  mjVIS_LIGHT,
  mjVIS_TENDON,
  mjVIS_RANGEFINDER,
  mjVIS_CONSTRAINT,  // violated equality points
  mjVIS_INERTIA,     // boxes of equal inertia
  mjVIS_SCLINERTIA,  // ... sized by mass
  mjVIS_PERTFORCE,   // push by the user
  mjVIS_PERTOBJ,     // pushed object
  mjVIS_CONTACTPOINT,
  mjVIS_ISLAND,  // constraint islands
  mjVIS_CONTACTFORCE,
  mjVIS_CONTACTSPLIT,  // normal and tangential force apart
  mjVIS_TRANSPARENT,   // moving bodies see-through
  mjVIS_AUTOCONNECT,   // joints and centers of mass linked by lines
  mjVIS_COM,           // centers of mass
  mjVIS_SELECT,        // selected point
  mjVIS_STATIC,        // static bodies
  mjVIS_SKIN,
  mjVIS_FLEXVERT,
  mjVIS_FLEXEDGE,
  mjVIS_FLEXFACE,
  mjVIS_FLEXSKIN,  // smooth surface in place of vertices, edges, faces
  mjVIS_BODYBVH,   // bounding boxes of bodies
  mjVIS_MESHBVH,   // bounding boxes in meshes
  mjVIS_SDFITER,   // search of signed distance fields

  mjNVISFLAG
} mjtVisFlag;

typedef enum mjtRndFlag_ {  // how it is drawn
  mjRND_SHADOW = 0,
  mjRND_WIREFRAME,
  mjRND_REFLECTION,
  mjRND_ADDITIVE,  // transparent colors add up
  mjRND_SKYBOX,
  mjRND_FOG,
  mjRND_HAZE,
  mjRND_SEGMENT,    // each object in a color of its own
  mjRND_IDCOLOR,    // color is segid + 1
  mjRND_CULL_FACE,  // leave out faces seen from behind

  // of later releases
  mjRND_DEPTH,            // depths alone; colors are black
  mjRND_POST_PROCESSING,  // not used: there are no effects on whole pictures

  mjNRNDFLAG = CND_API(mjRND_CULL_FACE, mjRND_POST_PROCESSING) + 1
} mjtRndFlag;

typedef enum mjtStereo_ {  // one eye or two
  mjSTEREO_NONE = 0,       // left eye only
  mjSTEREO_QUADBUFFERED,   // by hardware, else side by side
  mjSTEREO_SIDEBYSIDE
} mjtStereo;

// selection and pushing

struct mjvPerturb_ {
  int select;           // body; <= 0: none
  int flexselect;       // flex; negative: none
  int skinselect;       // skin; negative: none
  int active;           // mjtPertBit
  int active2;          // mjtPertBit of a second hand
  mjtNum refpos[3];     // where the body is pulled to
  mjtNum refquat[4];    // orientation that the body is turned to
  mjtNum refselpos[3];  // where the grabbed point is pulled to
  mjtNum localpos[3];   // grabbed point, in the body
  mjtNum localmass;     // inertia felt there
  mjtNum scale;         // length per mouse motion
};
typedef struct mjvPerturb_ mjvPerturb;

// cameras

struct mjvCamera_ {  // camera as a user thinks of it
  int type;          // mjtCamera
  int fixedcamid;    // camera of the model
  int trackbodyid;   // body to follow

  mjtNum lookat[3];  // point in the middle of the picture
  mjtNum distance;   // from lookat to the eye
  mjtNum azimuth;    // degrees
  mjtNum elevation;  // degrees

  int orthographic;  // no perspective
};
typedef struct mjvCamera_ mjvCamera;

struct mjvGLCamera_ {  // camera as a renderer needs it
  float pos[3];
  float forward[3];
  float up[3];

  float frustum_center;  // horizontal; left and right follow from the picture's shape
  float frustum_width;   // half, if the camera gives it; not used for drawing
  float frustum_bottom;
  float frustum_top;
  float frustum_near;
  float frustum_far;

  int orthographic;  // no perspective
};
typedef struct mjvGLCamera_ mjvGLCamera;

// content of a scene

struct mjvGeom_ {  // shape
  int type;        // mjtGeom
  int dataid;      // height field, plane, or 2 mesh (+ 1 for its hull); -1: none
  int objtype;     // mjtObj it stands for; mjOBJ_UNKNOWN: decoration
  int objid;
  int category;  // mjtCatBit
  int matid;     // material; -1: none with texture
  int texcoord;  // has texture coordinates
  int segid;     // number in segmentation pictures; -1: not drawn there

  float size[3];
  float pos[3];
  float mat[9];

  float rgba[4];
  float emission;
  float specular;
  float shininess;
  float reflectance;

  char label[100];

  // for sorting
  float camdist;      // distance to the camera
  float modelrbound;  // bounding radius; 0: decoration
  mjtByte transparent;

  // since 4.0
  mjtByte castshadow;  // casts shadows
  int texid;           // texture; -1: that of the material
  int texuniform;      // size of the texture in meters, not in sides of the shape
  float texrepeat[2];  // repetitions of a texture that lies flat; 0: those of the material
};
typedef struct mjvGeom_ mjvGeom;

struct mjvLight_ {  // light
  int id;           // in the model; -1: headlight
  float pos[3];
  float dir[3];
  int type;   // mjtLightType
  int texid;  // texture of an image light
  float attenuation[3];
  float cutoff;
  float exponent;
  float ambient[3];
  float diffuse[3];
  float specular[3];
  mjtByte headlight;
  mjtByte castshadow;
  float bulbradius;
  float intensity;  // candela
  float range;
  float softness;  // of the edge of a spot's cone, since 4.0; not drawn
};
typedef struct mjvLight_ mjvLight;

struct mjvOption_ {  // what goes into a scene
  int label;         // mjtLabel
  int frame;         // mjtFrame
  mjtByte geomgroup[mjNGROUP];
  mjtByte sitegroup[mjNGROUP];
  mjtByte jointgroup[mjNGROUP];
  mjtByte tendongroup[mjNGROUP];
  mjtByte actuatorgroup[mjNGROUP];
  mjtByte flexgroup[mjNGROUP];
  mjtByte skingroup[mjNGROUP];
  mjtByte flags[mjNVISFLAG];  // by mjtVisFlag
  int bvh_depth;              // level of the bounding boxes
  int flex_layer;             // layer of a solid flex
};
typedef struct mjvOption_ mjvOption;

struct mjvScene_ {
  // shapes
  int maxgeom;
  int ngeom;
  mjvGeom* geoms;
  int* geomorder;  // by distance to the camera

  // flexes
  int nflex;
  int* flexedgeadr;  // per flex: first edge, number of edges
  int* flexedgenum;
  int* flexvertadr;  // first vertex, number of vertices
  int* flexvertnum;
  int* flexfaceadr;  // first face, room for faces, faces in use
  int* flexfacenum;
  int* flexfaceused;
  int* flexedge;        // 2 vertices per edge
  float* flexvert;      // 3 per vertex
  float* flexface;      // 9 per face
  float* flexnormal;    // 9 per face
  float* flextexcoord;  // 6 per face
  mjtByte flexvertopt;  // mjVIS_FLEXVERT, ... when the scene was made
  mjtByte flexedgeopt;
  mjtByte flexfaceopt;
  mjtByte flexskinopt;

  // skins
  int nskin;
  int* skinfacenum;  // per skin: faces, first vertex, vertices
  int* skinvertadr;
  int* skinvertnum;
  float* skinvert;    // 3 per vertex
  float* skinnormal;  // 3 per vertex

  // lights
  int nlight;
  mjvLight lights[mjMAXLIGHT];

  // eyes: left, right
  mjvGLCamera camera[2];

  // placement of the model in the room
  mjtByte enabletransform;
  float translate[3];
  float rotate[4];
  float scale;

  // effects
  int stereo;                 // mjtStereo
  mjtByte flags[mjNRNDFLAG];  // by mjtRndFlag
#if mjVERSION_API < 400
  mjtByte cnd_flags[2];  // those of later releases
#endif

  // picture frame
  int framewidth;  // pixels; 0: none
  float framergb[3];
  int status;  // 0: all fits, 1: more shapes than maxgeom
};
typedef struct mjvScene_ mjvScene;

// graph of curves

struct mjvFigure_ {
  // switches
  int flg_legend;
  int flg_ticklabel[2];  // numbers on x, y
  int flg_extend;        // widen the ranges to the data
  int flg_barplot;       // separate segments
  int flg_selection;     // vertical line at `selection`
  int flg_symmetric;     // y range about zero

  // style
  float linewidth;
  float gridwidth;
  int gridsize[2];
  float gridrgb[3];
  float figurergba[4];
  float panergba[4];
  float legendrgba[4];
  float textrgb[3];
  float linergb[mjMAXLINE][3];
  float range[2][2];  // x, y; empty: from the data
  char xformat[20];   // printf format of numbers
  char yformat[20];
  char minwidth[20];  // numbers on y are at least as wide as this text

  // text
  char title[1000];  // parts apart by two blanks belong to subplots
  char xlabel[100];
  char linename[mjMAXLINE][100];

  // state
  int legendoffset;  // lines skipped in the legend
  int subplot;       // highlighted part of the title
  int highlight[2];  // point whose legend line is highlighted
  int highlightid;   // highlighted line; negative: by point
  float selection;   // x

  // data
  int linepnt[mjMAXLINE];                       // points per line
  float linedata[mjMAXLINE][2 * mjMAXLINEPNT];  // x, y, x, y, ...

  // written by the renderer
  int xaxispixel[2];
  int yaxispixel[2];
  float xaxisdata[2];
  float yaxisdata[2];
};
typedef struct mjvFigure_ mjvFigure;

#endif  // MUJOCO_MJVISUALIZE_H_
