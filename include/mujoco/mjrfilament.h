// mjrfilament.h: the types of the interface that release 4.0.0 has for the renderer Filament.
//
// Its functions are not declared: neither this library nor that of 4.0.0 has them. Programs that
// only name the types compile. Pictures are drawn by mjr_render (mujoco/mjrender.h).

#ifndef MUJOCO_MJRFILAMENT_H_
#define MUJOCO_MJRFILAMENT_H_

#include <mujoco/mjmodel.h>
#include <mujoco/mjrender.h>
#include <mujoco/mjtype.h>
#include <mujoco/mjversion.h>
#include <mujoco/mjvisualize.h>
#include <stdint.h>

#if mjVERSION_API >= 400

// what a renderer makes
typedef struct mjrfContext_ mjrfContext;
typedef struct mjrfTexture_ mjrfTexture;
typedef struct mjrfMesh_ mjrfMesh;
typedef struct mjrfScene_ mjrfScene;
typedef struct mjrfLight_ mjrfLight;
typedef struct mjrfRenderable_ mjrfRenderable;
typedef struct mjrfRenderTarget_ mjrfRenderTarget;

// told when something is done
typedef void (*mjrfCallback)(void* user_data);

// what a picture is drawn with
typedef enum mjrGraphicsApi_ {
  mjGRAPHICS_API_DEFAULT = 0,
  mjGRAPHICS_API_OPENGL,
  mjGRAPHICS_API_VULKAN,
} mjrGraphicsApi;

// how a context is made
typedef struct mjrfContextConfig_ {
  int graphics_api;
  mjtBool software_rendering;
  void* native_window;
} mjrfContextConfig;

// what colors mean
typedef enum mjrDrawMode_ {
  mjDRAW_MODE_DEFAULT,
  mjDRAW_MODE_DEFAULT_NO_TEXTURES,
  mjDRAW_MODE_WIREFRAME,
  mjDRAW_MODE_DEPTH,
  mjDRAW_MODE_ISLANDS,
  mjDRAW_MODE_SEGMENTATION_BY_ID,
  mjDRAW_MODE_SEGMENTATION_BY_COLOR,
} mjrDrawMode;

// effort
typedef enum mjrQuality_ {
  mjQUALITY_LOW = 0,
  mjQUALITY_MEDIUM,
  mjQUALITY_HIGH,
  mjQUALITY_ULTRA,
} mjrQuality;

// from light to colors
typedef enum mjrToneMapper_ {
  mjTONE_MAPPER_LINEAR = 0,
  mjTONE_MAPPER_PBR_NEUTRAL,
  mjTONE_MAPPER_ACES,
  mjTONE_MAPPER_ACES_LEGACY,
  mjTONE_MAPPER_FILMIC,
} mjrToneMapper;

// edges of shadows
typedef enum mjrShadowType_ {
  mjSHADOW_TYPE_NONE = 0,
  mjSHADOW_TYPE_HARD,
  mjSHADOW_TYPE_SOFT,
} mjrShadowType;

// darkening of corners
typedef enum mjrAmbientOcclusionType_ {
  mjAMBIENT_OCCLUSION_TYPE_NONE = 0,
  mjAMBIENT_OCCLUSION_TYPE_SCALABLE,
  mjAMBIENT_OCCLUSION_TYPE_GROUND_TRUTH,
} mjrAmbientOcclusionType;

// noise against bands
typedef enum mjrDitheringType_ {
  mjDITHERING_TYPE_NONE = 0,
  mjDITHERING_TYPE_TEMPORAL,
} mjrDitheringType;

// settings of a picture, effect by effect
typedef struct mjrfShadowOpts_ {
  int type;
} mjrfShadowOpts;

typedef struct mjrfMaterialOpts_ {
  int rgb_color_type;
  mjtBool enable_textures;
} mjrfMaterialOpts;

typedef struct mjrfHeadlightOpts_ {
  float strength;
} mjrfHeadlightOpts;

typedef struct mjrfSkyboxOpts_ {
  mjtBool enable;
} mjrfSkyboxOpts;

typedef struct mjrfHazeOpts_ {
  mjtBool enable;
  float color[3];
  float ratio;
  int slices;
} mjrfHazeOpts;

typedef struct mjrfFogOpts_ {
  mjtBool enable;
  float color[3];
  float density;
  float max_opacity;
  float distance;
  float cutoff;
  float height;
  float height_falloff;
} mjrfFogOpts;

typedef struct mjrfBloomOpts_ {
  mjtBool enable;
  int quality;
  float strength;
  int levels;
  mjtBool lens_flare;
  mjtBool starburst;
} mjrfBloomOpts;

typedef struct mjrfVignetteOpts_ {
  mjtBool enable;
  float color[4];
  float mid_point;
  float roundness;
  float feather;
} mjrfVignetteOpts;

typedef struct mjrfReflectionOpts_ {
  mjtBool enable;
} mjrfReflectionOpts;

typedef struct mjrfDepthOfFieldOpts_ {
  mjtBool enable;
  float blur_strength;
  float aspect_ratio;
  float max_aperture_diameter;
} mjrfDepthOfFieldOpts;

typedef struct mjrfDitheringOpts_ {
  int type;
} mjrfDitheringOpts;

typedef struct mjrfColorGradingOpts_ {
  int tone_mapper;
  int output_color_space;
  float exposure;
  float night_adaptation;
  float contrast;
  float vibrance;
  float saturation;
  float temperature;
  float tint;
  float out_red[3];
  float out_green[3];
  float out_blue[3];
  float shadows[4];
  float midtones[4];
  float highlights[4];
  float tonal_ranges[4];
  float slope[3];
  float offset[3];
  float power[3];
  float shadow_gamma[3];
  float mid_point[3];
  float highlight_scale[3];
} mjrfColorGradingOpts;

typedef struct mjrfAntialiasingOpts_ {
  mjtBool fxaa_enable;
  mjtBool tsaa_enable;
  int msaa_samples;
} mjrfAntialiasingOpts;

typedef struct mjrfAmbientOcclusionOpts_ {
  int type;
  mjtBool ssct_enable;
  float strength;
  float power;
  int quality;
  int low_pass_filter;
  int upsampling;
  float radius;
  mjtBool bent_normals;
} mjrfAmbientOcclusionOpts;

// all of them
typedef struct mjrfRenderOpts_ {
  mjrfAmbientOcclusionOpts ambient_occlusion;
  mjrfAntialiasingOpts antialiasing;
  mjrfBloomOpts bloom;
  mjrfColorGradingOpts color_grading;
  mjrfDepthOfFieldOpts depth_of_field;
  mjrfDitheringOpts dithering;
  mjrfFogOpts fog;
  mjrfHazeOpts haze;
  mjrfHeadlightOpts headlight;
  mjrfMaterialOpts material;
  mjrfReflectionOpts reflection;
  mjrfShadowOpts shadow;
  mjrfSkyboxOpts skybox;
  mjrfVignetteOpts vignette;
} mjrfRenderOpts;

// a picture of a scene
typedef struct mjrfRenderRequest_ {
  mjrfScene* scene;
  mjrCamera camera;
  mjrRect viewport;
  mjrfRenderTarget* target;
  int draw_mode;
  mjtBool post_processing;
  mjtBool reflections;
  mjtBool shadows;
  mjtBool skybox;
  mjtBool haze;
  mjtBool headlight;
  float headlight_color[3];
  float headlight_intensity;
} mjrfRenderRequest;

// its pixels
typedef struct mjrfReadPixelsRequest_ {
  mjrfRenderTarget* target;
  void* output;
  mjtSize num_bytes;
  mjrfCallback read_completed;
  void* user_data;
} mjrfReadRequest;

// the number of a picture
typedef uint64_t mjrfFrameHandle;

// its speed
typedef struct mjrfFrameStats_ {
  double frame_rate;
} mjrfFrameStats;

// textures
typedef struct mjrfTextureConfig_ {
  int width;
  int height;
  int format;
  int color_space;
  int sampler_type;
} mjrfTextureConfig;

typedef struct mjrfTextureData_ {
  const void* bytes;
  mjtSize num_bytes;
  mjrfCallback release;
  void* user_data;
} mjrfTextureData;

enum {
  mjMAX_VERTEX_ATTRIBUTES = 16
};

// meshes
typedef struct mjrfMeshConfig_ {
  mjtSize max_vertices;
  mjtSize max_indices;
  int num_attributes;
  mjrVertexAttribute attributes[mjMAX_VERTEX_ATTRIBUTES];
  mjtBool interleaved;
  int index_type;
  int primitive_type;
} mjrfMeshConfig;

typedef struct mjrfMeshData_ {
  mjtSize num_vertices;
  const void* vertices[mjMAX_VERTEX_ATTRIBUTES];
  mjtSize num_indices;
  const void* indices;
  mjtBool compute_bounds;
  float bounds_min[3];
  float bounds_max[3];
  mjrfCallback release;
  void* user_data;
} mjrfMeshData;

// scenes, lights
typedef struct mjrfSceneParams_ {
  char unused;
} mjrfSceneParams;

typedef struct mjrfLightParams_ {
  int type;
  const mjrfTexture* texture;
  float color[3];
  float intensity;
  mjtBool cast_shadow;
  float range;
  float cutoff;
  float softness;
  int shadow_map_size;
  float bulb_radius;
} mjrfLightParams;

// how a shape looks: negative numbers have no effect
typedef struct mjrfMaterial_ {
  float color[4];
  int32_t segmentation_id;
  int32_t island_id;
  int sleep_state;
  float uv_scale[3];
  float uv_offset[3];
  float scissor[4];
  float metallic;
  float roughness;
  float specular;
  float glossiness;
  float emissive;
  float reflectance;
  mjtBool decor;
  mjtBool selected;
  const mjrfTexture* color_texture;
  const mjrfTexture* opacity_texture;
  const mjrfTexture* normal_texture;
  const mjrfTexture* metallic_texture;
  const mjrfTexture* roughness_texture;
  const mjrfTexture* occlusion_texture;
  const mjrfTexture* orm_texture;
  const mjrfTexture* emissive_texture;
  const mjrfTexture* reflection_texture;
  float reflection_normal[3];
  float reflection_view_proj[16];
  float haze_ratio;
} mjrfMaterial;

// shapes
typedef struct mjrfRenderableParams_ {
  mjtBool cast_shadow;
  mjtBool receive_shadow;
  uint16_t blend_order;
} mjrfRenderableParams;

// buffers for pictures
typedef struct mjrfRenderTargetConfig_ {
  int width;
  int height;
  int color_format;
  int depth_format;
} mjrfRenderTargetConfig;

#endif

#endif  // MUJOCO_MJRFILAMENT_H_
