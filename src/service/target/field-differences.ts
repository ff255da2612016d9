import type { Body } from "../../core/contracts.js";
import { sameField } from "../wire/write/same-field.js";
import { modelPath, textOf } from "./merge/merge-issues.js";

/** One field in which two bodies differ. */
export interface FieldDifference {
  /** In the model's words. */
  readonly path: string;
  /** As a person reads it; null: nothing is there. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * The fields of `after` that would change what stands there, in their order. Both are bodies in the names of writing; what `after` says
 * nothing of stays as it is. `before`: undefined where nothing stands as yet.
 */
export function fieldDifferences(before: Body | undefined, after: Body): readonly FieldDifference[] {
  return Object.entries(after).flatMap(([field, value]) =>
    value === undefined || (before !== undefined && sameField(field, before[field], value))
      ? []
      : [{ path: modelPath(field), before: textOf(field, before?.[field]), after: textOf(field, value) }],
  );
}
