import type { TransformSpec } from "../src/contracts.js";

/**
 * The transforms that a run can choose by name, in the order in which help lists them. There is none so far; `fit` and
 * the reference pass are no entries here, since every load applies them.
 */
export const TRANSFORMS: readonly TransformSpec<unknown>[] = [];
