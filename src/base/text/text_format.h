// text_format.h: numbers as text that reads back as the same number.
//
// A real gets the fewest digits that give it back exactly: 0.1 stays "0.1", and a saved model loads
// as exactly the same model. The program's locale has no effect.

#pragma once

enum {
  TEXT_NUMBER_BYTES = 32,  // room for any number and its terminator
};

// Writes to out, which has TEXT_NUMBER_BYTES, and returns the length. A subnormal number is written
// as 0.
int text_formatreal(char* out, double value);
int text_formatsingle(char* out, float value);
