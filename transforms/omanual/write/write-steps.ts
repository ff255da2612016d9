import type { ManualLine, ManualStep } from "../manual.js";
import type { Tell } from "./finding.js";
import { simplify } from "./html/simplify.js";
import { branch, mixed, type WrittenElement } from "./print-element.js";
import { writeMedia } from "./write-media.js";

/** Lines of one container, and containers of one step (schema). */
const MOST_LINES = 8;
const MOST_CONTAINERS = 8;

/** A step; its number is its place, from 1 (documentation). */
export function writeStep({ title, lines, media }: ManualStep, index: number, tell: Tell): WrittenElement {
  const path = `steps[${index}]`;
  const containers = containersOf(lines, path, tell).map((some, container) =>
    branch(
      "lines",
      some.map((line, place) => writeLine(line, `${path}.lines[${container * MOST_LINES + place}]`, tell)),
    ),
  );
  const medium = media === null ? null : writeMedia(media, `${path}.media`, tell);
  return branch("step", medium === null ? containers : [...containers, medium], {
    number: String(index + 1),
    title: title || null,
  });
}

/** One even where there are no lines. */
function containersOf(lines: readonly ManualLine[], path: string, tell: Tell): readonly (readonly ManualLine[])[] {
  const most = MOST_LINES * MOST_CONTAINERS;
  if (lines.length > most) {
    const message = `A step of oManual 1.0 holds ${most} lines; ${lines.length - most} of ${lines.length} are left out.`;
    tell({ code: "too-many-lines", level: "loss", path: `${path}.lines`, message });
  }
  const kept = lines.slice(0, most);
  const count = Math.max(1, Math.ceil(kept.length / MOST_LINES));
  return Array.from({ length: count }, (_, place) => kept.slice(place * MOST_LINES, (place + 1) * MOST_LINES));
}

function writeLine({ bullet, level, text }: ManualLine, path: string, tell: Tell): WrittenElement {
  return mixed("line", simplify(text.html, { context: "line", path: `${path}.text` }, tell), {
    bullet: bulletOf(bullet, path, tell),
    level: String(Math.trunc(level ?? 0)),
  });
}

/** The documentation's list (omanual 5). */
const BULLETS: ReadonlySet<string> = new Set([
  ...["black", "red", "orange", "yellow", "green", "blue", "violet"],
  ...["icon_note", "icon_reminder", "icon_caution"],
]);

/** The nearest one for a bullet that is not on it. */
const NEAREST: ReadonlyMap<string, string> = new Map([["light_blue", "blue"]]);

function bulletOf(bullet: string | null, path: string, tell: Tell): string {
  const name = bullet?.trim().toLowerCase() || "black";
  if (BULLETS.has(name)) return name;
  const written = NEAREST.get(name) ?? "black";
  const message = `oManual has no bullet "${name}"; ${written} is written.`;
  tell({ code: "bullet", level: "loss", path: `${path}.bullet`, message });
  return written;
}
