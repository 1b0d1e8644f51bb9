// mjplugin.h: what others can add to the engine: sources of files, and physics of their own.

#ifndef MUJOCO_MJPLUGIN_H_
#define MUJOCO_MJPLUGIN_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjvisualize.h>

// resources

struct mjResource_ {  // something that can be read like a file
  char* name;
  void* data;           // for the provider
  char timestamp[512];  // says which version was read
  const struct mjpResourceProvider* provider;
};
typedef struct mjResource_ mjResource;

// Opens a resource by its name; 0 on failure.
typedef int (*mjfOpenResource)(mjResource* resource);

// Points buffer at the content and returns its length in bytes, -1 on failure.
typedef int (*mjfReadResource)(mjResource* resource, const void** buffer);

// Frees all that opening and reading took.
typedef void (*mjfCloseResource)(mjResource* resource);

// Points dir at the directory part of the name and sets its length.
typedef void (*mjfGetResourceDir)(mjResource* resource, const char** dir, int* ndir);

// Compares versions: 0 same as timestamp, positive newer, negative older.
typedef int (*mjfResourceModified)(const mjResource* resource, const char* timestamp);

struct mjpResourceProvider {
  const char* prefix;  // names "prefix:..." come here
  mjfOpenResource open;
  mjfReadResource read;
  mjfCloseResource close;
  mjfGetResourceDir getdir;      // may be NULL
  mjfResourceModified modified;  // may be NULL
  void* data;                    // for the provider
};
typedef struct mjpResourceProvider mjpResourceProvider;

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

// Opens the function of a plugin library that runs when the library is loaded.
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
#define mjPLUGIN_LIB_INIT                                                            \
  static void plugin_library_loaded(void);                                           \
  mjEXTERNC int __stdcall mjDLLMAIN(void* module, unsigned long why, void* unused) { \
    (void)module;                                                                    \
    (void)unused;                                                                    \
    if (why == 1) {                                                                  \
      plugin_library_loaded();                                                       \
    }                                                                                \
    return 1;                                                                        \
  }                                                                                  \
  static void plugin_library_loaded(void)
#else
#define mjPLUGIN_LIB_INIT __attribute__((constructor)) static void plugin_library_loaded(void)
#endif

// Called for each library that was loaded from a directory: its file, first plugin, number of
// plugins.
typedef void (*mjfPluginLibraryLoadCallback)(const char* filename, int first, int count);

#endif  // MUJOCO_MJPLUGIN_H_
