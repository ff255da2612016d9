/** Declarations of namespaces from the inside out; as many links as there are elements with some, so at most the depth. */
export interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Scope | null;
}

/** Namespaces in XML, 3: `xml` needs no declaration. */
export const NO_NAMESPACES: Scope = {
  declared: new Map([["xml", "http://www.w3.org/XML/1998/namespace"]]),
  outer: null,
};

/** The scope inside of an element with these attributes. */
export function declareNamespaces(attributes: readonly (readonly [string, string])[], outer: Scope): Scope {
  const declared = attributes.flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (name === "xmlns") return [["", value]];
    return name.startsWith("xmlns:") ? [[name.slice("xmlns:".length), value]] : [];
  });
  return { declared: new Map(declared), outer };
}

/** undefined: not declared. null: taken back by an empty declaration. */
export function namespaceOf(scope: Scope, prefix: string): string | null | undefined {
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const found = at.declared.get(prefix);
    if (found !== undefined) return found === "" ? null : found;
  }
  return undefined;
}
