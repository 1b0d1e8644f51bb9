// dialect.c: a model that may expect rules which it doesn't name.

#include <stdio.h>

#include "lint/checks.h"

// Words of later releases mean themselves, but words that 3.3.7 has, too, keep its rules.
void check_no_dialect(Lint* l) {
  const SpecTree* tree = l->tree;
  int dialect = tree->later.dialect;
  if (!dialect || tree->ruled.line > 0 || tree->spec.compiler.dialect >= dialect) {
    return;
  }
  char label[100];
  snprintf(label, sizeof(label), "%s", tree->later.element);
  lint_warn(l, lint_place(tree->later.place, label),
            lint_hint(l,
                      "<compiler dialect=\"%d.%d\"/> asks for the rules of that release, "
                      "dialect=\"3.3\" for these",
                      dialect / 100, dialect % 100),
            "'%s' is a word of release %d.%d, but the model names no dialect: words of 3.3.7 have "
            "the rules of 3.3.7",
            tree->later.word, dialect / 100, dialect % 100);
}
