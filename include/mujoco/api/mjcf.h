// mjcf.h: the functions of the interface for MJCF and URDF: those that src/mjcf defines.
// Programs include mujoco.h; its conventions hold here.

#ifndef MUJOCO_API_MJCF_H_
#define MUJOCO_API_MJCF_H_

#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjversion.h>

#ifdef __cplusplus
extern "C" {
#endif

// reading and compiling

// mj_loadXML, mj_parseXML and mj_parseXMLString as a program of the given dialect calls them: for
// models that name none (condyle/behaviour.h).
MJAPI mjModel* cnd_loadXMLAs(int dialect, const char* filename, const mjVFS* vfs, char* error,
                             int error_sz);
MJAPI mjSpec* cnd_parseXMLAs(int dialect, const char* filename, const mjVFS* vfs, char* error,
                             int error_sz);
MJAPI mjSpec* cnd_parseXMLStringAs(int dialect, const char* xml, const mjVFS* vfs, char* error,
                                   int error_sz);

#if mjVERSION_API >= 400
static inline mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error,
                                  int error_sz) {
  return cnd_loadXMLAs(mjVERSION_API, filename, vfs, error, error_sz);
}
static inline mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error,
                                  int error_sz) {
  return cnd_parseXMLAs(mjVERSION_API, filename, vfs, error, error_sz);
}
static inline mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error,
                                        int error_sz) {
  return cnd_parseXMLStringAs(mjVERSION_API, xml, vfs, error, error_sz);
}
#else
// Reads MJCF or URDF from a file and compiles it. Returns NULL if that fails and writes the first
// error to error (error_sz bytes); a warning is written there too. vfs, error: may be NULL. Free
// with mj_deleteModel.
MJAPI mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// Reads MJCF or URDF from a file into an editable model; otherwise like mj_loadXML. Free with
// mj_deleteSpec.
MJAPI mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// mj_parseXML for a text in memory.
MJAPI mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz);
#endif

// Reads a model of any known format into an editable model: MJCF, URDF or SDF (.xml, .urdf, .sdf),
// an archive (.mjz, .zip), or one that a registered decoder reads. The extension of the name
// decides, else content_type ("text/xml", may be NULL). Otherwise like mj_parseXML.
MJAPI mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs,
                       char* error, int error_sz);

// Writes a model to a file: MJCF (.xml); an archive of MJCF and all files that it needs (.mjz,
// .zip), which come from vfs if they are there; m alone, binary (.mjb) or as text (.txt); or what a
// registered encoder makes. The extension decides, else content_type (may be NULL). A model m is
// copied back into s before it is saved (mj_copyBack). m may be NULL for MJCF and archives. Returns
// the length of the file in bytes, or -1 with the reason in error (may be NULL).
MJAPI int64_t mj_encode(const mjSpec* s, const mjModel* m, const char* filename,
                        const char* content_type, const mjVFS* vfs, char* error, int error_sz);

// The first decoder that has content_type (may be NULL) or the extension of the resource's name,
// and can decode the resource; the first encoder that has the type or the extension. NULL if there
// is none.
MJAPI const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type);
MJAPI const mjpEncoder* mjp_findEncoder(const char* filename, const char* content_type);

// Makes a model of a resource by the decoder for it. Returns NULL, with the reason in error (may be
// NULL), if that fails. vfs may be NULL. Free with mj_deleteSpec.
MJAPI mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs,
                                 char* error, int error_sz);

// Writes the model that mj_loadXML last read to an MJCF file (standard output if
// filename is NULL or empty); m (may be NULL) gives the numbers if it has its structure.
// Returns 1, or 0 and an error.
MJAPI int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz);

// Forgets the model that mj_loadXML last read.
MJAPI void mj_freeLastXML(void);

// Writes an editable model, as last compiled, to MJCF: every number as the shortest text that reads
// back the same. Returns 0, or -1 and an error (error_sz bytes, may be NULL), also if s is NULL.
MJAPI int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz);

// mj_saveXML to the text xml (xml_sz bytes). If that is too short, returns the length of the text
// without its terminator.
MJAPI int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz);

// Fills dependencies with the names of all files that an MJCF file depends on, itself first,
// through includes, assets and sub-models.
MJAPI void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies);

// additions of later releases

// Adds a flex with its bodies, joints and equality to a body, as <flexcomp> does with the
// attributes of these names. type, dof, count (3), cellcount (3), spacing (3), scale (3), pos (3),
// quat (4), origin (3), file and vfs may be NULL: the element's defaults; so mass and inertiabox,
// if not positive. file may name a mesh of the spec. cellcount must be 1 1 1. Returns the flex;
// NULL, with nothing changed, on failure (mjs_getError).
MJAPI mjsFlex* mjs_makeFlex(mjsBody* body, const char* name, const char* type, int dim,
                            const char* dof, const int count[3], const int cellcount[3],
                            const double spacing[3], const double scale[3], double radius,
                            double mass, double inertiabox, int equality, int rigid, int flatskin,
                            int elastic2d, const double pos[3], const double quat[4],
                            const double origin[3], const char* file, const mjVFS* vfs);

// models and data

// Writes the grammar of MJCF, as text or (flg_html) as an HTML table, to a file and to buffer, as
// far as it has room; either may be NULL. flg_pad indents HTML by style, not by blanks. Returns the
// length of the text.
MJAPI int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html,
                         int flg_pad);

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_API_MJCF_H_
