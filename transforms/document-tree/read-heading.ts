import { isWritten } from "../settle/split-edges.js";
import { heading } from "../wiki/build.js";
import type { Heading, HeadingLevel } from "../wiki/tree.js";
import { lineInlinesOf } from "./read-inlines.js";
import { readLeaves } from "./read-leaves.js";
import type { ReadNode } from "./read-node.js";
import { report, type Spot } from "./reading.js";

/** A heading; none when it shows nothing. */
export function readHeading({ attributes, content }: ReadNode, spot: Spot): readonly Heading[] {
  const leaves = readLeaves(content, spot);
  return leaves.some(isWritten) ? [heading(levelOf(attributes["level"], spot), lineInlinesOf(leaves, spot))] : [];
}

/** The vendor's editor has 1 as the default (wiki-syntax 4.1). */
function levelOf(given: unknown, spot: Spot): HeadingLevel {
  const wanted = given === undefined || given === null ? 1 : Number(given);
  const level = LEVELS.find((each) => each === wanted);
  if (level === undefined) {
    report(
      spot,
      "heading-level",
      "loss",
      `There is no heading of level ${JSON.stringify(given)}; it is of level 6 now.`,
    );
    return 6;
  }
  if (level === 1) {
    report(
      spot,
      "top-heading",
      "note",
      "A heading of level 1 is not known to exist on the site; it is written as one.",
    );
  }
  return level;
}

const LEVELS: readonly HeadingLevel[] = [1, 2, 3, 4, 5, 6];
