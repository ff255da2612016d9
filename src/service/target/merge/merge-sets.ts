import { canonicalJson } from "../../../core/util/canonical-json.js";

/** Theirs with what we added and without what we took away: in their order, ours behind. */
export function mergeSets(base: unknown, theirs: unknown, ours: unknown): readonly unknown[] {
  const [before, there, wanted] = [keyed(base), keyed(theirs), keyed(ours)];
  const kept = [...there].filter(([name]) => wanted.has(name) || !before.has(name));
  const added = [...wanted].filter(([name]) => !before.has(name) && !there.has(name));
  return [...kept, ...added].map(([, value]) => value);
}

function keyed(value: unknown): ReadonlyMap<string, unknown> {
  return new Map((Array.isArray(value) ? value : []).map((entry: unknown) => [canonicalJson(entry), entry]));
}
