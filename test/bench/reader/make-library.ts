import type { Guide, Item } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { guideItem, mediaItem, step, wikiItem } from "../../helpers/items.js";
import { pngOf } from "../../helpers/png.js";
import { makeRepository, sha256Of } from "../../helpers/repository.js";
import { Noise } from "../backup/noise.js";

/** How large the library is. */
export interface LibrarySize {
  readonly guides: number;
  /** Pictures of each guide. */
  readonly pictures: number;
}

const IN_A_CATEGORY = 100;
const STEPS = 6;
const PICTURE = pngOf(160, 120);
/** Contents of a part, as a backup makes them. */
const IN_A_PART = 8000;

/**
 * Writes a repository of two nights: guides of some steps with pictures, in categories of
 * categories, and some that changed in the second night.
 */
export async function makeLibrary(folder: string, { guides, pictures }: LibrarySize): Promise<void> {
  const media: Buffer[] = [];
  const items: Item[] = categoriesOf(guides);
  for (let id = 1; id <= guides; id += 1) {
    const images = Array.from({ length: pictures }, (_, at) => (id - 1) * pictures + at + 1);
    for (const image of images) {
      const bytes = Buffer.concat([PICTURE, new Noise(image).bytes(1500)]);
      const content = { sha256: sha256Of(bytes), size: bytes.length, type: "image/png" };
      media.push(bytes);
      items.push(mediaItem("image", image, { content, fileName: `picture ${image}.png`, width: 160, height: 120 }));
    }
    items.push(guideOf(id, images, guides));
  }
  const repository = await makeRepository(folder);
  const parts = Math.floor((items.length + media.length) / IN_A_PART);
  await repository.add({ snapshot: "20261119T030000Z", items, media, parts });
  const changed = items.map((item, at) => (item.kind === "guide" && at % 50 === 0 ? retitled(item) : item));
  // A full one again: the helper looks for what is known row by row.
  await repository.add({ snapshot: "20261120T030000Z", kind: "full", items: changed, media, parts });
}

function categoriesOf(guides: number): Item[] {
  const count = Math.ceil(guides / IN_A_CATEGORY);
  return Array.from({ length: count }, (_, at) => {
    const parent = at === 0 ? null : categoryOf(Math.floor((at - 1) / 8));
    return wikiItem("CATEGORY", categoryOf(at), { parent, contents: new Noise(at).words(200) });
  });
}

function categoryOf(number: number): string {
  return `Looms ${number + 1}`;
}

function retitled<T extends Item & { readonly kind: "guide" }>(item: T): T {
  return { ...item, body: { ...item.body, title: `${item.body.title} anew` } };
}

function guideOf(id: number, images: readonly number[], guides: number): Item {
  const noise = new Noise(1_000_000 + id);
  const body: Partial<Guide> = {
    title: `Guide ${id}: ${noise.words(4)}`,
    category: categoryOf(Math.floor((id - 1) / IN_A_CATEGORY)),
    summary: noise.words(12),
    introduction: `${noise.words(80)}\n\nGo on with [guide|${id > 1 ? id - 1 : guides}|this one].`,
    conclusion: noise.words(30),
    difficulty: "Easy",
    image: keyOf(images[0] ?? 1),
    tags: [`tag ${id % 40}`],
    public: true,
    steps: Array.from({ length: STEPS }, (_, at) =>
      step(id * 100 + at, [noise.words(25), noise.words(20), noise.words(30)], {
        title: noise.words(3),
        media: { type: "images", images: images.filter((_image, index) => index % STEPS === at).map(keyOf) },
      }),
    ),
  };
  const item = guideItem(id, body);
  // A site's own answer is about as long again.
  return { ...item, raw: JSON.stringify(item.body) };
}

function keyOf(image: number): Key {
  return `image/${image}`;
}
