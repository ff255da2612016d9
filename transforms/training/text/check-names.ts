import { elementsIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { FindingCollector } from "../finding-collector.js";

const DANGEROUS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * false, and a finding, where an element has a name that programs in JavaScript trip over. This one does not; what the package
 * meets later may.
 */
export function checkNames(root: XmlElement, path: string, findings: FindingCollector): boolean {
  const found = findNamed(root);
  if (found === undefined) return true;
  findings.add("E_XML_DANGEROUS_NAME", `${path}:${found.line}:${found.column}`, `an element is named ${found.name}`);
  return false;
}

function findNamed(element: XmlElement): XmlElement | undefined {
  if (DANGEROUS.has(element.name)) return element;
  for (const child of elementsIn(element)) {
    const found = findNamed(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
