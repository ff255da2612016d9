import type { Item } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import { HOSTILE_HTML, HOSTILE_TEXT } from "./hostile-markup.js";
import { guideItem, line, mediaItem, step, wikiItem } from "./items.js";
import { sha256Of } from "./repository.js";

const SCRIPT = '"><img src=x onerror=harm()><script>harm()</script>';
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" onload="harm()"><script>harm();parent.harm()</script></svg>',
);
const PAGE = Buffer.from("<!doctype html><script>harm();opener?.harm()</script><h1>Not a picture</h1>");

/** What claims to be a picture, a film and a document, and is none. */
export const HOSTILE_MEDIA: readonly Buffer[] = [SVG, PAGE];

const WORDS = HOSTILE_TEXT.join("\n\n");
const MEDIA: readonly Key[] = ["image/1", "image/2", "video/3", "document/4"];
const PERSON = { id: 4, name: SCRIPT, uniqueName: SCRIPT };
const REMARK = { id: 1, author: PERSON, date: 1e18, text: SCRIPT, status: SCRIPT, replies: 3 };
const PART = { name: SCRIPT, type: SCRIPT, quantity: -1e300, notes: SCRIPT, optional: true, featured: true };

/** Titles that mean something to a page, a file system or a terminal. */
export const HOSTILE_TITLES: readonly string[] = [
  SCRIPT,
  "../../../../etc/passwd",
  "..\\..\\x",
  "CON",
  "\u202Egnp.html",
  "\u0000\u001B[2J",
  " ",
  "x".repeat(5000),
  "index.html",
  "%2e%2e%2f",
  "__proto__",
  "constructor",
];

/**
 * A site whose every field was written to do harm in a reader: guide 1 has all tricks,
 * category/Round and category/Back are each other's parent.
 */
export function hostileItems(): readonly Item[] {
  return [
    guide(),
    ...HOSTILE_TITLES.map((title, at) =>
      guideItem(100 + at, { title, category: title, tags: [title], summary: title }),
    ),
    ...HOSTILE_TITLES.filter((title) => title.trim() !== "").flatMap((title) => [
      wikiItem("CATEGORY", title, { parent: "Round", displayTitle: title, description: SCRIPT, contents: WORDS }),
      wikiItem("INFO", title, { displayTitle: title, contents: "", html: HOSTILE_HTML.join("\n") }),
    ]),
    wikiItem("CATEGORY", "Round", { parent: "Back" }),
    wikiItem("CATEGORY", "Back", { parent: "Round" }),
    wikiItem("CATEGORY", "Itself", { parent: "Itself" }),
    page(),
    wikiItem("WIKI", "Long", { contents: `${SCRIPT} `.repeat(12_000) }),
    ...media(),
  ];
}

function guide(): Item {
  const images = { type: "images" as const, images: ["image/1", "image/2", "image/404"] as readonly Key[] };
  const steps = [
    step(
      1,
      HOSTILE_TEXT.map((text) => line({ text, bullet: SCRIPT, level: 1e9 })),
      { title: SCRIPT, media: images },
    ),
    step(2, [SCRIPT], { media: { type: "embed", url: "javascript:harm()", title: SCRIPT }, comments: [REMARK] }),
    step(3, [SCRIPT], { media: { type: "embed", url: `https://e.org/${SCRIPT}`, title: null } }),
    step(4, [SCRIPT], { media: { type: "video", video: "video/3" } }),
  ];
  const item = guideItem(1, {
    ...{ title: SCRIPT, category: "Round", subject: SCRIPT, type: SCRIPT, summary: SCRIPT, language: SCRIPT },
    ...{ introduction: WORDS, conclusion: SCRIPT, difficulty: SCRIPT, flags: [SCRIPT], tags: [SCRIPT, ""] },
    ...{
      image: "image/1",
      introductionVideo: "video/3",
      documents: ["document/4"],
      prerequisites: ["guide/1", "guide/100"],
    },
    parts: [{ ...PART, url: "javascript:harm()" }],
    tools: [{ ...PART, url: "data:text/html,<script>harm()</script>" }],
    timeRequired: { min: -1, max: Number.MAX_VALUE },
    ...{ steps, comments: [REMARK], author: PERSON, modifiedDate: -1e15, url: "javascript:harm()", public: true },
  });
  return { ...item, media: MEDIA.map((key) => ({ key, url: SCRIPT, guid: SCRIPT, fileName: SCRIPT, path: SCRIPT })) };
}

function page(): Item {
  return wikiItem("ITEM", "Tricks", {
    contents: WORDS,
    ...{
      tags: [SCRIPT],
      flags: [SCRIPT],
      author: PERSON,
      image: "image/2",
      documents: ["document/4"],
      pageTitle: SCRIPT,
    },
    info: [{ name: SCRIPT, value: "javascript:harm()" }],
    suppliers: [
      { "part_#": SCRIPT, type: SCRIPT, supplier: SCRIPT, url: "javascript:harm()", [SCRIPT]: { deep: [SCRIPT] } },
    ],
    url: "javascript:harm()",
  });
}

function media(): readonly Item[] {
  const content = (bytes: Buffer, type: string) => ({
    ...{ fileName: `${SCRIPT}.html`, url: "javascript:harm()", width: -5, height: 1e9 },
    content: { sha256: sha256Of(bytes), size: bytes.length, type },
  });
  return [
    mediaItem("image", 1, content(SVG, "image/png")),
    mediaItem("image", 2, content(PAGE, "image/svg+xml")),
    mediaItem("video", 3, content(PAGE, "video/mp4")),
    mediaItem("document", 4, content(PAGE, "text/html")),
  ];
}
