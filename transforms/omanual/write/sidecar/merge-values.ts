import { canonicalJson } from "../../../../src/core/util/canonical-json.js";

export interface Merged {
  readonly value: unknown;
  /** Where the document decided, in the model's words. */
  readonly changed: readonly string[];
}

/**
 * A value of three: `base` is what the document said when it was written, `now` what it says, `kept` what it was made of. What the
 * document still says as before is taken from `kept`, which knows more; what it says differently is taken from it.
 */
export function mergeValues(base: unknown, now: unknown, kept: unknown, path: string): Merged {
  if (isEqual(base, now)) return { value: kept, changed: [] };
  if (Array.isArray(base) && Array.isArray(now) && Array.isArray(kept) && base.length === kept.length)
    return mergeLists(base, now, kept, path);
  if (isRecord(base) && isRecord(now) && isRecord(kept) && !isOtherMedium(base, kept, path))
    return mergeRecords(base, now, kept, path);
  return { value: now, changed: [path] };
}

/** A video that the document has as an embed: a change of that embed is no change of the video. */
function isOtherMedium(base: Values, kept: Values, path: string): boolean {
  return path.endsWith(".media") && base["type"] !== kept["type"];
}

function mergeRecords(base: Values, now: Values, kept: Values, path: string): Merged {
  const changed: string[] = [];
  const entries = Object.keys({ ...kept, ...now }).map((name) => {
    const merged = mergeValues(base[name], now[name], kept[name], path === "" ? name : `${path}.${name}`);
    changed.push(...merged.changed);
    return [name, merged.value] as const;
  });
  // What a medium of another kind has not.
  return { value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)), changed };
}

/** Elements that stand unchanged find their own again wherever they are now; the others go by their place. */
function mergeLists(base: readonly unknown[], now: readonly unknown[], kept: readonly unknown[], path: string): Merged {
  const free = new Set(base.keys());
  const partners = now.map((element) => takeFirst(free, (index) => isEqual(base[index], element)));
  const changed: string[] = [];
  const value = now.map((element, place) => {
    const own = partners[place] ?? takeFirst(free, (index) => index === place);
    if (own === undefined) {
      changed.push(`${path}[${place}]`);
      return element;
    }
    const merged = mergeValues(base[own], element, kept[own], `${path}[${place}]`);
    changed.push(...merged.changed);
    return merged.value;
  });
  const isReordered = partners.some((partner, place) => partner !== undefined && partner !== place);
  return { value, changed: isReordered || now.length !== base.length ? [...changed, path] : changed };
}

function takeFirst(free: Set<number>, fits: (index: number) => boolean): number | undefined {
  for (const index of free) {
    if (!fits(index)) continue;
    free.delete(index);
    return index;
  }
  return undefined;
}

type Values = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}
