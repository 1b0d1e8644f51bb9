// Texts and files into a tree: places, includes, and what is refused.

#define _GNU_SOURCE  // mkdtemp

#include "mjcf/document.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/test.h"

enum {
  PATH_BYTES = 256,
};

// A folder that each test fills with files and leaves empty.
static char folder[PATH_BYTES / 2];

static const char* path_of(const char* name) {
  static char path[PATH_BYTES];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  return path;
}

static void write_bytes(const char* name, const char* text, size_t size) {
  FILE* file = fopen(path_of(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, size, file), size);
  fclose(file);
}

static void write_file(const char* name, const char* text) {
  write_bytes(name, text, strlen(text));
}

BEFORE_ALL() {
  const char* base = getenv("TMPDIR");
  snprintf(folder, sizeof(folder), "%.80s/condyle_XXXXXX", base ? base : P_tmpdir);
  assert_non_null(mkdtemp(folder));
  assert_int_equal(mkdir(path_of("sub"), 0700), 0);
}

AFTER_ALL() {
  static const char* const names[] = {"main.xml",  "a.xml",     "b.xml", "c.xml", "sub/a.xml",
                                      "sub/b.xml", "sub/c.xml", "sub",   ""};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    remove(path_of(names[i]));
  }
}

// Reads main.xml, which must fail with one error at a place, its message holding a phrase.
static void fails(const char* file, int line, int column, const char* phrase) {
  cndDiagnostics* problems = cnd_makeDiagnostics();
  Document* document = document_readfile(NULL, path_of("main.xml"), NULL, problems);
  document_free(document);
  const cndDiagnostic* first = diagnostic_first(problems, cndSEVERITY_ERROR);
  assert_non_null(first);
  assert_string_equal(first->file, path_of(file));
  assert_int_equal(first->line, line);
  assert_int_equal(first->column, column);
  assert_non_null(strstr(first->message, phrase));
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_ERROR), 1);
  cnd_deleteDiagnostics(problems);
}

// Names of a node and all below it: "a(b c(d))".
static void outline(char* text, size_t size, const Node* node) {
  size_t length = strlen(text);
  snprintf(text + length, size - length, "%s%s", length && text[length - 1] != '(' ? " " : "",
           node->name);
  if (node->first) {
    strncat(text, "(", size - strlen(text) - 1);
    for (const Node* child = node->first; child; child = child->next) {
      assert_ptr_equal(child->parent, node);
      outline(text, size, child);
    }
    strncat(text, ")", size - strlen(text) - 1);
  }
}

TEST(attributes_stand_where_their_names_begin) {
  Document* document = document_readtext(
      "<mujoco>\n  <geom a='x > y=1' name = \"g\"\n\t  zaxis='1'\n axis='b'/>\n  <\xC3\xA4 "
      "k='\xC3\xA4' m='1'/></mujoco>",
      "", "", NULL, NULL);
  assert_non_null(document);
  const Node* geom = document_root(document)->first;
  const char* expected[][3] = {
      {"a", "2", "9"}, {"name", "2", "21"}, {"zaxis", "3", "4"}, {"axis", "4", "2"}};
  assert_int_equal(geom->nattribute, 4);
  for (int i = 0; i < 4; i++) {
    SourcePlace place = node_place(geom, node_attribute(geom, expected[i][0]));
    assert_int_equal(place.line, atoi(expected[i][1]));
    assert_int_equal(place.column, atoi(expected[i][2]));
  }
  SourcePlace place = node_place(geom->next, node_attribute(geom->next, "m"));
  assert_int_equal(place.line, 5);
  assert_int_equal(place.column, 12);  // in characters, not bytes
  document_free(document);
}

TEST(the_first_comment_of_the_root_is_kept) {
  Document* document = document_readtext(
      "<!--no--><mujoco><!--yes--><!--no--><a/><!--no--></mujoco>", "", "", NULL, NULL);
  assert_string_equal(document_comment(document), "yes");
  document_free(document);
  document = document_readtext("<mujoco><a/><!--no--></mujoco>", "", "", NULL, NULL);
  assert_null(document_comment(document));
  document_free(document);
}

TEST(includes_are_spliced_where_they_stand) {
  write_file("main.xml",
             "<m><a/><include file='a.xml'/><b><include file='sub/b.xml'/></b><include "
             "file='c.xml'/></m>");
  write_file("a.xml", "<any x='1'><p/><q><r/></q></any>");
  write_file("sub/b.xml",
             "<any><include file='c.xml'/></any>");  // beside the main file, though sub has one too
  write_file("sub/c.xml", "<any><wrong/></any>");
  write_file("c.xml", "<any><right/></any>");
  cndDiagnostics* problems = cnd_makeDiagnostics();
  Document* document = document_readfile(NULL, path_of("main.xml"), NULL, problems);
  assert_non_null(document);
  char text[200] = "";
  outline(text, sizeof(text), document_root(document));
  assert_string_equal(text, "m(a p q(r) b(right))");
  assert_int_equal(document_root(document)->first->next->column, 12);
  assert_string_equal(document_root(document)->first->next->source->name, path_of("a.xml"));
  // the second use of c.xml
  assert_int_equal(cnd_diagnosticCount(problems, cndSEVERITY_ERROR), 1);
  assert_non_null(strstr(cnd_diagnostic(problems, 0)->message, "File 'c.xml' already included"));
  document_free(document);
  cnd_deleteDiagnostics(problems);
}

TEST(an_include_is_also_sought_beside_the_file_that_names_it) {
  write_file("main.xml", "<m><include file='sub/a.xml'/></m>");
  write_file("sub/a.xml", "<any><include file='b.xml'/></any>");
  write_file("sub/b.xml", "<any><x/></any>");
  remove(path_of("b.xml"));
  Document* document = document_readfile(NULL, path_of("main.xml"), NULL, NULL);
  assert_non_null(document);
  assert_string_equal(document_root(document)->first->name, "x");
  document_free(document);
}

TEST(cyclic_and_repeated_includes_are_refused) {
  write_file("main.xml", "<m>\n <include file='main.xml'/></m>");
  fails("main.xml", 2, 11, "File 'main.xml' already included");
  write_file("main.xml", "<m><include file='a.xml'/></m>");
  write_file("a.xml", "<m>\n<x><include file='b.xml'/></x></m>");
  write_file("b.xml", "<m>\n\n<x><include file='./sub/../a.xml'/></x></m>");
  fails("b.xml", 3, 13, "already included");
  write_file("b.xml", "<m><x/></m>");
  write_file("main.xml", "<m><include file='b.xml'/>\n<include file='b.xml'/></m>");
  fails("main.xml", 2, 10, "already included");
}

TEST(includes_that_bring_nothing_are_refused) {
  write_file("main.xml", "<m><include file='a.xml'/></m>");
  write_file("a.xml", "");
  fails("main.xml", 1, 13, "Empty file 'a.xml'");
  write_file("a.xml", "<m/>");
  fails("main.xml", 1, 13, "Empty include file 'a.xml'");
  write_file("a.xml", "<m>\n<x></m>");
  fails("a.xml", 2, 6, "mismatched tag");
  write_file("main.xml", "<m><include file='sub'/></m>");
  fails("main.xml", 1, 13, "Error opening file");
}

TEST(nested_includes_end) {
  write_file("main.xml", "<m><include file='a.xml'/></m>");
  FILE* file = fopen(path_of("a.xml"), "w");
  assert_non_null(file);
  fputs("<m>", file);
  for (int i = 0; i < DOCUMENT_MAX_DEPTH - 2; i++) {
    fputs("<x>", file);
  }
  fputs("<include file='b.xml'/>", file);
  for (int i = 0; i < DOCUMENT_MAX_DEPTH - 2; i++) {
    fputs("</x>", file);
  }
  fputs("</m>", file);
  fclose(file);
  write_file("b.xml", "<m><y/></m>");
  Document* document = document_readfile(NULL, path_of("main.xml"), NULL, NULL);
  assert_non_null(document);
  document_free(document);
  write_file("b.xml", "<m><y><z/></y></m>");
  fails("b.xml", 1, 7, "nesting is too deep");
}

TEST(files_that_are_no_text_are_refused) {
  write_bytes("main.xml", "<m>\n<a/>\0</m>", 13);
  fails("main.xml", 2, 5, "no element found");
  write_bytes("main.xml", "", 0);
  fails("main.xml", 0, 0, "empty file");
  remove(path_of("main.xml"));
  fails("main.xml", 0, 0, "Error opening file");
}

TEST(a_text_in_utf16_is_read_with_the_places_of_its_elements) {
  static const char utf8[] = "<m>\n <a b='1'/></m>";
  char text[2 * sizeof(utf8)];
  size_t size = 0;
  text[size++] = '\xFF';
  text[size++] = '\xFE';
  for (size_t i = 0; utf8[i]; i++) {
    text[size++] = utf8[i];
    text[size++] = 0;
  }
  write_bytes("main.xml", text, size);
  Document* document = document_readfile(NULL, path_of("main.xml"), NULL, NULL);
  assert_non_null(document);
  const Node* a = document_root(document)->first;
  SourcePlace place = node_place(a, node_attribute(a, "b"));
  assert_int_equal(place.line, 2);
  assert_int_equal(place.column, 2);
  document_free(document);
}
