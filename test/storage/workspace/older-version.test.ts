import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import type { Issue } from "../../../src/core/model/issue.js";
import { DatabaseSync } from "../../../src/storage/sqlite.js";
import { inspectWorkspace } from "../../../src/storage/workspace/inspect.js";
import { layoutOf } from "../../../src/storage/workspace/layout.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { mediaItem } from "../../helpers/items.js";
import { makeOlder, versionOf } from "../../helpers/older-state.js";
import { guide, site, temporaryFolder } from "./helpers/samples.js";

/** The tables that changed, as the first guideferry made them, with a row in each. */
const VERSION_1 = `
  DROP TABLE failure; DROP TABLE issue;
  CREATE TABLE failure (
    stage TEXT NOT NULL, key TEXT NOT NULL, reason TEXT NOT NULL, remedy TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (stage, key)) WITHOUT ROWID;
  CREATE TABLE issue (
    target INTEGER NOT NULL, item TEXT NOT NULL, position INTEGER NOT NULL, level TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (target, item, position)) WITHOUT ROWID;
  INSERT INTO failure VALUES ('extract', 'guide/5', 'No answer.', 'Run again.', 100);
  INSERT INTO failure VALUES ('load', 'guide/6', 'Refused.', 'Run again.', 200);
  INSERT INTO issue VALUES (1, 'guide/6', 0, 'loss', '{"code":"dates","level":"loss","key":"guide/6","path":"dates","message":"m"}');
  PRAGMA user_version = 1;`;

test("a workspace of the first version is brought up to date by the next run, with all that it knew", async () => {
  const directory = await olderWorkspace(VERSION_1);
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  const issues: Issue[] = [];
  for await (const issue of workspace.ledger(site()).issues()) issues.push(issue);
  expect(issues.map(({ code }) => code)).toEqual(["dates"]);
  expect(workspace.failures.list().map(({ stage, key, target }) => [stage, key, target])).toEqual([
    ["extract", "guide/5", null],
    ["load", "guide/6", site().root],
  ]);
  workspace.failures.clear("load", "guide/6");
  expect(workspace.failures.list()).toHaveLength(1);
  expect(await workspace.items.get("guide/1")).toBeDefined();
  await workspace.close();
  const onlooker = await inspectWorkspace(directory);
  expect(onlooker.failures.list()).toHaveLength(1);
  await onlooker.close();
});

test("a workspace of the first version with tables of today only gets its version", async () => {
  const directory = await olderWorkspace("PRAGMA user_version = 1;");
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  expect(workspace.items.entry("guide/1")).toBeDefined();
  await workspace.close();
});

test("a workspace of the second version learns where archives have its bytes, from nothing", async () => {
  const directory = await olderWorkspace(`
    DROP TABLE archived_item; DROP TABLE archived_media; DROP TABLE archived_gone; DROP TABLE archived_note;
    PRAGMA user_version = 2;`);
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  expect([workspace.archived.snapshot(), workspace.archived.item("guide/1")]).toEqual([undefined, undefined]);
  workspace.archived.begin("one");
  workspace.archived.adding((add) =>
    add.item("guide/1", { digest: "d", archive: "a.zip", path: "items/guide/1", size: 1, content: null }),
  );
  workspace.archived.settle();
  expect(workspace.archived.item("guide/1")?.archive).toBe("a.zip");
  await workspace.close();
  expect(versionOf(directory)).toBe(8);
});

test("a workspace of the third version learns what went into training modules, from nothing", async () => {
  const directory = await olderWorkspace("DROP TABLE module_import; DROP TABLE module_place; PRAGMA user_version = 3;");
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  const journal = workspace.modules(site());
  expect([await journal.row("d"), await journal.lastFrom("one.zip")]).toEqual([undefined, undefined]);
  expect(workspace.items.entry("guide/1")).toBeDefined();
  await workspace.close();
  expect(versionOf(directory)).toBe(8);
});

test("the media of the seventh version have files, and keep them", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const one = await openWorkspace(directory, { create: true, command: "test" });
  const [image, video] = [mediaItem("image", 1, {}), mediaItem("video", 2, {})];
  const entries = [await one.items.put(image), await one.items.put(video)];
  await one.close();
  makeOlder(directory, 7);
  const { item } = layoutOf(directory);
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  const { items } = workspace;
  expect([...items.entries()]).toEqual(entries);
  expect([await items.get("image/1"), await items.get("video/2")]).toEqual([image, video]);
  const changed = { ...image, revision: "new" };
  await items.put(changed);
  const third = mediaItem("document", 3, {});
  await items.put(third);
  expect((["image/1", "video/2", "document/3"] as const).map((key) => existsSync(item(key)))).toEqual([
    true,
    true,
    false,
  ]);
  expect([await items.get("image/1"), await items.get("document/3")]).toEqual([changed, third]);
  // A row counts before a file, so a file that is stored over it removes the row.
  const [entry, bytes] = [items.entry("document/3"), await items.file("document/3")];
  if (entry !== undefined) await items.adopt(entry, bytes);
  expect(readFileSync(item("document/3"))).toEqual(bytes);
  await items.put({ ...third, revision: "new" });
  expect(await items.get("document/3")).toEqual({ ...third, revision: "new" });
  await workspace.close();
  expect(versionOf(directory)).toBe(8);
});

test("migrated tables are those of a new workspace", async () => {
  const older = await olderWorkspace("", 5);
  await (await openWorkspace(older, { create: false, command: "test" })).close();
  const fresh = join(temporaryFolder(), "workspace");
  await (await openWorkspace(fresh, { create: true, command: "test" })).close();
  expect(schemaOf(older)).toEqual(schemaOf(fresh));
});

function schemaOf(workspace: string): unknown {
  const database = new DatabaseSync(join(workspace, "state.sqlite"), { readOnly: true });
  const rows = database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all();
  database.close();
  return rows;
}

test("who only looks at an older workspace is told what brings it up to date, and nothing changes", async () => {
  const directory = await olderWorkspace(VERSION_1);
  await expect(inspectWorkspace(directory)).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringMatching(/version 1.*The next run/s),
  });
  expect(versionOf(directory)).toBe(1);
});

/** A workspace with a guide and a target, as an older version left it. */
async function olderWorkspace(sql: string, version: 5 | 6 = 6): Promise<string> {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openWorkspace(directory, { create: true, command: "test" });
  workspace.ledger(site());
  await workspace.items.put(guide(1));
  await workspace.close();
  makeOlder(directory, version);
  const database = new DatabaseSync(join(directory, "state.sqlite"));
  database.exec(sql);
  database.close();
  return directory;
}

test("a workspace of the fifth version fills the empty pages that the site made beside its guides, and leaves all others", async () => {
  const directory = await olderWorkspace(
    `
    INSERT INTO written (target, key, item, kind, id, share, facts, adopted) VALUES
      (1, 'guide/1', 'guide/1', 'guide', '71', '', '{}', 0), (1, 'guide/2', 'guide/2', 'guide', '72', '', '{}', 1),
      (1, 'wiki/ITEM/Reed', 'wiki/ITEM/Reed', 'wiki', 'ITEM/Reed', 'ITEM', '{}', 1),
      (1, 'wiki/ITEM/Comb', 'wiki/ITEM/Comb', 'wiki', 'ITEM/Comb', 'ITEM', '{}', 1),
      (1, 'wiki/ITEM/Hook', 'wiki/ITEM/Hook', 'wiki', 'ITEM/Hook', 'ITEM', '{}', 1);
    INSERT INTO left_body (target, key, body) VALUES
      (1, 'guide/1', '{"parts":[{"name":"Reed"},{"name":"Comb"}],"tools":[{"name":"Steel_rule"}]}'),
      (1, 'guide/2', '{"parts":[{"name":"Hook"}]}'),
      (1, 'wiki/ITEM/Reed', '{"contents":""}'), (1, 'wiki/ITEM/Comb', '{"contents":"Ours."}'),
      (1, 'wiki/ITEM/Hook', '{"contents":""}');`,
    5,
  );
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  const ledger = workspace.ledger(site());
  const named = ["Reed", "Comb", "Steel rule", "Hook"];
  expect(await Promise.all(named.map((title) => ledger.namesPart(title)))).toEqual([true, true, true, false]);
  const pages = ["wiki/ITEM/Reed", "wiki/ITEM/Comb", "wiki/ITEM/Hook"] as const;
  expect(await Promise.all(pages.map((key) => ledger.idOf(key)))).toEqual([undefined, "ITEM/Comb", "ITEM/Hook"]);
  await workspace.close();
  expect(versionOf(directory)).toBe(8);
});
