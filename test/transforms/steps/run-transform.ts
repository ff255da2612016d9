import { deepFrozen } from "../../../src/commands/session/transforms.js";
import type { TransformContext, TransformSpec } from "../../../src/core/formats.js";
import type { SiteIdentity } from "../../../src/core/model/identity.js";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Item } from "../../../src/core/model/item.js";
import { TRANSFORMS } from "../../../transforms/index.js";

export const SOURCE: SiteIdentity = {
  root: "https://old.example/api/2.0",
  origin: "https://old.example",
  siteId: "1",
  name: "Old",
  dialect: "dozuki",
  hosts: ["old.example"],
  language: "en",
  languages: ["en"],
  account: null,
};

/** A workspace that holds these titles by their keys. */
export function contextOf(titles: Readonly<Record<string, string>> = {}): TransformContext {
  return { source: SOURCE, titleOf: (key) => titles[key] };
}

/** Runs one of the transforms over a frozen item, as a load does. */
export function runTransform(
  name: string,
  options: unknown,
  item: Item,
  context: TransformContext = contextOf(),
): { readonly items: readonly Item[]; readonly issues: readonly Issue<string>[] } {
  const spec = specOf(name);
  const issues: Issue<string>[] = [];
  const transform = spec.create(spec.options.parse(options), context);
  const items = transform(deepFrozen(item), (issue) => issues.push(issue));
  return { items, issues };
}

export function specOf(name: string): TransformSpec<unknown, string> {
  const spec = TRANSFORMS.find((each) => each.name === name);
  if (spec === undefined) throw new Error(`There is no transform ${name}.`);
  return spec;
}
