import type { Ledger, Survey } from "../../core/contracts.js";
import {
  type Guide,
  type GuideItem,
  type Item,
  ownPageTitle,
  type Part,
  type Step,
  type StepMedia,
  type Wiki,
  type WikiItem,
  type WikiTranslation,
} from "../../core/model/item.js";
import { type Key, kindOf, restOf } from "../../core/model/key.js";
import { canonicalJson } from "../../core/util/json.js";
import type { Loaded, Written } from "../../core/writing.js";
import { isTranslation, translatedSteps } from "../load/translation-key.js";
import type { TargetForm } from "./target-item.js";

/** The expected fields of a thing and those that were read back. */
export interface FieldPair {
  readonly expected: Fields;
  readonly remote: Fields;
  /** Paths of what is left out since its link target is not on the target. */
  readonly lacking: readonly string[];
  /** The ids on the target of the source's steps, in their order. */
  readonly steps: readonly (string | undefined)[];
}

interface ComparingJob {
  readonly survey: Survey;
  readonly ledger: Pick<Ledger, "loaded" | "keyOf">;
}

export async function fieldPair(job: ComparingJob, form: TargetForm, item: Item, actual: Item): Promise<FieldPair> {
  if (item.kind === "guide" && actual.kind === "guide") return guidePair(job, form, item, actual);
  if (isPage(item) && isPage(actual)) return pagePair(job, form, item, actual);
  return { expected: new Map(), remote: new Map(), lacking: [], steps: [] };
}

async function guidePair(job: ComparingJob, form: TargetForm, item: GuideItem, actual: GuideItem): Promise<FieldPair> {
  const lacking: string[] = [];
  const guide = await form.guide(item.body, lacking);
  const places = guide.steps.map((_, index) => index);
  const expected = guideFields(guide);
  addSteps(expected, { steps: guide.steps, order: places, others: 0 });
  const { written: own } = await job.ledger.loaded(item.key);
  // Only at the origin site the ledger has a translation as written.
  const isTranslated = isTranslation(item.key) && own.size === 0;
  const written = isTranslated ? await translatedSteps(job.ledger, item.key, guide) : own;
  const media = new KnownMedia(job.ledger, item.key, written, guide);
  const ids = guide.steps.map((step) => written.get(step.key)?.id);
  const remote = guideFields(await media.guide(actual.body, guide));
  addSteps(remote, await remoteSteps(media, ids, guide, actual.body));
  if (isTranslated) return { expected: textsOf(expected), remote: textsOf(remote), lacking: [], steps: ids };
  removeServerFlags(job.survey, remote, expected);
  return { expected, remote, lacking, steps: ids };
}

/** The fields of a translation. It has everything else from its guide. */
const TRANSLATED =
  /^(?:language|title|summary|introduction|conclusion|steps\[\d+\]\.(?:title|lines(?:\.length|\[\d+\]\.(?:text|bullet|level))))$/;

function textsOf(fields: Fields): Fields {
  return new Map([...fields].filter(([path]) => TRANSLATED.test(path)));
}

async function remoteSteps(
  media: KnownMedia,
  ids: readonly (string | undefined)[],
  expected: Guide,
  actual: Guide,
): Promise<Aligned> {
  const aligned = alignSteps(ids, actual.steps);
  const steps = await Promise.all(
    aligned.steps.map(async (step, place) => step && (await media.step(step, expected.steps[place]))),
  );
  // A missing step is reported by itself, so the order is that of the others.
  const order = steps.flatMap((step, place) => (step === undefined ? [] : [place]));
  const isInOrder = canonicalJson([order]) === canonicalJson([aligned.order]);
  return { ...aligned, steps, order: isInOrder ? steps.map((_, place) => place) : aligned.order };
}

/**
 * Removes guide flags that the account can't set: the server sets some on every new guide
 * (api-facts 4.8).
 */
function removeServerFlags({ flags: settable }: Survey, fields: FieldMap, expected: Fields): void {
  const wanted = expected.get("flags") as readonly string[] | undefined;
  const flags = fields.get("flags") as readonly string[] | undefined;
  if (settable === null || flags === undefined) return;
  fields.set(
    "flags",
    flags.filter((flag) => settable.includes(flag) || wanted?.includes(flag)),
  );
}

async function pagePair(job: ComparingJob, form: TargetForm, item: WikiItem, actual: WikiItem): Promise<FieldPair> {
  const lacking: string[] = [];
  const wiki = await form.wiki(item.body, lacking);
  const languages = new Set((wiki.translations ?? []).map(({ language }) => language));
  const { written } = await job.ledger.loaded(item.key);
  const media = new KnownMedia(job.ledger, item.key, written, wiki);
  const read = {
    ...actual.body,
    image: await media.one(actual.body.image, wiki.image),
    documents: await media.list(actual.body.documents, wiki.documents),
    // A source without positions has nothing to compare.
    position: wiki.position === null ? null : actual.body.position,
    // Translations by others are not compared.
    translations: (actual.body.translations ?? []).filter(({ language }) => languages.has(language)),
  };
  return { expected: wikiFields(wiki), remote: wikiFields(read), lacking, steps: [] };
}

function isPage(item: Item): item is WikiItem {
  return item.kind === "wiki" || item.kind === "category";
}

type Fields = ReadonlyMap<string, unknown>;
type FieldMap = Map<string, unknown>;

/**
 * The visible fields of a guide, without its steps. Neither of the two ids of a video identifies it
 * (api-facts 3.5), so only its presence counts.
 */
function guideFields(guide: Guide): FieldMap {
  return new Map<string, unknown>([
    ["title", text(guide.title)],
    ["category", guide.category],
    ["type", guide.type],
    ["subject", text(guide.subject)],
    ["summary", text(guide.summary)],
    ["introduction", text(guide.introduction)],
    ["conclusion", text(guide.conclusion)],
    ["difficulty", guide.difficulty],
    ["timeRequired", guide.timeRequired],
    ["language", guide.language],
    ["flags", sorted(guide.flags)],
    ["image", guide.image],
    ["introductionVideo", guide.introductionVideo !== null],
    ["documents", sorted(guide.documents)],
    ["featuredDocument", guide.featuredDocument],
    ["prerequisites", guide.prerequisites],
    ["tags", sorted(guide.tags)],
    ["public", guide.public],
    ["archived", guide.archived],
    ["author", guide.author?.uniqueName ?? null],
    ["comments", guide.comments.length],
    ["releases", guide.releases.length],
    ["workLogEnabled", guide.workLogEnabled === true],
    ["viewers.users", sorted((guide.viewers?.users ?? []).map((user) => user.uniqueName ?? user.name))],
    ["viewers.teams", sorted((guide.viewers?.teams ?? []).map((team) => team.name))],
    ["dates", [guide.createdDate, guide.publishedDate, guide.modifiedDate]],
    ["parts.length", guide.parts.length],
    ...guide.parts.flatMap((part, index) => partsFields(`parts[${index}]`, part)),
    ["tools.length", guide.tools.length],
    ...guide.tools.flatMap((part, index) => partsFields(`tools[${index}]`, part)),
  ]);
}

function wikiFields(wiki: Wiki): Fields {
  return new Map<string, unknown>([
    ["title", wiki.title],
    ["displayTitle", text(wiki.displayTitle ?? wiki.title)],
    ["language", wiki.language],
    ["contents", text(wiki.contents)],
    ["description", text(wiki.description)],
    ["image", wiki.image],
    ["flags", sorted(wiki.flags)],
    ["documents", sorted(wiki.documents)],
    ["tags", sorted(wiki.tags)],
    ["info", wiki.info],
    ["suppliers", wiki.suppliers],
    ["tableOfContents", wiki.tableOfContents === true],
    ["pageTitle", ownPageTitle(wiki) ?? ""],
    ["parent", wiki.parent],
    ["position", wiki.position],
    ["author", wiki.author?.uniqueName ?? null],
    ["dates", [wiki.createdDate, wiki.modifiedDate]],
    ...(wiki.translations ?? []).flatMap(translationFields),
  ]);
}

function translationFields(translation: WikiTranslation): readonly (readonly [string, unknown])[] {
  const path = `translations.${translation.language}`;
  return [
    [`${path}.displayTitle`, text(translation.displayTitle ?? "")],
    [`${path}.contents`, text(translation.contents)],
    [`${path}.description`, text(translation.description)],
  ];
}

export function stepsFields(aligned: Aligned): Fields {
  const fields: FieldMap = new Map();
  addSteps(fields, aligned);
  return fields;
}

/** Most fields of a guide are those of its lines, so no list of them is made on the way. */
function addSteps(fields: FieldMap, { steps, order, others }: Aligned): void {
  fields.set("steps.order", order).set("steps.others", others);
  for (const [index, step] of steps.entries()) {
    if (step === undefined) continue;
    const path = `steps[${index}]`;
    fields
      .set(`${path}.title`, text(step.title))
      .set(`${path}.media`, mediaFields(step.media))
      .set(`${path}.comments`, step.comments.length)
      .set(`${path}.lines.length`, step.lines.length);
    for (const [place, line] of step.lines.entries()) {
      fields
        .set(`${path}.lines[${place}].text`, text(line.text))
        .set(`${path}.lines[${place}].bullet`, line.bullet)
        .set(`${path}.lines[${place}].level`, line.level)
        .set(`${path}.lines[${place}].bulletStyle`, line.bulletStyle !== null);
    }
  }
}

function mediaFields(media: StepMedia): unknown {
  if (media.type === "images") return media.images.length === 0 ? "none" : media.images;
  return media.type;
}

function partsFields(path: string, part: Part): readonly (readonly [string, unknown])[] {
  return [
    [path, partFields(part)],
    [`${path}.optional`, part.optional === true],
    [`${path}.featured`, part.featured === true],
  ];
}

/** The site replaces a name by its canonical title (api-facts 4.1): letter case is ignored. */
function partFields(part: Part): unknown {
  return [text(part.name).toLowerCase(), text(part.type), part.quantity ?? 1, text(part.notes)];
}

/** Sites trim texts when they save them (wiki-syntax 1). */
function text(value: string): string {
  const lines = value.includes("\r") ? value.replace(/\r\n?/g, "\n") : value;
  return (BLANK_AT_END.test(lines) ? lines.replace(/(?<![ \t])[ \t]+$/gm, "") : lines).trim();
}

/** Of a line before the last. Few texts have one, and this search is faster than the removal. */
const BLANK_AT_END = /[ \t][\n\u2028\u2029]/;

function sorted(values: readonly string[]): readonly string[] {
  return [...values].sort();
}

interface Aligned {
  readonly steps: readonly (Step | undefined)[];
  readonly order: readonly number[];
  readonly others: number;
}

/** By ids, so that a deleted or added step does not make all later ones look changed. */
function alignSteps(ids: readonly (string | undefined)[], remote: Guide["steps"]): Aligned {
  const byId = new Map(remote.map((step) => [step.key.slice(step.key.indexOf("/") + 1), step]));
  const steps = ids.map((id) => (id === undefined ? undefined : byId.get(id)));
  const places = remote.map((step) => steps.indexOf(step));
  return { steps, order: places.filter((place) => place >= 0), others: places.filter((place) => place < 0).length };
}

/** Finds the source's media for those of the target, by the ids in the ledger. */
class KnownMedia {
  readonly #ledger: Pick<Ledger, "keyOf">;
  /** The source's media by the ids in the answers to the writes of this item. */
  readonly #shown = new Map<Key, Key>();

  constructor(ledger: Pick<Ledger, "keyOf">, item: Key, written: Loaded["written"], expected: Guide | Wiki) {
    this.#ledger = ledger;
    this.#note(written.get(item), some(expected.image));
    for (const { key, media } of "steps" in expected ? expected.steps : [])
      this.#note(written.get(key), media.type === "images" ? media.images : []);
  }

  #note(written: Written | undefined, expected: readonly Key[]): void {
    const shown = Array.isArray(written?.facts["images"]) ? written.facts["images"].map(String) : [];
    if (shown.length === expected.length)
      for (const [place, key] of expected.entries()) this.#shown.set(`image/${shown[place]}`, key);
  }

  /**
   * An unknown id counts as what should be in its place: a site gives images that it crops or
   * encodes again their own ids, some time after the write (api-facts 4.5). The id of another known
   * thing means that somebody replaced it.
   */
  async list(remote: readonly Key[], expected: readonly Key[]): Promise<readonly Key[]> {
    return Promise.all(remote.map((key, place) => this.#sourceKeyOf(key, expected[place])));
  }

  async #sourceKeyOf(remote: Key, expected: Key | undefined): Promise<Key> {
    if (remote === expected) return remote;
    const shown = this.#shown.get(remote);
    if (shown !== undefined) return shown;
    const isOurs = (await this.#ledger.keyOf(kindOf(remote), restOf(remote))) !== undefined;
    return isOurs ? remote : (expected ?? remote);
  }

  async one(remote: Key | null, expected: Key | null): Promise<Key | null> {
    const [key] = await this.list(some(remote), some(expected));
    return key ?? null;
  }

  async guide(remote: Guide, expected: Guide): Promise<Guide> {
    return {
      ...remote,
      image: await this.one(remote.image, expected.image),
      documents: await this.list(remote.documents, expected.documents),
      featuredDocument: await this.one(remote.featuredDocument, expected.featuredDocument),
    };
  }

  async step(remote: Step, expected: Step | undefined): Promise<Step> {
    if (remote.media.type !== "images" || expected?.media.type !== "images") return remote;
    const images = await this.list(remote.media.images, expected.media.images);
    return { ...remote, media: { ...remote.media, images } };
  }
}

function some(key: Key | null): readonly Key[] {
  return key === null ? [] : [key];
}
