// mjrender.h: what a renderer keeps on the graphics device.

#ifndef MUJOCO_MJRENDER_H_
#define MUJOCO_MJRENDER_H_

#include <mujoco/mjmodel.h>
#include <mujoco/mjversion.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

#define mjNAUX 10           // auxiliary buffers
#define mjMAXTEXTURE 1000   // textures
#define mjMAXMATERIAL 1000  // materials that have textures

typedef enum mjtGridPos_ {  // corner or side of a viewport
  mjGRID_TOPLEFT = 0,
  mjGRID_TOPRIGHT,
  mjGRID_BOTTOMLEFT,
  mjGRID_BOTTOMRIGHT,
  mjGRID_TOP,
  mjGRID_BOTTOM,
  mjGRID_LEFT,
  mjGRID_RIGHT
} mjtGridPos;

typedef enum mjtFramebuffer_ {  // where it is drawn
  mjFB_WINDOW = 0,
  mjFB_OFFSCREEN
} mjtFramebuffer;

typedef enum mjtDepthMap_ {  // meaning of depth values
  mjDEPTH_ZERONEAR = 0,      // 0 at the near plane, 1 at the far one
  mjDEPTH_ZEROFAR = 1        // the other way round
} mjtDepthMap;

typedef enum mjtFontScale_ {  // size of text, percent
  mjFONTSCALE_50 = 50,
  mjFONTSCALE_100 = 100,
  mjFONTSCALE_150 = 150,
  mjFONTSCALE_200 = 200,
  mjFONTSCALE_250 = 250,
  mjFONTSCALE_300 = 300
} mjtFontScale;

typedef enum mjtFont_ {  // kind of text
  mjFONT_NORMAL = 0,
  mjFONT_SHADOW,  // normal, readable on any ground
  mjFONT_BIG
} mjtFont;

// what later releases name for another renderer
#if mjVERSION_API >= 400
typedef enum mjrPixelFormat_ {  // of a picture
  mjPIXEL_FORMAT_UNKNOWN = 0,
  mjPIXEL_FORMAT_R8,        // one byte
  mjPIXEL_FORMAT_RGB8,      // three bytes
  mjPIXEL_FORMAT_RGBA8,     // four bytes
  mjPIXEL_FORMAT_R32F,      // a float
  mjPIXEL_FORMAT_DEPTH32F,  // a depth
  mjPIXEL_FORMAT_KTX        // a compressed file
} mjrPixelFormat;

typedef enum mjrVertexAttributeUsage_ {  // what a number of a vertex is
  mjVERTEX_ATTRIBUTE_USAGE_POSITION = 0,
  mjVERTEX_ATTRIBUTE_USAGE_NORMAL,
  mjVERTEX_ATTRIBUTE_USAGE_TANGENTS,
  mjVERTEX_ATTRIBUTE_USAGE_UV,
  mjVERTEX_ATTRIBUTE_USAGE_COLOR
} mjrVertexAttributeUsage;

typedef enum mjrVertexAttributeType_ {  // how it is stored
  mjVERTEX_ATTRIBUTE_TYPE_FLOAT2 = 0,
  mjVERTEX_ATTRIBUTE_TYPE_FLOAT3,
  mjVERTEX_ATTRIBUTE_TYPE_FLOAT4,
  mjVERTEX_ATTRIBUTE_TYPE_UBYTE4
} mjrVertexAttributeType;

typedef enum mjrIndexType_ {  // number of a vertex in a face
  mjINDEX_TYPE_U16 = 0,
  mjINDEX_TYPE_U32
} mjrIndexType;

typedef enum mjrMeshPrimitiveType_ {  // what vertices make
  mjMESH_PRIMITIVE_TYPE_TRIANGLES = 0,
  mjMESH_PRIMITIVE_TYPE_LINES
} mjrMeshPrimitiveType;

struct mjrVertexAttribute_ {
  int usage;  // mjrVertexAttributeUsage
  int type;   // mjrVertexAttributeType
};
typedef struct mjrVertexAttribute_ mjrVertexAttribute;

typedef mjtTexture mjrSamplerType;
typedef mjtColorSpace mjrColorSpace;
typedef mjtLightType mjrLightType;
typedef mjvGLCamera mjrCamera;
#endif

struct mjrRect_ {  // pixels
  int left;
  int bottom;
  int width;
  int height;
};
typedef struct mjrRect_ mjrRect;

struct mjrRendererInfo_ {  // since 4.0
  const char* renderer;    // kind of renderer: "classic"
  const char* backend;     // what it draws with: "opengl", "" before there is a context
};
typedef struct mjrRendererInfo_ mjrRendererInfo;

struct mjrContext_ {
  // from the model's visual options
  float lineWidth;
  float shadowClip;   // reach of shadows of directional lights
  float shadowScale;  // part of a spot's cone that casts shadows
  float fogStart;     // length
  float fogEnd;       // length
  float fogRGBA[4];
  int shadowSize;  // pixels
  int offWidth;    // of the offscreen buffer
  int offHeight;
  int offSamples;  // per pixel

  // chosen when made
  int fontScale;
  int auxWidth[mjNAUX];
  int auxHeight[mjNAUX];
  int auxSamples[mjNAUX];

  // offscreen buffer; _r: samples resolved
  unsigned int offFBO;
  unsigned int offFBO_r;
  unsigned int offColor;
  unsigned int offColor_r;
  unsigned int offDepthStencil;
  unsigned int offDepthStencil_r;

  // shadow map
  unsigned int shadowFBO;
  unsigned int shadowTex;

  // auxiliary buffers
  unsigned int auxFBO[mjNAUX];
  unsigned int auxFBO_r[mjNAUX];
  unsigned int auxColor[mjNAUX];
  unsigned int auxColor_r[mjNAUX];

  // materials
  int mat_texid[mjMAXMATERIAL * mjNTEXROLE];  // -1: none
  int mat_texuniform[mjMAXMATERIAL];
  float mat_texrepeat[mjMAXMATERIAL * 2];

  // textures
  int ntexture;
  int textureType[mjMAXTEXTURE];  // mjtTexture
  unsigned int texture[mjMAXTEXTURE];

  // first display lists
  unsigned int basePlane;
  unsigned int baseMesh;
  unsigned int baseHField;
  unsigned int baseBuiltin;
  unsigned int baseFontNormal;
  unsigned int baseFontShadow;
  unsigned int baseFontBig;

  // numbers of display lists
  int rangePlane;
  int rangeMesh;
  int rangeHField;
  int rangeBuiltin;
  int rangeFont;

  // skins: buffers per skin
  int nskin;
  unsigned int* skinvertVBO;
  unsigned int* skinnormalVBO;
  unsigned int* skintexcoordVBO;
  unsigned int* skinfaceVBO;

  // characters
  int charWidth[127];
  int charWidthBig[127];
  int charHeight;
  int charHeightBig;

  // abilities
  int glInitialized;
  int windowAvailable;
  int windowSamples;
  int windowStereo;
  int windowDoublebuffer;

  // state
  int currentBuffer;    // mjtFramebuffer
  int readPixelFormat;  // of colors read back
  int readDepthMap;     // mjtDepthMap
};
typedef struct mjrContext_ mjrContext;

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_MJRENDER_H_
