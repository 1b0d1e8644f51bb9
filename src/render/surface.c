// surface.c: planes, meshes, convex hulls and height fields of a model, and the surfaces that
// deform: skins and flexes.

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjvisualize.h>
#include <string.h>

#include "render/device.h"
#include "render/shape.h"

// below this cosine a vertex's normal says nothing about the face: an edge
static const float EDGE_COSINE = 0.8f;

static void cross(float out[3], const float a[3], const float b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(float v[3]) {
  float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int k = 0; k < 3; k++) {
    v[k] = length > 0 ? v[k] / length : (k == 2 ? 1 : 0);
  }
}

// The normal of a triangle.
static void face_normal(float out[3], const float a[3], const float b[3], const float c[3]) {
  float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  cross(out, u, v);
  normalize(out);
}

static RenderVertex vertex(const float position[3], const float normal[3]) {
  RenderVertex v = {{position[0], position[1], position[2]},
                    {normal[0], normal[1], normal[2]},
                    {position[0], position[1], position[2]},
                    0};
  return v;
}

// The coordinates of a plane's rows of vertices along one axis. An infinite side reaches one tile
// beyond the far plane, because the scene moves it by whole tiles. Returns the number of rows.
static size_t plane_rows(float out[mjMAXPLANEGRID + 1], const mjModel* m, int geom, int k) {
  mjtNum half = m->geom_size[3 * geom + k], step = 2 * m->geom_size[3 * geom + 2];
  if (half <= 0) {
    mjtNum zfar = m->vis.map.zfar * m->stat.extent;
    int mat = m->geom_matid[geom];
    float repeat = mat >= 0 ? m->mat_texrepeat[2 * mat + k] : 0;
    mjtNum tile = repeat > 0 ? 2 / (mjtNum)repeat : (mjtNum)2.1 * zfar / (mjMAXPLANEGRID - 2);
    half = (mjtNum)1.05 * zfar + tile;
    step = 0;
  }
  step = step > 2 * half / mjMAXPLANEGRID ? step : 2 * half / mjMAXPLANEGRID;

  // whole steps from the middle, and the border
  int n = (int)ceil(half / step - 1e-6);
  for (int i = -n; i <= n; i++) {
    mjtNum at = (mjtNum)i * step;
    out[n + i] = (float)(at < -half ? -half : at > half ? half : at);
  }
  out[0] = (float)-half;
  out[2 * n] = (float)half;
  return 2 * (size_t)n + 1;
}

void surface_plane(RenderDevice* device, const mjModel* m, int plane, int geom) {
  const float up[3] = {0, 0, 1};
  float x[mjMAXPLANEGRID + 1], y[mjMAXPLANEGRID + 1];
  size_t nx = plane_rows(x, m, geom, 0), ny = plane_rows(y, m, geom, 1);
  size_t nindex = 6 * (nx - 1) * (ny - 1);
  RenderArray vertices = {0}, indices = {0};
  RenderVertex* v = render_append(&vertices, nx * ny * sizeof(*v));
  for (size_t j = 0; j < ny; j++) {
    for (size_t i = 0; i < nx; i++) {
      const float p[3] = {x[i], y[j], 0};
      *v++ = vertex(p, up);
    }
  }
  unsigned int* index = render_append(&indices, nindex * sizeof(*index));
  for (size_t j = 0; j + 1 < ny; j++) {
    for (size_t i = 0; i + 1 < nx; i++) {
      unsigned int a = (unsigned int)(j * nx + i), b = a + (unsigned int)nx;
      const unsigned int corner[6] = {b, a, a + 1, a + 1, b + 1, b};
      memcpy(index, corner, sizeof(corner));
      index += 6;
    }
  }
  int id = shape_of_plane(device, plane);
  shape_upload_indexed(device, id, vertices.data, nx * ny, indices.data, nindex, nindex);
  device->shape[id].is_endless = m->geom_size[3 * geom] <= 0 && m->geom_size[3 * geom + 1] <= 0;
  render_release(&vertices);
  render_release(&indices);
}

// A mesh with its normals; where it has no coordinates of textures, edges are sharp.
static void mesh_faces(RenderMesh* out, const mjModel* m, int id) {
  const float* points = m->mesh_vert + 3 * m->mesh_vertadr[id];
  const float* normals = m->mesh_normal + 3 * m->mesh_normaladr[id];
  int coord_adr = m->mesh_texcoordadr[id];
  for (int f = m->mesh_faceadr[id]; f < m->mesh_faceadr[id] + m->mesh_facenum[id]; f++) {
    const int* face = m->mesh_face + 3 * f;
    float flat[3];
    face_normal(flat, points + 3 * face[0], points + 3 * face[1], points + 3 * face[2]);
    RenderVertex corner[3];
    for (int c = 0; c < 3; c++) {
      const float* n = normals + 3 * m->mesh_facenormal[3 * f + c];
      float cosine = n[0] * flat[0] + n[1] * flat[1] + n[2] * flat[2];
      corner[c] = vertex(points + 3 * face[c], coord_adr < 0 && cosine < EDGE_COSINE ? flat : n);
      if (coord_adr >= 0) {
        const float* uv = m->mesh_texcoord + 2 * (coord_adr + m->mesh_facetexcoord[3 * f + c]);
        corner[c].texture[0] = uv[0];
        corner[c].texture[1] = uv[1];
        corner[c].texture[2] = 0;
      }
    }
    shape_triangle(out, corner, corner + 1, corner + 2);
  }
}

static void hull_faces(RenderMesh* out, const mjModel* m, int id) {
  const float* points = m->mesh_vert + 3 * m->mesh_vertadr[id];
  const int* graph = m->mesh_graph + m->mesh_graphadr[id];
  int nvert = graph[0], nface = graph[1];
  const int* face = graph + 2 + 2 * nvert + nvert + 3 * nface;
  for (int f = 0; f < nface; f++, face += 3) {
    float flat[3];
    face_normal(flat, points + 3 * face[0], points + 3 * face[1], points + 3 * face[2]);
    RenderVertex corner[3];
    for (int c = 0; c < 3; c++) {
      corner[c] = vertex(points + 3 * face[c], flat);
    }
    shape_triangle(out, corner, corner + 1, corner + 2);
  }
}

void surface_mesh(RenderDevice* device, const mjModel* m, int mesh) {
  RenderMesh out = {{0}, {0}};
  mesh_faces(&out, m, mesh);
  int id = shape_of_mesh(device, 2 * mesh);
  shape_upload(device, id, &out);
  device->shape[id].has_coords = m->mesh_texcoordadr[mesh] >= 0;
  if (m->mesh_graphadr[mesh] >= 0) {
    hull_faces(&out, m, mesh);
  }
  shape_upload(device, id + 1, &out);
  shape_release(&out);
}

// A point of a height field's surface.
static void field_point(float out[3], const mjModel* m, int id, int row, int col) {
  const mjtNum* size = m->hfield_size + 4 * id;
  int nrow = m->hfield_nrow[id], ncol = m->hfield_ncol[id];
  float height = m->hfield_data[m->hfield_adr[id] + row * ncol + col];
  out[0] = (float)(size[0] * (2.0 * col / (ncol - 1) - 1));
  out[1] = (float)(size[1] * (2.0 * row / (nrow - 1) - 1));
  out[2] = (float)(size[2] * (mjtNum)height);
}

static void flat_triangle(RenderArray* out, const float a[3], const float b[3], const float c[3]) {
  float n[3];
  face_normal(n, a, b, c);
  RenderVertex* v = render_append(out, 3 * sizeof(*v));
  v[0] = vertex(a, n);
  v[1] = vertex(b, n);
  v[2] = vertex(c, n);
}

static void flat_quad(RenderMesh* out, const float a[3], const float b[3], const float c[3],
                      const float d[3]) {
  flat_triangle(&out->quads, a, b, c);
  flat_triangle(&out->quads, c, d, a);
}

static void field_top(RenderMesh* out, const mjModel* m, int id) {
  for (int r = 0; r + 1 < m->hfield_nrow[id]; r++) {
    for (int c = 0; c + 1 < m->hfield_ncol[id]; c++) {
      float p[4][3];
      for (int k = 0; k < 4; k++) {
        field_point(p[k], m, id, r + (k >= 2), c + (k == 1 || k == 2));
      }
      flat_triangle(&out->triangles, p[0], p[1], p[2]);
      flat_triangle(&out->triangles, p[0], p[2], p[3]);
    }
  }
}

// A piece of the wall between two neighbours of the border, seen from where a is left of b.
static void field_wall(RenderMesh* out, const float a[3], const float b[3], float bottom) {
  float low_a[3] = {a[0], a[1], bottom}, low_b[3] = {b[0], b[1], bottom};
  flat_quad(out, low_a, low_b, b, a);
}

static void field_walls(RenderMesh* out, const mjModel* m, int id) {
  int nrow = m->hfield_nrow[id], ncol = m->hfield_ncol[id];
  float bottom = -(float)m->hfield_size[4 * id + 3];
  float a[3], b[3];
  for (int c = 0; c + 1 < ncol; c++) {
    field_point(a, m, id, 0, c);
    field_point(b, m, id, 0, c + 1);
    field_wall(out, a, b, bottom);
    field_point(a, m, id, nrow - 1, c);
    field_point(b, m, id, nrow - 1, c + 1);
    field_wall(out, b, a, bottom);
  }
  for (int r = 0; r + 1 < nrow; r++) {
    field_point(a, m, id, r, 0);
    field_point(b, m, id, r + 1, 0);
    field_wall(out, b, a, bottom);
    field_point(a, m, id, r, ncol - 1);
    field_point(b, m, id, r + 1, ncol - 1);
    field_wall(out, a, b, bottom);
  }
}

// The bottom, n x n quadrangles.
static void field_bottom(RenderMesh* out, const mjModel* m, int id, int n) {
  float x = (float)m->hfield_size[4 * id], y = (float)m->hfield_size[4 * id + 1];
  float z = -(float)m->hfield_size[4 * id + 3], step = 2 / (float)n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      float x0 = x * ((float)i * step - 1), x1 = x * ((float)(i + 1) * step - 1);
      float y0 = y * ((float)j * step - 1), y1 = y * ((float)(j + 1) * step - 1);
      const float corner[4][3] = {{x0, y0, z}, {x0, y1, z}, {x1, y1, z}, {x1, y0, z}};
      flat_quad(out, corner[0], corner[1], corner[2], corner[3]);
    }
  }
}

void surface_hfield(RenderDevice* device, const mjModel* m, int hfield) {
  RenderMesh out = {{0}, {0}};
  field_top(&out, m, hfield);
  field_walls(&out, m, hfield);
  field_bottom(&out, m, hfield, shape_pieces(m->vis.quality.numquads, 1));
  shape_upload(device, shape_of_hfield(device, hfield), &out);
  shape_release(&out);
}

void surface_skin(RenderDevice* device, const mjModel* m, int skin) {
  size_t nindex = 3 * (size_t)m->skin_facenum[skin];
  unsigned int* index = mju_malloc((nindex + 1) * sizeof(*index));
  const int* face = m->skin_face + 3 * m->skin_faceadr[skin];
  for (size_t i = 0; i < nindex; i++) {
    index[i] = (unsigned int)face[i];
  }
  int id = shape_of_skin(device, skin);
  shape_upload_indexed(device, id, NULL, 0, index, nindex, 0);
  mju_free(index);

  int nvert = m->skin_vertnum[skin], adr = m->skin_texcoordadr[skin];
  size_t size = 2 * (size_t)nvert * sizeof(float);
  float* coord = render_append(&device->skin_coords, size);
  device->shape[id].has_coords = adr >= 0;
  device->shape[id].nvertex = nvert;
  if (adr >= 0) {
    memcpy(coord, m->skin_texcoord + 2 * adr, size);
  } else {
    memset(coord, 0, size);
  }
}

void surface_move_skin(RenderDevice* device, const mjvScene* scn, int skin) {
  int id = shape_of_skin(device, skin);
  int adr = scn->skinvertadr[skin], n = scn->skinvertnum[skin];
  const float* coord = (const float*)device->skin_coords.data + 2 * adr;
  int has_coords = device->shape[id].has_coords;
  device->vertices.n = 0;
  RenderVertex* v = render_append(&device->vertices, (size_t)n * sizeof(*v));
  for (int i = 0; i < n; i++) {
    v[i] = vertex(scn->skinvert + 3 * (adr + i), scn->skinnormal + 3 * (adr + i));
    if (has_coords) {
      v[i].texture[0] = coord[2 * i];
      v[i].texture[1] = coord[2 * i + 1];
      v[i].texture[2] = 0;
    }
  }
  shape_upload_indexed(device, id, v, (size_t)n, NULL, 0, 0);
}

void surface_move_flex(RenderDevice* device, const mjvScene* scn, int flex) {
  int id = shape_of_flex(device, flex);
  int adr = scn->flexfaceadr[flex];
  size_t n = 3 * (size_t)scn->flexfaceused[flex];
  device->vertices.n = device->order.n = 0;
  RenderVertex* v = render_append(&device->vertices, n * sizeof(*v));
  unsigned int* index = render_append(&device->order, n * sizeof(*index));
  for (size_t i = 0; i < n; i++) {
    size_t at = 3 * (size_t)adr + i;
    v[i] = vertex(scn->flexface + 3 * at, scn->flexnormal + 3 * at);
    memcpy(v[i].texture, scn->flextexcoord + 2 * at, 2 * sizeof(float));
    v[i].texture[2] = 0;
    index[i] = (unsigned int)i;
  }
  device->shape[id].has_coords = 1;
  shape_upload_indexed(device, id, v, n, index, n, 0);
}
