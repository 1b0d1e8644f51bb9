// scene.h: the functions of the interface for scenes and their shapes: those that src/scene
// defines. Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_SCENE_H_
#define MUJOCO_API_SCENE_H_

#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

// Names of what can be drawn, in the order of the enums; of flags also "1" or "0", whether they are
// set by default, and a key.
MJAPI extern const char* mjLABELSTRING[mjNLABEL];
MJAPI extern const char* mjFRAMESTRING[mjNFRAME];
MJAPI extern const char* mjVISSTRING[mjNVISFLAG][3];
MJAPI extern const char* cnd_RNDSTRING[12][3];  // with those of later releases
#if mjVERSION_API >= 400
#define mjRNDSTRING cnd_RNDSTRING
#else
MJAPI extern const char* mjRNDSTRING[mjNRNDFLAG][3];
#endif

// shapes

// Sets the type, size, pose and color of a shape; NULL: sizes 0.1, the origin, the axes of the
// world, gray. A sphere takes its radius from size[0], a capsule or cylinder its radius from
// size[0] and its half length from size[1]. Material and label become those of a new shape; what it
// stands for (objtype, objid, category, segid) stays.
MJAPI void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3],
                        const mjtNum mat[9], const float rgba[4]);

// Puts a shape between two points: a capsule, cylinder, arrow or line; another type is an error.
// Its z axis points from one to the other. width is a radius, of lines a number of pixels. Sets
// type, size and pose alone.
MJAPI void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3],
                         const mjtNum to[3]);

// scenes

// Makes a scene empty, without memory.
MJAPI void mjv_defaultScene(mjvScene* scn);

// Makes an empty scene with room for maxgeom shapes and for the flexes and skins of a model, if m
// is not NULL. Frees what scn has, so it must have been made before or be all zero. A negative
// maxgeom counts as 0.
MJAPI void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom);

// Frees the memory of a scene, which is empty then.
MJAPI void mjv_freeScene(mjvScene* scn);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_SCENE_H_
