import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { describe, expect, it } from "vitest";
import { Noise } from "../../../bench/backup/noise.js";
import { guideItem, mediaItem, step } from "../../../helpers/items.js";
import { makeRepository, sha256Of } from "../../../helpers/repository.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import { brokenLinks } from "./helpers/broken-links.js";
import { exported, filesIn } from "./helpers/exported.js";
import { ONE, PICTURE, picture, repositoryOf, SHEET, TWO } from "./helpers/small-site.js";

describe("the media of an export", () => {
  it("keep a content under each of its names", async () => {
    const folder = await temporaryFolder();
    const content = { sha256: sha256Of(SHEET), size: SHEET.length, type: "text/csv" };
    const named = ["list.csv", "list.txt"].map((fileName, at) => mediaItem("document", at + 8, { fileName, content }));
    await repositoryOf(join(folder, "repo"), [...named, picture(7)]);
    for (const turn of [1, 2]) {
      expect([turn, await exported(join(folder, "repo"), join(folder, "site"))]).toMatchObject([turn, { removed: 0 }]);
      const files = (await filesIn(join(folder, "site"))).filter((file) => file.includes(content.sha256));
      expect(files).toEqual([`media/${content.sha256}.csv`, `media/${content.sha256}.txt`]);
      const list = (await readFile(join(folder, "site/guideferry-export.files"), "utf8")).split("\n");
      expect(list.filter((file) => file.includes(content.sha256))).toEqual(files);
    }
  });

  it("says of damaged and missing media what is wrong, and leads to none of them", async () => {
    const folder = await temporaryFolder();
    const content = { sha256: sha256Of(SHEET), size: SHEET.length, type: "text/csv" };
    const guide = guideItem(1, { steps: [step(1, ["x"], { media: { type: "images", images: ["image/8"] } })] });
    const lost = mediaItem("image", 8, { content, fileName: "lost.png" });
    await repositoryOf(join(folder, "repo"), [guide, lost, picture(7)]);
    const { failures } = await exported(join(folder, "repo"), join(folder, "site"));
    expect(failures.map(({ key }) => key)).toEqual(["image/8"]);
    expect(await brokenLinks(join(folder, "site"))).toEqual([]);
  });

  it("leads to no content whose first bytes are sound and whose others are damaged", async () => {
    const folder = await temporaryFolder();
    const repo = join(folder, "repo");
    const bytes = Buffer.concat([PICTURE, new Noise(1).bytes(4000)]);
    const content = { sha256: sha256Of(bytes), size: bytes.length, type: "image/png" };
    const guide = guideItem(1, { steps: [step(1, ["x"], { media: { type: "images", images: ["image/8"] } })] });
    const maker = await makeRepository(repo);
    await maker.add({ snapshot: ONE, items: [guide, mediaItem("image", 8, { content })], media: [bytes] });
    const [name = ""] = (await filesIn(repo)).filter((file) => file.endsWith(".zip"));
    const archive = await readFile(join(repo, name));
    const at = archive.indexOf(bytes.subarray(3000, 3100));
    expect(at).toBeGreaterThan(0);
    await writeFile(join(repo, name), archive.fill(0, at, at + 20));
    const { failures } = await exported(repo, join(folder, "site"));
    expect(failures).toMatchObject([{ key: "image/8", reason: expect.stringContaining("damaged") }]);
    expect(await brokenLinks(join(folder, "site"))).toEqual([]);
  });

  it("tells what no key opens, and has all else", async () => {
    const folder = await temporaryFolder();
    const repo = join(folder, "repo");
    const locked = await makeRepository(repo, {
      recipients: [await identityToRecipient(await generateX25519Identity())],
    });
    const steps = [step(1, ["x"], { media: { type: "images", images: ["image/7"] } })];
    await locked.add({ snapshot: ONE, items: [guideItem(1), picture(7)], media: [PICTURE] });
    const open = await makeRepository(repo);
    for (const [id, rows] of locked.rows) open.rows.set(id, rows);
    for (const [id, index] of locked.indexes) open.indexes.set(id, index);
    await open.add({ snapshot: TWO, items: [guideItem(1), picture(7), guideItem(2, { steps })], media: [PICTURE] });
    const { failures } = await exported(repo, join(folder, "site"));
    expect(failures.map(({ key }) => key).toSorted()).toEqual(["guide/1", "image/7"]);
    expect(await brokenLinks(join(folder, "site"))).toEqual([]);
    expect(await readFile(join(folder, "site/guide/1.html"), "utf8")).toContain("cannot be read");
    expect(await readFile(join(folder, "site/guide/2.html"), "utf8")).not.toContain("cannot be read");
  });
});
