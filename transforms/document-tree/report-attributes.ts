import { readNode } from "./read-node.js";
import { DEEPEST_NODE, inside, report, type Spot } from "./reading.js";
import type { NodeKind } from "./vocabulary.js";

/** Tells of what nodes say in attributes that wiki text has no place for: an alignment, the language of code. */
export function reportAttributes(document: unknown, spot: Spot): void {
  const rest: (readonly [value: unknown, spot: Spot])[] = [[document, spot]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, place] = next;
    const { kind, attributes, content, type } = readNode(value);
    const known = kind === undefined ? undefined : KNOWN[kind]?.(attributes);
    for (const [name, said] of known === undefined ? [] : Object.entries(attributes)) {
      if (known?.includes(name) || TECHNICAL.has(name) || !isSaid(said)) continue;
      const message = `The wiki syntax has no "${name}" of a "${type}"; ${JSON.stringify(said).slice(0, 100)} is left out.`;
      report(place, "node-attribute", "loss", message);
    }
    if (place.depth > DEEPEST_NODE) continue;
    for (const [at, child] of [...content.entries()].toReversed()) rest.push([child, inside(place, at)]);
  }
}

type Names = (attributes: Readonly<Record<string, unknown>>) => readonly string[];

/** Attributes that are read, or told of elsewhere; images tell of theirs where they are read. */
const KNOWN: Readonly<Partial<Record<NodeKind, Names>>> = {
  // A video's paragraph says again what its macro says (wiki-syntax 4.2).
  paragraph: ({ rule }) =>
    rule === undefined ? [] : ["align", "caption", "formats", "poster", "rule", "service", "size", "url"],
  heading: () => ["level"],
  codeBlock: () => [],
  quote: () => ["format", "attribute"],
  bulletList: () => [],
  orderedList: () => ["order", "start"],
  listItem: () => [],
};

/** What editors keep for themselves. */
const TECHNICAL: ReadonlySet<string> = new Set(["id", "class", "tight", "bullet", "spread"]);

/** Nothing, and what text is without being told. */
function isSaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return !["", "left", "start", null, undefined, false].some((nothing) => value === nothing);
}
