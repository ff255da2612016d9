import { asJson } from "./as-left.js";

/**
 * What not every site takes (api-facts 0.3, 3.7, 4.1, 5.2). Each is a fact of its own: asked for, told by an answer, or tried by the first write that
 * needs it. None of them says anything of another, and no kind of site says anything of them.
 */
export type Ability = "uploads" | "author" | "work-log" | "part-optional" | "part-featured";

/** What is known of a site's abilities. What nobody knows yet is tried. */
export class Abilities {
  readonly #known = new Map<Ability, boolean>();

  /** undefined: unknown. */
  has(ability: Ability): boolean | undefined {
    return this.#known.get(ability);
  }

  note(ability: Ability, isThere: boolean): void {
    this.#known.set(ability, isThere);
  }

  /** What a whole guide shows: a field of the work log, parts with marks. A site whose guides have no such field may take it all the same. */
  learn(guide: unknown): void {
    const { work_log_enabled: workLog, parts, tools } = asJson(guide);
    if (typeof workLog === "boolean") this.note("work-log", true);
    const rows = [...rowsOf(parts), ...rowsOf(tools)];
    for (const [ability, field] of MARKS) if (rows.some((row) => field in row)) this.note(ability, true);
  }
}

/** Fields of a part's body, by what has to be there for them. */
export const MARKS = [
  ["part-optional", "isoptional"],
  ["part-featured", "featured"],
] as const satisfies readonly (readonly [Ability, string])[];

/** The objects of a list of an answer or body. */
export function rowsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(asJson) : [];
}
