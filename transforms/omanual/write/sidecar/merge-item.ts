import type { Issue } from "../../../../src/core/model/issue.js";
import type { GuideItem, Item, WikiItem } from "../../../../src/core/model/item.js";
import { itemSchema } from "../../../../src/core/model/item.js";
import type { Key } from "../../../../src/core/model/key.js";
import type { MediaUse } from "../../../../src/core/model/media.js";
import { digest } from "../../../../src/core/util/digest.js";
import { createBundle } from "../../items/bundle.js";
import { bundleAddress } from "../../items/bundle-address.js";
import type { ItemOptions } from "../../items/converting.js";
import { derivedId } from "../../items/derived-id.js";
import { manualItem } from "../../items/manual-items.js";
import { topFolder } from "../../items/resolve-path.js";
import { nameOfFile } from "../../package/name-of-file.js";
import { readManual } from "../../read-manual.js";
import type { BundleSidecars, FoundEntry } from "./bundle-sidecars.js";
import { bundledItem } from "./bundled-item.js";
import { mergeValues } from "./merge-values.js";
import { documentOf } from "./read-document.js";

export interface MergeInput {
  /** As the document alone tells it. */
  readonly read: Item;
  readonly found: FoundEntry;
  readonly sidecars: BundleSidecars;
  readonly options: ItemOptions;
}

export interface MergedItem {
  readonly item: Item;
  /** Whether somebody changed the document. */
  readonly changed: boolean;
  readonly issues: readonly Issue[];
  /** Keys that were made up for media which the sidecar knows. */
  readonly replaced: readonly Key[];
}

/** The item of a document that has an entry in a sidecar. */
export async function mergeItem(input: MergeInput): Promise<MergedItem> {
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
  const message = `${file} was changed after guideferry had written it: ${shown} ${changed.length === 1 ? "is" : "are"} taken from it, the rest from guideferry.json.`;
  return { code: "sidecar-merged", level: "note", key: entry.item.key, path: changed[0] ?? "", message };
}

/** A document by the keys of the sidecars: those of guides by their paths, those of media by their files. */
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

/** The sidecar's keys by those that were made up from the same files. */
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

/** A step without a key yet: documents know them by their places, which may have moved. */
const NO_KEY: Key = "step/0";

function withoutStepKeys(body: unknown): unknown {
  return mapSteps(body, (step) => ({ ...step, key: NO_KEY }));
}

/** New steps get keys that stand for their content. */
function withStepKeys(body: unknown, guide: Key): unknown {
  return mapSteps(body, (step, index) =>
    step["key"] === NO_KEY ? { ...step, key: `step/${derivedId(`${guide} new step ${index} ${digest(step)}`)}` } : step,
  );
}

type Values = Readonly<Record<string, unknown>>;

function mapSteps(body: unknown, change: (step: Values, index: number) => Values): unknown {
  if (typeof body !== "object" || body === null || !("steps" in body) || !Array.isArray(body.steps)) return body;
  return { ...body, steps: body.steps.map(change) };
}

/** Values of the model hold keys as whole texts. */
function withKeys(value: unknown, known: ReadonlyMap<Key, Key>): unknown {
  if (typeof value === "string") return known.get(value as Key) ?? value;
  if (Array.isArray(value)) return value.map((each) => withKeys(each, known));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withKeys(inner, known)]));
}
