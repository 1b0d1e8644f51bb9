// write.c: writes the document, and the public functions that save it.
//                                                                   theory/model/format.md, Writing

#include "mjcf/write/write.h"

#include <condyle/behaviour.h>
#include <condyle/output.h>
#include <mujoco/api/base.h>
#include <mujoco/api/compile.h>
#include <mujoco/api/mjcf.h>
#include <mujoco/api/spec.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/error.h"
#include "base/text/text.h"
#include "mjcf/document.h"
#include "mjcf/write/context.h"
#include "mjcf/write/plugin.h"
#include "mjcf/write/sections.h"
#include "spec/visit.h"

static const struct {
  const char* name;
  void (*write)(Writer* w);
} sections[] = {
    {"compiler", write_compiler},   {"option", write_option},
    {"size", write_size},           {"visual", write_visual},
    {"statistic", write_statistic}, {"default", write_default},
    {"extension", write_extension}, {"custom", write_custom},
    {"asset", write_asset},         {"worldbody", write_worldbody},
    {"contact", write_contact},     {"deformable", write_deformable},
    {"equality", write_equality},   {"tendon", write_tendon},
    {"actuator", write_actuator},   {"sensor", write_sensor},
    {"keyframe", write_keyframe},
};

// Ends in an error if the spec has data that MJCF can't express or that can't be read again.
static void check(const SpecTree* tree) {
  for (SPEC_EACH(object, tree, mjOBJ_TEXTURE)) {
    const mjsTexture* texture = &object->as.texture;
    if (texture->data->num && !texture->builtin) {
      mju_error("no support for buffer textures (texture '%s')", spec_name(object));
    }
  }
  int id = 0;
  for (SPEC_EACH(object, tree, mjOBJ_PLUGIN)) {
    object->id = id++;  // also of a spec that was never compiled
  }
  for (SPEC_EACH(object, tree, mjOBJ_MESH)) {
    if (object->stretch) {
      mju_error(
          "mesh '%s' is stretched along other axes than its own, for which the format has no "
          "attribute",
          spec_name(object));
    }
  }
}

// Depth of the elements inside an object (its inertial, say); stops beyond the limit. The world and
// the main class are sections in <mujoco>.
static int nesting(const SpecObject* object) {
  int depth = 2;
  for (; object && depth <= DOCUMENT_MAX_DEPTH; object = object->parent) {
    depth++;
    for (const SpecObject* it = object->frame; it && depth <= DOCUMENT_MAX_DEPTH; it = it->frame) {
      depth++;
    }
  }
  return depth;
}

// Ends in an error if elements are nested deeper than can be read. The writer's recursion has the
// same bound.
static void check_nesting(SpecObject* root) {
  for (const SpecObject* it = root; it; it = object_walk(it, root)) {
    mjtObj type = it->element.elemtype;
    int holds = type == mjOBJ_BODY || type == mjOBJ_FRAME || type == mjOBJ_DEFAULT;
    if (holds && nesting(it) > DOCUMENT_MAX_DEPTH) {
      mju_error("%s '%s' stands in more than %d elements, which can't be read", spec_typename(type),
                spec_name(it), DOCUMENT_MAX_DEPTH);
    }
  }
}

// Did every object exist when the spec was compiled?
static int all_compiled(const SpecTree* tree) {
  for (int type = 0; type < mjNOBJECT; type++) {
    int several = type != mjOBJ_UNKNOWN && type != mjOBJ_XBODY && type != mjOBJ_DOF;
    if (!several) {
      continue;
    }
    for (SPEC_EACH(object, tree, (mjtObj)type)) {
      int exists = object->id >= 0 || tree->scaled;  // of a scaled copy that fused bodies
      if (object->element.signature != tree->values->signature || !exists) {
        return 0;
      }
    }
  }
  return 1;
}

int write_joins(const SpecTree* tree) {
  static const mjtObj assets[] = {mjOBJ_MESH, mjOBJ_HFIELD, mjOBJ_TEXTURE, mjOBJ_SKIN};
  for (int k = 0; k < 4; k++) {
    for (SPEC_EACH(object, tree, assets[k])) {
      const mjSpec *own = &(object->origin ? object->origin : tree)->spec, *all = &tree->spec;
      if (!text_equal(string_text(own->compiler.meshdir), string_text(all->compiler.meshdir)) ||
          !text_equal(string_text(own->compiler.texturedir),
                      string_text(all->compiler.texturedir))) {
        return 1;
      }
    }
  }
  return 0;
}

static void write_sections(Writer* w) {
  write_begin(w, "mujoco");
  write_text(w, "model", string_text(w->tree->spec.modelname));
  write_comment(w, string_text(w->tree->spec.comment));
  for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
    write_begin(w, sections[i].name);
    sections[i].write(w);
    if (sections[i].write == write_worldbody) {
      write_end(w);
    } else {
      write_enddrop(w);
    }
  }
  write_end(w);
}

// Does a line get a blank line before it? The test finds the text anywhere in the line, so elements
// whose names begin like a section's get one too.
static int is_spaced(const char* line, size_t length) {
  static const char* const begins[] = {
      "<actuator",   "<asset",     "<compiler",  "<contact>", "<custom",    "<default>",
      "<deformable", "<equality",  "<extension", "<keyframe", "<option",    "<sensor",
      "<size",       "<statistic", "<tendon",    "<visual",   "<worldbody",
  };
  const char* bracket = memchr(line, '<', length);
  size_t left = bracket ? length - (size_t)(bracket - line) : 0;
  for (size_t i = 0; bracket && i < sizeof(begins) / sizeof(begins[0]); i++) {
    size_t n = strlen(begins[i]);
    if (n <= left && !strncmp(bracket, begins[i], n)) {
      return 1;
    }
  }
  return 0;
}

// The text with blank lines between sections.
static char* space_sections(const char* text, size_t size) {
  size_t lines = 1;
  for (size_t i = 0; i < size; i++) {
    lines += text[i] == '\n';
  }
  char* out = heap_take(size + lines + 1);
  char* end = out;
  int first = 1;
  while (size) {
    const char* stop = memchr(text, '\n', size);
    size_t length = stop ? (size_t)(stop - text) + 1 : size;
    if (is_spaced(text, length)) {
      if (!first) {
        *end++ = '\n';
      }
      first = 0;
    }
    memcpy(end, text, length);
    end += length;
    text += length;
    size -= length;
  }
  *end = 0;
  return out;
}

typedef struct Writing_ {
  const SpecTree* tree;
  const FileNames* files;
  char* text;
} Writing;

static void write_all(void* argument) {
  Writing* writing = argument;
  const SpecTree* tree = writing->tree;
  int written = !tree->spec.compiler.savecompiled;
  if (!written && (!tree->values || !all_compiled(tree))) {
    mju_error("Only compiled model can be written");
  }
  tree = tree->scaled && !written ? tree->scaled : tree;
  check(tree);
  check_nesting(tree->world);
  check_nesting(tree->main_class);
  mjSpec* blank = mj_makeSpec();
  cnd_setDialect(blank, tree->spec.compiler.dialect);
  spec_setrules(spec_tree(blank), tree->spec.option.behaviour);
  Writer w = {.tree = tree,
              .m = tree->values,
              .blank = spec_tree(blank),
              .written = written,
              .notation = written && !tree->spec.compiler.savecanonical,
              .expanded = tree->copied_back && !written,
              .joined = write_joins(tree),
              .files = writing->files};
  write_sections(&w);
  writing->text = space_sections(w.text, w.size);
  for (int i = 0; i < spec_count(tree, mjOBJ_PLUGIN); i++) {
    heap_free(w.instance[i]);
  }
  heap_free(w.instance);
  heap_free(w.text);
  heap_free(w.open);
  mj_deleteSpec(blank);
}

// public functions

static void set_error(char* error, int error_sz, const char* message) {
  if (error && error_sz > 0) {
    snprintf(error, (size_t)error_sz, "%s", message);
  }
}

char* write_spec(const mjSpec* s, const FileNames* files, char* error, int error_sz) {
  if (!s) {
    set_error(error, error_sz, "Cannot write empty model");
    return NULL;
  }
  const SpecTree* tree = spec_tree(s);
  // keyframes of the compiled model belong to other elements
  int written = !tree->spec.compiler.savecompiled;
  if (written ? tree->pending != NULL : tree->values && (tree->pending || tree->shrunk)) {
    set_error(error, error_sz,
              "XML Error: Model has pending keyframes. It must be (re)compiled before writing "
              "XML.");
    return NULL;
  }
  Writing writing = {tree, files, NULL};
  char reason[300], message[sizeof(reason) + 20] = "";
  if (error_catch(reason, sizeof(reason), write_all, &writing)) {
    snprintf(message, sizeof(message), "XML Write error: %s", reason);
    writing.text = NULL;
  }
  set_error(error, error_sz, message);
  return writing.text;
}

int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  char* text = write_spec(s, NULL, error, error_sz);
  if (!text) {
    return -1;
  }
  size_t length = strlen(text);
  int fits = xml_sz > 0 && (size_t)xml_sz > length;
  if (fits) {
    memcpy(xml, text, length + 1);
  } else {
    char message[100];
    snprintf(message, sizeof(message), "Output string too short, should be at least %zu",
             length + 1);
    set_error(error, error_sz, message);
  }
  heap_free(text);
  return fits ? 0 : (int)length;
}

// Writes to a file, or to standard output if there is no name.
static int save(const mjSpec* s, const char* filename, char* error, int error_sz) {
  char* text = write_spec(s, NULL, error, error_sz);
  if (!text) {
    return 0;
  }
  int named = filename && filename[0];
  cndOutput out;
  int opened = cnd_openOutput(&out, named ? filename : "-");
  if (opened) {
    fputs(text, out.file);
  }
  int written = cnd_closeOutput(&out, 1);
  if (!written) {
    char message[700];
    snprintf(message, sizeof(message), "%s '%.500s': %s",
             opened ? "XML Write error: could not write" : "File not found:",
             named ? filename : "standard output", strerror(out.reason));
    set_error(error, error_sz, message);
  }
  heap_free(text);
  return written;
}

int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz) {
  return save(s, filename, error, error_sz) ? 0 : -1;
}

// the spec of the last file that was loaded

static pthread_mutex_t last_lock = PTHREAD_MUTEX_INITIALIZER;
static mjSpec* last_spec = NULL;

void write_keeplast(mjSpec* spec) {
  pthread_mutex_lock(&last_lock);
  mjSpec* before = last_spec;
  last_spec = spec;
  pthread_mutex_unlock(&last_lock);
  mj_deleteSpec(before);
}

void mj_freeLastXML(void) {
  write_keeplast(NULL);
}

int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz) {
  int saved = 0;
  pthread_mutex_lock(&last_lock);
  if (last_spec) {
    if (m) {
      mj_copyBack(last_spec, m);
    }
    saved = save(last_spec, filename, error, error_sz);
  } else {
    set_error(error, error_sz, "No XML model loaded");
  }
  pthread_mutex_unlock(&last_lock);
  return saved;
}
