// check.c: compares every node and attribute with its row in the schema, and marks what the readers
// must skip.

#include "mjcf/check.h"

#include <stdio.h>

#include "base/text/text.h"

// The state of the check that applies to everything below an element.
typedef struct Context_ {
  cndDiagnostics* problems;
  int unchecked;  // 1 inside a frame, where unknown attributes and repetitions are tolerated
} Context;

static int is_name(AttributeKind kind) {
  return kind == ATTR_NAME || kind == ATTR_CLASS || kind == ATTR_REFERENCE;
}

static void check_attribute(const Context* context, const Node* node, Attribute* attribute) {
  char hint[HINT_BYTES];
  attribute->row = schema_row(node->schema, attribute->name);
  if (!attribute->row) {
    node_report(node, attribute, context->problems,
                context->unchecked ? cndSEVERITY_WARNING : cndSEVERITY_ERROR,
                diagnostic_hint(hint, schema_nearestrow(node->schema, attribute->name)),
                "Schema violation: unrecognized attribute: '%s'", attribute->name);
  } else if (is_name(attribute->row->kind) && !attribute->value[0]) {
    node_report(node, attribute, context->problems, cndSEVERITY_WARNING, NULL,
                "the name in attribute '%s' is empty", attribute->name);
  }
}

// Does the reader visit all children of an element, because it may hold bodies?
static int is_walked(const Node* node) {
  return schema_child(node->schema, "body") != NULL;
}

// Reports a child that its parent may not have, with the nearest name or the right parent as a
// hint. In unchecked elements it is an error only if the reader would visit it.
static void report_unknown(const Context* context, const Node* node, const Node* child) {
  char hint[HINT_BYTES];
  const char* nearest = schema_nearestchild(node->schema, child->name);
  const char* parent = schema_parent(child->name);
  if (parent) {
    snprintf(hint, sizeof(hint), "<%s> belongs in <%s>", child->name, parent);
  } else {
    diagnostic_hint(hint, nearest);
  }
  if (context->unchecked) {
    node_report(child, NULL, context->problems,
                is_walked(node) ? cndSEVERITY_ERROR : cndSEVERITY_WARNING,
                parent || nearest ? hint : NULL, "unrecognized model element '%s'", child->name);
  } else {
    node_report(child, NULL, context->problems, cndSEVERITY_ERROR, parent || nearest ? hint : NULL,
                "Schema violation: unrecognized element");
  }
}

// Reports missing and repeated children. A repetition is reported at its second occurrence.
static void check_cardinality(const Context* context, const Node* node) {
  const SchemaElement* child = node->schema->children;
  for (; child && child->name; child++) {
    if (child->rule != '?') {
      continue;
    }
    int count = 0;
    const Node* second = NULL;
    for (const Node* it = node->first; it; it = it->next) {
      if (text_equal(it->name, child->name) && ++count == 2) {
        second = it;
      }
    }
    if (second) {
      node_report(second, NULL, context->problems, cndSEVERITY_ERROR, NULL,
                  "Schema violation: unique element '%s' found %d times", child->name, count);
    }
  }
}

// Checks a node and all below it. node->schema must be set.
static void check_node(Context context, Node* node) {
  context.unchecked |= node->schema->flags & ELEMENT_UNCHECKED;
  for (int i = 0; i < node->nattribute; i++) {
    check_attribute(&context, node, &node->attributes[i]);
  }
  for (Node* child = node->first; child; child = child->next) {
    child->schema = schema_child(node->schema, child->name);
    if (!child->schema) {
      report_unknown(&context, node, child);
      child->skip = 1;
    } else if (child->schema->flags & ELEMENT_IGNORED) {
      node_report(child, NULL, context.problems, cndSEVERITY_WARNING, "it belongs in <worldbody>",
                  "element '%s' has no effect here", child->name);
      child->skip = 1;
    } else {
      check_node(context, child);
    }
  }
  if (!context.unchecked) {
    check_cardinality(&context, node);
  }
}

// Checks a URDF robot. Only its <mujoco> settings have a schema; unknown settings have no effect.
static void check_robot(Context context, const Node* root) {
  const Node* mujoco = node_child(root, "mujoco");
  context.unchecked = 1;
  for (Node* node = mujoco ? mujoco->first : NULL; node; node = node->next) {
    node->schema = schema_child(schema_root(), node->name);
    if (node->schema) {
      check_node(context, node);
    }
  }
}

int check_document(Node* root, cndDiagnostics* problems) {
  Context context = {.problems = problems};
  root->schema = schema_root();
  if (node_islike(root, "robot")) {
    check_robot(context, root);
    return 1;
  }
  if (!node_islike(root, root->schema->name)) {
    node_report(root, NULL, problems, cndSEVERITY_ERROR, "the root element of a model is <mujoco>",
                "Unrecognized XML model type: '%s'", root->name);
    return 0;
  }
  if (!text_equal(root->name, root->schema->name)) {
    node_report(root, NULL, problems, cndSEVERITY_ERROR, "did you mean 'mujoco'?",
                "Schema violation: unrecognized element");
    return 0;
  }
  check_node(context, root);
  return 1;
}
