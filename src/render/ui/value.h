// value.h: the program's variables that items show: as text, as a slider's position, and changes.

#pragma once

#include <mujoco/mjui.h>

// The value of a check box (0 or 1), or the index chosen in a radio group or list.
int value_int(const mjuiItem* item);

// The value as text: numbers are apart by blanks.
void value_print(char out[mjMAXUITEXT], const mjuiItem* item);

// Sets the value from text. Returns 0 and changes nothing if it can't be read; numbers are cut to
// their limits.
int value_read(const mjuiItem* item, const char* text);

// The position of a slider, from 0 to 1, and setting it. value_move returns 1 if the value changed.
double value_share(const mjuiItem* item);
int value_move(const mjuiItem* item, double share);

// Inverts a check box.
void value_toggle(const mjuiItem* item);
