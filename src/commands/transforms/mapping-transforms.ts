import { renameCategory } from "../../../transforms/steps/rename-category.js";
import { renameType } from "../../../transforms/steps/rename-type.js";
import type { TransformSpec } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import type { Settings } from "../options/table.js";
import { named } from "./named.js";
import type { ChosenTransform } from "./read-transforms.js";

/** What `--type-map` and `--category-map` ask for, as transforms. Throws UsageError where a title or type can't be one. */
export function mappingTransforms({
  typeMap,
  categoryMap,
}: Pick<Settings, "typeMap" | "categoryMap">): readonly ChosenTransform[] {
  return [
    ...mapping("--type-map", renameType, { types: typeMap }, typeMap),
    ...mapping("--category-map", renameCategory, { titles: categoryMap }, categoryMap),
  ];
}

function mapping<O>(
  flag: string,
  spec: TransformSpec<O>,
  options: unknown,
  pairs: Readonly<Record<string, string>>,
): readonly ChosenTransform[] {
  if (Object.keys(pairs).length === 0) return [];
  const parsed = spec.options.safeParse(options);
  if (parsed.success) return [(context) => named(flag, spec.create(parsed.data, context))];
  const reasons = parsed.error.issues.map(({ path, message }) => `${JSON.stringify(path.at(-1) ?? "")}: ${message}`);
  throw new UsageError(`${flag}: ${[...new Set(reasons)].join("; ")}.`);
}
