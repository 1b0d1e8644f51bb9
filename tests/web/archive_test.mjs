// A model that comes as an archive with its meshes is shown like any other.     usage: archive_test.mjs PAGE.html CONDYLE
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "./chromium.mjs";

const [page, condyle] = process.argv.slice(2);
let passed = 0,
  failed = 0;

function check(name, holds, got) {
  holds ? passed++ : failed++;
  if (!holds) {
    console.log(`FAILED ${name}: ${JSON.stringify(got)}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), "condyle-archive-"));
const model = join(folder, "pyramid.xml"),
  archive = join(folder, "pyramid.mjz");
writeFileSync(
  join(folder, "p.obj"),
  "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
);
writeFileSync(
  model,
  `<mujoco><asset><mesh name="p" file="p.obj"/></asset><worldbody><light pos="0 0 4"/>
  <geom type="plane" size="3 3 .1"/><body name="pyramid" pos="0 0 2"><freejoint/><geom type="mesh" mesh="p"/></body>
  </worldbody></mujoco>`,
);
execFileSync(condyle, ["compile", model, "-o", archive]);
rmSync(join(folder, "p.obj"));
rmSync(model);

const server = spawn(
  condyle,
  ["view", archive, "--no-browser", "--page", page],
  {
    stdio: ["ignore", "pipe", "ignore"],
  },
);
const browser = await Browser.start({ width: 1280, height: 720 });
try {
  const url = await new Promise((resolve) =>
    server.stdout.once("data", (line) => resolve(String(line).trim())),
  );
  await browser.open(url);
  await browser.until(
    "window.condyle?.last?.pictures.length && document.querySelector('#progress').hidden",
    60000,
  );
  const text = await browser.evaluate("document.body.textContent");
  check(
    "the body of the archive is there",
    /pyramid/.test(text),
    text.slice(0, 400),
  );
  check(
    "the title is the archive's name",
    (await browser.evaluate("document.querySelector('#title').textContent")) ===
      "pyramid.mjz",
    await browser.evaluate("document.querySelector('#title').textContent"),
  );
  check("no complaints", browser.complaints.length === 0, browser.complaints);
} finally {
  await browser.close();
  server.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
