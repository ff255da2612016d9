import { FerryError, StatusError } from "../../core/errors.js";
import type { CallOf } from "../../core/model/call.js";
import type { GuideItem } from "../../core/model/item.js";
import { type Key, originalGuide, originalStep } from "../../core/model/key.js";
import { digest, type JsonObject, objectIn } from "../../core/util/json.js";
import type { Body, Operation, Receipt, Written } from "../../core/writing.js";
import { type Compared, plainField, sameField } from "../wire/compared-fields.js";
import { writable } from "../wire/writable.js";
import type { Handler, Work } from "./context.js";
import { operation, type PlanOptions } from "./planned-operation.js";
import { putTranslation, type TranslationPlace, writtenTranslationNow } from "./put-translation.js";
import { lineBodies, writeText } from "./texts.js";
import {
  type GuideTranslation,
  stepsIn,
  type WrittenTranslation,
  writtenGuideTranslation,
  writtenTranslationOf,
} from "./written-body.js";

/**
 * The operations for the texts of a guide, and of its steps, in another language. None unless a
 * probe showed that the site accepts translations, since no create exists (api-facts 4.1).
 */
export function planGuideTranslation(item: GuideItem, language: string, options: PlanOptions): readonly Operation[] {
  if (options.takesTranslations?.() !== true) return [];
  const { key, body } = item;
  const guide = originalGuide(key);
  const common = { guide, translation: key, language };
  const label = `guide ${body.id} "${body.title}" in ${language}`;
  const { title, summary, introduction, conclusion, steps } = body;
  const own = operation(
    {
      id: key,
      item: key,
      label,
      call: { verb: "translate-guide", ...common, fields: { title, summary, introduction, conclusion } },
      needs: [...new Set([...options.mediaIn(introduction, "page"), ...options.mediaIn(conclusion, "page")])],
    },
    options.output,
  );
  const ofSteps = steps.map((step, index) =>
    operation(
      {
        id: `${key}/${step.key}`,
        item: key,
        label: `${label}, step ${index + 1}`,
        call: {
          verb: "translate-step",
          ...common,
          step: originalStep(step.key),
          translated: step.key,
          fields: { title: step.title, lines: step.lines },
        },
        needs: [...new Set(step.lines.flatMap(({ text }) => options.mediaIn(text, "line")))],
      },
      options.output,
    ),
  );
  return [own, ...ofSteps];
}

type TranslateGuideWork = Work<CallOf<"translate-guide">>;
type Result = Omit<Receipt, "issues">;

const OPEN: Result = { written: [], missing: [], open: true };

/**
 * Creates or edits the translation of a guide: PATCH with a `langid`. One that somebody else
 * created stays, unless `--on-existing` or `--on-conflict` is `update`.
 */
export const translateGuide: Handler<CallOf<"translate-guide">> = async (work) => {
  const { call, context, operation } = work;
  const guide = await context.written(call.guide);
  if (guide === undefined || guide.adopted) return OPEN;
  const missing = new Set<Key>();
  const json = await bodyOf(work, missing);
  const place = guidePlace(work, guide.id);
  const known = writtenGuideTranslation(await context.recall(operation.id), guide.id);
  const existing = known ?? (await existingGuideTranslation(work, place, guide, json));
  if (existing === undefined) return OPEN;
  try {
    const answer = await putTranslation(work, place, json, existing);
    if (!place.isIn(answer)) throw overwritten(work, guide);
    const steps = known?.steps ?? (await stepsAsStarted(work, guide, answer, existing));
    const noted: GuideTranslation = { id: guide.id, ...writtenTranslationNow(place, answer), steps };
    await context.remember(operation.id, JSON.stringify(noted));
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 422) throw error;
    reportRefusedGuide(work, error);
  }
  return { written: [], missing: [...missing] };
};

async function bodyOf(work: TranslateGuideWork, missing: Set<Key>): Promise<JsonObject> {
  const { title, summary, introduction, conclusion } = work.call.fields;
  return {
    title,
    summary,
    introduction: await writeText(work, introduction, { where: "page", path: "introduction" }, missing),
    conclusion: await writeText(work, conclusion, { where: "page", path: "conclusion" }, missing),
  };
}

/** The translation before the first write. undefined: somebody else created it, and it stays. */
async function existingGuideTranslation(
  work: TranslateGuideWork,
  place: TranslationPlace,
  guide: Written,
  json: JsonObject,
): Promise<WrittenTranslation | undefined> {
  const { site, operation } = work;
  const current = await place.look();
  // There is none: it starts from the guide's revision and overwrites nothing.
  if (current === undefined) return { revision: guide.revision, left: "", isNew: true };
  if (place.carries(current, json) || site.onExisting === "update") return writtenTranslationNow(place, current);
  if (site.onExisting === "fail")
    throw new FerryError(
      `${operation.label} already exists at ${site.client.root}, and guideferry did not create it. Choose --on-existing adopt (keep it) or --on-existing update (replace it with the source's).`,
    );
  work.report({
    code: "conflict-skipped",
    level: "loss",
    path: "",
    message: `${operation.label}: somebody else created one at ${site.client.root}, and it was kept.`,
    remedy: "To replace it with the source's translation, run again with --on-existing update.",
  });
  return undefined;
}

/** The steps of a new translation have no author yet, so they may be overwritten. */
async function stepsAsStarted(
  work: TranslateGuideWork,
  guide: Written,
  answer: unknown,
  { isNew }: WrittenTranslation,
): Promise<Readonly<Record<string, WrittenTranslation>>> {
  // No document says whether the answer to a write has the steps of the translation.
  const json = stepsIn(answer).length > 0 ? answer : await lookAt(work, guide.id, work.call.language);
  const place = stepPlace(work, guide.id, "");
  const steps = stepsIn(json).map((step) => {
    const state = writtenTranslationNow(place, step);
    return [String(step["stepid"]), isNew === true ? { ...state, isNew } : state] as const;
  });
  return Object.fromEntries(steps);
}

function overwritten({ call, operation, site }: TranslateGuideWork, guide: Written): FerryError {
  return new FerryError(
    `${operation.label}: ${site.client.root} answered in another language than ${call.language}, so it may have replaced the text in the guide's own language. ` +
      `Compare guide ${guide.id} with \`guideferry verify\`.`,
  );
}

function reportRefusedGuide(work: TranslateGuideWork, error: StatusError): void {
  work.report({
    code: "translation-refused",
    level: "loss",
    path: "",
    message: `Its translation into ${work.call.language} was left out: the site refused it. ${error.message}`,
    remedy: "Enable the language on the target. guideferry sends the translation again when it changes at the source.",
  });
}

type TranslateStepWork = Work<CallOf<"translate-step">>;

const STEP_OPEN: Omit<Receipt, "issues"> = { written: [], missing: [], open: true };

/** Sends a step in another language: PATCH with a `langid`, after its guide's translation. */
export const translateStep: Handler<CallOf<"translate-step">> = async (work) => {
  const { call, context, operation } = work;
  const guide = await context.written(call.guide);
  const translation = guide && writtenGuideTranslation(await context.recall(call.translation), guide.id);
  // The guide reports why its translation is not there.
  if (guide === undefined || guide.adopted || translation === undefined) return STEP_OPEN;
  const step = await context.written(call.step);
  if (step === undefined) return without(work);
  const missing = new Set<Key>();
  const lines = await lineBodies(work, call.fields.lines, call.translated, missing);
  const json = { title: call.fields.title, lines };
  const place = stepPlace(work, guide.id, step.id);
  const existing =
    stepNoted(await context.recall(operation.id), step.id) ??
    (await existingStepTranslation(work, place, translation, step, json));
  if (existing === undefined) return without(work);
  try {
    const answer = await putTranslation(work, place, json, existing);
    await context.remember(operation.id, JSON.stringify({ id: step.id, ...writtenTranslationNow(place, answer) }));
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 422) throw error;
    reportRefusedStep(work, error);
  }
  return { written: [], missing: [...missing] };
};

/** A recreated step has no note. */
function stepNoted(memo: string | undefined, id: string): WrittenTranslation | undefined {
  if (memo === undefined || memo === "") return undefined;
  const noted: { readonly id?: unknown } = JSON.parse(memo);
  return noted.id === id ? writtenTranslationOf(noted) : undefined;
}

/**
 * A step that existed when the translation was created, or a later one. It may be overwritten as
 * long as it has the text of the guide's own language.
 */
async function existingStepTranslation(
  work: TranslateStepWork,
  place: TranslationPlace,
  { steps }: GuideTranslation,
  step: Written,
  json: JsonObject,
): Promise<WrittenTranslation | undefined> {
  const started = steps[step.id];
  if (started !== undefined) return started;
  const current = await place.look();
  if (current === undefined) return undefined;
  const now = writtenTranslationNow(place, current);
  if (place.carries(current, json)) return now;
  const own = place.digest({ ...(await ownStep(work, step)) });
  // A text of its own makes the edit meet a conflict.
  return now.left === own ? { ...now, isNew: true } : { ...now, left: own };
}

async function ownStep({ context }: TranslateStepWork, { key }: Written): Promise<JsonObject> {
  const body = (await context.left(key)) ?? {};
  const { title, lines } = body;
  const rows = Array.isArray(lines) ? (lines as readonly JsonObject[]) : [];
  return { title, lines: rows.map(({ text, ...line }) => ({ ...line, text_raw: text })) };
}

function without(work: TranslateStepWork): Omit<Receipt, "issues"> {
  const { call } = work;
  work.report({
    code: "translation-step",
    level: "loss",
    path: call.translated,
    message: `The translation into ${call.language} of a step was left out: on the target, the guide has no such step in that language.`,
    remedy: "Run the same command again. If the message is still reported, translate the step by hand.",
  });
  return STEP_OPEN;
}

function reportRefusedStep(work: TranslateStepWork, error: StatusError): void {
  const { call } = work;
  work.report({
    code: "translation-refused",
    level: "loss",
    path: call.translated,
    message: `The translation into ${call.language} of a step was left out: the site refused it. ${error.message}`,
    remedy: "guideferry sends the step again when it changes at the source.",
  });
}

type TranslationWork = Work & { readonly call: { readonly guide: string; readonly language: string } };

/** The fields that have a text in each language. */
const TEXTS = {
  guide: ["title", "summary", "introduction", "conclusion"],
  step: ["title", "lines"],
} as const satisfies Partial<Record<Compared, readonly string[]>>;

function guidePlace(work: TranslationWork, id: string): TranslationPlace {
  const { guide, language } = work.call;
  return {
    ...textsOf("guide"),
    path: `guides/${id}`,
    language,
    thing: `translation/${language}/${guide}`,
    look: () => lookAt(work, id, language),
    isIn: (json) => isInLanguage(language, json),
  };
}

/** The answers for steps name no language. The translation exists at this point. */
function stepPlace(work: TranslationWork, guide: string, id: string): TranslationPlace {
  const { language } = work.call;
  return {
    ...textsOf("step"),
    path: `guides/${guide}/steps/${id}`,
    language,
    thing: `translation/${language}/step/${id}`,
    look: async () => stepIn(await lookAt(work, guide, language), id),
    isIn: () => true,
  };
}

function textsOf(of: keyof typeof TEXTS): Pick<TranslationPlace, "digest" | "carries" | "body"> {
  const body = (json: unknown): Body => {
    const whole = writable(of, json);
    return Object.fromEntries(TEXTS[of].map((field) => [field, whole[field]]));
  };
  return {
    body,
    digest: (json) => digest(Object.entries(body(json)).map(([field, value]) => [field, plainField(field, value)])),
    carries: (json, sent) => Object.keys(sent).every((field) => sameField(field, body(json)[field], sent[field])),
  };
}

/** undefined: none (404 with `unpatrolled`, else the own language: api-facts 3.1). */
async function lookAt({ site, signal }: Work, id: string, language: string): Promise<unknown> {
  const query = { langid: language, unpatrolled: true, excludePrerequisiteSteps: true } as const;
  const { status, json } = await site.client.get(`guides/${id}`, { query, expect: [404] }, signal);
  return status !== 404 && isInLanguage(language, json) ? json : undefined;
}

function stepIn(guide: unknown, id: string): unknown {
  const { steps } = objectIn(guide);
  return Array.isArray(steps) ? steps.map(objectIn).find((step) => String(step["stepid"]) === id) : undefined;
}

function isInLanguage(language: string, json: unknown): boolean {
  const { langid, locale } = objectIn(json);
  const named = [langid, locale].filter((one) => typeof one === "string");
  return named.length > 0 && named.every((one) => one === language);
}
