import { isRecord } from "./is-record.js";

type Named = ReadonlyMap<string, unknown>;
type Elements = readonly unknown[];

/**
 * The elements of two lists by the names that they have: their key or id, or, in what the service answered, the first field of that kind
 * (`userid`) that tells them apart in both. undefined: not all of them have one of their own.
 */
export function namedRows(before: Elements, after: Elements): readonly [before: Named, after: Named] | undefined {
  const own = namedBy(before, after, (row) => row["key"] ?? row["id"]);
  if (own !== undefined) return own;
  const first = before[0];
  const fields = isRecord(first) ? Object.keys(first).filter((field) => /id$/i.test(field)) : [];
  for (const field of fields) {
    const named = namedBy(before, after, (row) => row[field]);
    if (named !== undefined) return named;
  }
  return undefined;
}

type NameOf = (row: Readonly<Record<string, unknown>>) => unknown;

function namedBy(before: Elements, after: Elements, nameOf: NameOf): readonly [Named, Named] | undefined {
  const [old, now] = [byName(before, nameOf), byName(after, nameOf)];
  return old === undefined || now === undefined ? undefined : [old, now];
}

function byName(elements: Elements, nameOf: NameOf): Named | undefined {
  const named = new Map<string, unknown>();
  for (const element of elements) {
    const name = isRecord(element) ? nameOf(element) : undefined;
    if ((typeof name !== "string" && typeof name !== "number") || named.has(String(name))) return undefined;
    named.set(String(name), element);
  }
  return named;
}
