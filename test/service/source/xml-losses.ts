import type { Item } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";

/**
 * Where two readings of one item differ: `guide steps[].key`, each once. Media count by their
 * addresses, which XML has.
 */
export function lossesOf(json: Item, xml: Item): readonly string[] {
  const found = new Set<string>();
  compare("", comparable(json), comparable(xml), found);
  return [...found].map((path) => `${json.kind} ${path}`);
}

function comparable({ body, media, translations }: Item): unknown {
  const addresses = new Map(media.map(({ key, url }) => [key as string, url]));
  const named = (value: unknown): unknown => {
    if (typeof value === "string" && /^(?:image|document)\/\d+$/.test(value))
      return addresses.get(value as Key) ?? value;
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, named(inner)]));
  };
  return named({ ...body, translations });
}

/** Lists and objects that one side lacks whole are lost as such. */
function compare(path: string, one: unknown, other: unknown, found: Set<string>): void {
  if (JSON.stringify(one) === JSON.stringify(other)) return;
  const lists = Array.isArray(one) && Array.isArray(other);
  const inner = lists ? one.length === other.length && !LEAVES.has(path) : isObject(one) && isObject(other);
  if (!inner || LEAVES.has(path)) {
    found.add(path);
    return;
  }
  for (const name of new Set([...Object.keys(Object(one)), ...Object.keys(Object(other))])) {
    const below = lists ? `${path}[]` : path === "" ? name : `${path}.${name}`;
    compare(below, (one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name], found);
  }
}

const LEAVES: ReadonlySet<string> = new Set(["timeRequired", "info", "tree", "viewers"]);

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
