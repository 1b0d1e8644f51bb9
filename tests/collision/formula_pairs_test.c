// Contacts of random pairs whose colliders follow formulas and conventions: planes, boxes, capsules
// and cylinders, height fields, distance fields. All of them are the reference's, one by one.
//
// CONDYLE_PAIRS is how many pairs are tried, CONDYLE_SEED the first scene.

#include "support/bridge.h"
#include "support/draw.h"
#include "support/near.h"

enum {
  PAIRS_OF_SCENE = 4000
};

static Bridge* load_scene(void) {
  static const char* const shapes[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  static char text[8000];
  char* end = text + sizeof text;
  char* t = text;
  t += snprintf(t, (size_t)(end - t),
                "<mujoco><asset><hfield name='hills' nrow='6' ncol='7' size='1 1.2 .4 .3' "
                "elevation='");
  for (int i = 0; i < 6 * 7; i++) {
    t += snprintf(t, (size_t)(end - t), "%.9g ", whole(3) ? real(0, 1) : 0.5);
  }
  t += snprintf(t, (size_t)(end - t),
                "'/><mesh name='ball' builtin='sphere' params='1' scale='.5 .4 .3'/>"
                "<mesh name='cube' inertia='shell' vertex='-.5 -.5 -.5 .5 -.5 -.5 -.5 .5 -.5 "
                ".5 .5 -.5 -.5 -.5 .5 .5 -.5 .5 -.5 .5 .5 .5 .5 .5'/></asset><worldbody>"
                "<geom type='plane' size='1 1 1'/><geom type='hfield' hfield='hills'/>"
                "<geom type='mesh' mesh='ball'/><geom type='mesh' mesh='cube'/>"
                "<geom type='sdf' mesh='ball'/>");
  for (int i = 0; i < 20; i++) {
    t += snprintf(t, (size_t)(end - t), "<geom type='%s' size='%.9g %.9g %.9g'/>", shapes[i % 5],
                  length(), length(), length());
  }
  snprintf(t, (size_t)(end - t), "</worldbody></mujoco>");
  return bridge_load_text(text);
}

// Whether the collider follows a formula, or is held to one prism by another. Of a capsule on a box
// the general collider may add what the formula has missed; a distance field takes the octree of
// the wrong mesh for another mesh in the reference.
static int has_formula(int type1, int type2) {
  if (type1 == mjGEOM_PLANE || type1 == mjGEOM_HFIELD || type2 == mjGEOM_SDF) {
    return type1 != mjGEOM_MESH;
  }
  if (type1 == mjGEOM_SPHERE) {
    return type2 != mjGEOM_ELLIPSOID && type2 != mjGEOM_MESH;
  }
  return (type1 == mjGEOM_CAPSULE && type2 == mjGEOM_CAPSULE) ||
         (type1 == mjGEOM_BOX && type2 == mjGEOM_BOX) ||
         (type1 == mjGEOM_CAPSULE && type2 == mjGEOM_BOX);
}

typedef enum Pose {
  ANY,
  GRID,      // round coordinates, rotations of few digits
  ALIGNED,   // axes along those of the world, or almost
  PARALLEL,  // as the other
  NPOSE
} Pose;

static void place(mjtNum pos[3], mjtNum mat[9], const mjtNum* other, Pose pose) {
  mjtNum q[4] = {0};
  double far = whole(3) ? 0.6 : 1.5;
  for (int k = 0; k < 3; k++) {
    pos[k] = (mjtNum)(pose == GRID ? 0.125 * whole((int)(16 * far)) : real(0, far));
  }
  if (pose == PARALLEL && other) {
    mju_copy(mat, other, 9);
    return;
  }
  if (pose == ALIGNED) {
    q[whole(4)] = 1;
    q[0] += (mjtNum)(other ? 1e-9 * whole(3) : 0);
  } else {
    for (int k = 0; k < 4; k++) {
      q[k] = (mjtNum)(pose == GRID ? whole(3) - 1 : real(-1, 1));
    }
  }
  mju_normalize4(q);
  mju_quat2Mat(mat, q);
}

// Whether all contacts of two geoms are those of the reference; a message if not.
static int is_same(const Bridge* b, int g1, int g2, mjtNum margin) {
  static mjContact ours[mjMAXCONPAIR], theirs[mjMAXCONPAIR];
  int type1 = b->m->geom_type[g1], type2 = b->m->geom_type[g2];
  // searches end within ccd_tolerance of the depth, where a round shape may be turned by its root
  int is_search = type1 == mjGEOM_HFIELD || type2 == mjGEOM_SDF;
  double sharp = is_search ? 1e-6 : 1e-9, blunt = is_search ? 1e-4 : 1e-9;
  int num = mjCOLLISIONFUNC[type1][type2](b->m, b->d, ours, g1, g2, margin);
  int ref_num = bridge_collide(theirs, b, type1, type2, g1, g2, margin);
  char label[80];
  snprintf(label, sizeof label, "types %d and %d, margin %g", type1, type2, (double)margin);
  if (num != ref_num) {
    print_error("%s: %d contacts, expected %d\n", label, num, ref_num);
    return 0;
  }
  int differ = 0;
  for (int i = 0; i < num; i++) {
    differ |= numbers_differ(label, &ours[i].dist, &theirs[i].dist, 1, sharp, 1);
    differ |= numbers_differ(label, ours[i].pos, theirs[i].pos, 3, blunt, 1);
    differ |= numbers_differ(label, ours[i].frame, theirs[i].frame, 3, blunt, 1);
  }
  return !differ;
}

TEST(contacts_by_formula_are_those_of_the_reference) {
  BRIDGE_OR_SKIP();
  DOUBLE_ONLY();
  long pairs = test_setting("CONDYLE_PAIRS", 4 * PAIRS_OF_SCENE), differ = 0, tried = 0;
  for (int scene = (int)test_setting("CONDYLE_SEED", 1); pairs > 0;
       scene++, pairs -= PAIRS_OF_SCENE) {
    draw_scene(scene);
    Bridge* b = load_scene();
    assert_non_null(b);
    mjtNum *pos = b->d->geom_xpos, *mat = b->d->geom_xmat;
    for (int i = 0; i < PAIRS_OF_SCENE; i++) {
      int g1 = whole((int)b->m->ngeom), g2 = whole((int)b->m->ngeom);
      if (b->m->geom_type[g1] > b->m->geom_type[g2]) {
        int swap = g1;
        g1 = g2;
        g2 = swap;
      }
      int type1 = b->m->geom_type[g1], type2 = b->m->geom_type[g2];
      if (g1 == g2 || !mjCOLLISIONFUNC[type1][type2] || !has_formula(type1, type2)) {
        continue;
      }
      Pose pose = (Pose)whole(NPOSE);
      place(pos + 3 * g1, mat + 9 * g1, NULL, pose);
      place(pos + 3 * g2, mat + 9 * g2, mat + 9 * g1, pose);
      bridge_push(b, "geom_xpos geom_xmat");
      differ += !is_same(b, g1, g2, whole(2) ? 0 : (mjtNum)0.05);
      tried++;
    }
    bridge_free(b);
  }
  print_message("%ld pairs, %ld differ\n", tried, differ);
  assert_that(tried, >, 0);
  // on a grid rounding may decide which of two edges is nearer
  assert_that(differ, <=, tried / 100000);
}
