import type { Outline } from "./outline.js";
import { createOutline } from "./outline.js";
import type { ReaderLinks, ReaderOptions } from "./reader-links.js";

/** What a handler knows beside its node. */
export interface ReaderContext {
  readonly links: ReaderLinks;
  /** Whether blocks may stand here: not in a paragraph, a heading, a label, a line. */
  readonly blocks: boolean;
  /** Whether a link is around the place: none may stand in it. */
  readonly inLink: boolean;
  readonly outline: Outline;
  readonly anchors: string;
}

/** What the first node of a text knows. */
export function readerContext(options: ReaderOptions, blocks: boolean): ReaderContext {
  const { links, heading = 3, anchors = "" } = options;
  return { links, blocks, inLink: false, outline: createOutline(heading, anchors), anchors };
}

/** The same where only words may stand. */
export function amongWords(context: ReaderContext): ReaderContext {
  return context.blocks ? { ...context, blocks: false } : context;
}
