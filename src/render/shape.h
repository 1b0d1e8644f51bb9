// shape.h: meshes on the graphics device, which can be drawn many times by one call.

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#include "render/memory.h"
#include "render/types.h"

struct RenderDevice_;

// Triangles before upload: three consecutive vertices each. quads holds quadrangles as two
// triangles each, whose last side is the diagonal; drawn as lines, they are shown without it.
typedef struct RenderMesh_ {
  RenderArray quads, triangles;
} RenderMesh;

void shape_triangle(RenderMesh* mesh, const RenderVertex* a, const RenderVertex* b,
                    const RenderVertex* c);

// The quadrangle a b c d; its diagonal is from a to c.
void shape_quad(RenderMesh* mesh, const RenderVertex* a, const RenderVertex* b,
                const RenderVertex* c, const RenderVertex* d);

// Uploads a mesh, equal vertices merged, as the device's shape `id`, replacing what it held; then
// empties the mesh.
void shape_upload(struct RenderDevice_* device, int id, RenderMesh* mesh);

void shape_release(RenderMesh* mesh);

// Replaces a shape by vertices and indices; the first indices are those of quadrangles. If no
// indices are given, the shape keeps its own.
void shape_upload_indexed(struct RenderDevice_* device, int id, const RenderVertex* vertex,
                          size_t nvertex, const unsigned int* index, size_t nindex, size_t nhalves);

void shape_free(struct RenderDevice_* device, int id);

// The number of pieces to draw, within limits whatever the model says.
static inline int shape_pieces(int wanted, int least) {
  return wanted < least ? least : wanted > 1000 ? 1000 : wanted;
}

// The solids, as finely divided as the model asks for.
void solid_upload(struct RenderDevice_* device, int slices, int stacks, int quads);

// Elements of a model.
void surface_plane(struct RenderDevice_* device, const mjModel* m, int plane, int geom);
void surface_mesh(struct RenderDevice_* device, const mjModel* m, int mesh);
void surface_hfield(struct RenderDevice_* device, const mjModel* m, int hfield);
void surface_skin(struct RenderDevice_* device, const mjModel* m, int skin);

// Surfaces that follow the state of a scene.
void surface_move_skin(struct RenderDevice_* device, const mjvScene* scn, int skin);
void surface_move_flex(struct RenderDevice_* device, const mjvScene* scn, int flex);

int shape_of_plane(const struct RenderDevice_* device, int plane);
int shape_of_mesh(const struct RenderDevice_* device, int dataid);
int shape_of_hfield(const struct RenderDevice_* device, int hfield);
int shape_of_skin(const struct RenderDevice_* device, int skin);
int shape_of_flex(const struct RenderDevice_* device, int flex);
