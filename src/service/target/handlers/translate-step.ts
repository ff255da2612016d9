import type { Receipt, Written } from "../../../core/contracts.js";
import { StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import type { Key } from "../../../core/model/key.js";
import { stepPlace } from "../guide-translation.js";
import type { Handler, Work } from "../parts.js";
import { type LeftTranslation, leftOf, putTranslation, stateOf, type TranslationPlace } from "../put-translation.js";
import { lineBodies } from "../step-lines.js";
import { type GuideTranslation, translationIn } from "./translate-guide.js";

type Translating = Work<CallOf<"translate-step">>;
type Json = Readonly<Record<string, unknown>>;

/** What stands there is somebody's, or not there yet: the next run looks again. */
const OPEN: Omit<Receipt, "issues"> = { written: [], missing: [], open: true };

/** Puts the texts of a step in another language: PATCH with a `langid`, after the guide's own translation. */
export const translateStep: Handler<CallOf<"translate-step">> = async (work) => {
  const { call, context, operation } = work;
  const guide = await context.written(call.guide);
  const translation = guide && translationIn(await context.recall(call.translation), guide.id);
  // Refused, or somebody's: that is told of the guide.
  if (guide === undefined || guide.adopted || translation === undefined) return OPEN;
  const step = await context.written(call.step);
  if (step === undefined) return without(work);
  const missing = new Set<Key>();
  const lines = await lineBodies(work, call.fields.lines, call.translated, missing);
  const json = { title: call.fields.title, lines };
  const place = stepPlace(work, guide.id, step.id);
  const standing =
    stepNoted(await context.recall(operation.id), step.id) ?? (await standsThere(work, place, translation, step, json));
  if (standing === undefined) return without(work);
  try {
    const answer = await putTranslation(work, place, json, standing);
    await context.remember(operation.id, JSON.stringify({ id: step.id, ...stateOf(place, answer) }));
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 422) throw error;
    refused(work, error);
  }
  return { written: [], missing: [...missing] };
};

/** Of a step that was made anew since nothing is known. */
function stepNoted(memo: string | undefined, id: string): LeftTranslation | undefined {
  if (memo === undefined || memo === "") return undefined;
  const noted: { readonly id?: unknown } = JSON.parse(memo);
  return noted.id === id ? leftOf(noted) : undefined;
}

/** One that the translation has since it was started, or that the guide got later: then it is nobody's as long as it says what the guide does. */
async function standsThere(
  work: Translating,
  place: TranslationPlace,
  { steps }: GuideTranslation,
  step: Written,
  json: Json,
): Promise<LeftTranslation | undefined> {
  const started = steps[step.id];
  if (started !== undefined) return started;
  const current = await place.look();
  if (current === undefined) return undefined;
  const now = stateOf(place, current);
  if (place.carries(current, json)) return now;
  const own = place.digest({ ...(await ownStep(work, step)) });
  // As it says something of its own, the edit meets a conflict.
  return now.left === own ? { ...now, isNew: true } : { ...now, left: own };
}

/** The step in the guide's own language, as far as the ledger knows. */
async function ownStep({ context }: Translating, { key }: Written): Promise<Json> {
  const body = (await context.left(key)) ?? {};
  const { title, lines } = body;
  const rows = Array.isArray(lines) ? (lines as readonly Json[]) : [];
  return { title, lines: rows.map(({ text, ...line }) => ({ ...line, text_raw: text })) };
}

function without(work: Translating): Omit<Receipt, "issues"> {
  const { call } = work;
  work.report({
    code: "translation-step",
    level: "loss",
    path: call.translated,
    message: `The translation into ${call.language} of a step is not carried: the guide has no such step in that language at the target.`,
    remedy: "Run again; what is still told then, translate by hand.",
  });
  return OPEN;
}

function refused(work: Translating, error: StatusError): void {
  const { call } = work;
  work.report({
    code: "translation-refused",
    level: "loss",
    path: call.translated,
    message: `The translation into ${call.language} of a step is not carried: the site refused it. ${error.message}`,
    remedy: "The step is sent again when it changes at the source.",
  });
}
