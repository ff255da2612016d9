import type { Report } from "../../../../src/core/model/issue.js";
import type { GuideItem, Item, ItemOf } from "../../../../src/core/model/item.js";
import { type Key, kindOf } from "../../../../src/core/model/key.js";
import { printSidecar, type SidecarEntry } from "../sidecar/sidecar.js";
import { sidecarName } from "../sidecar/sidecar-path.js";
import { writeItem } from "../write-item.js";
import type { BundleFile } from "./bundle-file.js";
import { type BundleIndex, documentContext, indexBundle } from "./document-context.js";
import { Names } from "./names.js";
import { mediaFiles, placeMedia, reportMedia } from "./place-media.js";
import { type BundleSurvey, type MediaLookup, surveyBundle } from "./survey.js";

export interface BundleOptions {
  /** Keep what oManual can't hold in `guideferry.json` files. Default: true. */
  readonly sidecar?: boolean;
  /** Scheme and host of the site that the items are of, put before addresses relative to it. Default: they stay relative. */
  readonly origin?: string;
}

/**
 * The files of an oManual 1.0 package (omanual 7): `category.xml` and `media/` of the one category above the others, a folder
 * for every other category and every guide, with its document, its `media/` and what the format can't hold of it. Each guide is
 * in memory for itself; items that are no manuals go into the sidecar alone.
 *
 * `items` is gone through twice and must give the same both times: a Set or a function's own iterable, not a generator.
 * `media` gives a medium by its key, whether it is among the items or not. Throws RangeError when the second time differs.
 */
export async function* writeBundle(
  items: AsyncIterable<Item>,
  media: MediaLookup,
  report: Report,
  options: BundleOptions = {},
): AsyncIterable<BundleFile> {
  const survey = await surveyBundle(items, media);
  const writing: BundleWriting = { ...options, survey, index: indexBundle(survey), media, report, placed: new Set() };
  const loose: Key[] = [];
  const names = new Names();
  let count = 0;
  for await (const item of items) {
    count += 1;
    if (item.kind === "guide" || item.kind === "category") yield* writeDocument(item, writing, names);
    else if (item.kind === "wiki" || item.kind === "record") yield* writeOther(item, writing, names);
    else loose.push(item.key);
  }
  if (count !== survey.items) {
    throw new RangeError(
      `The items of a bundle are gone through twice: ${survey.items} came at first, ${count} then. Give something that can be iterated again.`,
    );
  }
  for (const key of loose) if (!writing.placed.has(key)) yield* writeLoose(key, writing, names);
}

interface BundleWriting extends BundleOptions {
  readonly survey: BundleSurvey;
  readonly index: BundleIndex;
  readonly media: MediaLookup;
  readonly report: Report;
  /** Media that stand with a document. */
  readonly placed: Set<Key>;
}

async function* writeDocument(
  item: GuideItem | ItemOf<"category">,
  writing: BundleWriting,
  baseNames: Names,
): AsyncIterable<BundleFile> {
  const { survey, index, media, report, placed, origin } = writing;
  const folder =
    item.kind === "guide" ? survey.guides.get(item.key)?.folder : survey.categories.get(item.body.title)?.folder;
  if (folder === undefined) return;
  // The base's `media/` is shared with media that no document needs.
  const needed = await placeMedia(item, media, folder === "" ? baseNames : new Names());
  const context = documentContext(survey, index, folder, needed.files, origin);
  const { xml, issues } = writeItem(item, context);
  for (const issue of issues) report(issue);
  for (const medium of needed.items) {
    if (!placed.has(medium.key)) reportMedia(medium, report);
    placed.add(medium.key);
  }
  const document = item.kind === "guide" ? "guide.xml" : "category.xml";
  yield { path: folder + document, content: xml };
  if (writing.sidecar !== false) {
    const entry: SidecarEntry = {
      document,
      xml,
      item,
      media: needed.items.map((medium) => ({ file: needed.files.get(medium.key) ?? null, item: medium })),
    };
    yield { path: `${folder}guideferry.json`, content: printSidecar([entry]) };
  }
  yield* mediaFiles(folder, needed);
}

/** A page or record: none of it is a manual. Its media come as those of guides do. */
async function* writeOther(item: Item, writing: BundleWriting, names: Names): AsyncIterable<BundleFile> {
  const { report, placed } = writing;
  const kept = writing.sidecar !== false;
  const message = `oManual 1.0 has guides and categories only; ${kindOf(item.key)} ${kept ? "goes into the sidecar alone" : "is left out"}.`;
  report({ code: "no-manual", level: "loss", key: item.key, path: "", message });
  if (!kept) return;
  const media = await placeMedia(item, writing.media, names);
  for (const medium of media.items) placed.add(medium.key);
  const entry: SidecarEntry = {
    document: null,
    xml: null,
    item,
    media: media.items.map((medium) => ({ file: media.files.get(medium.key) ?? null, item: medium })),
  };
  yield { path: sidecarName(item.key), content: printSidecar([entry]) };
  yield* mediaFiles("", media);
}

/** A medium that no item needs. */
async function* writeLoose(key: Key, writing: BundleWriting, names: Names): AsyncIterable<BundleFile> {
  const item = await writing.media(key);
  if (item === undefined) return;
  const message = "No guide or category needs it, and oManual 1.0 has media of these only.";
  writing.report({ code: "no-manual", level: "loss", key, path: "", message });
  if (writing.sidecar === false) return;
  const use = { key, url: item.body.url, guid: item.body.guid, fileName: item.body.fileName, path: "" };
  const media = await placeMedia({ ...item, media: [use] }, writing.media, names);
  const [placed] = media.items;
  if (placed === undefined) return;
  const entry: SidecarEntry = { document: null, xml: null, item: placed, media: [] };
  const file = media.files.get(key) ?? null;
  yield { path: sidecarName(key), content: printSidecar([{ ...entry, media: [{ file, item: placed }] }]) };
  yield* mediaFiles("", media);
}
