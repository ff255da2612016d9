import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { ArchiveError } from "../../../src/core/errors.js";
import { guardArchive, guardFolder } from "../../../src/storage/archive/open-archive.js";
import { onDisk } from "./helpers/on-disk.js";
import { zipBytes } from "./helpers/zip-bytes.js";

const LARGE = Buffer.alloc(700_000, "a line of text");

it("takes the sha256 of each content on the way, however large and however packed", async () => {
  const contents = { "empty.txt": "", "small.txt": "text", "stored.bin": LARGE, "packed.txt": LARGE };
  const parts = Object.entries(contents).map(([name, content]) => ({ name, content, store: name === "stored.bin" }));
  const path = await onDisk(zipBytes(parts));
  const { digests, bytes, isWhole, close } = await guardArchive(path, { hashContents: true });
  await close();
  const expected = Object.entries(contents).map(
    ([name, content]) => [name, createHash("sha256").update(content).digest("hex")] as const,
  );
  expect(new Map(digests)).toEqual(new Map(expected));
  expect([bytes > LARGE.length, isWhole]).toEqual([true, true]);
  const unhashed = await guardArchive(path);
  expect(unhashed.digests.size).toBe(0);
  await unhashed.close();
});

it("gives the names of a refused archive, and nothing to read", async () => {
  const path = await onDisk(zipBytes([{ name: "../a.txt", content: "a" }, { name: "b/" }, { name: ".DS_Store" }]));
  const { names, files, findings, digests, close } = await guardArchive(path, { hashContents: true });
  expect(names.map(({ path: name, size }) => [name, size])).toEqual([["../a.txt", 1]]);
  expect([files, digests.size, findings[0]?.code]).toEqual([null, 0, "E_ZIP_PATH_TRAVERSAL"]);
  await close();
});

it("knows when it could not read all names", async () => {
  const bytes = zipBytes([{ name: "a.txt" }, { name: "b.txt" }]);
  bytes.writeUInt32LE(0x01014b50, bytes.lastIndexOf("PK\x01\x02"));
  const { names, isWhole } = await guardArchive(await onDisk(bytes));
  expect([names.map(({ path }) => path), isWhole]).toEqual([["a.txt"], false]);
});

it("gives the names of a refused folder, and of a good one the files", async () => {
  const folder = join(dirname(await onDisk(Buffer.alloc(0))), "folder");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "text");
  const good = await guardFolder(folder);
  expect([good.files?.paths, good.bytes, good.findings]).toEqual([["a.txt"], 4, []]);
  symlinkSync("a.txt", join(folder, "link"));
  const refused = await guardFolder(folder);
  expect([refused.files, refused.names.length, refused.findings.map(({ code }) => code)]).toEqual([
    null,
    2,
    ["E_ZIP_SYMLINK"],
  ]);
});

it("stops between two pieces of a content when it is told to", async () => {
  const path = await onDisk(zipBytes([{ name: "large.bin", content: LARGE, store: true }]));
  const stop = new AbortController();
  const looking = guardArchive(path, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(looking).rejects.toThrow("enough");
});

it("says what is wrong with a path that leads nowhere", async () => {
  const folder = dirname(await onDisk(Buffer.alloc(0)));
  symlinkSync("round", join(folder, "round"));
  for (const name of ["round", "n".repeat(300)])
    await expect(guardArchive(join(folder, name))).rejects.toThrow(ArchiveError);
});
