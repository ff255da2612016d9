import type { Receipt } from "../../../core/contracts.js";
import { FerryError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import { writable } from "../../wire/write/writable.js";
import { asJson, guideAsLeft } from "../as-left.js";
import { tellAdopted } from "../existing-adopted.js";
import { edit, openIf } from "../guarded.js";
import { guideBody, withoutEmpty } from "../guide-body.js";
import type { Named } from "../guide-titles.js";
import { reportLeftovers } from "../leftovers.js";
import { guideOfTitle, nameAtTarget } from "../match-title.js";
import { factsOfCreate } from "../merge/standing-apart.js";
import type { Handler, Work } from "../parts.js";
import { asTaken, reportUntaken, sendTaken } from "../send-taken.js";
import { takeOverGuide } from "../take-over.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * Creates a guide, private and without flags, or changes its fields. `author` is never sent here: a guide of another author
 * would not be found again among the account's own (architecture, "How find is certain").
 */
export const saveGuide: Handler<CallOf<"save-guide">> = async (work) => {
  const { desk, call, context } = work;
  const before = await context.written(call.guide);
  if (before?.adopted === true) return existed(work, await read(work, before.id));
  const existing =
    before === undefined ? await guideOfTitle({ ...work, label: work.operation.label }, await nameOf(work)) : undefined;
  if (existing !== undefined) return existed(work, existing);
  const { json, missing } = await guideBody(work, call.fields, before);
  if (before !== undefined) {
    const patch = { method: "PATCH", path: `guides/${before.id}`, written: before, compared: "guide" } as const;
    const edited = await sendTaken(work, json, (body) => edit(work, { ...patch, json: body }));
    reportLeftovers(work, call.fields, edited.json);
    reportUntaken(work, json, edited.json);
    return { written: [guideAsLeft(call.guide, edited.json, edited.facts)], missing, ...openIf(edited) };
  }
  const { identity } = desk.survey();
  const language = call.fields.language === identity.language ? undefined : call.fields.language;
  const full = { ...withoutEmpty(json), public: false, ...(language === undefined ? {} : { langid: language }) };
  const body = await asTaken(work, full);
  await context.begin({ after: desk.highestGuide(), sent: body, missing });
  const answer = await sendTaken(work, body, (taken) => create(work, taken));
  desk.learn(answer);
  reportLeftovers(work, call.fields, answer);
  reportUntaken(work, full, answer);
  return { written: [guideAsLeft(call.guide, answer, factsOfCreate("guide", body, answer))], missing };
};

function nameOf({ call, context }: Work<CallOf<"save-guide">>): Promise<Named> {
  return nameAtTarget(call.fields, context);
}

async function read({ desk, signal }: Work, id: string): Promise<Json> {
  const query = { excludePrerequisiteSteps: true as const };
  return asJson((await desk.client.get(`guides/${id}`, { query }, signal)).json);
}

/** One of the same title was there before us, and is not ours. */
async function existed(work: Work<CallOf<"save-guide">>, guide: Json): Promise<Omit<Receipt, "issues">> {
  const { desk, call, operation } = work;
  if (desk.onExisting === "update") return takeOverGuide(work, guide);
  if (desk.onExisting === "fail") {
    throw new FerryError(
      `${operation.label} exists at ${desk.client.root} already, as guide ${String(guide["guideid"])}, and is not ours. Choose --on-existing adopt (use it as it is) or update (put the source's content over it), or run without --match title.`,
    );
  }
  // Nothing of it is sent, its media neither: what they lack is no loss.
  const { json: wanted } = await guideBody({ ...work, report: () => undefined }, call.fields, undefined);
  tellAdopted(work, "guide", writable("guide", guide), wanted);
  return { written: [{ ...guideAsLeft(call.guide, guide), adopted: true }], missing: [] };
}

async function create({ desk, signal }: Work, json: Json): Promise<unknown> {
  return (await desk.client.send({ method: "POST", path: "guides", json, create: true }, signal)).json;
}
