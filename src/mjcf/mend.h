// mend.h: corrects XML that is not well-formed but unambiguous, for a strict parser.
//
// Model files are written by hand and by small scripts, and most were only read by lenient parsers.
// They may have hyphens in comments, umlauts of another encoding, a bare '&' in a path. Expat
// refuses these, so they are corrected in a copy of the text before Expat sees it. Each run of
// characters gets one warning at its first change. Edits that change the length are kept, so that
// an offset in the copy maps to the original text. One pass; time and memory are linear.
//
//   written                                     read as
//   <!-- a -- b --->                            <!-- a - - b - -->
//   bytes that are not UTF-8                    Latin-1
//   control characters in comments and content  spaces
//   a & b, a < b in a value                     a &amp; b, a &lt; b
//   line ends and tabs in a value               &#10; and &#9;: XML makes them spaces; no warning
//   a="1"b="2"                                  a="1" b="2"
//   <?xml encoding="odd"?>, spaces before it    spaces: the text is UTF-8
//   elements after the root element             spaces; text too, if any markup follows
//   an end tag after the root element           the end of the text
//   a NUL character                             the end

#pragma once

#include <stddef.h>

#include "base/diagnostic.h"

// A position in a text, cheap to move forward.
typedef struct TextCursor_ {
  const char* text;
  size_t offset;
  SourcePlace place;  // place of the offset; columns count characters
} TextCursor;

// The beginning of a text; file may be NULL.
TextCursor text_cursor(const char* text, const char* file);

// Moves to an offset within the text. To move backwards it starts again from the beginning.
SourcePlace text_moveto(TextCursor* cursor, size_t offset);

typedef struct MendEdit_ MendEdit;

// The text for the parser.
typedef struct Mended_ {
  const char* text;
  size_t size;
  char* copy;       // owns text; NULL if the original needed no change
  MendEdit* edits;  // edits that changed the length, in order
  int nedit;
} Mended;

// Mends a text of a file. The original must outlive the result.
void mend_text(Mended* mended, const char* text, size_t size, const char* file,
               cndDiagnostics* problems);

void mend_free(Mended* mended);

// Maps an offset in the parser's text to one in the original.
size_t mend_origin(const Mended* mended, size_t offset);
