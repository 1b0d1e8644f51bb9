// collision.h: the functions of the interface for contacts, distances and rays: those that
// src/collision defines. Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_COLLISION_H_
#define MUJOCO_API_COLLISION_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>
#include <mujoco/mjversion.h>

#ifdef __cplusplus
extern "C" {
#endif

// hooks

// The function that finds contacts of each pair of shapes, smaller type first; NULL for none. Those
// of programs for 4.0.0 stand in cnd_COLLISIONFUNC; what is changed there counts, not the other.
MJAPI extern cndfCollision cnd_COLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES];
#if mjVERSION_API >= 400
#define mjCOLLISIONFUNC cnd_COLLISIONFUNC
#else
MJAPI extern mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES];
#endif

// stages

// Contacts.
MJAPI void mj_collision(const mjModel* m, mjData* d);

// support functions

// Appends a contact and drops the constraint rows. Returns 1 with a warning if memory runs out,
// else 0.
MJAPI int mj_addContact(const mjModel* m, mjData* d, const mjContact* con);

// Signed distance of two geoms if it is less than distmax, else distmax. fromto, which may be NULL,
// is the shortest segment from surface to surface; zeros if there is none. Uses the stack of d, so
// not from two threads at once.
MJAPI mjtNum mj_geomDistance(const mjModel* m, CND_API(const, ) mjData* d, int geom1, int geom2,
                             mjtNum distmax, mjtNum fromto[6]);

// The largest number of contacts that two geoms can have by their types and the options, whether or
// not they may collide; 0 if their types don't. has_margin: 1 with a margin, 0 without, -1 as in
// the model. Of 3.8.
MJAPI int mj_maxContact(const mjModel* m, int g1, int g2, int has_margin);

// Rays with normals. Where the ray meets a surface, normal (may be NULL) becomes its outward unit
// normal in the world, whichever side the ray comes from; zeros on a miss. Otherwise these are the
// functions of their names below, but no plane is cut off. Programs for 4.0.0 call them so.
MJAPI mjtNum cnd_rayNormal(const mjModel* m, const mjData* d, const mjtNum pnt[3],
                           const mjtNum vec[3], const mjtByte* geomgroup, CND_BOOL flg_static,
                           int bodyexclude, int geomid[1], mjtNum normal[3]);
MJAPI void cnd_multiRayNormal(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                              const mjtByte* geomgroup, CND_BOOL flg_static, int bodyexclude,
                              int* geomid, mjtNum* dist, mjtNum* normal, int nray, mjtNum cutoff);
MJAPI mjtNum cnd_rayHfieldNormal(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                                 const mjtNum vec[3], mjtNum normal[3]);
MJAPI mjtNum cnd_rayMeshNormal(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                               const mjtNum vec[3], mjtNum normal[3]);
MJAPI mjtNum cnd_rayGeomNormal(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                               const mjtNum pnt[3], const mjtNum vec[3], int geomtype,
                               mjtNum normal[3]);

#if mjVERSION_API >= 400
static inline mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3],
                            const mjtNum vec[3], const mjtByte* geomgroup, CND_BOOL flg_static,
                            int bodyexclude, int geomid[1], mjtNum normal[3]) {
  return cnd_rayNormal(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal);
}
static inline void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                               const mjtByte* geomgroup, CND_BOOL flg_static, int bodyexclude,
                               int* geomid, mjtNum* dist, mjtNum* normal, int nray, mjtNum cutoff) {
  cnd_multiRayNormal(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, normal, nray,
                     cutoff);
}
static inline mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid,
                                  const mjtNum pnt[3], const mjtNum vec[3], mjtNum normal[3]) {
  return cnd_rayHfieldNormal(m, d, geomid, pnt, vec, normal);
}
static inline mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                                const mjtNum vec[3], mjtNum normal[3]) {
  return cnd_rayMeshNormal(m, d, geomid, pnt, vec, normal);
}
static inline mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                                 const mjtNum pnt[3], const mjtNum vec[3], int geomtype,
                                 mjtNum normal[3]) {
  return cnd_rayGeomNormal(pos, mat, size, pnt, vec, geomtype, normal);
}
#else
// Where the ray pnt + x vec first meets a geom: the smallest x >= 0, -1 if it meets none. It passes
// through geoms that are drawn fully transparent, those of body bodyexclude (-1: none), those of
// groups whose geomgroup is 0 (NULL: all groups count) and, without flg_static, what can't move.
// geomid, which may be NULL, becomes the geom that is hit, or -1.
MJAPI mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
                    const mjtByte* geomgroup, CND_BOOL flg_static, int bodyexclude, int geomid[1]);

// mj_ray for nray rays pnt + x vec[3 i] from one point: dist[i] is x or -1, geomid[i] the geom or
// -1. Geoms that may collide with anything, and others of their bodies, are left out if their
// bounding sphere is farther than cutoff; dist is not limited by it. Of those bodies geoms are seen
// under the angles of their boxes' corners only, so a ray may miss here what it hits in mj_ray (see
// quirks). Uses the stack of d.
MJAPI void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                       const mjtByte* geomgroup, CND_BOOL flg_static, int bodyexclude, int* geomid,
                       mjtNum* dist, int nray, mjtNum cutoff);

// Where a ray first meets one geom of type height field or mesh, whether or not it is visible: x as
// in mj_ray, or -1.
MJAPI mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                          const mjtNum vec[3]);
MJAPI mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3],
                        const mjtNum vec[3]);

// Where a ray first meets one primitive shape (mjtGeom) with a pose and a size: x as in mj_ray, or
// -1.
MJAPI mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3],
                         const mjtNum pnt[3], const mjtNum vec[3], int geomtype);
#endif

// Where a ray first meets a flex: x as in mj_ray, or -1. It meets edges (flg_edge) or vertices
// (flg_vert), inflated by the flex's radius, and the triangles between them (flg_face), of solids
// those of elements of a layer. flg_skin: edges and triangles, of solids those of layer 0. vertid,
// which may be NULL, becomes the vertex nearest to the hit, if there is one; normal as in
// cnd_rayNormal. Of 3.5, until then mju_rayFlex, which knows no normals.
MJAPI mjtNum mj_rayFlex(const mjModel* m, const mjData* d, int flex_layer, CND_BOOL flg_vert,
                        CND_BOOL flg_edge, CND_BOOL flg_face, CND_BOOL flg_skin, int flexid,
                        const mjtNum pnt[3], const mjtNum vec[3], int vertid[1], mjtNum normal[3]);
MJAPI mjtNum mju_rayFlex(const mjModel* m, const mjData* d, int flex_layer, CND_BOOL flg_vert,
                         CND_BOOL flg_edge, CND_BOOL flg_face, CND_BOOL flg_skin, int flexid,
                         const mjtNum* pnt, const mjtNum* vec, int vertid[1]);

// Where a ray first meets the triangles of a skin as they are drawn: x as in mj_ray, or -1. face
// (nface x 3) has numbers of vertices, vert (nvert x 3) their places in the world. vertid, which
// may be NULL, becomes the vertex of the triangle that is nearest to the hit, or -1.
MJAPI mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert,
                         const mjtNum pnt[3], const mjtNum vec[3], int vertid[1]);

// signed distance fields

// The plugin that makes the shape of a geom; an error if the geom has none.
MJAPI const mjpPlugin* mjc_getSDF(const mjModel* m, int id);

// Signed distance of a point x from one shape or, by s->type, of two shapes together; x is in the
// frame of the first one, relmat x + relpos in that of the second. For each shape: with a plugin,
// id is the plugin instance; of type SDF without one, a mesh that has an octree; of any other type,
// a geom.
MJAPI mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]);

// Gradient of mjc_distance at a point x.
MJAPI void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3],
                        const mjtNum x[3]);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_COLLISION_H_
