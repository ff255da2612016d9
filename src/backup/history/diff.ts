import { formatPatch, structuredPatch } from "diff";
import { onOneLine } from "../../../transforms/convert/page/labels.js";
import { pageOf } from "../../../transforms/convert/page/page-of.js";
import { wikiPage } from "../../../transforms/convert/page/write-page.js";
import { type Item, itemSchema } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import { merged } from "../../core/util/iterables.js";
import { isObject, type JsonObject } from "../../core/util/json.js";
import { withCommas } from "../../core/util/printable-text.js";
import { commonEnds, maxEditLength } from "../../core/util/text-difference.js";
import type { ItemRow, MediaRow, PresentRow, SnapshotId } from "../../storage/repository/format.js";
import { itemBytes } from "../../storage/repository/read/contents.js";
import { damage } from "../../storage/repository/read/damage.js";
import type { Repository } from "../../storage/repository/repository.js";

/** The difference of one item between two snapshots. */
export interface ItemDifference {
  readonly what: "new" | "changed" | "deleted";
  readonly key: Key;
  readonly kind: ItemKind;
  readonly title: string;
  /** Change tokens; null: the snapshot lacks the item. */
  readonly revisions: readonly [before: string | null, after: string | null];
  readonly changes: readonly FieldChange[];
  /**
   * The readable texts as unified diffs; a record has one for each row with an id. null: not
   * requested, or no difference.
   */
  readonly text: string | null;
}

/** Contents that only one of two snapshots has. */
export interface MediaDifference {
  readonly new: { readonly contents: number; readonly bytes: number };
  readonly gone: { readonly contents: number; readonly bytes: number };
}

type Readers = Pick<Repository, "items" | "media" | "open">;

/**
 * The differences in the order of keys. Reads both lists in parallel, so memory doesn't grow with
 * them. Throws what Repository throws.
 */
export async function* diffItems(
  repository: Readers,
  from: SnapshotId,
  to: SnapshotId,
  { text }: { readonly text: boolean },
): AsyncGenerator<ItemDifference> {
  const rows = merged(repository.items(from), repository.items(to), ({ key }) => key);
  for await (const [one, other] of rows) {
    const [before, after] = [presentIn(one), presentIn(other)];
    if (before?.sha256 === after?.sha256) continue;
    yield describe(repository, before, after, text ? { from, to } : null);
  }
}

/** Contents that are new or missing in the second snapshot. */
export async function diffMedia(repository: Readers, from: SnapshotId, to: SnapshotId): Promise<MediaDifference> {
  const found = { new: { contents: 0, bytes: 0 }, gone: { contents: 0, bytes: 0 } };
  const add = (sum: { contents: number; bytes: number }, { size }: MediaRow): void => {
    sum.contents += 1;
    sum.bytes += size;
  };
  for await (const [one, other] of merged(repository.media(from), repository.media(to), ({ sha256 }) => sha256)) {
    if (one === undefined && other !== undefined) add(found.new, other);
    else if (one !== undefined && other === undefined) add(found.gone, one);
  }
  return found;
}

function presentIn(row: ItemRow | undefined): PresentRow | undefined {
  return row?.state === "present" ? row : undefined;
}

async function describe(
  repository: Readers,
  before: PresentRow | undefined,
  after: PresentRow | undefined,
  between: { readonly from: SnapshotId; readonly to: SnapshotId } | null,
): Promise<ItemDifference> {
  const row = after ?? before;
  if (row === undefined) throw new TypeError("a difference between nothing and nothing");
  const { key, kind, title } = row;
  const what = before === undefined ? "new" : after === undefined ? "deleted" : "changed";
  const revisions = [before?.revision ?? null, after?.revision ?? null] as const;
  if (what !== "changed" && between === null) return { what, key, kind, title, revisions, changes: [], text: null };
  const one = before === undefined ? undefined : await storedItem(repository, before);
  const other = after === undefined ? undefined : await storedItem(repository, after);
  const changes = one === undefined || other === undefined ? [] : fieldChanges(one, other);
  const text = between === null ? null : textDiff({ name: key, ...between }, one, other);
  return { what, key, kind, title, revisions, changes, text };
}

function textDiff(names: DiffNames, before: Item | undefined, after: Item | undefined): string | null {
  if (before?.kind === "record" && after?.kind === "record")
    return recordDiff(names, before.body.answer, after.body.answer);
  const [one, other] = [before, after].map((item) => (item === undefined ? "" : readableText(item)));
  return unifiedDiff(names, one ?? "", other ?? "");
}

/**
 * Two answers of the service as unified diffs: one for each differing row where both are lists
 * whose rows have ids, else one for the whole. null: no difference.
 */
export function recordDiff(names: DiffNames, before: unknown, after: unknown): string | null {
  const whole = [readableJson(before), readableJson(after)] as const;
  if (whole[0] === whole[1]) return null;
  const rows = Array.isArray(before) && Array.isArray(after) ? namedRows(before, after) : undefined;
  if (rows === undefined) return unifiedDiff(names, ...whole);
  const [old, now] = rows;
  const ids = new Set([...old.keys(), ...now.keys()]);
  const changes = [...ids].flatMap((id) => {
    const text = [old, now].map((each) => (each.has(id) ? readableJson(each.get(id)) : ""));
    return unifiedDiff({ ...names, name: `${names.name}[${id}]` }, text[0] ?? "", text[1] ?? "") ?? [];
  });
  const { name, from, to } = names;
  if (changes.length > 0) return changes.join("");
  return `--- ${name}\t${from}\n+++ ${name}\t${to}\nThe rows are the same, in another order.\n`;
}

interface DiffNames {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const CONTEXT = 3;
const HEADERS = { includeIndex: false, includeUnderline: false, includeFileHeaders: true };

/**
 * Two texts as a unified diff; null: they are equal. Where the comparison would take minutes, a
 * sentence replaces the changes.
 */
export function unifiedDiff({ name, from, to }: DiffNames, before: string, after: string): string | null {
  if (before === after) return null;
  const [old, now] = [splitLines(before), splitLines(after)];
  const [start, end] = commonEnds(old, now);
  const [skipped, left] = [Math.max(0, start - CONTEXT), Math.max(0, end - CONTEXT)];
  const one = old.slice(skipped, old.length - left).join("");
  const other = now.slice(skipped, now.length - left).join("");
  const [gone, come] = [old.length - start - end, now.length - start - end];
  const bounds = { context: CONTEXT, maxEditLength: maxEditLength(gone, come) };
  const patch = structuredPatch(name, name, one, other, from, to, bounds);
  if (patch === undefined) {
    const head = formatPatch({ ...structuredPatch(name, name, "", "", from, to), hunks: [] }, HEADERS);
    return `${head}Too different for a line by line comparison from line ${withCommas(start + 1)}: ${withCommas(gone)} lines before, ${withCommas(come)} lines after.\n`;
  }
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + skipped,
    newStart: hunk.newStart + skipped,
  }));
  return formatPatch({ ...patch, hunks }, HEADERS);
}

function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** A field that differs between two versions of an item. */
export interface FieldChange {
  /** `title`, `steps[step/456].lines[0].text`; `steps` where only the order of steps differs. */
  readonly path: string;
  /** undefined: the field was absent. */
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Differences of the bodies; where these are equal, those of the other fields and the raw answer.
 */
export function fieldChanges(before: Item, after: Item): readonly FieldChange[] {
  const found = changes(before.body, after.body, "");
  if (found.length > 0) return found;
  const rest = ["media", "translations", "issues", "raw", "revision"] as const;
  return rest.flatMap((field) => changes(before[field], after[field], field));
}

function changes(before: unknown, after: unknown, path: string): readonly FieldChange[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path);
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changes(before[name], after[name], path === "" ? name : `${path}.${name}`));
}

type Elements = readonly unknown[];

function listChanges(before: Elements, after: Elements, path: string): readonly FieldChange[] {
  const named = namedRows(before, after);
  if (named === undefined) return placeChanges(before, after, path);
  const [old, now] = named;
  const names = new Set([...old.keys(), ...now.keys()]);
  const inside = [...names].flatMap((name) => changes(old.get(name), now.get(name), `${path}[${name}]`));
  const kept = [...old.keys()].filter((name) => now.has(name));
  const order = [...now.keys()].filter((name) => old.has(name));
  const isMoved = kept.some((name, at) => name !== order[at]);
  return isMoved ? [...inside, { path, before: [...old.keys()], after: [...now.keys()] }] : inside;
}

/** Compares lists of the same length by position, others as a whole. */
function placeChanges(before: Elements, after: Elements, path: string): readonly FieldChange[] {
  if (before.length !== after.length) return [{ path, before, after }];
  return before.flatMap((each, index) => changes(each, after[index], `${path}[${index}]`));
}

type Named = ReadonlyMap<string, unknown>;

/**
 * The elements of two lists by key, by id, or by the first field that ends in `id` (`userid`) and
 * is unique in both. undefined: no such field.
 */
function namedRows(before: Elements, after: Elements): readonly [before: Named, after: Named] | undefined {
  const own = namedBy(before, after, (row) => row["key"] ?? row["id"]);
  if (own !== undefined) return own;
  const first = before[0];
  const fields = isObject(first) ? Object.keys(first).filter((field) => /id$/i.test(field)) : [];
  for (const field of fields) {
    const named = namedBy(before, after, (row) => row[field]);
    if (named !== undefined) return named;
  }
  return undefined;
}

type NameOf = (row: JsonObject) => unknown;

function namedBy(before: Elements, after: Elements, nameOf: NameOf): readonly [Named, Named] | undefined {
  const [old, now] = [byName(before, nameOf), byName(after, nameOf)];
  return old === undefined || now === undefined ? undefined : [old, now];
}

function byName(elements: Elements, nameOf: NameOf): Named | undefined {
  const named = new Map<string, unknown>();
  for (const element of elements) {
    const name = isObject(element) ? nameOf(element) : undefined;
    if ((typeof name !== "string" && typeof name !== "number") || named.has(String(name))) return undefined;
    named.set(String(name), element);
  }
  return named;
}

/** An item as lines of text: guides and pages as wiki text, other kinds as JSON. */
export function readableText(item: Item): string {
  if (item.kind === "guide" || item.kind === "wiki" || item.kind === "category")
    return wikiPage(pageOf(item), AS_TYPED);
  return readableJson(item.kind === "record" ? item.body.answer : item.body);
}

function readableJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2) ?? "null"}\n`;
}

const AS_TYPED: Parameters<typeof wikiPage>[1] = {
  wiki: (source) => source,
  plain: onOneLine,
  // Losses of the conversion don't matter in a comparison.
  tell: () => undefined,
};

/** Throws what `itemBytes` throws, and ArchiveError (exit 6) when the bytes are not an item. */
export async function storedItem(repository: Pick<Repository, "open">, row: PresentRow): Promise<Item> {
  const bytes = await itemBytes(repository, row);
  try {
    return itemSchema.parse(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw damage(`${row.key} in ${row.archive} is not an item that this version of guideferry can read.`, cause);
  }
}
