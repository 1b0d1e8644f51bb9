// Lights of rewritten robots.

#include "mjcf/urdf/sdf_element.h"

#include <mujoco/api/spec.h>

#include "base/text/text.h"

// Numbers of an attribute, which the rewriting has written. They stay where there are none.
static void numbers_of(double* out, const Node* node, const char* name, int n) {
  const char* text = node_text(node, name);
  for (int i = 0; text && i < n && text_real(out + i, &text) == TEXT_OK; i++) {
  }
}

mjsLight* sdf_add_light(mjsBody* body, const Node* node) {
  mjsLight* light = mjs_addLight(body, NULL);
  const char* type = node_text(node, "type");
  light->type = text_equal(type, "directional") ? mjLIGHT_DIRECTIONAL
                : text_equal(type, "spot")      ? mjLIGHT_SPOT
                                                : mjLIGHT_POINT;
  light->castshadow = (mjtByte)text_equal(node_text(node, "shadows"), "true");
  numbers_of(light->pos, node, "xyz", 3);
  numbers_of(light->dir, node, "dir", 3);
  float* const color[] = {light->diffuse, light->specular};
  static const char* const names[] = {"diffuse", "specular"};
  for (int k = 0; k < 2; k++) {
    double rgb[3];
    for (int i = 0; i < 3; i++) {
      rgb[i] = (double)color[k][i];
    }
    numbers_of(rgb, node, names[k], 3);
    for (int i = 0; i < 3; i++) {
      color[k][i] = (float)rgb[i];
    }
  }
  return light;
}
