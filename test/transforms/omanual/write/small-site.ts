import type { Item, MediaItem, MediaUse } from "../../../../src/core/model/item.js";
import { guideItem, mediaItem, recordItem, step, wikiItem } from "../../../helpers/items.js";

/** A site of a few items of every kind, with media that lie in a workspace. */
export function smallSite(): readonly Item[] {
  return [
    {
      ...wikiItem("CATEGORY", "Looms", { contents: "All ''looms''.", html: "<p>All <em>looms</em>.</p>", position: 0 }),
    },
    { ...wikiItem("CATEGORY", "Hand Looms", { parent: "Looms", image: "image/1", position: 1 }), media: [use(IMAGE)] },
    { ...wikiItem("CATEGORY", "Floor & Wall Looms", { parent: "Looms", position: 0 }) },
    {
      ...guideItem(12, {
        title: "Oil & Clean the Loom",
        category: "Hand Looms",
        introduction: "See [guide|7|the other] and [image|2].\n\n# one\n# two",
        prerequisites: ["guide/7"],
        image: "image/1",
        documents: ["document/9"],
        steps: [
          step(40, ["Take the ''oil''.", { text: "A little.", bullet: "light_blue", level: 1 }], {
            media: { type: "images", images: ["image/2", "image/1"] },
          }),
          step(41, ["Look at [[Category:Looms|them]]."], { media: { type: "video", video: "video/3" } }),
        ],
        tags: ["oil"],
        public: true,
        author: { id: 5, name: "Ann", uniqueName: "ann" },
        createdDate: 1_700_000_000,
        modifiedDate: 1_700_000_001,
      }),
      raw: { guideid: 12, more: ["x"] },
      media: [use(IMAGE), use(PICTURE), use(FILM), use(PAPER)],
    },
    {
      ...guideItem(7, { title: "Oil & Clean the Loom", category: "Looms", steps: [step(50)] }),
      translations: ["guide/7@de"],
    },
    { ...guideItem(7, { title: "Öle den Webstuhl", category: "Looms", language: "de" }), key: "guide/7@de" },
    wikiItem("ITEM", "Shuttle", { contents: "It flies." }),
    recordItem("tags"),
    IMAGE,
    PICTURE,
    FILM,
    PAPER,
    LOOSE,
  ];
}

function medium(kind: MediaItem["kind"], id: number, fileName: string | null, type: string): MediaItem {
  const content = { sha256: id.toString(16).padStart(64, "0"), size: 10, type };
  return mediaItem(kind, id, { fileName, content, url: `https://old.example/media/${id}.full` });
}

const IMAGE = medium("image", 1, null, "image/jpeg");
const PICTURE: MediaItem = { ...medium("image", 2, "The loom.PNG", "image/png"), raw: { exif: "x" } };
const FILM = medium("video", 3, null, "video/mp4");
const PAPER = medium("document", 9, "Manual.pdf", "application/pdf");
const LOOSE = medium("image", 77, null, "image/png");

function use({ key, body: { url, guid, fileName } }: MediaItem): MediaUse {
  return { key, url, guid, fileName, path: "image" };
}
