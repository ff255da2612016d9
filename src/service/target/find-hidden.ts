import type { Written } from "../../core/contracts.js";
import type { CallOf } from "../../core/model/call.js";
import { leftDigest } from "../wire/write/compared.js";
import { asJson, guideAsLeft } from "./as-left.js";
import { carriedFacts } from "./merge/standing-apart.js";
import type { Work } from "./parts.js";
import { pathOf } from "./paths.js";

/**
 * Was a guide hidden whose answer was lost? It was when it is private now. Where anything else of it differs from what we left, somebody edited
 * it: then our old revision stays, so that the next edit finds that out.
 */
export async function findHidden(work: Work<CallOf<"set-visibility">>): Promise<readonly Written[] | undefined> {
  const { desk, call, context, signal } = work;
  const guide = await context.written(call.guide);
  if (guide === undefined) return undefined;
  const query = { excludePrerequisiteSteps: true as const };
  const { status, json } = await desk.client.get(pathOf(call.guide, guide.id), { query, expect: [403, 404] }, signal);
  const now = asJson(json);
  if (status !== 200 || (now["public"] === true) !== call.public) return undefined;
  const hidden = { hidden: call.hides === true ? true : undefined };
  const before = leftDigest("guide", { ...now, public: guide.facts["public"] === true });
  if (before === guide.left) return [guideAsLeft(call.guide, now, { ...carriedFacts(guide), ...hidden })];
  return [{ ...guide, facts: { ...guide.facts, ...hidden, public: call.public } }];
}
