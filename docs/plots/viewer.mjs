// Films docs/img/viewer.gif: the viewer in a browser without a screen; a humanoid falls, with soft, hard and sticking contacts
// side by side.
//
// usage: node docs/plots/viewer.mjs [VIEWER.html], the page of make web; needs chromium and ffmpeg
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser } from "../../tests/web/chromium.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const page = resolve(process.argv[2] ?? join(ROOT, "build/web/viewer.html"));
const [WIDTH, HEIGHT, FRAMES, RATE] = [1120, 560, 48, 16]; // pixels, pictures, and pictures in a second of the simulation; shown at half its pace

const browser = await Browser.start({ width: WIDTH, height: HEIGHT });
const frames = mkdtempSync(join(tmpdir(), "condyle-film-"));
try {
  await browser.open(`file://${page}?model=humanoid.xml`);
  await browser.until("window.condyle?.last", 60000);
  // from the start, at a quarter of the clock's pace, as each picture takes a while; without the panel at the right
  await browser.evaluate(`document.querySelector("#right").click(); document.querySelector("#compare").click();
    (speed => { speed.value = "0.25"; speed.dispatchEvent(new Event("change")); })(document.querySelector("#speed")); document.querySelector("#reset").click(); condyle.playing || document.querySelector("#play").click()`);
  for (let i = 0; i < FRAMES; i++) {
    const since = await browser.evaluate("condyle.last.time");
    writeFileSync(join(frames, `${String(i).padStart(3, "0")}.png`), await browser.screenshot());
    // as much simulated time between pictures as the film shows between them
    await browser.until(`condyle.last.time >= ${since} + ${1 / RATE} || condyle.last.time < ${since}`);
  }
  execFileSync("ffmpeg", ["-y", "-loglevel", "error", "-framerate", "8", "-i", join(frames, "%03d.png"), "-vf",
    "scale=720:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=bayer:bayer_scale=4",
    join(ROOT, "docs/img/viewer.gif")]);
} finally {
  await browser.close();
  rmSync(frames, { recursive: true });
}
