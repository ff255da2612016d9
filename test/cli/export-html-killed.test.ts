import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guideItem, mediaItem } from "../helpers/items.js";
import { killAmid } from "../helpers/kill-amid.js";
import { pngOf } from "../helpers/png.js";
import { makeRepository, sha256Of } from "../helpers/repository.js";
import { runCli, startCli } from "../helpers/run-cli.js";
import { removeFolder, temporaryFolder } from "../helpers/temporary-folder.js";
import { filesIn } from "../reader/export/helpers/exported.js";

const PICTURE = pngOf(30, 20);
const ITEMS = [
  ...Array.from({ length: 150 }, (_, at) => guideItem(at + 1)),
  mediaItem("image", 7, { content: { sha256: sha256Of(PICTURE), size: PICTURE.length, type: "image/png" } }),
];

it("a killed export comes out whole when it is run again, whatever it was killed amid", async () => {
  const directory = await temporaryFolder();
  const maker = await makeRepository(join(directory, "repo"));
  await maker.add({ snapshot: "20261101T030000Z", items: ITEMS, media: [PICTURE] });
  expect((await runCli(["export-html", "repo", "-o", "whole"], { directory })).code).toBe(0);
  const whole = await filesIn(join(directory, "whole"));
  const site = join(directory, "site");
  for (const amid of ["guideferry-export.json", "search", "media", "guide"]) {
    await removeFolder(site);
    await killAmid({
      start: () => startCli(["export-html", "repo", "-o", "site"], { directory }),
      isAtWork: () => existsSync(join(site, amid)) && readdirSync(site).length > 0,
      undo: () => removeFolder(site),
    });
    const again = await runCli(["export-html", "repo", "-o", "site"], { directory });
    expect([amid, again.code, again.stderr]).toEqual([amid, 0, expect.not.stringContaining("error")]);
    expect(await filesIn(site)).toEqual(whole);
    for (const file of whole) {
      expect(await readFile(join(site, file), "latin1")).toBe(await readFile(join(directory, "whole", file), "latin1"));
    }
  }
});
