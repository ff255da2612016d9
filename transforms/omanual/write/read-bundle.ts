import type { Files } from "../../../src/core/formats.js";
import type { Issue, Report } from "../../../src/core/model/issue.js";
import {
  type GuideItem,
  type Item,
  itemSchema,
  type MediaItem,
  type MediaUse,
  type WikiItem,
} from "../../../src/core/model/item.js";
import { type Key, kindOf } from "../../../src/core/model/key.js";
import { canonicalJson, digest, isObject, type JsonObject } from "../../../src/core/util/json.js";
import { bundleAddress, derivedId, topFolder } from "../addresses.js";
import { createBundle } from "../bundle.js";
import { nameOfFile, readOmanual } from "../format.js";
import type { ItemOptions } from "../items/converting.js";
import { manualItem } from "../items/manual-items.js";
import { documentOf } from "../manual.js";
import { readManual } from "../read-manual.js";
import { folderOf, isOwnSidecar, readSidecar, SIDECAR, type SidecarEntry } from "./sidecar.js";

/**
 * An item comes from its sidecar if its document is unchanged; else the document decides, and the
 * sidecar adds the rest with an Issue of level `note`. Without sidecars: `readOmanual`. Addresses
 * of media lead into the package, and contents are not stored yet. Throws what `files` throws.
 */
export async function* readBundle(files: Files, report: Report, options: ItemOptions = {}): AsyncIterable<Item> {
  const sidecars = new BundleSidecars(files, report);
  if (!sidecars.exist) return yield* readOmanual(files, report, options);
  const waiting: Issue[] = [];
  const given = new Set<Key>();
  const replaced = new Set<Key>();
  for await (const item of readOmanual(files, (issue) => void waiting.push(issue), options)) {
    const found = await entryOf(item, sidecars);
    const issues = waiting.splice(0);
    if (found === undefined || given.has(found.entry.item.key)) {
      for (const issue of issues) report(issue);
      if (replaced.has(item.key) || given.has(item.key)) continue;
      given.add(item.key);
      yield item;
      continue;
    }
    const merged = await mergeItem({ read: item, found, sidecars, options });
    for (const issue of [...(merged.changed ? issues : issues.filter(({ key }) => key !== item.key)), ...merged.issues])
      report(issue.key === item.key ? { ...issue, key: merged.item.key } : issue);
    for (const key of merged.replaced) replaced.add(key);
    yield* withMedia(merged.item, found, given);
  }
  for (const issue of waiting) report(issue);
  for await (const found of sidecars.others()) {
    if (!given.has(found.entry.item.key)) yield* withMedia(bundledItem(found), found, given);
  }
}

/** Each medium follows the first item that uses it. */
function* withMedia(item: Item, found: FoundEntry, given: Set<Key>): Iterable<Item> {
  given.add(item.key);
  yield item;
  for (const medium of bundledMedia(found)) {
    if (given.has(medium.key)) continue;
    given.add(medium.key);
    yield medium;
  }
}

async function entryOf(item: Item, sidecars: BundleSidecars): Promise<FoundEntry | undefined> {
  if (item.kind !== "guide" && item.kind !== "category") return undefined;
  const document = documentOf(item);
  const found = document === undefined ? undefined : await sidecars.entryOf(document.path);
  return found !== undefined && kindOf(found.entry.item.key) === item.kind ? found : undefined;
}

interface FoundEntry {
  readonly entry: SidecarEntry;
  /** In the bundle; paths of media are relative to it. */
  readonly folder: string;
}

/** Bytes: an item with stored answers has several hundred thousand. */
const LARGEST = 64 * 1024 * 1024;

/** Reads on demand, so that memory holds one item. */
class BundleSidecars {
  readonly files: Files;
  readonly #report: Report;
  readonly #paths: ReadonlySet<string>;
  readonly #files: ReadonlySet<string>;
  #guides: Promise<ReadonlyMap<string, Key>> | undefined;

  constructor(files: Files, report: Report) {
    this.files = files;
    this.#report = report;
    this.#files = new Set(files.paths);
    this.#paths = new Set(
      files.paths.filter((path) => path.endsWith(`/${SIDECAR}`) || path === SIDECAR || isOwnSidecar(path)),
    );
  }

  get exist(): boolean {
    return this.#paths.size > 0;
  }

  /** undefined: no sidecar has it. */
  async entryOf(document: string): Promise<FoundEntry | undefined> {
    const folder = folderOf(document);
    const entries = await this.#read(folder + SIDECAR);
    const entry = entries.find((each) => each.document !== null && folder + each.document === document);
    return entry === undefined ? undefined : { entry, folder };
  }

  async *others(): AsyncIterable<FoundEntry> {
    for (const path of this.#paths) {
      if (!isOwnSidecar(path)) continue;
      const folder = baseOf(folderOf(path));
      for (const entry of await this.#read(path)) yield { entry, folder };
    }
  }

  /** Keys of guides by document path; read once, only if a document changed. */
  guides(): Promise<ReadonlyMap<string, Key>> {
    this.#guides ??= this.#readGuides();
    return this.#guides;
  }

  async #readGuides(): Promise<ReadonlyMap<string, Key>> {
    const guides = new Map<string, Key>();
    for (const path of this.#paths) {
      if (isOwnSidecar(path)) continue;
      for (const { document, item } of await this.#read(path))
        if (document !== null && item.kind === "guide") guides.set(folderOf(path) + document, item.key);
    }
    return guides;
  }

  /** Empty without a file; an unreadable one is an Issue, and its document is read alone. */
  async #read(path: string): Promise<readonly SidecarEntry[]> {
    if (!this.#paths.has(path)) return [];
    const size = this.files.size(path);
    const result =
      size > LARGEST
        ? { ok: false as const, reason: `it has ${size} bytes; at most ${LARGEST} are read` }
        : readSidecar(await this.#textOf(path));
    if (result.ok) return result.entries.map((entry) => this.#withFilesHere(entry, folderOf(path)));
    const message = `${nameOfFile(this.files, path)} cannot be used: ${result.reason}. The documents next to it are read without it.`;
    this.#report({ code: "sidecar-unusable", level: "loss", key: `record/${path}`, path: "", message });
    return [];
  }

  /** A package may lack files; such media keep their addresses only. */
  #withFilesHere(entry: SidecarEntry, folder: string): SidecarEntry {
    const base = entry.document === null ? baseOf(folder) : folder;
    const media = entry.media.map(({ file, item }) => ({
      file: file !== null && this.#files.has(base + file) ? file : null,
      item,
    }));
    return { ...entry, media };
  }

  async #textOf(path: string): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of await this.files.open(path)) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString("utf8");
  }
}

/** Files of items without a document are next to the sidecars' folder. */
function baseOf(folder: string): string {
  return folder.replace(/guideferry\/$/, "");
}

export function addressesOf({ entry, folder }: FoundEntry): ReadonlyMap<Key, string> {
  return new Map(
    entry.media.flatMap(({ file, item }) => (file === null ? [] : [[item.key, bundleAddress(folder + file)] as const])),
  );
}

function bundledItem(found: FoundEntry): Item {
  const addresses = addressesOf(found);
  const { item } = found.entry;
  const media = item.media.map((use) => ({ ...use, url: addresses.get(use.key) ?? use.url }));
  const own = addresses.get(item.key);
  if (item.kind !== "image" && item.kind !== "video" && item.kind !== "document") return { ...item, media };
  return { ...item, body: { ...item.body, url: own ?? item.body.url, content: null } };
}

/** Without contents, since nothing is stored yet. */
function bundledMedia(found: FoundEntry): readonly MediaItem[] {
  const addresses = addressesOf(found);
  return found.entry.media.map(({ item }) => ({
    ...item,
    // A medium needs nothing that the package lacks.
    media: item.media.map((use) => ({ ...use, url: addresses.get(use.key) ?? null })),
    body: { ...item.body, url: addresses.get(item.key) ?? item.body.url, content: null },
  }));
}

interface MergeInput {
  /** From the document alone. */
  readonly read: Item;
  readonly found: FoundEntry;
  readonly sidecars: BundleSidecars;
  readonly options: ItemOptions;
}

interface MergedItem {
  readonly item: Item;
  /** The document differs from the written one. */
  readonly changed: boolean;
  readonly issues: readonly Issue[];
  /** Derived keys of media that the sidecar knows. */
  readonly replaced: readonly Key[];
}

async function mergeItem(input: MergeInput): Promise<MergedItem> {
  const { read, found } = input;
  const known = knownMedia(read.media, found);
  const replaced = [...known.keys()].filter((key) => key !== known.get(key));
  const kept = bundledItem(found);
  const document = documentOf(read);
  if (document === undefined || document.xml === found.entry.xml)
    return { item: kept, changed: false, issues: [], replaced };
  const now = await readAgain(document.xml, document.path, input);
  const base = await readAgain(found.entry.xml ?? "", document.path, input);
  if (now === undefined || base === undefined) return { item: kept, changed: false, issues: [], replaced };
  const merged = mergeValues(base.body, now.body, kept.body, "");
  const media = [...kept.media, ...now.media.filter(({ key }) => !kept.media.some((use) => use.key === key))];
  const body = withStepKeys(merged.value, kept.key);
  const item = itemSchema.parse({ ...kept, body, media, revision: read.revision });
  return {
    item,
    changed: true,
    issues: merged.changed.length === 0 ? [] : [changedIssue(input, merged.changed)],
    replaced,
  };
}

function changedIssue({ found, sidecars }: MergeInput, changed: readonly string[]): Issue {
  const { entry, folder } = found;
  const shown = changed.slice(0, 10).join(", ") + (changed.length > 10 ? ` and ${changed.length - 10} more` : "");
  const file = nameOfFile(sidecars.files, folder + (entry.document ?? ""));
  const message = `${file} was edited after guideferry wrote it: ${shown} ${changed.length === 1 ? "is" : "are"} taken from it, the rest from guideferry.json.`;
  return { code: "sidecar-merged", level: "note", key: entry.item.key, path: changed[0] ?? "", message };
}

/** Uses the sidecars' keys: of guides by path, of media by file. */
async function readAgain(xml: string, path: string, input: MergeInput): Promise<GuideItem | WikiItem | undefined> {
  const { sidecars, options, found } = input;
  const { files } = sidecars;
  const result = readManual(xml, { file: nameOfFile(files, path), undouble: false });
  if (!result.ok) return undefined;
  const bundle = { ...createBundle(files.paths, []), guides: await sidecars.guides(), top: topFolder(files.paths) };
  const { manual, issues } = result;
  const item = manualItem({ path, file: path, manual, xml, issues }, bundle, options);
  if (item === undefined) return undefined;
  const known = knownMedia(item.media, found);
  const body = withoutStepKeys(withKeys(item.body, known)) as typeof item.body;
  return {
    ...item,
    body,
    media: item.media.map((use) => ({ ...use, key: known.get(use.key) ?? use.key })),
  } as typeof item;
}

function knownMedia(uses: readonly MediaUse[], { entry, folder }: FoundEntry): ReadonlyMap<Key, Key> {
  const keys = new Map(
    entry.media.map(
      ({ file, item }) => [file === null ? item.body.url : bundleAddress(folder + file), item.key] as const,
    ),
  );
  return new Map(
    uses.flatMap(({ key, url }) => {
      const own = url === null ? undefined : keys.get(url);
      return own === undefined ? [] : [[key, own] as const];
    }),
  );
}

/** A step without a key: documents know steps by their place, which may change. */
const NO_KEY: Key = "step/0";

function withoutStepKeys(body: unknown): unknown {
  return mapSteps(body, (step) => ({ ...step, key: NO_KEY }));
}

function withStepKeys(body: unknown, guide: Key): unknown {
  return mapSteps(body, (step, index) =>
    step["key"] === NO_KEY ? { ...step, key: `step/${derivedId(`${guide} new step ${index} ${digest(step)}`)}` } : step,
  );
}

function mapSteps(body: unknown, change: (step: JsonObject, index: number) => JsonObject): unknown {
  if (typeof body !== "object" || body === null || !("steps" in body) || !Array.isArray(body.steps)) return body;
  return { ...body, steps: body.steps.map(change) };
}

/** Keys occur as whole strings of the model. */
function withKeys(value: unknown, known: ReadonlyMap<Key, Key>): unknown {
  if (typeof value === "string") return known.get(value as Key) ?? value;
  if (Array.isArray(value)) return value.map((each) => withKeys(each, known));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withKeys(inner, known)]));
}

export interface Merged {
  readonly value: unknown;
  /** Fields that the document decided, with the model's names. */
  readonly changed: readonly string[];
}

/** `base`: written document; `now`: current document; `kept`: sidecar, which has more values. */
function mergeValues(base: unknown, now: unknown, kept: unknown, path: string): Merged {
  if (isEqual(base, now)) return { value: kept, changed: [] };
  if (Array.isArray(base) && Array.isArray(now) && Array.isArray(kept) && base.length === kept.length)
    return mergeLists(base, now, kept, path);
  if (isObject(base) && isObject(now) && isObject(kept) && !isOtherMedium(base, kept, path))
    return mergeRecords(base, now, kept, path);
  return { value: now, changed: [path] };
}

/** A video that the document has as an embed: changing the embed is no change of the video. */
function isOtherMedium(base: JsonObject, kept: JsonObject, path: string): boolean {
  return path.endsWith(".media") && base["type"] !== kept["type"];
}

function mergeRecords(base: JsonObject, now: JsonObject, kept: JsonObject, path: string): Merged {
  const changed: string[] = [];
  const entries = Object.keys({ ...kept, ...now }).map((name) => {
    const merged = mergeValues(base[name], now[name], kept[name], path === "" ? name : `${path}.${name}`);
    changed.push(...merged.changed);
    return [name, merged.value] as const;
  });
  // Fields that another kind of medium lacks.
  return { value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)), changed };
}

/** Matches unchanged elements in any place, and others by their index. */
function mergeLists(base: readonly unknown[], now: readonly unknown[], kept: readonly unknown[], path: string): Merged {
  const free = new Set(base.keys());
  const partners = now.map((element) => takeFirst(free, (index) => isEqual(base[index], element)));
  const changed: string[] = [];
  const value = now.map((element, place) => {
    const own = partners[place] ?? takeFirst(free, (index) => index === place);
    if (own === undefined) {
      changed.push(`${path}[${place}]`);
      return element;
    }
    const merged = mergeValues(base[own], element, kept[own], `${path}[${place}]`);
    changed.push(...merged.changed);
    return merged.value;
  });
  const isReordered = partners.some((partner, place) => partner !== undefined && partner !== place);
  return { value, changed: isReordered || now.length !== base.length ? [...changed, path] : changed };
}

function takeFirst(free: Set<number>, fits: (index: number) => boolean): number | undefined {
  for (const index of free) {
    if (!fits(index)) continue;
    free.delete(index);
    return index;
  }
  return undefined;
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}
