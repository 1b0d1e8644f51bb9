// merge.c: finds shapes and meshes of a robot that are equal in every number.

#include "robot/merge.h"

#include <string.h>

#include "base/memory/memory.h"
#include "base/text/text.h"

static int are_texts_equal(const char* a, const char* b) {
  return a == b || (a && b && text_equal(a, b));
}

// Are `count` blocks of the same bytes, or are both absent?
static int are_equal(const void* a, const void* b, size_t count, size_t size) {
  return a == b || (a && b && memcmp(a, b, count * size) == 0);
}

static int are_parts_equal(const MeshPart* a, const MeshPart* b) {
  size_t nvert = (size_t)a->nvert;
  return a->nvert == b->nvert && a->nface == b->nface && a->material == b->material &&
         are_equal(a->vert, b->vert, 3 * nvert, sizeof(float)) &&
         are_equal(a->normal, b->normal, 3 * nvert, sizeof(float)) &&
         are_equal(a->texcoord, b->texcoord, 2 * nvert, sizeof(float)) &&
         are_equal(a->face, b->face, 3 * (size_t)a->nface, sizeof(int));
}

// Pictures are named relative to their file, so that equal names may be different ones.
static int are_plain_and_equal(const MeshMaterial* a, const MeshMaterial* b) {
  return !a->texture && !b->texture && !a->image && !b->image && a->has_color == b->has_color &&
         are_equal(a->rgba, b->rgba, 4, sizeof(float));
}

static int are_files_equal(const MeshFile* a, const MeshFile* b) {
  int equal = a && b && a->npart == b->npart && a->nmaterial == b->nmaterial;
  for (int i = 0; equal && i < a->npart; i++) {
    equal = are_parts_equal(a->part + i, b->part + i);
  }
  for (int i = 0; equal && i < a->nmaterial; i++) {
    equal = are_plain_and_equal(a->material + i, b->material + i);
  }
  return equal;
}

// The first mesh, as a number from 1 on, that is equal to another one.
static int first_equal(const Builder* b, int number) {
  const BuiltMesh* mesh = b->meshes + number - 1;
  for (int i = 0; i < number - 1; i++) {
    const BuiltMesh* other = b->meshes + i;
    if (other->is_visual == mesh->is_visual && other->file != mesh->file &&
        !memcmp(other->scale, mesh->scale, sizeof(mesh->scale)) &&
        are_files_equal(b->files[other->file].file, b->files[mesh->file].file)) {
      return i + 1;
    }
  }
  return number;
}

static void merge_meshes(Builder* b) {
  int *first = heap_take(((size_t)b->nmesh + 1) * sizeof(int)), merged = 0;
  for (int number = 0; number <= b->nmesh; number++) {
    first[number] = number ? first_equal(b, number) : 0;
  }
  for (int i = 0; i < b->robot->nlink; i++) {
    for (int k = 0; k < b->robot->links[i].ngeom; k++) {
      RobotGeom* geom = b->robot->links[i].geoms + k;
      merged += first[geom->mesh] != geom->mesh;
      geom->mesh = first[geom->mesh];
    }
  }
  heap_free(first);
  if (merged) {
    robot_warn(b->robot, b->robot->links[0].node->parent, NULL,
               "%d shape%s ha%s a mesh that another file has too: it is loaded once", merged,
               merged > 1 ? "s" : "", merged > 1 ? "ve" : "s");
  }
}

static int are_shapes_equal(const RobotGeom* a, const RobotGeom* b) {
  return a->is_visual == b->is_visual && a->type == b->type && a->mesh == b->mesh &&
         (a->type != mjGEOM_MESH || a->mesh) && !memcmp(a->size, b->size, sizeof(a->size)) &&
         !memcmp(&a->pose, &b->pose, sizeof(a->pose)) &&
         (!a->is_visual || (!memcmp(a->material.rgba, b->material.rgba, sizeof(a->material.rgba)) &&
                            are_texts_equal(a->material.texture, b->material.texture)));
}

static void merge_shapes(const Builder* b, RobotLink* link) {
  int kept = 0;
  for (int k = 0; k < link->ngeom; k++) {
    const RobotGeom* geom = link->geoms + k;
    int same = 0;
    while (same < kept && !are_shapes_equal(link->geoms + same, geom)) {
      same++;
    }
    if (same < kept) {
      robot_warn(b->robot, geom->node, NULL, "left out: line %d has the same shape at its place",
                 link->geoms[same].node->line);
    } else {
      link->geoms[kept++] = *geom;
    }
  }
  link->ngeom = kept;
}

void robot_merge(Builder* b) {
  merge_meshes(b);
  for (int i = 0; i < b->robot->nlink; i++) {
    merge_shapes(b, b->robot->links + i);
  }
}
