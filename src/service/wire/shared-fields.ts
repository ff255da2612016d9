import { isObject } from "../../core/util/json.js";
import type { JsonCursor } from "./json-cursor.js";

/** The service's English labels, from easy to hard: writes accept these (api-facts 3.8). */
const LABELS = ["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"] as const;

/** Localised labels (api-facts 9): for each language five cells of synonyms. */
const LOCALISED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  de: [
    ["sehr leicht", "sehr einfach"],
    ["leicht", "einfach"],
    ["mittel", "mäßig", "moderat"],
    ["schwer", "schwierig"],
    ["sehr schwer", "sehr schwierig"],
  ],
  fr: [["très facile"], ["facile"], ["moyen", "moyenne", "modéré", "modérée"], ["difficile"], ["très difficile"]],
  it: [["molto facile"], ["facile"], ["medio", "media", "moderato", "moderata"], ["difficile"], ["molto difficile"]],
  es: [["muy fácil"], ["fácil"], ["moderado", "moderada", "media", "medio"], ["difícil"], ["muy difícil"]],
  pt: [["muito fácil"], ["fácil"], ["moderado", "moderada", "médio", "média"], ["difícil"], ["muito difícil"]],
  nl: [
    ["zeer makkelijk", "zeer eenvoudig", "zeer gemakkelijk"],
    ["makkelijk", "eenvoudig", "gemakkelijk"],
    ["gemiddeld", "matig"],
    ["moeilijk"],
    ["zeer moeilijk", "heel moeilijk"],
  ],
  ru: [
    ["очень легко", "очень просто"],
    ["легко", "просто"],
    ["средне", "средняя", "средний"],
    ["сложно", "трудно"],
    ["очень сложно", "очень трудно"],
  ],
  tr: [["çok kolay"], ["kolay"], ["orta"], ["zor"], ["çok zor"]],
  ja: [["とても簡単", "とても易しい"], ["簡単", "易しい"], ["普通", "ふつう"], ["難しい"], ["とても難しい"]],
  zh: [
    ["非常容易", "非常简单", "很容易"],
    ["容易", "简单"],
    ["中等", "适中", "一般"],
    ["困难", "难"],
    ["非常困难", "很难"],
  ],
  ko: [["매우 쉬움"], ["쉬움"], ["보통"], ["어려움"], ["매우 어려움"]],
};

const BY_WORD: ReadonlyMap<string, string> = new Map([
  ...Object.values(LOCALISED).flatMap((row) =>
    row.flatMap((words, index) => words.map((word): [string, string] => [word, LABELS[index] ?? ""])),
  ),
  ...LABELS.map((label): [string, string] => [label.toLowerCase(), label]),
]);

/** undefined: an unknown word. */
export function englishDifficulty(word: string): string | undefined {
  return BY_WORD.get(word.trim().toLowerCase());
}

/** null: unset. An unknown word is a loss, since no write accepts it. */
export function readDifficulty(place: JsonCursor): string | null {
  const word = place.text().trim();
  if (word === "") return null;
  const label = englishDifficulty(word);
  if (label === undefined) {
    place.report(
      "unknown-difficulty",
      "loss",
      `is "${word}", which is not one of the five difficulties. It is read as unset`,
    );
  }
  return label ?? null;
}

/** Flag ids of the three forms: ids, objects with `flagid`, or a map by id (`[]` when empty). */
export function readFlags(place: JsonCursor): readonly string[] {
  if (isObject(place.value)) return Object.keys(place.value);
  return place.items().flatMap((item) => {
    const id = isObject(item.value) ? item.at("flagid").textOrNull() : item.textOrNull();
    return id === null ? [] : [id];
  });
}

/** A step or wiki has only the second (api-facts 3.10). */
interface Revisions {
  /** `guide_revisionid`: Dozuki only. */
  readonly guideRevision: string | null;
  readonly revision: string | null;
}

/** null: none (api-facts 8.2). */
export function readRevisions(answer: JsonCursor): Revisions {
  return { guideRevision: revisionAt(answer, "guide_revisionid"), revision: revisionAt(answer, "revisionid") };
}

/** Only sent back, so it need not be a number. */
function revisionAt(answer: JsonCursor, field: string): string | null {
  const { value } = answer.at(field);
  if (typeof value === "string" && value !== "") return value;
  const number = answer.at(field).integer();
  return number === null ? null : String(number);
}

/** `raw` as an item has it. undefined: not in the answer. */
export function availableLanguages(raw: unknown): readonly string[] | undefined {
  const json = isObject(raw) ? raw["json"] : undefined;
  const named = isObject(json) ? json["available_langids"] : undefined;
  return Array.isArray(named) ? named.map(String) : undefined;
}
