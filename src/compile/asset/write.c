// write.c: writes meshes and height fields to mjModel, in order of ids: a row per asset to the
// draft, large arrays to the final model.
#include <limits.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/asset_set.h"

// sizes

// counted items: offset of their number in a mesh, and of the total in the model
static const struct {
  size_t count, total;
} counted[] = {
#define ROW(count, total) \
  { offsetof(Mesh, count), offsetof(mjModel, total) }
    ROW(nvert, nmeshvert),
    ROW(nnormal, nmeshnormal),
    ROW(ntexcoord, nmeshtexcoord),
    ROW(nface, nmeshface),
    ROW(ngraph, nmeshgraph),
    ROW(npoly, nmeshpoly),
    ROW(npolyvert, nmeshpolyvert),
    ROW(npolyvert, nmeshpolymap),
    ROW(nbvh, nbvh),
    ROW(nbvh, nbvhstatic),
    ROW(noct, noct),
#undef ROW
};

// Adds a number of items to a size of the model. Returns 0, with an error, if there are too many.
static int add_items(Compile* c, int* size, int64_t items) {
  if (items > INT_MAX / 8) {
    compile_error(c, NULL, "meshes and height fields are too large together");
    return 0;
  }
  *size += (int)items;
  return 1;
}

int assets_sizes(Compile* c, mjModel* m) {
  for (size_t k = 0; k < sizeof(counted) / sizeof(counted[0]); k++) {
    int64_t items = 0;
    for (int i = 0; i < c->count[mjOBJ_MESH]; i++) {
      items += *(const int*)((const char*)&c->assets->written[i] + counted[k].count);
    }
    if (!add_items(c, (int*)((char*)m + counted[k].total), items)) {
      return 0;
    }
  }
  int64_t samples = 0;
  for (int i = 0; i < c->count[mjOBJ_HFIELD]; i++) {
    samples += (int64_t)c->assets->hfield[i]->nrow * c->assets->hfield[i]->ncol;
  }
  return add_items(c, &m->nhfielddata, samples);
}

// rows

void compile_meshes(Compile* c) {
  mjModel* m = c->m;
  int vert = 0, normal = 0, texcoord = 0, face = 0, graph = 0, poly = 0, oct = 0;
  for (int i = 0; i < m->nmesh; i++) {
    const Mesh *mesh = &c->assets->written[i], *made = c->assets->mesh[i];
    const mjsMesh* spec = &c->list[mjOBJ_MESH][i]->as.mesh;
    m->mesh_vertadr[i] = vert;
    m->mesh_vertnum[i] = mesh->nvert;
    m->mesh_normaladr[i] = normal;
    m->mesh_normalnum[i] = mesh->nnormal;
    m->mesh_texcoordadr[i] = mesh->ntexcoord ? texcoord : -1;
    m->mesh_texcoordnum[i] = mesh->ntexcoord;
    m->mesh_faceadr[i] = face;
    m->mesh_facenum[i] = mesh->nface;
    m->mesh_graphadr[i] = mesh->graph ? graph : -1;
    m->mesh_polyadr[i] = poly;
    m->mesh_polynum[i] = mesh->npoly;
    m->mesh_octadr[i] = mesh->noct ? oct : -1;
    m->mesh_octnum[i] = mesh->noct;
    vert += mesh->nvert;
    normal += mesh->nnormal;
    texcoord += mesh->ntexcoord;
    face += mesh->nface;
    graph += mesh->ngraph;
    poly += mesh->npoly;
    oct += mesh->noct;
    compile_store(m->mesh_scale + 3 * i, spec->scale, 3);
    compile_store(m->mesh_pos + 3 * i, made->pos, 3);
    compile_store(m->mesh_quat + 4 * i, made->quat, 4);
  }
}

void compile_hfields(Compile* c) {
  mjModel* m = c->m;
  int adr = 0;
  for (int i = 0; i < m->nhfield; i++) {
    const HField* field = c->assets->hfield[i];
    compile_store(m->hfield_size + 4 * i, c->list[mjOBJ_HFIELD][i]->as.hfield.size, 4);
    m->hfield_nrow[i] = field->nrow;
    m->hfield_ncol[i] = field->ncol;
    m->hfield_adr[i] = adr;
    adr += field->nrow * field->ncol;
  }
}

// large arrays

// Copies the rows of all meshes, one mesh after the other, from row `start` on.
#define JOIN(type, name, rows, columns, to)                                     \
  for (size_t i = 0, at = columns * (size_t)start; i < (size_t)m->nmesh; i++) { \
    size_t n = columns * (size_t)mesh[i].rows;                                  \
    if (n && mesh[i].name) {                                                    \
      memcpy(m->to + at, mesh[i].name, n * sizeof(type));                       \
    }                                                                           \
    at += n;                                                                    \
  }

static void shift(int* index, int n, int by) {
  for (int i = 0; i < n; i++) {
    index[i] += by;
  }
}

void assets_write(Compile* c) {
  mjModel* m = c->m;
  const Mesh* mesh = c->assets->written;
  const int start = 0;
  MESH_ARRAYS(JOIN)

  // Addresses of polygons count across meshes. Indices of vertices and polygons count within their
  // mesh.
  int polyvert = 0;
  for (int i = 0; i < m->nmesh; i++) {
    shift(m->mesh_polyvertadr + m->mesh_polyadr[i], mesh[i].npoly, polyvert);
    shift(m->mesh_polymapadr + m->mesh_vertadr[i], mesh[i].nvert, polyvert);
    polyvert += mesh[i].npolyvert;
  }
  for (int i = 0; i < m->nhfield; i++) {
    const HField* field = c->assets->hfield[i];
    memcpy(m->hfield_data + m->hfield_adr[i], field->data,
           (size_t)field->nrow * (size_t)field->ncol * sizeof(float));
  }
}

int assets_writetrees(Compile* c, int start) {
  mjModel* m = c->m;
  const Mesh* mesh = c->assets->written;
  MESH_BOXES(JOIN)
  for (int i = 0; i < m->nmesh; i++) {
    m->mesh_bvhadr[i] = mesh[i].nbvh ? start : -1;
    m->mesh_bvhnum[i] = mesh[i].nbvh;
    start += mesh[i].nbvh;
  }
  return start;
}
