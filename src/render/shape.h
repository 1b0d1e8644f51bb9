// shape.h: what can be drawn many times at once: meshes on the graphics device.

#pragma once

#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#include "render/memory.h"
#include "render/types.h"

struct RenderDevice_;

// Replaces a shape by triangles: three vertices after each other. Equal ones become one.
void shape_upload(struct RenderDevice_* device, int id, const RenderArray* triangles);

// Replaces a shape by vertices and indices. Without indices it keeps those that it has.
void shape_upload_indexed(struct RenderDevice_* device, int id, const RenderVertex* vertex,
                          size_t nvertex, const unsigned int* index, size_t nindex);

void shape_free(struct RenderDevice_* device, int id);

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

// Adds a triangle to a list.
void shape_triangle(RenderArray* triangles, const RenderVertex* a, const RenderVertex* b,
                    const RenderVertex* c);
