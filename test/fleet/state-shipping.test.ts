import { randomBytes } from "node:crypto";
import { copyFile, cp, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import type { Operation } from "../../src/core/writing.js";
import { type FleetDatabase, FleetDatabaseError } from "../../src/fleet/database.js";
import type { Workspace } from "../../src/storage/workspace/workspace.js";
import { guideItem } from "../helpers/items.js";
import { environmentOf, objectStorage, useStorage } from "../helpers/object-storage.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { site } from "../storage/workspace/helpers/samples.js";
import { type FleetRun, type FleetTask, fleetTask, rowsOf, startRun } from "./helpers/fleet-task.js";

const KEY = Buffer.alloc(32, "a key of 32 bytes").toString("base64");
/** What never comes ends the test by its own time. */
const SOON = { timeout: 120_000 };
/** Bytes of a part: a base has several even when it is empty. */
const PART = 32 * 1024;

describe("the shared state of a task", { tags: ["postgres"] }, () => {
  it("is the same in an empty folder, with items, media and stamp", async () => {
    const fleet = await fleetTask();
    const first = await startRun(fleet, { part: PART });
    expect(first.how).toBe("new");
    const workspace = await filled(first, 30);
    const sha256 = await stored(workspace, Buffer.from("bytes of a picture"));
    const large = Buffer.alloc(3.5 * PART, "a long video");
    const video = await stored(workspace, large);
    await begun(workspace, "guide/1");
    // Nobody closes the workspace: the process is gone.
    const second = await startRun(fleet);
    expect(second.how).toBe("restored");
    expect(rowsOf(second.layout.state)).toEqual(rowsOf(first.layout.state));
    const restored = await second.open();
    expect(restored.source()).toEqual(site());
    expect(await restored.items.file("guide/7")).toEqual(await workspace.items.file("guide/7"));
    expect(await buffer(restored.media.open(sha256))).toEqual(Buffer.from("bytes of a picture"));
    expect((await buffer(restored.media.open(video))).equals(large)).toBe(true);
    expect(restored.media.has("0".repeat(64))).toBe(false);
    expect((await restored.ledger(site()).orphans()).map(({ id }) => id)).toEqual(["guide/1"]);
    await restored.close();
  });

  it("comes back in a few round trips, whatever the number of items", async () => {
    const fleet = await fleetTask();
    const first = await startRun(fleet);
    const workspace = await first.open();
    await Promise.all(Array.from({ length: 1000 }, (_, id) => workspace.items.putWithOthers(guideItem(id + 1))));
    let queries = 0;
    const counted: FleetDatabase = {
      ...fleet.database,
      query: (...words) => {
        queries += 1;
        return fleet.database.query(...words);
      },
    };
    const objects = (await readdir(join(fleet.store, "state", fleet.task))).length;
    const second = await startRun(fleet, { database: counted });
    expect(queries).toBeLessThanOrEqual(4);
    // Items of a batch are one object.
    expect(objects).toBeLessThanOrEqual(40);
    const restored = await second.open();
    expect(restored.items.counts().guide.present).toBe(1000);
    for (const id of [1, 500, 1000]) expect((await restored.items.get(`guide/${id}`))?.key).toBe(`guide/${id}`);
    await restored.close();
  });

  it("is reused where a run left exactly it, and nothing else of a folder is", async () => {
    const fleet = await fleetTask();
    const first = await startRun(fleet);
    await left(first, await filled(first, 3));
    const { directory, state } = first.layout;
    const again = await startRun(fleet, { directory });
    expect(again.how).toBe("reused");
    const workspace = await again.open();
    const before = join(await temporaryFolder(), "state.sqlite");
    await copyFile(state, before);
    await workspace.items.put(guideItem(4));
    await left(again, workspace);
    const now = rowsOf(state);
    // An older state, as a backup of the machine brings it back.
    await copyFile(before, state);
    await writeFile(join(directory, "reports", "stale.txt"), "stale");
    const third = await startRun(fleet, { directory });
    expect([third.how, rowsOf(state)]).toEqual(["restored", now]);
    expect(await readdir(directory)).not.toContain("reports");
    // A run that was killed leaves no note.
    await (await third.open()).items.put(guideItem(5));
    expect((await startRun(fleet, { directory: await copied(third) })).how).toBe("restored");
  });

  it("is not put into a folder with other files, or of another task", async () => {
    const [fleet, other] = [await fleetTask(), await fleetTask()];
    const directory = await temporaryFolder();
    await writeFile(join(directory, "mine.txt"), "mine");
    await expect(startRun(fleet, { directory })).rejects.toMatchObject({ exitCode: 2 });
    expect(await readdir(directory)).toEqual(["mine.txt"]);
    const first = await startRun(fleet);
    await left(first, await filled(first, 1));
    const wrong = startRun(other, { directory: first.layout.directory });
    await expect(wrong).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining("of its own") });
  });

  it("takes nothing from a run whose lease another has taken", async () => {
    const fleet = await fleetTask();
    const first = await startRun(fleet);
    const workspace = await filled(first, 2);
    const second = await startRun(fleet);
    const rows = await changes(fleet);
    await expect(begun(workspace, "guide/1")).rejects.toMatchObject({ exitCode: 75 });
    await expect(workspace.items.put(guideItem(3))).rejects.toMatchObject({ exitCode: 75 });
    expect(await changes(fleet)).toEqual(rows);
    await begun(await second.open(), "guide/2");
    expect((await changes(fleet)).length).toBeGreaterThan(rows.length);
  });

  it("adds each change once, also when the answer to it was lost", async () => {
    const fleet = await fleetTask();
    let lost = 0;
    const lossy: FleetDatabase = {
      ...fleet.database,
      query: async (...words) => {
        const rows = await fleet.database.query(...words);
        if (!words[0].includes("INSERT INTO guideferry.state_change") || lost > 3) return rows as never;
        lost += 1;
        throw new FleetDatabaseError("The connection was lost.", { retriable: true });
      },
    };
    const first = await startRun(fleet, { database: lossy });
    const workspace = await filled(first, 5);
    expect(lost).toBe(4);
    const positions = (await changes(fleet)).map(({ position }) => position);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
    const second = await startRun(fleet);
    expect(rowsOf(second.layout.state)).toEqual(rowsOf(first.layout.state));
    await workspace.close().catch(() => undefined);
  });

  it.each(["plain", "encrypted"])("is refused when somebody changed it (%s)", async (form) => {
    const fleet = await fleetTask();
    const key = form === "plain" ? {} : { key: KEY };
    const first = await startRun(fleet, key);
    await filled(first, 8);
    const set = (sql: string) => fleet.database.query(sql);
    const damages = [
      "UPDATE guideferry.state_change SET position = CASE position WHEN 3 THEN -4 WHEN 4 THEN -3 END WHERE position IN (3, 4); UPDATE guideferry.state_change SET position = -position WHERE position < 0",
      "DELETE FROM guideferry.state_change WHERE position = 3",
      "UPDATE guideferry.state_change SET change = set_byte(change, 20, 255 - get_byte(change, 20)) WHERE position = 2",
      "UPDATE guideferry.state_base SET content = 'other'",
      "UPDATE guideferry.state_base SET parts = parts - 1",
      "DELETE FROM guideferry.state_base",
    ];
    for (const damage of damages) {
      await set("CREATE TABLE kept_change AS TABLE guideferry.state_change");
      await set("CREATE TABLE kept_base AS TABLE guideferry.state_base");
      await set(damage);
      await expect(startRun(fleet, key), damage).rejects.toMatchObject({ exitCode: 6 });
      await set("TRUNCATE guideferry.state_change, guideferry.state_base");
      await set("INSERT INTO guideferry.state_change TABLE kept_change");
      await set("INSERT INTO guideferry.state_base TABLE kept_base");
      await set("DROP TABLE kept_change, kept_base");
    }
    expect((await startRun(fleet, key)).how).toBe("restored");
  });

  it.each(["plain", "encrypted"])(
    "is refused when a part of its base is another one, missing or cut (%s)",
    async (form) => {
      const fleet = await fleetTask();
      const options = { part: PART, ...(form === "plain" ? {} : { key: KEY }) };
      await filled(await startRun(fleet, options), 2);
      const folder = join(fleet.store, "state", fleet.task);
      const [base] = await bases(fleet);
      const part = (index: number): string => join(folder, `${base?.object}-${index}-${base?.parts}`);
      const last = part((base?.parts ?? 0) - 1);
      expect(base?.parts).toBeGreaterThan(2);
      const damages = {
        swapped: async () => {
          await rename(part(0), `${folder}/.other`);
          await rename(part(1), part(0));
          await rename(`${folder}/.other`, part(1));
        },
        repeated: () => copyFile(part(1), part(0)),
        missing: () => rm(last),
        cut: async () => truncate(last, (await stat(last)).size - 1),
        empty: () => truncate(last),
      };
      const whole = join(await temporaryFolder(), "whole");
      await cp(folder, whole, { recursive: true });
      for (const [what, damage] of Object.entries(damages)) {
        await damage();
        const directory = await temporaryFolder();
        await expect(startRun(fleet, { ...options, directory }), what).rejects.toMatchObject({
          name: "SharedStateError",
        });
        expect(await readdir(directory), what).not.toContain("state.sqlite");
        await cp(whole, folder, { recursive: true });
      }
      expect((await startRun(fleet, options)).how).toBe("restored");
    },
  );

  it("is unreadable without its key, in the database and in the storage", async () => {
    const fleet = await fleetTask();
    const first = await startRun(fleet, { key: KEY });
    const workspace = await filled(first, 3);
    const content = Buffer.from("a picture that nobody else may see");
    const sha256 = await stored(workspace, content);
    await left(first, workspace);
    const folder = join(fleet.store, "state", fleet.task);
    const names = await readdir(folder);
    const objects = await Promise.all(names.map((name) => readFile(join(folder, name))));
    const rows = (await changes(fleet)).map(({ change }) => change);
    // Compressed bytes hide words too, so each is checked for its first byte.
    for (const [first = 0] of [...objects, ...rows]) expect(first & 1).toBe(1);
    for (const object of objects) expect(object.includes("nobody else may see")).toBe(false);
    expect(names.join(" ")).not.toContain(sha256);
    const other = Buffer.alloc(32, "another key").toString("base64");
    await expect(startRun(fleet)).rejects.toMatchObject({ exitCode: 2 });
    await expect(startRun(fleet, { key: other })).rejects.toMatchObject({ exitCode: 2 });
    await expect(startRun(fleet, { key: "too short" })).rejects.toMatchObject({ exitCode: 2 });
    const second = await startRun(fleet, { key: KEY });
    expect(await buffer((await second.open()).media.open(sha256))).toEqual(content);
    // An object with the bytes of another one.
    const [one, another] = names.filter((name) => /^(?:items|base)-/.test(name));
    await copyFile(join(folder, one ?? ""), join(folder, another ?? ""));
    await expect(startRun(fleet, { key: KEY })).rejects.toMatchObject({ name: "SharedStateError" });
  });

  it("becomes one file amid a run and at its end, and old ones go", async () => {
    const fleet = await fleetTask();
    const folder = join(fleet.store, "state", fleet.task);
    const objects = async () => (await readdir(folder)).filter((name) => name.startsWith("base-")).sort();
    const stored: boolean[] = [];
    const watched: FleetDatabase = {
      ...fleet.database,
      query: async (sql, values = []) => {
        const [object, parts] = [values[4], Number(values[5])];
        if (sql.includes("INSERT INTO guideferry.state_base"))
          stored.push((await objects()).filter((name) => name.startsWith(`${object}-`)).length === parts);
        return fleet.database.query(sql, values);
      },
    };
    const first = await startRun(fleet, { database: watched, part: 16 * PART });
    const workspace = await filled(first, 2);
    const ledger = workspace.ledger(site());
    // Bytes that do not compress, so that a base is due.
    for (let at = 0; at < 8; at += 1) await ledger.remember(`noise ${at}`, noise(600_000));
    await ledger.remember("the end", "of the first run");
    await expect.poll(async () => (await bases(fleet))[0]?.position, SOON).toBeGreaterThan(1);
    expect((await bases(fleet))[0]?.parts).toBeGreaterThan(2);
    // A process that is killed before leaves the base that was there.
    expect(stored).toEqual([true, true]);
    const second = await startRun(fleet);
    expect(rowsOf(second.layout.state)).toEqual(rowsOf(first.layout.state));
    const again = await second.open();
    for (let at = 0; at < 120; at += 1) await again.ledger(site()).remember("count", String(at));
    await left(second, again);
    expect(await changes(fleet)).toEqual([]);
    const old = await objects();
    expect(old.length).toBeGreaterThan(1);
    const third = await startRun(fleet);
    await left(third, await third.open());
    expect(await objects()).toEqual(old);
    const hourAgo = Date.now() / 1000 - 3600;
    for (const name of old) await utimes(join(folder, name), hourAgo, hourAgo);
    const fourth = await startRun(fleet);
    await left(fourth, await fourth.open());
    const [last] = await bases(fleet);
    expect(await objects()).toEqual([`${last?.object}-0-1`]);
    expect(fourth.warnings).toEqual([]);
  });

  it("reads an item again that the storage lost", async () => {
    const fleet = await fleetTask();
    await filled(await startRun(fleet), 2);
    const folder = join(fleet.store, "state", fleet.task);
    for (const name of await readdir(folder)) if (name.startsWith("items-")) await rm(join(folder, name));
    const restored = await (await startRun(fleet)).open();
    await expect(restored.items.get("guide/1")).rejects.toMatchObject({ exitCode: 3 });
    expect(restored.items.entry("guide/1")?.revision).toBe("");
  });

  it("gives no content that the storage changed", async () => {
    const fleet = await fleetTask();
    const sha256 = await stored(await filled(await startRun(fleet), 1), Buffer.from("bytes of a picture"));
    const folder = join(fleet.store, "state", fleet.task);
    const [medium = ""] = (await readdir(folder)).filter((name) => name.startsWith("media-"));
    const bytes = await readFile(join(folder, medium));
    await writeFile(join(folder, medium), bytes.subarray(0, -1));
    const restored = await (await startRun(fleet)).open();
    await expect(buffer(restored.media.open(sha256))).rejects.toMatchObject({ name: "SharedStateError", exitCode: 6 });
  });
});

describe("the shared state in a bucket", { tags: ["postgres", "radosgw"] }, () => {
  const storage = objectStorage();

  it("is the same in an empty folder", async () => {
    useStorage(storage.endpoint);
    expect(environmentOf(storage.endpoint)).toBeDefined();
    const fleet = await fleetTask();
    const store = `s3://${await storage.bucket()}/fleet`;
    const first = await startRun(fleet, { store, key: KEY });
    const workspace = await filled(first, 20);
    const sha256 = await stored(workspace, Buffer.from("bytes of a picture"));
    const second = await startRun(fleet, { store, key: KEY });
    expect(rowsOf(second.layout.state)).toEqual(rowsOf(first.layout.state));
    const restored = await second.open();
    expect((await restored.items.get("guide/20"))?.key).toBe("guide/20");
    expect(await buffer(restored.media.open(sha256))).toEqual(Buffer.from("bytes of a picture"));
    await left(second, restored);
  });
});

/** Guides, one change each. */
async function filled(run: FleetRun, guides: number): Promise<Workspace> {
  const workspace = await run.open();
  await workspace.claim(site());
  for (let id = 1; id <= guides; id += 1) await workspace.items.put(guideItem(id));
  return workspace;
}

async function left({ shipping, kept, lease }: FleetRun, workspace: Workspace): Promise<void> {
  await workspace.close();
  await shipping.leave();
  await kept.removeUnused(shipping.baseObject);
  await lease.release();
}

/** A copy of a folder whose own process still has it open. */
async function copied({ layout }: FleetRun): Promise<string> {
  const copy = join(await temporaryFolder(), "copy");
  await cp(layout.directory, copy, { recursive: true });
  return copy;
}

async function stored(workspace: Workspace, bytes: Buffer): Promise<string> {
  const open = async () => ({ content: Readable.from([bytes]), from: 0, size: bytes.length, type: null });
  return (await workspace.media.receive(open, new AbortController().signal)).sha256;
}

function begun(workspace: Workspace, item: Key): Promise<void> {
  const call = { verb: "set-visibility", guide: item, public: true } as const;
  const operation: Operation = { id: item, item, label: "", hash: "h", phase: "main", needs: [], call };
  return workspace.ledger(site()).begin(operation, { highest: 1 });
}

function changes({ database }: FleetTask) {
  return database.query<{ readonly position: number; readonly change: Buffer }>(
    "SELECT position::float8, change FROM guideferry.state_change ORDER BY position",
  );
}

function bases({ database }: FleetTask) {
  return database.query<{ readonly position: number; readonly object: string; readonly parts: number }>(
    "SELECT position::float8, object, parts FROM guideferry.state_base",
  );
}

function noise(length: number): string {
  return randomBytes((length * 3) / 4).toString("base64");
}
