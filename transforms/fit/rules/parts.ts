import type { Guide, Part } from "../../../src/core/model/guide.js";
import { firstOf, fitEach, withField } from "../change.js";
import type { FitContext } from "../context.js";
import type { Change, ElementRule, FitRule } from "../rule.js";
import { partName } from "./part-name.js";
import { partQuantity } from "./part-quantity.js";
import type { Path } from "./place.js";

/** What is asked of each part and tool: one without a name goes, whatever its quantity. */
const PART_RULES: readonly ElementRule<Part, Path>[] = [partName, partQuantity];

/** Parts and tools. */
export const parts: FitRule<Guide> = {
  rows: PART_RULES.map((rule) => rule.row),
  fit(guide, context) {
    const withParts = withField(guide, "parts", fitList(guide.parts, "parts", context));
    const withTools = withField(withParts.value, "tools", fitList(guide.tools, "tools", context));
    return { value: withTools.value, findings: [...withParts.findings, ...withTools.findings] };
  },
};

function fitList(list: readonly Part[], path: Path, context: FitContext): Change<readonly Part[]> {
  return fitEach(list, (part, index) => firstOf(PART_RULES, part, `${path}[${index}]`, context));
}
