// geoms.c: the table of what is drawn of a model, in the order of a scene, and when.
//
// Each row is a kind of element. It is drawn if one of its categories is asked for and one of its
// flags, its frame or one of its labels is chosen (or if it has none of these). Then its objects
// are drawn one by one, except for those of hidden groups or of bodies of other categories.

#include "view/draw/geoms.h"

#include <mujoco/api/view.h>
#include <stddef.h>

#include "base/text/bytes.h"
#include "model/checks/pair.h"
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
    [ACTUATORS] = {IN_MODEL(nactuator), IN_MODEL(actuator_group), IN_OPTION(actuatorgroup), 0},
    [EQUALITIES] = {IN_MODEL(neq), 0, 0, 0},
    [SENSORS] = {IN_MODEL(nsensor), 0, 0, 0},
};

// Reasons for leaving out objects of a row.
enum {
  BY_GROUP = 1,
  BY_BODY = 2,
};

// A choice of flags, in the lower half, and of frames and labels, in the upper one: a bit for each.
enum {
  FRAME_BIT = 32,
  LABEL_BIT = FRAME_BIT + mjNFRAME,
  ALWAYS_BIT = LABEL_BIT + mjNLABEL,
};

_Static_assert((int)mjNVISFLAG <= (int)FRAME_BIT && ALWAYS_BIT < 64, "each has a bit");

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

enum {
  ROWS = 32
};

#define ANY_FLEX (FLAG(FLEXVERT) | FLAG(FLEXEDGE) | FLAG(FLEXFACE) | FLAG(FLEXSKIN))
#define ANY_CONTACT (FLAG(CONTACTPOINT) | FLAG(CONTACTFORCE))

// clang-format off
#define ELEMENTS(ROW) \
  ROW(draw_flex, NULL, FLEXES, BY_GROUP, mjCAT_DYNAMIC, ANY_FLEX) \
  ROW(draw_skin, NULL, SKINS, BY_GROUP, mjCAT_DYNAMIC, FLAG(SKIN)) \
  ROW(NULL, draw_geoms, GEOMS, BY_GROUP | BY_BODY, mjCAT_STATIC | mjCAT_DYNAMIC, ALWAYS) \
  ROW(NULL, draw_sites, SITES, BY_GROUP | BY_BODY, mjCAT_STATIC | mjCAT_DYNAMIC, ALWAYS) \
  ROW(draw_tendon, NULL, TENDONS, BY_GROUP, mjCAT_DYNAMIC, FLAG(TENDON)) \
  ROW(draw_crank, NULL, CRANKS, 0, mjCAT_DYNAMIC, ALWAYS) \
  ROW(draw_geom_frame, NULL, GEOMS, BY_GROUP | BY_BODY, mjCAT_DECOR, FRAME(GEOM)) \
  ROW(draw_site_frame, NULL, SITES, BY_GROUP | BY_BODY, mjCAT_DECOR, FRAME(SITE)) \
  ROW(draw_body_boxes, NULL, ALL_BODIES, 0, mjCAT_DECOR, FLAG(BODYBVH)) \
  ROW(draw_flex_boxes, NULL, FLEXES, 0, mjCAT_DECOR, FLAG(MESHBVH)) \
  ROW(draw_mesh_boxes, NULL, MESHED, 0, mjCAT_DECOR, FLAG(MESHBVH)) \
  ROW(draw_octree, NULL, MESHED, 0, mjCAT_DECOR, FLAG(MESHBVH)) \
  ROW(draw_tactile, NULL, SENSORS, 0, mjCAT_DECOR, FLAG(CONTACTPOINT)) \
  ROW(draw_inertia, NULL, BODIES, BY_BODY, mjCAT_DECOR, FLAG(INERTIA)) \
  ROW(draw_perturbed, NULL, SELECTED, 0, mjCAT_DECOR, FLAG(PERTOBJ)) \
  ROW(draw_world_frame, NULL, WORLD, 0, mjCAT_DECOR, FRAME(WORLD)) \
  ROW(draw_body_frame, NULL, BODIES, BY_BODY, mjCAT_DECOR, FRAME(BODY)) \
  ROW(draw_selected_point, NULL, SELECTED, 0, mjCAT_DECOR, FLAG(SELECT)) \
  ROW(draw_body_label, NULL, BODIES, BY_BODY, mjCAT_DECOR, LABEL(BODY) | LABEL(SELECTION)) \
  ROW(draw_joint, NULL, JOINTS, BY_GROUP, mjCAT_DECOR, FLAG(JOINT)) \
  ROW(draw_actuator, NULL, ACTUATORS, BY_GROUP, mjCAT_DECOR, FLAG(ACTUATOR)) \
  ROW(draw_island_label, NULL, BODIES, 0, mjCAT_DECOR, LABEL(ISLAND)) \
  ROW(draw_camera, NULL, CAMERAS, 0, mjCAT_DECOR, FLAG(CAMERA)) \
  ROW(draw_light, NULL, LIGHTS, 0, mjCAT_DECOR, FLAG(LIGHT)) \
  ROW(draw_com, NULL, BODIES, 0, mjCAT_DECOR, FLAG(COM)) \
  ROW(draw_connection, NULL, BODIES, 0, mjCAT_DECOR, FLAG(AUTOCONNECT)) \
  ROW(draw_ray, NULL, SENSORS, 0, mjCAT_DECOR, FLAG(RANGEFINDER)) \
  ROW(draw_applied_force, NULL, BODIES, 0, mjCAT_DECOR, FLAG(PERTFORCE)) \
  ROW(draw_equality, NULL, EQUALITIES, 0, mjCAT_DECOR, FLAG(CONSTRAINT)) \
  ROW(draw_contact, NULL, CONTACTS, 0, mjCAT_DECOR, ANY_CONTACT | FRAME(CONTACT))
// clang-format on

#define ELEMENT(...) {__VA_ARGS__},
#define LOWER(draw, draw_all, set, filter, category, chosen) (uint32_t)(chosen),
#define UPPER(draw, draw_all, set, filter, category, chosen) (uint32_t)((chosen) >> 32),

static const Element elements[] = {ELEMENTS(ELEMENT)};

// The choices that enable each row, in two halves, searched by vector instructions: a loop over the
// rows would take a tenth of the time of a small scene.
static const uint32_t choices[2][ROWS] = {{ELEMENTS(LOWER)}, {ELEMENTS(UPPER)}};

_Static_assert(sizeof(elements) / sizeof(elements[0]) <= ROWS, "choices has all rows");

static uint64_t choice(int first, int last, int number) {
  return number >= 0 && number < last - first ? 1ull << (first + number) : 0;
}

// Packs eight flags into bits: the bytes are read as one number, whose byte k becomes bit k.
static uint64_t flag_bits(const mjtByte flag[8]) {
  uint64_t x = bytes_little64(flag);
  x |= x >> 4;
  x |= x >> 2;
  x |= x >> 1;
  return (x & 0x0101010101010101u) * 0x0102040810204080u >> 56;
}

// All chosen flags, frames and labels, as bits.
static uint64_t chosen_by(const mjvOption* opt) {
  enum {
    LAST = mjNVISFLAG - 8  // the last eight, one of which the eight before have, too
  };
  const mjtByte* flags = opt->flags;
  return ALWAYS | flag_bits(flags) | flag_bits(flags + 8) << 8 | flag_bits(flags + 16) << 16 |
         flag_bits(flags + LAST) << LAST | choice(FRAME_BIT, LABEL_BIT, opt->frame) |
         choice(LABEL_BIT, ALWAYS_BIT, opt->label);
}

// The rows that the choices enable, a bit for each.
static uint32_t chosen_rows(uint64_t chosen) {
  typedef uint32_t Rows4 __attribute__((vector_size(16), aligned(4), may_alias));
  uint32_t lower = (uint32_t)chosen, upper = (uint32_t)(chosen >> 32);
  Rows4 rows = {0}, bits = {1, 2, 4, 8};
  for (int i = 0; i < ROWS; i += 4) {
    Rows4 found =
        (*(const Rows4*)(choices[0] + i) & lower) | (*(const Rows4*)(choices[1] + i) & upper);
    rows |= (Rows4)(found != 0) & bits;
    bits <<= 4;
  }
  return rows[0] | rows[1] | rows[2] | rows[3];
}

static int has_cranks(const mjModel* m) {
  int found = 0;
  for (int i = 0; i < (int)m->nactuator; i++) {
    found |= m->actuator_trntype[i] == mjTRN_SLIDERCRANK;
  }
  return found;
}

static int count_of(Set set, const Picture* p) {
  if (set < WORLD) {
    return *(const int*)(const void*)((const char*)p->m + sets[set].count);
  }
  switch (set) {
    case WORLD:
      return 1;
    case SELECTED:
      return p->pert->select > 0 && p->pert->select < p->m->nbody;
    case CONTACTS:
      return p->d->ncon;
    case CRANKS:
      return has_cranks(p->m) ? (int)p->m->nactuator : 0;
    default:  // MESHED
      return p->m->nmesh ? p->m->ngeom : 0;
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
  for (uint32_t rows = chosen_rows(chosen_by(opt)); rows; rows &= rows - 1) {
    const Element* element = elements + __builtin_ctz(rows);
    if (element->category & picture.catmask) {
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
