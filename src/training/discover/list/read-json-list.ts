import { entryOf, keyOf, type ListEntry, type ReadList } from "./list-entry.js";

/** An array of strings or of objects. */
export function readJsonList(text: string, name: string): ReadList {
  const value = parsed(text);
  if (value instanceof Error) return { entries: [], faults: [`${name}: it is no JSON: ${value.message}`] };
  if (!Array.isArray(value)) {
    return {
      entries: [],
      faults: [
        `${name}: it is no list of packages: an array of paths, or of objects with a path or a url, was expected`,
      ],
    };
  }
  return collect(value.map((one: unknown, at) => ({ value: one, where: `${name}, entry ${at + 1}` })));
}

/** A string or an object in each line. */
export function readJsonLines(text: string, name: string): ReadList {
  const lines = text.split(/\r\n|\n/).map((line, at) => ({ line, where: `${name}:${at + 1}` }));
  return collect(
    lines.filter(({ line }) => line.trim() !== "").map(({ line, where }) => ({ value: parsed(line), where })),
  );
}

function collect(values: readonly { readonly value: unknown; readonly where: string }[]): ReadList {
  const entries: ListEntry[] = [];
  const faults: string[] = [];
  for (const { value, where } of values) {
    const entry = oneOf(value, where);
    if (typeof entry === "string") faults.push(`${where}: ${entry}`);
    else entries.push(entry);
  }
  return { entries, faults };
}

function oneOf(value: unknown, where: string): ListEntry | string {
  if (value instanceof Error) return `it is no JSON: ${value.message}`;
  if (typeof value === "string") return entryOf(new Map([["path", value]]), where);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "a path, or an object with a path or a url, was expected";
  return entryOf(new Map(Object.entries(value).map(([key, one]) => [keyOf(key), one])), where);
}

/** V8 repeats a piece of the text in its messages, in which a signed address may stand; only the place is kept. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [place] = /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message) ?? [];
    return new Error(place === undefined ? "it ends too early, or holds something else" : `an error at ${place}`, {
      cause: error,
    });
  }
}
