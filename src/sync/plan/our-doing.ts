import { maybeEncodedAnew, sameField } from "../../service/wire/write/same-field.js";
import type { Body, Loaded, Written } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";

/** What is known of an item that is not as it was when the plan was made. */
export interface Knowledge {
  readonly item: Key;
  readonly loaded: Loaded;
  /** As it stands now; undefined: it is gone. */
  readonly present: readonly Written[] | undefined;
  readonly left: (thing: Key) => Promise<Body | undefined>;
  /** What the rest of the plan would send of it. */
  readonly wanted: (thing: Key) => readonly Body[];
}

/**
 * Is everything as we left it, or as a write of the plan makes it whose answer never came? Then nobody else was there. Asked after a run of
 * the same plan was stopped.
 */
export async function isOurDoing(knowledge: Knowledge): Promise<boolean> {
  const { item, loaded, present = [], wanted } = knowledge;
  const there = new Map(present.map((written) => [written.key, written]));
  for (const key of loaded.written.keys())
    if (!there.has(key) && !wanted(key).some(({ gone }) => gone === true)) return false;
  for (const now of present) if (!(await isOurs(now, knowledge))) return false;
  return isOurOrder(there.get(item), knowledge);
}

async function isOurs(now: Written, { loaded, left, wanted }: Knowledge): Promise<boolean> {
  const ours = loaded.written.get(now.key);
  if (ours === undefined) return false;
  if (ours.left === now.left) return true;
  const bodies = [(await left(now.key)) ?? {}, ...wanted(now.key)];
  return Object.entries(now.body ?? {}).every(([field, value]) => {
    if (field === "steps") return true;
    const known = bodies.filter((body) => field in body).map((body) => body[field]);
    return known.some((each) => sameField(field, each, value) || maybeEncodedAnew(field, each, value));
  });
}

function isOurOrder(now: Written | undefined, { item, loaded, wanted }: Knowledge): boolean {
  const steps = idsOf(now?.facts["steps"]);
  const known = idsOf(loaded.written.get(item)?.facts["steps"]);
  if (steps.join() === known.filter((id) => steps.includes(id)).join()) return true;
  return wanted(item).some((body) => idsOf(body["steps"]).join() === steps.join());
}

function idsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
