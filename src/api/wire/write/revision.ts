/** The two names under which the service keeps a revision (api-facts 3.10). */
export type RevisionField = "guide_revisionid" | "revisionid";

type Json = Readonly<Record<string, unknown>>;

/** Both revision fields of an answer, as the ledger keeps them: opaque outside of the target. null: the answer has neither. */
export function revisionIn(json: unknown): string | null {
  const values = FIELDS.flatMap((field) => {
    const value = revisionValue(json, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  return values.length === 0 ? null : JSON.stringify(Object.fromEntries(values));
}

const FIELDS: readonly RevisionField[] = ["guide_revisionid", "revisionid"];

/** The value to send: of the first of the fields that there is. */
export function revisionFor(
  stored: string | null,
  fields: readonly RevisionField[],
): { readonly field: RevisionField; readonly value: number } | undefined {
  if (stored === null) return undefined;
  const json: unknown = JSON.parse(stored);
  for (const field of fields) {
    const value = revisionValue(json, field);
    if (value !== undefined) return { field, value };
  }
  return undefined;
}

function revisionValue(json: unknown, field: RevisionField): number | undefined {
  const value = typeof json === "object" && json !== null ? (json as Json)[field] : undefined;
  return typeof value === "number" ? value : undefined;
}
