// order.c: sorts the attributes of a start tag by a table of the elements whose order in files of
// release 3.3.7 is not that of the schema. Values have no quotation marks in them, so attributes
// are found by these.
//                                                                theory/model/format.md, Writing

#include "mjcf/write/order.h"

#include <string.h>

#include "base/memory/memory.h"

enum {
  MAX_ATTRIBUTES = 64,  // of an element that is sorted
};

typedef struct Order_ {
  const char* element;
  const char* attributes;  // names in order, each between blanks
} Order;

typedef struct Piece_ {
  const char* text;
  size_t length;
  size_t rank;
} Piece;

// An element of any section; children of <sensor> are alike.
static const Order orders[] = {
    {"compiler",
     " angle meshdir texturedir usethread boundmass boundinertia alignfree autolimits "},
    {"global",
     " cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime offwidth "
     "offheight "},
    {"texture",
     " type colorspace name class content_type file gridsize gridlayout fileright fileleft "
     "fileup filedown filefront fileback builtin mark rgb1 rgb2 markrgb random width height "},
    {"material", " name class texture texuniform texrepeat "},
    {"mesh",
     " name class content_type file vertex normal texcoord face inertia refpos refquat scale "
     "smoothnormal "},
    {"skin", " name file material group rgba inflate vertex texcoord face "},
    {"joint",
     " name class joint1 joint2 polycoef active pos axis type group ref springref "
     "solreflimit solimplimit solreffriction solimpfriction stiffness limited range "
     "actuatorfrclimited actuatorgravcomp actuatorfrcrange margin armature damping "
     "frictionloss "},
    {"geom",
     " name class geom sidesite size pos quat type contype conaffinity condim group priority "
     "friction solmix solref solimp margin gap fluidshape fluidcoef shellinertia mass density "
     "material rgba user mesh hfield "},
    {"site", " name class site pos quat size group type material rgba "},
    {"camera",
     " name class target pos quat ipd mode resolution orthographic sensorsize focal "
     "focalpixel principal principalpixel fovy "},
    {"light",
     " name class target pos dir bulbradius intensity range type texture castshadow active "
     "attenuation cutoff exponent ambient diffuse specular mode "},
    {"pair", " class geom1 geom2 name condim margin gap solref solreffriction solimp friction "},
    {"connect", " name class body1 body2 anchor site1 site2 active solref solimp "},
    {"weld",
     " name class body1 body2 anchor relpose site1 site2 torquescale active solref solimp "},
    {"tendon", " name class tendon1 tendon2 polycoef active solref solimp "},
    {"flex", " name class flex radius active solref solimp "},
    {"spatial",
     " name class group solreflimit solimplimit solreffriction solimpfriction limited "
     "actuatorfrclimited range actuatorfrcrange margin stiffness damping armature "
     "frictionloss springlength material width rgba "},
    {"fixed",
     " name class group solreflimit solimplimit solreffriction solimpfriction limited "
     "actuatorfrclimited range actuatorfrcrange margin stiffness damping armature "
     "frictionloss springlength "},
    {"general",
     " name class joint jointinparent tendon cranksite slidersite site refsite body group "
     "ctrllimited ctrlrange forcelimited forcerange actlimited actrange lengthrange gear "
     "cranklength actearly actdim dyntype dynprm gaintype biastype gainprm biasprm "},
    {"sensor",
     " objtype objname reftype refname site joint tendon actuator camera body subtree1 "
     "subtree2 geom1 geom2 body1 body2 num data reduce dim needstage datatype name "},
};

static const char* order_of(const char* element, const char* parent) {
  const char* name = parent && !strcmp(parent, "sensor") ? parent : element;
  for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
    if (!strcmp(orders[i].element, name)) {
      return orders[i].attributes;
    }
  }
  return NULL;
}

// Where the name that a piece, ` name="value"`, begins with stands in the order.
static size_t rank_of(const char* order, const char* piece) {
  size_t length = strcspn(piece + 1, "=");
  for (const char* at = order; (at = strchr(at, ' ')) && at[1]; at++) {
    if (!strncmp(at + 1, piece + 1, length) && at[1 + length] == ' ') {
      return (size_t)(at - order);
    }
  }
  return strlen(order);
}

// Cuts the attributes into pieces and sorts these. Returns their number, 0 if there are too many or
// if they are sorted.
static int sort_pieces(Piece piece[MAX_ATTRIBUTES], const char* text, size_t length,
                       const char* order) {
  int count = 0, moved = 0;
  for (const char *at = text, *end = text + length; at < end;) {
    const char* value = memchr(at, '"', (size_t)(end - at));
    const char* close = value ? memchr(value + 1, '"', (size_t)(end - value - 1)) : NULL;
    if (!close || count == MAX_ATTRIBUTES) {
      return 0;
    }
    Piece next = {at, (size_t)(close + 1 - at), rank_of(order, at)};
    int i = count++;
    for (; i > 0 && piece[i - 1].rank > next.rank; i--) {
      piece[i] = piece[i - 1];
      moved = 1;
    }
    piece[i] = next;
    at = close + 1;
  }
  return moved ? count : 0;
}

void order_attributes(char* attributes, size_t length, const char* element, const char* parent) {
  const char* order = order_of(element, parent);
  Piece piece[MAX_ATTRIBUTES];
  int count = order ? sort_pieces(piece, attributes, length, order) : 0;
  if (!count) {
    return;
  }
  char *sorted = heap_take(length), *end = sorted;
  for (int i = 0; i < count; i++) {
    memcpy(end, piece[i].text, piece[i].length);
    end += piece[i].length;
  }
  memcpy(attributes, sorted, length);
  heap_free(sorted);
}
