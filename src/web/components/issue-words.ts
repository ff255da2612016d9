import { DOCUMENT_CODES } from "../../core/model/document-codes.js";
import type { Issue } from "../../core/model/issue.js";
import { type CodeTable, SITE_CODES } from "../../core/model/issue-codes.js";
import { TEXT_CODES } from "../../core/model/text-codes.js";

/** Where several areas have a code, the first one names it. */
const TABLES: readonly CodeTable[] = [
  SITE_CODES.load,
  SITE_CODES.extract,
  ...Object.values(DOCUMENT_CODES),
  ...Object.values(TEXT_CODES),
];

/**
 * What a code of an issue means, in one sentence; empty: a code of a transform or of a limit, whose
 * messages say it.
 */
export function codeMeaning(code: string): string {
  return TABLES.find((table) => table[code] !== undefined)?.[code]?.[1] ?? "";
}

/** Their remedies only say where the value is kept. */
const KEPT_ONLY: ReadonlySet<string> = new Set(["image-markup", "poster", "releases"]);

/** Can a person get the value of this issue to the target? Dates, for example, nobody can set. */
export function isActionable({ code, remedy = "" }: Pick<Issue<string>, "code" | "remedy">): boolean {
  return remedy !== "" && !KEPT_ONLY.has(code);
}

/**
 * A field of the model in words, counted from 1: `steps[3].lines[0].text` is `step 4, line 1`. A
 * field of another form stays as it is. Empty: the whole item.
 */
export function fieldInWords(path: string): string {
  const parts = path.split(".").map((part) => /^([A-Za-z_]+(?:\/\d+)?)((?:\[\d+\])*)$/.exec(part));
  if (parts.some((part) => part === null)) return path;
  const words = parts.map((part) => {
    const [, name = "", places = ""] = part ?? [];
    const numbers = [...places.matchAll(/\d+/g)].map(([place]) => Number(place) + 1);
    return numbers.length === 0 ? nameInWords(name) : `${singular(nameInWords(name))} ${numbers.join(".")}`;
  });
  // A line is its text.
  if (words.length > 1 && words.at(-1) === "text") words.pop();
  return words.join(", ");
}

/** `attachedQuiz` as `attached quiz`, `step/214` as `step with id 214`. */
function nameInWords(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
  return words.replace("/", " with id ").toLowerCase();
}

function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/s$/, "");
}
