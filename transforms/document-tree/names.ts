import { CONTENTS, INTRODUCTION, type MarkKind, type NodeKind } from "./vocabulary.js";

/**
 * Kinds by every name that reading takes: those of both vocabularies, and those that other editors of the same family use.
 * Writing uses the vocabularies alone.
 */
export const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map([
  ...kindsByName<NodeKind>(CONTENTS.nodes),
  ...kindsByName<NodeKind>(INTRODUCTION.nodes),
  ["br", "break"],
  ["quote", "quote"],
]);

export const MARK_KINDS: ReadonlyMap<string, MarkKind> = new Map([
  ...kindsByName<MarkKind>(CONTENTS.marks),
  ...kindsByName<MarkKind>(INTRODUCTION.marks),
  ["sub", "subscript"],
  ["sup", "superscript"],
  ["strikeThrough", "strike"],
]);

/** Nodes of running text; all others are blocks. */
export const INLINE_KINDS: ReadonlySet<NodeKind | undefined> = new Set<NodeKind>(["text", "break", "image"]);

function kindsByName<Kind extends string>(names: Readonly<Record<Kind, string>>): readonly (readonly [string, Kind])[] {
  return Object.entries(names).map(([kind, name]) => [name as string, kind as Kind] as const);
}
