// How costly pictures may be: browsers without a graphics card draw with less detail.

export interface Quality {
  antialias: boolean;
  anisotropy: number;
  shadowMap: number; // pixels of a side
  shadowLights: number; // lights that throw shadows
  softShadows: boolean;
  pixelLight: boolean; // light is found at pixels, not at vertices
  turns: boolean; // mirrors and shadows are drawn by turns
  mipmaps: boolean; // of textures: between two of them
  mirror: number; // pixels of what a mirror shows, each way, for one of the picture
  segments: number; // of a circle that is large in the picture
  pixels: number; // parts of the screen's, to begin with
  fixed?: boolean; // as many pixels however long they take
}

const CARD: Quality = {
  antialias: true,
  anisotropy: 8,
  shadowMap: 2048,
  shadowLights: 2,
  softShadows: true,
  pixelLight: true,
  turns: false,
  mipmaps: true,
  mirror: 1,
  segments: 28,
  pixels: 1,
};
const SOFTWARE: Quality = {
  antialias: false,
  anisotropy: 1,
  shadowMap: 1024,
  shadowLights: 1,
  softShadows: false,
  pixelLight: false,
  turns: true,
  mipmaps: false,
  mirror: 0.5,
  segments: 16,
  pixels: 0.7,
};

// Chooses by the name of the graphics device, or by the address: ?quality=high or low.
export function findQuality(): Quality {
  const wanted = new URLSearchParams(location.search).get("quality");
  if (wanted) {
    return wanted === "low" ? SOFTWARE : { ...CARD, fixed: true };
  }
  const context = document.createElement("canvas").getContext("webgl2");
  const info = context?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(context!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software/i.test(name) ? SOFTWARE : CARD;
}
