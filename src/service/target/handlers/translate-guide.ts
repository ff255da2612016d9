import type { Receipt, Written } from "../../../core/contracts.js";
import { FerryError, StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import type { Key } from "../../../core/model/key.js";
import { asJson, stepsIn } from "../as-left.js";
import { guidePlace, lookAt, stepPlace } from "../guide-translation.js";
import type { Handler, Work } from "../parts.js";
import { type LeftTranslation, leftOf, putTranslation, stateOf, type TranslationPlace } from "../put-translation.js";
import { writeText } from "../write-text.js";

type Translating = Work<CallOf<"translate-guide">>;
type Json = Readonly<Record<string, unknown>>;
type Result = Omit<Receipt, "issues">;

/** What is noted of a guide's translation. */
export interface GuideTranslation extends LeftTranslation {
  /** Of the guide at the target that it is of: one that was made anew has another. */
  readonly id: string;
  /** Its steps as they stood when it was started, by their ids. */
  readonly steps: Readonly<Record<string, LeftTranslation>>;
}

/** What stands there is not as we left it, or not there yet: the next run looks again. */
const OPEN: Result = { written: [], missing: [], open: true };

/**
 * Starts the translation of a guide, or changes ours: PATCH with a `langid`, where a probe showed that the site takes it. One that others made or
 * edited is theirs, unless `--on-existing` or `--on-conflict` is `update`.
 */
export const translateGuide: Handler<CallOf<"translate-guide">> = async (work) => {
  const { call, context, operation } = work;
  const guide = await context.written(call.guide);
  if (guide === undefined || guide.adopted) return OPEN;
  const missing = new Set<Key>();
  const json = await bodyOf(work, missing);
  const place = guidePlace(work, guide.id);
  const known = translationIn(await context.recall(operation.id), guide.id);
  const standing = known ?? (await standsThere(work, place, guide, json));
  if (standing === undefined) return OPEN;
  try {
    const answer = await putTranslation(work, place, json, standing);
    if (!place.isIn(answer)) throw overwritten(work, guide);
    const steps = known?.steps ?? (await stepsAsStarted(work, guide, answer, standing));
    const noted: GuideTranslation = { id: guide.id, ...stateOf(place, answer), steps };
    await context.remember(operation.id, JSON.stringify(noted));
  } catch (error) {
    if (!(error instanceof StatusError) || error.status !== 422) throw error;
    refused(work, error);
  }
  return { written: [], missing: [...missing] };
};

/** What was noted of a translation of this guide; undefined: nothing, or of another guide in its place. */
export function translationIn(memo: string | undefined, guide: string): GuideTranslation | undefined {
  if (memo === undefined || memo === "") return undefined;
  const json = asJson(JSON.parse(memo));
  if (json["id"] !== guide) return undefined;
  const steps = Object.entries(asJson(json["steps"])).map(([id, step]) => [id, leftOf(step)] as const);
  return { id: guide, ...leftOf(json), steps: Object.fromEntries(steps) };
}

async function bodyOf(work: Translating, missing: Set<Key>): Promise<Json> {
  const { title, summary, introduction, conclusion } = work.call.fields;
  return {
    title,
    summary,
    introduction: await writeText(work, introduction, "page", "introduction", missing),
    conclusion: await writeText(work, conclusion, "page", "conclusion", missing),
  };
}

/** What there is of the guide in this language, before our first write of it. undefined: it is somebody's and stays. */
async function standsThere(
  work: Translating,
  place: TranslationPlace,
  guide: Written,
  json: Json,
): Promise<LeftTranslation | undefined> {
  const { desk, operation } = work;
  const current = await place.look();
  // None: it starts from the guide, whose revision is asked for. There is nothing that it could overwrite.
  if (current === undefined) return { revision: guide.revision, left: "", isNew: true };
  if (place.carries(current, json) || desk.onExisting === "update") return stateOf(place, current);
  if (desk.onExisting === "fail")
    throw new FerryError(
      `${operation.label} exists at ${desk.client.root} already and is not ours. Choose --on-existing adopt (leave it) or update (put the source's over it).`,
    );
  work.report({
    code: "conflict-skipped",
    level: "loss",
    path: "",
    message: `${operation.label}: somebody made one at ${desk.client.root}, and it was left as it is there.`,
    remedy: "To put the source's over it, run again with --on-existing update.",
  });
  return undefined;
}

/** As they stand now; those of a translation that was not there before us are nobody's. */
async function stepsAsStarted(
  work: Translating,
  guide: Written,
  answer: unknown,
  { isNew }: LeftTranslation,
): Promise<Readonly<Record<string, LeftTranslation>>> {
  // Whether the answer to a write has the translation's steps no document says.
  const json = stepsIn(answer).length > 0 ? answer : await lookAt(work, guide.id, work.call.language);
  const place = stepPlace(work, guide.id, "");
  const steps = stepsIn(json).map((step) => {
    const state = stateOf(place, step);
    return [String(step["stepid"]), isNew === true ? { ...state, isNew } : state] as const;
  });
  return Object.fromEntries(steps);
}

function overwritten({ call, operation, desk }: Translating, guide: Written): FerryError {
  return new FerryError(
    `${operation.label}: ${desk.client.root} answered in another language than ${call.language}, so the text of the guide's own language may have been written over. ` +
      `Compare guide ${guide.id} with \`guideferry verify\`.`,
  );
}

function refused(work: Translating, error: StatusError): void {
  work.report({
    code: "translation-refused",
    level: "loss",
    path: "",
    message: `Its translation into ${work.call.language} is not carried: the site refused it. ${error.message}`,
    remedy: "Switch the language on at the target. The translation is sent again when it changes at the source.",
  });
}
