import { type Key, wikiOf } from "../../src/core/model/key.js";
import { away } from "./away.js";
import { type Edit, put, remove } from "./edits.js";
import { home } from "./home.js";
import { type Reference, type StepReference, textOf } from "./reference.js";
import type { Dangling, SiteOptions } from "./rewrite-options.js";
import { sameSite } from "./site-addresses.js";

/** What becomes of one reference. */
export interface Decision {
  readonly edits: readonly Edit[];
  readonly missing: readonly Key[];
  readonly dangling: readonly Dangling[];
  /** Whether it links no more: its words are all that stays. */
  readonly unlinked?: true;
}

const NONE: readonly never[] = [];

/** Points a reference home, or writes it so that it can't hit a stranger at the target. */
export function decide(text: string, reference: Reference, options: SiteOptions): Decision {
  const { key } = reference;
  if (key === null) return decideKeyless(text, reference, options);
  const resolution = options.resolve(key);
  if ("absent" in resolution && !mayHitStranger(text, reference)) return keep(text, reference, key);
  if ("never" in resolution || "absent" in resolution) return dangle(text, reference, key, options);
  if ("later" in resolution) return wait(text, reference, key, options);
  const edits = options.isUnmoved?.(key) === true ? NONE : home(text, reference, key, resolution.id, options);
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
function decideKeyless(text: string, reference: Reference, options: SiteOptions): Decision {
  if (sameSite(options.source, options.target)) return { edits: NONE, missing: NONE, dangling: NONE };
  const goal = textOf(text, reference.goal);
  const key = `${reference.kind}/${goal.startsWith("/") ? goal.slice(1) : goal}`;
  const stays = reference.kind === "product" && options.dangling !== "label";
  return stays ? keep(text, reference, key) : dangle(text, reference, key, options);
}

/** Could the target read it as something of its own? A number could be anybody's; a title, or an address of the old site, could not. */
function mayHitStranger(text: string, { key, kind, form, origin, head }: Reference): boolean {
  if (origin !== null && origin.end > origin.start) return false;
  if (key === null || (kind !== "category" && kind !== "wiki")) return true;
  // The titles of these are numbers of people. `[[guide|12|x]]` is a macro to whoever reads from the inner bracket.
  return PERSONAL.has(wikiOf(key).namespace) || (form === "wiki-link" && MACRO_WORD.test(textOf(text, head)));
}

const PERSONAL: ReadonlySet<string> = new Set(["USER", "TEAM"]);
const MACRO_WORD = /^\[?\s*(?:guide|image|document|video|summary_image|link|product)\s*$/i;

function keep(text: string, reference: Reference, key: string): Decision {
  return { edits: NONE, missing: NONE, dangling: [{ key, reference: textOf(text, reference), written: "kept" }] };
}

/** The step of a guide that is at home: without an id it gives way to its guide. */
function decideStep(text: string, reference: Reference, step: StepReference, options: SiteOptions): Decision {
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

function wait(text: string, reference: Reference, key: Key, options: SiteOptions): Decision {
  const steps = reference.steps.map((step) => step.key).filter((step) => "later" in options.resolve(step));
  const { edits, written } = away(text, reference, options.later ?? "absolute", options);
  return { edits, missing: [key, ...steps], dangling: NONE, ...unlinkedIf(written === "label") };
}

function dangle(text: string, reference: Reference, key: string, options: SiteOptions): Decision {
  const { dangling: policy = "absolute" } = options;
  const source = textOf(text, reference);
  if (policy === "fail") {
    return { edits: NONE, missing: NONE, dangling: [{ key, reference: source, written: "failed" }] };
  }
  const { edits, written } = away(text, reference, policy, options);
  const dangling = [{ key, reference: source, written }];
  return { edits, missing: NONE, dangling, ...unlinkedIf(written === "label") };
}

function unlinkedIf(isLabel: boolean): Pick<Decision, "unlinked"> {
  return isLabel ? { unlinked: true } : {};
}
