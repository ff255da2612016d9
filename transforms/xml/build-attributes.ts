import { type Building, type Place, resolve, splitName } from "./building.js";
import { decodeValue } from "./decode-references.js";
import { declareNamespaces, type Scope } from "./namespaces.js";
import type { XmlAttribute } from "./xml-document.js";
import { FaultFound } from "./xml-fault.js";

export interface BuiltAttributes {
  /** Without declarations of namespaces. */
  readonly attributes: readonly XmlAttribute[];
  /** The scope inside of the element. */
  readonly scope: Scope;
}

/** The attributes of the element whose place was taken last. */
export function buildAttributes(outer: Scope, building: Building, place: Place): BuiltAttributes {
  const { names, values, ends } = building.attributes;
  const [first, end] = [ends[building.next - 2] ?? 0, ends[building.next - 1] ?? 0];
  if (first === end) return { attributes: NONE, scope: outer };
  const scope = scopeOf(first, end, outer, building);
  const attributes: XmlAttribute[] = [];
  let prefixed = 0;
  for (let at = first; at < end; at += 1) {
    const written = names[at] ?? "";
    if (isDeclaration(written)) continue;
    const [prefix, name] = splitName(written);
    // The default namespace is not one of attributes (Namespaces in XML, 6.2).
    const namespace = prefix === "" ? null : resolve(prefix, scope, building, place);
    if (prefix !== "") prefixed += 1;
    attributes.push({ name, prefix, namespace, value: decodeValue(values[at] ?? "") });
  }
  if (prefixed > 1) checkExpanded(attributes, building);
  return { attributes, scope };
}

const NONE: readonly never[] = [];

function scopeOf(first: number, end: number, outer: Scope, { attributes: { names, values } }: Building): Scope {
  const declared: (readonly [string, string])[] = [];
  for (let at = first; at < end; at += 1) {
    const name = names[at] ?? "";
    if (isDeclaration(name)) declared.push([name, decodeValue(values[at] ?? "")]);
  }
  return declared.length === 0 ? outer : declareNamespaces(declared, outer);
}

function isDeclaration(written: string): boolean {
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
