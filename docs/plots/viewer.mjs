// Films docs/img/viewer.gif: the viewer in a browser without a screen, a hand that moves, with contacts and plots.
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
const [WIDTH, HEIGHT, FRAMES, RATE] = [960, 540, 48, 8]; // pixels, pictures, and pictures a second

const browser = await Browser.start({ width: WIDTH, height: HEIGHT });
const frames = mkdtempSync(join(tmpdir(), "condyle-film-"));
try {
  await browser.send("Page.navigate", { url: `file://${page}?model=humanoid.xml&quality=high` });
  await browser.until("window.condyle?.last?.time > 0");
  for (let i = 0; i < FRAMES; i++) {
    const since = await browser.evaluate("condyle.last.time");
    writeFileSync(join(frames, `${String(i).padStart(3, "0")}.png`), await browser.screenshot());
    // as much simulated time between pictures as the film shows between them
    await browser.until(`condyle.last.time >= ${since} + ${1 / RATE} || condyle.last.time < ${since}`);
  }
  execFileSync("ffmpeg", ["-y", "-loglevel", "error", "-framerate", String(RATE), "-i", join(frames, "%03d.png"), "-vf",
    "scale=720:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=bayer:bayer_scale=4",
    join(ROOT, "docs/img/viewer.gif")]);
} finally {
  await browser.close();
  rmSync(frames, { recursive: true });
}
