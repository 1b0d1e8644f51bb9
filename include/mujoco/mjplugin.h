// mjplugin.h: what others can add to the engine: sources of files, and physics of their own.

#ifndef MUJOCO_MJPLUGIN_H_
#define MUJOCO_MJPLUGIN_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjversion.h>
#include <mujoco/mjvisualize.h>

// resources

struct mjResource_ {  // something that can be read like a file
  char* name;
  void* data;           // for the provider
  char timestamp[512];  // says which version was read
  const struct mjpResourceProvider* provider;
  mjVFS* vfs;        // virtual files that it was asked for with, NULL if none
  const char* args;  // hints for the provider, key=value&..., NULL if none
};
typedef struct mjResource_ mjResource;

// Opens a resource by its name; 0 on failure. `data` is what mounting left there. What fails must
// free its own memory: it is not closed.
typedef int (*mjfOpenResource)(mjResource* resource);

// Points buffer at the content and returns its length in bytes, -1 on failure.
typedef int (*mjfReadResource)(mjResource* resource, const void** buffer);

// Frees all that opening and reading took.
typedef void (*mjfCloseResource)(mjResource* resource);

// Points dir at the directory part of the name and sets its length.
typedef void (*mjfGetResourceDir)(mjResource* resource, const char** dir, int* ndir);

// Compares versions: 0 same as timestamp, positive newer, negative older.
typedef int (*mjfResourceModified)(const mjResource* resource, const char* timestamp);

// Makes a provider ready at the path that is the resource's name, before something below it is
// opened, and ends that; 0 on failure.
typedef int (*mjfMountResource)(mjResource* resource);
typedef int (*mjfUnmountResource)(mjResource* resource);

// Writes a resource and returns its length in bytes, -1 on failure.
typedef mjtSize (*mjfWriteResource)(mjResource* resource, const void* buffer, mjtSize nbytes);

struct mjpResourceProvider {
  const char* prefix;  // names "prefix:..." come here; of archives the extensions, ".a|.b"
  mjfOpenResource open;
  mjfReadResource read;
  mjfCloseResource close;
  mjfGetResourceDir getdir;      // may be NULL
  mjfResourceModified modified;  // may be NULL
  void* data;                    // for the provider
  mjfMountResource mount;        // may be NULL
  mjfUnmountResource unmount;    // may be NULL
  mjfWriteResource write;        // may be NULL
};
typedef struct mjpResourceProvider mjpResourceProvider;

// formats of models

// Makes a model of a resource; the caller frees it. Of the file of a mesh, its first mesh counts.
// NULL on failure, with the reason in error, which may be NULL.
typedef mjSpec* (*mjfDecode)(mjResource* resource, const mjVFS* vfs, char* error, int error_sz);

// Is the resource of this format?
typedef int (*mjfCanDecode)(const mjResource* resource);

typedef struct mjpDecoder_ {
  const char* content_type;  // "type/subtype", may be NULL
  const char* extension;     // ".a", or several ".a|.b"; may be NULL
  mjfCanDecode can_decode;
  mjfDecode decode;
} mjpDecoder;

// Points resource->data at the model in the format and returns its length in bytes, -1 on failure.
typedef mjtSize (*mjfEncode)(const mjSpec* s, const mjModel* m, const mjVFS* vfs,
                             mjResource* resource);

typedef struct mjpEncoder_ {
  const char* content_type;  // as of decoders
  const char* extension;     // as of decoders
  mjfEncode encode;
  mjfCloseResource close_resource;  // frees resource->data; may be NULL
} mjpEncoder;

// physics

typedef enum mjtPluginCapabilityBit_ {
  mjPLUGIN_ACTUATOR = 1 << 0,  // makes actuator forces
  mjPLUGIN_SENSOR = 1 << 1,    // makes sensor readings
  mjPLUGIN_PASSIVE = 1 << 2,   // makes passive forces
  mjPLUGIN_SDF = 1 << 3,       // describes a shape by its distance
} mjtPluginCapabilityBit;

struct mjpPlugin_ {
  const char* name;  // unique

  int nattribute;
  const char* const* attributes;  // names of its settings

  int capabilityflags;  // mjtPluginCapabilityBit
  int needstage;        // mjtStage after which a sensor can be computed

  // Number of state variables of an instance.
  int (*nstate)(const mjModel* m, int instance);

  // Dimension of a sensor; only for sensors.
  int (*nsensordata)(const mjModel* m, int instance, int sensor_id);

  // Called for a new mjData; 0 ok, -1 failure.
  int (*init)(const mjModel* m, mjData* d, int instance);

  // Called before an mjData is freed; may be NULL.
  void (*destroy)(mjData* d, int instance);

  // Called after an mjData was copied; may be NULL.
  void (*copy)(mjData* dest, const mjModel* m, const mjData* src, int instance);

  // Called when an mjData is reset.
  void (*reset)(const mjModel* m, mjtNum* plugin_state, void* plugin_data, int instance);

  // Makes the outputs of one capability.
  void (*compute)(const mjModel* m, mjData* d, int instance, int capability_bit);

  // Called when time advances; may be NULL.
  void (*advance)(const mjModel* m, mjData* d, int instance);

  // Adds shapes to a scene; may be NULL.
  void (*visualize)(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn, int instance);

  // Actuators: adds to act_dot, after the built-in dynamics and before compute; may be NULL.
  void (*actuator_act_dot)(const mjModel* m, mjData* d, int instance);

  // Shapes: signed distance of a point in the geom's frame.
  mjtNum (*sdf_distance)(const mjtNum point[3], const mjData* d, int instance);

  // Shapes: gradient of sdf_distance.
  void (*sdf_gradient)(mjtNum gradient[3], const mjtNum point[3], const mjData* d, int instance);

  // Shapes: signed distance from the attributes alone (no mjData yet); the compiler uses it to
  // build the mesh that is drawn.
  mjtNum (*sdf_staticdistance)(const mjtNum point[3], const mjtNum* attributes);

  // Shapes: settings as numbers, defaults filled in.
  void (*sdf_attribute)(mjtNum attribute[], const char* name[], const char* value[]);

  // Shapes: bounding box, center and half sizes.
  void (*sdf_aabb)(mjtNum aabb[6], const mjtNum* attributes);

  // Shapes: sdf_distance of eight points, given by coordinates: all x, all y, all z; may be NULL.
  void (*cnd_sdf_distances)(mjtNum distance[8], const mjtNum point[3][8], const mjData* d,
                            int instance);

  // Shapes: told that contacts of geom1 and geom2, which has the shape, are searched; may be NULL.
  void (*cnd_sdf_meet)(const mjModel* m, mjData* d, int instance, int geom1, int geom2);
};
typedef struct mjpPlugin_ mjpPlugin;

struct mjSDF_ {  // one or two shapes that collide
  const mjpPlugin** plugin;
  int* id;
  mjtSDFType type;
  mjtNum* relpos;
  mjtNum* relmat;
  mjtGeom* geomtype;
};
typedef struct mjSDF_ mjSDF;

// Opens the function of a plugin library that runs when the library is loaded; since 3.7 it has a
// name.
#if mjVERSION_API >= 400
#define mjPLUGIN_LIB_INIT(name) CND_LIBRARY_INIT(plugin_library_##name)
#else
#define mjPLUGIN_LIB_INIT CND_LIBRARY_INIT(plugin_library_loaded)
#endif
#if defined(_MSC_VER)
#ifndef mjDLLMAIN
#define mjDLLMAIN DllMain
#endif
#if !defined(mjEXTERNC)
#if defined(__cplusplus)
#define mjEXTERNC extern "C"
#else
#define mjEXTERNC
#endif
#endif
#define CND_LIBRARY_INIT(function)                                                   \
  static void function(void);                                                        \
  mjEXTERNC int __stdcall mjDLLMAIN(void* module, unsigned long why, void* unused) { \
    (void)module;                                                                    \
    (void)unused;                                                                    \
    if (why == 1) {                                                                  \
      function();                                                                    \
    }                                                                                \
    return 1;                                                                        \
  }                                                                                  \
  static void function(void)
#else
#define CND_LIBRARY_INIT(function) __attribute__((constructor)) static void function(void)
#endif

// Called for each library that was loaded from a directory: its file, first plugin, number of
// plugins.
typedef void (*mjfPluginLibraryLoadCallback)(const char* filename, int first, int count);

#endif  // MUJOCO_MJPLUGIN_H_
