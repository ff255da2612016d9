import { readdirSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { recover } from "../../../../src/storage/repository/index-files.js";
import { type SnapshotPlan, writeSnapshot } from "../../../../src/storage/repository/write/write-snapshot.js";
import { type Contents, newFolder, opening, planOf } from "./helpers/plans.js";

const CONTENTS: Contents = {
  "items/wiki/ab/B-1.json": '{"title":"B"}\n',
  "items/guide/01/A-1.json": '{"title":"A"}\n',
  "media/0f/picture.jpg": "a picture",
};

describe("nothing is left of a snapshot", () => {
  it.each<[string, Partial<SnapshotPlan>, RegExp]>([
    [
      "whose content has other bytes",
      { open: async () => Readable.from(["other"]) },
      /items\/guide\/01\/A-1\.json cannot be written to an archive/,
    ],
    ["whose content cannot be read", { open: () => Promise.reject(new Error("the disk broke")) }, /the disk broke/],
    [
      "whose content breaks off",
      {
        open: async () =>
          Readable.from(
            (async function* () {
              yield Buffer.from("{");
              throw new Error("cut");
            })(),
          ),
      },
      /cut/,
    ],
    ["that the caller takes back", { beforeCommit: () => Promise.reject(new Error("no, not this one")) }, /no, not/],
    ["that is stopped", { signal: AbortSignal.abort(new Error("stopped")) }, /stopped/],
  ])("%s", async (_what, more, message) => {
    const plan = await planOf(CONTENTS, more);
    await expect(writeSnapshot(plan)).rejects.toThrow(message);
    // The next run removes what was complete before.
    expect(readdirSync(plan.folder).filter((name) => !/\.new$|\.rows\.zip$/.test(name))).toEqual([]);
    await recover(plan.storage);
    expect(readdirSync(plan.folder)).toEqual([]);
    expect(readdirSync(plan.scratch)).toEqual([]);
  });

  it("whose bytes the disk gives back otherwise than they were written", async () => {
    const [first, second] = ["media/00/a.jpg", "media/01/b.jpg"];
    const contents = { [first]: Buffer.alloc(700_000, 1), [second]: Buffer.alloc(700_000, 2) };
    const plan = await planOf(contents);
    const open: SnapshotPlan["open"] = async (content) => {
      // What was written of the first one lies on the disk by now: a byte of it flips.
      if (content.path === second) {
        const [name = ""] = readdirSync(plan.folder);
        const handle = await openFile(join(plan.folder, name), "r+");
        await handle.write(Buffer.from([9]), 0, 1, 100_000);
        await handle.close();
      }
      return opening(contents)(content);
    };
    await expect(writeSnapshot({ ...plan, open })).rejects.toMatchObject({
      name: "ArchiveError",
      exitCode: 4,
      message: expect.stringMatching(/returns other bytes than guideferry wrote/),
    });
    expect(readdirSync(plan.folder)).toEqual([]);
  });

  it("that would not fit on the disk", async () => {
    const plan = await planOf({}, { folder: await newFolder("full") });
    const medium = { sha256: "0".repeat(64), size: Number.MAX_SAFE_INTEGER / 2, archive: null, path: "media/00/0.mp4" };
    const drafts = [{ medium, write: true, change: null } as const];
    await expect(writeSnapshot({ ...plan, drafts })).rejects.toMatchObject({
      name: "ArchiveError",
      exitCode: 4,
      message: expect.stringMatching(/MB free, .*Nothing was written/),
    });
    expect(readdirSync(plan.folder)).toEqual([]);
  });
});
