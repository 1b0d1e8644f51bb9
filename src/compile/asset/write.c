// Meshes and height fields into mjModel: rows per asset in the draft, heavy arrays in the final
// model, one asset after the other.
#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/asset/set.h"

// sizes

// What there may be many of: their number in a mesh, and in the model.
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
    ROW(npolymap, nmeshpolymap),
    ROW(nbvh, nbvh),
    ROW(nbvh, nbvhstatic),
    ROW(noct, noct),
#undef ROW
};

// Adds a number of items to a size of the model; 0 and an error if they are too many.
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
    for (int i = 0; i < c->assets->nmesh; i++) {
      items += *(const int*)((const char*)c->assets->mesh[i] + counted[k].count);
    }
    if (!add_items(c, (int*)((char*)m + counted[k].total), items)) {
      return 0;
    }
  }
  int64_t samples = 0;
  for (int i = 0; i < c->assets->nhfield; i++) {
    samples += (int64_t)c->assets->hfield[i]->nrow * c->assets->hfield[i]->ncol;
  }
  return add_items(c, &m->nhfielddata, samples);
}

// rows

void compile_meshes(Compile* c) {
  mjModel* m = c->m;
  int vert = 0, normal = 0, texcoord = 0, face = 0, graph = 0, poly = 0, oct = 0;
  for (int i = 0; i < m->nmesh; i++) {
    const Mesh* mesh = c->assets->mesh[i];
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
    compile_store(m->mesh_pos + 3 * i, mesh->pos, 3);
    compile_store(m->mesh_quat + 4 * i, mesh->quat, 4);
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

// heavy arrays

static void copy_floats(float* out, const float* in, int n) {
  if (n) {
    memcpy(out, in, (size_t)n * sizeof(float));
  }
}

static void copy_ints(int* out, const int* in, int n) {
  if (n) {
    memcpy(out, in, (size_t)n * sizeof(int));
  }
}

static void shift_ints(int* out, const int* in, int n, int shift) {
  for (int i = 0; i < n; i++) {
    out[i] = in[i] + shift;
  }
}

// Addresses of polygons count through all meshes, vertices and polygons within their own.
static void write_polygons(mjModel* m, const Mesh* mesh, int i, int polyvert, int polymap) {
  int poly = m->mesh_polyadr[i], vert = m->mesh_vertadr[i];
  shift_ints(m->mesh_polyvertadr + poly, mesh->polyvertadr, mesh->npoly, polyvert);
  copy_ints(m->mesh_polyvertnum + poly, mesh->polyvertnum, mesh->npoly);
  copy_ints(m->mesh_polyvert + polyvert, mesh->polyvert, mesh->npolyvert);
  shift_ints(m->mesh_polymapadr + vert, mesh->polymapadr, mesh->nvert, polymap);
  copy_ints(m->mesh_polymapnum + vert, mesh->polymapnum, mesh->nvert);
  copy_ints(m->mesh_polymap + polymap, mesh->polymap, mesh->npolymap);
  mju_copy(m->mesh_polynormal + 3 * poly, mesh->polynormal, 3 * mesh->npoly);
}

static void write_mesh(mjModel* m, const Mesh* mesh, int i) {
  int face = 3 * m->mesh_faceadr[i];
  copy_floats(m->mesh_vert + 3 * m->mesh_vertadr[i], mesh->vert, 3 * mesh->nvert);
  copy_floats(m->mesh_normal + 3 * m->mesh_normaladr[i], mesh->normal, 3 * mesh->nnormal);
  copy_ints(m->mesh_face + face, mesh->face, 3 * mesh->nface);
  copy_ints(m->mesh_facenormal + face, mesh->facenormal, 3 * mesh->nface);
  if (mesh->ntexcoord) {
    copy_floats(m->mesh_texcoord + 2 * m->mesh_texcoordadr[i], mesh->texcoord, 2 * mesh->ntexcoord);
    copy_ints(m->mesh_facetexcoord + face, mesh->facetexcoord, 3 * mesh->nface);
  }
  if (mesh->graph) {
    copy_ints(m->mesh_graph + m->mesh_graphadr[i], mesh->graph, mesh->ngraph);
  }
  if (mesh->noct) {
    int oct = m->mesh_octadr[i];
    copy_ints(m->oct_depth + oct, mesh->octdepth, mesh->noct);
    copy_ints(m->oct_child + 8 * oct, mesh->octchild, 8 * mesh->noct);
    mju_copy(m->oct_aabb + 6 * oct, mesh->octaabb, 6 * mesh->noct);
    mju_copy(m->oct_coeff + 8 * oct, mesh->octcoeff, 8 * mesh->noct);
  }
}

void assets_write(Compile* c) {
  mjModel* m = c->m;
  int polyvert = 0, polymap = 0;
  for (int i = 0; i < m->nmesh; i++) {
    const Mesh* mesh = c->assets->mesh[i];
    write_mesh(m, mesh, i);
    write_polygons(m, mesh, i, polyvert, polymap);
    polyvert += mesh->npolyvert;
    polymap += mesh->npolymap;
  }
  for (int i = 0; i < m->nhfield; i++) {
    const HField* field = c->assets->hfield[i];
    copy_floats(m->hfield_data + m->hfield_adr[i], field->data, field->nrow * field->ncol);
  }
}

int assets_writetrees(Compile* c, int start) {
  mjModel* m = c->m;
  for (int i = 0; i < m->nmesh; i++) {
    const Mesh* mesh = c->assets->mesh[i];
    m->mesh_bvhadr[i] = mesh->nbvh ? start : -1;
    m->mesh_bvhnum[i] = mesh->nbvh;
    copy_ints(m->bvh_depth + start, mesh->bvhdepth, mesh->nbvh);
    copy_ints(m->bvh_child + 2 * start, mesh->bvhchild, 2 * mesh->nbvh);
    copy_ints(m->bvh_nodeid + start, mesh->bvhnodeid, mesh->nbvh);
    mju_copy(m->bvh_aabb + 6 * start, mesh->bvhaabb, 6 * mesh->nbvh);
    start += mesh->nbvh;
  }
  return start;
}
