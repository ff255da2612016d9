import { parse } from "../wiki/parse.js";
import type { Line, Page, TextContext, Tree } from "../wiki/tree.js";
import type { Reference } from "./reference.js";
import { findReferences, mayRefer } from "./references.js";
import type { SiteAddresses } from "./site-addresses.js";

const READERS = new WeakMap<SiteAddresses, TextReader>();

/** One reader for each site object: transforms, limits, plan and write share its parsed texts. */
export function readerOf(site: SiteAddresses): TextReader {
  const known = READERS.get(site);
  if (known !== undefined) return known;
  const reader = new TextReader(site);
  READERS.set(site, reader);
  return reader;
}

/** Approximate bytes held for pages, and again for lines. */
const TREES = 4_000_000;
const REFERENCES = 4_000_000;

/** Keeps the last results of `parse` and `references`, so that a text is parsed once. */
export class TextReader {
  readonly #site: SiteAddresses;
  /** Used while an item is prepared. */
  readonly #trees = { page: new Recent<Tree>(TREES), line: new Recent<Tree>(TREES) };
  /** Used until the last write of an item, between writes of other items. */
  readonly #references = {
    page: new Recent<readonly Reference[]>(REFERENCES),
    line: new Recent<readonly Reference[]>(REFERENCES),
  };

  constructor(site: SiteAddresses) {
    this.#site = site;
  }

  tree(text: string, context: "page"): Page;
  tree(text: string, context: "line"): Line;
  tree(text: string, context: TextContext): Tree;
  tree(text: string, context: TextContext): Tree {
    const trees = this.#trees[context];
    return trees.get(text) ?? trees.put(text, parse(text, { context }).tree, TREE_BYTES * text.length);
  }

  /** In text order, see `references`. */
  references(text: string, context: TextContext): readonly Reference[] {
    if (!mayRefer(text)) return [];
    const known = this.#references[context];
    const found = known.get(text);
    if (found !== undefined) return found;
    const read = findReferences(text, this.tree(text, context), this.#site);
    return known.put(text, read, 2 * text.length + REFERENCE_BYTES * read.length);
  }
}

/** Bytes of a tree for each character of a text full of markup. */
const TREE_BYTES = 40;
const REFERENCE_BYTES = 500;
/** Bytes of any value and its entry, however short its text is. */
const ENTRY_BYTES = 400;

/** The most recently used values that fit into the bytes, at least one. */
class Recent<T> {
  readonly #bytes: number;
  /** In the order of their last use, the oldest first. */
  readonly #entries = new Map<string, { readonly value: T; readonly bytes: number }>();
  #held = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get(text: string): T | undefined {
    const entry = this.#entries.get(text);
    if (entry === undefined) return undefined;
    this.#entries.delete(text);
    this.#entries.set(text, entry);
    return entry.value;
  }

  put(text: string, value: T, valueBytes: number): T {
    const bytes = ENTRY_BYTES + valueBytes;
    this.#entries.set(text, { value, bytes });
    this.#held += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#held <= this.#bytes || oldest === text) break;
      this.#entries.delete(oldest);
      this.#held -= entry.bytes;
    }
    return value;
  }
}
