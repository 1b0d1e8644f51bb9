// picture.h: the state of drawing one scene, and what all kinds of elements share.
//
// An element is drawn by taking shapes and filling them in. A shape is counted when it is taken:
//
//   mjvGeom* geom = take_shape(p, mjOBJ_SITE, i, category);
//   if (geom) { ... }
//
// If the scene is full, no shape is returned, the scene's status says so, and drawing ends.
//                                                                          theory/scenes.md, Shapes

#pragma once

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjvisualize.h>

#include "base/algebra/vec.h"
#include "scene/shape.h"

typedef struct Picture_ {
  const mjModel* m;
  mjData* d;
  const mjvOption* opt;
  const mjvPerturb* pert;
  mjvScene* scn;
  int catmask;  // categories that are drawn
  int full;     // a shape was dropped because the scene is full
  int counted;  // geoms below this have been counted for the numbering of planes
  int planes;
  float unit;  // mean size of the model, the unit of decoration sizes
} Picture;

// Is a flag (mjVIS_ without its prefix) set?
#define IS_SHOWN(p, flag) ((p)->opt->flags[mjVIS_##flag])

// The next shape, filled in and counted; NULL if the scene is full.
INLINE mjvGeom* take_shape(Picture* p, int objtype, int objid, int category) {
  mjvGeom* geom = scene_next(p->scn, objtype, objid, category);
  if (geom) {
    p->scn->ngeom++;
  } else {
    p->full = p->scn->status = 1;
  }
  return geom;
}

// A shape of decoration in a color.
INLINE mjvGeom* take_decor(Picture* p, int objtype, int objid, const float rgba[4]) {
  mjvGeom* geom = take_shape(p, objtype, objid, mjCAT_DECOR);
  if (geom) {
    scene_color(geom, rgba);
  }
  return geom;
}

// Gives the last shape back if it can't be seen. Returns 1 if it did.
INLINE int drop_invisible(Picture* p, const mjvGeom* geom) {
  if (geom->rgba[3] == 0) {
    p->scn->ngeom--;
    return 1;
  }
  return 0;
}

// Bodies that are welded to the world are static, but for mocap bodies.
INLINE int body_category(const mjModel* m, int body) {
  return m->body_weldid[body] == 0 && m->body_mocapid[body] == -1 ? mjCAT_STATIC : mjCAT_DYNAMIC;
}

// Is an object of this group shown? Groups beyond the last count as the last.
INLINE int is_group_shown(const mjtByte shown[mjNGROUP], int group) {
  unsigned known = (unsigned)group;
  return shown[known < mjNGROUP ? known : group < 0 ? 0 : mjNGROUP - 1];
}

// Is it the color of objects that were given none?
INLINE int is_usual_color(const float rgba[4]) {
  return memcmp(rgba, scene_blank.rgba, sizeof(scene_blank.rgba)) == 0;
}

// The texture of a material that is shown, -1: none.
INLINE void set_texture(const mjModel* m, mjvGeom* geom, int material) {
  geom->matid = material;
  scene_clear_texture(geom);
  if (material >= 0) {
    geom->texid = m->mat_texid[mjNTEXROLE * material + mjTEXROLE_RGB];
    geom->texuniform = m->mat_texuniform[material];
    geom->texrepeat[0] = m->mat_texrepeat[2 * material];
    geom->texrepeat[1] = m->mat_texrepeat[2 * material + 1];
  }
}

// The color of an object is its own if it was given one, else that of its material, which also
// gives the other properties.
INLINE void set_material(const Picture* p, mjvGeom* geom, int material, const float rgba[4]) {
  const mjModel* m = p->m;
  if (material >= 0) {
    geom->emission = m->mat_emission[material];
    geom->specular = m->mat_specular[material];
    geom->shininess = m->mat_shininess[material];
    geom->reflectance = m->mat_reflectance[material];
    set_texture(m, geom, IS_SHOWN(p, TEXTURE) ? material : -1);
    rgba = is_usual_color(rgba) ? m->mat_rgba + 4 * material : rgba;
  }
  scene_color(geom, rgba);
  if (IS_SHOWN(p, TRANSPARENT) && geom->category == mjCAT_DYNAMIC) {
    geom->rgba[3] *= m->vis.map.alpha;
  }
}

// Selected things shine.
INLINE void glow_if(const Picture* p, mjvGeom* geom, int selected) {
  if (selected) {
    geom->emission += p->m->vis.global.glow;
  }
}

// The name of an object, "geom 3" if it has none.
void name_object(char name[100], const mjModel* m, int objtype, int id);

// Appends a number, at least 0, to a text of n characters, without a terminator. Returns the new
// length.
size_t name_number(char* text, size_t n, int number);

// Labels a shape with the name of an object, if such objects (mjtLabel) are labelled.
INLINE void set_label(const Picture* p, mjvGeom* geom, int label, int objtype, int id) {
  if (p->opt->label == label) {
    name_object(geom->label, p->m, objtype, id);
  }
}

// Draws the axes of a frame in red, green and blue.
void draw_axes(Picture* p, int objid, const mjtNum pos[3], const mjtNum mat[9], mjtNum length,
               mjtNum width);

// The same, of the usual size.
void draw_frame(Picture* p, int objid, const mjtNum pos[3], const mjtNum mat[9]);

// A shape of decoration between two points.
mjvGeom* draw_connector(Picture* p, int objtype, int objid, int type, mjtNum width,
                        const mjtNum from[3], const mjtNum to[3], const float rgba[4]);

// The point that the mouse has grabbed, in the world.
void selected_point(mjtNum point[3], const Picture* p);
