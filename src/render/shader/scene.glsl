// What programs of scenes hand on from stage to stage.
#if TEXTURED
#define TEXTURE_PART vec3 coord;
#else
#define TEXTURE_PART
#endif
#if FOGGED
#define FOG_PART float depth;
#else
#define FOG_PART
#endif
#if SHADOWS > 0
#define SHADOW_PART vec3 shadow_color[SHADOWS]; vec4 shadow_point[SHADOWS];
#else
#define SHADOW_PART
#endif
#define SURFACE { vec4 color; TEXTURE_PART FOG_PART SHADOW_PART }
