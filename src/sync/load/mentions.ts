import { keysOf } from "../../../transforms/references/reference.js";
import { readerOf, type TextReader } from "../../../transforms/references/text-reader.js";
import type { TextContext } from "../../../transforms/wiki/tree.js";
import type { Target } from "../../core/contracts.js";
import type { Call } from "../../core/model/call.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import { type Key, wikiKey } from "../../core/model/key.js";
import { digest } from "../../core/util/json.js";
import type { Loaded, Operation } from "../../core/writing.js";
import { isUnder } from "../../service/target/identity.js";
import { isPersonal } from "../people/source-people.js";

/**
 * Adds new titles of pages to the hashes of the operations that name them. Texts and fields name a
 * page by its key, so that referrers are written again when the title changes, and only then.
 */
export function withNewTitles(target: Target, titles: ReadonlyMap<Key, string>, source: SiteIdentity): Target {
  const keys = new Set(titles.keys());
  const mayName = [...keys].every(isPersonal) ? PERSONAL : ANY;
  const withTitles = (operation: Operation): Operation => {
    if (keys.size === 0 || !mayName.test(JSON.stringify(operation.call))) return operation;
    const named = namedIn(operation, keys, source);
    if (named.length === 0) return operation;
    const hash = digest([operation.hash, named.map((key) => [key, titles.get(key)])]);
    const { call } = operation;
    if (call.verb !== "save-wiki" || !keys.has(call.wiki)) return { ...operation, hash };
    return { ...operation, hash, call: { ...call, given: true } };
  };
  return {
    ...target,
    plan: (item, loaded) => target.plan(item, underItsTitle(item.key, loaded, titles)).map(withTitles),
  };
}

/** Is in every call that names a personal page. Parsing all texts costs far more. */
const PERSONAL = /user|team|%/i;
const ANY = /(?:)/;

function underItsTitle(key: Key, loaded: Loaded, titles: ReadonlyMap<Key, string>): Loaded {
  const page = loaded.written.get(key);
  if (page?.adopted !== true || isUnder(page, titles.get(key))) return loaded;
  return { ...loaded, written: new Map([...loaded.written, [key, { ...page, adopted: false }]]) };
}

function namedIn({ call }: Operation, keys: ReadonlySet<Key>, source: SiteIdentity): readonly Key[] {
  const category = call.verb === "save-guide" ? [wikiKey("CATEGORY", call.fields.category)] : [];
  const named = new Set([...mentioned(call, keys, source), ...category.filter((key) => keys.has(key))]);
  return [...named].sort();
}

/** The keys that a call names, as a key or in a text that refers to it. */
export function mentioned(call: Call, keys: Pick<ReadonlySet<Key>, "has">, site: SiteIdentity): ReadonlySet<Key> {
  const found = new Set<Key>();
  const take = (key: Key): void => {
    if (keys.has(key)) found.add(key);
  };
  search(call, { reader: readerOf(site), where: "page", take });
  return found;
}

interface Search {
  readonly reader: TextReader;
  readonly where: TextContext;
  readonly take: (key: Key) => void;
}

function search(value: unknown, searching: Search): void {
  const { reader, where, take } = searching;
  if (typeof value === "string") {
    take(value as Key);
    for (const key of reader.references(value, where).flatMap(keysOf)) take(key);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [field, inner] of Object.entries(value))
    search(inner, LINES.has(field) ? { ...searching, where: "line" } : searching);
}

const LINES: ReadonlySet<string> = new Set(["lines", "parts", "tools"]);
