import type { Body, Written } from "../../../core/contracts.js";
import { digest } from "../../../core/util/digest.js";
import type { Compared } from "../../wire/write/compared.js";
import { plainField, sameField } from "../../wire/write/same-field.js";
import { writable } from "../../wire/write/writable.js";

// What the ledger keeps, among the facts of a thing, so that a later merge knows what both sides agreed on:
// `apart`: fields in which it stands otherwise than we want it, each with the value that both agreed on last;
// `clashes`: those of them that nobody has resolved yet; `sentAs`: a digest of what we sent of a field of which the site made another
// value (ids of pictures, api-facts 4.5); `spare`: steps of a guide that was there before us, for ours to be put over.

/** The fields in which it stands apart from what we want, each with the value that both sides agreed on last. */
export function apartIn(written: Written | undefined): Body {
  return bodyOf(written?.facts["apart"]);
}

/** Did somebody change it so that it isn't as we want it, and we left that alone? Such a thing is not as we left it, whatever its digest says. */
export function standsApart(written: Written | undefined): boolean {
  return Object.keys(apartIn(written)).length > 0;
}

/** Fields that both sides changed, and that nobody has resolved yet. */
export function clashesIn(written: Written | undefined): readonly string[] {
  const clashes = written?.facts["clashes"];
  return Array.isArray(clashes) ? clashes.map(String) : [];
}

/** Was this sent last, although the site made another value of it? */
export function isAsSent(written: Written | undefined, field: string, value: unknown): boolean {
  return bodyOf(written?.facts["sentAs"])[field] === sentDigest(field, value);
}

/** `sentAs` after a write: `sent` is what went out, `there` what stands now, both in the names of writing. */
export function sentAsAfter(before: Written | undefined, sent: Body, there: Body): Body {
  const known = Object.entries(bodyOf(before?.facts["sentAs"])).filter(([field]) => sent[field] === undefined);
  const others = Object.entries(sent).filter(
    ([field, value]) => value !== undefined && there[field] !== undefined && !sameField(field, value, there[field]),
  );
  return Object.fromEntries([...known, ...others.map(([field, value]) => [field, sentDigest(field, value)])]);
}

/**
 * `apart` with what is to be said of a guide's steps. `agreed`: the ids that both sides agree on, in order; `there`: those that stand
 * there. Ids that mean nothing to us any more are no reason to stand apart.
 */
export function apartSteps(
  apart: Body,
  agreed: readonly string[],
  there: unknown,
  isOurs: (id: string) => boolean,
): Body {
  const { steps: _steps, ...rest } = apart;
  const present = Array.isArray(there) ? there.map(String) : agreed;
  const wanted = agreed.filter((id) => present.includes(id) || isOurs(id));
  return wanted.join() === present.join() ? rest : { ...rest, steps: wanted };
}

/** The ids of the steps that both sides agree on, in order. */
export function agreedSteps(guide: Written): readonly string[] {
  const steps = apartIn(guide)["steps"] ?? guide.facts["steps"];
  return Array.isArray(steps) ? steps.map(String) : [];
}

/** Facts of what was just made. */
export function factsOfCreate(of: Compared, sent: Body, answer: unknown): Body {
  return factsOfMerge({ apart: {}, clashes: [], sentAs: sentAsAfter(undefined, sent, writable(of, answer)) });
}

/** Facts of the names above that say nothing are not kept. */
export function factsOfMerge(facts: { apart: Body; clashes: readonly string[]; sentAs: Body }): Body {
  const { apart, clashes, sentAs } = facts;
  return {
    apart: Object.keys(apart).length === 0 ? undefined : apart,
    clashes: clashes.length === 0 ? undefined : clashes,
    sentAs: Object.keys(sentAs).length === 0 ? undefined : sentAs,
  };
}

const CARRIED = ["apart", "clashes", "sentAs", "spare", "existed", "hidden"] as const;

/** What stays true of a thing when it is written without a merge. */
export function carriedFacts(before: Written | undefined): Body {
  const known = CARRIED.filter((name) => before?.facts[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, before?.facts[name]]));
}

function sentDigest(field: string, value: unknown): string {
  return digest(plainField(field, value)).slice(0, 16);
}

function bodyOf(value: unknown): Body {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
