// config.c: reading plugin attributes as numbers, with a warning for wrong ones, and hooks of
// plugins without state.

#include "plugin/config.h"

#include <math.h>
#include <mujoco/api/base.h>
#include <mujoco/api/model.h>

#include "base/text/text.h"

enum {
  MOST_NUMBERS = 4,
  SHOWN = 40,  // characters of a wrong text in a warning
};

ConfigStatus config_parse(mjtNum* out, int n, const char* text) {
  double number[MOST_NUMBERS + 1];
  int count = 0;
  TextStatus status = TEXT_OK;
  while (count <= n && (status = text_real(&number[count], &text)) == TEXT_OK) {
    if (!isfinite(number[count++])) {
      return CONFIG_WRONG;
    }
  }
  if (status == TEXT_END && !count) {
    return CONFIG_NONE;
  }
  if (status != TEXT_END || count != n) {
    return CONFIG_WRONG;
  }
  for (int i = 0; i < n; i++) {
    out[i] = (mjtNum)number[i];
  }
  return CONFIG_GIVEN;
}

ConfigStatus config_numbers(mjtNum* out, int n, const mjModel* m, int instance,
                            const char* attribute) {
  const char* text = mj_getPluginConfig(m, instance, attribute);
  ConfigStatus status = text ? config_parse(out, n, text) : CONFIG_NONE;
  if (status == CONFIG_WRONG) {
    mju_warning("plugin '%s', instance %d: %s '%.*s' should be %s",
                mjp_getPluginAtSlot(m->plugin[instance])->name, instance, attribute, SHOWN, text,
                n == 1   ? "a number"
                : n == 2 ? "two numbers"
                         : "numbers");
  }
  return status;
}

int config_nstate(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

void config_destroy(mjData* d, int instance) {
  mju_free((void*)d->plugin_data[instance]);
  d->plugin_data[instance] = 0;
}
