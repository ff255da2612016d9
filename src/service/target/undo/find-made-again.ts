import type { Written } from "../../../core/contracts.js";
import type { CallOf } from "../../../core/model/call.js";
import { type Kind, kindOf } from "../../../core/model/key.js";
import { carries } from "../../wire/write/compared.js";
import { asJson, guideAbsorbed, guideAsLeft, stepAsLeft, stepsIn, wikiAsLeft } from "../as-left.js";
import { guideOf } from "../guide-of.js";
import type { Work } from "../parts.js";
import { pathOf } from "../paths.js";
import { withStep } from "./with-step.js";

type Json = Readonly<Record<string, unknown>>;
type Again = Work<CallOf<"make-again">>;
type Found = readonly Written[] | undefined;

/** Looks for what a killed undo made anew: what was not there before, belongs to nobody in the ledger, and carries what was sent. */
export async function findMadeAgain(work: Again, mark: Json): Promise<Found> {
  const find = FINDERS[kindOf(work.call.of)] ?? findPage;
  return find(work, mark);
}

const FINDERS: Readonly<Partial<Record<Kind, (work: Again, mark: Json) => Promise<Found>>>> = {
  guide: findGuide,
  step: findStep,
};

const PAGE = 200;

/** Among the account's own guides, the newest first, down to what was there before. */
async function findGuide({ desk, call, context, signal }: Again, mark: Json): Promise<Found> {
  const after = Number(mark["after"] ?? 0);
  for (let offset = 0; ; offset += PAGE) {
    const { json } = await desk.client.get("user/guides", { query: { order: "DESC", limit: PAGE, offset } }, signal);
    const rows = Array.isArray(json) ? json.map(asJson) : [];
    const newer = rows.map((row) => Number(row["guideid"])).filter((id) => id > after);
    for (const id of newer) {
      if ((await context.keyOf("guide", String(id))) !== undefined) continue;
      const { json: guide } = await desk.client.get(`guides/${id}`, { expect: [403, 404] }, signal);
      if (carries("guide", guide, asJson(mark["sent"]))) return [guideAsLeft(call.of, guide)];
    }
    if (newer.length < rows.length || rows.length === 0) return undefined;
  }
}

async function findStep({ desk, call, context, signal }: Again, mark: Json): Promise<Found> {
  const guide = await guideOf(context, call.guide ?? call.of);
  const query = { excludePrerequisiteSteps: true as const };
  const { json } = await desk.client.get(`guides/${guide.id}`, { query, expect: [403, 404] }, signal);
  const before = Array.isArray(mark["before"]) ? mark["before"].map(String) : [];
  const there = stepsIn(json).map((step) => String(step["stepid"]));
  for (const step of stepsIn(json)) {
    const id = String(step["stepid"]);
    if (before.includes(id) || (await context.keyOf("step", id)) !== undefined) continue;
    if (!carries("step", step, asJson(mark["sent"]))) continue;
    return [stepAsLeft(call.of, step), guideAbsorbed(guide, json, (steps) => withStep(steps, there, id))];
  }
  return undefined;
}

/** A page's title is its identity. */
async function findPage({ desk, call, signal }: Again, mark: Json): Promise<Found> {
  const { status, json } = await desk.client.get(pathOf(call.of, call.id), { expect: [403, 404] }, signal);
  if (status !== 200 || !carries("wiki", json, asJson(mark["sent"]))) return undefined;
  return [wikiAsLeft(call.of, json, undefined)];
}
