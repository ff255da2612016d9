import { StatusError } from "../../../errors.js";
import type { CallOf } from "../../../model/call.js";
import { guideAsLeft } from "../as-left.js";
import { sendGuarded } from "../guarded.js";
import { guideBody, withoutEmpty } from "../guide-body.js";
import { reportLeftovers } from "../leftovers.js";
import type { Handler, Work } from "../parts.js";

/**
 * Creates a guide, private and without flags, or changes its fields. `author` is never sent here: a guide of another author
 * would not be found again among the account's own (architecture, "How find is certain").
 */
export const saveGuide: Handler<CallOf<"save-guide">> = async (work) => {
  const { desk, call, context } = work;
  // Asked before the body is made: another guide's answer may tell what the site is while this one is under way.
  const isGuess = desk.survey().identity.dialect === "unknown";
  const before = await context.written(call.guide);
  const { json, missing } = await guideBody(work, call.fields, before);
  if (before !== undefined) {
    const edit = {
      method: "PATCH",
      path: `guides/${before.id}`,
      json,
      written: before,
      compared: "guide",
      fields: desk.dialect().revisionFields,
    } as const;
    const answer = await sendGuarded(work, edit);
    reportLeftovers(work, call.fields, answer);
    return { written: [guideAsLeft(call.guide, answer)], missing };
  }
  const { identity } = desk.survey();
  const language = call.fields.language === identity.language ? undefined : call.fields.language;
  const body = { ...withoutEmpty(json), public: false, ...(language === undefined ? {} : { langid: language }) };
  await context.begin({ after: desk.highestGuide(), sent: body, missing });
  const answer = await create(work, body, isGuess);
  desk.learn(answer);
  reportLeftovers(work, call.fields, answer);
  return { written: [guideAsLeft(call.guide, answer)], missing };
};

/**
 * Nobody knows what an empty site is before its first answer. If it refuses the fullest body (422), it surely made nothing,
 * and gets the one without the work log, which only Dozuki has; the losses name it once the dialect is known.
 */
async function create(
  work: Work<CallOf<"save-guide">>,
  body: Readonly<Record<string, unknown>>,
  isGuess: boolean,
): Promise<unknown> {
  const { desk, signal } = work;
  const send = async (json: unknown): Promise<unknown> =>
    (await desk.client.send({ method: "POST", path: "guides", json, create: true }, signal)).json;
  try {
    return await send(body);
  } catch (error) {
    const isRefused = error instanceof StatusError && error.status === 422;
    if (!isGuess || !isRefused || !("work_log_enabled" in body)) throw error;
    const { work_log_enabled: _workLog, ...plain } = body;
    return send(plain);
  }
}
