import type { Guide, Step } from "../../src/core/model/guide.js";
import type { GuideItem, WikiItem } from "../../src/core/model/item.js";
import { idIn, type Key, kindOf, restOf } from "../../src/core/model/key.js";
import type { MediaUse } from "../../src/core/model/media.js";
import { pathOfAddress } from "../omanual/items/bundle-address.js";
import { idOf } from "../omanual/items/derived-id.js";
import type { Fact, PageBlock } from "./block.js";
import { guideFacts, partFact, wikiFacts } from "./facts.js";
import { HEADINGS, stepName, UNTITLED } from "./labels.js";
import type { FileRole, TextField } from "./marks.js";

/** A guide, category or wiki as one page, from the title to the documents. What has no content is left out. */
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
    ...list(guideFacts(guide)),
    ...text("introduction", guide.introduction),
    ...some(guide.introductionVideo).flatMap(show),
    ...under(
      HEADINGS.prerequisites,
      list(guide.prerequisites.map((key) => ({ words: `Guide ${restOf(key)}`, more: [] }))),
    ),
    ...under(HEADINGS.tools, list(guide.tools.map(partFact))),
    ...under(HEADINGS.parts, list(guide.parts.map(partFact))),
    ...guide.steps.flatMap((step, index) => stepBlocks(step, index + 1, show)),
    ...under(HEADINGS.conclusion, text("conclusion", guide.conclusion)),
    ...under(HEADINGS.documents, guide.documents.flatMap(show)),
  ];
}

function wikiPage({ body }: WikiItem, show: Show): readonly PageBlock[] {
  return [
    heading(1, body.displayTitle ?? body.title),
    ...words(body.description),
    ...some(body.image).flatMap(show),
    ...list(wikiFacts(body)),
    ...text("contents", body.contents),
    ...under(HEADINGS.documents, body.documents.flatMap(show)),
  ];
}

function stepBlocks({ title, media, lines }: Step, number: number, show: Show): readonly PageBlock[] {
  const name = stepName(number);
  return [
    heading(2, title === "" ? name : `${name}: ${title}`),
    ...(media.type === "images" ? media.images : []).flatMap((key) => shownOrNamed(key, show)),
    ...(media.type === "video" ? shownOrNamed(media.video, show) : []),
    ...(media.type === "embed" ? embedBlock(media.url, media.title) : []),
    ...(lines.length === 0 ? [] : [{ type: "lines", lines } as const]),
  ];
}

/** A medium of a step; only by its id where its address is not known. */
function shownOrNamed(key: Key, show: Show): readonly PageBlock[] {
  const shown = show(key);
  const id = idOf(String(idIn(key)));
  return shown.length > 0 || id === null ? shown : [{ type: "medium", wiki: `[${kindOf(key)}|${id}]` }];
}

/** A link may lead to a page of the web only. */
function embedBlock(url: string, title: string | null): readonly PageBlock[] {
  if (!/^https?:\/\//i.test(url)) return words(title ?? url);
  return [{ type: "file", role: "embed", name: title || url, address: url, id: null }];
}

/** What lies in a package is named by its path there; so the page belongs to where the document lies. */
function mediaBlock(use: MediaUse | undefined): readonly PageBlock[] {
  if (use === undefined || use.url === null) return [];
  const path = pathOfAddress(use.url);
  const address = path === undefined ? use.url : path.split("/").map(encodeURIComponent).join("/");
  const kind = kindOf(use.key);
  if (kind === "image") return [{ type: "image", name: use.fileName ?? "", address }];
  const role: FileRole = kind === "video" ? "video" : "document";
  const id = role === "document" ? idOf(String(idIn(use.key))) : null;
  return [{ type: "file", role, name: use.fileName ?? address, address, id }];
}

function heading(level: 1 | 2, title: string): PageBlock {
  return { type: "heading", level, words: title.trim() === "" ? UNTITLED : title };
}

function words(plain: string): readonly PageBlock[] {
  return plain.trim() === "" ? [] : [{ type: "words", words: plain }];
}

function text(field: TextField, wiki: string): readonly PageBlock[] {
  return wiki.trim() === "" ? [] : [{ type: "text", field, wiki }];
}

function list(facts: readonly Fact[]): readonly PageBlock[] {
  return facts.length === 0 ? [] : [{ type: "facts", facts }];
}

function under(title: string, blocks: readonly PageBlock[]): readonly PageBlock[] {
  return blocks.length === 0 ? [] : [heading(2, title), ...blocks];
}

function some(key: Key | null): readonly Key[] {
  return key === null ? [] : [key];
}
