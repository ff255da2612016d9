// `npm run pictures` makes the two pictures of README.md from the sample site: the report of a migration, and a guide in the reader.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startSandbox } from "guideferry";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pictures = join(root, "samples/pictures");
const folder = await mkdtemp(join(tmpdir(), "guideferry-pictures-"));
const source = await startSandbox({ site: join(root, "samples/site") });
const target = await startSandbox({ name: "The new site" });
const environment = {
  ...process.env,
  GUIDEFERRY_SOURCE_TOKEN: source.token,
  GUIDEFERRY_TARGET_TOKEN: target.token,
  XDG_STATE_HOME: folder,
};

/** Runs guideferry; gives its words as soon as they match, or at its end. */
function guideferry(words, pattern) {
  const child = spawn(process.execPath, [join(root, "dist/src/cli.js"), ...words], { cwd: folder, env: environment });
  let text = "";
  const found = new Promise((resolve, reject) => {
    child.stdout.on("data", (piece) => {
      text += piece;
      const match = pattern.exec(text);
      if (match !== null) resolve(match[1]);
    });
    child.stderr.on("data", (piece) => process.stderr.write(piece));
    child.on("exit", (code) => reject(new Error(`guideferry ${words[0]} ended with ${code}: ${text}`)));
  });
  return { child, found };
}

async function shoot(browser, address, name, height, prepare = async () => undefined) {
  const page = await browser.newPage({ viewport: { width: 1280, height }, deviceScaleFactor: 1 });
  await page.goto(address);
  await prepare(page);
  await page.screenshot({ path: join(pictures, name) });
  await page.close();
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
try {
  for (let times = 0; times < 3; times += 1)
    target.faults.inject({ kind: "status", status: 429, retryAfter: 1 }, { method: "POST", path: "/guides", times: 1 });
  const migration = ["migrate", source.url, target.url, "--fit", "split", "--rate", "40"];
  const report = await guideferry(migration, /HTML report: (.*)\n/).found;
  await shoot(browser, pathToFileURL(report).href, "report.png", 1500);
  const repository = join(folder, "looms");
  const backup = guideferry(["backup", source.url, "--to", repository], /(Snapshot .*)\n/);
  const ended = new Promise((resolve) => backup.child.once("close", resolve));
  await backup.found;
  await ended;
  const reader = guideferry(["browse", repository], /(http:\/\/127\S+)/);
  const address = await reader.found;
  await shoot(browser, address, "reader.png", 1150, async (page) => {
    const guide = new URL("guide/1.html", page.url()).href;
    await page.goto(guide);
    // Until every item was read a page says so.
    while ((await page.getByText("read so far").count()) > 0) await page.goto(guide);
    await page.locator("section.step").first().scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 200);
    await page.waitForLoadState("networkidle");
  });
  reader.child.kill();
} finally {
  await browser.close();
  await Promise.all([source.close(), target.close()]);
  await rm(folder, { recursive: true, force: true });
}
