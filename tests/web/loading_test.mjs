// What the page says while a large model loads: stages with a bar that never goes back, the name of the file at once, and nothing of
// it left when the picture is there.     usage: loading_test.mjs PAGE.html CONDYLE [FOLDER_FOR_PICTURES]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "./chromium.mjs";

const [page, condyle, pictures] = process.argv.slice(2);
let passed = 0,
  failed = 0;

function check(name, holds, got) {
  holds ? passed++ : failed++;
  if (!holds) {
    console.log(`FAILED ${name}: ${JSON.stringify(got)}`);
  }
}

// A rough sphere of rings, as binary STL: 100 kB and more.
function rock(seed, rings) {
  const at = (i, j) => {
    const u = (2 * Math.PI * j) / rings,
      v = (Math.PI * i) / rings;
    const r = 0.2 + 0.01 * Math.sin(9 * u + seed) * Math.sin(7 * v);
    return [
      r * Math.sin(v) * Math.cos(u),
      r * Math.sin(v) * Math.sin(u),
      r * Math.cos(v),
    ];
  };
  const triangles = [];
  for (let i = 0; i < rings; i++) {
    for (let j = 0; j < rings; j++) {
      const [a, b, c, d] = [
        at(i, j),
        at(i + 1, j),
        at(i + 1, j + 1),
        at(i, j + 1),
      ];
      if (i < rings - 1) {
        triangles.push([a, b, c]);
      }
      if (i > 0) {
        triangles.push([a, c, d]);
      }
    }
  }
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach((triangle, t) =>
    triangle
      .flat()
      .forEach((x, k) => bytes.writeFloatLE(x, 84 + 50 * t + 12 + 4 * k)),
  );
  return bytes;
}

const MESHES = 6,
  RINGS = 300;
const folder = mkdtempSync(join(tmpdir(), "condyle-loading-"));
const name = "biped.xml",
  path = join(folder, name);
const numbers = Array.from({ length: MESHES }, (_, i) => i);
numbers.forEach((i) =>
  writeFileSync(join(folder, `m${i}.stl`), rock(i, RINGS)),
);
writeFileSync(
  path,
  `<mujoco><asset>${numbers.map((i) => `<mesh name="m${i}" file="m${i}.stl" inertia="shell"/>`).join("")}</asset><worldbody>
  <light pos="0 0 4"/><geom type="plane" size="3 3 .1"/>${numbers
    .map(
      (i) => `<body pos="${0.5 * i - 1.2} 0 1"><freejoint/>
  <geom type="mesh" mesh="m${i}" rgba=".2 .5 .${i} 1"/></body>`,
    )
    .join("")}</worldbody></mujoco>`,
);

const server = spawn(condyle, ["view", path, "--no-browser", "--page", page], {
  stdio: ["ignore", "pipe", "ignore"],
});
const browser = await Browser.start({ width: 1280, height: 720 });
try {
  const url = await new Promise((resolve) =>
    server.stdout.once("data", (line) => resolve(String(line).trim())),
  );
  // notes each text of the panel, and how far its bar is
  await browser.send("Page.addScriptToEvaluateOnNewDocument", {
    source: `window.said = [];
    new MutationObserver(() => { const it = document.querySelector("#progress"), bar = it?.querySelector("progress");
      if (it) window.said.push(it.hidden ? null : { text: it.textContent, at: bar.hasAttribute("value") ? bar.value / bar.max : null,
        title: document.querySelector("#title").textContent }); })
      .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`,
  });
  await browser.open(url);
  if (pictures) {
    await browser.until(
      "document.querySelector('#progress:not([hidden])') && /Fetching/.test(document.querySelector('#progress').textContent)",
    );
    writeFileSync(join(pictures, "fetching.png"), await browser.screenshot());
    await browser.until(
      "/Compiling|Drawing/.test(document.querySelector('#progress').textContent)",
      60000,
    );
    await new Promise((resolve) => setTimeout(resolve, 400));
    writeFileSync(join(pictures, "compiling.png"), await browser.screenshot());
  }
  await browser.until(
    "window.condyle?.last?.pictures.length && document.querySelector('#progress').hidden",
    90000,
  );
  if (pictures) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    writeFileSync(join(pictures, "drawn.png"), await browser.screenshot());
  }
  const said = (await browser.evaluate("window.said")).filter(Boolean);
  const order = ["Fetching", "Starting|Reading", "Compiling", "Drawing"];
  let stage = 0;
  for (const { text } of said) {
    const now = order.findIndex((it) => new RegExp(it).test(text));
    check("stages come in their order", now >= stage, text);
    stage = Math.max(stage, now);
  }
  for (const one of order) {
    check(
      `the page says ${one}`,
      said.some(({ text }) => new RegExp(one).test(text)),
      said.map(({ text }) => text).slice(-3),
    );
  }
  const fetching = said.filter(({ text }) => /^Fetching/.test(text));
  check(
    "files and bytes are counted",
    fetching.every(({ text }) =>
      /^Fetching file \d of 7: [\d.]+ MB of 54 MB$/.test(text),
    ),
    fetching[0],
  );
  const bars = fetching.map(({ at }) => at);
  check(
    "the bar never goes back",
    bars.every((at, i) => at !== null && at >= (bars[i - 1] ?? 0) && at <= 1),
    bars.slice(0, 9),
  );
  check("the bar comes to its end", bars.at(-1) === 1, bars.at(-1));
  check("the bar moves in small steps", new Set(bars).size > 20, bars.length);
  check(
    "the title is the file's name",
    said.every(({ title }, i) => title === name || i < 2),
    said.find(({ title }) => title !== name),
  );
  check(
    "its path is the tooltip",
    (await browser.evaluate("document.querySelector('#title').title")) === path,
    path,
  );
  check(
    "the tab has the name",
    (await browser.evaluate("document.title")) === `${name} - Condyle`,
    name,
  );
  check("no complaints", browser.complaints.length === 0, browser.complaints);
} finally {
  await browser.close();
  server.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
