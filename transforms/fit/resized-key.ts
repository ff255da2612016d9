import type { Key } from "../../src/core/model/key.js";
import type { Size } from "./limits.js";

/** How a picture that is too small gets the least size: scaled up, or put into the middle of a larger one. */
export type Resizing = "enlarge" | "pad";

/** What stands in a step for a picture that is too small: the same picture in another size, as a medium of its own. */
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

/** Pixels of a whole picture that is made; one with very unequal sides would grow without measure. */
const MOST_PIXELS = 24_000_000;

/** The smallest size of at least `least`: by one factor for both sides, or with a border. undefined: it would have too many pixels. */
export function resizedSize(size: Size, least: Size, how: Resizing): Size | undefined {
  const factor = how === "pad" ? 1 : Math.max(least.width / size.width, least.height / size.height);
  const width = Math.max(least.width, Math.round(size.width * factor));
  const height = Math.max(least.height, Math.round(size.height * factor));
  return width * height > MOST_PIXELS ? undefined : { width, height };
}
