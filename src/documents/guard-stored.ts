import { documentOf } from "../../transforms/omanual/write/sidecar/read-document.js";
import { type Key, kindOf, wikiKey } from "../core/model/key.js";
import type { ItemEntry } from "../storage/workspace/item-index.js";
import type { ItemReader } from "../storage/workspace/item-store.js";
import { readStored } from "../sync/extract-stored.js";
import { type DocumentIndex, isBare } from "./document-index.js";

/** Of each document, this many are named where one of them must hold an item. */
const NAMED = 3;

/**
 * Holds an index against what was read from the package before, so that a document which breaks or is taken out empties nothing at a
 * target. While documents can't be read whose items nobody knows, everything that was there and is told of no more may be in one of
 * them: it fails, and keeps what was read of it. So does an item whose sidecar was read before and can't be used now. A category that
 * only others name any longer keeps what its document said.
 */
export async function guardStored(index: DocumentIndex, stored: ItemReader): Promise<DocumentIndex> {
  const emptied = await emptiedPages(index, stored);
  const spoiled = await spoiledItems(index, stored);
  const kept = new Map(emptied.map((entry) => [entry.key, entry]));
  const items = new Map([...index.items].filter(([key]) => !kept.has(key) && !spoiled.has(key)));
  const failures = new Map([...index.failures, ...spoiled]);
  const guarded = { ...index, items, failures };
  const nameless = [...index.failures].filter(([key]) => stored.entry(key) === undefined);
  if (nameless.length === 0) return { ...guarded, kept };
  const suspects: Key[] = [];
  const waiting = new Map<Key, ItemEntry>();
  for (const entry of new Map([...kept, ...untold(guarded, stored)]).values()) {
    // Pages without a document of their own wait for the document that named them.
    if (await wasBare(entry.key, stored)) waiting.set(entry.key, entry);
    else suspects.push(entry.key);
  }
  return { ...guarded, kept: waiting, failures: withSuspects(failures, nameless, suspects) };
}

async function wasBare(key: Key, stored: ItemReader): Promise<boolean> {
  const before = kindOf(key) === "category" ? await readStored(stored, key) : undefined;
  return before !== undefined && isBare(before);
}

/** Categories that are only named now, and of which there was a document when they were read last. */
async function emptiedPages({ items }: DocumentIndex, stored: ItemReader): Promise<readonly ItemEntry[]> {
  const emptied: ItemEntry[] = [];
  for (const { key, bare } of items.values()) {
    const entry = bare ? stored.entry(key) : undefined;
    if (entry?.state !== "present") continue;
    const before = await readStored(stored, key);
    if (before !== undefined && !isBare(before)) emptied.push(entry, ...aboveOf(entry, items, stored));
  }
  return emptied;
}

/** Its document alone may have named those above it. */
function aboveOf({ category }: ItemEntry, items: DocumentIndex["items"], stored: ItemReader): readonly ItemEntry[] {
  const above = new Map<Key, ItemEntry>();
  for (let title = category; title !== null; ) {
    const entry = stored.entry(wikiKey("CATEGORY", title));
    if (entry?.state !== "present" || items.has(entry.key) || above.has(entry.key)) break;
    above.set(entry.key, entry);
    title = entry.category;
  }
  return [...above.values()];
}

/** What sidecars knew of items is more than their documents say: visibility, tags, the ids of steps. */
async function spoiledItems({ items }: DocumentIndex, stored: ItemReader): Promise<ReadonlyMap<Key, string>> {
  const failures = new Map<Key, string>();
  for (const { key, spoiled } of items.values()) {
    if (spoiled === null || stored.entry(key)?.state !== "present") continue;
    const before = await readStored(stored, key);
    if (before !== undefined && documentOf(before) === undefined) failures.set(key, spoiled);
  }
  return failures;
}

const KINDS = ["category", "wiki", "guide"] as const;

function untold({ items, failures }: DocumentIndex, stored: ItemReader): ReadonlyMap<Key, ItemEntry> {
  const entries = KINDS.flatMap((kind) =>
    [...stored.entries(kind)].filter(({ key, state }) => state === "present" && !items.has(key) && !failures.has(key)),
  );
  return new Map(entries.map((entry) => [entry.key, entry]));
}

type Failures = DocumentIndex["failures"];

/** One document and one item belong together; else any of the documents may be that of any item. */
function withSuspects(
  failures: Failures,
  nameless: readonly (readonly [Key, string])[],
  suspects: readonly Key[],
): Failures {
  const [one] = nameless;
  const [only] = suspects;
  if (one !== undefined && only !== undefined && nameless.length === 1 && suspects.length === 1)
    return new Map([...[...failures].filter(([key]) => key !== one[0]), [only, one[1]]]);
  const more = nameless.length > NAMED ? `\nand ${nameless.length - NAMED} more` : "";
  const documents = nameless.slice(0, NAMED).map(([, message]) => message);
  const reason = `No document that can be read tells of it any more, so it may be in one of these:\n${documents.join("\n")}${more}`;
  return new Map([...failures, ...suspects.map((key) => [key, reason] as const)]);
}
