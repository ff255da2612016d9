import type { Body, Receipt, Written } from "../../core/contracts.js";
import type { CallOf } from "../../core/model/call.js";
import { leftDigest } from "../wire/write/compared.js";
import { revisionIn } from "../wire/write/revision.js";
import { writable } from "../wire/write/writable.js";
import { asJson, guideAbsorbed, guideAsLeft, stepAsLeft, stepsIn } from "./as-left.js";
import { edit, NO_REVISION, openIf, openTokens } from "./guarded.js";
import { guideBody } from "./guide-body.js";
import { reportLeftovers } from "./leftovers.js";
import type { Work } from "./parts.js";
import { reportUntaken, sendTaken } from "./send-taken.js";

type Json = Readonly<Record<string, unknown>>;

/** A step of a guide that was there before us, as it was then: ours are put over them, in their order. */
export interface Spare {
  readonly id: string;
  readonly revision: string | null;
  readonly left: string | null;
  readonly body: Body;
}

/**
 * Puts the source's fields over a guide that was there before us; its steps wait until ours are put over them. It is private from then on
 * until the source's visibility is set, as every guide is that comes to be there: what is private at the source must not be seen.
 */
export async function takeOverGuide(work: Work<CallOf<"save-guide">>, guide: Json): Promise<Omit<Receipt, "issues">> {
  const { call, context, desk } = work;
  const spare = stepsIn(guide).map(spareOf);
  const found = guideAsLeft(call.guide, guide, { existed: true, spare });
  const { json, missing } = await guideBody(work, call.fields, found);
  await context.keep(call.guide, { id: found.id, body: writable("guide", guide) }, json);
  const path = `guides/${found.id}`;
  const written = await hidden(work, found, `${path}/public`);
  const patch = { method: "PATCH", path, written, compared: "guide" } as const;
  const edited = await sendTaken(work, json, (body) => edit(work, { ...patch, json: body }));
  desk.learn(edited.json);
  reportUntaken(work, json, edited.json);
  reportLeftovers(work, call.fields, edited.json);
  return { written: [guideAsLeft(call.guide, edited.json, edited.facts)], missing, ...openIf(edited) };
}

async function hidden(work: Work<CallOf<"save-guide">>, guide: Written, path: string): Promise<Written> {
  if (guide.facts["public"] !== true) return guide;
  const { json, facts } = await edit(work, {
    method: "DELETE",
    path,
    json: {},
    sends: { public: false },
    written: guide,
    compared: "guide",
    isDone: (current) => asJson(current)["public"] !== true,
  });
  return guideAsLeft(guide.key, json, facts);
}

function spareOf(step: Json): Spare {
  const { id, revision, left, body = {} } = stepAsLeft("step/0", step);
  return { id, revision, left, body };
}

/** The steps that nothing of ours was put over yet. */
export function sparesOf(guide: Written): readonly Spare[] {
  const { spare } = guide.facts;
  return Array.isArray(spare) ? (spare as readonly Spare[]) : [];
}

/** The guide without its first spare step. */
export function withoutSpare(guide: Written, taken: Spare): Written {
  const rest = sparesOf(guide).filter(({ id }) => id !== taken.id);
  return { ...guide, facts: { ...guide.facts, spare: rest.length === 0 ? undefined : rest } };
}

/** Removes the steps that the guide had more than ours; one that somebody edited since stays, and is listed. */
export async function removeSpares(work: Work, guide: Written): Promise<Written> {
  let now = guide;
  for (const spare of sparesOf(guide)) {
    const { id, body } = spare;
    await work.context.keep(`surplus/${guide.key}/${id}`, { id, body }, { deleted: true });
    const answer = await removeSpare(work, guide, spare);
    now = withoutSpare(now, spare);
    if (answer.status === 409) tellLeft(work, body);
    else now = absorbed(now, id, answer.json);
  }
  return now;
}

/** With the revision that it had, and with the one that it has now where nothing of it changed. */
async function removeSpare(work: Work, guide: Written, { id, revision, left }: Spare) {
  const tokens = await openTokens(work);
  const path = `guides/${guide.id}/steps/${id}`;
  for (let token = tokens.next(revision) ?? NO_REVISION; ; ) {
    const query = { revisionid: token.value };
    const call = { method: "DELETE", path, query, json: {}, expect: [404, 409] } as const;
    const answer = await work.desk.client.send(call, work.signal);
    const other = answer.status === 409 ? tokens.next(revisionIn(answer.json)) : undefined;
    if (other === undefined || leftDigest("step", answer.json) !== left) return answer;
    token = other;
  }
}

function absorbed(guide: Written, id: string, json: unknown): Written {
  const without = (steps: readonly string[]): readonly string[] => steps.filter((each) => each !== id);
  if (asJson(json)["guideid"] !== undefined) return guideAbsorbed(guide, json, without);
  const steps = Array.isArray(guide.facts["steps"]) ? guide.facts["steps"].map(String) : [];
  return { ...guide, facts: { ...guide.facts, steps: without(steps) } };
}

function tellLeft(work: Work, body: Body): void {
  work.report({
    code: "conflict-skipped",
    level: "loss",
    path: "steps.others",
    message: `The guide had a step more than ours ("${String(body["title"])}"), which somebody edited meanwhile: it was left there.`,
    remedy: "Delete it by hand if it isn't wanted.",
  });
}
