import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { unpackArchive } from "../../../src/storage/archive/unpack.js";
import { writeArchive } from "../../../src/storage/archive/write-archive.js";
import { runBuilt } from "../../helpers/built-code.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { onDisk, treeOf } from "./helpers/on-disk.js";
import { zipBytes } from "./helpers/zip-bytes.js";

const PARTS = [
  { name: "guide.xml", content: "<guide/>", mode: 0o104777 },
  { name: "media/a.jpg", content: "picture" },
  { name: "empty/" },
  { name: "__MACOSX/._guide.xml", content: "junk" },
];

describe("unpacking", () => {
  it("makes a folder of everything but junk, for its owner alone", async () => {
    const path = await onDisk(zipBytes(PARTS));
    const out = join(dirname(path), "new", "out");
    const warnings = await unpackArchive(path, out);
    expect(warnings.map(({ code }) => code)).toEqual(["W_ZIP_MODE_BITS", "W_ZIP_MAC_JUNK"]);
    expect(treeOf(out)).toEqual(["empty/", "guide.xml", "media/", "media/a.jpg"]);
    expect(readFileSync(join(out, "media/a.jpg"), "utf8")).toBe("picture");
    const modes = ["", "guide.xml", "media", "media/a.jpg", "empty"].map(
      (name) => statSync(join(out, name)).mode & 0o7777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o700, 0o600, 0o700]);
  });

  it("touches nothing that is there already, be it a link", async () => {
    const path = await onDisk(zipBytes(PARTS));
    const folder = dirname(path);
    mkdirSync(join(folder, "full"));
    writeFileSync(join(folder, "full/mine.txt"), "mine");
    symlinkSync("full", join(folder, "link"));
    for (const name of ["full", "link"]) {
      await expect(unpackArchive(path, join(folder, name))).rejects.toMatchObject({ exitCode: 2 });
    }
    expect(treeOf(folder)).toEqual(["archive.zip", "full/", "full/mine.txt", "link"]);
  });

  it("leaves nothing when it is stopped", async () => {
    const path = await onDisk(zipBytes(PARTS));
    const reason = new Error("stopped");
    await expect(unpackArchive(path, join(dirname(path), "out"), { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(readdirSync(dirname(path))).toEqual(["archive.zip"]);
  });

  it("leaves nothing when a content turns out to be wrong, though contents were not read before", async () => {
    const path = await onDisk(zipBytes([...PARTS, { name: "z.txt", content: "bad", both: { crc32: 1 } }]));
    const unpacking = unpackArchive(path, join(dirname(path), "out"), { readContents: false });
    await expect(unpacking).rejects.toMatchObject({ findings: [{ code: "E_ZIP_CRC" }] });
    expect(readdirSync(dirname(path))).toEqual(["archive.zip"]);
  });
});

describe("a process that is killed", () => {
  it("while it unpacks leaves no folder of that name, and the next run clears away what it left", async () => {
    const path = await onDisk(zipBytes([{ name: "a.txt", content: "text" }]));
    const folder = dirname(path);
    const out = join(folder, "out");
    const child = runBuilt(`
      import { makeBeside } from "./src/storage/archive/beside.js";
      import { mkdir, writeFile } from "node:fs/promises";
      await makeBeside(${JSON.stringify(out)}, "unpacking", async (temporary) => {
        await mkdir(temporary);
        await writeFile(temporary + "/half.txt", "half");
        console.log("started");
        await new Promise(() => setTimeout(() => undefined, 60000));
      });
    `);
    await child.lines.next();
    const left = readdirSync(folder).filter((name) => name.startsWith(".guideferry-"));
    expect(left).toHaveLength(1);
    await unpackArchive(path, join(folder, "other"));
    expect(readdirSync(folder)).toContain(left[0]);
    child.process.kill("SIGKILL");
    await child.output;
    expect(readdirSync(folder)).not.toContain("out");
    await unpackArchive(path, out);
    expect(readdirSync(folder).sort()).toEqual(["archive.zip", "other", "out"]);
    expect(treeOf(out)).toEqual(["a.txt"]);
  });

  it("while it writes leaves the archive that was there before", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "out.omanual");
    await writeArchive(path, [{ path: "old.xml", content: "old" }]);
    const before = readFileSync(path);
    const child = runBuilt(`
      import { Readable } from "node:stream";
      import { writeArchive } from "./src/storage/archive/write-archive.js";
      const endless = Readable.from((async function* () {
        yield Buffer.alloc(100000, 1);
        console.log("started");
        await new Promise(() => setTimeout(() => undefined, 60000));
      })());
      await writeArchive(${JSON.stringify(path)}, [{ path: "new.xml", content: "new" }, { path: "endless", content: endless }]);
    `);
    await child.lines.next();
    child.process.kill("SIGKILL");
    await child.output;
    expect(readFileSync(path)).toEqual(before);
    await writeArchive(path, [{ path: "new.xml", content: "new" }]);
    expect(readdirSync(folder)).toEqual(["out.omanual"]);
  });
});
