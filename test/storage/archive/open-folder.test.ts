import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFolder } from "../../../src/storage/archive/open-archive.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { readAll, readOne } from "./helpers/read-all.js";

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const WHOLE = { "guide.xml": "<guide/>", "media/a.jpg": "picture", "Z.txt": "" };

describe("a folder is read as an archive is", () => {
  it("with the same paths, sizes and contents", async () => {
    const folder = await folderOf({ ...WHOLE, ".DS_Store": "junk", "inner.zip": "PK" });
    mkdirSync(join(folder, "empty"));
    const files = await openFolder(folder);
    expect(files.paths).toEqual(["Z.txt", "guide.xml", "inner.zip", "media/a.jpg"]);
    expect(files.folders).toEqual(["empty", "media"]);
    expect(files.size("media/a.jpg")).toBe(7);
    expect(await readAll(files)).toEqual({ ...WHOLE, "inner.zip": "PK" });
    expect(files.findings.map(({ code, entry }) => [code, entry])).toEqual([
      ["W_ZIP_MAC_JUNK", ".DS_Store"],
      ["W_ZIP_NESTED_ARCHIVE", "inner.zip"],
    ]);
    await expect(files.open("../x")).rejects.toThrow("has no file");
    await files.close();
  });

  it("with names as archives have them", { tags: ["linux"] }, async () => {
    const files = await openFolder(await folderOf({ "cafe\u0301.txt": "form D", "a\\b.txt": "back-slash" }));
    expect(files.findings.map(({ code }) => code).sort()).toEqual(["W_ZIP_BACKSLASH", "W_ZIP_NAME_NFD"]);
    expect(await readAll(files)).toEqual({ "caf\u00e9.txt": "form D", "a/b.txt": "back-slash" });
  });
});

describe("a folder is refused", () => {
  const CASES: readonly (readonly [string, (folder: string) => void, string])[] = [
    ["a link to a file", (folder) => symlinkSync("/etc/passwd", join(folder, "link")), "E_ZIP_SYMLINK"],
    ["a link to a folder", (folder) => symlinkSync("/", join(folder, "link")), "E_ZIP_SYMLINK"],
    ["a link to itself", (folder) => symlinkSync(".", join(folder, "media/self")), "E_ZIP_SYMLINK"],
    ["a pipe", (folder) => execFileSync("mkfifo", [join(folder, "pipe")]), "E_ZIP_SPECIAL_FILE"],
    ["a name with a line feed", (folder) => writeFileSync(join(folder, "a\nb"), ""), "E_ZIP_PATH_INVALID"],
    ["a name with a colon", (folder) => writeFileSync(join(folder, "aa:b"), ""), "E_ZIP_PATH_INVALID"],
    [
      "a name that is not UTF-8",
      (folder) => writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), ""),
      "E_ZIP_PATH_INVALID",
    ],
    ["names that differ in case", (folder) => writeFileSync(join(folder, "z.TXT"), ""), "E_ZIP_NAME_COLLISION"],
    [
      "a path that is too long",
      (folder) => mkdirSync(join(folder, `${"a".repeat(200)}/`.repeat(6)), { recursive: true }),
      "E_ZIP_PATH_INVALID",
    ],
    [
      "too many files",
      (folder) => mkdirSync(join(folder, "1/2/3/4/5/6/7/8/9"), { recursive: true }),
      "E_ZIP_ENTRY_COUNT",
    ],
    ["a file that is too large", (folder) => truncateSync(join(folder, "Z.txt"), 2000), "E_ZIP_TOTAL_SIZE"],
  ];

  it.each(CASES)("for %s, which is not followed or read", { tags: ["linux"] }, async (_what, spoil, code) => {
    const folder = await folderOf(WHOLE);
    spoil(folder);
    const opening = openFolder(folder, { limits: { entries: 12, entryBytes: 1000 } });
    await expect(opening).rejects.toMatchObject({
      name: "ArchiveError",
      findings: expect.arrayContaining([expect.objectContaining({ code })]),
    });
  });

  it("when there is nothing in it, when it is a file, and when it isn't there", async () => {
    const folder = await temporaryFolder();
    await expect(openFolder(folder)).rejects.toMatchObject({ findings: [{ code: "E_ZIP_EMPTY" }] });
    writeFileSync(join(folder, "file"), "");
    await expect(openFolder(join(folder, "file"))).rejects.toMatchObject({ name: "ArchiveError", exitCode: 2 });
    await expect(openFolder(join(folder, "none"))).rejects.toMatchObject({ name: "ArchiveError", exitCode: 10 });
  });
});

it("a file that is replaced or cut after the inspection fails when it is read", async () => {
  const folder = await folderOf({ "a.txt": "text", "b.txt": "text", "c.txt": "text" });
  const files = await openFolder(folder);
  writeFileSync(join(folder, "new"), "text");
  renameSync(join(folder, "new"), join(folder, "a.txt"));
  truncateSync(join(folder, "b.txt"), 1);
  renameSync(join(folder, "c.txt"), join(folder, "moved.txt"));
  symlinkSync("moved.txt", join(folder, "c.txt"));
  await expect(readOne(files, "a.txt")).rejects.toThrow("was replaced or changed");
  await expect(readOne(files, "b.txt")).rejects.toThrow("was replaced or changed");
  await expect(readOne(files, "c.txt")).rejects.toThrow();
});
