import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { preparePackage } from "../../../src/training/package/normalise-package.js";
import { scormPackage } from "../../helpers/training-packages.js";
import { folderOf, zipOf } from "./helpers/on-disk.js";

const MEDIA = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [`media/${at}.${at % 2 === 0 ? "mp4" : "bin"}`, randomBytes(400_000)]),
);

it.each([
  ["an archive", zipOf],
  ["a folder", folderOf],
])(
  "whenever the writing of %s is stopped, it ends with the reason and leaves nothing, or it is finished",
  async (_what, make) => {
    const path = await make(scormPackage({}, MEDIA));
    const out = join(dirname(path), "out.zip");
    const before = readdirSync(dirname(path));
    const one = await preparePackage(path);
    let finished = 0;
    for (let milliseconds = 0; milliseconds < 300 && finished === 0; milliseconds += 25) {
      const stop = new AbortController();
      const writing = one.normalised?.write(out, stop.signal).then(
        () => "written",
        (error: unknown) => error,
      );
      await wait(milliseconds);
      stop.abort("enough");
      const outcome = await writing;
      if (outcome === "written") finished += 1;
      else expect(outcome).toBe("enough");
      expect(readdirSync(dirname(path)).toSorted()).toEqual(
        outcome === "written" ? [...before, "out.zip"].toSorted() : before,
      );
      rmSync(out, { force: true });
    }
    await one.close();
  },
);

it.each([
  ["an archive", zipOf],
  ["a folder", folderOf],
])("whenever looking at %s is stopped, it ends with the reason, or it is finished", async (_what, make) => {
  const path = await make(scormPackage({}, MEDIA));
  for (let milliseconds = 0; milliseconds < 30; milliseconds += 3) {
    const stop = new AbortController();
    const looking = preparePackage(path, { signal: stop.signal }).then(
      async ({ checked, close }) => {
        await close();
        return checked.verdict;
      },
      (error: unknown) => error,
    );
    await wait(milliseconds);
    stop.abort("enough");
    const outcome = await looking;
    expect(["enough", "accept"]).toContain(outcome);
  }
});
