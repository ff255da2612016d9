import { Readable } from "node:stream";
import type { Opened } from "../../src/core/contracts.js";
import type { SiteIdentity } from "../../src/core/model/identity.js";
import type { GuideItem } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import { openWorkspace, type Workspace } from "../../src/storage/workspace/workspace.js";
import { guideItem, mediaItem, step, wikiItem } from "./items.js";
import { pngOf } from "./png.js";

/** Guides of one category. */
const IN_A_CATEGORY = 100;
/** One guide of so many shows a picture of its own. */
const PICTURE_EVERY = 20;

/**
 * A workspace of so many public guides, each of three steps, that refer to the one before and the
 * one behind them.
 */
export async function fillWorkspace(directory: string, guides: number): Promise<void> {
  const workspace = await openWorkspace(directory, { create: true, command: "test fill" });
  try {
    await workspace.claim(SOURCE);
    for (let id = 1; id <= Math.ceil(guides / IN_A_CATEGORY); id += 1)
      await workspace.items.put(wikiItem("CATEGORY", categoryOf(id * IN_A_CATEGORY)));
    for (let id = 1; id <= guides; id += 1) {
      if (id % PICTURE_EVERY === 0) await putPicture(workspace, id);
      await workspace.items.put(guideOf(id, guides));
    }
  } finally {
    await workspace.close();
  }
}

const SOURCE: SiteIdentity = {
  root: "https://old.example/api/2.0",
  origin: "https://old.example",
  siteId: "7",
  name: "Weavers",
  dialect: "dozuki",
  hosts: ["old.example"],
  language: "en",
  languages: ["en"],
  account: { id: 3, name: "ferry", admin: true },
};

function categoryOf(id: number): string {
  return `Looms ${Math.ceil(id / IN_A_CATEGORY)}`;
}

function guideOf(id: number, guides: number): GuideItem {
  const picture: Key | undefined = id % PICTURE_EVERY === 0 ? `image/${id}` : undefined;
  const words = "Some words about the warp and the weft. ".repeat(6);
  const media = picture === undefined ? ({ type: "none" } as const) : { type: "images" as const, images: [picture] };
  const item = guideItem(id, {
    title: `Guide ${id} of the loom`,
    category: categoryOf(id),
    difficulty: "Easy",
    subject: `loom ${id}`,
    introduction: `${words.repeat(4)} Before it comes [guide|${Math.max(1, id - 1)}|this one].`,
    prerequisites: id % 50 === 0 ? [`guide/${id - 1}`] : [],
    tags: id % 10 === 0 ? ["wool"] : [],
    public: true,
    steps: [
      step(3 * id, [words, "Turn it."], { media }),
      step(3 * id + 1, [words, "Turn it back."]),
      step(3 * id + 2, [`Go on with [guide|${Math.min(guides, id + 1)}|the next one].`]),
    ],
  });
  const use = { guid: null, fileName: null, path: "steps[0].media.images[0]" };
  return picture === undefined ? item : { ...item, media: [{ key: picture, url: "https://old.example/p", ...use }] };
}

async function putPicture(workspace: Workspace, id: number): Promise<void> {
  const bytes = Buffer.concat([PICTURE, Buffer.from(String(id))]);
  const open = (from: number): Promise<Opened> =>
    Promise.resolve({ content: Readable.from([bytes.subarray(from)]), from, size: bytes.length, type: "image/png" });
  const content = await workspace.media.receive(open, new AbortController().signal);
  await workspace.items.put(mediaItem("image", id, { content, fileName: `shed ${id}.png` }));
}

/** What follows the end of a picture makes it another file and the same picture. */
const PICTURE = pngOf(800, 600);
