import { isObject, type JsonObject, listIn, objectIn } from "../../core/util/json.js";
import { revisionIn, tokensIn } from "../wire/revision.js";
import type { Ask, AskResult } from "./ask.js";
import { isRefusal, type ProbeThing, saysOf } from "./probe-things.js";
import type { Act } from "./site-facts.js";

const INTRODUCTION = "guideferry probe, translated";
const LINE = "guideferry probe, translated line";
const STALE = "guideferry probe, from an old revision";

/**
 * Translates the probe's guide by PATCH with `langid` and checks the result. No document says that
 * sites accept this (api-facts 4.1), and a site that ignores `langid` answers 200 and replaces the
 * source text. It counts as accepted only if the translations of the guide and of a step read back
 * as sent, the source text is unchanged, the revision changed, and an old revision is refused.
 *
 * @param guide from `probeGuide`; its `json` is updated, for the deletion
 *
 * @param languages tried one after the other, until the site does not refuse one
 */
export async function probeTranslation(
  ask: Ask,
  guide: ProbeThing,
  languages: readonly string[],
  signal: AbortSignal,
): Promise<Act> {
  const probe: Probe = { ask, guide, signal, path: `guides/${guide.id}` };
  const before = await read(probe);
  if (before.status !== 200) return open(`reading the guide: ${saysOf(before)}`);
  const others = languages.filter((language) => !languagesIn(before.json).includes(language));
  const refusals: string[] = [];
  for (const language of others) {
    const sent = { title: guide.otherTitle ?? guide.title, introduction: INTRODUCTION };
    const reply = await patch(probe, { path: probe.path, language, base: before.json, json: sent });
    if (isUnclear(reply)) return open(`a translation into ${language}: ${saysOf(reply)}`);
    if (!isRefusal(reply)) return checkTranslation(probe, { language, before: before.json, sent, answer: reply });
    refusals.push(`${language}: ${saysOf(reply)}`);
  }
  if (refusals.length === 0) return open("the site has no second language for the trial");
  return no(`the site refuses translations of guides (${refusals.join("; ")})`);
}

interface Probe {
  readonly ask: Ask;
  readonly guide: ProbeThing;
  readonly signal: AbortSignal;
  readonly path: string;
}

interface Translated {
  readonly language: string;
  readonly before: unknown;
  readonly sent: JsonObject;
  readonly answer: AskResult;
}

async function checkTranslation(probe: Probe, done: Translated): Promise<Act> {
  const { language, before, sent, answer } = done;
  const own = await read(probe);
  const there = await read(probe, language);
  if (isUnclear(own) || isUnclear(there))
    return open(`reading a translation back: ${saysOf(isUnclear(own) ? own : there)}`);
  if (!isSameSource(own.json, before)) return no(OVERWRITTEN);
  if (there.status !== 200 || !isIn(language, there.json) || !carriesGuide(there.json, sent))
    return no(`a translation into ${language} was answered ${answer.status}, but is missing when it is read back`);
  const [now, then] = [revisionIn(there.json), revisionIn(before)];
  if (now === null || now === then || now !== revisionIn(answer.json))
    return no("a translation of a guide has no revision of its own that changes with an edit");
  return checkStep(probe, done, there.json);
}

const OVERWRITTEN = "the site ignores the language: a translation replaces the text in the source language";

async function checkStep(probe: Probe, done: Translated, there: unknown): Promise<Act> {
  const { language, before } = done;
  const [step] = stepsIn(there);
  if (step === undefined) return no(`the translation into ${language} has no steps`);
  const json = { title: "", lines: [{ text: LINE, bullet: "black", level: 0 }] };
  const path = `${probe.path}/steps/${String(step["stepid"])}`;
  const reply = await patch(probe, { path, language, base: step, json });
  if (isUnclear(reply)) return open(`a translation of a step: ${saysOf(reply)}`);
  if (isRefusal(reply)) return no(`the site refuses translations of steps: ${saysOf(reply)}`);
  const own = await read(probe);
  const now = await read(probe, language);
  if (isUnclear(own) || isUnclear(now))
    return open(`reading a translated step back: ${saysOf(isUnclear(own) ? own : now)}`);
  if (!isSameSource(own.json, before)) return no(OVERWRITTEN);
  if (!JSON.stringify(stepsIn(now.json)).includes(LINE)) return no("a translated step is missing when it is read back");
  const query = queryOf(language, tokensIn(revisionIn(before))[0]?.value ?? 0);
  const stale = await send(probe, `${probe.path}?${query}`, { introduction: STALE });
  if (isUnclear(stale)) return open(`an edit from an old revision: ${saysOf(stale)}`);
  if (stale.status !== 409)
    return no(`an edit of a translation from an old revision was answered ${stale.status} instead of 409`);
  return { isDone: true, says: `a private guide was translated into ${language} and read back` };
}

interface Edit {
  readonly path: string;
  readonly language: string;
  readonly base: unknown;
  readonly json: JsonObject;
}

/** With either revision field: which one a site needs is unknown (api-facts 3.10). */
async function patch(probe: Probe, { path, language, base, json }: Edit): Promise<AskResult> {
  const revisions = tokensIn(revisionIn(base)).map(({ value }) => value);
  let reply = await send(probe, `${path}?${queryOf(language, revisions[0] ?? 0)}`, json);
  if (reply.status === 409 && revisions[1] !== undefined)
    reply = await send(probe, `${path}?${queryOf(language, revisions[1])}`, json);
  return reply;
}

function send({ ask, signal }: Probe, path: string, json: JsonObject): Promise<AskResult> {
  return ask({ method: "PATCH", path, json, tries: 1 }, signal);
}

function queryOf(language: string, revision: number): string {
  return `langid=${encodeURIComponent(language)}&revisionid=${revision}`;
}

async function read({ ask, guide, path, signal }: Probe, language?: string): Promise<AskResult> {
  const query = language === undefined ? "" : `&langid=${encodeURIComponent(language)}`;
  const reply = await ask({ path: `${path}?excludePrerequisiteSteps=true${query}` }, signal);
  if (language === undefined && reply.status === 200) guide.json = reply.json;
  return reply;
}

/** No answer, a failing site, or too many requests: the result is unknown. */
function isUnclear({ status }: AskResult): boolean {
  return status === null || status >= 500 || status === 408 || status === 429;
}

function isSameSource(now: unknown, before: unknown): boolean {
  return JSON.stringify(sourceTexts(now)) === JSON.stringify(sourceTexts(before));
}

function sourceTexts(json: unknown): unknown {
  const guide = isObject(json) ? json : {};
  const steps = stepsIn(json).map((step) => [step["stepid"], step["title"], rawLines(step)]);
  return [
    languagesIn(json),
    guide["title"],
    guide["introduction_raw"],
    guide["conclusion_raw"],
    guide["summary"],
    steps,
  ];
}

function rawLines({ lines }: JsonObject): unknown {
  return Array.isArray(lines) ? lines.map((line: unknown) => (isObject(line) ? line["text_raw"] : null)) : null;
}

function carriesGuide(json: unknown, sent: JsonObject): boolean {
  return isObject(json) && json["title"] === sent["title"] && json["introduction_raw"] === sent["introduction"];
}

function stepsIn(json: unknown): readonly JsonObject[] {
  return listIn(objectIn(json)["steps"]).filter(isObject);
}

/** Without a translation, the answer is in the source language (api-facts 3.1). */
function isIn(language: string, json: unknown): boolean {
  const named = languagesIn(json);
  return named.length > 0 && named.every((one) => one === language);
}

function languagesIn(json: unknown): readonly unknown[] {
  const { langid, locale } = isObject(json) ? json : {};
  return [langid, locale].filter((language) => typeof language === "string");
}

function no(says: string): Act {
  return { isDone: false, says };
}

function open(says: string): Act {
  return { isDone: null, says };
}
