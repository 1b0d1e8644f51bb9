// define.c: sections and items from tables.

#include <ctype.h>
#include <mujoco/api/base.h>
#include <mujoco/api/ui.h>
#include <mujoco/mjui.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Modifier and key of a shortcut: " K", "CK", or a code instead of the key: "C#258". Nothing: none.
static void read_shortcut(int* out_modifier, int* out_key, const char* text, const char* name) {
  *out_modifier = *out_key = 0;
  size_t n = strlen(text);
  if (!n) {
    return;
  }
  const char* modifier = strchr(" CS A", text[0]);
  if (n < 2 || n > 5 || !modifier) {
    mju_error("mjui_add: '%s' has the shortcut '%s': it is ' ', C, S or A with a key or #code",
              name, text);
  }
  *out_modifier = text[0] == ' ' ? 0 : (int)(modifier - " CS A");
  *out_key = text[1] == '#' && n > 2 ? atoi(text + 2) : toupper((unsigned char)text[1]);
}

// Splits names that are separated by ends of lines.
static void read_names(struct mjuiItemMulti_* out, const char* text, const char* name) {
  out->nelem = 0;
  while (*text) {
    size_t n = strcspn(text, "\n");
    if (out->nelem == mjMAXUIMULTI || n >= mjMAXUINAME) {
      mju_error("mjui_add: '%s' has more than %d choices, or one of more than %d characters", name,
                mjMAXUIMULTI, mjMAXUINAME - 1);
    }
    snprintf(out->name[out->nelem++], mjMAXUINAME, "%.*s", (int)n, text);
    text += n + (text[n] == '\n');
  }
}

static void read_slider(struct mjuiItemSlider_* out, const mjuiDef* def) {
  int is_int = def->type == mjITEM_SLIDERINT;
  int n = sscanf(def->other, "%lf %lf %lf", out->range, out->range + 1, &out->divisions);
  if (n < 2 || !(out->range[0] < out->range[1])) {
    mju_error("mjui_add: slider '%s' has the range '%s': it is 'min max', or 'min max divisions'",
              def->name, def->other);
  }
  if (n == 2) {
    out->divisions = is_int ? out->range[1] - out->range[0] : 200;
  }
}

// A number of elements, and pairs of limits of the first ones.
static void read_edit(struct mjuiItemEdit_* out, const mjuiDef* def) {
  memset(out, 0, sizeof(*out));
  out->nelem = 1;
  if (def->type == mjITEM_EDITTXT || !def->other[0]) {
    return;
  }
  int used = 0;
  const char* at = def->other;
  if (sscanf(at, "%d%n", &out->nelem, &used) != 1 || out->nelem < 1 || out->nelem > mjMAXUIEDIT) {
    mju_error("mjui_add: '%s' edits '%s': it is the number of elements, 1 to %d, and their limits",
              def->name, def->other, mjMAXUIEDIT);
  }
  at += used;
  for (int i = 0; i < out->nelem; i++, at += used) {
    if (sscanf(at, "%lf %lf%n", out->range[i], out->range[i] + 1, &used) != 2) {
      break;
    }
  }
}

// A name of fixed size may fill its array without a terminator.
static void copy_name(char out[mjMAXUINAME], const char name[mjMAXUINAME]) {
  snprintf(out, mjMAXUINAME, "%.*s", mjMAXUINAME - 1, name);
}

// The state of an item: with mjPRESERVE, the state of the former item with the same name.
static int state_of(const mjuiDef* def, const char* old_name, int old_state) {
  if (def->state < mjPRESERVE) {
    return def->state;
  }
  int is_same = !strncmp(old_name, def->name, mjMAXUINAME);
  return is_same ? old_state : def->state - mjPRESERVE;
}

static void add_section(mjUI* ui, const mjuiDef* def) {
  if (ui->nsect == mjMAXUISECT) {
    mju_error("mjui_add: section '%.39s' is one more than %d", def->name, mjMAXUISECT);
  }
  mjuiSection* sect = ui->sect + ui->nsect++;
  sect->state = state_of(def, sect->name, sect->state);
  if (sect->state < mjSECT_CLOSED || sect->state > mjSECT_FIXED) {
    mju_error("mjui_add: section '%.39s' has state %d", def->name, sect->state);
  }
  copy_name(sect->name, def->name);
  sect->checkbox = def->otherint;
  sect->nitem = 0;
  sect->lastclick = 0;
  read_shortcut(&sect->modifier, &sect->shortcut, def->other, sect->name);
}

static void add_item(mjUI* ui, int s, const mjuiDef* def) {
  mjuiSection* sect = ui->sect + s;
  if (def->type < mjITEM_SEPARATOR || def->type >= mjNITEM) {
    mju_error("mjui_add: '%.39s' has type %d, which is no item", def->name, def->type);
  }
  if (sect->nitem == mjMAXUIITEM) {
    mju_error("mjui_add: item '%.39s' is one more than %d in its section", def->name, mjMAXUIITEM);
  }
  if ((def->type > mjITEM_BUTTON) != (def->pdata != NULL)) {
    mju_error("mjui_add: item '%.39s' %s", def->name,
              def->pdata ? "has a value, but its type has none" : "has no value (pdata)");
  }
  mjuiItem* item = sect->item + sect->nitem;
  item->state = state_of(def, item->name, item->state);
  item->type = def->type;
  copy_name(item->name, def->name);
  item->pdata = def->pdata;
  item->sectionid = s;
  item->itemid = sect->nitem++;
  item->userid = def->otherint;
  item->skip = 0;
  switch (def->type) {
    case mjITEM_BUTTON:
    case mjITEM_CHECKINT:
    case mjITEM_CHECKBYTE:
      read_shortcut(&item->single.modifier, &item->single.shortcut, def->other, item->name);
      break;
    case mjITEM_STATIC:
    case mjITEM_RADIO:
    case mjITEM_RADIOLINE:
    case mjITEM_SELECT:
      read_names(&item->multi, def->other, item->name);
      break;
    case mjITEM_SLIDERINT:
    case mjITEM_SLIDERNUM:
      read_slider(&item->slider, def);
      break;
    case mjITEM_SEPARATOR:
      break;
    default:
      read_edit(&item->edit, def);
  }
}

void mjui_add(mjUI* ui, const mjuiDef* def) {
  for (; def->type != mjITEM_END; def++) {
    if (def->type == mjITEM_SECTION) {
      add_section(ui, def);
    } else if (ui->nsect < 1) {
      mju_error("mjui_add: item '%.39s' stands before the first section", def->name);
    } else {
      add_item(ui, ui->nsect - 1, def);
    }
  }
}

void mjui_addToSection(mjUI* ui, int sect, const mjuiDef* def) {
  if (sect < 0 || sect >= ui->nsect) {
    mju_error("mjui_addToSection: section %d does not exist: there are %d", sect, ui->nsect);
  }
  for (; def->type != mjITEM_END; def++) {
    if (def->type == mjITEM_SECTION) {
      mju_error("mjui_addToSection: section '%.39s' stands in a section", def->name);
    }
    add_item(ui, sect, def);
  }
}
