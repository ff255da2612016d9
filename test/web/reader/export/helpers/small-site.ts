import type { Item } from "../../../../../src/core/model/item.js";
import { mediaItem } from "../../../../helpers/items.js";
import { pngOf } from "../../../../helpers/png.js";
import { makeRepository, sha256Of } from "../../../../helpers/repository.js";

export const PICTURE = pngOf(30, 20);
export const SHEET = Buffer.from("a;b\n1;2\n");
export const [ONE, TWO] = ["20261101T030000Z", "20261102T030000Z"] as const;

/** An image of `PICTURE`. */
export function picture(id: number): Item {
  const content = { sha256: sha256Of(PICTURE), size: PICTURE.length, type: "image/png" };
  return mediaItem("image", id, { content, fileName: "shed.png", width: 30, height: 20 });
}

/** Writes a repository of one night, with the contents that its items name. */
export async function repositoryOf(folder: string, items: readonly Item[]): Promise<void> {
  const maker = await makeRepository(folder);
  await maker.add({
    snapshot: ONE,
    items,
    media: [PICTURE, ...(items.some(({ key }) => key === "document/8") ? [SHEET] : [])],
  });
}
