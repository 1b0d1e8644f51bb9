// gather.c: shapes of a scene as copies of meshes.

#include "render/gather.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/mjmodel.h>
#include <stdlib.h>
#include <string.h>

#include "render/device.h"
#include "render/shape.h"
#include "render/view.h"

static const float OPAQUE = 0.995f;     // opacity from which on a shape is solid
static const float BEHIND = 0.3f;       // opacity of planes seen from behind
static const float FARTHEST = 1e10f;    // distance assigned to planes: behind everything
static const float HEAD_WIDTH = 1.75f;  // of an arrow, in widths of its shaft
static const float BOX_LINE_WIDTH = 1.5f;

// a copy, and its keys in the order of drawing
typedef struct Item_ {
  int group, texture, shape;
  int index;           // keeps the order of equal items
  int begin, indices;  // as in RenderRun
  RenderInstance instance;
} Item;

// What is needed to make the copies of a shape.
typedef struct Gather_ {
  RenderDevice* device;
  const mjrContext* con;
  const mjvScene* scn;
  RenderArray* items;
  float turn[9];  // from the model to the room, with the scale
  float head[3];
  int by_id, is_coded;
} Gather;

// Axes of a shape, its place and its sizes.
typedef struct Pose_ {
  float mat[9];
  float pos[3];
} Pose;

static void set_rows(const Gather* g, RenderInstance* out, const Pose* pose) {
  if (!g->scn->enabletransform) {
    for (int r = 0; r < 3; r++) {
      memcpy(out->row[r], pose->mat + 3 * r, 3 * sizeof(float));
      out->row[r][3] = pose->pos[r];
    }
    return;
  }
  for (int r = 0; r < 3; r++) {
    const float* t = g->turn + 3 * r;
    for (int c = 0; c < 3; c++) {
      out->row[r][c] = t[0] * pose->mat[c] + t[1] * pose->mat[3 + c] + t[2] * pose->mat[6 + c];
    }
    out->row[r][3] = view_dot(t, pose->pos) + g->scn->translate[r];
  }
}

static void set_id_color(float out[4], int segid, int is_coded) {
  unsigned int id = (unsigned int)segid + 1;
  for (int k = 0; k < 3; k++) {
    const int base[3] = {2, 3, 5};
    out[k] = is_coded ? (float)((id >> (8 * k)) & 255) / 255
                      : (float)(0.1 + 0.8 * mju_Halton(segid + 10, base[k]));
  }
  out[3] = 1;
}

// Does a plane show its back to the head?
static int is_turned(const mjvGeom* geom, const float head[3]) {
  float away[3] = {head[0] - geom->pos[0], head[1] - geom->pos[1], head[2] - geom->pos[2]};
  const float up[3] = {geom->mat[2], geom->mat[5], geom->mat[8]};
  return geom->type == mjGEOM_PLANE && view_dot(away, up) < 0;
}

// Adds one copy. scale: three sizes and the length.
static RenderInstance* add(const Gather* g, const mjvGeom* geom, int shape, const Pose* pose,
                           const float scale[4]) {
  if (shape < 0) {
    return NULL;
  }
  Item* item = render_append(g->items, sizeof(*item));
  memset(item, 0, sizeof(*item));
  item->shape = shape;
  item->texture = -1;
  item->group = geom->category == mjCAT_DECOR || !geom->castshadow ? GROUP_DECOR : GROUP_CASTING;
  item->index = (int)(g->items->n / sizeof(*item));
  RenderInstance* out = &item->instance;
  set_rows(g, out, pose);
  memcpy(out->scale, scale, 3 * sizeof(float));
  out->length = scale[3];
  memcpy(out->rgba, geom->rgba, sizeof(out->rgba));
  out->rgba[3] *= is_turned(geom, g->head) ? BEHIND : 1;
  out->emission = geom->emission;
  out->specular = geom->specular;
  out->shininess = geom->shininess;
  if (g->by_id) {
    set_id_color(out->id, geom->segid, g->is_coded);
    item->group = GROUP_CASTING;
  }
  return out;
}

static Item* item_of(RenderInstance* instance) {
  return (Item*)(void*)((char*)instance - offsetof(Item, instance));
}

// The texture of a shape is its own, or that of its material.
typedef struct Cover_ {
  int texture;  // -1: none
  int is_uniform;
  const float* repeat;
} Cover;

static Cover cover_of(const mjrContext* con, const mjvGeom* geom) {
  Cover cover = {geom->texid, geom->texuniform, geom->texrepeat};
  int mat = geom->matid;
  if (cover.texture < 0 && mat >= 0 && mat < mjMAXMATERIAL) {
    cover = (Cover){con->mat_texid[mjNTEXROLE * mat + mjTEXROLE_RGB], con->mat_texuniform[mat],
                    con->mat_texrepeat + 2 * mat};
  }
  cover.texture = cover.texture < con->ntexture ? cover.texture : -1;
  return cover;
}

// Sets how a texture lies on a shape.
static void add_texture(const Gather* g, const mjvGeom* geom, RenderInstance* out) {
  const mjrContext* con = g->con;
  Cover cover = cover_of(con, geom);
  if (!out || g->by_id || cover.texture < 0) {
    return;
  }
  int texture = cover.texture, is_uniform = cover.is_uniform;
  item_of(out)->texture = texture;
  if (con->textureType[texture] != mjTEXTURE_2D) {
    for (int k = 0; k < 3; k++) {
      out->texgen[k] = is_uniform ? geom->size[k] : 1;
    }
    return;
  }
  if (g->device->shape[item_of(out)->shape].has_coords) {
    out->texgen[0] = out->texgen[1] = 1;
    return;
  }
  for (int k = 0; k < 2; k++) {
    float repeat = cover.repeat[k], size = geom->size[k];
    if (geom->dataid >= 0 && size > 0) {
      repeat /= size;
    }
    if (is_uniform && size > 0) {
      repeat *= size;
    }
    out->texgen[k] = (k ? -0.5f : 0.5f) * repeat;
  }
  out->texgen[3] = -0.5f;
}

static Pose pose_of(const mjvGeom* geom) {
  Pose pose;
  memcpy(pose.mat, geom->mat, sizeof(pose.mat));
  memcpy(pose.pos, geom->pos, sizeof(pose.pos));
  return pose;
}

// The pose shifted along its own axes.
static Pose moved(const Pose* pose, float x, float y, float z) {
  Pose out = *pose;
  for (int r = 0; r < 3; r++) {
    const float* m = pose->mat + 3 * r;
    out.pos[r] += x * m[0] + y * m[1] + z * m[2];
  }
  return out;
}

// The pose with its axis k turned to z.
static Pose turned(const Pose* pose, int k) {
  Pose out = *pose;
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) {
      out.mat[3 * r + c] = pose->mat[3 * r + (k + 1 + c) % 3];
    }
  }
  return out;
}

// A line from the pose's place along its z.
static void add_line(const Gather* g, const mjvGeom* geom, const Pose* pose, float length,
                     float width) {
  const float scale[4] = {1, 1, length, width};
  RenderInstance* out = add(g, geom, SOLID_LINE, pose, scale);
  out->unlit = 1;
  item_of(out)->group = GROUP_LINES;
}

static void add_box_lines(const Gather* g, const mjvGeom* geom, const Pose* pose) {
  const float* s = geom->size;
  for (int k = 0; k < 3; k++) {
    for (int corner = 0; corner < 4; corner++) {
      float at[3];
      at[k] = -s[k];
      at[(k + 1) % 3] = corner & 1 ? s[(k + 1) % 3] : -s[(k + 1) % 3];
      at[(k + 2) % 3] = corner & 2 ? s[(k + 2) % 3] : -s[(k + 2) % 3];
      Pose from = moved(pose, at[0], at[1], at[2]), along = turned(&from, k);
      add_line(g, geom, &along, 2 * s[k], BOX_LINE_WIDTH * g->con->lineWidth);
    }
  }
}

// Adds the tip of an arrow, from height z on, with this length; it points up or down.
static void add_tip(const Gather* g, const mjvGeom* geom, const Pose* pose, float z, float length,
                    float radius) {
  Pose at = moved(pose, 0, 0, z);
  float sign = length < 0 ? -1.f : 1.f;
  for (int r = 0; r < 3; r++) {
    at.mat[3 * r + 1] *= sign;
    at.mat[3 * r + 2] *= sign;
  }
  const float scale[4] = {radius, radius, sign * length, 0};
  add_texture(g, geom, add(g, geom, SOLID_CONE, &at, scale));
}

// An arrow is half as long as it says, two thirds of that are its shaft.
static void add_arrow(const Gather* g, const mjvGeom* geom, const Pose* pose) {
  float r = geom->size[0], length = geom->size[2];
  float width = geom->type == mjGEOM_ARROW1 ? r : HEAD_WIDTH * r;
  if (geom->type == mjGEOM_ARROW2) {
    const float scale[4] = {r, r, length / 3, 0};
    add_texture(g, geom, add(g, geom, SOLID_CYLINDER, pose, scale));
    add_tip(g, geom, pose, length / 3, length / 6, width);
    add_tip(g, geom, pose, -length / 3, -length / 6, width);
  } else {
    const float scale[4] = {r, r, length / 6, 0};
    Pose middle = moved(pose, 0, 0, length / 6);
    add_texture(g, geom, add(g, geom, SOLID_CYLINDER, &middle, scale));
    add_tip(g, geom, pose, length / 3, length / 6, width);
  }
}

// The rotation that takes z to u, of length 1, the shortest way.
static void turn_z(float mat[9], const float u[3]) {
  float k = u[2] > -0.999f ? 1 / (1 + u[2]) : (1 - u[2]) / fmaxf(u[0] * u[0] + u[1] * u[1], 1e-12f);
  const float out[9] = {1 - k * u[0] * u[0],
                        -k * u[0] * u[1],
                        u[0],
                        -k * u[0] * u[1],
                        1 - k * u[1] * u[1],
                        u[1],
                        -u[0],
                        -u[1],
                        u[2]};
  memcpy(mat, out, sizeof(out));
}

static void add_flex_edges(const Gather* g, const mjvGeom* geom, int first, int n) {
  const mjvScene* scn = g->scn;
  const float* vertex = scn->flexvert + 3 * scn->flexvertadr[geom->objid];
  for (int e = first; e < first + n; e++) {
    const float* a = vertex + 3 * scn->flexedge[2 * e];
    const float* b = vertex + 3 * scn->flexedge[2 * e + 1];
    float along[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    Pose pose = {{0}, {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}};
    float length = view_normalize(along);
    turn_z(pose.mat, along);
    const float scale[4] = {geom->size[0], geom->size[0], length / 2, 0};
    add(g, geom, SOLID_TUBE, &pose, scale);
  }
}

static const Pose WORLD = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};

// A shape that is a part of a flex has size (radius, first, count), of its faces or, without faces,
// of its edges.
static int is_part(const mjvGeom* geom) {
  return geom->dataid >= 0;
}

// Is it the first shape of its flex? Vertices and edges, but for those of parts, come with it.
static int starts_flex(const Gather* g, const mjvGeom* geom) {
  return geom == g->scn->geoms || geom[-1].type != mjGEOM_FLEX || geom[-1].objid != geom->objid;
}

static void add_flex_bones(const Gather* g, const mjvGeom* geom) {
  const mjvScene* scn = g->scn;
  int flex = geom->objid, first = scn->flexvertadr[flex], edge = scn->flexedgeadr[flex];
  int nedge = scn->flexedgenum[flex], whole = starts_flex(g, geom);
  const float scale[4] = {geom->size[0], geom->size[0], geom->size[0], 0};
  for (int i = first; whole && scn->flexvertopt && i < first + scn->flexvertnum[flex]; i++) {
    Pose pose = WORLD;
    memcpy(pose.pos, scn->flexvert + 3 * i, sizeof(pose.pos));
    add(g, geom, SOLID_SPHERE, &pose, scale);
  }
  int begin = (int)geom->size[1], n = (int)geom->size[2];
  if (!scn->flexedgeopt) {
    return;
  }
  if (is_part(geom) && begin >= 0 && n > 0 && begin <= nedge && n <= nedge - begin) {
    add_flex_edges(g, geom, edge + begin, n);
  } else if (whole) {
    add_flex_edges(g, geom, edge, nedge);
  }
}

static void add_flex_faces(const Gather* g, const mjvGeom* geom) {
  const float scale[4] = {1, 1, 1, 0};
  int flex = geom->objid, used = g->scn->flexfaceused[flex];
  if (starts_flex(g, geom)) {
    surface_move_flex(g->device, g->scn, flex);
  }
  RenderInstance* copy = add(g, geom, shape_of_flex(g->device, flex), &WORLD, scale);
  int begin = (int)geom->size[1], n = (int)geom->size[2];
  if (is_part(geom) && begin >= 0 && n >= 0 && begin <= used && n <= used - begin) {
    item_of(copy)->begin = 3 * begin;
    item_of(copy)->indices = 3 * n;
  }
  add_texture(g, geom, copy);
}

static void add_flex(const Gather* g, const mjvGeom* geom) {
  const mjvScene* scn = g->scn;
  int flex = geom->objid;
  if (flex < 0 || flex >= scn->nflex || flex >= g->device->nflex) {
    return;
  }
  int has_faces = scn->flexfaceused[flex] > 0;
  if (geom->size[0] > 0 && !(scn->flexskinopt && has_faces)) {
    add_flex_bones(g, geom);
  }
  if (has_faces && !(is_part(geom) && geom->size[2] <= 0)) {
    add_flex_faces(g, geom);
  }
}

static void add_skin(const Gather* g, const mjvGeom* geom) {
  int skin = geom->objid;
  if (skin < 0 || skin >= g->scn->nskin || skin >= g->device->nskin) {
    return;
  }
  // the scene may belong to another model
  int shape = shape_of_skin(g->device, skin);
  if (g->scn->skinvertnum[skin] != g->device->shape[shape].nvertex ||
      2 * sizeof(float) * (size_t)(g->scn->skinvertadr[skin] + g->scn->skinvertnum[skin]) >
          g->device->skin_coords.n) {
    return;
  }
  const float scale[4] = {1, 1, 1, 0};
  surface_move_skin(g->device, g->scn, skin);
  add_texture(g, geom, add(g, geom, shape, &WORLD, scale));
}

static void add_plain(const Gather* g, const mjvGeom* geom, const Pose* pose, int shape, float x,
                      float y, float z, float length) {
  const float scale[4] = {x, y, z, length};
  add_texture(g, geom, add(g, geom, shape, pose, scale));
}

// Adds all copies that make up a shape of the scene.
static void add_geom(const Gather* g, const mjvGeom* geom) {
  const float* s = geom->size;
  Pose pose = pose_of(geom);
  switch (geom->type) {
    case mjGEOM_PLANE:
      if (geom->dataid >= 0) {
        add_plain(g, geom, &pose, shape_of_plane(g->device, geom->dataid), 1, 1, 1, 0);
      } else {
        add_plain(g, geom, &pose, SOLID_SQUARE, s[0], s[1], 1, 0);
      }
      break;
    case mjGEOM_HFIELD:
      add_plain(g, geom, &pose, shape_of_hfield(g->device, geom->dataid), 1, 1, 1, 0);
      break;
    case mjGEOM_SPHERE:
    case mjGEOM_ELLIPSOID:
      add_plain(g, geom, &pose, SOLID_SPHERE, s[0], s[1], s[2], 0);
      break;
    case mjGEOM_CAPSULE:
      add_plain(g, geom, &pose, SOLID_CAPSULE, s[0], s[0], s[0], s[2]);
      break;
    case mjGEOM_CYLINDER:
      add_plain(g, geom, &pose, SOLID_CYLINDER, s[0], s[0], s[2], 0);
      break;
    case mjGEOM_BOX:
      add_plain(g, geom, &pose, SOLID_BOX, s[0], s[1], s[2], 0);
      break;
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      add_plain(g, geom, &pose, shape_of_mesh(g->device, geom->dataid), 1, 1, 1, 0);
      break;
    case mjGEOM_ARROW:
    case mjGEOM_ARROW1:
    case mjGEOM_ARROW2:
      add_arrow(g, geom, &pose);
      break;
    case mjGEOM_LINE:
      add_line(g, geom, &pose, s[2], s[0] * g->con->lineWidth);
      break;
    case mjGEOM_LINEBOX:
      add_box_lines(g, geom, &pose);
      break;
    case mjGEOM_TRIANGLE:
      add_plain(g, geom, &pose, SOLID_TRIANGLE, s[0], s[1], 1, 0);
      break;
    case mjGEOM_FLEX:
      add_flex(g, geom);
      break;
    case mjGEOM_SKIN:
      add_skin(g, geom);
      break;
    default:
      break;
  }
}

// Adds the surface that mirrors; of a box that is its upper side.
static void add_surface(const Gather* g, const mjvGeom* geom) {
  Pose pose = pose_of(geom);
  if (geom->type == mjGEOM_BOX) {
    Pose top = moved(&pose, 0, 0, geom->size[2]);
    add_plain(g, geom, &top, SOLID_SQUARE, geom->size[0], geom->size[1], 1, 0);
  } else {
    add_geom(g, geom);
  }
}

// An upper bound on the distance of a shape's points from its position.
static float reach(const mjvGeom* geom) {
  const float* s = geom->size;
  if (geom->objtype == mjOBJ_GEOM) {
    return geom->modelrbound;
  }
  switch (geom->type) {
    case mjGEOM_SPHERE:
      return s[0];
    case mjGEOM_CAPSULE:
      return s[0] + s[2];
    case mjGEOM_CYLINDER:
      return sqrtf(s[0] * s[0] + s[2] * s[2]);
    case mjGEOM_BOX:
      return sqrtf(view_dot(s, s));
    default:
      return fmaxf(s[0], fmaxf(s[1], s[2]));
  }
}

typedef struct Distance_ {
  float distance;
  int geom;
} Distance;

static int by_distance(const void* a, const void* b) {
  const Distance *x = a, *y = b;
  return x->distance != y->distance ? (x->distance > y->distance) - (x->distance < y->distance)
                                    : x->geom - y->geom;
}

void gather_order(mjvScene* scn, const float head[3]) {
  int n = 0, has_mirror = 0;
  Distance* far = mju_malloc(((size_t)scn->ngeom + 1) * sizeof(*far));
  for (int i = 0; i < scn->ngeom; i++) {
    mjvGeom* geom = scn->geoms + i;
    float away[3] = {head[0] - geom->pos[0], head[1] - geom->pos[1], head[2] - geom->pos[2]};
    int is_plane = geom->type == mjGEOM_PLANE;
    geom->transparent = geom->rgba[3] < OPAQUE || is_turned(geom, head);
    if (geom->transparent) {
      geom->camdist = is_plane ? FARTHEST : sqrtf(view_dot(away, away)) - reach(geom);
      far[n].distance = geom->camdist;
      far[n++].geom = i;
    }
    int can_mirror = (is_plane || geom->type == mjGEOM_BOX) && !geom->transparent &&
                     geom->reflectance > 0 && !has_mirror;
    has_mirror |= can_mirror;
    if (!can_mirror) {
      geom->reflectance = 0;
    }
  }
  if (n) {
    qsort(far, (size_t)n, sizeof(*far), by_distance);
  }
  for (int i = 0; i < n; i++) {
    scn->geomorder[i] = far[i].geom;
  }
  mju_free(far);
}

static int by_group(const void* a, const void* b) {
  const Item* const* x = a;
  const Item* const* y = b;
  const int difference[5] = {(*x)->group - (*y)->group, (*x)->texture - (*y)->texture,
                             (*x)->shape - (*y)->shape, (*x)->begin - (*y)->begin,
                             (*x)->index - (*y)->index};
  for (int i = 0; i < 5; i++) {
    if (difference[i]) {
      return difference[i];
    }
  }
  return 0;
}

// Merges consecutive copies with equal keys to runs. Returns the number of runs.
static int make_runs(RenderDevice* device, Item* const* item, int first, int end) {
  int nrun = 0;
  RenderRun* run = NULL;
  for (int i = first; i < end; i++) {
    const Item* it = item[i];
    if (!run || run->group != it->group || run->shape != it->shape || run->texture != it->texture ||
        run->begin != it->begin) {
      run = render_append(&device->order, sizeof(*run));
      run->group = it->group;
      run->shape = it->shape;
      run->texture = it->texture;
      run->first = i;
      run->count = 0;
      run->begin = it->begin;
      run->indices = it->indices;
      nrun++;
    }
    run->count++;
  }
  return nrun;
}

static void start(Gather* g) {
  const mjvScene* scn = g->scn;
  if (scn->enabletransform) {
    mjtNum quat[4] = {scn->rotate[0], scn->rotate[1], scn->rotate[2], scn->rotate[3]}, mat[9];
    mju_quat2Mat(mat, quat);
    for (int i = 0; i < 9; i++) {
      g->turn[i] = (float)mat[i] * scn->scale;
    }
  }
}

void gather_scene(RenderRuns* out, RenderDevice* device, const mjrContext* con, const mjvScene* scn,
                  const float head[3], int by_id, int is_coded) {
  Gather g = {device, con, scn, &device->list, {0}, {head[0], head[1], head[2]}, by_id, is_coded};
  start(&g);
  device->list.n = 0;
  out->mirror = -1;
  size_t nsolid = 0, nclear = 0;

  // collect solid shapes
  for (int i = 0; i < scn->ngeom; i++) {
    const mjvGeom* geom = scn->geoms + i;
    if (by_id ? geom->segid >= 0 : !geom->transparent) {
      size_t before = device->list.n;
      add_geom(&g, geom);
      if (!by_id && geom->reflectance > 0 && out->mirror < 0) {
        out->mirror = i;
        Item* item = (Item*)(void*)((char*)device->list.data + before);
        for (; (char*)item < (char*)device->list.data + device->list.n; item++) {
          item->group = GROUP_MIRROR;
        }
      }
    }
  }
  nsolid = device->list.n / sizeof(Item);

  // collect transparent shapes, the nearest first
  int ntransparent = 0;
  for (int i = 0; i < scn->ngeom && !by_id; i++) {
    ntransparent += scn->geoms[i].transparent;
  }
  for (int i = 0; i < ntransparent; i++) {
    add_geom(&g, scn->geoms + scn->geomorder[i]);
  }
  nclear = device->list.n / sizeof(Item) - nsolid;
  size_t nsurface = out->mirror >= 0;
  if (nsurface) {
    add_surface(&g, scn->geoms + out->mirror);
  }

  // the order of drawing: solid, near first, far first, the mirror's surface
  size_t n = nsolid + 2 * nclear + nsurface;
  device->vertices.n = 0;
  Item** item = render_append(&device->vertices, n * sizeof(Item*));
  Item* all = device->list.data;
  for (size_t i = 0; i < nsolid + nclear; i++) {
    item[i] = all + i;
  }
  if (nsolid) {
    qsort(item, nsolid, sizeof(*item), by_group);
  }
  for (size_t i = 0; i < nclear; i++) {
    item[nsolid + nclear + i] = all + nsolid + nclear - 1 - i;
  }
  if (nsurface) {
    item[n - 1] = all + nsolid + nclear;
    RenderRun surface = {GROUP_MIRROR, item[n - 1]->shape, -1, (int)n - 1, 1, 0, 0};
    out->surface = surface;
  }

  device->order.n = 0;
  int middle = (int)(nsolid + nclear);
  out->solid = make_runs(device, item, 0, (int)nsolid);
  out->near_first = make_runs(device, item, (int)nsolid, middle);
  out->far_first = make_runs(device, item, middle, middle + (int)nclear);
  out->run = device->order.data;

  device->drawn.n = 0;
  RenderInstance* instance = render_append(&device->drawn, n * sizeof(*instance));
  for (size_t i = 0; i < n; i++) {
    instance[i] = item[i]->instance;
  }
  out->instance = instance;
  out->ninstance = (int)n;
  const GL* gl = &device->gl;
  gl->BindBuffer(GL_ARRAY_BUFFER, device->instances);
  gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(n * sizeof(*instance)), instance, GL_STREAM_DRAW);
}
