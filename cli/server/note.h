// note.h: tells the browser a secret address.
//
// Every user of a machine can read the words of a running command, so the address is in none: the
// browser is given a page in a folder of its own, readable by this user alone, which leads there.

#pragma once

typedef struct Note_ {
  char path[4096];  // of the page; "" if there is none
} Note;

// Writes the page. Returns 1, or 0, after a message, if it can't.
int note_write(Note* note, const char* address);

// Removes page and folder; may be called twice.
void note_remove(Note* note);
