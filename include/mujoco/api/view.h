// view.h: the functions of the interface for pictures that need no graphics library: cameras,
// selection, default settings; those that src/view defines. Programs include mujoco.h; its
// conventions hold here. Angles are degrees where mjvCamera has them, and mouse motions are
// fractions of the height of the window, y down.

#ifndef MUJOCO_API_VIEW_H_
#define MUJOCO_API_VIEW_H_

#include <condyle/view.h>
#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjversion.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

// default settings

// A free camera 2 m from the origin, looking down by 45 degrees.
MJAPI void mjv_defaultCamera(mjvCamera* cam);

// A free camera that sees the whole model, in the direction that the model asks for.
MJAPI void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam);

// Nothing is selected.
MJAPI void mjv_defaultPerturb(mjvPerturb* pert);

// What is usually drawn.
MJAPI void mjv_defaultOption(mjvOption* opt);

// A figure without lines.
MJAPI void mjv_defaultFigure(mjvFigure* fig);

// cameras

// Sets both eyes of the scene from an abstract camera and switches the model transform off. A
// tracking camera gets its target. Nothing happens if m or cam is NULL, or the camera is the
// user's.
MJAPI void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn);

// The camera in the middle of two eyes.
MJAPI mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2);

// Position and unit vectors of the average camera of a scene in the space of the room (where the
// renderer draws) or in that of the model; each may be NULL. The camera must have been set.
MJAPI void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3],
                            const mjvScene* scn);
MJAPI void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3],
                             const mjvScene* scn);

// Converts poses from the space of the room to that of the model, and back.
MJAPI void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3],
                          const mjtNum roomquat[4], const mjvScene* scn);
MJAPI void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3],
                          const mjtNum modelquat[4], const mjvScene* scn);

// Height of what the average camera sees at distance 1, or anywhere if it is orthographic.
MJAPI mjtNum mjv_frustumHeight(const mjvScene* scn);

// Turns a vector about z so that its y axis is where forward points.
MJAPI void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]);

// mouse

#if mjVERSION_API >= 400
static inline void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy,
                                  mjvCamera* cam) {
  cnd_moveCamera(m, action, reldx, reldy, cam);
}
#else
// Moves a free or tracking camera by an action of the mouse (mjtMouse), as the scene was seen last.
MJAPI void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy,
                          const mjvScene* scn, mjvCamera* cam);
#endif

// Moves the model in the room, if the scene's transform is switched on.
MJAPI void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy,
                         const mjtNum roomup[3], mjvScene* scn);

// Moves the goal of the selected body.
MJAPI void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx,
                           mjtNum reldy, const mjvScene* scn, mjvPerturb* pert);

// Starts to push the selected body: its goal is its pose. Needs the factor of M.
MJAPI void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert);

// Sets the pose of the selected body to its goal, if it is a mocap body or, while the simulation is
// paused, free or in a free tree.
MJAPI void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert,
                                int flg_paused);

// Pulls the selected body to its goal by a critically damped spring: sets its xfrc_applied.
MJAPI void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert);

// What is under a place of the picture, (0, 0) at its lower left, (1, 1) at its upper right; its
// width is aspectratio times its height. Of what vopt shows: geoms, flexes, and skins as the scene
// has them. Returns the body and sets selpnt, a point of it in the world, and the id of the geom,
// flex or skin, the other ids to -1; -1 if nothing is there. Ids may be NULL. The scene's camera
// must have been set.
MJAPI int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio,
                     mjtNum relx, mjtNum rely, const mjvScene* scn, mjtNum selpnt[3], int geomid[1],
                     int flexid[1], int skinid[1]);

// pictures

// Sets a scene to the state of a simulation: shapes, cameras, lights, flexes and skins. catmask
// (mjtCatBit) and opt say what is drawn; pert, what the mouse does, may be NULL, and so may cam,
// which leaves the scene's camera. Shapes beyond maxgeom are left out, with a warning in d and a
// status of the scene. Infinite planes are centered at the camera of the last picture. Uses the
// stack of d.
MJAPI void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt,
                           const mjvPerturb* pert, mjvCamera* cam, int catmask, mjvScene* scn);

// Parts of mjv_updateScene: appends the shapes of the model; sets the lights, for which the camera
// must have been set; moves the skins of default groups.
MJAPI void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                        int catmask, mjvScene* scn);
MJAPI void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn);
MJAPI void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn);

// Copies src to a model of the same sizes, but for what drawing does not need: meshes, pixels,
// heights, fluid coefficients.
MJAPI void mjv_copyModel(mjModel* dest, const mjModel* src);

// mj_copyData but for what drawing does not need: inertias, Jacobians, matrices of the solver. dest
// may be NULL.
MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src);

// additions of later releases: 3.11

// Position and unit vectors of a camera, without a scene; each may be NULL. d may be NULL for a
// free camera.
MJAPI void mjv_cameraFrame(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], mjtNum right[3],
                           const mjData* d, const mjvCamera* cam);

// What a camera sees, at the near plane: (down, up), (left, right), which are 0 where they follow
// from the picture's shape, and the distances of the planes (near, far); each may be NULL. A free
// or tracking camera is orthographic if it says so, whatever the model says.
MJAPI void mjv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const mjModel* m,
                             const mjvCamera* cam);

// Position and view of a camera as a renderer needs them (mjv_cameraFrame, mjv_cameraFrustum).
MJAPI mjvGLCamera mjv_camera2GLCamera(const mjModel* m, const mjData* d, const mjvCamera* cam);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_VIEW_H_
