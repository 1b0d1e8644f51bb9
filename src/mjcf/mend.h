// mend.h: rewrites XML that is not well-formed but unambiguous, for a strict parser.
//
// Model files are written by hand and by small scripts, and most were read by lenient parsers only:
// hyphens in comments, umlauts of another encoding, a bare '&' in a path. Expat refuses these. They
// are rewritten in a copy of the text before Expat sees it, each run of characters with one warning
// at its first place. Where the copy differs in length, the edits are kept, so that an offset in
// the copy leads back to the text as its author wrote it. One pass; time and memory are linear.
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
//   an end tag after the root element           the end
//   a NUL character                             the end

#ifndef CONDYLE_MJCF_MEND_H_
#define CONDYLE_MJCF_MEND_H_

#include <stddef.h>

#include "base/diagnostic.h"

// A position in a text that moves forward at little cost.
typedef struct TextCursor_ {
  const char* text;
  size_t offset;
  SourcePlace place;  // of the offset; columns count characters
} TextCursor;

// The beginning of a text; file may be NULL.
TextCursor text_cursor(const char* text, const char* file);

// Moves to an offset within the text, from the beginning if it lies behind.
SourcePlace text_moveto(TextCursor* cursor, size_t offset);

typedef struct MendEdit_ MendEdit;

// What the parser gets to read.
typedef struct Mended_ {
  const char* text;
  size_t size;
  char* copy;       // owns text; NULL: the original needed nothing
  MendEdit* edits;  // where the lengths differ, in their order
  int nedit;
} Mended;

// Mends a text of a file; the original must outlive the result.
void mend_text(Mended* mended, const char* text, size_t size, const char* file,
               cndDiagnostics* problems);

void mend_free(Mended* mended);

// Offset in the original of an offset in what the parser reads.
size_t mend_origin(const Mended* mended, size_t offset);

#endif  // CONDYLE_MJCF_MEND_H_
