import type { Key } from "../../src/core/model/key.js";
import type { TextContext } from "../wiki/tree.js";
import type { SiteLimits, Size } from "./limits.js";

/** `refuse`: not sent. `split`: parts move, without loss where possible. `trim`: parts are cut. */
export type FitPolicy = "refuse" | "split" | "trim";

/** How `split` and `trim` treat images that are too small for a step; `drop` loses them. */
export type SmallImages = Resizing | "drop";

/** Pure. */
export interface FitContext {
  readonly limits: SiteLimits;
  readonly policy: FitPolicy;
  /** The longest form of a wiki text as sent: a reference may become an absolute link. */
  readonly measure: (text: string, where: TextContext) => string;
  /** undefined: unknown, and taken to be large enough. */
  readonly imageSize: (key: Key) => Size | undefined;
  /** Default `drop`. */
  readonly smallImages?: SmallImages;
  /** null: it can be resized. Absent: no image can. */
  readonly notResizable?: (key: Key) => string | null;
  readonly mediaRefused: (key: Key) => boolean;
  /** Whether the user or team of a USER or TEAM page is on the target. Absent: no. */
  readonly isThere?: (page: Key) => boolean;
  /** Whether a map of people excludes that user or team. Absent: no. */
  readonly isNobody?: (page: Key) => boolean;
}

/** Scaled up, or centred on a larger canvas. */
type Resizing = "enlarge" | "pad";

/** A resized image as a media item of its own. */
export interface Resized {
  readonly of: Key;
  readonly how: Resizing;
  readonly size: Size;
}

/** `image/12+enlarge-800x600` */
export function resizedKey({ of, how, size: { width, height } }: Resized): Key {
  return `${of}+${how}-${width}x${height}`;
}

const RESIZED = /^(image\/.+)\+(enlarge|pad)-(\d+)x(\d+)$/s;

/** undefined: an original image. */
export function resizedOf(key: Key): Resized | undefined {
  const [, of, how, width, height] = RESIZED.exec(key) ?? [];
  if (of === undefined || (how !== "enlarge" && how !== "pad")) return undefined;
  return { of: of as Key, how, size: { width: Number(width), height: Number(height) } };
}

/** Bounds images with very unequal sides. */
const MOST_PIXELS = 24_000_000;

/** The smallest size of at least `least`, scaled or with a border. undefined: too many pixels. */
export function resizedSize(size: Size, least: Size, how: Resizing): Size | undefined {
  const factor = how === "pad" ? 1 : Math.max(least.width / size.width, least.height / size.height);
  const width = Math.max(least.width, Math.round(size.width * factor));
  const height = Math.max(least.height, Math.round(size.height * factor));
  return width * height > MOST_PIXELS ? undefined : { width, height };
}
