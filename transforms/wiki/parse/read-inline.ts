import type { Inline, Position } from "../tree.js";

/** An inline as it is read: with its position. */
export type ReadInline = Inline & { readonly position: Position };
