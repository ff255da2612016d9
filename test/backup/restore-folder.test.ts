import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeGuideToFolder } from "../../src/backup/restore/fill-workspace.js";
import type { SnapshotContents } from "../../src/backup/restore/snapshot-contents.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { guideItem, wikiItem } from "../helpers/items.js";
import { OLD_SITE } from "../helpers/target-site.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const MANIFEST = { site: OLD_SITE, snapshot: "20261119T030000Z", finished: "2026-11-19T03:10:00Z" };

test("the list for people holds no formula that a spreadsheet would carry out, and nothing that a terminal obeys", async () => {
  const workspace = await openWorkspace(await temporaryFolder(), { create: true, command: "test" });
  onTestFinished(() => workspace.close());
  await workspace.claim(OLD_SITE);
  const formula = '=HYPERLINK("http://evil.example","Click")';
  await workspace.items.put(guideItem(1, { title: formula, category: "+1+2" }));
  await workspace.items.put(
    guideItem(2, { title: "\u001b]0;owned\u0007 red \u001b[31m \u202e \u009b2J", category: "@SUM(A1)" }),
  );
  await workspace.items.put(guideItem(3, { title: "A\tB\r\nC 👩‍🔧", category: "Looms" }));
  await workspace.items.put(wikiItem("CATEGORY", "-2+3"));
  await writeGuideToFolder(workspace, { manifest: MANIFEST } as unknown as SnapshotContents);
  const list = await readFile(join(workspace.directory, "contents.tsv"), "utf8");
  const cells = list.split("\n").flatMap((line) => line.split("\t"));
  expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
  expect(cells).toContain(`'${formula}`);
  expect(cells).toContain("A B C 👩‍🔧");
  // What is a control character, or changes the order of letters, stands as an escape.
  expect(list.replaceAll(/[\t\n\u200d]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(list).toContain("\\u001b]0;owned\\u0007");
});
