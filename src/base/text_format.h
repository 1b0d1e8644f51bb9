// text_format.h: numbers as text that reads back as the same number.
//
// Every real is written with the fewest digits that give it back exactly: 0.1 stays "0.1", and a
// saved model is the model, not one near it. Independent of the program's locale.

#ifndef CONDYLE_BASE_TEXT_FORMAT_H_
#define CONDYLE_BASE_TEXT_FORMAT_H_

enum {
  TEXT_NUMBER_BYTES = 32,  // room for any number and its terminator
};

// Each writes to out, TEXT_NUMBER_BYTES long, and returns the length. A number that is too small to
// be read (subnormal) is written as 0.
int text_formatreal(char* out, double value);
int text_formatsingle(char* out, float value);

#endif  // CONDYLE_BASE_TEXT_FORMAT_H_
