import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { EXIT, WorkspaceError } from "../../src/core/errors.js";
import type { Key } from "../../src/core/model/key.js";
import type { Operation, Written } from "../../src/core/writing.js";
import { WorkspaceLedger } from "../../src/storage/ledger/ledger.js";
import { Database } from "../../src/storage/sqlite.js";
import { layoutOf } from "../../src/storage/workspace/layout.js";
import type { Elsewhere } from "../../src/storage/workspace/media-store.js";
import { openState } from "../../src/storage/workspace/state.js";
import { openWorkspace, type SharedState } from "../../src/storage/workspace/workspace.js";
import { withResolvers } from "../helpers/with-resolvers.js";
import { guide, site, temporaryFolder } from "./workspace/helpers/samples.js";

it("has tables with a primary key only, since a change names its rows by it", () => {
  const database = openState(join(temporaryFolder(), "state.sqlite"));
  const tables = database.all<{ readonly name: string; readonly keys: number }>(
    `SELECT name, (SELECT count(*) FROM pragma_table_info(m.name) WHERE pk > 0) AS keys FROM sqlite_master AS m WHERE type = 'table'`,
  );
  expect(tables.length).toBeGreaterThan(15);
  expect(tables.filter(({ keys }) => keys === 0)).toEqual([]);
  database.close();
});

it("tells of a begun operation when the other place has it, and of nothing after that place failed", async () => {
  const first = withResolvers();
  const changes: Uint8Array[] = [];
  const { database, ledger } = openedLedger((change) => {
    changes.push(change);
    return changes.length === 1 ? first.promise : Promise.reject(new Error("cut off"));
  });
  database.transaction(() => database.run("INSERT INTO memo (target, name, value) VALUES (1, 'plain', 'yes')"));
  const begun = ledger.begin(operation("guide/1"), { highest: 1 });
  let isTold = false;
  void begun.then(() => {
    isTold = true;
  });
  while (changes.length === 0) await turn();
  for (let wait = 0; wait < 20; wait += 1) await turn();
  expect(isTold).toBe(false);
  // The plain transaction before it came along.
  const change = Buffer.from(changes[0] ?? []).toString("latin1");
  expect([change.includes("plain"), change.includes("guide/1")]).toEqual([true, true]);
  first.resolve();
  await begun;
  await expect(ledger.remember("a", "b")).rejects.toThrow("cut off");
  await expect(ledger.remember("c", "d")).rejects.toThrow("cut off");
  expect(changes).toHaveLength(2);
  database.close();
});

it("ships the plain transactions after the last durable write when the workspace is closed, and no temporary rows", async () => {
  const changes: Uint8Array[] = [];
  const workspace = await shared({ ship: async (change) => void changes.push(change) });
  workspace.scratch.put("topic", "name", "a temporary value");
  workspace.scratch.clear("other");
  workspace.runs.start("extract", { fact: "kept" });
  await workspace.close();
  expect(changes).toHaveLength(1);
  const change = Buffer.from(changes[0] ?? []).toString("latin1");
  expect([change.includes("kept"), change.includes("a temporary value")]).toEqual([true, false]);
});

it("gives the stamp of a claimed workspace to the other place before it goes on", async () => {
  const stamps: string[] = [];
  const workspace = await shared({ stamp: async (text) => void stamps.push(text) });
  await workspace.claim(site());
  expect(stamps).toEqual([readFileSync(layoutOf(workspace.directory).stamp, "utf8")]);
  await workspace.close();
});

it("keeps files at the other place before they have a name or an entry, and stores nothing of what is not kept", async () => {
  const seen: unknown[] = [];
  let isDown = false;
  const elsewhere: Elsewhere = {
    has: () => false,
    open: async () => Readable.from([]),
    keep: async (files) => {
      if (isDown) throw new WorkspaceError("The storage is down.");
      for (const { temporary, file } of files) seen.push([readFileSync(temporary).length > 0, existsSync(file)]);
    },
  };
  const workspace = await openWorkspace(join(temporaryFolder(), "w"), { create: true, command: "test", elsewhere });
  await workspace.items.put(guide(1));
  const bytes = Buffer.from("bytes of a medium");
  const open = async () => ({ content: Readable.from([bytes]), from: 0, size: bytes.length, type: null });
  const { sha256 } = await workspace.media.receive(open, new AbortController().signal);
  expect(seen).toEqual([
    [true, false],
    [true, false],
  ]);
  isDown = true;
  await expect(workspace.items.put(guide(2))).rejects.toThrow("The storage is down.");
  expect(workspace.items.entry("guide/2")).toBeUndefined();
  expect(existsSync(layoutOf(workspace.directory).item("guide/2"))).toBe(false);
  expect(workspace.media.isHere(sha256)).toBe(true);
  await workspace.close();
});

it("reads a missing item from elsewhere, if it has the bytes of the entry, and has the file afterwards", async () => {
  const kept = new Map<string, Buffer>();
  const elsewhere: Elsewhere = {
    has: () => false,
    open: async () => Readable.from([]),
    item: async (key) => kept.get(key),
  };
  const directory = join(temporaryFolder(), "w");
  const workspace = await openWorkspace(directory, { create: true, command: "test", elsewhere });
  for (const id of [1, 2]) await workspace.items.put(guide(id));
  for (const key of ["guide/1", "guide/2"] as const) {
    kept.set(key, await workspace.items.file("guide/1"));
    rmSync(layoutOf(directory).item(key), { force: true });
    if (key === "guide/1") expect((await workspace.items.get(key))?.key).toBe(key);
  }
  expect(existsSync(layoutOf(directory).item("guide/1"))).toBe(true);
  await expect(workspace.items.get("guide/2")).rejects.toMatchObject({ exitCode: EXIT.someFailed });
  expect(workspace.items.entry("guide/2")?.revision).toBe("");
  await workspace.close();
});

it("makes the same database of a copy and the changes after it as of the original, whatever a ledger writes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 40 }), async (acts) => {
      const folder = temporaryFolder();
      const copy = join(folder, "copy.sqlite");
      const later: Uint8Array[] = [];
      let isCopied = false;
      const { database, ledger } = openedLedger(async (change, copyTo) => {
        if (isCopied) later.push(change);
        else copyTo(copy);
        isCopied = true;
      });
      await ledger.remember("begin", "yes");
      for (const each of acts) await each(database, ledger).catch(refused);
      await ledger.remember("end", "yes");
      const restored = new Database(copy);
      restored.execute("DROP INDEX written_id");
      for (const change of later) restored.apply(change);
      expect(rowsOf(restored)).toEqual(rowsOf(database));
      expect(() => restored.apply(later[0] ?? new Uint8Array())).toThrow("does not fit");
      database.close();
      restored.close();
    }),
    { numRuns: 40 },
  );
});

type Act = (database: Database, ledger: WorkspaceLedger) => Promise<unknown>;

const key = fc.integer({ min: 1, max: 5 }).map((id): Key => `guide/${id}`);
const id = fc.integer({ min: 1, max: 4 }).map(String);

const act: fc.Arbitrary<Act> = fc.oneof(
  key.map(
    (item): Act =>
      (_database, ledger) =>
        ledger.begin(operation(item), { highest: item }),
  ),
  fc.tuple(key, id, fc.string()).map(
    ([item, at, text]): Act =>
      (_database, ledger) =>
        ledger.done(operation(item), { written: [thing(item, at, text)], missing: [], issues: [] }),
  ),
  key.map(
    (item): Act =>
      (_database, ledger) =>
        ledger.failed(operation(item), "refused"),
  ),
  key.map(
    (item): Act =>
      (_database, ledger) =>
        ledger.close([item]),
  ),
  fc.tuple(key, id).map(
    ([item, at]): Act =>
      (_database, ledger) =>
        ledger.noteRemote(item, [{ ...thing(item, at, ""), facts: { deleted: true } }]),
  ),
  // Ids that two things swap in one change.
  fc.constant<Act>((database) =>
    database.durably(() => {
      const sql = "UPDATE written SET id = :id WHERE target = 1 AND key = :key";
      const ids = database.all<{ key: string; id: string }>("SELECT key, id FROM written ORDER BY key LIMIT 2");
      const [one, other] = ids;
      if (one === undefined || other === undefined) return;
      database.run(sql, { key: one.key, id: "between" });
      database.run(sql, { key: other.key, id: one.id });
      database.run(sql, { key: one.key, id: other.id });
    }),
  ),
  fc.tuple(fc.string(), fc.string()).map(
    ([name, value]): Act =>
      async (database) =>
        database.transaction(() =>
          database.run("INSERT OR REPLACE INTO memo (target, name, value) VALUES (2, :name, :value)", { name, value }),
        ),
  ),
);

/** A unique index refuses that two things have one id. */
function refused(error: unknown): void {
  if (!(error instanceof WorkspaceError)) throw error;
}

function operation(item: Key): Operation {
  const call = { verb: "set-visibility", guide: item, public: true } as const;
  return { id: item, item, label: "", hash: "h", phase: "main", needs: [], call };
}

function thing(key: Key, id: string, text: string): Written {
  return { key, id, revision: text, left: null, facts: {}, adopted: false };
}

function rowsOf(database: Database): unknown {
  const tables = database.all<{ readonly name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1",
  );
  return tables.map(({ name }) => [
    name,
    database
      .all(`SELECT * FROM ${name}`)
      .map((row) => JSON.stringify(row))
      .sort(),
  ]);
}

function openedLedger(ship: SharedState["ship"]) {
  const file = join(temporaryFolder(), "state.sqlite");
  const database = openState(file);
  database.shipTo(ship);
  return { database, ledger: new WorkspaceLedger(database, 1, () => undefined) };
}

async function shared(own: Partial<SharedState>) {
  const nothing = async (): Promise<void> => undefined;
  const directory = join(temporaryFolder(), "w");
  return openWorkspace(directory, {
    create: true,
    command: "guideferry test",
    shared: { begin: nothing, ship: nothing, stamp: nothing, ...own },
  });
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
