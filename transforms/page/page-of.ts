import type { Guide, Part, Step } from "../../src/model/guide.js";
import type { GuideItem, WikiItem } from "../../src/model/item.js";
import { type Key, kindOf, restOf } from "../../src/model/key.js";
import type { MediaUse } from "../../src/model/media.js";
import { pathOfAddress } from "../omanual/items/bundle-address.js";
import type { PageBlock } from "./block.js";

/** A guide or category as one page, from the title to the documents. What has no content is left out. */
export function pageOf(item: GuideItem | WikiItem): readonly PageBlock[] {
  const uses = new Map(item.media.map((use) => [use.key, use]));
  const show = (key: Key): readonly PageBlock[] => mediaBlock(uses.get(key));
  return item.kind === "guide" ? guidePage(item.body, show) : wikiPage(item, show);
}

type Show = (key: Key) => readonly PageBlock[];

function guidePage(guide: Guide, show: Show): readonly PageBlock[] {
  return [
    heading(1, guide.title),
    ...words(guide.summary),
    ...some(guide.image).flatMap(show),
    ...list(undefined, factsOf(guide)),
    ...text(guide.introduction),
    ...some(guide.introductionVideo).flatMap(show),
    ...list(
      "Before you begin",
      guide.prerequisites.map((key) => `Guide ${restOf(key)}`),
    ),
    ...list("Tools", guide.tools.map(partWords)),
    ...list("Parts", guide.parts.map(partWords)),
    ...guide.steps.flatMap((step, index) => stepBlocks(step, index + 1, show)),
    ...under("Conclusion", text(guide.conclusion)),
    ...under("Documents", guide.documents.flatMap(show)),
  ];
}

function wikiPage({ body }: WikiItem, show: Show): readonly PageBlock[] {
  return [
    heading(1, body.displayTitle ?? body.title),
    ...words(body.description),
    ...some(body.image).flatMap(show),
    ...list(
      undefined,
      body.info.map(({ name, value }) => `${name}: ${value}`),
    ),
    ...text(body.contents),
    ...under("Documents", body.documents.flatMap(show)),
  ];
}

function factsOf({ category, difficulty, timeRequired, author }: Guide): readonly string[] {
  const { min, max } = timeRequired;
  const [least, most] = [Math.round(min / 60), Math.round(max / 60)];
  return [
    ...(category === "" ? [] : [`Category: ${category}`]),
    ...(difficulty === null ? [] : [`Difficulty: ${difficulty}`]),
    ...(most === 0 ? [] : [`Time: ${least === most ? most : `${least} to ${most}`} minutes`]),
    ...(author === null || author.name === "" ? [] : [`Author: ${author.name}`]),
  ];
}

function partWords({ name, quantity, type, notes }: Part): string {
  const count = quantity === null || quantity === 1 ? "" : `${quantity} × `;
  const more = [type, notes].filter((each) => each !== "").join(", ");
  return count + name + (more === "" ? "" : ` (${more})`);
}

function stepBlocks({ title, media, lines }: Step, number: number, show: Show): readonly PageBlock[] {
  return [
    heading(2, title === "" ? `Step ${number}` : `Step ${number}: ${title}`),
    ...(media.type === "images" ? media.images.flatMap(show) : []),
    ...(media.type === "video" ? show(media.video) : []),
    ...(media.type === "embed" ? embedBlock(media.url, media.title) : []),
    ...(lines.length === 0 ? [] : [{ type: "lines", lines } as const]),
  ];
}

/** A link may lead to a page of the web only. */
function embedBlock(url: string, title: string | null): readonly PageBlock[] {
  return /^https?:\/\//i.test(url) ? [{ type: "file", name: title || url, address: url }] : words(title ?? url);
}

/** What lies in a package is named by its path there; so the page belongs to where the document lies. */
function mediaBlock(use: MediaUse | undefined): readonly PageBlock[] {
  if (use === undefined || use.url === null) return [];
  const path = pathOfAddress(use.url);
  const address = path === undefined ? use.url : path.split("/").map(encodeURIComponent).join("/");
  const name = use.fileName ?? restOf(use.key);
  return [{ type: kindOf(use.key) === "image" ? "image" : "file", name, address }];
}

function heading(level: 1 | 2, title: string): PageBlock {
  return { type: "heading", level, words: title };
}

function words(plain: string): readonly PageBlock[] {
  return plain.trim() === "" ? [] : [{ type: "words", words: plain }];
}

function text(wiki: string): readonly PageBlock[] {
  return wiki.trim() === "" ? [] : [{ type: "text", wiki }];
}

function list(title: string | undefined, facts: readonly string[]): readonly PageBlock[] {
  const blocks: readonly PageBlock[] = facts.length === 0 ? [] : [{ type: "facts", facts }];
  return title === undefined ? blocks : under(title, blocks);
}

function under(title: string, blocks: readonly PageBlock[]): readonly PageBlock[] {
  return blocks.length === 0 ? [] : [heading(2, title), ...blocks];
}

function some(key: Key | null): readonly Key[] {
  return key === null ? [] : [key];
}
