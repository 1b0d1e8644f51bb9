// event.c: what mouse and keyboard do to a panel.

#include <limits.h>
#include <mujoco/api/base.h>
#include <mujoco/api/render.h>
#include <mujoco/api/ui.h>
#include <string.h>

#include "render/device.h"
#include "render/flat.h"
#include "render/ui/layout.h"
#include "render/ui/value.h"

static mjuiItem* edited_item(mjUI* ui) {
  int s = ui->editsect - 1;
  int is_there = s >= 0 && s < ui->nsect && ui->edititem >= 0 && ui->edititem < ui->sect[s].nitem;
  return is_there ? ui->sect[s].item + ui->edititem : NULL;
}

static void redraw(mjUI* ui, const mjuiItem* item, const mjuiState* state, const mjrContext* con) {
  mjui_update(item->sectionid, item->itemid, ui, state, con);
}

static void redraw_all(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  mjui_resize(ui, con);
  mjui_update(-1, -1, ui, state, con);
}

// Scrolls the text so that the cursor stays visible.
static void scroll_text(mjUI* ui, const mjuiItem* item, const mjrContext* con) {
  const RenderDevice* device = render_device(con);
  int room = ui_value_rect(ui, item, con).width - 2 * ui_size(con, ui->spacing.texthor);
  ui->editscroll = ui->editscroll < ui->editcursor ? ui->editscroll : ui->editcursor;
  while (ui->editscroll < ui->editcursor &&
         flat_text_width(device, mjFONT_NORMAL, ui->edittext + ui->editscroll,
                         ui->editcursor - ui->editscroll) > room) {
    ui->editscroll++;
  }
}

static void begin_edit(mjUI* ui, const mjuiItem* item, const mjrContext* con) {
  ui->editsect = item->sectionid + 1;
  ui->edititem = item->itemid;
  value_print(ui->edittext, item);
  ui->editcursor = (int)strlen(ui->edittext);
  ui->editscroll = 0;
  scroll_text(ui, item, con);
}

// Ends editing. Returns the item if the new value was accepted.
static mjuiItem* end_edit(mjUI* ui, int is_accepted, const mjuiState* state,
                          const mjrContext* con) {
  mjuiItem* item = edited_item(ui);
  ui->editsect = 0;
  if (!item) {
    return NULL;
  }
  char before[mjMAXUITEXT];
  value_print(before, item);
  int is_new = is_accepted && strcmp(before, ui->edittext) != 0 && value_read(item, ui->edittext);
  redraw(ui, item, state, con);
  return is_new ? item : NULL;
}

// Deletes the character at an index of the text.
static void take_out(mjUI* ui, int at) {
  size_t n = strlen(ui->edittext);
  if (at >= 0 && (size_t)at < n) {
    memmove(ui->edittext + at, ui->edittext + at + 1, n - (size_t)at);
    ui->editcursor -= at < ui->editcursor;
  }
}

static void put_in(mjUI* ui, char c) {
  size_t n = strlen(ui->edittext), at = (size_t)ui->editcursor;
  if (n + 1 < mjMAXUITEXT && at <= n) {
    memmove(ui->edittext + at + 1, ui->edittext + at, n + 1 - at);
    ui->edittext[at] = c;
    ui->editcursor++;
  }
}

// The next editable item of the section.
static mjuiItem* next_edit(mjUI* ui, const mjuiItem* item) {
  mjuiSection* sect = ui->sect + item->sectionid;
  for (int i = item->itemid + 1; i < sect->nitem; i++) {
    if (sect->item[i].type >= mjITEM_EDITINT && !sect->item[i].skip &&
        ui_is_enabled(ui, sect->item + i)) {
      return sect->item + i;
    }
  }
  return NULL;
}

// The character typed with a letter or digit key, with shift as on a US keyboard.
static char typed(const mjuiState* state) {
  static const char DIGIT[] = ")!@#$%^&*(";
  int key = state->key;
  if (key >= mjKEY_NUMPAD_0 && key <= mjKEY_NUMPAD_9) {
    return (char)('0' + key - mjKEY_NUMPAD_0);
  }
  if (key >= 'A' && key <= 'Z' && !state->shift) {
    return (char)(key - 'A' + 'a');
  }
  if (key >= '0' && key <= '9' && state->shift) {
    return DIGIT[key - '0'];
  }
  if (key == '-' && state->shift) {
    return '_';
  }
  return key >= 32 && key < 127 ? (char)key : 0;
}

static mjuiItem* edit_key(mjUI* ui, mjuiState* state, const mjrContext* con) {
  mjuiItem* item = edited_item(ui);
  int key = state->key, end = (int)strlen(ui->edittext);
  state->key = 0;
  switch (key) {
    case mjKEY_ENTER:
      return end_edit(ui, 1, state, con);
    case mjKEY_ESCAPE:
      return end_edit(ui, 0, state, con);
    case mjKEY_TAB: {
      mjuiItem* next = next_edit(ui, item);
      mjuiItem* changed = end_edit(ui, 1, state, con);
      if (next) {
        begin_edit(ui, next, con);
        redraw(ui, next, state, con);
      }
      return changed;
    }
    case mjKEY_BACKSPACE:
      take_out(ui, ui->editcursor - 1);
      break;
    case mjKEY_DELETE:
      take_out(ui, ui->editcursor);
      break;
    case mjKEY_LEFT:
      ui->editcursor -= ui->editcursor > 0;
      break;
    case mjKEY_RIGHT:
      ui->editcursor += ui->editcursor < end;
      break;
    case mjKEY_HOME:
      ui->editcursor = 0;
      break;
    case mjKEY_END:
      ui->editcursor = end;
      break;
    default: {
      int is_command = state->control || state->alt;
      state->key = key;
      char c = typed(state);
      state->key = is_command || !c ? key : 0;
      if (c && !is_command) {
        put_in(ui, c);
      }
    }
  }
  scroll_text(ui, item, con);
  redraw(ui, item, state, con);
  return NULL;
}

// The item or section whose shortcut was pressed, if it is enabled.
static mjuiItem* shortcut_key(mjUI* ui, mjuiState* state, const mjrContext* con) {
  int modifier = state->control ? 1 : state->shift ? 2 : state->alt ? 4 : 0, key = state->key;
  for (int s = 0; s < ui->nsect && key; s++) {
    mjuiSection* sect = ui->sect + s;
    if (sect->shortcut == key && sect->modifier == modifier && sect->state != mjSECT_FIXED) {
      sect->state = sect->state == mjSECT_OPEN ? mjSECT_CLOSED : mjSECT_OPEN;
      state->key = 0;
      redraw_all(ui, state, con);
      return NULL;
    }
    for (int i = 0; i < sect->nitem; i++) {
      mjuiItem* item = sect->item + i;
      int has_shortcut = item->type >= mjITEM_BUTTON && item->type <= mjITEM_CHECKBYTE;
      if (has_shortcut && item->single.shortcut == key && item->single.modifier == modifier &&
          ui_is_enabled(ui, item)) {
        state->key = 0;
        if (item->type != mjITEM_BUTTON) {
          value_toggle(item);
          redraw(ui, item, state, con);
        }
        return item;
      }
    }
  }
  return NULL;
}

static mjuiItem* move_slider(mjUI* ui, mjuiItem* item, int x, const mjuiState* state,
                             const mjrContext* con) {
  mjrRect r = ui_value_rect(ui, item, con);
  if (!value_move(item, (double)(x - r.left) / r.width)) {
    return NULL;
  }
  redraw(ui, item, state, con);
  return item;
}

// The choice at a point, -1 if there is none.
static int choice_at(const mjUI* ui, const mjuiItem* item, const int at[2], const mjrContext* con) {
  int is_list = item->type == mjITEM_SELECT;
  for (int i = 0; i < item->multi.nelem; i++) {
    mjrRect r = is_list ? ui_list_rect(ui, item, i, con) : ui_choice_rect(ui, item, i, con);
    if (ui_is_inside(r, at[0], at[1])) {
      return i;
    }
  }
  return -1;
}

static mjuiItem* choose(mjUI* ui, mjuiItem* item, const int at[2], const mjuiState* state,
                        const mjrContext* con) {
  int i = choice_at(ui, item, at, con);
  if (i < 0 || *(int*)item->pdata == i) {
    return NULL;
  }
  *(int*)item->pdata = i;
  redraw(ui, item, state, con);
  return item;
}

static mjuiItem* press_item(mjUI* ui, mjuiItem* item, const int at[2], const mjuiState* state,
                            const mjrContext* con) {
  if (item->type == mjITEM_SEPARATOR && item->state >= mjSEPCLOSED) {
    item->state = item->state == mjSEPCLOSED ? mjSEPCLOSED + 1 : mjSEPCLOSED;
    redraw_all(ui, state, con);
    return NULL;
  }
  if (!ui_is_enabled(ui, item)) {
    return NULL;
  }
  switch (item->type) {
    case mjITEM_SEPARATOR:
    case mjITEM_STATIC:
      return NULL;
    case mjITEM_BUTTON:
      return item;
    case mjITEM_CHECKINT:
    case mjITEM_CHECKBYTE:
      value_toggle(item);
      redraw(ui, item, state, con);
      return item;
    case mjITEM_RADIO:
    case mjITEM_RADIOLINE:
      return choose(ui, item, at, state, con);
    case mjITEM_SELECT:
    case mjITEM_SLIDERINT:
    case mjITEM_SLIDERNUM:
      // held until the button is released
      ui->mousesect = item->sectionid + 1;
      ui->mouseitem = item->itemid;
      return item->type == mjITEM_SELECT ||
                     !ui_is_inside(ui_value_rect(ui, item, con), at[0], at[1])
                 ? NULL
                 : move_slider(ui, item, at[0], state, con);
    default:
      begin_edit(ui, item, con);
      redraw(ui, item, state, con);
      return NULL;
  }
}

// A click on the check box of a title is reported only: the program reads mousesectcheck, and
// changes the box itself.
static void press_title(mjUI* ui, int s, const int at[2], const mjuiState* state,
                        const mjrContext* con) {
  mjuiSection* sect = ui->sect + s;
  if (sect->checkbox && ui_is_inside(ui_check_rect(sect), at[0], at[1])) {
    ui->mousesectcheck = s + 1;
    return;
  }
  ui->mousesectcheck = 0;
  if (state->doubleclick) {
    // the second click of a double click: all sections get the state that the first one gave this
    // section
    for (int i = 0; i < ui->nsect; i++) {
      if (ui->sect[i].state != mjSECT_FIXED) {
        ui->sect[i].state = sect->state;
      }
    }
  } else {
    sect->state = sect->state == mjSECT_OPEN ? mjSECT_CLOSED : mjSECT_OPEN;
  }
  redraw_all(ui, state, con);
}

static mjuiItem* press(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  int at[2];
  ui_to_panel(at, ui, state);
  mjrRect rect = state->rect[ui->rectid];
  if (state->button == mjBUTTON_RIGHT) {
    ui->mousehelp = 1;
    mjui_update(-1, -1, ui, state, con);
    return NULL;
  }
  if (state->button != mjBUTTON_LEFT) {
    return NULL;
  }
  if (at[0] >= rect.width - ui_size(con, ui->spacing.scroll) && ui_scroll_range(ui, state) > 0) {
    ui->mousesect = -1;
    return NULL;
  }
  for (int s = 0; s < ui->nsect; s++) {
    mjuiSection* sect = ui->sect + s;
    if (ui_is_inside(sect->rtitle, at[0], at[1])) {
      sect->lastclick = ui->mouseclicks;
      press_title(ui, s, at, state, con);
      return NULL;
    }
    for (int i = 0; i < sect->nitem && sect->state != mjSECT_CLOSED; i++) {
      if (!sect->item[i].skip && ui_is_inside(sect->item[i].rect, at[0], at[1])) {
        sect->lastclick = ui->mouseclicks;
        return press_item(ui, sect->item + i, at, state, con);
      }
    }
  }
  return NULL;
}

// The item that is held, NULL if none is.
static mjuiItem* held_item(mjUI* ui) {
  int s = ui->mousesect - 1;
  int is_there = s >= 0 && s < ui->nsect && ui->mouseitem >= 0 && ui->mouseitem < ui->sect[s].nitem;
  return is_there ? ui->sect[s].item + ui->mouseitem : NULL;
}

static mjuiItem* drag(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  mjuiItem* item = held_item(ui);
  mjrRect rect = state->rect[ui->rectid];
  if (ui->mousesect == -1 && rect.height > 0) {
    // y points up for the mouse, but scrolling counts down
    ui->scroll -= (int)(state->dy * ui->height / rect.height);
  } else if (item && item->type != mjITEM_SELECT) {
    int at[2];
    ui_to_panel(at, ui, state);
    return move_slider(ui, item, at[0], state, con);
  }
  return NULL;
}

static mjuiItem* release(mjUI* ui, const mjuiState* state, const mjrContext* con) {
  mjuiItem *item = held_item(ui), *changed = NULL;
  ui->mousesect = 0;
  if (ui->mousehelp && !state->right) {
    ui->mousehelp = 0;
    mjui_update(-1, -1, ui, state, con);
  }
  if (item && item->type == mjITEM_SELECT) {
    int at[2];
    ui_to_panel(at, ui, state);
    changed = choose(ui, item, at, state, con);
  }
  return changed;
}

mjuiItem* mjui_event(mjUI* ui, mjuiState* state, const mjrContext* con) {
  render_device(con);
  if (ui->rectid < 0 || ui->rectid >= mjMAXUIRECT) {
    mju_error("mjui_event: the panel's rectangle is %d: there are %d", ui->rectid, mjMAXUIRECT);
  }
  ui->editchanged = NULL;
  switch (state->type) {
    case mjEVENT_PRESS:
      ui->mouseclicks++;
      if (edited_item(ui)) {
        ui->editchanged = end_edit(ui, 1, state, con);
      }
      return state->mouserect == ui->rectid ? press(ui, state, con) : NULL;
    case mjEVENT_MOVE:
      return state->left || ui->mousesect ? drag(ui, state, con) : NULL;
    case mjEVENT_RELEASE:
      return release(ui, state, con);
    case mjEVENT_SCROLL:
      if (state->mouserect == ui->rectid) {
        int range = ui_scroll_range(ui, state);
        ui->scroll -= (int)(state->sy * ui_size(con, ui->spacing.linescroll));
        ui->scroll = ui->scroll < 0 ? 0 : ui->scroll > range ? range : ui->scroll;
      }
      return NULL;
    case mjEVENT_KEY:
      return edited_item(ui) ? edit_key(ui, state, con) : shortcut_key(ui, state, con);
    default:
      return NULL;
  }
}
