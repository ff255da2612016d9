/** The names of an index's files below `search/`, of which each is a script that calls `searchFile(name without .js, json)`. */
export const STATE_FILE = "index.js";

export function titlesFile(shard: number): string {
  return `${shard}-titles.js`;
}

export function wordsFile(shard: number): string {
  return `${shard}-words.js`;
}

export function textFile(shard: number, block: number): string {
  return `${shard}-text-${block}.js`;
}

/** undefined: it is no name of a file of texts. */
export function blockIn(name: string): { readonly shard: number; readonly block: number } | undefined {
  const [, shard, block] = /^(\d{1,6})-text-(\d{1,6})\.js$/.exec(name) ?? [];
  return shard === undefined || block === undefined ? undefined : { shard: Number(shard), block: Number(block) };
}

/** How far an index is. */
export interface SearchState {
  /** `building`: more shards follow; `broken`: they will not. */
  readonly state: "building" | "whole" | "broken";
  readonly shards: number;
  /** Items that can be found, and items that there are; equal at the end. */
  readonly done: number;
  readonly total: number;
}
