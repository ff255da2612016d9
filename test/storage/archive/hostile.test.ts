import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ArchiveError } from "../../../src/core/errors.js";
import { inspectArchive } from "../../../src/storage/archive/inspect.js";
import { openArchive } from "../../../src/storage/archive/open-archive.js";
import { HOSTILE_BYTES } from "./helpers/hostile-bytes.js";
import { HOSTILE_NAMES } from "./helpers/hostile-names.js";
import { onDisk, treeOf } from "./helpers/on-disk.js";
import { zipBytes } from "./helpers/zip-bytes.js";

const HOSTILE = [...HOSTILE_NAMES, ...HOSTILE_BYTES];

describe("an archive is refused with every reason, and before anything is written", () => {
  it.each(HOSTILE)("when it has or is: $what", async ({ bytes, codes }) => {
    const path = await onDisk(bytes());
    const { findings, isRefused } = await inspectArchive(path);
    const errors = findings.filter(({ level }) => level === "error");
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(codes));
    expect(isRefused).toBe(true);
    const error = await openArchive(path).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ArchiveError);
    for (const { code, detail, remedy } of errors) {
      expect(String(error)).toContain(code);
      expect(String(error)).toContain(detail);
      expect(String(error)).toContain(remedy);
    }
    expect(treeOf(dirname(path))).toEqual(["archive.zip"]);
  });

  it("and there are at least 40 of them", () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(40);
    expect(new Set(HOSTILE.map(({ what }) => what)).size).toBe(HOSTILE.length);
  });
});

it("every reason is told at once, of the archive and of each entry, and the message is fit for a terminal", async () => {
  const path = await onDisk(
    zipBytes(
      [
        { name: "../up.txt", content: "a" },
        { name: "\u001b[31mred\u202e.txt", content: "b" },
        { name: "a.txt", content: "c", both: { crc32: 1 } },
        { name: "link", content: "a.txt", mode: 0o120777 },
        { name: "A.txt", content: "d" },
      ],
      { trailing: Buffer.from("more") },
    ),
  );
  const error = await openArchive(path).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "ArchiveError", exitCode: 3, retriable: false });
  expect(String(error)).toBe(
    [
      `ArchiveError: ${path} is refused; nothing in it was used. The 5 reasons:`,
      '  E_ZIP_PATH_TRAVERSAL "../up.txt": its name leaves the archive\'s folder with `..`',
      '  E_ZIP_PATH_INVALID "\\u001b[31mred\\u202e.txt": its name has a control character',
      '  E_ZIP_SYMLINK "link": it is a symbolic link',
      '  E_ZIP_NAME_COLLISION "A.txt": on some systems its name is the same as "a.txt"',
      '  E_ZIP_CRC "a.txt": its checksum is 06b9df6f; the archive declares 00000001',
      "Warnings, which alone do not refuse the archive:",
      "  W_ZIP_TRAILING_DATA: it has 4 bytes after its end",
      '  W_ZIP_NAME_BIDI "\\u001b[31mred\\u202e.txt": its name has invisible characters',
      "What to do: Rename the entry and pack the archive again.",
      "What to do: Replace the link with the file itself.",
      "What to do: Get the archive again from its origin. It was damaged or cut on the way.",
    ].join("\n"),
  );
});

it("of very many findings the first are kept and the rest is counted", async () => {
  const parts = Array.from({ length: 500 }, (_, number) => ({ name: `../${number}` }));
  const path = await onDisk(zipBytes(parts));
  const { findings, findingsLeft } = await inspectArchive(path);
  expect([findings.length, findingsLeft]).toEqual([200, 300]);
  await expect(openArchive(path)).rejects.toThrow("… and 300 more");
});

it("what is no plain file is named for what it is, and a pipe does not hold the program", async () => {
  const path = await onDisk(Buffer.alloc(0));
  await expect(openArchive(dirname(path))).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("a folder"),
  });
  await expect(openArchive(join(path, "x"))).rejects.toMatchObject({ name: "ArchiveError", exitCode: 2 });
  await expect(openArchive(join(dirname(path), "none.zip"))).rejects.toMatchObject({
    name: "ArchiveError",
    exitCode: 10,
  });
  writeFileSync(path, "Hello");
  await expect(openArchive(path)).rejects.toThrow("it is a text");
});
