import type { Key } from "../../src/core/model/key.js";
import type { TextContext } from "../wiki/tree.js";
import type { SiteLimits, Size } from "./limits.js";

/**
 * What happens to content that a site would not take. `refuse`: the item is not sent. `split`: its
 * parts are moved to where they fit, and nothing is lost that can be moved. `trim`: what is too
 * much is cut.
 */
export type FitPolicy = "refuse" | "split" | "trim";

/**
 * What happens to an image that is smaller than a step takes, under `split` and `trim`: another
 * size, or a loss.
 */
export type SmallImages = Resizing | "drop";

/** What the rules may ask. All of it pure: equal questions, equal answers. */
export interface FitContext {
  readonly limits: SiteLimits;
  readonly policy: FitPolicy;
  /**
   * Wiki text as it will be sent, at its longest: a reference may become an absolute link. Lengths
   * are checked on it.
   */
  readonly measure: (text: string, where: TextContext) => string;
  /** The pixels of an image; undefined: not known, then it is taken to be large enough. */
  readonly imageSize: (key: Key) => Size | undefined;
  /** What is done with images that are smaller than a step takes. Default `drop`. */
  readonly smallImages?: SmallImages;
  /** Why an image can't be given another size; null: it can. Absent: none can. */
  readonly notResizable?: (key: Key) => string | null;
  /** Whether `fitMedia` refused a media item; whoever uses it has to do without. */
  readonly mediaRefused: (key: Key) => boolean;
  /** Is whom a USER or TEAM page is about at the target too? Absent: nobody is. */
  readonly isThere?: (page: Key) => boolean;
  /** Does a map of people call whom a USER or TEAM page is about nobody? Absent: no. */
  readonly isNobody?: (page: Key) => boolean;
}

/**
 * How a picture that is too small gets the least size: scaled up, or put into the middle of a
 * larger one.
 */
type Resizing = "enlarge" | "pad";

/**
 * What stands in a step for a picture that is too small: the same picture in another size, as a
 * medium of its own.
 */
export interface Resized {
  /** The picture as it is at the source. */
  readonly of: Key;
  readonly how: Resizing;
  readonly size: Size;
}

/** `image/12+enlarge-800x600`. */
export function resizedKey({ of, how, size: { width, height } }: Resized): Key {
  return `${of}+${how}-${width}x${height}`;
}

const RESIZED = /^(image\/.+)\+(enlarge|pad)-(\d+)x(\d+)$/s;

/** undefined: a medium as it is at the source. */
export function resizedOf(key: Key): Resized | undefined {
  const [, of, how, width, height] = RESIZED.exec(key) ?? [];
  if (of === undefined || (how !== "enlarge" && how !== "pad")) return undefined;
  return { of: of as Key, how, size: { width: Number(width), height: Number(height) } };
}

/**
 * Pixels of a whole picture that is made; one with very unequal sides would grow without measure.
 */
const MOST_PIXELS = 24_000_000;

/**
 * The smallest size of at least `least`: by one factor for both sides, or with a border. undefined:
 * it would have too many pixels.
 */
export function resizedSize(size: Size, least: Size, how: Resizing): Size | undefined {
  const factor = how === "pad" ? 1 : Math.max(least.width / size.width, least.height / size.height);
  const width = Math.max(least.width, Math.round(size.width * factor));
  const height = Math.max(least.height, Math.round(size.height * factor));
  return width * height > MOST_PIXELS ? undefined : { width, height };
}
