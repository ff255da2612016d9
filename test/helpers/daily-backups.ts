import { join } from "node:path";
import type { Item } from "../../src/core/model/item.js";
import { guideItem, mediaItem, recordItem, step, wikiItem } from "./items.js";
import { type Maker, makeRepository, sha256Of } from "./repository.js";
import { temporaryFolder } from "./temporary-folder.js";

export const [FIRST, SECOND, THIRD] = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z"] as const;
export const PICTURE = Buffer.from("\u0089PNG\r\n not really a picture \u0000\u0001\u0002", "latin1");

/**
 * Three nights of a small site: guide 1 changes in the second and goes in the third, guide 3 comes
 * in the second.
 */
export async function threeNights(lock: Parameters<typeof makeRepository>[1] = null): Promise<Maker> {
  const maker = await makeRepository(join(await temporaryFolder(), "repo"), lock);
  const content = { sha256: sha256Of(PICTURE), size: PICTURE.length, type: "image/png" };
  const image = mediaItem("image", 5, { content });
  const rest: readonly Item[] = [guideItem(2), wikiItem("INFO", "Page"), recordItem("tags"), image];
  await maker.add({ snapshot: FIRST, items: [guide("Oil it", "1"), ...rest], media: [PICTURE] });
  await maker.add({
    snapshot: SECOND,
    items: [guide("Oil it well", "2"), guideItem(3), ...rest],
    media: [PICTURE, Buffer.from("bb")],
  });
  await maker.add({
    snapshot: THIRD,
    items: [guideItem(3), ...rest],
    media: [PICTURE, Buffer.from("bb")],
    complete: false,
  });
  return maker;
}

function guide(text: string, revision: string): Item {
  const author = { id: 4, name: "Ada", uniqueName: "ada" };
  const steps = [step(7, ["Open the lid"]), step(8, [text])];
  const item = guideItem(1, { title: "Loom", author, modifiedDate: 1_790_000_000 + Number(revision), steps });
  return { ...item, revision, raw: { guideid: 1, revisionid: Number(revision) } };
}
