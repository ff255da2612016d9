import type { PageTrial, TranslationProbe } from "../../core/contracts.js";
import type { Ask, Told } from "../check/ask.js";
import { probeNames } from "../check/probe-names.js";
import {
  makeProbePage,
  type ProbePage,
  pagePath,
  readProbePage,
  removeProbePage,
  revisionQuery,
} from "../check/probe-page.js";
import { isRefusal, saysOf } from "../check/probe-thing.js";
import { asJson } from "./as-left.js";

/** Where a target's decision on translations of pages is kept between runs, as JSON. */
export const PAGE_TRANSLATIONS_MEMO = "page-translations";

/** A target's trial of translations of pages, and what was decided; null: unknown. */
export interface Pages {
  readonly trial: PageTrial;
  readonly taken: () => boolean | null;
}

/** @param ask undefined where no probe can be made */
export function createPageTrial(root: string, ask: Ask | undefined): Pages {
  let taken: boolean | null = null;
  const trial: PageTrial = {
    decide: (isTaken) => {
      taken = isTaken;
    },
    titles: () => {
      const { title, translated } = probeNames(new Date());
      return { title, translated };
    },
    probe: async ({ titles, languages }, { stop, abort }) => {
      if (ask === undefined) return { isTaken: null, says: "there is no way to ask this target", left: null };
      for (const namespace of NAMESPACES) {
        stop.throwIfAborted();
        const page = { namespace, title: titles.title };
        const made = await makeProbePage(ask, page, CONTENTS, abort);
        if (isRefusal(made)) continue;
        // `ask` rejects only when all is aborted: then the noted title tells the next run what to delete.
        const verdict = await judge({ ask, page, made, signal: abort }, languages);
        const why = await removeProbePage(ask, page, made.json, abort);
        return { ...verdict, left: why === null ? null : leftText(root, page, why) };
      }
      return { isTaken: null, says: "the account may make no page there to try it with", left: null };
    },
    clear: async ({ title }, signal) => {
      if (ask === undefined) return null;
      for (const namespace of NAMESPACES) {
        const page = { namespace, title };
        const why = await removeProbePage(ask, page, undefined, signal);
        if (why !== null) return leftText(root, page, why);
      }
      return null;
    },
  };
  return { trial, taken: () => taken };
}

/** INFO first: its pages stand in no list that readers of a site browse. */
const NAMESPACES = ["INFO", "WIKI"] as const;
const CONTENTS = "guideferry probe";
const TRANSLATED = "guideferry probe, translated";

interface Probe {
  readonly ask: Ask;
  readonly page: ProbePage;
  /** The answer to its create. */
  readonly made: Told;
  readonly signal: AbortSignal;
}

type Verdict = Omit<TranslationProbe, "left">;

async function judge(probe: Probe, languages: readonly string[]): Promise<Verdict> {
  const { ask, page, made, signal } = probe;
  const before = await readProbePage(ask, page, signal);
  if (before.status !== 200) return open(`reading the page: ${saysOf(before)}`);
  const own = asJson(before.json)["langid"];
  const refusals: string[] = [];
  for (const language of languages.filter((one) => one !== own)) {
    const query = `langid=${encodeURIComponent(language)}&${revisionQuery(before.json, made.json)}`;
    const json = { contents: TRANSLATED };
    const told = await ask({ method: "PATCH", path: `${pagePath(page)}?${query}`, json, tries: 1 }, signal);
    if (isRefusal(told)) refusals.push(`${language}: ${saysOf(told)}`);
    else if (told.status === null || told.status >= 300) return open(`a translation into ${language}: ${saysOf(told)}`);
    else return readBack(probe, language);
  }
  if (refusals.length === 0) return open("there is no other language than the site's own to try it with");
  // A refusal writes nothing over: each translation is sent, and its own refusal is reported.
  return { isTaken: true, says: `the site refuses languages that it does not have (${refusals.join("; ")})` };
}

async function readBack({ ask, page, signal }: Probe, language: string): Promise<Verdict> {
  const own = await readProbePage(ask, page, signal);
  const there = await readProbePage(ask, page, signal, language);
  if (own.status !== 200) return open(`reading the page back: ${saysOf(own)}`);
  if (there.status !== 200) return open(`reading a translation back: ${saysOf(there)}`);
  if (asJson(own.json)["contents_raw"] !== CONTENTS)
    return { isTaken: false, says: "the site ignores the language of a write: a translation replaces the page" };
  const { langid, contents_raw: contents } = asJson(there.json);
  const isThere = langid === language && contents === TRANSLATED;
  return {
    isTaken: isThere,
    says: isThere
      ? `a page was translated into ${language} and read back`
      : `a translation into ${language} was answered 200, and is not there when read back`,
  };
}

function leftText(root: string, { namespace, title }: ProbePage, why: string): string {
  return `page «${title}» of the namespace ${namespace} at ${new URL(root).origin} (${why})`;
}

function open(says: string): Verdict {
  return { isTaken: null, says };
}
