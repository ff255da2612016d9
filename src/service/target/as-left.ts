import type { Written } from "../../core/contracts.js";
import { type Key, kindOf, wikiOf } from "../../core/model/key.js";
import { leftDigest } from "../wire/write/compared.js";
import { revisionIn } from "../wire/write/revision.js";
import { writable } from "../wire/write/writable.js";
import { filledIn } from "./filled.js";
import { agreedSteps, apartIn, apartSteps, carriedFacts } from "./merge/standing-apart.js";

type Json = Readonly<Record<string, unknown>>;

/** A guide as the answer to a write shows it. `more`: facts that the answer can't tell, such as those of a merge. */
export function guideAsLeft(key: Key, json: unknown, more: Json = {}): Written {
  const guide = asJson(json);
  const flags = Array.isArray(guide["flags"]) ? guide["flags"] : [];
  return {
    key,
    id: String(guide["guideid"]),
    revision: revisionIn(guide),
    left: leftDigest("guide", guide),
    body: writable("guide", guide),
    facts: {
      steps: stepsIn(guide).map((step) => String(step["stepid"])),
      flags: flags.map((flag: unknown) => String(asJson(flag)["flagid"] ?? flag)),
      public: guide["public"] === true,
      author: asJson(guide["author"])["userid"] ?? null,
      filled: filledIn("guide", guide),
      images: imagesIn([guide["image"]]),
      language: guide["locale"] ?? guide["langid"] ?? null,
      ...more,
    },
    adopted: false,
  };
}

/**
 * A guide in the answer to a call that no revision guards (a step's creation, a tag). If anything but its steps differs from
 * what we left, somebody edited in between: then our old revision stays, so that the next guarded edit finds that out.
 *
 * @param steps what the call makes of the ids of the steps that both sides agree on
 */
export function guideAbsorbed(
  before: Written,
  json: unknown,
  steps: (agreed: readonly string[]) => readonly string[] = (agreed) => agreed,
): Written {
  const carried = carriedFacts(before);
  const there = writable("guide", json)["steps"];
  const apart = apartSteps(apartIn(before), steps(agreedSteps(before)), there, () => true);
  const now = guideAsLeft(before.key, json, { ...carried, apart: Object.keys(apart).length === 0 ? undefined : apart });
  if (now.left === before.left) return now;
  return { ...before, facts: { ...before.facts, steps: now.facts["steps"] } };
}

export function stepAsLeft(key: Key, json: unknown, more: Json = {}): Written {
  const step = asJson(json);
  return {
    key,
    id: String(step["stepid"]),
    revision: revisionIn(step),
    left: leftDigest("step", step),
    body: writable("step", step),
    facts: { images: imagesIn(asJson(step["media"])["data"]), ...more },
    adopted: false,
  };
}

/** A wiki; its id at the target is its title, behind the namespace (except a category's, see `titleAtTarget`). The revision of our last answer stays where this one has none (api-facts 8.2). */
export function wikiAsLeft(key: Key, json: unknown, before: Written | undefined, more: Json = {}): Written {
  const wiki = asJson(json);
  return {
    key,
    id: kindOf(key) === "category" ? String(wiki["title"]) : `${wikiOf(key).namespace}/${String(wiki["title"])}`,
    revision: revisionIn(wiki) ?? before?.revision ?? null,
    left: leftDigest("wiki", wiki),
    body: writable("wiki", wiki),
    facts: { ...before?.facts, filled: filledIn("wiki", wiki), images: imagesIn([wiki["image"]]), ...more },
    adopted: false,
  };
}

/** The guide's own steps in an answer; steps of prerequisites are inlined by some answers and carry their own guideid. */
export function stepsIn(guide: unknown): readonly Json[] {
  const { steps, guideid } = asJson(guide);
  const all = Array.isArray(steps) ? steps.map(asJson) : [];
  return all.filter((step) => step["guideid"] === undefined || step["guideid"] === guideid);
}

/** The ids that the site gave the pictures of a thing: others than those of their uploads where it crops or encodes them anew (api-facts 4.5). */
function imagesIn(images: unknown): readonly string[] {
  const ids = Array.isArray(images) ? images.map((image: unknown) => asJson(image)["id"]) : [];
  return ids.flatMap((id) => (typeof id === "number" ? [String(id)] : []));
}

export function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
