import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replaceAtomically } from "../../../src/storage/archive/atomic-file.js";
import { writeArchive } from "../../../src/storage/archive/write-archive.js";
import { runBuilt } from "../../helpers/built-code.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { treeOf } from "./helpers/on-disk.js";

describe("a process that is killed", () => {
  it("while it makes a folder leaves none of that name, and the next run clears away what it left", async () => {
    const folder = await temporaryFolder();
    const out = join(folder, "out");
    const child = runBuilt(`
      import { replaceAtomically } from "./src/storage/archive/atomic-file.js";
      import { mkdir, writeFile } from "node:fs/promises";
      await replaceAtomically(${JSON.stringify(out)}, "making", async (temporary) => {
        await mkdir(temporary);
        await writeFile(temporary + "/half.txt", "half");
        console.log("started");
        await new Promise(() => setTimeout(() => undefined, 60000));
      });
    `);
    await child.lines.next();
    const left = readdirSync(folder).filter((name) => name.startsWith(".guideferry-"));
    expect(left).toHaveLength(1);
    const make = (name: string) =>
      replaceAtomically(join(folder, name), "making", async (temporary) => mkdirSync(temporary));
    await make("other");
    expect(readdirSync(folder)).toContain(left[0]);
    child.process.kill("SIGKILL");
    await child.output;
    expect(readdirSync(folder)).not.toContain("out");
    await make("out");
    expect(treeOf(folder)).toEqual(["other/", "out/"]);
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
