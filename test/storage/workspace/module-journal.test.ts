import { join } from "node:path";
import { expect, it } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import type { Module } from "../../../src/core/model/module.js";
import type { ModuleJournal, PackageRow } from "../../../src/core/training.js";
import { DatabaseSync } from "../../../src/storage/sqlite.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { openedWorkspace, site, temporaryFolder } from "./helpers/samples.js";

const MODULE: Module = {
  standard: "scorm12",
  identifier: "M1",
  title: "Ladders",
  language: "en",
  units: [{ id: "I1", title: "Start", launch: "index.html?a=1#top", depth: 0, masteryScore: 80 }],
  external: [],
  usesSequencing: false,
};

function row(changes: Partial<PackageRow> = {}): PackageRow {
  return {
    digest: "d1",
    manifestDigest: "m1",
    source: "courses/one.zip",
    place: "../courses/one.zip",
    module: MODULE,
    state: "checked",
    moduleId: null,
    importId: null,
    isNewVersion: false,
    before: [],
    reason: "",
    warnings: [],
    changed: 1_700_000_000_000,
    started: 0,
    ...changes,
  };
}

async function all(journal: ModuleJournal): Promise<readonly PackageRow[]> {
  const rows: PackageRow[] = [];
  for await (const one of journal.rows()) rows.push(one);
  return rows;
}

it("keeps rows for each target, as they were put, also for the next run", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openWorkspace(directory, { create: true, command: "test" });
  const journal = workspace.modules(site());
  const later = row({ state: "complete", moduleId: "7", importId: "9", before: ["1"], warnings: ["w"], started: 5 });
  await journal.put(row());
  await journal.put(later);
  await journal.put(row({ digest: "d0", source: "courses/two.zip" }));
  await journal.learnListsDrafts(true);
  const other = workspace.modules(site({ root: "https://other.example/api/2.0", siteId: "8" }));
  expect([await all(other), await other.row("d1"), await other.listsDrafts()]).toEqual([[], undefined, undefined]);
  await workspace.close();
  const again = (await openedWorkspace(directory)).modules(site());
  expect(await again.row("d1")).toEqual(later);
  expect((await all(again)).map(({ digest }) => digest)).toEqual(["d1", "d0"]);
  expect(await again.listsDrafts()).toBe(true);
  await again.learnListsDrafts(false);
  expect(await again.listsDrafts()).toBe(false);
});

it("reads more rows than one page has, while they are written", async () => {
  const journal = (await openedWorkspace()).modules(site());
  const names = Array.from({ length: 1100 }, (_, at) => String(at).padStart(5, "0"));
  for (const name of names) await journal.put(row({ digest: `d${name}`, source: name }));
  const seen: string[] = [];
  for await (const one of journal.rows()) {
    seen.push(one.source);
    await journal.put({ ...one, state: "complete" });
  }
  expect(seen).toEqual(names);
});

it("knows the package that was found last at a place, also when another row is brought up to date", async () => {
  const journal = (await openedWorkspace()).modules(site());
  const { place } = row();
  await journal.put(row({ digest: "old" }));
  await journal.put(row({ digest: "new" }));
  await journal.put(row({ digest: "old", state: "cancelled" }));
  expect((await journal.lastFrom(place))?.digest).toBe("new");
  await journal.put(row({ digest: "old", state: "checked" }));
  expect((await journal.lastFrom(place))?.digest).toBe("old");
  await journal.put(row({ digest: "new", state: "complete", source: "written/otherwise.zip" }));
  expect((await journal.lastFrom(place))?.digest).toBe("old");
  await journal.put(row({ digest: "new", state: "complete", place: "elsewhere.zip" }));
  expect((await journal.lastFrom("elsewhere.zip"))?.digest).toBe("new");
  expect((await journal.lastFrom(place))?.digest).toBe("old");
  expect(await journal.lastFrom("nowhere.zip")).toBeUndefined();
});

it("finds what went into a module, and what is alike", async () => {
  const journal = (await openedWorkspace()).modules(site());
  await journal.put(row({ digest: "a", moduleId: "1" }));
  await journal.put(row({ digest: "b", moduleId: "1", manifestDigest: "m2", module: { ...MODULE, title: "Stairs" } }));
  await journal.put(row({ digest: "c", moduleId: "2", manifestDigest: "m3", module: { ...MODULE, identifier: "" } }));
  const digests = (rows: readonly PackageRow[]): readonly string[] => rows.map(({ digest }) => digest);
  expect(digests(await journal.ofModule("1"))).toEqual(["a", "b"]);
  expect(digests(await journal.alike(row({ digest: "x" })))).toEqual(["a", "b"]);
  expect(digests(await journal.alike(row({ digest: "a" })))).toEqual(["b"]);
  expect(digests(await journal.alike(row({ digest: "x", manifestDigest: "m9" })))).toEqual(["b"]);
  const nameless = { ...MODULE, identifier: "", title: "Other" };
  expect(await journal.alike(row({ digest: "x", manifestDigest: "m9", module: nameless }))).toEqual([]);
});

it("holds no address that opens anything", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openWorkspace(directory, { create: true, command: "test" });
  const journal = workspace.modules(site());
  const secret = "s3cr3t";
  await journal.put(
    row({
      source: `https://u:${secret}@store.example/one.zip?sig=${secret}#${secret}`,
      place: `https://u:${secret}@store.example/one.zip?sig=${secret}`,
      reason: `The site could not fetch "https://store.example/one.zip?sig=${secret}", it says.`,
      warnings: [`see http://${secret}@lrs.example/x?auth=${secret}`],
      module: {
        ...MODULE,
        units: MODULE.units.map((unit) => ({ ...unit, launch: `https://a:${secret}@lms.example/go?auth=${secret}` })),
        external: [`https://lrs.example/?${secret}`],
      },
    }),
  );
  const kept = await journal.row("d1");
  expect(kept).toMatchObject({
    source: "https://store.example/one.zip",
    place: "https://store.example/one.zip",
    reason: 'The site could not fetch "https://store.example/one.zip", it says.',
    warnings: ["see http://lrs.example/x"],
  });
  expect(kept?.module.units[0]?.launch).toBe("https://lms.example/go");
  expect((await journal.lastFrom(`https://store.example/one.zip?sig=${secret}`))?.digest).toBe("d1");
  await workspace.close();
  const database = new DatabaseSync(join(directory, "state.sqlite"), { readOnly: true });
  const rows = JSON.stringify([
    database.prepare("SELECT * FROM module_import").all(),
    database.prepare("SELECT * FROM module_place").all(),
  ]);
  database.close();
  expect(rows).toContain("store.example");
  expect(rows).not.toContain(secret);
});

it.each([
  ["no JSON", "{"],
  ["something else", '{"digest":"d1"}'],
  ["a state that nobody knows", JSON.stringify(row({ state: "lost" as PackageRow["state"] }))],
])("a body that is %s is an error that names the file and the package", async (_what, body) => {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openedWorkspace(directory);
  await workspace.modules(site()).put(row());
  const database = new DatabaseSync(join(directory, "state.sqlite"));
  database.prepare("UPDATE module_import SET body = :body").run({ body });
  const journal = workspace.modules(site());
  const refusal = { exitCode: EXIT.differences, message: expect.stringMatching(/state\.sqlite.*package d1.*copy/s) };
  await expect(journal.row("d1")).rejects.toMatchObject(refusal);
  await expect(all(journal)).rejects.toMatchObject(refusal);
});
