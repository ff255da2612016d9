import { truncateSync } from "node:fs";
import { open, readdir, readlink, realpath } from "node:fs/promises";
import { expect, it } from "vitest";
import { inspectArchive } from "../../../src/storage/archive/inspect.js";
import { openArchive } from "../../../src/storage/archive/open-archive.js";
import { onDisk } from "./helpers/on-disk.js";
import { readOne } from "./helpers/read-all.js";
import { type Part, zipBytes } from "./helpers/zip-bytes.js";

const text = "a line of text that repeats\n".repeat(2000);
const WITHOUT = { readContents: false } as const;

/**
 * How often this process has a file open. Other tests of the same process open and close theirs
 * meanwhile, so only this file counts.
 */
async function timesOpen(path: string): Promise<number> {
  const real = await realpath(path);
  const links = await Promise.all((await readdir("/dev/fd")).map((one) => readlink(`/dev/fd/${one}`).catch(() => "")));
  return links.filter((link) => link === real).length;
}

it("files are named in the order of code points, folders apart, and read in any order and side by side", async () => {
  const parts: readonly Part[] = [
    { name: "z.txt", content: "last" },
    { name: "folder/" },
    { name: "\u{1f600}.txt", content: "far" },
    { name: "\uffee.txt", content: "near" },
    { name: "a/b.txt", content: text },
    { name: "A.txt", content: "" },
  ];
  const files = await openArchive(await onDisk(zipBytes(parts)));
  expect(files.paths).toEqual(["A.txt", "a/b.txt", "z.txt", "\uffee.txt", "\u{1f600}.txt"]);
  expect(files.folders).toEqual(["folder"]);
  expect(files.paths.map((path) => files.size(path))).toEqual([0, text.length, 4, 4, 3]);
  const read = await Promise.all([...files.paths, ...files.paths].map((path) => readOne(files, path)));
  const expected = ["", text, "last", "near", "far"];
  expect(read.map(String)).toEqual([...expected, ...expected]);
  await files.close();
  await files.close();
});

it("a path that isn't there is said to be none", async () => {
  const files = await openArchive(await onDisk(zipBytes([{ name: "a.txt", content: "a" }])));
  expect(() => files.size("b.txt")).toThrow('has no file "b.txt"');
  await expect(files.open("__proto__")).rejects.toThrow("has no file");
  await files.close();
});

const LIES: readonly (readonly [string, Part, string])[] = [
  ["the checksum is wrong", { name: "a", content: text, both: { crc32: 1 } }, "E_ZIP_CRC"],
  ["there is more than declared", { name: "a", content: text, both: { size: 100 } }, "E_ZIP_SIZE_MISMATCH"],
  ["there is less than declared", { name: "a", content: text, both: { size: 100_000 } }, "E_ZIP_SIZE_MISMATCH"],
  ["the packed bytes are damaged", { name: "a", content: text, packed: Buffer.alloc(99, 0xff) }, "E_ZIP_CORRUPT"],
];

it.each(LIES)("a stream fails where %s, though contents were not read before", async (_what, part, code) => {
  const files = await openArchive(await onDisk(zipBytes([part])), WITHOUT);
  let bytes = 0;
  const reading = (async () => {
    for await (const piece of await files.open("a")) bytes += piece.length;
  })();
  await expect(reading).rejects.toMatchObject({ name: "ArchiveError", findings: [{ code, entry: "a" }] });
  expect(bytes).toBeLessThanOrEqual(files.size("a"));
  await files.close();
});

it("a file that is cut while it is open fails in the stream that meets it", async () => {
  const path = await onDisk(zipBytes([{ name: "a", content: text, store: true }]));
  const files = await openArchive(path, WITHOUT);
  truncateSync(path, 1000);
  await expect(readOne(files, "a")).rejects.toMatchObject({ findings: [{ code: "E_ZIP_SIZE_MISMATCH" }] });
  await files.close();
});

it("a reader may stop early, and nothing stays open", async () => {
  const path = await onDisk(zipBytes([{ name: "a", content: Buffer.alloc(4_000_000, text) }]));
  const files = await openArchive(path);
  expect(await timesOpen(path)).toBe(1);
  for (let round = 0; round < 20; round += 1) {
    for await (const piece of await files.open("a")) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
  }
  await files.close();
  expect(await timesOpen(path)).toBe(0);
});

it("a refused archive does not stay open", async () => {
  const path = await onDisk(zipBytes([{ name: "../a", content: "a" }]));
  await expect(openArchive(path)).rejects.toThrow("refused");
  expect(await timesOpen(path)).toBe(0);
});

it("a handle that is given is looked into and stays open", async () => {
  const handle = await open(await onDisk(zipBytes([{ name: "a.txt", content: "a" }])));
  const { entries, findings, isRefused } = await inspectArchive(handle);
  expect([findings, isRefused]).toEqual([[], false]);
  expect(entries).toMatchObject([{ path: "a.txt", size: 1, isFolder: false }]);
  expect((await handle.stat()).isFile()).toBe(true);
  await handle.close();
});
