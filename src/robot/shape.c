// shape.c: makes geoms of a robot's shapes, and meshes, materials and textures of its files.
//
// Files of meshes are read here (mesh_files), not by the compiler, because they hold more than one
// surface: each part with a colour of its own becomes a mesh of its own. What collides is one mesh,
// whatever its colours.

#include <math.h>
#include <mujoco/api/spec.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include "model/files/package.h"
#include "model/files/resource.h"
#include "robot/built.h"
#include "spec/spec.h"
#include "spec/vector.h"

enum {
  MOST_HULL = 64,  // vertices of a hull of a simplified robot
};

// files

// The path of a file that an element names. NULL, after a message, if there is none: an error for
// what collides, for what is seen a warning.
static char* find_file(const Builder* b, const Node* node, const char* name, int is_visual) {
  char looked[1200];
  PackagePlaces places = {b->directory, b->options->packages, b->options->npackage,
                          b->options->vfs};
  if (!package_isnamed(name) && resource_exists(b->options->vfs, b->directory, name)) {
    return resource_path(b->directory, name);
  }
  char* path = package_find(looked, sizeof(looked), &places, name);
  if (!path) {
    (is_visual ? robot_warn : robot_error)(b->robot, node, "filename",
                                           "no file '%s': it was looked for in %s", name, looked);
  }
  return path;
}

// meshes

// Vertices, normals and faces of all parts from `first` on, scaled. A mirrored mesh turns its
// triangles over.
typedef struct Surface_ {
  float *vert, *normal, *texcoord;
  int* face;
  int nvert, nface;
} Surface;

static void append_part(Surface* s, const MeshPart* part, const double scale[3]) {
  int mirrored = scale[0] * scale[1] * scale[2] < 0;
  for (size_t i = 0; i < (size_t)part->nvert; i++) {
    size_t at = (size_t)s->nvert + i;
    double normal[3] = {0};
    for (size_t k = 0; k < 3; k++) {
      s->vert[3 * at + k] = (float)((double)part->vert[3 * i + k] * scale[k]);
      normal[k] =
          part->normal ? (double)part->normal[3 * i + k] / (scale[k] != 0 ? scale[k] : 1) : 0;
    }
    pose_normalize(normal, 3);
    for (size_t k = 0; k < 3 && s->normal; k++) {
      s->normal[3 * at + k] = (float)normal[k];
    }
    if (s->texcoord) {
      // images are stored with the top row first
      s->texcoord[2 * at] = part->texcoord[2 * i];
      s->texcoord[2 * at + 1] = 1 - part->texcoord[2 * i + 1];
    }
  }
  for (size_t i = 0; i < (size_t)part->nface; i++) {
    int* face = s->face + 3 * ((size_t)s->nface + i);
    for (size_t k = 0; k < 3; k++) {
      size_t corner = mirrored && k ? 3 - k : k;
      face[k] = part->face[3 * i + corner] + s->nvert;
    }
  }
  s->nvert += part->nvert;
  s->nface += part->nface;
}

// Room for a surface in a mesh of the model, with normals and texture coordinates if all of `count`
// parts that are seen have them.
static Surface make_room(mjsMesh* mesh, const MeshPart* part, int count, size_t nvert,
                         size_t nface) {
  int has_normal = count > 0, has_texcoord = count > 0;
  for (int i = 0; i < count; i++) {
    has_normal &= part[i].normal != NULL;
    has_texcoord &= part[i].texcoord != NULL;
  }
  return (Surface){.vert = floats_push(mesh->uservert, 3 * nvert),
                   .normal = has_normal ? floats_push(mesh->usernormal, 3 * nvert) : NULL,
                   .texcoord = has_texcoord ? floats_push(mesh->usertexcoord, 2 * nvert) : NULL,
                   .face = ints_push(mesh->userface, 3 * nface)};
}

// Adds one mesh of parts. Returns its name, NULL if it has no surface.
static const char* add_mesh(Builder* b, const Node* node, const char* name, const MeshPart* part,
                            int count, const double scale[3], int is_visual) {
  enum {
    LEAST = 4,  // vertices of a mesh
  };
  size_t nvert = 0, nface = 0;
  for (int i = 0; i < count; i++) {
    nvert += (size_t)part[i].nvert;
    nface += (size_t)part[i].nface;
  }
  if (!nface || nvert < 3) {
    return NULL;
  }
  mjsMesh* mesh = mjs_addMesh(b->spec, NULL);
  built_place(b, mesh->element, node);
  const char* made = built_name(b, mesh->element, name);
  Surface s = make_room(mesh, part, is_visual ? count : 0, nvert < LEAST ? LEAST : nvert, nface);
  for (int i = 0; i < count; i++) {
    append_part(&s, part + i, scale);
  }
  for (; s.nvert < LEAST; s.nvert++) {
    memcpy(s.vert + 3 * (size_t)s.nvert, s.vert, 3 * sizeof(float));
  }
  mesh->inertia = is_visual ? mjMESH_INERTIA_SHELL : mjMESH_INERTIA_CONVEX;
  mesh->maxhullvert = !is_visual && b->options->simplify ? MOST_HULL : mesh->maxhullvert;
  return made;
}

// Sets the look of a part from a material in its file.
static void set_look(Builder* b, BuiltPart* part, const Node* node, const char* path,
                     const MeshFile* file, int number) {
  static const float white[4] = {1, 1, 1, 1};
  const MeshMaterial* material = file->material + number;
  const float* rgba = material->has_color ? material->rgba : white;
  memcpy(part->rgba, material->rgba, sizeof(part->rgba));
  part->has_color = material->has_color;
  if (material->image) {
    part->material = robot_addimage(b, node, path, number, material, rgba);
  } else if (material->texture) {
    char* directory = resource_directory(path);
    char* name = path_join(directory, material->texture);
    part->material = robot_addtexture(b, node, name, rgba);
    heap_free(name);
    heap_free(directory);
  }
}

static void add_part(Builder* b, BuiltMesh* mesh, const char* name, BuiltPart part) {
  if (name) {
    part.mesh = name;
    *(BuiltPart*)robot_push((void**)&b->parts, &b->npart, sizeof(BuiltPart)) = part;
    mesh->count++;
  }
}

static void add_parts(Builder* b, BuiltMesh* mesh, const RobotGeom* geom, const MeshFile* file) {
  char base[100];
  built_base(base, mesh->path);
  if (!mesh->is_visual) {
    add_part(b, mesh, add_mesh(b, geom->node, base, file->part, file->npart, mesh->scale, 0),
             (BuiltPart){.mesh = NULL});
    return;
  }
  for (int i = 0; i < file->npart; i++) {
    const MeshPart* part = file->part + i;
    BuiltPart built = {.mesh = NULL};
    if (part->material >= 0 && part->material < file->nmaterial) {
      set_look(b, &built, geom->node, mesh->path, file, part->material);
    }
    add_part(b, mesh, add_mesh(b, geom->node, base, part, 1, mesh->scale, 1), built);
  }
}

// The place of a path in the list of files, where it is added.
static int file_of(Builder* b, const char* path) {
  for (int i = 0; i < b->nfile; i++) {
    if (text_equal(b->files[i].path, path)) {
      return i;
    }
  }
  RobotFile* file = robot_push((void**)&b->files, &b->nfile, sizeof(RobotFile));
  *file = (RobotFile){.path = path};
  return b->nfile - 1;
}

// The number of a geom's mesh, from 1 on, which is added with its file if it is new. 0 if there is
// no file.
static int find_mesh(Builder* b, const RobotGeom* geom) {
  const Node* node = node_child(node_child(geom->node, "geometry"), "mesh");
  char* path = find_file(b, node, geom->file, geom->is_visual);
  if (!path) {
    return 0;
  }
  for (int i = 0; i < b->nmesh; i++) {
    const BuiltMesh* mesh = b->meshes + i;
    if (mesh->is_visual == geom->is_visual && text_equal(mesh->path, path) &&
        !memcmp(mesh->scale, geom->scale, sizeof(mesh->scale))) {
      heap_free(path);
      return i + 1;
    }
  }
  BuiltMesh* mesh = robot_push((void**)&b->meshes, &b->nmesh, sizeof(BuiltMesh));
  *mesh = (BuiltMesh){
      .path = path, .is_visual = geom->is_visual, .first = -1, .file = file_of(b, path)};
  memcpy(mesh->scale, geom->scale, sizeof(mesh->scale));
  return b->nmesh;
}

void robot_readmeshes(Builder* b) {
  for (int i = 0; i < b->robot->nlink; i++) {
    RobotLink* link = b->robot->links + i;
    for (int k = 0; k < link->ngeom; k++) {
      RobotGeom* geom = link->geoms + k;
      int is_read = geom->type == mjGEOM_MESH && (!geom->is_visual || b->options->visuals);
      geom->mesh = is_read ? find_mesh(b, geom) : 0;
    }
  }
  robot_readfiles(b->files, b->nfile, b->options);
}

// Adds the parts of a mesh. Says why if there are none.
static void fill_mesh(Builder* b, BuiltMesh* mesh, const RobotGeom* geom) {
  const RobotFile* read = b->files + mesh->file;
  mesh->first = b->npart;
  if (!read->file) {
    (geom->is_visual ? robot_warn : robot_error)(b->robot, geom->node, NULL, "'%s': %s", mesh->path,
                                                 read->problem);
    return;
  }
  if (read->file->npart) {
    add_parts(b, mesh, geom, read->file);
  }
  if (!mesh->count) {
    robot_warn(b->robot, geom->node, NULL, "'%s' has no triangles: the shape is left out",
               mesh->path);
  }
}

// The mesh of a geom, whose parts are added when the first geom has it. NULL if there is no file.
static const BuiltMesh* mesh_of(Builder* b, const RobotGeom* geom) {
  BuiltMesh* mesh = geom->mesh ? b->meshes + geom->mesh - 1 : NULL;
  if (mesh && mesh->first < 0) {
    fill_mesh(b, mesh, geom);
  }
  return mesh;
}

// geoms

static mjsGeom* add_geom(const Builder* b, const RobotGeom* geom, const BuiltLink* link) {
  mjsGeom* made = mjs_addGeom(link->body, NULL);
  Pose pose;
  pose_compose(&pose, &link->pose, &geom->pose);
  built_place(b, made->element, geom->node);
  if (geom->name[0]) {
    built_name(b, made->element, geom->name);
  }
  made->type = geom->type;
  memcpy(made->pos, pose.pos, sizeof(made->pos));
  memcpy(made->quat, pose.quat, sizeof(made->quat));
  memcpy(made->size, geom->size, sizeof(made->size));
  made->group = geom->is_visual ? ROBOT_GROUP_VISUAL : ROBOT_GROUP_COLLISION;
  if (geom->is_visual) {
    made->contype = made->conaffinity = 0;
    made->density = 0;
  } else if (text_equal(b->options->exclude, "all")) {
    made->conaffinity = 0;  // with the floor, but not with each other
  }
  memcpy(made->rgba, geom->material.rgba, sizeof(made->rgba));
  return made;
}

// STL has room for colours, and programs leave it zero or fill it unasked: a material of the robot
// rules over them.
static int rules_over_file(const RobotMaterial* material, const char* path) {
  const char* dot = strrchr(path, '.');
  return material->has_color && dot && strcasecmp(dot, ".stl") == 0;
}

void robot_addgeom(Builder* b, const RobotGeom* geom, const BuiltLink* link) {
  const char* material = NULL;
  if (geom->is_visual && geom->material.texture) {
    char* path = find_file(b, geom->node, geom->material.texture, 1);
    material = path ? robot_addtexture(b, geom->node, path, geom->material.rgba) : NULL;
    heap_free(path);
  }
  if (geom->type != mjGEOM_MESH) {
    mjsGeom* made = add_geom(b, geom, link);
    if (material) {
      mjs_setString(made->material, material);
    }
    return;
  }
  const BuiltMesh* mesh = mesh_of(b, geom);
  int count = mesh ? mesh->count : 0, first = mesh ? mesh->first : 0;
  for (int i = first; i < first + count; i++) {
    const BuiltPart* part = b->parts + i;
    mjsGeom* made = add_geom(b, geom, link);
    mjs_setString(made->meshname, part->mesh);
    const char* look = part->material ? part->material : material;
    if (look) {
      mjs_setString(made->material, look);
    } else if (part->has_color && geom->is_visual &&
               !rules_over_file(&geom->material, mesh->path)) {
      memcpy(made->rgba, part->rgba, sizeof(made->rgba));
    }
  }
}
