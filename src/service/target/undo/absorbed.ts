import type { Written } from "../../../core/contracts.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { guideAsLeft, stepAsLeft, wikiAsLeft } from "../as-left.js";
import type { Present } from "./present-of.js";

/** What the ledger would know of a thing if the answer to our last write had shown it as it stands now. */
export function absorbed(key: Key, present: Present, before: Written | undefined): Written {
  const kind = kindOf(key);
  if (kind === "guide") return guideAsLeft(key, present.json);
  return kind === "step" ? stepAsLeft(key, present.json) : wikiAsLeft(key, present.json, before);
}
