// json.h: texts in JSON for the page, built piece by piece.
//
// One text at a time: json_start begins anew, and the result is valid until then. Without memory
// the text becomes empty and stays so.

#pragma once

void json_start(void);

// Appends punctuation as it is.
void json_raw(const char* text);

// Appends a text in quotes, with escapes. Bytes that are not UTF-8 become U+FFFD.
void json_text(const char* text);

void json_number(double number);

const char* json_end(void);
