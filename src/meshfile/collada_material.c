// collada_material.c: colours and textures of effects.
//
//   instance_material symbol, target -> material -> instance_effect -> effect -> profile_COMMON
//   technique -> lambert, phong, blinn or constant -> diffuse -> color, or
//   texture -> newparam of a sampler2D -> newparam of a surface -> image -> path
//
// How opaque a material is, with t = <transparency> and c = <transparent>:
//   A_ONE  t c.a    A_ZERO  1 - t c.a    RGB_ONE  t mean(c)    RGB_ZERO  1 - t mean(c)
// Many exporters mean the opposite of what they write. What would be invisible is taken as opaque:
// nobody ships a part that can't be seen.

#include <stdint.h>
#include <string.h>

#include "meshfile/collada_context.h"

enum {
  MOST_BOUND = 1000,  // materials of an instance
};

// What an effect says.
typedef struct ColladaLook_ {
  float rgba[4];
  int has_color;
  const char* texture;
} ColladaLook;

static const char* text_of(const XmlNode* node) {
  return node && node->plain && node->plain[0] ? node->plain : NULL;
}

// The <newparam> with an sid, NULL if there is none.
static const XmlNode* find_param(const XmlNode* profile, const XmlNode* technique,
                                 const char* sid) {
  const XmlNode* places[] = {technique, profile};
  for (int i = 0; sid && i < 2; i++) {
    const XmlNode* param = xml_child(places[i], "newparam");
    for (; param; param = xml_again(param)) {
      const char* own = xml_attribute(param, "sid");
      if (own && strcmp(own, sid) == 0) {
        return param;
      }
    }
  }
  return NULL;
}

// The path of an <image>: 1.4 has it in <init_from>, 1.5 in a <ref> of that.
static const char* image_path(const XmlNode* image) {
  const XmlNode* from = xml_child(image, "init_from");
  const char* inner = text_of(xml_child(from, "ref"));
  const char* path = inner ? inner : text_of(from);
  if (path && strncmp(path, "file://", 7) == 0) {
    path += 7;
  }
  return path ? build_path(path, strlen(path)) : NULL;
}

// The path of the image of a <texture>. Its name is that of a sampler; some write the image itself.
static const char* texture_path(const Collada* collada, const XmlNode* profile,
                                const XmlNode* technique, const XmlNode* texture) {
  const char* name = texture ? xml_attribute(texture, "texture") : NULL;
  const XmlNode* sampler = xml_child(find_param(profile, technique, name), "sampler2D");
  const XmlNode* instance = xml_child(sampler, "instance_image");
  const XmlNode* image = NULL;
  if (instance) {
    image = xml_find(&collada->tree, xml_attribute(instance, "url"));
  } else if (sampler) {
    const char* source = text_of(xml_child(sampler, "source"));
    const XmlNode* surface = xml_child(find_param(profile, technique, source), "surface");
    image = xml_find(&collada->tree, text_of(xml_child(surface, "init_from")));
  } else {
    image = xml_find(&collada->tree, name);
  }
  return image && xml_is(image, "image") ? image_path(image) : NULL;
}

// The number or colour of an element, or of the parameter to which it refers. Returns the number of
// components.
static size_t read_value(const Collada* collada, double out[4], const XmlNode* profile,
                         const XmlNode* technique, const XmlNode* node) {
  const XmlNode* param = xml_child(node, "param");
  if (param) {
    node = find_param(profile, technique, xml_attribute(param, "ref"));
  }
  for (const XmlNode* child = node ? node->child : NULL; child; child = child->next) {
    if (xml_is(child, "color") || strncmp(child->name, "float", 5) == 0) {
      return xml_numbers(&collada->tree, out, child, 4);
    }
  }
  return 0;
}

static double opacity(const Collada* collada, const XmlNode* profile, const XmlNode* technique,
                      const XmlNode* shader) {
  const XmlNode *element = xml_child(shader, "transparent"),
                *number = xml_child(shader, "transparency");
  double c[4] = {1, 1, 1, 1}, t[4] = {1};
  size_t ncolor = read_value(collada, c, profile, technique, element);
  size_t nnumber = read_value(collada, t, profile, technique, number);
  if (!ncolor && !nnumber) {
    return 1;
  }
  const char* mode = element ? xml_attribute(element, "opaque") : NULL;
  mode = mode ? mode : "A_ONE";
  double part = t[0] * (strncmp(mode, "RGB", 3) == 0 ? (c[0] + c[1] + c[2]) / 3 : c[3]);
  double opaque = strstr(mode, "ZERO") ? 1 - part : part;
  return opaque > 0 ? opaque : 1;
}

static ColladaLook effect_look(const Collada* collada, const XmlNode* effect) {
  static const char* const shaders[] = {"lambert", "phong", "blinn", "constant"};
  const XmlNode* profile = xml_child(effect, "profile_COMMON");
  const XmlNode *technique = xml_child(profile, "technique"), *shader = NULL;
  ColladaLook look = {.rgba = {1, 1, 1, 1}};
  for (int i = 0; i < 4 && !shader; i++) {
    shader = xml_child(technique, shaders[i]);
  }
  if (!shader) {
    return look;
  }
  const XmlNode* diffuse = xml_child(shader, "diffuse");
  diffuse = diffuse ? diffuse : xml_child(shader, "emission");
  double color[4] = {1, 1, 1, 1};
  if (read_value(collada, color, profile, technique, diffuse) >= 3) {
    look.has_color = 1;
  }
  look.texture = texture_path(collada, profile, technique, xml_child(diffuse, "texture"));
  color[3] = opacity(collada, profile, technique, shader);
  look.has_color |= color[3] < 1;
  for (int k = 0; k < 4; k++) {
    look.rgba[k] = (float)color[k];
  }
  return look;
}

// The look of an <effect>, read when it is first asked for.
static const ColladaLook* look_of(const Collada* collada, XmlNode* effect) {
  if (!effect->made) {
    ColladaLook* look = effect->made = heap_take(sizeof(ColladaLook));
    *look = effect_look(collada, effect);
  }
  return effect->made;
}

// The index of a <material>, made when it is first asked for.
static int material_index(Collada* collada, XmlNode* material) {
  if (!material->made) {
    const XmlNode* instance = xml_child(material, "instance_effect");
    XmlNode* effect = instance ? xml_find(&collada->tree, xml_attribute(instance, "url")) : NULL;
    ColladaLook look = {.has_color = 0};
    if (effect && xml_is(effect, "effect")) {
      look = *look_of(collada, effect);
    }
    const char* name = xml_attribute(material, "name");
    name = name ? name : xml_attribute(material, "id");
    int index =
        build_material(collada->build, name, look.has_color ? look.rgba : NULL, look.texture);
    material->made = (void*)((intptr_t)index + 1);
  }
  return (int)((intptr_t)material->made - 1);
}

int collada_material(Collada* collada, const XmlNode* instance, const char* symbol) {
  if (!symbol) {
    return -1;
  }
  const XmlNode* common = xml_child(xml_child(instance, "bind_material"), "technique_common");
  const XmlNode* bound = xml_child(common, "instance_material");
  const char* target = symbol;  // where nothing is bound, some write the material itself
  for (int tried = 0; bound && tried < MOST_BOUND; bound = xml_again(bound), tried++) {
    const char* own = xml_attribute(bound, "symbol");
    if (own && strcmp(own, symbol) == 0) {
      target = xml_attribute(bound, "target");
      break;
    }
  }
  XmlNode* material = xml_find(&collada->tree, target);
  return material && xml_is(material, "material") ? material_index(collada, material) : -1;
}
