// authored.c: which bit of which mask stands for a setting.

#include "spec/setting/authored.h"

#include <stddef.h>

#define LENGTH(array) (int)(sizeof(array) / sizeof((array)[0]))

// The members of mjOption and mjsCompiler by the number of their bit. Some bits are free: flags
// and groups have masks of their own.
#define AT(member) offsetof(mjSpec, member)
static const size_t option_bits[] = {
    [0] = AT(option.timestep),
    [1] = AT(option.impratio),
    [2] = AT(option.tolerance),
    [3] = AT(option.ls_tolerance),
    [4] = AT(option.noslip_tolerance),
    [5] = AT(option.ccd_tolerance),
    [6] = AT(option.sleep_tolerance),
    [7] = AT(option.gravity),
    [8] = AT(option.wind),
    [9] = AT(option.magnetic),
    [10] = AT(option.density),
    [11] = AT(option.viscosity),
    [12] = AT(option.o_margin),
    [13] = AT(option.o_solref),
    [14] = AT(option.o_solimp),
    [15] = AT(option.o_friction),
    [16] = AT(option.integrator),
    [17] = AT(option.cone),
    [18] = AT(option.jacobian),
    [19] = AT(option.solver),
    [20] = AT(option.iterations),
    [21] = AT(option.ls_iterations),
    [22] = AT(option.noslip_iterations),
    [23] = AT(option.ccd_iterations),
    [27] = AT(option.sdf_initpoints),
    [28] = AT(option.sdf_iterations),
};
static const size_t compiler_bits[] = {
    [0] = AT(compiler.autolimits),
    [1] = AT(compiler.boundmass),
    [2] = AT(compiler.boundinertia),
    [3] = AT(compiler.settotalmass),
    [4] = AT(compiler.balanceinertia),
    [5] = AT(compiler.fitaabb),
    [6] = AT(compiler.degree),
    [7] = AT(compiler.eulerseq),
    [8] = AT(compiler.discardvisual),
    [9] = AT(compiler.usethread),
    [10] = AT(compiler.fusestatic),
    [11] = AT(compiler.inertiafromgeom),
    [12] = AT(compiler.inertiagrouprange),
    [13] = AT(compiler.saveinertial),
    [16] = AT(compiler.alignfree),
    [17] = AT(compiler.conflict),
    [20] = AT(compiler.meshdir),
    [21] = AT(compiler.texturedir),
};

// The groups of mjVisual, whose members are all as long: bits count them.
static const struct {
  size_t begin, bytes, member, mask;
} pictures[] = {
#define GROUP(group, member) \
  { AT(visual.group), sizeof(((mjSpec*)0)->visual.group), (member), AT(authored.visual_##group) }
    GROUP(global, sizeof(int)), GROUP(quality, sizeof(int)), GROUP(headlight, 3 * sizeof(float)),
    GROUP(map, sizeof(float)),  GROUP(scale, sizeof(float)), GROUP(rgba, 4 * sizeof(float)),
};

const AuthoredBits authored_bits[AUTHORED_NBITS] = {
    {AT(option.disableflags), AT(authored.disableflags)},
    {AT(option.enableflags), AT(authored.enableflags)},
    {AT(option.disableactuator), AT(authored.disableactuator)},
};

static int find_bit(const size_t* offsets, int count, size_t offset) {
  for (int i = 0; i < count; i++) {
    if (offsets[i] == offset && offset) {
      return i;
    }
  }
  return -1;
}

uint64_t* authored_mask(int* bit, mjSpec* spec, size_t offset) {
  *bit = find_bit(option_bits, LENGTH(option_bits), offset);
  if (*bit >= 0) {
    return &spec->authored.option;
  }
  *bit = find_bit(compiler_bits, LENGTH(compiler_bits), offset);
  if (*bit >= 0) {
    return &spec->compiler.authored;
  }
  for (int i = 0; i < LENGTH(pictures); i++) {
    if (offset >= pictures[i].begin && offset < pictures[i].begin + pictures[i].bytes) {
      *bit = (int)((offset - pictures[i].begin) / pictures[i].member);
      return authored_member(spec, pictures[i].mask);
    }
  }
  return NULL;
}

void authored_note(SpecTree* tree, size_t offset, int bits) {
  for (int i = 0; i < AUTHORED_NBITS; i++) {
    if (authored_bits[i].offset == offset) {
      *(int*)authored_member(&tree->spec, authored_bits[i].mask) |= bits;
      return;
    }
  }
  int bit;
  uint64_t* mask = authored_mask(&bit, &tree->spec, offset);
  if (mask) {
    *mask |= (uint64_t)1 << bit;
  }
}

int authored_conflict(const SpecTree* tree) {
  const mjsCompiler* compiler = &tree->spec.compiler;
  int bit = find_bit(compiler_bits, LENGTH(compiler_bits), AT(compiler.conflict));
  const int since = 310;  // the release that brought it
  return (compiler->authored >> bit & 1) || compiler->conflict != mjCONFLICT_WARNING ||
         compiler->dialect >= since;
}
