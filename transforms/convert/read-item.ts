import { UsageError } from "../../src/core/errors.js";
import { type GuideItem, itemSchema, type WikiItem } from "../../src/core/model/item.js";
import type { ReadAnswer } from "./document-options.js";
import { jsonFault } from "./json-fault.js";

/** The guide, category or wiki of its JSON. Throws UsageError that says where and what was expected. */
export function readItem(text: string, name: string, readAnswer: ReadAnswer = () => undefined): GuideItem | WikiItem {
  const value = parsed(text, name);
  if (!looksLikeItem(value)) {
    const answer = readAnswer(value, name);
    if (answer !== undefined) return answer;
    throw new UsageError(
      `${name} is JSON, but neither that of a guide, category or wiki, as \`--to json\` writes it, nor a service's answer of one.`,
    );
  }
  const result = itemSchema.safeParse(value);
  if (!result.success)
    throw new UsageError(`${name} is not the JSON of a whole item. ${wordsFor(result.error.issues)}`);
  const { data } = result;
  if (data.kind === "guide" || data.kind === "category" || data.kind === "wiki") return data;
  throw new UsageError(`${name} is the JSON of ${data.key}; guides, categories and wikis can be converted.`);
}

/** Whether JSON has the frame of an item. */
export function looksLikeItem(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && "body" in value;
}

function parsed(text: string, name: string): unknown {
  if (text.trim() === "") throw new UsageError(`${name} is empty; the JSON of a guide, category or wiki is needed.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = jsonFault(text);
    if (fault === undefined) throw error;
    const { line, column, found, expected } = fault;
    const what = found === "" ? "it ends" : `there is ${JSON.stringify(found)}`;
    throw new UsageError(`${name}:${line}:${column}: it is no JSON: ${what} where ${expected} was expected.`, {
      cause: error,
    });
  }
}

/** More are of no use: the next run tells them. */
const SHOWN = 3;

function wordsFor(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  const words = issues.slice(0, SHOWN).map(({ path, message }) => `${pathOf(path)}: ${message}`);
  return `${words.join("; ")}${issues.length > SHOWN ? ` (and ${issues.length - SHOWN} more)` : ""}.`;
}

function pathOf(path: readonly PropertyKey[]): string {
  const written = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return written.replace(/^\./, "") || "the whole of it";
}
