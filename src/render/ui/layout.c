// layout.c: places of the parts of a panel.

#include "render/ui/layout.h"

#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <mujoco/api/ui.h>

#include "render/device.h"

int ui_size(const mjrContext* con, int size) {
  return size * con->fontScale / 100;
}

int ui_line(const mjUI* ui, const mjrContext* con) {
  return con->charHeight + 2 * ui_size(con, ui->spacing.textver);
}

int ui_is_enabled(const mjUI* ui, const mjuiItem* item) {
  if (item->state < 2 || item->type == mjITEM_SEPARATOR) {
    return item->state != 0;
  }
  return ui->predicate ? ui->predicate(item->state, ui->userdata) : 1;
}

int ui_is_inside(mjrRect rect, int x, int y) {
  return mjr_findRect(x, y, 1, &rect) == 0;
}

void ui_to_panel(int out[2], const mjUI* ui, const mjuiState* state) {
  mjrRect rect = state->rect[ui->rectid];
  out[0] = (int)state->x - rect.left;
  out[1] = (int)state->y - (rect.bottom + rect.height) + ui->height - ui->scroll;
}

int ui_scroll_range(const mjUI* ui, const mjuiState* state) {
  int range = ui->height - state->rect[ui->rectid].height;
  return range > 0 ? range : 0;
}

static int choice_columns(const mjUI* ui, const mjuiItem* item) {
  int columns = item->type == mjITEM_RADIOLINE ? item->multi.nelem
                : ui->radiocol > 0             ? ui->radiocol
                                               : 2;
  return columns > 0 ? columns : 1;
}

static int item_lines(const mjUI* ui, const mjuiItem* item) {
  if (item->type == mjITEM_RADIO) {
    int columns = choice_columns(ui, item);
    int lines = (item->multi.nelem + columns - 1) / columns;
    return lines > 0 ? lines : 1;
  }
  return 1;
}

mjrRect ui_value_rect(const mjUI* ui, const mjuiItem* item, const mjrContext* con) {
  mjrRect rect = item->rect;
  int label = ui_size(con, ui->spacing.label);
  label = label < rect.width / 2 ? label : rect.width / 2;
  rect.left += label;
  rect.width -= label;
  return rect;
}

mjrRect ui_choice_rect(const mjUI* ui, const mjuiItem* item, int i, const mjrContext* con) {
  mjrRect all = item->type == mjITEM_RADIOLINE ? ui_value_rect(ui, item, con) : item->rect;
  int columns = choice_columns(ui, item), line = ui_line(ui, con), width = all.width / columns;
  mjrRect rect = {all.left + i % columns * width,
                  all.bottom + all.height - (i / columns + 1) * line, width, line};
  return rect;
}

mjrRect ui_list_rect(const mjUI* ui, const mjuiItem* item, int i, const mjrContext* con) {
  mjrRect rect = ui_value_rect(ui, item, con);
  int is_below = rect.bottom >= item->multi.nelem * rect.height;
  rect.bottom += is_below ? -(i + 1) * rect.height : (item->multi.nelem - i) * rect.height;
  return rect;
}

mjrRect ui_check_rect(const mjuiSection* sect) {
  mjrRect rect = sect->rtitle;
  rect.width = rect.height;
  return rect;
}

// Places items below y from the top. Returns where they end.
static int place_items(mjUI* ui, mjuiSection* sect, int y, const mjrContext* con) {
  int side = ui_size(con, ui->spacing.section) + ui_size(con, ui->spacing.itemside);
  int gap = ui_size(con, ui->spacing.itemver), is_hidden = 0;
  y += gap;
  for (int i = 0; i < sect->nitem; i++) {
    mjuiItem* item = sect->item + i;
    if (item->type == mjITEM_SEPARATOR) {
      is_hidden = item->state == mjSEPCLOSED;
    }
    item->skip = is_hidden && item->type != mjITEM_SEPARATOR;
    int height = item_lines(ui, item) * ui_line(ui, con);
    mjrRect rect = {side, y + height, ui->width - ui_size(con, ui->spacing.scroll) - 2 * side,
                    height};
    item->rect = rect;
    y += item->skip ? 0 : height + gap;
  }
  return y;
}

// Places sections below each other. rect.bottom is measured from the top, until the height is
// known.
static int place_all(mjUI* ui, int all_open, const mjrContext* con) {
  int edge = ui_size(con, ui->spacing.section), y = edge;
  int width = ui->width - ui_size(con, ui->spacing.scroll) - 2 * edge;
  for (int s = 0; s < ui->nsect; s++) {
    mjuiSection* sect = ui->sect + s;
    int title = sect->state == mjSECT_FIXED ? 0 : ui_line(ui, con);
    mjrRect rtitle = {edge, y + title, width, title};
    sect->rtitle = rtitle;
    y += title;
    int start = y, is_open = all_open || sect->state != mjSECT_CLOSED;
    y = is_open ? place_items(ui, sect, y, con) : y;
    mjrRect rcontent = {edge, y, width, y - start};
    sect->rcontent = rcontent;
    y += edge;
  }
  return y;
}

static void turn_over(mjrRect* rect, int height) {
  rect->bottom = height - rect->bottom;
}

static void place(mjUI* ui, const mjrContext* con) {
  ui->width = ui_size(con, ui->spacing.total);
  ui->maxheight = place_all(ui, 1, con);
  ui->height = place_all(ui, 0, con);
  for (int s = 0; s < ui->nsect; s++) {
    turn_over(&ui->sect[s].rtitle, ui->height);
    turn_over(&ui->sect[s].rcontent, ui->height);
    for (int i = 0; i < ui->sect[s].nitem; i++) {
      turn_over(&ui->sect[s].item[i].rect, ui->height);
    }
  }
}

// Closes the open section that was clicked longest ago. Returns 0 if none is left.
static int close_one(mjUI* ui) {
  mjuiSection* oldest = NULL;
  for (int s = 0; s < ui->nsect; s++) {
    mjuiSection* sect = ui->sect + s;
    if (sect->state == mjSECT_OPEN && (!oldest || sect->lastclick < oldest->lastclick)) {
      oldest = sect;
    }
  }
  if (oldest) {
    oldest->state = mjSECT_CLOSED;
  }
  return oldest != NULL;
}

void mjui_resize(mjUI* ui, const mjrContext* con) {
  GLint most = 0;
  render_device(con)->gl.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  do {
    place(ui, con);
  } while (ui->height > most && close_one(ui));
  ui->maxheight = ui->maxheight < most ? ui->maxheight : most;
}
