// gl.h: the functions of OpenGL 3.3 that the renderer calls, found in whatever library made the
// context that is current: EGL, GLX or OSMesa. Nothing of them is linked, so the renderer loads on
// machines without any, and contexts of different libraries live in one process.
//
// A table belongs to the context that was current when it was filled.

#pragma once

#include <GL/glcorearb.h>

// functions that are not in 3.3 come last and may be missing: NULL
#define GL_FUNCTIONS(F)                                                       \
  F(ActiveTexture, ACTIVETEXTURE)                                             \
  F(AttachShader, ATTACHSHADER)                                               \
  F(BindBuffer, BINDBUFFER)                                                   \
  F(BindBufferBase, BINDBUFFERBASE)                                           \
  F(BindFramebuffer, BINDFRAMEBUFFER)                                         \
  F(BindRenderbuffer, BINDRENDERBUFFER)                                       \
  F(BindTexture, BINDTEXTURE)                                                 \
  F(BindVertexArray, BINDVERTEXARRAY)                                         \
  F(BlendFunc, BLENDFUNC)                                                     \
  F(BlitFramebuffer, BLITFRAMEBUFFER)                                         \
  F(BufferData, BUFFERDATA)                                                   \
  F(BufferSubData, BUFFERSUBDATA)                                             \
  F(CheckFramebufferStatus, CHECKFRAMEBUFFERSTATUS)                           \
  F(Clear, CLEAR)                                                             \
  F(ClearColor, CLEARCOLOR)                                                   \
  F(ClearDepth, CLEARDEPTH)                                                   \
  F(ClearStencil, CLEARSTENCIL)                                               \
  F(ColorMask, COLORMASK)                                                     \
  F(CompileShader, COMPILESHADER)                                             \
  F(CreateProgram, CREATEPROGRAM)                                             \
  F(CreateShader, CREATESHADER)                                               \
  F(CullFace, CULLFACE)                                                       \
  F(DeleteBuffers, DELETEBUFFERS)                                             \
  F(DeleteFramebuffers, DELETEFRAMEBUFFERS)                                   \
  F(DeleteProgram, DELETEPROGRAM)                                             \
  F(DeleteRenderbuffers, DELETERENDERBUFFERS)                                 \
  F(DeleteShader, DELETESHADER)                                               \
  F(DeleteTextures, DELETETEXTURES)                                           \
  F(DeleteVertexArrays, DELETEVERTEXARRAYS)                                   \
  F(DepthFunc, DEPTHFUNC)                                                     \
  F(DepthMask, DEPTHMASK)                                                     \
  F(Disable, DISABLE)                                                         \
  F(DrawArrays, DRAWARRAYS)                                                   \
  F(DrawArraysInstanced, DRAWARRAYSINSTANCED)                                 \
  F(DrawBuffer, DRAWBUFFER)                                                   \
  F(DrawElementsInstanced, DRAWELEMENTSINSTANCED)                             \
  F(Enable, ENABLE)                                                           \
  F(EnableVertexAttribArray, ENABLEVERTEXATTRIBARRAY)                         \
  F(Finish, FINISH)                                                           \
  F(FramebufferRenderbuffer, FRAMEBUFFERRENDERBUFFER)                         \
  F(FramebufferTexture2D, FRAMEBUFFERTEXTURE2D)                               \
  F(FrontFace, FRONTFACE)                                                     \
  F(GenBuffers, GENBUFFERS)                                                   \
  F(GenFramebuffers, GENFRAMEBUFFERS)                                         \
  F(GenRenderbuffers, GENRENDERBUFFERS)                                       \
  F(GenTextures, GENTEXTURES)                                                 \
  F(GenVertexArrays, GENVERTEXARRAYS)                                         \
  F(GenerateMipmap, GENERATEMIPMAP)                                           \
  F(GetBooleanv, GETBOOLEANV)                                                 \
  F(GetError, GETERROR)                                                       \
  F(GetFloatv, GETFLOATV)                                                     \
  F(GetFramebufferAttachmentParameteriv, GETFRAMEBUFFERATTACHMENTPARAMETERIV) \
  F(GetIntegerv, GETINTEGERV)                                                 \
  F(GetProgramInfoLog, GETPROGRAMINFOLOG)                                     \
  F(GetProgramiv, GETPROGRAMIV)                                               \
  F(GetRenderbufferParameteriv, GETRENDERBUFFERPARAMETERIV)                   \
  F(GetShaderInfoLog, GETSHADERINFOLOG)                                       \
  F(GetShaderiv, GETSHADERIV)                                                 \
  F(GetString, GETSTRING)                                                     \
  F(GetStringi, GETSTRINGI)                                                   \
  F(GetUniformBlockIndex, GETUNIFORMBLOCKINDEX)                               \
  F(GetUniformLocation, GETUNIFORMLOCATION)                                   \
  F(LineWidth, LINEWIDTH)                                                     \
  F(LinkProgram, LINKPROGRAM)                                                 \
  F(PixelStorei, PIXELSTOREI)                                                 \
  F(PolygonMode, POLYGONMODE)                                                 \
  F(PolygonOffset, POLYGONOFFSET)                                             \
  F(ReadBuffer, READBUFFER)                                                   \
  F(ReadPixels, READPIXELS)                                                   \
  F(RenderbufferStorageMultisample, RENDERBUFFERSTORAGEMULTISAMPLE)           \
  F(Scissor, SCISSOR)                                                         \
  F(ShaderSource, SHADERSOURCE)                                               \
  F(StencilFunc, STENCILFUNC)                                                 \
  F(StencilOp, STENCILOP)                                                     \
  F(TexImage2D, TEXIMAGE2D)                                                   \
  F(TexParameterfv, TEXPARAMETERFV)                                           \
  F(TexParameteri, TEXPARAMETERI)                                             \
  F(Uniform1f, UNIFORM1F)                                                     \
  F(Uniform1i, UNIFORM1I)                                                     \
  F(Uniform2f, UNIFORM2F)                                                     \
  F(Uniform4f, UNIFORM4F)                                                     \
  F(Uniform3fv, UNIFORM3FV)                                                   \
  F(Uniform4fv, UNIFORM4FV)                                                   \
  F(UniformBlockBinding, UNIFORMBLOCKBINDING)                                 \
  F(UniformMatrix4fv, UNIFORMMATRIX4FV)                                       \
  F(UseProgram, USEPROGRAM)                                                   \
  F(VertexAttribDivisor, VERTEXATTRIBDIVISOR)                                 \
  F(VertexAttribPointer, VERTEXATTRIBPOINTER)                                 \
  F(Viewport, VIEWPORT)                                                       \
  F(ClipControl, CLIPCONTROL)

typedef struct GL_ {
#define FIELD(name, NAME) PFNGL##NAME##PROC name;
  GL_FUNCTIONS(FIELD)
#undef FIELD
} GL;

// Fills the table for the context that is current in this thread. Returns NULL, or what is wrong:
// there is no context, or it is older than OpenGL 3.3.
const char* gl_load(GL* gl);

// One function of the current context by its full name ("glFinish"), NULL if there is none.
void* gl_function(const char* name);

// The handle of the context that is current in this thread, NULL if none is.
void* gl_current(void);
