import type { Body } from "../../core/contracts.js";
import { asJson } from "./as-left.js";

/**
 * A guide's answer with the prerequisites that the site took out of it, since they were deleted (api-facts 4.1): so it can be compared with
 * how we left it. Where anything else is missing or new among them it stays as it is.
 *
 * @param left how we left it, in the names of writing
 * @param gone the target's ids of guides that go, or went
 */
export function withThoseGone(json: unknown, left: Body | undefined, gone: readonly string[]): unknown {
  const ours = idsIn(left?.["prerequisites"]);
  const guide = asJson(json);
  const there = idsIn(guide["prerequisites"]);
  if (ours.filter((id) => there.includes(id) || !gone.includes(id)).join() !== there.join()) return json;
  return { ...guide, prerequisites: ours.map((id) => ({ guideid: Number(id) })) };
}

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((each) => String(asJson(each)["guideid"] ?? each)) : [];
}
