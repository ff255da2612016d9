import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { BuiltCatalogue } from "../../../../src/web/reader/build-catalogue.js";
import { openLibrary } from "../../../../src/web/reader/open-library.js";
import { renderPage } from "../../../../src/web/reader/pages/render-page.js";
import { guideItem, wikiItem } from "../../../helpers/items.js";
import { makeRepository } from "../../../helpers/repository.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";

const nightOf = (day: number): string => `202611${String(day).padStart(2, "0")}T030000Z`;

/** Thirty nights, in few of which anything happened to the guide. */
async function pages(last: number) {
  const folder = join(await temporaryFolder(), "repository");
  const maker = await makeRepository(folder);
  for (let day = 1; day <= 30; day += 1) {
    const guide = guideItem(1, { title: day < 3 ? "Warp" : "Warp it" });
    const isThere = day !== 20 && day !== 30;
    const items = [...(isThere ? [guide] : []), wikiItem("INFO", "Days", { contents: `Day ${Math.ceil(day / 7)}` })];
    await maker.add({ snapshot: nightOf(day), items });
  }
  const library = await openLibrary(folder);
  onTestFinished(() => library.close());
  const snapshot = await library.at(nightOf(last));
  if (snapshot === undefined) throw new Error("there is no such night");
  const catalogue = await BuiltCatalogue.build({ snapshot, signal: new AbortController().signal });
  await catalogue.read;
  return (path: string, mode: "server" | "files" = "server") =>
    renderPage({ library, snapshot, catalogue, mode }, path);
}

it("tells the nights in which an item changed, and leads to each and to what changed", async () => {
  const page = await pages(29);
  const { status, html } = await page("history/guide/1.html");
  expect(status).toBe(200);
  const rows = [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([, row = ""]) =>
    row.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|"),
  );
  expect(rows).toEqual([
    "30 November 2026, 03:00 UTC|deleted|",
    "|21 November 2026, 03:00 UTC|recreated|",
    "20 November 2026, 03:00 UTC|deleted|",
    "|3 November 2026, 03:00 UTC|changed|show changes| of 3 November 2026, 03:00 UTC|",
    "|1 November 2026, 03:00 UTC|first snapshot with this item|",
  ]);
  expect(html).toContain(`href="../../../${nightOf(3)}/changes/${nightOf(1)}/guide/1.html"`);
  expect((await page("guide/1.html")).html).toContain('href="../history/guide/1.html"');
});

it("is found from the page of a guide that is gone, and is not there for what never was, or in an export", async () => {
  const page = await pages(30);
  const gone = await page("guide/1.html");
  expect([gone.status, gone.html.includes('href="../history/guide/1.html"')]).toEqual([404, true]);
  expect((await page("history/guide/1.html")).status).toBe(200);
  expect((await page("history/guide/7.html")).status).toBe(404);
  expect((await page("history/wiki/info/nothing.html")).status).toBe(404);
  expect((await page("history/guide/1.html", "files")).status).toBe(404);
});
