import { mapSame, withFields } from "./same.js";

/** A JSON value with every string in it changed; the very same value when none changes. Trees of a site nest a few levels. */
export function mapStrings<T>(value: T, path: string, change: (text: string, path: string) => string): T {
  return mapAny(value, path, change) as T;
}

function mapAny(value: unknown, path: string, change: (text: string, path: string) => string): unknown {
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value)) {
    return mapSame<unknown>(value, (entry, index) => mapAny(entry, `${path}[${index}]`, change));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([name, entry]) => [name, mapAny(entry, `${path}.${name}`, change)] as const,
  );
  return withFields<object>(value, Object.fromEntries(entries));
}
