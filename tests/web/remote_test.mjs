// The page in a real browser, with a program that runs the simulation (tests/python/viewer/test_viewer_browser.py), and the page of
// condyle.show.     usage: remote_test.mjs URL SHOWN.html QPOS_OF_SHOWN [PICTURE.png]
import { writeFileSync } from "node:fs";
import { Browser } from "./chromium.mjs";

const [url, shown, qpos, pictureFile] = process.argv.slice(2);
let passed = 0,
  failed = 0;

async function test(name, run) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}

const browser = await Browser.start({ width: 1280, height: 720 });
const value = (expression) => browser.evaluate(expression);
const until = (expression) => browser.until(expression, 20000);
const stage = () =>
  value(
    `(() => { const b = document.querySelector("#stage").getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`,
  );
const hidden = (selector) =>
  `document.querySelector("${selector}").getClientRects().length === 0`;
const key = async (name, code) => {
  await browser.send("Input.dispatchKeyEvent", {
    type: "keyDown",
    key: name,
    code,
  });
  await browser.send("Input.dispatchKeyEvent", {
    type: "keyUp",
    key: name,
    code,
  });
};

await browser.send("Page.addScriptToEvaluateOnNewDocument", {
  source: `window.said = [];
  new MutationObserver(() => { const it = document.querySelector("#progress"); if (it && !it.hidden) said.push(it.textContent); })
    .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });`,
});
await browser.open(url);
await test("the page says how far loading is", async () => {
  await until(
    "said.some((it) => /^Receiving the model: [0-9.]+ MB of [0-9.]+ MB$/.test(it)) && said.includes('Drawing')",
  );
  await until("document.querySelector('#progress').hidden");
});

await test("the picture moves as the program does", async () => {
  await until("window.condyle?.last?.pictures.length && condyle.model");
  await until("document.querySelector('#title').textContent === 'arm'");
  const before = await value("condyle.last.time");
  await until(`condyle.last.time > ${before} + 0.2`);
  await until("document.querySelector('[data-kind=geom]')");
});

await test("what is the program's is not the page's", async () => {
  for (const selector of [
    "#play",
    "#step",
    "#speed",
    "#compare",
    "#tab-text",
  ]) {
    await until(hidden(selector));
  }
  await until(`document.querySelector("#models").disabled`);
});

await test("the mouse turns the camera", async () => {
  const [x, y] = await stage(),
    before = await value("condyle.last.camera[4]");
  await (
    await browser.drag([x, y - 200], [x + 120, y - 200])
  )();
  await until(`Math.abs(condyle.last.camera[4] - ${before}) > 5`);
});

await test("the mouse pulls a body", async () => {
  await value(
    `condyle.call("lookAt", 0, 1, 1), condyle.call("setCamera", 3, 90, -20)`,
  );
  const [x, y] = await stage();
  await until("condyle.last.camera[3] === 3");
  const release = await browser.drag([x, y], [x + 60, y - 100], {
    modifiers: 1,
    steps: 12,
  });
  await until("condyle.last.selected > 0");
  await until(
    "Math.abs(condyle.last.qvel[3]) + Math.abs(condyle.last.qvel[1]) > 0.05",
  );
  await release();
});

await test("sliders set controls", async () => {
  await value(
    `(() => { const s = document.querySelector("#control-0"); s.value = 0.5; s.dispatchEvent(new Event("input")); })()`,
  );
  await until("condyle.last.ctrl[0] === 0.5");
});

await test("an element shows its arrays", async () => {
  await value(
    `document.querySelector('[data-kind=geom][data-id="0"]').click()`,
  );
  await until(
    `document.querySelector(".inspector").textContent.includes("rgba")`,
  );
});

await test("flags are switched", async () => {
  const before = await value("condyle.last.pictures[0].geoms.byteLength");
  await value(`document.querySelector("#show-3").click()`);
  await until(`condyle.last.pictures[0].geoms.byteLength !== ${before}`);
  // the program has switched transparency on
  await until(`document.querySelector("#show-18").checked`);
});

await test("figures, texts and images lie over the picture", async () => {
  await until(
    `document.querySelector(".corner pre")?.textContent.includes("lines")`,
  );
  await until(`(() => { const c = document.querySelector(".overlays canvas"), d = c.getContext("2d");
    const at = (x, y) => [...d.getImageData(x, c.height - 1 - y, 1, 1).data].join();
    return at(330, 12) === "0,255,0,255" && at(330, 48) === "255,0,0,255" && at(30, 30) !== "0,0,0,0"; })()`);
});

await test("a picture of it all", async () => {
  if (pictureFile) {
    writeFileSync(pictureFile, await browser.screenshot());
  }
});

await test("parts of the model that change are drawn anew", async () => {
  await key("h", "KeyH");
  await until(`condyle.model.array("hfield_data")[0] === 0.5`);
  const before = await value("condyle.last.time");
  await until(`condyle.last.time > ${before} + 0.1`);
});

await test("the page says that the program has gone", async () => {
  await key("k", "KeyK");
  await until(`document.querySelector("#app.ended")`);
  await until(
    `document.querySelector("#notice").textContent === "The program has closed the viewer"`,
  );
});

await test("a page of condyle.show begins with its state", async () => {
  await browser.open(`file://${shown}`);
  await until(
    "window.condyle?.last?.pictures.length && document.querySelector('#title')?.textContent === 'arm.mjb'",
  );
  await until(
    `JSON.stringify([...condyle.last.qpos]) === ${JSON.stringify(qpos)}`,
  );
  await until(hidden(".left"));
  await value("document.querySelector('#play').click()");
  await until(
    `JSON.stringify([...condyle.last.qpos]) !== ${JSON.stringify(qpos)}`,
  );
});

await test("it works in a frame of a notebook", async () => {
  await browser.open(`file://${shown}.notebook.html`);
  await until(
    `document.querySelector("iframe")?.contentWindow.condyle?.last?.pictures.length`,
  );
  await until(
    `JSON.stringify([...document.querySelector("iframe").contentWindow.condyle.last.qpos]) === ${JSON.stringify(qpos)}`,
  );
});

await test("nothing complains", async () => {
  if (browser.complaints.length) {
    throw new Error(browser.complaints.join("; "));
  }
});

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
