import type { CallOf } from "../../../model/call.js";
import { guideAsLeft } from "../as-left.js";
import { sendGuarded } from "../guarded.js";
import { guideBody, withoutEmpty } from "../guide-body.js";
import type { Handler } from "../parts.js";

/**
 * Creates a guide, private and without flags, or changes its fields. `author` is never sent here: a guide of another author
 * would not be found again among the account's own (architecture, "How find is certain").
 */
export const saveGuide: Handler<CallOf<"save-guide">> = async (work) => {
  const { desk, call, context, signal } = work;
  const { json, missing } = await guideBody(work, call.fields);
  const before = await context.written(call.guide);
  if (before !== undefined) {
    const edit = {
      method: "PATCH",
      path: `guides/${before.id}`,
      json,
      written: before,
      compared: "guide",
      fields: desk.dialect().revisionFields,
    } as const;
    return { written: [guideAsLeft(call.guide, await sendGuarded(work, edit))], missing };
  }
  const { identity } = desk.survey();
  const language = call.fields.language === identity.language ? undefined : call.fields.language;
  const body = { ...withoutEmpty(json), public: false, ...(language === undefined ? {} : { langid: language }) };
  await context.begin({ after: desk.highestGuide(), sent: body, missing });
  const { json: answer } = await desk.client.send({ method: "POST", path: "guides", json: body, create: true }, signal);
  desk.learn(answer);
  return { written: [guideAsLeft(call.guide, answer)], missing };
};
