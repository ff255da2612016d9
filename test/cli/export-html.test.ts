import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guideItem, mediaItem } from "../helpers/items.js";
import { makeRepository, sha256Of } from "../helpers/repository.js";
import { runHere } from "../helpers/run-here.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const SHEET = Buffer.from("a;b\n");
const LOST = { sha256: sha256Of(Buffer.from("lost")), size: 4, type: "text/csv" };

it("export-html writes a snapshot as a site, and says what it did", async () => {
  const directory = await temporaryFolder();
  const maker = await makeRepository(join(directory, "repo"));
  await maker.add({ snapshot: "20261101T030000Z", items: [guideItem(1, { title: "Older" })], media: [SHEET] });
  await maker.add({ snapshot: "20261102T030000Z", items: [guideItem(1, { title: "Newer" }), guideItem(2)], media: [] });
  const run = (...words: readonly string[]) => runHere(["export-html", ...words], { directory });
  const made = await run("repo", "-o", "site");
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringMatching(/site: Example, snapshot 20261102T030000Z, 9 pages; .*\nOpen .*index\.html\n$/),
  ]);
  expect(await readFile(join(directory, "site/guide/1.html"), "utf8")).toContain("Newer");
  const older = await run("repo", "-o", "site", "--at", "2026-11-01", "--json");
  expect(JSON.parse(older.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    type: "summary",
    exitCode: 0,
    pages: 8,
    removed: 1,
    failures: 0,
  });
  expect(await readFile(join(directory, "site/guide/1.html"), "utf8")).toContain("Older");
  const both = await run("repo", "-o", "site", "--snapshots", "all");
  expect([both.code, both.stdout]).toEqual([
    0,
    expect.stringMatching(
      /site: Example, 2 snapshots up to 20261102T030000Z, 17 pages; .* shared between snapshots, .* deleted\.\n/,
    ),
  ]);
  expect(await readFile(join(directory, "site/at/20261101T030000Z/guide/1.html"), "utf8")).toContain("Older");
  for (const [words, code, message] of [
    [["repo"], 2, "Name the folder for the site: -o DIR"],
    [["repo", "-o", "repo/site"], 2, "are inside each other"],
    [["repo", "-o", "."], 2, "are inside each other"],
    [["https://site.example", "-o", "site"], 2, "is an address"],
    [["nowhere", "-o", "site"], 10, "does not exist"],
    [["repo", "-o", "site", "--snapshots", "0"], 2, "expected latest, all or a number"],
  ] as const) {
    const refused = await run(...words);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(message)]);
  }
});

it("export-html ends with 3 and a list when something cannot be read, and warns that an encrypted backup is then in the clear", async () => {
  const directory = await temporaryFolder();
  const maker = await makeRepository(join(directory, "repo"), { passphrase: "open sesame" });
  await maker.add({
    snapshot: "20261101T030000Z",
    items: [guideItem(1), mediaItem("document", 9, { content: LOST })],
    media: [SHEET],
  });
  const environment = { GUIDEFERRY_PASSPHRASE: "open sesame" };
  const made = await runHere(["export-html", "repo", "-o", "site"], { directory, environment });
  expect(made.stderr).toContain("everybody who can read the folder");
  expect([made.code, made.stdout]).toEqual([3, expect.stringContaining("1 item could not be read")]);
  expect(made.stdout).toContain("document/9: The contents of document/9 are not in the archive.");
});
