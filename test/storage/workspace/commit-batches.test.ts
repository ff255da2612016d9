import { createHash } from "node:crypto";
import { existsSync, fstatSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { Database } from "../../../src/storage/sqlite.js";
import { CommitBatches, type StagedFile, stageText } from "../../../src/storage/workspace/commit-batches.js";
import { type Layout, layoutOf } from "../../../src/storage/workspace/layout.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { runBuilt } from "../../helpers/built-code.js";
import { mediaItem } from "../../helpers/items.js";
import { filesIn } from "./helpers/files.js";
import { guide, openedWorkspace, temporaryFolder } from "./helpers/samples.js";

const disk = vi.hoisted(() => ({
  /** What became durable, in its order. */
  events: [] as string[],
  names: new Map<number, string>(),
  failing: new Set<string>(),
}));

vi.mock(import("../../../src/core/util/files.js"), async (original) => ({
  ...(await original()),
  syncFile: async (descriptor: number) => {
    const name = disk.names.get(fstatSync(descriptor).ino) ?? "another file";
    await new Promise((resolve) => setImmediate(resolve));
    disk.events.push(`file ${name}`);
    if (disk.failing.has(name)) throw Object.assign(new Error("broken"), { code: "EIO" });
  },
  syncFolder: async (folder: string) => void disk.events.push(`folder ${basename(folder)}`),
}));

interface Opened {
  readonly layout: Layout;
  readonly batches: CommitBatches;
  readonly rows: () => readonly string[];
  /** A part of these files, whose row is the first name. */
  readonly add: (names: readonly string[], soon?: boolean) => Promise<void>;
}

function opened(): Opened {
  disk.events = [];
  disk.failing.clear();
  const layout = layoutOf(temporaryFolder());
  for (const folder of ["temporary", "a", "b"]) mkdirSync(join(layout.directory, folder));
  const database = new Database(join(layout.directory, "state.sqlite"), {
    syncFile: async () => void disk.events.push("log"),
  });
  onTestFinished(() => database.close());
  database.execute("PRAGMA journal_mode=WAL; CREATE TABLE row (name TEXT UNIQUE)");
  const batches = new CommitBatches(database);
  const staged = (name: string): StagedFile => {
    const file = stageText(layout, join(layout.directory, name), `text of ${name}`);
    disk.names.set(fstatSync(file.descriptor).ino, name);
    return file;
  };
  const add = (names: readonly string[], soon = true) =>
    batches.add(
      {
        files: names.map(staged),
        rows: () => {
          for (const name of names) if (!existsSync(join(layout.directory, name))) throw new Error(`no ${name}`);
          disk.events.push(`row ${names[0]}`);
          database.run("INSERT INTO row (name) VALUES (:name)", { name: names[0] ?? "" });
        },
      },
      soon,
    );
  const rows = () =>
    database.all<{ readonly name: string }>("SELECT name FROM row ORDER BY name").map(({ name }) => name);
  return { layout, batches, rows, add };
}

test("the files and folders of a batch are durable before its rows, each folder once, and the rows before the promise", async () => {
  const { rows, add } = opened();
  const told = (name: string) => () => void disk.events.push(`told ${name}`);
  await Promise.all([
    add(["a/1", "b/1"]).then(told("a/1")),
    add(["a/2"]).then(told("a/2")),
    add(["a/3"]).then(told("a/3")),
  ]);
  expect(disk.events.slice(0, 4).toSorted()).toEqual(["file a/1", "file a/2", "file a/3", "file b/1"]);
  expect(disk.events.slice(4, 6).toSorted()).toEqual(["folder a", "folder b"]);
  expect(disk.events.slice(6)).toEqual(["row a/1", "row a/2", "row a/3", "log", "told a/1", "told a/2", "told a/3"]);
  expect(rows()).toEqual(["a/1", "a/2", "a/3"]);
});

test("the folders that a batch creates are durable before its rows, with one sync of the folder that they are in", async () => {
  const { layout, add } = opened();
  const names = Array.from({ length: 10 }, (_, n) => `a/new ${n}/1`);
  await Promise.all(names.map((name) => add([name])));
  const folders = disk.events.filter((event) => event.startsWith("folder "));
  expect(folders.toSorted()).toEqual(["folder a", ...names.map((name) => `folder ${basename(dirname(name))}`)]);
  expect(disk.events.indexOf("row a/new 0/1")).toBeGreaterThan(disk.events.lastIndexOf("folder a"));
  await add(["a/new 0/below/deep/1"]);
  const parents = disk.events.slice(disk.events.lastIndexOf("file a/new 0/below/deep/1"));
  expect(parents.slice(1, 4)).toEqual(["folder below", "folder new 0", "folder deep"]);
  expect(existsSync(join(layout.directory, "a/new 0/below/deep/1"))).toBe(true);
});

test("a file that the disk refuses takes its own part only, and leaves no row and no file of it", async () => {
  const { layout, rows, add } = opened();
  disk.failing.add("b/2");
  const [first, second, third] = await Promise.allSettled([add(["a/1"]), add(["a/2", "b/2"]), add(["a/3"])]);
  expect([first.status, third.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(second).toMatchObject({
    reason: { message: expect.stringMatching(/writing .*a.2 and .*b.2: the disk reports/) },
  });
  expect(rows()).toEqual(["a/1", "a/3"]);
  expect(filesIn(layout.directory).filter((name) => /^(?:temporary|[ab])/.test(name))).toEqual(["a/1", "a/3"]);
});

test("a row that the state refuses takes its own part only", async () => {
  const { rows, add } = opened();
  await add(["a/1"]);
  const ended = await Promise.allSettled([add(["a/2"]), add(["a/1"]), add(["a/3"])]);
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(rows()).toEqual(["a/1", "a/2", "a/3"]);
});

test("parts keep their order, also where one is in a hurry", async () => {
  const { rows, add } = opened();
  const ended: number[] = [];
  const all = Array.from({ length: 300 }, (_, n) => add([`a/${n}`], n % 7 !== 0).then(() => void ended.push(n)));
  await Promise.all(all);
  expect(ended).toEqual(all.map((_, n) => n));
  expect(rows()).toHaveLength(300);
  expect(disk.events.filter((event) => event === "log").length).toBeLessThan(30);
});

test("at most some files are open, however fast they come", async () => {
  const { batches, add } = opened();
  for (let n = 0; n < 64; n += 1) void add([`a/${n}`]);
  let hasRoom = false;
  const room = batches.room().then(() => {
    hasRoom = true;
  });
  await Promise.resolve();
  expect(hasRoom).toBe(false);
  await room;
  await batches.idle();
});

/** Dies by its own hand between the files and the rows of the batch of `last`. */
function dying(directory: string, last: number): string {
  return `
    import { writeSync } from "node:fs";
    import { Readable } from "node:stream";
    import { openWorkspace } from "./src/storage/workspace/workspace.js";
    const workspace = await openWorkspace(${JSON.stringify(directory)}, { create: true, command: "writer" });
    const [image, guide] = ${JSON.stringify([mediaItem("image", 1, {}), guide(0)])};
    const never = new AbortController().signal;
    await Promise.all([1, 2, 3, 4].map(async (worker) => {
      for (let n = worker; ; n += 4) {
        const bytes = Buffer.from("picture " + n);
        const open = async () => ({ content: Readable.from([bytes]), from: 0, size: bytes.length, type: null });
        const { content, file } = await workspace.media.receiveFile(open, never);
        await workspace.items.putWithOthers({ ...image, key: "image/" + n, body: { ...image.body, id: n, content } }, { content: file });
        const beside = () => { if (n >= ${last}) process.kill(process.pid, "SIGKILL"); };
        await workspace.items.putWithOthers({ ...guide, key: "guide/" + n }, { beside });
        writeSync(1, n + "\\n");
      }
    }));
  `;
}

test.each([1, 2, 17, 60])(
  "a death between the files and the rows of item %d loses nothing that was told, and no row lacks its file",
  async (last) => {
    const directory = join(temporaryFolder(), "workspace");
    const child = runBuilt(dying(directory, last));
    const told = (await child.output).split("\n").filter((line) => line !== "");
    expect(await child.ended).toEqual({ code: null, signal: "SIGKILL" });
    const { items, media } = await openedWorkspace(directory);
    for (const n of told) {
      expect(items.entry(`guide/${Number(n)}`)).toBeDefined();
      expect(items.entry(`image/${Number(n)}`)).toBeDefined();
    }
    for (const { key, digest } of items.entries()) {
      expect(
        createHash("sha256")
          .update(await items.file(key))
          .digest("hex"),
      ).toBe(digest);
      const item = await items.get(key);
      if (item?.kind === "image") expect(await media.verify(item.body.content?.sha256 ?? "")).toBe(true);
      // Its picture came first.
      else expect(items.entry(`image/${Number(key.slice("guide/".length))}`)).toBeDefined();
    }
    // The batch in which it died has files, and no rows.
    expect(existsSync(layoutOf(directory).item(`guide/${last}`))).toBe(true);
    expect(items.entry(`guide/${last}`)).toBeUndefined();
    expect(filesIn(join(directory, "temporary"))).toEqual([]);
  },
);

test("closing waits for what is on its way", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openWorkspace(directory, { create: true, command: "guideferry test" });
  const open = async () => ({ content: Readable.from(["bytes"]), from: 0, size: 5, type: null });
  const { content, file } = await workspace.media.receiveFile(open, new AbortController().signal);
  const storing = workspace.items.putWithOthers(mediaItem("image", 1, { content }), { content: file });
  await workspace.close();
  await storing;
  const { items, media } = await openedWorkspace(directory);
  expect(items.entry("image/1")).toBeDefined();
  expect(readFileSync(media.path(content.sha256), "utf8")).toBe("bytes");
  expect(dirname(media.path(content.sha256))).toBe(join(directory, "media", content.sha256.slice(0, 2)));
});
