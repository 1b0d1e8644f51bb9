// shape.h: what can be drawn many times at once: meshes on the graphics device.

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#include "render/memory.h"
#include "render/types.h"

struct RenderDevice_;

// Triangles before they are uploaded: three vertices after each other. Where polygons are drawn as
// lines quadrangles, two triangles each, are without the diagonal, which is the last side of both.
typedef struct RenderMesh_ {
  RenderArray quads, triangles;
} RenderMesh;

void shape_triangle(RenderMesh* mesh, const RenderVertex* a, const RenderVertex* b,
                    const RenderVertex* c);

// The quadrangle a b c d; its diagonal is from a to c.
void shape_quad(RenderMesh* mesh, const RenderVertex* a, const RenderVertex* b,
                const RenderVertex* c, const RenderVertex* d);

// Replaces a shape by a mesh, of whose equal vertices one is left, and empties the mesh.
void shape_upload(struct RenderDevice_* device, int id, RenderMesh* mesh);

void shape_release(RenderMesh* mesh);

// Replaces a shape by vertices and indices, the first of which are those of quadrangles. Without
// indices it keeps those that it has.
void shape_upload_indexed(struct RenderDevice_* device, int id, const RenderVertex* vertex,
                          size_t nvertex, const unsigned int* index, size_t nindex, size_t nhalves);

void shape_free(struct RenderDevice_* device, int id);

// A number of pieces that can be drawn, whatever the model says.
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
