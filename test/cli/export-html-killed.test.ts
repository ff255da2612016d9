import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guideItem, mediaItem } from "../helpers/items.js";
import { killAmid } from "../helpers/kill-amid.js";
import { pngOf } from "../helpers/png.js";
import { makeRepository, sha256Of } from "../helpers/repository.js";
import { startCli } from "../helpers/run-cli.js";
import { runHere } from "../helpers/run-here.js";
import { removeFolder, temporaryFolder } from "../helpers/temporary-folder.js";
import { filesIn } from "../web/reader/export/helpers/exported.js";

const PICTURE = pngOf(30, 20);
const [ONE, TWO] = ["20261101T030000Z", "20261102T030000Z"] as const;
const GUIDES = Array.from({ length: 60 }, (_, at) => guideItem(at + 1));
const SHOWN = mediaItem("image", 7, {
  content: { sha256: sha256Of(PICTURE), size: PICTURE.length, type: "image/png" },
});

it("a killed export comes out whole when it is run again, of one time and of several", async () => {
  const directory = await temporaryFolder();
  const maker = await makeRepository(join(directory, "repo"));
  await maker.add({ snapshot: ONE, items: [...GUIDES, SHOWN], media: [PICTURE] });
  await maker.add({ snapshot: TWO, items: [...GUIDES.slice(1), SHOWN], media: [PICTURE] });
  for (const [times, amid] of [
    ["latest", "guide"],
    ["all", `at/${TWO}/guide`],
  ] as const) {
    const [whole, site] = [join(directory, `whole-${times}`), join(directory, `site-${times}`)];
    const export_ = (path: string) => ["export-html", join(directory, "repo"), "--snapshots", times, "-o", path];
    expect((await runHere(export_(whole))).code).toBe(0);
    await killAmid({
      start: () => startCli(export_(site), { directory }),
      isAtWork: () => existsSync(join(site, amid)),
      undo: () => removeFolder(site),
    });
    const again = await runHere(export_(site));
    expect([times, again.code, again.stderr]).toEqual([times, 0, expect.not.stringContaining("error")]);
    const files = await filesIn(whole);
    expect((await filesIn(site)).filter((file) => !file.startsWith("guideferry-export.lock"))).toEqual(
      files.filter((file) => !file.startsWith("guideferry-export.lock")),
    );
    for (const file of files)
      expect(await readFile(join(site, file), "latin1")).toBe(await readFile(join(whole, file), "latin1"));
  }
});
