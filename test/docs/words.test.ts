import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { sourceFiles } from "../helpers/source-files.js";
import { type Passage, passagesOfCode, passagesOfPage, sentencesOf, wordsIn } from "./passages.js";

/**
 * Words that no text for people holds, with what it says instead. They are not plain, or the
 * field has another word.
 */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/\bnights?\b/i, "backup, snapshot"],
  [/\b(?:stands?|standing|stood)\b/i, "is, remote state"],
  [/\bapart\b(?! from)/i, "diverged, separate"],
  [/\btheirs\b/i, "remote edit"],
  [/\bforeign\b(?! keys?)/i, "unknown, of another tool"],
  [/\bgone\b/i, "deleted, missing"],
  [/\banew\b/i, "again"],
  [/\bsettle[sd]?\b/i, "recover, normalise"],
  [/\bbrakes?\b/i, "safety limit, circuit breaker"],
  [/\bgoals?\b/i, "link target"],
  [/\bhome(?: site)?\b/i, "origin site"],
  [/\b(?:said|told|untold)\b/i, "reported, rendered"],
  [/\b(?:desks?|trips?|outlooks?|foresight|shelf|shelves|seats?|halt)\b/i, "a word of the field"],
  [/\b(?:mend(?:s|ed|ing)?|judges?)\b/i, "repair, validate"],
  [/\b(?:whom|whoever|whichever|wherever)\b/i, "who, which, where"],
  [/\b(?:odd|oddit(?:y|ies))\b/i, "unusual, unexpected"],
  [/\brehears(?:al|e|ed)\b/i, "dry run"],
  [/\b(?:shall|lest|hence|thereby|thereof|beside|fate|alike|begun)\b/i, "a plain word"],
  [/\b(?:lie|lies|lay)\b/i, "is, are"],
  [/\bt(?:ake|akes|aken|ook) (?:\w+ )?back\b/i, "undo"],
  [/\bvanish(?:es|ed)?\b/i, "is missing, was deleted"],
  [/\bfor ?ever\b/i, "permanently, never"],
  [/\bcan['’]t\b/i, "cannot"],
  [/\b(?:our|ours|we|us)\b/i, "the subject that acts"],
  [/\b(?:in words|how far|these words|what to know)\b/i, "a heading that names the content"],
  [/\bthe run is on\b|\blimited by our own work\b/i, "running, limited by this machine"],
];

/** A sentence that somebody reads once and understands. */
const MOST_WORDS = 30;

/** What has to stay, with its reason. */
const EXCEPTIONS: readonly (readonly [place: RegExp, text: RegExp, reason: string])[] = [
  [/^src\/storage\/workspace\/state\.ts/, /as the site stands/, "values that version 6 stored, for the migration"],
  [/^CHANGELOG\.md/, /\bcan't\b/, "earlier entries stay as they were published"],
  [/^src\/commands\/backup\/restore-in-place\.ts/, /^make anew$/, "a value in the --json output of a restore"],
  [/^transforms\/training\/validate-cmi5\.ts/, /such as en-US$/, "a language code"],
  [/^src\/web\/reader\/media-type\.ts/, /^dot dotx md/, "a list of file endings"],
];

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && !path.startsWith("samples/texts/"));

/** `WORDS_IN=src/sync`: only the texts of that folder, each with its place. */
const within = process.env["WORDS_IN"] ?? "";
const passages = [
  ...sourceFiles("src", "transforms").flatMap(({ path }) => (path.startsWith(within) ? passagesOfCode(path) : [])),
  ...PAGES.flatMap((path) => (path.startsWith(within) ? passagesOfPage(path) : [])),
].filter(({ place, text }) => !EXCEPTIONS.some(([where, what]) => where.test(place) && what.test(text)));

it("uses plain words and the words of the field", () => {
  const found = passages.flatMap((passage) => refusedIn(passage));
  expect(found).toEqual([]);
});

it(`has no sentence of more than ${MOST_WORDS} words`, () => {
  const found = passages.flatMap((passage) =>
    sentencesOf(passage)
      .filter((sentence) => wordsIn(sentence) > MOST_WORDS)
      .map((sentence) => `${passage.place} (${wordsIn(sentence)} words): ${sentence}`),
  );
  expect(found).toEqual([]);
});

function refusedIn({ place, text }: Passage): readonly string[] {
  return REFUSED.flatMap(([word, better]) => {
    const match = word.exec(text);
    return match === null ? [] : [`${place}: "${match[0]}" (${better}) in: ${text}`];
  });
}
