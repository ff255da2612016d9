import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A golden case: texts by the name of their section. */
export interface Case {
  /** The file's name in words: `guide link without label`. */
  readonly title: string;
  readonly sections: ReadonlyMap<string, string>;
}

const SECTION = /^-- (.+)\n/gm;

/**
 * Reads a folder of cases. In a file, `-- name` on a line begins a section, which goes to the line
 * end before the next one.
 */
export function readCases(folder: string): readonly Case[] {
  const path = join(import.meta.dirname, folder);
  return readdirSync(path)
    .sort()
    .map((file) => {
      const [, ...parts] = readFileSync(join(path, file), "utf8").split(SECTION);
      const names = parts.filter((_, index) => index % 2 === 0);
      const texts = parts.filter((_, index) => index % 2 === 1).map((text) => text.replace(/\n$/, ""));
      const sections = new Map(names.map((name, index) => [name, texts[index] ?? ""]));
      return { title: file.replace(/\.txt$/, "").replaceAll("-", " "), sections };
    });
}

/** The section whose name begins with a word, and the context that follows it: `-- wiki line`. */
export function sourceOf(each: Case, word: string): { readonly text: string; readonly context: "page" | "line" } {
  const context = each.sections.has(`${word} line`) ? "line" : "page";
  const text = each.sections.get(`${word} ${context}`);
  if (text === undefined) throw new Error(`The case "${each.title}" has no section "${word} page" or "${word} line".`);
  return { text, context };
}
