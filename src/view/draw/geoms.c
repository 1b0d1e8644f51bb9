// geoms.c: the table of what is drawn of a model, in the order of a scene, and when.
//
// Each row is a kind of element. It is drawn if one of its categories is asked for and, unless it
// has none of them, one of its flags, its frame or one of its labels is chosen. Then its objects
// are drawn one by one, those of hidden groups or of bodies of other categories left out.

#include "view/draw/geoms.h"

#include <mujoco/api/view.h>
#include <stddef.h>

#include "model/pair.h"
#include "view/draw/elements.h"

// Sets of objects, in terms of members of mjModel: how many there are, their groups and bodies; and
// which groups are shown, in mjvOption. 0 is none.
typedef enum Set_ {
  ALL_BODIES,
  BODIES,  // but for the world
  JOINTS,
  GEOMS,
  SITES,
  CAMERAS,
  LIGHTS,
  FLEXES,
  SKINS,
  TENDONS,
  ACTUATORS,
  EQUALITIES,
  SENSORS,
  WORLD,     // body 0
  SELECTED,  // what the mouse has selected: one or none
  CONTACTS,
} Set;

#define IN_MODEL(name) offsetof(mjModel, name)
#define IN_OPTION(name) offsetof(mjvOption, name)

static const struct {
  size_t count, group, shown, body;
} sets[] = {
    [ALL_BODIES] = {IN_MODEL(nbody), 0, 0, 0},
    [BODIES] = {IN_MODEL(nbody), 0, 0, 0},
    [JOINTS] = {IN_MODEL(njnt), IN_MODEL(jnt_group), IN_OPTION(jointgroup), 0},
    [GEOMS] = {IN_MODEL(ngeom), IN_MODEL(geom_group), IN_OPTION(geomgroup), IN_MODEL(geom_bodyid)},
    [SITES] = {IN_MODEL(nsite), IN_MODEL(site_group), IN_OPTION(sitegroup), IN_MODEL(site_bodyid)},
    [CAMERAS] = {IN_MODEL(ncam), 0, 0, 0},
    [LIGHTS] = {IN_MODEL(nlight), 0, 0, 0},
    [FLEXES] = {IN_MODEL(nflex), IN_MODEL(flex_group), IN_OPTION(flexgroup), 0},
    [SKINS] = {IN_MODEL(nskin), IN_MODEL(skin_group), IN_OPTION(skingroup), 0},
    [TENDONS] = {IN_MODEL(ntendon), IN_MODEL(tendon_group), IN_OPTION(tendongroup), 0},
    [ACTUATORS] = {IN_MODEL(nu), IN_MODEL(actuator_group), IN_OPTION(actuatorgroup), 0},
    [EQUALITIES] = {IN_MODEL(neq), 0, 0, 0},
    [SENSORS] = {IN_MODEL(nsensor), 0, 0, 0},
};

// What leaves objects out.
enum {
  BY_GROUP = 1,
  BY_BODY = 2,
};

typedef struct Element_ {
  void (*draw)(Picture* p, int i);
  Set set;
  int filter;
  int category;
  unsigned flags, frames, labels;
} Element;

#define FLAG(name) (1u << mjVIS_##name)
#define FRAME(name) (1u << mjFRAME_##name)
#define LABEL(name) (1u << mjLABEL_##name)

#define ANY_FLEX (FLAG(FLEXVERT) | FLAG(FLEXEDGE) | FLAG(FLEXFACE) | FLAG(FLEXSKIN))
#define ANY_CONTACT (FLAG(CONTACTPOINT) | FLAG(CONTACTFORCE))

// clang-format off
static const Element elements[] = {
    {draw_flex, FLEXES, BY_GROUP, mjCAT_DYNAMIC, ANY_FLEX, 0, 0},
    {draw_skin, SKINS, BY_GROUP, mjCAT_DYNAMIC, FLAG(SKIN), 0, 0},
    {draw_geom, GEOMS, BY_GROUP | BY_BODY, mjCAT_STATIC | mjCAT_DYNAMIC, 0, 0, 0},
    {draw_site, SITES, BY_GROUP | BY_BODY, mjCAT_STATIC | mjCAT_DYNAMIC, 0, 0, 0},
    {draw_tendon, TENDONS, BY_GROUP, mjCAT_DYNAMIC, FLAG(TENDON), 0, 0},
    {draw_crank, ACTUATORS, 0, mjCAT_DYNAMIC, 0, 0, 0},

    {draw_geom_frame, GEOMS, BY_GROUP | BY_BODY, mjCAT_DECOR, 0, FRAME(GEOM), 0},
    {draw_site_frame, SITES, BY_GROUP | BY_BODY, mjCAT_DECOR, 0, FRAME(SITE), 0},
    {draw_body_boxes, ALL_BODIES, 0, mjCAT_DECOR, FLAG(BODYBVH), 0, 0},
    {draw_flex_boxes, FLEXES, 0, mjCAT_DECOR, FLAG(MESHBVH), 0, 0},
    {draw_mesh_boxes, GEOMS, 0, mjCAT_DECOR, FLAG(MESHBVH), 0, 0},
    {draw_octree, GEOMS, 0, mjCAT_DECOR, FLAG(MESHBVH), 0, 0},
    {draw_tactile, SENSORS, 0, mjCAT_DECOR, FLAG(CONTACTPOINT), 0, 0},
    {draw_inertia, BODIES, BY_BODY, mjCAT_DECOR, FLAG(INERTIA), 0, 0},
    {draw_perturbed, SELECTED, 0, mjCAT_DECOR, FLAG(PERTOBJ), 0, 0},
    {draw_world_frame, WORLD, 0, mjCAT_DECOR, 0, FRAME(WORLD), 0},
    {draw_body_frame, BODIES, BY_BODY, mjCAT_DECOR, 0, FRAME(BODY), 0},
    {draw_selected_point, SELECTED, 0, mjCAT_DECOR, FLAG(SELECT), 0, 0},
    {draw_body_label, BODIES, BY_BODY, mjCAT_DECOR, 0, 0, LABEL(BODY) | LABEL(SELECTION)},
    {draw_joint, JOINTS, BY_GROUP, mjCAT_DECOR, FLAG(JOINT), 0, 0},
    {draw_actuator, ACTUATORS, BY_GROUP, mjCAT_DECOR, FLAG(ACTUATOR), 0, 0},
    {draw_island_label, BODIES, 0, mjCAT_DECOR, 0, 0, LABEL(ISLAND)},
    {draw_camera, CAMERAS, 0, mjCAT_DECOR, FLAG(CAMERA), 0, 0},
    {draw_light, LIGHTS, 0, mjCAT_DECOR, FLAG(LIGHT), 0, 0},
    {draw_com, BODIES, 0, mjCAT_DECOR, FLAG(COM), 0, 0},
    {draw_connection, BODIES, 0, mjCAT_DECOR, FLAG(AUTOCONNECT), 0, 0},
    {draw_ray, SENSORS, 0, mjCAT_DECOR, FLAG(RANGEFINDER), 0, 0},
    {draw_applied_force, BODIES, 0, mjCAT_DECOR, FLAG(PERTFORCE), 0, 0},
    {draw_equality, EQUALITIES, 0, mjCAT_DECOR, FLAG(CONSTRAINT), 0, 0},
    {draw_contact, CONTACTS, 0, mjCAT_DECOR, ANY_CONTACT, FRAME(CONTACT), 0},
};
// clang-format on

static unsigned bit_of(int choice) {
  return choice >= 0 && choice < 32 ? 1u << choice : 0;
}

static int is_wanted(const Element* element, const Picture* p, unsigned flags) {
  unsigned any = element->flags | element->frames | element->labels;
  unsigned chosen = (element->flags & flags) | (element->frames & bit_of(p->opt->frame)) |
                    (element->labels & bit_of(p->opt->label));
  return (element->category & p->catmask) && (chosen || !any);
}

static int count_of(Set set, const Picture* p) {
  switch (set) {
    case WORLD:
      return 1;
    case SELECTED:
      return p->pert->select > 0 && p->pert->select < p->m->nbody;
    case CONTACTS:
      return p->d->ncon;
    default:
      return *(const int*)(const void*)((const char*)p->m + sets[set].count);
  }
}

static const int* ints_at(const mjModel* m, size_t offset) {
  const int* array;
  memcpy(&array, (const char*)m + offset, sizeof(array));
  return array;
}

static void draw_element(Picture* p, const Element* element) {
  Set set = element->set;
  int n = count_of(set, p);
  int by_group = element->filter & BY_GROUP, by_body = element->filter & BY_BODY;
  const int* group = by_group ? ints_at(p->m, sets[set].group) : NULL;
  const int* body = by_body && sets[set].body ? ints_at(p->m, sets[set].body) : NULL;
  const mjtByte* shown =
      by_group ? (const mjtByte*)(const void*)p->opt + sets[set].shown : NULL;
  for (int i = set == BODIES; i < n && !p->full; i++) {
    if ((by_group && !is_group_shown(shown, group[i])) ||
        (by_body && !(body_category(p->m, body ? body[i] : i) & p->catmask))) {
      continue;
    }
    element->draw(p, i);
  }
}

void draw_model(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                int catmask, mjvScene* scn) {
  mjvPerturb none;
  if (!pert) {
    mjv_defaultPerturb(&none);
    pert = &none;
  }
  Picture picture = {.m = m,
                     .d = d,
                     .opt = opt,
                     .pert = pert,
                     .scn = scn,
                     .catmask = opt->flags[mjVIS_STATIC] ? catmask : catmask & ~mjCAT_STATIC,
                     .unit = (float)m->stat.meansize};
  unsigned flags = 0;
  for (int i = 0; i < mjNVISFLAG; i++) {
    flags |= opt->flags[i] ? 1u << i : 0;
  }
  for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
    if (is_wanted(elements + i, &picture, flags)) {
      draw_element(&picture, elements + i);
    }
  }
}

void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                  int catmask, mjvScene* scn) {
  check_pair(m, d);
  check_given(opt, scn);
  draw_model(m, d, opt, pert, catmask, scn);
}
