// layout.h: places of the parts of a panel, in pixels from its lower left corner, and whether they
// can be used.

#pragma once

#include <mujoco/mjrender.h>
#include <mujoco/mjui.h>

// A size of the theme in pixels.
int ui_size(const mjrContext* con, int size);

// The height of a line with the space around it.
int ui_line(const mjUI* ui, const mjrContext* con);

// The part of an item that shows its value, right of its name.
mjrRect ui_value_rect(const mjUI* ui, const mjuiItem* item, const mjrContext* con);

// The place of choice i of an item that shows all.
mjrRect ui_choice_rect(const mjUI* ui, const mjuiItem* item, int i, const mjrContext* con);

// The place of choice i in the open list of an item, which hangs below it or stands above.
mjrRect ui_list_rect(const mjUI* ui, const mjuiItem* item, int i, const mjrContext* con);

// The box in the title of a section, left of its name.
mjrRect ui_check_rect(const mjuiSection* sect);

int ui_is_enabled(const mjUI* ui, const mjuiItem* item);

// Is a point in a rectangle?
int ui_is_inside(mjrRect rect, int x, int y);

// A point of the window as one of the panel.
void ui_to_panel(int out[2], const mjUI* ui, const mjuiState* state);

// Pixels by which the panel can be scrolled.
int ui_scroll_range(const mjUI* ui, const mjuiState* state);
