import type { StandIn } from "./stand-in.js";
import { FIELDS, PHASES, plainWord, STANDARD_WORDS, STATE_PREFIX } from "./vocabulary.js";

/** Words that tell nothing but the state or the kind of a thing. */
const WORDS: ReadonlySet<string> = new Set([
  ...Object.keys(PHASES),
  ...STANDARD_WORDS,
  "ok",
  "true",
  "false",
  "none",
  "draft",
  "current",
  "published",
  "course",
  "quiz",
  "assignment",
  "endpointnotfound",
]);

/** Longer than any word for a state. */
const LONGEST_WORD = 32;

/**
 * May a text stay as it is? A known word always. In a field that is named for a state or a kind also an unknown one, which is what a probe
 * is for: one to four parts in one letter case, without digits, as no token or name of a person is written.
 */
export function namesWord(text: string, name: string): boolean {
  if (text.length > LONGEST_WORD || !/^[A-Za-z0-9]+(?:[ _.-][A-Za-z0-9]+)*$/.test(text)) return false;
  const word = plainWord(text);
  if (WORDS.has(word) || WORDS.has(word.replace(STATE_PREFIX, ""))) return true;
  return (
    isStateName(name) && /^(?:[a-z]{2,14}(?:[_-][a-z]{2,14}){0,3}|[A-Z]{2,14}(?:[_-][A-Z]{2,14}){0,3})$/.test(text)
  );
}

function isStateName(name: string): boolean {
  const word = plainWord(name);
  return STATE_NAMES.has(word) || /(?:status|state|stage|phase|standard)$/.test(word);
}

const STATE_NAMES: ReadonlySet<string> = new Set([...FIELDS.state, ...FIELDS.kind]);

/** Does a field of this name hold an id, or several? */
export function isIdName(name: string): boolean {
  return /(?:id|guid|uuid)s?$/i.test(name);
}

/** `external_training_moduleid`, the longest that is known, has 26. */
const LONGEST_NAME = 40;

/**
 * A name of a field, if it is written as programs write them. Some answers have ids, addresses or people where others have names:
 * those become `<id 3>` and `<name 4>`, by where they stand.
 */
export function fieldName(name: string, at: number, standIn: StandIn): string {
  if (/^\d+$/.test(name)) return `<id ${standIn(name)}>`;
  const written = name.length <= LONGEST_NAME && /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name);
  return written && !looksDrawn(name) ? name : `<name ${at + 1}>`;
}

/** Tokens mix digits and letter cases as no name of a field does: `sk_4fA9…`. */
function looksDrawn(name: string): boolean {
  const digits = name.match(/\d/g)?.length ?? 0;
  const capitals = name.match(/[A-Z]/g)?.length ?? 0;
  return digits > 4 || (capitals > 6 && capitals < (name.match(/[A-Za-z]/g)?.length ?? 0));
}
