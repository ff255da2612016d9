import type { Key } from "../../src/model/key.js";
import { away } from "./away.js";
import { applyEdits, type Edit, put, remove } from "./edits.js";
import { home } from "./home.js";
import { type Reference, type StepReference, textOf } from "./reference.js";
import { references } from "./references.js";
import type { Dangling, RewriteOptions, Rewritten } from "./rewrite-options.js";
import { sameSite } from "./site-addresses.js";

/**
 * The text with every reference pointed home, or written so that it can't hit a stranger at the target. Everything else
 * stays byte for byte; where nothing changes it is the very same string. The forms are in the README of this folder.
 *
 * Give it the text with the source's ids each time, also when a `missing` key has got an id: it does not read its own output.
 */
export function rewriteReferences(text: string, options: RewriteOptions): Rewritten {
  const decisions = references(text, options.source, options.context).map((found) => decide(text, found, options));
  return {
    text: applyEdits(
      text,
      decisions.flatMap((decision) => decision.edits),
    ),
    missing: [...new Set(decisions.flatMap((decision) => decision.missing))],
    dangling: decisions.flatMap((decision) => decision.dangling),
  };
}

interface Decision {
  readonly edits: readonly Edit[];
  readonly missing: readonly Key[];
  readonly dangling: readonly Dangling[];
}

const NONE: readonly never[] = [];

function decide(text: string, reference: Reference, options: RewriteOptions): Decision {
  const { key } = reference;
  if (key === null) return decideKeyless(text, reference, options);
  const resolution = options.resolve(key);
  if ("never" in resolution) return dangle(text, reference, key, options);
  if ("later" in resolution) return wait(text, reference, key, options);
  const edits = home(text, reference, key, resolution.id, options);
  if (reference.steps.length === 0) return { edits, missing: NONE, dangling: NONE };
  const steps = reference.steps.map((step) => decideStep(text, reference, step, options));
  const dangling = steps.flatMap((step) => step.dangling);
  const failed = dangling.some((entry) => entry.written === "failed");
  return {
    edits: failed ? NONE : [...edits, ...steps.flatMap((step) => step.edits)],
    missing: steps.flatMap((step) => step.missing),
    dangling,
  };
}

/** Products and pages do not move, but are at home where a site is its own target. */
function decideKeyless(text: string, reference: Reference, options: RewriteOptions): Decision {
  if (sameSite(options.source, options.target)) return { edits: NONE, missing: NONE, dangling: NONE };
  const goal = textOf(text, reference.goal);
  return dangle(text, reference, `${reference.kind}/${goal.startsWith("/") ? goal.slice(1) : goal}`, options);
}

/** The step of a guide that is at home: without an id it gives way to its guide. */
function decideStep(text: string, reference: Reference, step: StepReference, options: RewriteOptions): Decision {
  const resolution = options.resolve(step.key);
  if ("id" in resolution) return { edits: stepHome(step, resolution.id), missing: NONE, dangling: NONE };
  if ("later" in resolution) return { edits: [remove(step)], missing: [step.key], dangling: NONE };
  const written = options.dangling === "fail" ? "failed" : "guide";
  const dangling = [{ key: step.key, reference: textOf(text, reference), written } as const];
  return { edits: [remove(step)], missing: NONE, dangling };
}

function stepHome(step: StepReference, id: string): readonly Edit[] {
  return step.key === `step/${id}` ? NONE : [put(step.id, id)];
}

function wait(text: string, reference: Reference, key: Key, options: RewriteOptions): Decision {
  const steps = reference.steps.map((step) => step.key).filter((step) => "later" in options.resolve(step));
  const { edits } = away(text, reference, options.later ?? "absolute", options);
  return { edits, missing: [key, ...steps], dangling: NONE };
}

function dangle(text: string, reference: Reference, key: string, options: RewriteOptions): Decision {
  const { dangling: policy = "absolute" } = options;
  const source = textOf(text, reference);
  if (policy === "fail") {
    return { edits: NONE, missing: NONE, dangling: [{ key, reference: source, written: "failed" }] };
  }
  const { edits, written } = away(text, reference, policy, options);
  return { edits, missing: NONE, dangling: [{ key, reference: source, written }] };
}
