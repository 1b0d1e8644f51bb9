// geoms.c: the table of what is drawn of a model, in the order of a scene, and when.
//
// Each row is a kind of element. It is drawn if one of its categories is asked for and, unless it
// has none of them, one of its flags, its frame or one of its labels is chosen. Then its objects
// are drawn one by one, those of hidden groups or of bodies of other categories left out.

#include "view/draw/geoms.h"

#include <mujoco/api/view.h>
#include <stddef.h>

#include "base/bytes.h"
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
  CRANKS,  // actuators, if there are slider-cranks among them
  MESHED,  // geoms, if there are meshes
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

// A choice of flags, frames and labels, a bit for each.
enum {
  FRAME_BIT = mjNVISFLAG,
  LABEL_BIT = mjNVISFLAG + mjNFRAME,
  ALWAYS_BIT = LABEL_BIT + mjNLABEL,
};

#define FLAG(name) (1ull << mjVIS_##name)
#define FRAME(name) (1ull << (FRAME_BIT + mjFRAME_##name))
#define LABEL(name) (1ull << (LABEL_BIT + mjLABEL_##name))
#define ALWAYS (1ull << ALWAYS_BIT)

typedef struct Element_ {
  void (*draw)(Picture* p, int i);
  void (*draw_all)(Picture* p);  // instead of draw: objects, groups and bodies are its own affair
  Set set;
  int filter;
  int category;
  uint64_t chosen;
} Element;

#define ANY_FLEX (FLAG(FLEXVERT) | FLAG(FLEXEDGE) | FLAG(FLEXFACE) | FLAG(FLEXSKIN))
#define ANY_CONTACT (FLAG(CONTACTPOINT) | FLAG(CONTACTFORCE))

// clang-format off
static const Element elements[] = {
    {draw_flex, NULL, FLEXES, BY_GROUP, mjCAT_DYNAMIC, ANY_FLEX},
    {draw_skin, NULL, SKINS, BY_GROUP, mjCAT_DYNAMIC, FLAG(SKIN)},
    {NULL, draw_geoms, GEOMS, BY_GROUP | BY_BODY, mjCAT_STATIC | mjCAT_DYNAMIC, ALWAYS},
    {NULL, draw_sites, SITES, BY_GROUP | BY_BODY, mjCAT_STATIC | mjCAT_DYNAMIC, ALWAYS},
    {draw_tendon, NULL, TENDONS, BY_GROUP, mjCAT_DYNAMIC, FLAG(TENDON)},
    {draw_crank, NULL, CRANKS, 0, mjCAT_DYNAMIC, ALWAYS},

    {draw_geom_frame, NULL, GEOMS, BY_GROUP | BY_BODY, mjCAT_DECOR, FRAME(GEOM)},
    {draw_site_frame, NULL, SITES, BY_GROUP | BY_BODY, mjCAT_DECOR, FRAME(SITE)},
    {draw_body_boxes, NULL, ALL_BODIES, 0, mjCAT_DECOR, FLAG(BODYBVH)},
    {draw_flex_boxes, NULL, FLEXES, 0, mjCAT_DECOR, FLAG(MESHBVH)},
    {draw_mesh_boxes, NULL, MESHED, 0, mjCAT_DECOR, FLAG(MESHBVH)},
    {draw_octree, NULL, MESHED, 0, mjCAT_DECOR, FLAG(MESHBVH)},
    {draw_tactile, NULL, SENSORS, 0, mjCAT_DECOR, FLAG(CONTACTPOINT)},
    {draw_inertia, NULL, BODIES, BY_BODY, mjCAT_DECOR, FLAG(INERTIA)},
    {draw_perturbed, NULL, SELECTED, 0, mjCAT_DECOR, FLAG(PERTOBJ)},
    {draw_world_frame, NULL, WORLD, 0, mjCAT_DECOR, FRAME(WORLD)},
    {draw_body_frame, NULL, BODIES, BY_BODY, mjCAT_DECOR, FRAME(BODY)},
    {draw_selected_point, NULL, SELECTED, 0, mjCAT_DECOR, FLAG(SELECT)},
    {draw_body_label, NULL, BODIES, BY_BODY, mjCAT_DECOR, LABEL(BODY) | LABEL(SELECTION)},
    {draw_joint, NULL, JOINTS, BY_GROUP, mjCAT_DECOR, FLAG(JOINT)},
    {draw_actuator, NULL, ACTUATORS, BY_GROUP, mjCAT_DECOR, FLAG(ACTUATOR)},
    {draw_island_label, NULL, BODIES, 0, mjCAT_DECOR, LABEL(ISLAND)},
    {draw_camera, NULL, CAMERAS, 0, mjCAT_DECOR, FLAG(CAMERA)},
    {draw_light, NULL, LIGHTS, 0, mjCAT_DECOR, FLAG(LIGHT)},
    {draw_com, NULL, BODIES, 0, mjCAT_DECOR, FLAG(COM)},
    {draw_connection, NULL, BODIES, 0, mjCAT_DECOR, FLAG(AUTOCONNECT)},
    {draw_ray, NULL, SENSORS, 0, mjCAT_DECOR, FLAG(RANGEFINDER)},
    {draw_applied_force, NULL, BODIES, 0, mjCAT_DECOR, FLAG(PERTFORCE)},
    {draw_equality, NULL, EQUALITIES, 0, mjCAT_DECOR, FLAG(CONSTRAINT)},
    {draw_contact, NULL, CONTACTS, 0, mjCAT_DECOR, ANY_CONTACT | FRAME(CONTACT)},
};
// clang-format on

static uint64_t choice(int first, int last, int number) {
  return number >= 0 && number < last - first ? 1ull << (first + number) : 0;
}

// Eight flags as bits: bytes are read as one number, whose byte k becomes bit k.
static uint64_t flag_bits(const mjtByte flag[8]) {
  uint64_t x = bytes_little64(flag);
  x |= x >> 4;
  x |= x >> 2;
  x |= x >> 1;
  return (x & 0x0101010101010101u) * 0x0102040810204080u >> 56;
}

// What is chosen, as bits.
static uint64_t chosen_by(const mjvOption* opt) {
  mjtByte flags[32] = {0};
  memcpy(flags, opt->flags, sizeof(opt->flags));
  return ALWAYS | flag_bits(flags) | flag_bits(flags + 8) << 8 | flag_bits(flags + 16) << 16 |
         flag_bits(flags + 24) << 24 | choice(FRAME_BIT, LABEL_BIT, opt->frame) |
         choice(LABEL_BIT, ALWAYS_BIT, opt->label);
}

static int has_cranks(const mjModel* m) {
  int found = 0;
  for (int i = 0; i < m->nu; i++) {
    found |= m->actuator_trntype[i] == mjTRN_SLIDERCRANK;
  }
  return found;
}

static int count_of(Set set, const Picture* p) {
  switch (set) {
    case WORLD:
      return 1;
    case SELECTED:
      return p->pert->select > 0 && p->pert->select < p->m->nbody;
    case CONTACTS:
      return p->d->ncon;
    case CRANKS:
      return has_cranks(p->m) ? p->m->nu : 0;
    case MESHED:
      return p->m->nmesh ? p->m->ngeom : 0;
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
  if (element->draw_all) {
    element->draw_all(p);
    return;
  }
  Set set = element->set;
  int n = count_of(set, p);
  if (!n) {
    return;
  }
  int by_group = element->filter & BY_GROUP, by_body = element->filter & BY_BODY;
  const int* group = by_group ? ints_at(p->m, sets[set].group) : NULL;
  const int* body = by_body && sets[set].body ? ints_at(p->m, sets[set].body) : NULL;
  const mjtByte* shown = by_group ? (const mjtByte*)(const void*)p->opt + sets[set].shown : NULL;
  for (int i = set == BODIES; i < n && !p->full; i++) {
    if ((!by_group || is_group_shown(shown, group[i])) &&
        (!by_body || (body_category(p->m, body ? body[i] : i) & p->catmask))) {
      element->draw(p, i);
    }
  }
}

void draw_model(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                int catmask, mjvScene* scn) {
  static const mjvPerturb none = {.flexselect = -1, .skinselect = -1};
  Picture picture = {.m = m,
                     .d = d,
                     .opt = opt,
                     .pert = pert ? pert : &none,
                     .scn = scn,
                     .catmask = opt->flags[mjVIS_STATIC] ? catmask : catmask & ~mjCAT_STATIC,
                     .unit = (float)m->stat.meansize};
  uint64_t chosen = chosen_by(opt);
  for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
    const Element* element = elements + i;
    if ((element->chosen & chosen) && (element->category & picture.catmask)) {
      draw_element(&picture, element);
    }
  }
}

void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                  int catmask, mjvScene* scn) {
  check_pair(m, d);
  check_given(opt, scn);
  draw_model(m, d, opt, pert, catmask, scn);
}
