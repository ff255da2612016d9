import type { Guide, GuideItem, Line, MediaUse, Part, Step, Wiki, WikiItem } from "../../../src/core/model/item.js";
import { idIn, type Key, kindOf, restOf } from "../../../src/core/model/key.js";
import { idOf, pathOfAddress } from "../../omanual/addresses.js";
import { dateTimeOf } from "../../omanual/values.js";
import {
  type FileRole,
  fact,
  GUIDE_LABELS,
  HEADINGS,
  PART_LABELS,
  stepName,
  type TextField,
  WIKI_LABELS,
  YES,
} from "./labels.js";

/** An item as one page, without empty sections. */
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

/** A medium without a known address is named by its id. */
function shownOrNamed(key: Key, show: Show): readonly PageBlock[] {
  const shown = show(key);
  const id = idOf(String(idIn(key)));
  return shown.length > 0 || id === null ? shown : [{ type: "medium", wiki: `[${kindOf(key)}|${id}]` }];
}

/** A link must lead to a web page. */
function embedBlock(url: string, title: string | null): readonly PageBlock[] {
  if (!/^https?:\/\//i.test(url)) return words(title ?? url);
  return [{ type: "file", role: "embed", name: title || url, address: url, id: null }];
}

/** A packaged file is named by its path, so the page belongs into its document's folder. */
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

export interface Fact {
  readonly words: string;
  readonly more: readonly string[];
}

/** In the order of the page. */
export type PageBlock =
  /** 1: the page's title. */
  | { readonly type: "heading"; readonly level: 1 | 2; readonly words: string }
  | { readonly type: "words"; readonly words: string }
  | { readonly type: "text"; readonly field: TextField; readonly wiki: string }
  | { readonly type: "lines"; readonly lines: readonly Line[] }
  | { readonly type: "facts"; readonly facts: readonly Fact[] }
  /** Wiki syntax for a medium whose address is unknown. */
  | { readonly type: "medium"; readonly wiki: string }
  | { readonly type: "image"; readonly name: string; readonly address: string }
  /** `id`: of a document on the site. */
  | {
      readonly type: "file";
      readonly role: FileRole;
      readonly name: string;
      readonly address: string;
      readonly id: number | null;
    };

/** The language is always present, so that facts end the summary of each page. */
function guideFacts(guide: Guide): readonly Fact[] {
  const { category, type, subject, difficulty, createdDate, modifiedDate, flags, tags, language } = guide;
  return [
    ...named(GUIDE_LABELS.category, category),
    ...named(GUIDE_LABELS.type, type),
    ...named(GUIDE_LABELS.subject, subject),
    ...named(GUIDE_LABELS.difficulty, difficulty ?? ""),
    ...named(GUIDE_LABELS.time, timeWords(guide.timeRequired)),
    ...named(GUIDE_LABELS.author, authorWords(guide.author)),
    ...named(GUIDE_LABELS.created, dateWords(createdDate)),
    ...named(GUIDE_LABELS.modified, dateWords(modifiedDate)),
    ...flags.flatMap((flag) => named(GUIDE_LABELS.flag, flag)),
    ...tags.flatMap((tag) => named(GUIDE_LABELS.tag, tag)),
    ...(guide.public ? named(GUIDE_LABELS.public, YES) : []),
    { words: fact(GUIDE_LABELS.language, language), more: [] },
  ];
}

/** The page's own facts come last. */
function wikiFacts({ namespace, title, displayTitle, parent, flags, tags, language, info }: Wiki): readonly Fact[] {
  return [
    { words: fact(WIKI_LABELS.namespace, namespace), more: [] },
    ...(displayTitle === null ? [] : named(WIKI_LABELS.title, title)),
    ...named(WIKI_LABELS.parent, parent ?? ""),
    ...flags.flatMap((flag) => named(WIKI_LABELS.flag, flag)),
    ...tags.flatMap((tag) => named(WIKI_LABELS.tag, tag)),
    { words: fact(WIKI_LABELS.language, language), more: [] },
    ...info.map(({ name, value }) => ({ words: fact(name, value), more: [] })),
  ];
}

/** A quantity of 1 is left out, unless the name begins like a counted one. */
function partFact({ name, quantity, type, notes, url, optional, featured }: Part): Fact {
  const counted = quantity !== null && (quantity !== 1 || COUNTED.test(name));
  const more = [
    ...named(PART_LABELS.type, type),
    ...named(PART_LABELS.notes, notes),
    ...named(PART_LABELS.url, url ?? ""),
    ...named(PART_LABELS.optional, flagWords(optional)),
    ...named(PART_LABELS.featured, flagWords(featured)),
  ];
  return { words: counted ? `${quantity} × ${name}` : name, more: more.map(({ words }) => words) };
}

export const COUNTED = /^(\d{1,9}) × /;

function named(label: string, value: string): readonly Fact[] {
  return value.trim() === "" ? [] : [{ words: fact(label, value), more: [] }];
}

function flagWords(flag: boolean | null): string {
  if (flag === null) return "";
  return flag ? YES : NO;
}

/** In minutes where both ends are whole minutes. */
function timeWords({ min, max }: Guide["timeRequired"]): string {
  if (min === 0 && max === 0) return "";
  const [size, unit] = min % 60 === 0 && max % 60 === 0 ? [60, "minutes"] : [1, "seconds"];
  return min === max ? `${max / size} ${unit}` : `${min / size} to ${max / size} ${unit}`;
}

function authorWords(author: Guide["author"]): string {
  if (author === null) return "";
  return idOf(String(author.id)) === null ? author.name : `${author.name} (user ${author.id})`;
}

function dateWords(seconds: number | null): string {
  return seconds === null ? "" : (dateTimeOf(Math.floor(seconds)) ?? "");
}

/** A page needs a title. */
const UNTITLED = "Untitled";
const NO = "no";
