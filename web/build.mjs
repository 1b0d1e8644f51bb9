// Bundles the page into one file that needs no other: styles, programs, the engine, and our models.
//
//   node build.mjs ENGINE_DIR MODELS_DIR OUT.html
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const [engineDir, modelsDir, out] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));

async function bundle(entry) {
  const result = await esbuild.build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false,
    legalComments: "none",
    define: { "import.meta.url": '"file:///"' },
    plugins: [
      {
        name: "engine",
        setup(build) {
          build.onResolve({ filter: /^engine\.mjs$/ }, () => ({ path: join(engineDir, "engine.mjs") }));
        },
      },
    ],
  });
  return result.outputFiles[0].text;
}

// Escapes a text for use inside of a script element.
const inScript = (text) => text.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");

// The title of a model is the name in its text; the description is its first comment.
function model(name) {
  const text = readFileSync(join(modelsDir, name), "utf8");
  const about = (text.match(/<!--([\s\S]*?)-->/)?.[1] ?? "").trim().replace(/\s+/g, " ");
  return { name, title: name.replace(/\.xml$/, "").replace(/_/g, " "), about, text };
}

const names = readdirSync(modelsDir).filter((name) => name.endsWith(".xml"));
const first = "humanoid.xml";
names.sort((a, b) => Number(b === first) - Number(a === first) || a.localeCompare(b));
const parts = {
  STYLE: readFileSync(join(here, "page/style.css"), "utf8"),
  ENGINE: gzipSync(readFileSync(join(engineDir, "engine.wasm")), { level: 9 }).toString("base64"),
  BOOT: inScript(await bundle("page/boot.ts")),
  WORKER: inScript(await bundle("worker/worker.ts")),
  MODELS: JSON.stringify(names.map(model)).replace(/</g, "\\u003c"),
  PAGE: inScript(await bundle("page/main.ts")),
};
const page = readFileSync(join(here, "page/index.html"), "utf8").replace(
  /\/\*(STYLE|ENGINE|WORKER|BOOT|MODELS|PAGE)\*\//g,
  (_, name) => parts[name],
);
writeFileSync(out, page);
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
console.log(`${out}: ${kilobytes(page.length)}, ${kilobytes(gzipSync(page).length)} compressed`);
