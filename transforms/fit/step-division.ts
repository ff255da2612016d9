import type { Line, Step, StepMedia } from "../../src/core/model/item.js";
import type { Key } from "../../src/core/model/key.js";
import type { SiteLimits } from "./limits.js";
import { ELLIPSIS } from "./shorten.js";

/**
 * A step as several, each with as many lines and images as a step may have. The first keeps key,
 * title, comments and what stands beside it that is no image; the others are `step/456+2`,
 * `step/456+3` with the title `Title (2)`, `Title (3)`.
 */
export function divideStep(step: Step, limits: SiteLimits, taken: ReadonlySet<Key>): readonly Step[] {
  const lines = chunkLines(step.lines, limits.linesPerStep);
  const images = chunk(imagesOf(step), limits.imagesPerStep);
  const further = continuationKeys(step.key, Math.max(lines.length, images.length) - 1, taken);
  return [step.key, ...further].map((key, index) => ({
    key,
    title: index === 0 || step.title.trim() === "" ? step.title : `${step.title} (${index + 1})`,
    lines: allowedLevels(lines[index] ?? [placeholder(ELLIPSIS)], limits.maximumLevel),
    media: mediaOf(images[index]) ?? (index === 0 ? step.media : { type: "none" }),
    comments: index === 0 ? step.comments : [],
  }));
}

/** The images of a step; none when it shows something else. */
export function imagesOf(step: Step): readonly Key[] {
  return step.media.type === "images" ? step.media.images : [];
}

/**
 * Full steps, but rather one that ends before a line without indentation than one that tears deeper
 * lines off theirs.
 */
function chunkLines(lines: readonly Line[], size: number): readonly (readonly Line[])[] {
  const chunks: (readonly Line[])[] = [];
  for (let from = 0; from < lines.length; ) {
    const window = lines.slice(from + Math.ceil(size / 2), from + size + 1);
    const outer = window.findLastIndex((line) => line.level === 0);
    const fits = lines.length - from <= size;
    const length = fits || outer < 0 ? size : Math.ceil(size / 2) + outer;
    chunks.push(lines.slice(from, from + length));
    from += length;
  }
  return chunks;
}

function chunk<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let from = 0; from < list.length; from += size) chunks.push(list.slice(from, from + size));
  return chunks;
}

function mediaOf(images: readonly Key[] | undefined): StepMedia | undefined {
  return images === undefined ? undefined : { type: "images", images };
}

/** Keys that no step of the guide has: a guide that was divided before keeps its own. */
function continuationKeys(key: Key, count: number, taken: ReadonlySet<Key>): readonly Key[] {
  const keys: Key[] = [];
  for (let number = 2; keys.length < count; number += 1) {
    const candidate: Key = `${key}+${number}`;
    if (!taken.has(candidate)) keys.push(candidate);
  }
  return keys;
}

/**
 * Lines with levels that the service takes; the same array when they were so. Lines at the
 * beginning that all stand deeper than 0 are moved out together, so that neighbours stay
 * neighbours: 1 1 2 0 becomes 0 0 1 0.
 */
export function allowedLevels(lines: readonly Line[], maximum: number): readonly Line[] {
  const outer = lines.findIndex((line) => line.level <= 0);
  const leading = outer < 0 ? lines.length : outer;
  const shift = Math.min(...lines.slice(0, leading).map((line) => line.level));
  let deepest = 0;
  const settled = lines.map((line, index) => {
    const wanted = index < leading ? line.level - shift : line.level;
    const level = Math.max(0, Math.min(wanted, deepest, maximum));
    deepest = level + 1;
    return level === line.level ? line : { ...line, level };
  });
  return settled.every((line, index) => line === lines[index]) ? lines : settled;
}

/** A line that stands where the service wants one. */
export function placeholder(text: string): Line {
  return { text, bullet: "black", bulletStyle: null, level: 0 };
}
