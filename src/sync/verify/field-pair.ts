import type { Ledger, Survey } from "../../core/contracts.js";
import type { Guide } from "../../core/model/guide.js";
import type { GuideItem, Item, WikiItem } from "../../core/model/item.js";
import { canonicalJson } from "../../core/util/canonical-json.js";
import { translatedSteps } from "../translations/translated-guide.js";
import { isTranslation } from "../translations/translation-key.js";
import { alignSteps } from "./align-steps.js";
import type { AtHome } from "./at-home.js";
import { type Fields, guideFields, stepsFields, wikiFields } from "./compared-fields.js";
import { KnownMedia } from "./known-media.js";

/** A thing as it should be, and as it was read back. */
export interface FieldPair {
  readonly expected: Fields;
  readonly present: Fields;
  /** Paths of what is left out on purpose because its goal is not at the target. */
  readonly lacking: readonly string[];
  /** The ids of our steps at the target, in our places. */
  readonly steps: readonly (string | undefined)[];
}

/** What comparing asks of a load. */
export interface ComparingJob {
  readonly survey: Survey;
  readonly ledger: Pick<Ledger, "loaded" | "keyOf">;
}

/** What can be compared of an item and of what stands for it at the target. */
export async function fieldPair(job: ComparingJob, home: AtHome, item: Item, actual: Item): Promise<FieldPair> {
  if (item.kind === "guide" && actual.kind === "guide") return guidePair(job, home, item, actual);
  if (isPage(item) && isPage(actual)) return pagePair(job, home, item, actual);
  return { expected: new Map(), present: new Map(), lacking: [], steps: [] };
}

async function guidePair(job: ComparingJob, home: AtHome, item: GuideItem, actual: GuideItem): Promise<FieldPair> {
  const lacking: string[] = [];
  const guide = await home.guide(item.body, lacking);
  const places = guide.steps.map((_, index) => index);
  const expected = new Map([...guideFields(guide), ...stepsFields({ steps: guide.steps, order: places, others: 0 })]);
  const { written: own } = await job.ledger.loaded(item.key);
  // Only at home a translation is known as written.
  const isTranslated = isTranslation(item.key) && own.size === 0;
  const written = isTranslated ? await translatedSteps(job.ledger, item.key, guide) : own;
  const media = new KnownMedia(job.ledger, item.key, written, guide);
  const ids = guide.steps.map((step) => written.get(step.key)?.id);
  const steps = await presentSteps(media, ids, guide, actual.body);
  const present = new Map([...guideFields(await media.guide(actual.body, guide)), ...steps]);
  if (isTranslated) return { expected: textsOf(expected), present: textsOf(present), lacking: [], steps: ids };
  return { expected, present: withoutServerFlags(job.survey, present, expected), lacking, steps: ids };
}

/** All else a translation has from its guide. */
const TRANSLATED =
  /^(?:language|title|summary|introduction|conclusion|steps\[\d+\]\.(?:title|lines(?:\.length|\[\d+\]\.(?:text|bullet|level))))$/;

function textsOf(fields: Fields): Fields {
  return new Map([...fields].filter(([path]) => TRANSLATED.test(path)));
}

/** `ids`: of our steps at the target, in their order. */
async function presentSteps(
  media: KnownMedia,
  ids: readonly (string | undefined)[],
  expected: Guide,
  actual: Guide,
): Promise<Fields> {
  const aligned = alignSteps(ids, actual.steps);
  const steps = await Promise.all(
    aligned.steps.map(async (step, place) => step && (await media.step(step, expected.steps[place]))),
  );
  // A step that is missing has been told by then: the order is that of the others.
  const order = steps.flatMap((step, place) => (step === undefined ? [] : [place]));
  const isInOrder = canonicalJson([order]) === canonicalJson([aligned.order]);
  return stepsFields({ ...aligned, steps, order: isInOrder ? steps.map((_, place) => place) : aligned.order });
}

/** Guide flags that the account can't set are the site's own business: the server puts some on every new guide (api-facts 4.8). */
function withoutServerFlags({ flags: settable }: Survey, fields: Fields, expected: Fields): Fields {
  const wanted = expected.get("flags") as readonly string[] | undefined;
  const flags = fields.get("flags") as readonly string[] | undefined;
  if (settable === null || flags === undefined) return fields;
  return new Map([...fields, ["flags", flags.filter((flag) => settable.includes(flag) || wanted?.includes(flag))]]);
}

async function pagePair(job: ComparingJob, home: AtHome, item: WikiItem, actual: WikiItem): Promise<FieldPair> {
  const lacking: string[] = [];
  const wiki = await home.wiki(item.body, lacking);
  const languages = new Set((wiki.translations ?? []).map(({ language }) => language));
  const { written } = await job.ledger.loaded(item.key);
  const media = new KnownMedia(job.ledger, item.key, written, wiki);
  const read = {
    ...actual.body,
    image: await media.one(actual.body.image, wiki.image),
    documents: await media.list(actual.body.documents, wiki.documents),
    // A source that tells no place among the siblings says nothing of the one at the target.
    position: wiki.position === null ? null : actual.body.position,
    // A language that others translated it into is theirs.
    translations: (actual.body.translations ?? []).filter(({ language }) => languages.has(language)),
  };
  return { expected: wikiFields(wiki), present: wikiFields(read), lacking, steps: [] };
}

function isPage(item: Item): item is WikiItem {
  return item.kind === "wiki" || item.kind === "category";
}
