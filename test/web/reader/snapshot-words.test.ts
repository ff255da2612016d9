import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { BuiltCatalogue } from "../../../src/web/reader/build-catalogue.js";
import { openLibrary } from "../../../src/web/reader/open-library.js";
import { renderPage } from "../../../src/web/reader/pages/render-page.js";
import { snapshotDay, snapshotMoment } from "../../../src/web/reader/snapshot-words.js";
import { guideItem } from "../../helpers/items.js";
import { makeRepository } from "../../helpers/repository.js";
import { runHere } from "../../helpers/run-here.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/** Two within a minute, one on another day. */
const [FIRST, SECOND, LATER] = ["20261101T030005Z", "20261101T030025Z", "20261108T030000Z"] as const;

async function repository(): Promise<string> {
  const folder = join(await temporaryFolder(), "repository");
  const maker = await makeRepository(folder);
  for (const [at, snapshot] of [FIRST, SECOND, LATER].entries())
    await maker.add({ snapshot, items: [guideItem(1, { title: `Warp ${at}` })] });
  return folder;
}

it("names a snapshot by its minute, and by its second where the minute has another", () => {
  const at = (text: string) => ({ time: Date.parse(text) / 1000 });
  const [one, two, three] = [at("2026-11-01T03:00:05Z"), at("2026-11-01T03:00:25Z"), at("2026-11-01T09:00:00Z")];
  const other = at("2026-11-02T03:00:05Z");
  const all = [one, two, three, other];
  expect(all.map((each) => snapshotMoment(all, each))).toEqual([
    "1 November 2026, 03:00:05 UTC",
    "1 November 2026, 03:00:25 UTC",
    "1 November 2026, 09:00 UTC",
    "2 November 2026, 03:00 UTC",
  ]);
  expect([snapshotDay(all, three), snapshotDay(all, other)]).toEqual(["1 November 2026, 09:00 UTC", "2 November 2026"]);
});

it.each([
  ["the menu", "index.html", ["03:00:05 UTC", "03:00:25 UTC", "8 November 2026, 03:00 UTC"]],
  ["the list of snapshots", "about.html", [">1 November 2026, 03:00:05 UTC</a>", ">1 November 2026, 03:00:25 UTC</a>"]],
  ["the menu of comparisons", "guide/1.html", [`changes/${SECOND}/guide/1.html">1 November 2026, 03:00:25 UTC`]],
  ["the history", "history/guide/1.html", ["03:00:05 UTC", "03:00:25 UTC"]],
])("tells two snapshots of a minute apart in %s", async (_, path, words) => {
  const { html } = await page(LATER, path);
  for (const each of words) expect(html).toContain(each);
  expect(html).not.toMatch(/1 November 2026, 03:00 UTC/);
});

it("tells them apart in comparisons, and in the source of a sheet", async () => {
  for (const path of [`changes/${FIRST}.html`, `changes/${FIRST}/guide/1.html`]) {
    const { html } = await page(SECOND, path);
    const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    expect(main).toMatch(/03:00:05 UTC[\s\S]*03:00:25 UTC/);
    expect(html.slice(html.indexOf("</main>")).match(/as of <time[^>]*>1 November 2026, 03:00:25 UTC/g)).toHaveLength(
      2,
    );
  }
});

it("tells them apart in an export", async () => {
  const site = join(await temporaryFolder(), "site");
  const { code, stderr } = await runHere(["export-html", await repository(), "-o", site, "--snapshots", "all"]);
  expect(code, stderr).toBe(0);
  const listed = await readFile(join(site, "times.js"), "utf8");
  expect(listed).toContain('"day":"1 November 2026, 03:00:05 UTC","moment":"1 November 2026, 03:00:05 UTC"');
  expect(listed).toContain('"day":"8 November 2026","moment":"8 November 2026, 03:00 UTC"');
  expect(await readFile(join(site, "times.html"), "utf8")).toContain("changes since 1 November 2026, 03:00:05 UTC");
});

async function page(id: string, path: string) {
  const library = await openLibrary(await repository());
  onTestFinished(() => library.close());
  const snapshot = await library.at(id);
  if (snapshot === undefined) throw new Error("there is no such snapshot");
  const catalogue = await BuiltCatalogue.build({ snapshot, signal: new AbortController().signal });
  await catalogue.read;
  return renderPage({ library, snapshot, catalogue, mode: "server" }, path);
}
