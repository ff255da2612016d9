import { type Building, type Place, resolve, splitName } from "./building.js";
import type { Scope } from "./namespaces.js";
import type { XmlAttribute } from "./xml-document.js";
import { FaultFound } from "./xml-fault.js";

/** Names as written and decoded values. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** The attributes of an element, without declarations of namespaces. */
export function buildAttributes(pairs: Pairs, scope: Scope, building: Building, place: Place): readonly XmlAttribute[] {
  const attributes: XmlAttribute[] = [];
  let prefixed = 0;
  for (const [written, value] of pairs) {
    if (isDeclaration(written)) continue;
    const [prefix, name] = splitName(written);
    // The default namespace is not one of attributes (Namespaces in XML, 6.2).
    const namespace = prefix === "" ? null : resolve(prefix, scope, building, place);
    if (prefix !== "") prefixed += 1;
    attributes.push({ name, prefix, namespace, value });
  }
  if (prefixed > 1) checkExpanded(attributes, building);
  return attributes;
}

export function isDeclaration(written: string): boolean {
  return written.startsWith("xmlns") && (written.length === 5 || written.charAt(5) === ":");
}

/** Two prefixes may be one namespace (Namespaces in XML, 6.3); the same name twice does not come this far. */
function checkExpanded(attributes: readonly XmlAttribute[], { text, starts, next }: Building): void {
  const expanded = new Set(attributes.map(({ name, prefix, namespace }) => `${namespace ?? prefix} ${name}`));
  if (expanded.size === attributes.length) return;
  const at = starts[next - 1] ?? 0;
  const element = /^<([^\s/>]*)/.exec(text.slice(at, at + 300))?.[1] ?? null;
  const what = "an attribute is there twice, by two prefixes of the same namespace";
  throw new FaultFound({ code: "xml-attribute-twice", at, element, what, expected: "each attribute once" });
}
