import type { Loaded, Operation } from "../../core/contracts.js";
import type { Key } from "../../core/model/key.js";
import { operation } from "./operation.js";
import type { PlanOptions } from "./plan-options.js";

/** One call a tag (api-facts 4.6): those it has are added, those that we added before and that are gone are removed. */
export function planTags(
  of: Key,
  label: string,
  tags: readonly string[],
  loaded: Loaded,
  options: PlanOptions,
): readonly Operation[] {
  const prefix = `${of}/tag/`;
  const make = (verb: "add-tag" | "remove-tag", tag: string): Operation =>
    operation(
      { id: `${prefix}${tag}`, item: of, label: `${label}, tag "${tag}"`, call: { verb, of, tag } },
      options.output,
    );
  const wanted = new Set(tags);
  const gone = [...loaded.operations.keys()]
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length))
    .filter((tag) => !wanted.has(tag));
  return [...[...wanted].map((tag) => make("add-tag", tag)), ...gone.map((tag) => make("remove-tag", tag))];
}
