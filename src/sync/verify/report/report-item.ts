import type { Item } from "../../../core/model/item.js";
import { type Key, kindOf, wikiOf } from "../../../core/model/key.js";
import { aroundDifference } from "../../../core/util/around-difference.js";
import { canonicalJson } from "../../../core/util/canonical-json.js";
import type { ItemState, ReportedField, ReportedItem, ReportedValue } from "./report-format.js";
import { sha256 } from "./report-format.js";

/** How one field came out. */
export interface JudgedField {
  readonly path: string;
  readonly verdict: "equal" | "named" | "noted" | "different";
  /** undefined: there is none. */
  readonly expected: unknown;
  readonly actual: unknown;
  /** Of the loss ledger, where they name the difference. */
  readonly codes: readonly string[];
}

/** What comparing one item came to. */
export interface JudgedItem {
  readonly key: Key;
  readonly state: ItemState;
  readonly at: ReportedItem["at"];
  readonly title: string | null;
  readonly fields: readonly JudgedField[];
  readonly references: number;
  readonly codes?: readonly string[];
}

/** What the report says of an item: of what is equal a digest, of the rest both values, of persons never more than digests. */
export function reportedItem(item: JudgedItem): ReportedItem {
  const { key, state, at, title, references, codes } = item;
  const hides = isAboutSomebody(key);
  return {
    kind: "item",
    key,
    state,
    // The address of such a page has the name in it.
    at: hides && at !== null ? { ...at, url: null } : at,
    title: hides ? null : title,
    fields: item.fields.map((field) => reportedField(field, hides || PERSONAL.has(field.path))),
    references,
    ...(codes === undefined ? {} : { codes }),
  };
}

/** The title that an item is known by; null for what has none. */
export function titleOf(item: Item): string | null {
  return item.kind === "guide" || item.kind === "wiki" || item.kind === "category" ? item.body.title : null;
}

function isAboutSomebody(key: Key): boolean {
  return kindOf(key) === "wiki" && wikiOf(key).namespace === "USER";
}

function reportedField({ path, verdict, expected, actual, codes }: JudgedField, isPersonal: boolean): ReportedField {
  if (verdict === "equal") return { path, verdict, sha256: digestOf(expected) };
  const [wanted, got] = aroundDifference(canonicalJson(expected ?? null), canonicalJson(actual ?? null), BEGINNING);
  const values = { expected: shown(expected, isPersonal, wanted), actual: shown(actual, isPersonal, got) };
  return { path, verdict, ...(codes.length === 0 ? {} : { codes }), ...values };
}

/** The fields that name people. */
const PERSONAL: ReadonlySet<string> = new Set(["author", "viewers.users"]);

/** Characters of JSON that a value may have to be shown whole, and those that are shown of a longer one. */
const WHOLE = 500;
const BEGINNING = 200;

function shown(value: unknown, isPersonal: boolean, around: string): ReportedValue {
  if (value === undefined || value === null) return null;
  if (isPersonal) return { sha256: digestOf(value) };
  const json = canonicalJson(value);
  if (json.length <= WHOLE) return { value };
  const begins = json.slice(0, BEGINNING);
  return { sha256: sha256(json), begins, ...(around.startsWith(begins) ? {} : { around }) };
}

function digestOf(value: unknown): string {
  return sha256(canonicalJson(value ?? null));
}
