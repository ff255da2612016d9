import { namedRows } from "./named-rows.js";
import { readableJson } from "./readable-text.js";
import { type DiffNames, unifiedDiff } from "./unified-diff.js";

/** Two answers of the service as unified diffs: of two lists whose rows have ids one for each row that differs, else of the whole; null: they are the same. */
export function recordDiff(names: DiffNames, before: unknown, after: unknown): string | null {
  const whole = [readableJson(before), readableJson(after)] as const;
  if (whole[0] === whole[1]) return null;
  const rows = Array.isArray(before) && Array.isArray(after) ? namedRows(before, after) : undefined;
  if (rows === undefined) return unifiedDiff(names, ...whole);
  const [old, now] = rows;
  const ids = new Set([...old.keys(), ...now.keys()]);
  const changes = [...ids].flatMap((id) => {
    const text = [old, now].map((each) => (each.has(id) ? readableJson(each.get(id)) : ""));
    return unifiedDiff({ ...names, name: `${names.name}[${id}]` }, text[0] ?? "", text[1] ?? "") ?? [];
  });
  const { name, from, to } = names;
  if (changes.length > 0) return changes.join("");
  return `--- ${name}\t${from}\n+++ ${name}\t${to}\nThe same rows in another order.\n`;
}
