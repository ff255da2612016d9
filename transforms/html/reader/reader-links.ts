import type { Key } from "../../../src/core/model/key.js";
import type { SiteAddresses } from "../../references/site-addresses.js";

export interface ReaderPage {
  /** Relative to the page of the text: `../guide/12.html`. */
  readonly address: string;
  /** Shown when a link has no label. */
  readonly title: string;
}

/** How a media item is shown, which its bytes determine. */
export type Showing = "image" | "video" | "audio" | "pdf" | "download";

export interface ReaderMedium {
  /** Relative to the page of the text: `../media/<sha256>.jpg`. */
  readonly address: string;
  readonly shown: Showing;
  /** Name or caption; the alternative text. */
  readonly title: string;
  /** Pixels; null: unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** Default: none. */
  readonly caption?: string;
  /** Videos: address of the preview image. Default: none. */
  readonly poster?: string;
}

/** Each lookup returns undefined for items that are not in the archive. */
export interface ReaderLinks {
  /** Addresses on the site refer to items; others become links to it, except without an origin. */
  readonly site: SiteAddresses;
  /**
   * A guide, category or other wiki; a translation is possible, as a guide's key has no language.
   */
  readonly page: (key: Key) => ReaderPage | undefined;
  /** An image, a video, a document. */
  readonly medium: (key: Key) => ReaderMedium | undefined;
  /** Default: no tag has a page. */
  readonly tag?: (tag: string) => ReaderPage | undefined;
  /** Finds media that HTML names only by address. Default: finds none. */
  readonly mediaKey?: (address: string) => Key | undefined;
}

export interface ReaderOptions {
  readonly links: ReaderLinks;
  /** Whether an unparsed text is one line: words without blocks, as in a step. Default: false. */
  readonly inline?: boolean;
  /** Whether the text is shown as written, which saves the time for its marks. Default: false. */
  readonly written?: boolean;
  /** The level of the highest headings; the others follow without gaps. Default: 3. */
  readonly heading?: 1 | 2 | 3 | 4 | 5 | 6;
  /** Prefix of heading ids for several texts on one page: letters and hyphens. Default: "". */
  readonly anchors?: string;
}

export interface ReaderContext {
  readonly links: ReaderLinks;
  /** false in a paragraph, a heading, a label or a line. */
  readonly blocks: boolean;
  /** Links do not nest. */
  readonly inLink: boolean;
  readonly outline: Outline;
  readonly anchors: string;
}

export function readerContext(options: ReaderOptions, blocks: boolean): ReaderContext {
  const { links, heading = 3, anchors = "" } = options;
  return { links, blocks, inLink: false, outline: createOutline(heading, anchors), anchors };
}

export function amongWords(context: ReaderContext): ReaderContext {
  return context.blocks ? { ...context, blocks: false } : context;
}

interface PlaceInOutline {
  readonly level: number;
  readonly id: string;
}

/** Places the headings of one text, in the order of the text. */
type Outline = (level: number, name: string) => PlaceInOutline;

const DEEPEST = 6;

/**
 * Headings of a text below those of its page: the first has level `highest`, and none is more than
 * one deeper than the one before it, since users of screen readers navigate by levels. A repeated
 * name gets a number.
 * @param anchors prefix of each name
 */
function createOutline(highest: number, anchors: string): Outline {
  let above: readonly number[] = [];
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (level, name) => {
    above = [...above.filter((each) => each < level), level];
    let count = counts.get(name) ?? 0;
    let id: string;
    do {
      count += 1;
      id = anchors + (count === 1 ? name : `${name}-${count}`);
    } while (taken.has(id));
    counts.set(name, count);
    taken.add(id);
    return { level: Math.min(highest + above.length - 1, DEEPEST), id };
  };
}
