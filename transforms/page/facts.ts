import type { Guide, Part } from "../../src/core/model/guide.js";
import type { Wiki } from "../../src/core/model/wiki.js";
import { idOf } from "../omanual/items/derived-id.js";
import { dateTimeOf } from "../omanual/write/values.js";
import type { Fact } from "./block.js";
import { fact, GUIDE_LABELS, NO, PART_LABELS, WIKI_LABELS, YES } from "./labels.js";

/** What a page says of a guide in short. The language is always among it, so that a page has facts, which end its summary. */
export function guideFacts(guide: Guide): readonly Fact[] {
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

/** What a page says of a category or wiki in short; what a site's page calls its facts comes last. */
export function wikiFacts({
  namespace,
  title,
  displayTitle,
  parent,
  flags,
  tags,
  language,
  info,
}: Wiki): readonly Fact[] {
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

/** A part or tool; one is not counted, unless its name begins as counted ones do. */
export function partFact({ name, quantity, type, notes, url, optional, featured }: Part): Fact {
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

/** How the words of counted parts begin. */
export const COUNTED = /^(\d{1,9}) × /;

function named(label: string, value: string): readonly Fact[] {
  return value.trim() === "" ? [] : [{ words: fact(label, value), more: [] }];
}

function flagWords(flag: boolean | null): string {
  if (flag === null) return "";
  return flag ? YES : NO;
}

/** In minutes where both ends are whole ones. */
function timeWords({ min, max }: Guide["timeRequired"]): string {
  if (min === 0 && max === 0) return "";
  const [size, unit] = min % 60 === 0 && max % 60 === 0 ? [60, "minutes"] : [1, "seconds"];
  return min === max ? `${max / size} ${unit}` : `${min / size} to ${max / size} ${unit}`;
}

/** With the id that a site gave. */
function authorWords(author: Guide["author"]): string {
  if (author === null) return "";
  return idOf(String(author.id)) === null ? author.name : `${author.name} (user ${author.id})`;
}

function dateWords(seconds: number | null): string {
  return seconds === null ? "" : (dateTimeOf(Math.floor(seconds)) ?? "");
}
