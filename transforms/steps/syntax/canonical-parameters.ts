import type { Parameter } from "../../wiki/tree.js";

/** Parameters without blanks around them, names in lower case. What has no name stays as it is written. */
export function canonicalParameters(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.map(({ name, equals, value }) => {
    const written = name.trim().toLowerCase();
    return {
      before: "|",
      name: written,
      equals: equals === "" ? "" : "=",
      value: written === "new_window" ? value.trim().toLowerCase() : value.trim(),
    };
  });
}

/** The order in which the vendor's serializer writes an image's (wiki-syntax 5): by their names. */
export function byName(one: Parameter, other: Parameter): number {
  return Number(one.name > other.name) - Number(one.name < other.name);
}
