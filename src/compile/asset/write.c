// Meshes and height fields into mjModel: rows per asset in the draft, heavy arrays in the final
// model, one asset after the other.
#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/mjspec.h>
#include <string.h>

#include "compile/asset/set.h"

// sizes

typedef struct Total_ {
  int64_t vert, normal, texcoord, face, graph, poly, polyvert, polymap, bvh, oct, hfield;
} Total;

static Total count_all(const AssetSet* assets) {
  Total t = {0};
  for (int i = 0; i < assets->nmesh; i++) {
    const Mesh* mesh = assets->mesh[i];
    t.vert += mesh->nvert;
    t.normal += mesh->nnormal;
    t.texcoord += mesh->ntexcoord;
    t.face += mesh->nface;
    t.graph += mesh->ngraph;
    t.poly += mesh->npoly;
    t.polyvert += mesh->npolyvert;
    t.polymap += mesh->npolymap;
    t.bvh += mesh->nbvh;
    t.oct += mesh->noct;
  }
  for (int i = 0; i < assets->nhfield; i++) {
    t.hfield += (int64_t)assets->hfield[i]->nrow * assets->hfield[i]->ncol;
  }
  return t;
}

void assets_sizes(Compile* c, mjModel* m) {
  Total t = count_all(c->assets);
  const int64_t counts[] = {t.vert,     t.normal,  t.texcoord, t.face, t.graph, t.poly,
                            t.polyvert, t.polymap, t.bvh,      t.oct,  t.hfield};
  for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
    if (counts[i] > INT_MAX / 8) {
      compile_error(c, NULL, "meshes and height fields are too large together");
      return;
    }
  }
  m->nmeshvert = (int)t.vert;
  m->nmeshnormal = (int)t.normal;
  m->nmeshtexcoord = (int)t.texcoord;
  m->nmeshface = (int)t.face;
  m->nmeshgraph = (int)t.graph;
  m->nmeshpoly = (int)t.poly;
  m->nmeshpolyvert = (int)t.polyvert;
  m->nmeshpolymap = (int)t.polymap;
  m->nbvh += (int)t.bvh;
  m->nbvhstatic += (int)t.bvh;
  m->noct = (int)t.oct;
  m->nhfielddata = (int)t.hfield;
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
