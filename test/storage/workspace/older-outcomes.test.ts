import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Key } from "../../../src/core/model/key.js";
import { DatabaseSync } from "../../../src/storage/sqlite.js";
import { inspectWorkspace } from "../../../src/storage/workspace/inspect.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { makeOlder, versionOf } from "../../helpers/older-state.js";
import { guide, site, temporaryFolder } from "./helpers/samples.js";

/** id, item, hash, state, error; in the order in which they were begun. */
type Row = readonly [id: string, item: Key, hash: string, state?: "begun" | "failed", error?: string];

const WRITES: readonly Row[] = [
  // Begun and failed ones have their plain hash, whatever they were before.
  ["guide/9", "guide/9", "h1", "begun"],
  ["guide/9/step/4", "guide/9", "h2", "failed", "answered 422"],
  ["guide/9/step/5", "guide/9", "h3", "begun"],
  ["guide/1", "guide/1", "h4"],
  ["guide/1/step/5", "guide/1", "skipped h5"],
  ["guide/1/visibility", "guide/1", "not wanted any more"],
  ["guide/1/hidden", "guide/1", "hidden"],
  ["guide/2", "guide/2", "adopted instead of h6"],
  ["guide/3", "guide/3", "as the site stands"],
  ["guide/3/finish", "guide/3", "undone h7"],
  ["guide/3/step/7", "guide/3", "undone skipped h8"],
  ["guide/3/step/8", "guide/3", "undone adopted instead of h9"],
  ["guide/3/order", "guide/3", "undone not wanted any more"],
  ["guide/4/delete", "guide/4", "deleted 71"],
  ["guide/5/delete", "guide/5", "settled"],
  ["guide/6/delete", "guide/6", "undone settled"],
  ["guide/7/delete", "guide/7", "undone deleted 72"],
  ["guide/7", "guide/7", "undo of run-1"],
  // Tags and pages may have the names that notes ended with.
  ["guide/8/tag/apart", "guide/8", "h10"],
  ["guide/8/tag/private", "guide/8", "skipped h11"],
  ["guide/8/tag/made-anew", "guide/8", "not wanted any more"],
  ["guide/8/tag/delete", "guide/8", "undone h12"],
  ["wiki/WIKI/a [b]/present", "wiki/WIKI/a [b]/present", "h13"],
];

/** What they are read as: the outcome, and the hash that a plan is compared with. */
const READ = [
  [null, "h1"],
  [null, "h2"],
  [null, "h3"],
  ["written", "h4"],
  ["skipped", "h5"],
  ["closed", ""],
  ["written", "hidden"],
  ["adopted", "h6"],
  ["closed", ""],
  ["undone", "h7"],
  ["undone", "h8"],
  ["undone", "h9"],
  ["undone", ""],
  ["written", "deleted 71"],
  ["closed", ""],
  ["undone", ""],
  ["undone", "deleted 72"],
  ["written", "undo of run-1"],
  ["written", "h10"],
  ["skipped", "h11"],
  ["closed", ""],
  ["undone", "h12"],
  ["written", "h13"],
];

/** Operations that only left a note. */
const NOTES: readonly Row[] = [
  ["guide/1/apart", "guide/1", ""],
  ["step/5/apart", "guide/1", ""],
  ["guide/1+2/apart", "guide/1+2", "undone "],
  ["wiki/WIKI/a [b]/apart", "wiki/WIKI/a [b]", "not wanted any more"],
  ["guide/1/made-anew", "guide/1", ""],
  ["guide/1+2/made-anew", "guide/1", "undone "],
  ["step/6/made-anew", "guide/1", ""],
  ["guide/3/made-anew", "guide/3", "settled"],
  ["guide/4/made-anew", "guide/4", "undone settled"],
  ["guide/1/private", "guide/1", "held back"],
  ["guide/2/private", "guide/2", "adopted"],
  ["guide/3/private", "guide/3", "undone conflict"],
  ["guide/4/private", "guide/4", "over"],
  ["guide/1/present", "guide/1", "as the site stands"],
];

/** item, operation */
const ISSUES: readonly (readonly [Key, string])[] = [
  ["guide/1", ""],
  ["guide/1", "guide/1"],
  ["guide/1", "guide/1/apart"],
  ["guide/1", "step/5/apart"],
  ["guide/1", "guide/1/made-anew"],
  ["guide/1", "guide/1+2/made-anew"],
  ["guide/1", "guide/1/private"],
  ["guide/1+2", "guide/1+2/apart"],
  ["guide/2", "guide/2/private"],
  ["guide/3", "guide/3/private"],
  ["guide/8", "guide/8/tag/apart"],
];

test.each([5, 6] as const)(
  "what version %d said of operations by their hashes is read from columns",
  async (version) => {
    const directory = await olderWorkspace(version);
    await expect(inspectWorkspace(directory)).rejects.toThrow(`has version ${version}, of an older guideferry`);
    expect(versionOf(directory)).toBe(version);

    const workspace = await openWorkspace(directory, { create: false, command: "test" });
    onTestFinished(() => workspace.close());
    expect(versionOf(directory)).toBe(8);
    const ledger = workspace.ledger(site());
    const items = [...new Set([...WRITES, ...NOTES].map(([, item]) => item))];
    const known = new Map(
      (await Promise.all(items.map((item) => ledger.loaded(item)))).flatMap(({ operations }) => [...operations]),
    );
    expect([...known.keys()].sort()).toEqual(WRITES.map(([id]) => id).sort());
    expect(WRITES.map(([id]) => [known.get(id)?.outcome, known.get(id)?.hash])).toEqual(READ);
    expect(WRITES.map(([id]) => known.get(id)?.state)).toEqual(WRITES.map(([, , , state = "done"]) => state));
    expect((await ledger.orphans()).map(({ id, mark }) => [id, mark])).toEqual([
      ["guide/9", { after: 3 }],
      ["guide/9/step/5", { after: 3 }],
    ]);
    expect((await ledger.failures()).map(({ id, error }) => [id, error])).toEqual([["guide/9/step/4", "answered 422"]]);
    expect((await ledger.loaded("guide/1")).operations.get("guide/1")?.missing).toEqual(["guide/4"]);
  },
);

test.each([5, 6] as const)("notes that version %d kept as operations are notes, and go one by one", async (version) => {
  const workspace = await openWorkspace(await olderWorkspace(version), { create: false, command: "test" });
  onTestFinished(() => workspace.close());
  const ledger = workspace.ledger(site());
  const told = async (): Promise<readonly string[]> => {
    const issues: Issue[] = [];
    for await (const issue of ledger.issues()) issues.push(issue);
    return issues.map(({ message }) => message).sort();
  };
  const left = ISSUES.map(([item, operation]) => `${item}: ${operation}`).sort();
  const without = (...gone: readonly string[]): void => {
    for (const each of gone) left.splice(left.indexOf(each), 1);
  };
  expect(await told()).toEqual(left);

  // The same is said again: it replaces what was said before.
  await ledger.report("guide/1", [], { kind: "diverged", of: "step/5" });
  without("guide/1: step/5/apart");
  expect(await told()).toEqual(left);
  await ledger.report("guide/2", [], { kind: "private", of: "guide/2" });
  without("guide/2: guide/2/private");
  expect(await told()).toEqual(left);
  await ledger.report("guide/1", [], { kind: "recreated", of: "guide/1+2" });
  without("guide/1: guide/1+2/made-anew");
  expect(await told()).toEqual(left);
  await ledger.forgetNotes("guide/1", "recreated");
  without("guide/1: guide/1/made-anew");
  expect(await told()).toEqual(left);
  await ledger.forgetNotes("guide/1");
  without("guide/1: guide/1/apart", "guide/1: guide/1/private");
  expect(await told()).toEqual(left);
  // An operation takes its own along, and the checks theirs.
  await ledger.close(["guide/8/tag/apart"]);
  await ledger.report("guide/1", []);
  without("guide/8: guide/8/tag/apart", "guide/1: ");
  expect(await told()).toEqual(left);
});

test.each([5, 6] as const)(
  "what became of the items of a run that version %d did is counted as before",
  async (version) => {
    const directory = await olderWorkspace(version);
    await (await openWorkspace(directory, { create: false, command: "test" })).close();
    const inspected = await inspectWorkspace(directory);
    onTestFinished(() => inspected.close());
    const [target] = inspected.targets();
    const at = { id: "run-1", began: 0, compares: false };
    // guide/1 is changed by somebody else, guide/2 was there before, guide/3@de was undone.
    expect(target?.outcomes(at)["guide"]).toMatchObject({ left: 1, linked: 1 });
    expect([...(target?.notSent(at, true) ?? [])].map(({ key }) => key)).toContain("guide/3@de");
    expect([...(target?.notSent(at, true) ?? [])].map(({ key }) => key)).not.toContain("guide/3@fr");
    expect(target?.operations["guide"]).toMatchObject({ begun: 2, failed: 1 });
  },
);

/** A workspace with the rows of an older version, written by hand. */
async function olderWorkspace(version: 5 | 6): Promise<string> {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openWorkspace(directory, { create: true, command: "test" });
  workspace.ledger(site());
  for (const id of [1, 2]) await workspace.items.put(guide(id));
  for (const key of ["guide/3@de", "guide/3@fr"] as const) await workspace.items.put({ ...guide(3), key });
  await workspace.close();
  makeOlder(directory, version);
  const state = new DatabaseSync(join(directory, "state.sqlite"));
  const translations: readonly Row[] = [
    ["guide/3@de", "guide/3@de", "undone h14"],
    ["guide/3@fr", "guide/3@fr", "not wanted any more"],
  ];
  const put = state.prepare("INSERT INTO operation VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const [id, item, hash, state = "done", error = null] of [...WRITES, ...NOTES, ...translations]) {
    const mark = state === "begun" ? '{"after":3}' : null;
    put.run(id, item, item.slice(0, item.indexOf("/")), `label of ${id}`, hash, state, mark, error, 5);
  }
  const issue = state.prepare("INSERT INTO issue VALUES (1, ?, ?, 0, 'loss', ?)");
  for (const [item, operation] of ISSUES) {
    const body = { code: "c", level: "loss", key: item, path: "", message: `${item}: ${operation}` };
    issue.run(item, operation, JSON.stringify(body));
  }
  state.exec(`
    INSERT INTO missing VALUES (1, 'guide/1', 'guide/4');
    INSERT INTO written VALUES (1, 'guide/1', 'guide/1', 'guide', '81', '', '{}', NULL, '{}', NULL, 0),
      (1, 'guide/2', 'guide/2', 'guide', '82', '', '{}', NULL, '{}', NULL, 1);`);
  state.close();
  return directory;
}
