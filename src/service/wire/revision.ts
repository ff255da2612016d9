import { objectIn } from "../../core/util/json.js";

type RevisionField = "guide_revisionid" | "revisionid";

/** The `revisionid` of a write's query, and the field that it comes from. */
export interface Token {
  readonly field: RevisionField;
  readonly value: number;
}

/** Both revision fields as the ledger keeps them. null: none. */
export function revisionIn(json: unknown): string | null {
  const values = FIELDS.flatMap((field) => {
    const value = revisionValue(json, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  return values.length === 0 ? null : JSON.stringify(Object.fromEntries(values));
}

/** `guide_revisionid` first: "the only revision field to be used" (specification, Guide). */
const FIELDS: readonly RevisionField[] = ["guide_revisionid", "revisionid"];

/**
 * The tokens of an object for its next write, in the order of use: `guide_revisionid` if it has
 * one, else `revisionid`. For a guide with both, the deprecated `revisionid` comes last, since some
 * sites need it (api-facts 3.10).
 *
 * @param stored from `revisionIn`
 *
 * @param first the field that the site accepted before, for objects with both
 */
export function tokensIn(stored: string | null, first?: string): readonly Token[] {
  if (stored === null) return [];
  const json: unknown = JSON.parse(stored);
  const tokens = FIELDS.flatMap((field) => {
    const value = revisionValue(json, field);
    return value === undefined ? [] : [{ field, value }];
  });
  return tokens.toSorted((one, other) => Number(other.field === first) - Number(one.field === first));
}

function revisionValue(json: unknown, field: RevisionField): number | undefined {
  const value = objectIn(json)[field];
  return typeof value === "number" ? value : undefined;
}
