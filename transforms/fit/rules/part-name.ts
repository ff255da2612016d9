import type { Part } from "../../../src/core/model/guide.js";
import { cure, lost } from "../change.js";
import type { ElementRule, FitRow } from "../rule.js";
import { excerpt } from "../text/excerpt.js";
import type { Path } from "./place.js";

const ROW = {
  code: "part-name",
  what: "Name of a part or tool",
  limit: "not empty",
  refuse: "refused",
  split: "left out (loss)",
  trim: "left out (loss)",
  source: "specification, POST /guides (`name` is required)",
} as const satisfies FitRow;

/** The name is what the site looks the item page up by, or makes one of: nothing can stand in its place. */
export const partName: ElementRule<Part, Path> = {
  row: ROW,
  fit(part, path, { policy }) {
    if (part.name.trim() !== "") return undefined;
    const breach = {
      code: ROW.code,
      path: `${path}.name`,
      message: `the entry has no name (type ${excerpt(part.type)}, notes ${excerpt(part.notes)}, address ${excerpt(part.url ?? "")})`,
      remedy: "Name it at the source, or remove it.",
    };
    const leaveOut = () => ({ value: [], findings: [lost(breach, "it was left out")] });
    return cure<readonly Part[]>(policy, [part], breach, { split: leaveOut, trim: leaveOut });
  },
};
