declare module "engine.mjs" {
  export default function makeEngine(options: object): Promise<import("./memory.ts").Engine>;
}
