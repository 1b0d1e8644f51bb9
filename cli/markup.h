// markup.h: texts of a model or a table in XML and HTML, where they must not become tags.

#pragma once

#include <stdio.h>

// Writes at most `length` bytes of a text. Signs of markup are escaped, so it can stand between
// tags and in quoted attributes; control characters are left out.
void markup_text(FILE* file, const char* text, size_t length);

// Writes bytes as base64.
void markup_base64(FILE* file, const unsigned char* bytes, size_t length);
