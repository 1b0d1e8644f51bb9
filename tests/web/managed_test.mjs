// The page in a real browser with a program that waits for a model (condyle.viewer.launch without one).     usage: managed_test.mjs URL
import { Browser } from "./chromium.mjs";

const [url] = process.argv.slice(2);
const browser = await Browser.start({ width: 1280, height: 720 });
const value = (expression) => browser.evaluate(expression);
const until = (expression) => browser.until(expression, 20000);
const edit = (from, to) =>
  value(`(() => { const t = document.querySelector("#text"); t.value = t.value.replace(${JSON.stringify(from)}, ${JSON.stringify(to)});
  t.dispatchEvent(new Event("input")); })()`);
let failure = "";

try {
  await browser.open(url);
  // the page offers models, and the program takes the one that is chosen
  await until(`document.querySelector("#gallery")?.open`);
  await value(`document.querySelector('[data-model="hand.xml"]').click()`);
  await until("condyle.last?.pictures.length && condyle.last.time > 0.1");
  await until(`document.querySelector("#title").textContent === "hand.xml"`);
  // its clock is the page's to stop
  await value(`document.querySelector("#play").click()`);
  await until("!condyle.playing && condyle.last.playing === false");
  const stopped = await value("condyle.last.time");
  await value(`document.querySelector("#step").click()`);
  await until(`condyle.last.time > ${stopped}`);
  await value(
    `(() => { const s = document.querySelector("#speed"); s.value = "0.25"; s.dispatchEvent(new Event("change")); })()`,
  );
  await until("condyle.speed === 0.25 && condyle.last.speed === 0.25");
  // its text is edited here, and it goes on where it was
  await value(`document.querySelector("#tab-text").click()`);
  await until(`document.querySelector("#text").value.includes("<mujoco")`);
  const time = await value("condyle.last.time");
  await edit(
    "<worldbody>",
    `<worldbody><geom name="added" type="sphere" size=".01"/>`,
  );
  await until(
    `Array.from({ length: condyle.model.size("ngeom") }, (_, i) => condyle.model.name("geom", i)).includes("added")`,
  );
  await until(`condyle.last.time >= ${time} && condyle.last.pictures.length`);
  await until(
    `document.querySelector("#text").value.includes("added") && document.querySelector(".state").textContent.startsWith("loaded")`,
  );
  await edit("<worldbody>", "<worldbody><wrong/>");
  await until(
    `document.querySelector("#problems").textContent.includes("wrong") && document.querySelector(".mark.error")`,
  );
  await until("condyle.last.pictures.length");
  await value(`document.querySelector("#reset").click()`);
  await until("condyle.last.time === 0");
  if (browser.complaints.length) {
    throw new Error(browser.complaints.join("; "));
  }
} catch (error) {
  failure = error.message;
}
await browser.close();
console.log(failure || "passed");
process.exit(failure ? 1 : 0);
