// number.c: gives ids in final order, lists objects by type, names nameless assets, and checks
// names and types.
#include <string.h>

#include "base/memory/memory.h"
#include "compile/context.h"
#include "compile/stages.h"

// Names nameless assets after their files, so that every asset that others refer to has a name.
static void name_assets(Compile* c) {
  static const mjtObj types[] = {mjOBJ_MESH, mjOBJ_HFIELD, mjOBJ_TEXTURE, mjOBJ_SKIN};
  for (size_t k = 0; k < sizeof(types) / sizeof(types[0]); k++) {
    for (SPEC_EACH(asset, c->tree, types[k])) {
      const mjString* file = spec_file(asset);
      int nomemory = 0;
      if (string_empty(&asset->name) && !string_empty(file)) {
        mjString name = {0};
        nomemory = !spec_filename(&name, string_text(file)) ||
                   (!spec_rename(asset, string_text(&name)) &&
                    strcmp(spec_name(asset), string_text(&name)) != 0);
        string_clear(&name);
      }
      int nameless = types[k] == mjOBJ_SKIN ||
                     (types[k] == mjOBJ_TEXTURE && asset->as.texture.type == mjTEXTURE_SKYBOX);
      if (nomemory) {
        compile_error(c, asset, MEMORY_OUT);
      } else if (string_empty(&asset->name) && !nameless) {
        compile_error(c, asset, "empty name in %s",
                      types[k] == mjOBJ_HFIELD ? "height field" : spec_typename(types[k]));
      }
    }
  }
  for (SPEC_EACH(material, c->tree, mjOBJ_MATERIAL)) {
    if (string_empty(&material->name)) {
      compile_error(c, material, "empty name in material");
    }
  }
}

// Checks for repeated names. The index finds one object of each name, so any other one with the
// name is a repetition.
static void check_names(Compile* c, mjtObj type) {
  for (SPEC_EACH(object, c->tree, type)) {
    const char* name = spec_name(object);
    if (name[0] && spec_find(c->tree, type, name) != object) {
      PlaceText place = spec_placetext(object, spec_find(c->tree, type, name));
      compile_error(c, object, "repeated name '%s' in %s%s%s", name, spec_typename(type),
                    place.text[0] ? ": it is taken" : "", place.text);
    }
  }
}

// Adds empty keyframes up to the number that the file asks for.
static int add_keys(Compile* c) {
  const int most_keys = 100000;
  SpecTree* tree = c->tree;
  if (tree->spec.nkey > most_keys) {
    compile_error(c, NULL, "nkey is %d, more than %d keyframes", tree->spec.nkey, most_keys);
    return 0;
  }
  for (int n = spec_count(tree, mjOBJ_KEY); n < tree->spec.nkey; n++) {
    if (!spec_add(tree, mjOBJ_KEY, NULL, NULL)) {
      compile_error(c, NULL, "out of memory");
      return 0;
    }
  }
  return 1;
}

// These changes of the spec stay if the compiler fails.
int compile_complete(Compile* c) {
  Heap* heap = heap_pause();
  int enough = add_keys(c);
  name_assets(c);
  heap_resume(heap);
  return enough;
}

int compile_number(Compile* c) {
  SpecTree* tree = c->tree;
  if (!compile_complete(c)) {
    return 0;
  }
  spec_number(tree);
  for (int type = 0; type < mjNOBJECT; type++) {
    if (type == mjOBJ_UNKNOWN || type == mjOBJ_XBODY || type == mjOBJ_DOF) {
      continue;
    }
    c->count[type] = spec_count(tree, (mjtObj)type);
    if (c->count[type] > 0) {
      c->list[type] = spec_array(tree, (mjtObj)type);
      check_names(c, (mjtObj)type);
    }
  }
  for (SPEC_EACH(frame, tree, mjOBJ_FRAME)) {
    frame->id = c->nframe++;
  }
  check_names(c, mjOBJ_FRAME);

  if (c->count[mjOBJ_BODY] + c->count[mjOBJ_FLEX] >= 65534) {
    compile_error(c, NULL, "number of bodies plus flexes must be smaller than 65534: it is %d",
                  c->count[mjOBJ_BODY] + c->count[mjOBJ_FLEX]);
    return 0;
  }
  if (spec_firstchild(tree->world, mjOBJ_JOINT)) {
    compile_error(c, NULL, "joint found in world body");
  }
  for (int i = 0; i < c->count[mjOBJ_JOINT]; i++) {
    mjtJoint type = c->list[mjOBJ_JOINT][i]->as.joint.type;
    if (type < mjJNT_FREE || type > mjJNT_HINGE) {
      compile_error(c, c->list[mjOBJ_JOINT][i], "invalid type in joint");
      return 0;
    }
  }
  return 1;
}
