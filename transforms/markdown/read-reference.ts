import { type LinkOptions, link } from "../wiki/build-inlines.js";
import type { Link, LinkKind } from "../wiki/tree.js";

/** The addresses that stand for references of the wiki syntax: the target, and a step. */
const REFERENCES: readonly (readonly [LinkKind, RegExp])[] = [
  ["guide", /^guide:(\d+)(?:\?stepid=(\d+))?$/i],
  ["document", /^document:(\d+)$/i],
  ["product", /^product:([^\s[\]|][^[\]|\n]*)$/i],
  ["wiki", /^wiki:([^\s[\]|][^[\]|\n]*)$/i],
];

/** The link that such an address stands for; undefined for any other. */
export function readReference(url: string, options: LinkOptions): Link | undefined {
  for (const [kind, pattern] of REFERENCES) {
    const [, target, stepId] = pattern.exec(url) ?? [];
    if (target !== undefined) return link(kind, target, stepId === undefined ? options : { ...options, stepId });
  }
  return undefined;
}
