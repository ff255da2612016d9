import type { Item } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { guideItem, line, mediaItem, step, wikiItem } from "../../helpers/items.js";
import { makeRepository, sha256Of } from "../../helpers/repository.js";
import { paintedPng } from "./painted-png.js";

/** Two snapshots of a site of our own that has something of each kind. */
export const [BEFORE, AFTER] = ["20261101T030000Z", "20261108T030000Z"] as const;

const PICTURES = [
  paintedPng(800, 600, [
    [196, 148, 96],
    [120, 72, 40],
  ]),
  paintedPng(800, 600, [
    [88, 128, 168],
    [40, 60, 110],
  ]),
  paintedPng(800, 600, [
    [150, 170, 110],
    [70, 100, 60],
  ]),
  paintedPng(600, 800, [
    [190, 110, 110],
    [110, 50, 70],
  ]),
] as const;
const PDF = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
const FILM = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypmp42\0\0\0\0mp42isom"), Buffer.alloc(200)]);
const SHEET = Buffer.from("name;count\nshuttle;2\n");

const ADA = { id: 4, name: "Ada Weaver", uniqueName: "ada" };

/** Writes the backups of the school below a folder; returns the repository's path. */
export async function weavingSchool(folder: string): Promise<string> {
  const maker = await makeRepository(folder);
  const media = [...PICTURES, PDF, FILM, SHEET];
  await maker.add({ snapshot: BEFORE, items: itemsOf("before"), media });
  await maker.add({ snapshot: AFTER, items: itemsOf("after"), media });
  return folder;
}

type When = "before" | "after";

function itemsOf(when: When): readonly Item[] {
  return [...categories(), ...pages(when), ...guides(when), ...files()];
}

function categories(): readonly Item[] {
  const category = (title: string, parent: string | null, more: object): Item =>
    wikiItem("CATEGORY", title, { parent, contents: `Everything about ${title.toLowerCase()}.`, ...more });
  return [
    category("Looms", null, { image: "image/1", position: 0, description: "Machines that hold the warp." }),
    category("Hand looms", "Looms", { position: 0, description: "Small enough for a table." }),
    category("Floor looms", "Looms", { position: 1, image: "image/2" }),
    category("Yarn", null, { position: 1, image: "image/3", description: "Wool, linen and cotton." }),
  ];
}

const CARE = `== Oil ==

Use [[Item:Shuttle|a shuttle]] that is ''dry''. See [guide|1|how to warp|stepid=12] and [https://example.org/oil|what oil is].

[image|3|align=right|size=medium]

=== How often ===

* once a month
** more in summer
* before each [guide|99|big work]

[quote|Ada]
A loom lasts longer than who wove on it.

[/quote]

[code]
tension = 4.5 N
[/code]

[guidelist|tags=beginners|type=how-to]`;

const TABLE =
  '<h2 id="Section_Weights">Weights</h2><table><thead><tr><th>Yarn</th><th>Metres in 100 g</th></tr></thead>' +
  "<tbody><tr><td>Lace</td><td>800</td></tr><tr><td>Worsted</td><td>200</td></tr></tbody></table>";

function usesOf(keys: readonly Key[]): Item["media"] {
  return keys.map((key) => ({ key, url: null, guid: null, fileName: null, path: "" }));
}

function pages(when: When): readonly Item[] {
  const contents = when === "before" ? CARE.replace("once a month", "once a year") : CARE;
  const info = [{ name: "Introduced", value: "1893" }];
  return [
    {
      ...wikiItem("WIKI", "Care of looms", { contents, tags: ["care"], author: ADA, modifiedDate: 1_790_000_000 }),
      media: usesOf(["image/3"]),
    },
    wikiItem("WIKI", "Yarn weights", { contents: "", html: TABLE }),
    wikiItem("ITEM", "Shuttle", { contents: "Carries the weft.", info, image: "image/4", documents: ["document/6"] }),
    wikiItem("INFO", "Opening hours", { contents: "Mondays. ".repeat(40) }),
  ];
}

/** One line of each bullet that sites have (api-facts 3.4). */
const BULLETS = ["black", "red", "orange", "yellow", "green", "blue", "light_blue", "violet"] as const;
const ICONS = ["icon_note", "icon_caution", "icon_reminder"] as const;

function guides(when: When): readonly Item[] {
  const common = { author: ADA, public: true, createdDate: 1_780_000_000, modifiedDate: 1_790_000_000 };
  const warp = guideItem(1, {
    ...common,
    title: "How to warp a hand loom",
    category: "Hand looms",
    subject: "Warping",
    summary: "From a ball of yarn to a warp of even tension.",
    introduction: CARE.slice(0, CARE.indexOf("[guidelist")),
    conclusion: `== Well done ==\n\nNow [guide|2|weave ${when === "before" ? "rough" : "plain"} cloth].`,
    difficulty: "Moderate",
    timeRequired: { min: 1800, max: 3600 },
    image: "image/1",
    documents: ["document/6"],
    parts: [part("Cotton yarn", when === "before" ? 1 : 2, "Two colours."), part("Paper strips", null, "")],
    tools: [part("Warping peg", 1, ""), part("Hook", 1, "A long one.")],
    prerequisites: ["guide/3", "guide/98"],
    tags: ["beginners", when === "before" ? "warps" : "warping"],
    steps: warpSteps(when),
    comments: [{ id: 1, author: ADA, date: 1_790_000_500, text: "Works ''well''.", status: "", replies: 0 }],
    url: "https://site.example/Guide/Warp/1",
  });
  const german = {
    ...guideItem(1, { ...common, ...warpInGerman() }),
    key: "guide/1@de" as const,
    translations: ["guide/1" as const],
  };
  const others = [
    guideItem(2, { ...common, title: "Weave plain cloth", category: "Hand looms", steps: [step(21), step(22)] }),
    guideItem(3, { ...common, title: "Wind a ball", category: "Yarn", tags: ["beginners"], steps: [step(31)] }),
    guideItem(4, { ...common, title: "Tie up a floor loom", category: "Floor looms", public: false, steps: [] }),
    guideItem(5, { ...common, title: "A guide that fell out of its category", category: "Gone", steps: [step(51)] }),
  ];
  const gone = guideItem(6, { ...common, title: "Mend a heddle", category: "Hand looms", steps: [step(61)] });
  const pictures = usesOf(["image/1", "image/2", "image/3", "image/4", "video/5", "document/6"]);
  return [
    { ...warp, media: pictures, translations: ["guide/1@de"] },
    german,
    ...others,
    ...(when === "before" ? [gone] : [guideItem(7, { ...common, title: "Finish the edges", category: "Hand looms" })]),
  ];
}

function warpSteps(when: When) {
  const images = (...keys: readonly Key[]) => ({ media: { type: "images" as const, images: keys } });
  const isBefore = when === "before";
  const measured = when === "before" ? "Measure two metres of yarn" : "Measure '''three metres''' of cotton yarn";
  const steps = [
    step(11, [measured, "Cut it."], {
      title: "Measure",
      ...(isBefore ? images("image/1", "image/4") : images("image/1", "image/2", "image/3")),
    }),
    step(
      12,
      [
        ...BULLETS.map((bullet, at) =>
          line({
            text: `Thread ${at + 1} goes through its heddle`,
            bullet: isBefore && at === 1 ? "icon_note" : bullet,
            level: at % 3,
          }),
        ),
        ...ICONS.map((bullet) => line({ text: "Mind the [guide|3|tension] of the whole warp.", bullet })),
      ],
      images("image/4"),
    ),
    step(13, ["Watch how it is beamed."], { title: "Beam", media: { type: "video", video: "video/5" } }),
    step(14, ["Tie on in pairs: 90^^o^^, H,,2,,O, ``2 x 2``."], { title: "Tie on" }),
    step(15, ["See it at the maker's."], {
      media: { type: "embed", url: "https://player.example/film/1", title: "A film of the maker" },
    }),
  ];
  const [first, second, third, ...others] = steps;
  if (!isBefore || first === undefined || second === undefined || third === undefined) return steps;
  return [second, first, third, ...others];
}

function warpInGerman() {
  const steps = [step(11, ["Drei Meter Garn messen"]), step(12, ["Fäden einziehen"])];
  return { title: "Einen Webrahmen beziehen", category: "Hand looms", language: "de", steps };
}

function part(name: string, quantity: number | null, notes: string) {
  return { name, type: "", quantity, notes, url: null, optional: null, featured: null };
}

function files(): readonly Item[] {
  const content = (bytes: Buffer, type: string) => ({
    content: { sha256: sha256Of(bytes), size: bytes.length, type },
  });
  const pictures = PICTURES.map((bytes, at) => {
    const [width, height] = at === 3 ? [600, 800] : [800, 600];
    const fileName = `loom-${at + 1}.png`;
    return mediaItem("image", at + 1, { ...content(bytes, "image/png"), fileName, width, height });
  });
  return [
    ...pictures,
    mediaItem("video", 5, { ...content(FILM, "video/mp4"), fileName: "beaming.mp4" }),
    mediaItem("document", 6, { ...content(PDF, "application/pdf"), fileName: "plan.pdf" }),
    mediaItem("document", 7, { ...content(SHEET, "text/csv"), fileName: "parts list.csv" }),
  ];
}
