import type { Body } from "../../core/contracts.js";
import { digest } from "../../core/util/digest.js";
import type { Compared } from "../wire/write/compared.js";
import { plainField, sameField } from "../wire/write/same-field.js";
import { writable } from "../wire/write/writable.js";
import { asJson } from "./as-left.js";
import type { Work } from "./parts.js";
import type { TranslationPlace } from "./put-translation.js";

type Translating = Work & { readonly call: { readonly guide: string; readonly language: string } };

/** What is told in each language anew. All else of a guide is the same in all of them, and its edits are none of a translation. */
const TEXTS = {
  guide: ["title", "summary", "introduction", "conclusion"],
  step: ["title", "lines"],
} as const satisfies Partial<Record<Compared, readonly string[]>>;

/** A guide at the target in the language of a call. */
export function guidePlace(work: Translating, id: string): TranslationPlace {
  const { guide, language } = work.call;
  return {
    ...textsOf("guide"),
    path: `guides/${id}`,
    language,
    thing: `translation/${language}/${guide}`,
    look: () => lookAt(work, id, language),
    isIn: (json) => isIn(language, json),
  };
}

/** A step of such a guide. Its answers name no language: that there is a translation is known by then. */
export function stepPlace(work: Translating, guide: string, id: string): TranslationPlace {
  const { language } = work.call;
  return {
    ...textsOf("step"),
    path: `guides/${guide}/steps/${id}`,
    language,
    thing: `translation/${language}/step/${id}`,
    look: async () => stepIn(await lookAt(work, guide, language), id),
    isIn: () => true,
  };
}

function textsOf(of: keyof typeof TEXTS): Pick<TranslationPlace, "digest" | "carries" | "body"> {
  const body = (json: unknown): Body => {
    const whole = writable(of, json);
    return Object.fromEntries(TEXTS[of].map((field) => [field, whole[field]]));
  };
  return {
    body,
    digest: (json) => digest(Object.entries(body(json)).map(([field, value]) => [field, plainField(field, value)])),
    carries: (json, sent) => Object.keys(sent).every((field) => sameField(field, body(json)[field], sent[field])),
  };
}

/** A guide at the target in a language; undefined: it has no such translation (404 by `unpatrolled`, else its own language; api-facts 3.1). */
export async function lookAt({ desk, signal }: Work, id: string, language: string): Promise<unknown> {
  const query = { langid: language, unpatrolled: true, excludePrerequisiteSteps: true } as const;
  const { status, json } = await desk.client.get(`guides/${id}`, { query, expect: [404] }, signal);
  return status !== 404 && isIn(language, json) ? json : undefined;
}

/** One of its own steps. */
export function stepIn(guide: unknown, id: string): unknown {
  const { steps } = asJson(guide);
  return Array.isArray(steps) ? steps.map(asJson).find((step) => String(step["stepid"]) === id) : undefined;
}

function isIn(language: string, json: unknown): boolean {
  const { langid, locale } = asJson(json);
  const named = [langid, locale].filter((one) => typeof one === "string");
  return named.length > 0 && named.every((one) => one === language);
}
