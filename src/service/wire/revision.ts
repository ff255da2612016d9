import { objectIn } from "../../core/util/json.js";

type RevisionField = "guide_revisionid" | "revisionid";

/** The `revisionid` of a write's query, and the field it was read from. */
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
 * The tokens that an object names for its next write, the one to use first: `guide_revisionid`
 * where the object has it, else `revisionid`. The deprecated `revisionid` of a guide that has both
 * comes last: there are sites that want it (api-facts 3.10).
 *
 * @param stored what `revisionIn` gave
 * @param first the field that a site was seen to take of objects that have both
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
