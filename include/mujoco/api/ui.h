// ui.h: the functions of the interface for panels of switches, sliders and texts; those that
// src/render/ui defines, in the library condyle_render. Programs include mujoco.h; its conventions
// hold here.
//
// A panel is drawn into its auxiliary buffer when something changes and copied into the window with
// each picture:
//
//   mjui_add(&ui, table);                                  once
//   mjui_resize(&ui, &con);                                fonts or sections change
//   mjr_addAux(ui.auxid, ui.width, ui.maxheight, ui.spacing.samples, &con);
//   mjui_update(-1, -1, &ui, &state, &con);
//   item = mjui_event(&ui, &state, &con);                  mouse and keyboard
//   mjui_render(&ui, &state, &con);                        each picture
//
// state has the position of the mouse in pixels from the lower left corner of the window, and the
// panel's rectangle, state->rect[ui->rectid].

#ifndef MUJOCO_API_UI_H_
#define MUJOCO_API_UI_H_

#include <mujoco/mjexport.h>
#include <mujoco/mjrender.h>
#include <mujoco/mjui.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sizes: 0 narrow, else wide.
MJAPI mjuiThemeSpacing mjui_themeSpacing(int ind);

// Colors: 0 blue, 1 orange, 2 white, else black.
MJAPI mjuiThemeColor mjui_themeColor(int ind);

// Adds the sections and items of a table that ends with mjITEM_END; items go to the last section.
// What doesn't fit or makes no sense is an error.
MJAPI void mjui_add(mjUI* ui, const mjuiDef* def);

// Adds items to a section.
MJAPI void mjui_addToSection(mjUI* ui, int sect, const mjuiDef* def);

// Computes sizes and places of everything. If the panel is higher than any buffer can be, sections
// that were not clicked for long are closed.
MJAPI void mjui_resize(mjUI* ui, const mjrContext* con);

// Draws an item, a section (item -1) or everything (section -1) into the panel's buffer.
MJAPI void mjui_update(int section, int item, const mjUI* ui, const mjuiState* state,
                       const mjrContext* con);

// Handles an event. Returns the item whose value was changed, or the button that was pressed; NULL
// if there is none. A text that was being edited and ends by a click elsewhere is ui->editchanged.
// A click on the box of a section's title is ui->mousesectcheck: the program checks or clears the
// box (sect.checkbox). A key that was used is taken away from state.
MJAPI mjuiItem* mjui_event(mjUI* ui, mjuiState* state, const mjrContext* con);

// Copies the panel into the current buffer, with what lies above it: an open list, the scroll bar.
MJAPI void mjui_render(mjUI* ui, const mjuiState* state, const mjrContext* con);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_UI_H_
