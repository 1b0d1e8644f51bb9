// Texts that a lenient parser reads: each is read, with one warning at its place. An '@' marks the
// place and is taken out; the size is that of the text, so that a NUL may stand in it.

#include "mjcf/mend.h"

#include <condyle/load.h>
#include <time.h>

#include "base/diagnostic.h"
#include "mjcf/document.h"
#include "support/test.h"

typedef struct Case_ {
  const char* text;
  const char* phrase;  // of the warning; NULL: there is none
  const char* value;   // of the attribute "a" of the last element in the root, NULL: not looked at
} Case;

#define ROOT(x) "<m>\n " x "<g a='1'/></m>"

static const Case cases[] = {
    {ROOT("<!-- a @-- b -->"), "'--'", "1"},
    {ROOT("<!-- a @--->"), "'--'", "1"},
    {ROOT("<!--@------->"), "'--'", "1"},
    {ROOT("<!---->"), NULL, "1"},
    {ROOT("<!-- @\xE9\xFF -->"), "Latin-1", "1"},
    {ROOT("<!-- \xC3\xA9 @\xC3 -->"), "Latin-1", "1"},
    {ROOT("<!-- \xF0\x9F\x98\x80 -->"), NULL, "1"},
    {ROOT("<!-- @\xED\xA0\x80 -->"), "Latin-1", "1"},
    {ROOT("<!-- @\x01 -->"), "control character", "1"},
    {ROOT("@\x01"), "control character", "1"},
    {ROOT("a @& b &lt;"), "&amp;", "1"},
    {ROOT("a ]]@> b"), "CDATA", "1"},
    {ROOT("<![CDATA[ &<\xFF ]]>"), NULL, "1"},
    {"<m><g a='@\xE9'/></m>", "Latin-1", "\xC3\xA9"},
    {"<m><g a='x @& y'/></m>", "&amp;", "x & y"},
    {"<m><g a='@&x;&#65;&#x42;&#6&#xg;&#;&'/></m>", "&amp;", "&x;AB&#6&#xg;&#;&"},
    {"<m><g a='&lt;&gt;&amp;&quot;&apos;'/></m>", NULL, "<>&\"'"},
    {"<m><g a='\xC3\xA9 @< > y'/></m>", "&lt;", "\xC3\xA9 < > y"},
    {"<m><g a='1\n2\t3\r\n4\r5'/></m>", NULL, "1\n2\t3\n4\n5"},
    {"<m><g b=\"1\"@a='2' c='3'/></m>", "space", "2"},
    {"<?xml version='1.0' encoding='@martian'?>" ROOT(""), "unknown encoding", "1"},
    {"<?xml version='1.0' encoding='@UTF-16'?>" ROOT(""), "unknown encoding", "1"},
    {"<?xml version='1.0' encoding='@'?>" ROOT(""), "unknown encoding", "1"},
    {"<?xml version='1.0' encoding='utf-8'?>" ROOT(""), NULL, "1"},
    {"<?xml version='1.0' encoding=\"UTF8\" standalone='no'?>" ROOT(""), NULL, "1"},
    {"<?xml version='1.1'?>" ROOT(""), NULL, "1"},
    {"<?xml?>" ROOT(""), NULL, "1"},
    {"<?xml version='1.0' encoding='iso-8859-1'?><m><g a='\xC3\xA9'/></m>", NULL,
     "\xC3\x83\xC2\xA9"},
    {" \n @<?xml version='1.0'?>" ROOT(""), "before the XML declaration", "1"},
    {"\xEF\xBB\xBF<?xml version='1.0'?>" ROOT(""), NULL, "1"},
    {ROOT("") "\n@<m/>", "after the root", "1"},
    {ROOT("") "\n@<x a='1'><y></y></x> <!-- c --> <z/> ", "after the root", "1"},
    {ROOT("") "<!-- c -->\n", NULL, "1"},
    {ROOT("") "\n@</mujoco>\n", "an end tag after the root", "1"},
    {ROOT("") "<!-- @-- -->\n</other ></m>text < & <m>", "'--'", "1"},
    {ROOT("<!-- @-- -->") "<!-- c --></m><!-- not closed", "'--'", "1"},
    {ROOT("") " @text <x a='&'/> text</m>text", "after the root", "1"},
    {ROOT("") "@<!DOCTYPE m SYSTEM 'x'>\n", "after the root", "1"},
    {"<!DOCTYPE m>" ROOT(""), NULL, "1"},
};

// Takes the first '@' out of a text (the caller frees it); 0 if there is none.
static int unmark(char** plain, int* line, int* column, const char* text) {
  *plain = calloc(1, strlen(text) + 1);
  assert_non_null(*plain);
  const char* mark = strchr(text, '@');
  size_t before = mark ? (size_t)(mark - text) : strlen(text);
  memcpy(*plain, text, before);
  strcpy(*plain + before, mark ? mark + 1 : "");
  TextCursor cursor = text_cursor(*plain, NULL);
  SourcePlace place = text_moveto(&cursor, before);
  *line = place.line;
  *column = place.column;
  return mark != NULL;
}

TEST(what_people_write_is_read_with_a_warning_at_its_place) {
  int wrong = 0;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    int line, column;
    char* text;
    int is_marked = unmark(&text, &line, &column, cases[i].text);
    cndDiagnostics* problems = cnd_makeDiagnostics();
    Document* document = document_readtext(text, "", "", NULL, problems);
    const char* value = document ? node_text(document_root(document)->last, "a") : "(unread)";
    const cndDiagnostic* first = cnd_diagnostic(problems, 0);
    int is_place = first && first->line == line && first->column == column;
    int is_phrase = first && (!cases[i].phrase || strstr(first->message, cases[i].phrase));
    if ((is_marked ? !is_place || !is_phrase : first != NULL) || !value ||
        strcmp(value, cases[i].value) != 0) {
      char found[512] = "no warning";
      if (first) {
        cnd_formatDiagnostic(found, sizeof(found), first);
      }
      print_error("%s\n  expected %d:%d %s, a='%s'\n  found    %s, a='%s'\n", text, line, column,
                  cases[i].phrase ? cases[i].phrase : "", cases[i].value, found,
                  value ? value : "");
      wrong++;
    }
    document_free(document);
    cnd_deleteDiagnostics(problems);
    free(text);
  }
  assert_int_equal(wrong, 0);
}

// Every place behind a change is that of the text as it was written.
TEST(places_behind_what_was_mended_stay_true) {
  Document* document = document_readtext(
      " <?xml version='1.0'?><m><!-- -- \xE9 -- -->\n<a b='&<\n&'c='1' \xC3\xA9='2'/><d e='1'/>\n"
      "  <f g='2'/></m><n/>",
      "", "", NULL, NULL);
  assert_non_null(document);
  const Node *a = document_root(document)->first, *d = a->next, *f = d->next;
  const struct {
    const Node* node;
    const char* attribute;
    int line, column;
  } expected[] = {{a, NULL, 2, 1},  {a, "b", 2, 4},  {a, "c", 3, 3},  {a, "\xC3\xA9", 3, 9},
                  {d, NULL, 3, 16}, {d, "e", 3, 19}, {f, NULL, 4, 3}, {f, "g", 4, 6}};
  for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
    const Attribute* attribute =
        expected[i].attribute ? node_attribute(expected[i].node, expected[i].attribute) : NULL;
    SourcePlace place = node_place(expected[i].node, attribute);
    assert_int_equal(place.line, expected[i].line);
    assert_int_equal(place.column, expected[i].column);
  }
  document_free(document);
}

TEST(a_text_ends_at_its_first_NUL) {
  static const char text[] = "<mujoco>\n</mujoco>\n\0 junk <";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "m.xml", text, sizeof(text)), 0);
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjSpec* spec = cnd_parseXML("m.xml", &vfs, problems);
  assert_non_null(spec);
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_WARNING), 1);
  const cndDiagnostic* first = cnd_diagnostic(problems, 0);
  assert_non_null(strstr(first->message, "NUL"));
  assert_int_equal(first->line, 3);
  assert_int_equal(first->column, 1);
  mj_deleteSpec(spec);
  cnd_deleteDiagnostics(problems);
  mj_deleteVFS(&vfs);
}

// A text without anything to mend is not copied.
TEST(a_well_written_text_is_handed_on) {
  static const char text[] = "<m><!-- \xC3\xA9 --><g a='&amp; 1'/>text</m>\n";
  Mended mended;
  mend_text(&mended, text, sizeof(text) - 1, NULL, NULL);
  assert_ptr_equal(mended.text, text);
  assert_int_equal(mended.size, sizeof(text) - 1);
  assert_null(mended.copy);
  mend_free(&mended);
}

// Reads a model with so many warnings, all of a phrase, at these lines and columns.
static mjModel* read_warned(const char* text, const char* phrase, const int places[][2],
                            int count) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  mjModel* model = cnd_loadXMLString(text, NULL, problems);
  assert_non_null(model);
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_WARNING), count);
  for (int i = 0; i < count; i++) {
    assert_non_null(strstr(cnd_diagnostic(problems, i)->message, phrase));
    assert_int_equal(cnd_diagnostic(problems, i)->line, places[i][0]);
    assert_int_equal(cnd_diagnostic(problems, i)->column, places[i][1]);
  }
  cnd_deleteDiagnostics(problems);
  return model;
}

// An empty name stands for none; it is likelier to be an oversight.
TEST(empty_names_are_read_with_a_warning_at_their_place) {
  static const int places[][2] = {{1, 18}, {3, 22}, {4, 30}};
  mj_deleteModel(read_warned(
      "<mujoco><default class=''/>\n<worldbody>\n<body name='b'><geom name='' size='1'/>"
      "</body></worldbody>\n<equality><connect body1='b' body2='' anchor='0 0 0'/></equality>"
      "</mujoco>",
      "empty", places, 3));
}

// Nobody looks below what a frame holds, but for bodies: rubbish has no effect there.
TEST(rubbish_in_frames_is_passed_over_with_a_warning) {
  static const int places[][2] = {{2, 1}, {3, 41}};
  mjModel* model = read_warned(
      "<mujoco><worldbody><frame><geom size='1'>\n<geom size='2'/></geom>\n"
      "<body><freejoint/><geom size='1'/><site><foo/></site></body></frame></worldbody></mujoco>",
      "unrecognized model element", places, 2);
  assert_int_equal(model->ngeom, 2);
  mj_deleteModel(model);
}

// Texts of n pieces; time is compared between n and 16 n, generously.
static double seconds(const char* begin, const char* piece, const char* end, int n) {
  size_t a = strlen(begin), b = strlen(piece), c = strlen(end), size = a + b * (size_t)n + c;
  char* text = malloc(size + 1);
  assert_non_null(text);
  memcpy(text, begin, a);
  for (int i = 0; i < n; i++) {
    memcpy(text + a + b * (size_t)i, piece, b);
  }
  memcpy(text + a + b * (size_t)n, end, c + 1);
  cndDiagnostics* problems = cnd_makeDiagnostics();
  clock_t start = clock();
  Document* document = document_readtext(text, "", "", NULL, problems);
  double time = (double)(clock() - start) / CLOCKS_PER_SEC;
  document_free(document);
  cnd_deleteDiagnostics(problems);
  free(text);
  return time;
}

TEST(the_time_is_linear_in_the_text) {
  static const char* const texts[][3] = {
      {"<m a='", "&<", "'/>"},     {"<m>", "<g a='&'b='<'/>", "</m>"},
      {"<m/>", "<a b='<'/>", ""},  {"<m/>", "<a>", ""},
      {"<m><!--", "-", "--></m>"}, {"<m>", "<!--", ""},
      {"<m>", "<![CDATA[", ""},    {"<m a='", "&#1", "'/>"},
      {"<m>", "]]>&", "</m>"},     {"<m><!--", "\xFF", "--></m>"},
      {"<m>", "<a b='", ""},       {"<m>", "<?", ""},
      {"<m/>", "a<b>c</b>", ""},   {"<m/>", "<!-- -- -->", "</m>"},
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    double few = seconds(texts[i][0], texts[i][1], texts[i][2], 1 << 12);
    double many = seconds(texts[i][0], texts[i][1], texts[i][2], 1 << 16);
    if (many > 0.02 + 64 * few) {
      print_error("%s%s...: %g s, 16 times as much %g s\n", texts[i][0], texts[i][1], few, many);
    }
    assert_that(many, <=, 0.02 + 64 * few);
  }
}
