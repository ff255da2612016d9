import type { Transform } from "../../src/core/formats.js";
import type { Person, Team } from "../../src/core/model/identity.js";
import type { Guide, Item, Part, Step, Wiki } from "../../src/core/model/item.js";
import { type Key, kindOf, restOf, wikiOf } from "../../src/core/model/key.js";
import type { TextContext } from "../wiki/tree.js";

/** `path`: the text's place in the item. Returns the same text where nothing changes. */
type ChangeText = (text: string, context: TextContext, path: string) => string;

/**
 * All wiki texts: introduction, conclusion, lines, notes of parts and tools, contents and
 * translations. Titles, summaries and descriptions are plain text (wiki-syntax 1). Returns the same
 * item when nothing changes.
 */
export function mapTexts(item: Item, change: ChangeText): Item {
  if (item.kind === "guide") return withFields(item, { body: textsInGuide(item.body, change) });
  if (item.kind === "category" || item.kind === "wiki") return withFields(item, { body: inWiki(item.body, change) });
  return item;
}

function textsInGuide(guide: Guide, change: ChangeText): Guide {
  const parts = (list: "parts" | "tools"): readonly Part[] =>
    mapSame(guide[list], (part, index) =>
      withFields(part, { notes: change(part.notes, "line", `${list}[${index}].notes`) }),
    );
  return withFields(guide, {
    introduction: change(guide.introduction, "page", "introduction"),
    conclusion: change(guide.conclusion, "page", "conclusion"),
    steps: mapSame(guide.steps, (step, index) => inStep(step, `steps[${index}]`, change)),
    parts: parts("parts"),
    tools: parts("tools"),
  });
}

function inStep(step: Step, path: string, change: ChangeText): Step {
  const lines = mapSame(step.lines, (line, index) =>
    withFields(line, { text: change(line.text, "line", `${path}.lines[${index}].text`) }),
  );
  return withFields(step, { lines });
}

function inWiki(wiki: Wiki, change: ChangeText): Wiki {
  const contents = change(wiki.contents, "page", "contents");
  if (wiki.translations === undefined) return withFields(wiki, { contents });
  const translations = mapSame(wiki.translations, (one) =>
    withFields(one, { contents: change(one.contents, "page", `translations.${one.language}.contents`) }),
  );
  return withFields(wiki, { contents, translations });
}

/** Returns the same value when nothing changes. */
export function mapStrings<T>(value: T, path: string, change: (text: string, path: string) => string): T {
  return mapAny(value, path, change) as T;
}

function mapAny(value: unknown, path: string, change: (text: string, path: string) => string): unknown {
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value)) {
    return mapSame<unknown>(value, (entry, index) => mapAny(entry, `${path}[${index}]`, change));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([name, entry]) => [name, mapAny(entry, `${path}.${name}`, change)] as const,
  );
  return withFields<object>(value, Object.fromEntries(entries));
}

/** People of the source on the target; others stay. */
export interface PeopleMap {
  /** By the id at the source. */
  readonly users: ReadonlyMap<number, Person>;
  readonly teams: ReadonlyMap<number, Team>;
  /** Titles on the target by the key of a USER or TEAM page. */
  readonly pages: ReadonlyMap<Key, string>;
}

/**
 * Authors, viewers and titles of people's pages. Not in the registry: only a target knows its
 * people. The service sets authors of comments.
 */
export function mapPeople(map: PeopleMap): Transform {
  return (item) => [inItem(item, map)];
}

function inItem(item: Item, map: PeopleMap): Item {
  if (item.kind === "guide") return withFields(item, { body: peopleInGuide(item.body, map) });
  const title = item.kind === "wiki" ? map.pages.get(item.key) : undefined;
  // A title from a user's transform wins.
  if (item.kind !== "wiki" || title === undefined || item.body.title !== wikiOf(item.key).title) return item;
  return withFields(item, { body: withFields(item.body, { title }) });
}

function peopleInGuide(guide: Guide, { users, teams }: PeopleMap): Guide {
  const { author, viewers } = guide;
  if (users.size + teams.size === 0) return guide;
  return withFields(guide, {
    author: author === null ? null : (users.get(author.id) ?? author),
    viewers:
      viewers === null
        ? null
        : withFields(viewers, { users: mapped(viewers.users, users), teams: mapped(viewers.teams, teams) }),
  });
}

/** Several people may become one. */
function mapped<T extends Person | Team>(list: readonly T[], map: ReadonlyMap<number, T>): readonly T[] {
  if (!list.some(({ id }) => map.has(id))) return list;
  const there = list.map((who) => map.get(who.id) ?? who);
  return there.filter(
    (who, index) =>
      who.given !== "target" || there.findIndex(({ id, given }) => given === "target" && id === who.id) === index,
  );
}

export function withFields<T extends object>(value: T, fields: Partial<T>): T {
  const names = Object.keys(fields) as (keyof T)[];
  return names.every((name) => fields[name] === value[name]) ? value : { ...value, ...fields };
}

export function mapSame<T>(list: readonly T[], change: (entry: T, index: number) => T): readonly T[] {
  const changed = list.map(change);
  return changed.every((entry, index) => entry === list[index]) ? list : changed;
}

export function ownId(key: Key): string {
  return kindOf(key) === "category" || kindOf(key) === "wiki" ? wikiOf(key).title : restOf(key);
}
