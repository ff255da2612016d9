import { AICC_ENDINGS, type AiccEnding, type AiccSet, stemOf } from "./markers.js";

export interface FoundSet {
  readonly set: AiccSet;
  /** Names of further complete sets in the same folder. */
  readonly further: readonly string[];
}

/** The course files of a folder that belong together: those named as the .crs is, else as the .au, else the first of each ending. */
export function aiccSetOf(found: ReadonlyMap<AiccEnding, readonly string[]>): FoundSet {
  const descriptions = new Set((found.get("au") ?? []).map(stemOf));
  const complete = (found.get("crs") ?? []).map(stemOf).filter((stem) => descriptions.has(stem));
  const [lead] = found.get("crs") ?? found.get("au") ?? found.get("cst") ?? [""];
  const stem = complete[0] ?? stemOf(lead ?? "");
  const pick = (ending: AiccEnding): string | null => {
    const paths = found.get(ending) ?? [];
    return paths.find((path) => stemOf(path) === stem) ?? paths[0] ?? null;
  };
  const set = Object.fromEntries(AICC_ENDINGS.map((ending) => [ending, pick(ending)])) as Record<
    AiccEnding,
    string | null
  >;
  return { set, further: complete.slice(1) };
}

/** Its files that are there. */
export function filesOf(set: AiccSet): readonly string[] {
  return AICC_ENDINGS.flatMap((ending) => set[ending] ?? []);
}
