import { expect, test } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import { load } from "../../../src/sync/load/load.js";
import { type Difference, type VerifySummary, verify } from "../../../src/sync/verify/verify.js";
import { extractFrom, withTarget } from "../../helpers/migration.js";
import { type Pair, twoGuides } from "../../helpers/small-sites.js";

/** Loads, and reads back what that wrote, as `migrate` does. */
async function migrated(pair: Pair, between: () => void = () => undefined) {
  await extractFrom(pair.source, pair.workspace);
  const differences: Difference[] = [];
  const changed = new Set<Key>();
  let asked = 0;
  const summary = await withTarget(pair.target, pair.workspace, {}, async (parts): Promise<VerifySummary> => {
    await load({ ...parts, onWritten: (key) => changed.add(key) });
    between();
    asked = pair.target.recorded.length;
    return verify({ ...parts, changed, onDifference: (difference) => differences.push(difference) });
  });
  const reads = pair.target.recorded.slice(asked).map(({ path }) => path.replace("/api/2.0", ""));
  return { summary, differences, changed, reads };
}

test("only what the run wrote is read back, and of the rest whether the target lists it", async () => {
  const pair = await twoGuides();
  expect((await migrated(pair)).summary).toMatchObject({ items: 4, listed: 0, differences: 0 });
  pair.source.edit.guide(1, { summary: "New." });
  const { summary, changed } = await migrated(pair);
  expect([...changed]).toEqual(["guide/1"]);
  expect(summary).toMatchObject({ items: 1, listed: 3, differences: 0 });
  expect((await migrated(pair)).summary).toMatchObject({ items: 0, fields: 0, listed: 4, differences: 0 });
});

test("what the run wrote and somebody changed since is a difference, and what it did not write is not looked at", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.guide(1, { summary: "New." });
  const { differences } = await migrated(pair, () => {
    for (const title of ["Warp", "Weft"]) pair.target.edit.guide(pair.guide(title).guideid, { summary: "Theirs." });
  });
  expect(differences).toEqual([expect.objectContaining({ key: "guide/1", path: "summary", actual: "Theirs." })]);
  // All of it is a matter of `full`.
  expect((await pair.verify()).differences.map(({ key }) => key).toSorted()).toEqual(["guide/1", "guide/2"]);
});

test("what no longer exists there is a difference, whether the run wrote it or not", async () => {
  const pair = await twoGuides();
  await pair.run();
  const { summary, differences } = await migrated(pair, () => {
    pair.target.edit.deleteGuide(pair.guide("Weft").guideid);
    pair.target.edit.deleteWiki("WIKI", "Sheds");
  });
  expect(summary).toMatchObject({ items: 2, listed: 2, differences: 2 });
  expect(differences.map(({ key, actual }) => [key, actual])).toEqual(
    expect.arrayContaining([
      ["guide/2", "no longer exists there"],
      ["wiki/WIKI/Sheds", "no longer exists there"],
    ]),
  );
});

test("what could not be made is a difference, although nothing was written", async () => {
  const pair = await twoGuides();
  pair.target.faults.decide(({ method, path }) =>
    method === "POST" && path === "/wikis" ? { kind: "status", status: 403 } : undefined,
  );
  const { differences } = await migrated(pair);
  expect(differences).toContainEqual(
    expect.objectContaining({ key: "wiki/WIKI/Sheds", actual: "was never created there" }),
  );
});

test("what a comparison costs grows with what changed: two lists, and no item, when nothing did", async () => {
  const pair = await twoGuides();
  for (let number = 0; number < 8; number += 1)
    pair.source.edit.createWiki({ namespace: "WIKI", title: `Page ${number}`, contents: "Text." });
  await pair.run();
  const { reads } = await migrated(pair);
  expect(reads.filter((path) => path.startsWith("/wikis/WIKI/"))).toEqual([]);
  expect(reads.filter((path) => path === "/wikis/WIKI")).toHaveLength(2);
});
