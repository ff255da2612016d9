import type { ListEntry, ReadList } from "./list-entry.js";

/** One package in each line; empty lines and those that begin with `#` are passed over. Quotes around a whole line are left away. */
export function readLines(text: string, name: string): ReadList {
  const entries: ListEntry[] = [];
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    const bare = line.trim();
    if (bare === "" || bare.startsWith("#")) continue;
    const unquoted = /^"([^"]+)"$/.exec(bare)?.[1] ?? bare;
    entries.push({ where: `${name}:${at + 1}`, text: unquoted, module: null });
  }
  return { entries, faults: [] };
}
