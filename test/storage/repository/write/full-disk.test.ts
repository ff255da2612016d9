import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { LocalFolder } from "../../../../src/storage/repository/files/local-folder.js";
import { recover } from "../../../../src/storage/repository/index-files.js";
import { writeSnapshot } from "../../../../src/storage/repository/write/write-snapshot.js";
import { runBuilt } from "../../../helpers/built-code.js";
import { newFolder, planOf, SNAPSHOT } from "./helpers/plans.js";

/**
 * No file may grow beyond 512 KiB in the child: the nearest to a full disk that every machine can
 * make.
 */
const SMALL_FILES = ["sh", "-c", 'trap "" XFSZ; ulimit -f 1024; exec "$@"', "sh"];

it.each([
  ["a part", 300_000],
  ["the main archive", 2_000_000],
])("a disk that gets full amid %s is told, and the snapshot is there whole or not at all", async (what, partBytes) => {
  const folder = await newFolder("repository");
  const scratch = await newFolder("scratch");
  // The second part is too large; a snapshot in one part is as a whole.
  const sizes = what === "a part" ? [250_000, 700_000, 10] : [250_000, 250_000, 250_000];
  const child = runBuilt(
    `
    import { createHash } from "node:crypto";
    import { Readable } from "node:stream";
    import { LocalFolder } from "./src/storage/repository/files/local-folder.js";
    import { writeSnapshot } from "./src/storage/repository/write/write-snapshot.js";
    const plan = ${JSON.stringify({ ...(await planOf({}, { folder, scratch, partBytes })), drafts: [], open: null, archives: null })};
    const drafts = ${JSON.stringify(sizes)}.map((size, at) => {
      const bytes = Buffer.alloc(size, at + 1);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return { medium: { sha256, size, archive: null, path: "media/0" + at + "/" + at + ".jpg" }, write: true, change: "new", bytes };
    });
    const open = async ({ path }) => Readable.from([drafts.find(({ medium }) => medium.path === path).bytes]);
    const written = writeSnapshot({ ...plan, storage: new LocalFolder(plan.folder), drafts, open, started: new Date(), now: () => new Date(), archives: new Map() });
    await written.then(() => console.log("written"), (error) => console.log(JSON.stringify({ name: error.name, exitCode: error.exitCode, message: error.message })));
  `,
    { before: SMALL_FILES },
  );
  const told = JSON.parse(await child.output);
  expect(told).toMatchObject({ name: "ArchiveError", exitCode: 4 });
  expect(told.message).toMatch(/While writing .*limit is reached/);
  expect(readdirSync(folder).filter((name) => !name.includes(".part1."))).toEqual([]);
  await recover(new LocalFolder(folder));
  expect(readdirSync(folder)).toEqual([]);
  // With room again the same snapshot goes through.
  await writeSnapshot(await planOf({ "media/00/a.jpg": "picture" }, { folder }));
  const files = readdirSync(folder);
  expect(files.filter((name) => name.includes(SNAPSHOT))).toHaveLength(3);
  expect(files.filter((name) => !name.includes(SNAPSHOT))).toEqual(["head.copy.json", "head.json"]);
});
