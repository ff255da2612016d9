import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ErrorFacts, EXIT, FerryError } from "../../core/errors.js";
import { type Answer, isAnswer } from "../state/answer.js";

/** A site's folder, or a file of it, that can't be used: it says which one and why. */
export class SiteFolderError extends FerryError {
  override readonly name = "SiteFolderError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.usage, ...facts });
  }
}

/** The parsed JSON of a file; undefined when there is no such file. */
export function readJson(folder: string, ...path: readonly string[]): unknown {
  const file = join(folder, ...path);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new SiteFolderError(`${file} is not valid JSON: correct it or take it out of the folder.`, { cause: error });
  }
}

/** The same for a file that must hold an object. */
export function readAnswer(folder: string, ...path: readonly string[]): Answer | undefined {
  const value = readJson(folder, ...path);
  if (value === undefined || isAnswer(value)) return value;
  throw new SiteFolderError(`${join(folder, ...path)} must hold a JSON object.`);
}

/** The objects of a file that holds an array; none when there is no such file. */
export function readAnswers(folder: string, ...path: readonly string[]): readonly Answer[] {
  const value = readJson(folder, ...path) ?? [];
  if (Array.isArray(value)) return value.filter(isAnswer);
  throw new SiteFolderError(`${join(folder, ...path)} must hold a JSON array.`);
}

/** The names in a folder that end as asked, without the ending, in order; none when there is no such folder. */
export function namesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, name.length - ending.length))
    .toSorted();
}
