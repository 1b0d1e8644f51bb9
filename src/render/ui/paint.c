// paint.c: draws panels.

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <mujoco/api/ui.h>
#include <stdio.h>

#include "render/device.h"
#include "render/flat.h"
#include "render/ui/layout.h"
#include "render/ui/value.h"

// A panel that is being drawn.
typedef struct Paint_ {
  RenderDevice* device;
  const mjUI* ui;
  const mjrContext* con;
} Paint;

static void fill(const Paint* p, mjrRect r, const float rgb[3]) {
  const float rgba[4] = {rgb[0], rgb[1], rgb[2], 1};
  flat_rectangle(p->device, (float)r.left, (float)r.bottom, (float)r.width, (float)r.height, rgba);
}

// A rectangle with a gradient from the upper color to the lower one.
static void shade(const Paint* p, mjrRect r, const float top[3], const float low[3]) {
  float x = (float)r.left, y = (float)r.bottom, w = (float)r.width, h = (float)r.height;
  const float corner[4][2] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
  const float rgba[4][4] = {{low[0], low[1], low[2], 1},
                            {low[0], low[1], low[2], 1},
                            {top[0], top[1], top[2], 1},
                            {top[0], top[1], top[2], 1}};
  flat_polygon(p->device, corner, rgba, 4);
}

static mjrRect inner(mjrRect r, int border) {
  mjrRect out = {r.left + border, r.bottom + border, r.width - 2 * border, r.height - 2 * border};
  return out;
}

// Draws as many characters of a text as fit; align: 0 left, 1 middle, 2 right.
static void put(const Paint* p, const char* text, mjrRect r, int align, const float rgb[3]) {
  int margin = ui_size(p->con, p->ui->spacing.texthor) / 2, room = r.width - 2 * margin, n = 0;
  while (text[n] && flat_text_width(p->device, mjFONT_NORMAL, text, n + 1) <= room) {
    n++;
  }
  int width = flat_text_width(p->device, mjFONT_NORMAL, text, n);
  const float rgba[4] = {rgb[0], rgb[1], rgb[2], 1};
  float x = (float)(r.left + margin) + 0.5f * (float)(align * (room - width));
  flat_text(p->device, mjFONT_NORMAL, text, n, x,
            (float)r.bottom + (float)(r.height - p->con->charHeight) / 2, rgba);
}

static void put_shortcut(const Paint* p, int modifier, int key, mjrRect r) {
  if (!key || !p->ui->mousehelp) {
    return;
  }
  const char* name = modifier == 1   ? "Ctrl+"
                     : modifier == 2 ? "Shift+"
                     : modifier == 4 ? "Alt+"
                                     : "";
  char text[40];
  if (key > 32 && key < 127) {
    snprintf(text, sizeof(text), "%s%c", name, key);
  } else if (key >= mjKEY_F1 && key <= mjKEY_F12) {
    snprintf(text, sizeof(text), "%sF%d", name, key - mjKEY_F1 + 1);
  } else {
    snprintf(text, sizeof(text), "%s#%d", name, key);
  }
  put(p, text, r, 2, p->ui->color.shortcut);
}

static const float* ink(const Paint* p, int is_enabled) {
  return is_enabled ? p->ui->color.fontactive : p->ui->color.fontinactive;
}

static void paint_choices(const Paint* p, const mjuiItem* item, int is_enabled) {
  const mjuiThemeColor* c = &p->ui->color;
  if (item->type == mjITEM_RADIOLINE) {
    put(p, item->name, item->rect, 0, ink(p, is_enabled));
  }
  for (int i = 0; i < item->multi.nelem; i++) {
    mjrRect r = inner(ui_choice_rect(p->ui, item, i, p->con), 1);
    int is_chosen = *(const int*)item->pdata == i;
    fill(p, r, is_chosen ? (is_enabled ? c->radio : c->decorinactive) : c->decorinactive2);
    put(p, item->multi.name[i], r, 1, ink(p, is_enabled));
  }
}

static void paint_slider(const Paint* p, const mjuiItem* item, int is_enabled) {
  const mjuiThemeColor* c = &p->ui->color;
  mjrRect r = ui_value_rect(p->ui, item, p->con), part = r;
  char text[mjMAXUITEXT];
  part.width = (int)((double)r.width * value_share(item));
  put(p, item->name, item->rect, 0, ink(p, is_enabled));
  fill(p, r, is_enabled ? c->slider2 : c->decorinactive2);
  fill(p, part, is_enabled ? c->slider : c->decorinactive);
  value_print(text, item);
  put(p, text, r, 1, ink(p, is_enabled));
}

static int is_edited(const mjUI* ui, const mjuiItem* item) {
  return ui->editsect == item->sectionid + 1 && ui->edititem == item->itemid;
}

// The text from where it is scrolled to, with the cursor.
static void paint_edit(const Paint* p, const mjuiItem* item, int is_enabled) {
  const mjuiThemeColor* c = &p->ui->color;
  mjrRect r = ui_value_rect(p->ui, item, p->con);
  char text[mjMAXUITEXT];
  int is_open = is_edited(p->ui, item);
  put(p, item->name, item->rect, 0, ink(p, is_enabled));
  fill(p, r, !is_enabled ? c->decorinactive2 : is_open ? c->edit2 : c->edit);
  if (!is_open) {
    value_print(text, item);
    put(p, text, r, 0, ink(p, is_enabled));
    return;
  }
  const char* shown = p->ui->edittext + p->ui->editscroll;
  put(p, shown, r, 0, ink(p, is_enabled));
  mjrRect cursor = {
      r.left + ui_size(p->con, p->ui->spacing.texthor) / 2 +
          flat_text_width(p->device, mjFONT_NORMAL, shown, p->ui->editcursor - p->ui->editscroll),
      r.bottom + 2, 2, r.height - 4};
  fill(p, cursor, c->cursor);
}

static void paint_check(const Paint* p, const mjuiItem* item, int is_enabled) {
  const mjuiThemeColor* c = &p->ui->color;
  mjrRect box = item->rect, label = item->rect;
  box.width = box.height;
  label.left += box.width;
  label.width -= box.width;
  int border = box.height / 6;
  fill(p, inner(box, border), c->decorinactive);
  if (value_int(item)) {
    fill(p, inner(box, 2 * border), is_enabled ? c->check : c->fontinactive);
  }
  put(p, item->name, label, 0, ink(p, is_enabled));
  put_shortcut(p, item->single.modifier, item->single.shortcut, item->rect);
}

static void paint_item(const Paint* p, const mjuiItem* item) {
  const mjuiThemeColor* c = &p->ui->color;
  int is_enabled = ui_is_enabled(p->ui, item);
  if (item->skip) {
    return;
  }
  fill(p, item->rect, c->sectpane);
  switch (item->type) {
    case mjITEM_SEPARATOR:
      shade(p, item->rect, c->separator, c->separator2);
      put(p, item->name, item->rect, item->state < mjSEPCLOSED, c->fontactive);
      if (item->state >= mjSEPCLOSED) {
        put(p, item->state == mjSEPCLOSED ? "+" : "-", item->rect, 2, c->sectsymbol);
      }
      break;
    case mjITEM_STATIC:
      put(p, item->name, item->rect, 0, ink(p, is_enabled));
      if (item->multi.nelem) {
        put(p, item->multi.name[0], ui_value_rect(p->ui, item, p->con), 0, ink(p, is_enabled));
      }
      break;
    case mjITEM_BUTTON:
      fill(p, item->rect, is_enabled ? c->button : c->decorinactive);
      put(p, item->name, item->rect, 1, ink(p, is_enabled));
      put_shortcut(p, item->single.modifier, item->single.shortcut, item->rect);
      break;
    case mjITEM_CHECKINT:
    case mjITEM_CHECKBYTE:
      paint_check(p, item, is_enabled);
      break;
    case mjITEM_RADIO:
    case mjITEM_RADIOLINE:
      paint_choices(p, item, is_enabled);
      break;
    case mjITEM_SELECT: {
      mjrRect r = ui_value_rect(p->ui, item, p->con);
      int chosen = *(const int*)item->pdata;
      put(p, item->name, item->rect, 0, ink(p, is_enabled));
      fill(p, r, is_enabled ? c->select : c->decorinactive);
      if (chosen >= 0 && chosen < item->multi.nelem) {
        put(p, item->multi.name[chosen], r, 1, ink(p, is_enabled));
      }
      break;
    }
    case mjITEM_SLIDERINT:
    case mjITEM_SLIDERNUM:
      paint_slider(p, item, is_enabled);
      break;
    default:
      paint_edit(p, item, is_enabled);
  }
}

static void paint_section(const Paint* p, const mjuiSection* sect) {
  const mjuiThemeColor* c = &p->ui->color;
  if (sect->state != mjSECT_FIXED) {
    const float* top = sect->checkbox == 0   ? c->secttitle
                       : sect->checkbox == 1 ? c->secttitleuncheck
                                             : c->secttitlecheck;
    const float* low = sect->checkbox == 0   ? c->secttitle2
                       : sect->checkbox == 1 ? c->secttitleuncheck2
                                             : c->secttitlecheck2;
    shade(p, sect->rtitle, top, low);
    mjrRect name = sect->rtitle;
    if (sect->checkbox) {
      name.left += ui_check_rect(sect).width;
      name.width -= ui_check_rect(sect).width;
    }
    put(p, sect->name, name, 0, c->sectfont);
    put(p, sect->state == mjSECT_OPEN ? "-" : "+", sect->rtitle, 2, c->sectsymbol);
    if (sect->checkbox) {
      mjrRect box = ui_check_rect(sect);
      fill(p, inner(box, box.height / 5), c->decorinactive);
      if (sect->checkbox == 2) {
        fill(p, inner(box, box.height / 3), c->check);
      }
    }
    put_shortcut(p, sect->modifier, sect->shortcut, sect->rtitle);
  }
  if (sect->state != mjSECT_CLOSED) {
    fill(p, sect->rcontent, c->sectpane);
    for (int i = 0; i < sect->nitem; i++) {
      paint_item(p, sect->item + i);
    }
  }
}

static void check_ids(const mjUI* ui, const mjuiState* state) {
  if (ui->auxid < 0 || ui->auxid >= mjNAUX) {
    mju_error("mjui: the panel's auxiliary buffer is %d: there are %d", ui->auxid, mjNAUX);
  }
  if (ui->rectid < 0 || ui->rectid >= mjMAXUIRECT || !state) {
    mju_error("mjui: the panel's rectangle is %d: there are %d", ui->rectid, mjMAXUIRECT);
  }
}

void mjui_update(int section, int item, const mjUI* ui, const mjuiState* state,
                 const mjrContext* con) {
  RenderDevice* device = render_device(con);
  check_ids(ui, state);
  if (section >= ui->nsect || (section >= 0 && item >= ui->sect[section].nitem)) {
    mju_error("mjui_update: item %d of section %d does not exist", item, section);
  }
  if (!con->auxFBO[ui->auxid]) {
    return;
  }
  Paint p = {device, ui, con};
  mjrRect all = {0, 0, con->auxWidth[ui->auxid], con->auxHeight[ui->auxid]};
  mjr_setAux(ui->auxid, con);
  flat_begin(device, all);
  if (section < 0) {
    fill(&p, all, ui->color.master);
    for (int s = 0; s < ui->nsect; s++) {
      paint_section(&p, ui->sect + s);
    }
  } else if (item < 0) {
    paint_section(&p, ui->sect + section);
  } else if (ui->sect[section].state != mjSECT_CLOSED) {
    paint_item(&p, ui->sect[section].item + item);
  }
  flat_end(device, FLAT_BLEND);
  mjr_restoreBuffer(con);
}

// The list of the item that the mouse has opened, in the window.
static void paint_list(const Paint* p, const mjuiState* state) {
  const mjUI* ui = p->ui;
  const mjuiItem* item = ui->sect[ui->mousesect - 1].item + ui->mouseitem;
  mjrRect window = state->rect[ui->rectid];
  int at[2];
  ui_to_panel(at, ui, state);
  for (int i = 0; i < item->multi.nelem; i++) {
    mjrRect r = ui_list_rect(ui, item, i, p->con);
    const float* rgb = ui_is_inside(r, at[0], at[1]) ? ui->color.select : ui->color.select2;
    r.bottom += window.height - ui->height + ui->scroll;
    fill(p, r, rgb);
    put(p, item->multi.name[i], r, 1, ui->color.fontactive);
  }
}

void mjui_render(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  RenderDevice* device = render_device(con);
  check_ids(ui, state);
  mjrRect rect = state->rect[ui->rectid];
  if (rect.width < 1 || rect.height < 1) {
    return;
  }
  int range = ui_scroll_range(ui, state);
  ui->scroll = ui->scroll < 0 ? 0 : ui->scroll > range ? range : ui->scroll;
  Paint p = {device, ui, con};
  mjrRect all = {0, 0, rect.width, rect.height};
  flat_begin(device, rect);
  fill(&p, all, ui->color.master);
  flat_end(device, FLAT_BLEND);

  // the visible part of the panel
  int top = ui->height - ui->scroll, low = top - rect.height > 0 ? top - rect.height : 0;
  mjrRect part = {0, low, ui->width < rect.width ? ui->width : rect.width, top - low};
  mjr_blitAux(ui->auxid, part, rect.left, rect.bottom + rect.height - part.height, con);

  flat_begin(device, rect);
  if (range > 0) {
    int width = ui_size(con, ui->spacing.scroll), height = rect.height * rect.height / ui->height;
    int y = (int)((long)(rect.height - height) * (range - ui->scroll) / range);
    mjrRect bar = {rect.width - width, y, width, height};
    fill(&p, inner(bar, 2), ui->color.thumb);
  }
  if (ui->mousesect > 0 && ui->mousesect <= ui->nsect) {
    const mjuiSection* sect = ui->sect + ui->mousesect - 1;
    if (ui->mouseitem >= 0 && ui->mouseitem < sect->nitem &&
        sect->item[ui->mouseitem].type == mjITEM_SELECT) {
      paint_list(&p, state);
    }
  }
  flat_end(device, FLAT_BLEND);
}
