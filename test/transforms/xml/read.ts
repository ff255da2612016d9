import { readXml } from "../../../transforms/xml/read-xml.js";
import type { XmlDocument, XmlNode } from "../../../transforms/xml/xml-document.js";
import type { XmlFault, XmlLimits } from "../../../transforms/xml/xml-fault.js";

/** The document of an input that must be read. */
export function documentOf(input: Uint8Array | string): XmlDocument {
  const result = readXml(input, { file: "a.xml" });
  if (!result.ok) throw new Error(result.fault.message);
  return result.document;
}

/** The fault of an input that must be refused. */
export function faultOf(input: Uint8Array | string, limits: Partial<XmlLimits> = {}): XmlFault {
  const result = readXml(input, { file: "a.xml", limits });
  if (result.ok) throw new Error(`${String(input).slice(0, 80)} was read.`);
  return result.fault;
}

/** A short form to compare: `["a", { b: "c" }, "text", ["d", {}]]`. */
export type Short = string | readonly [string, Readonly<Record<string, string>>, ...unknown[]];

export function shortOf(node: XmlNode): Short {
  if (typeof node === "string") return node;
  const written = (prefix: string, name: string) => (prefix === "" ? name : `${prefix}:${name}`);
  const attributes = node.attributes.map(({ prefix, name, value }) => [written(prefix, name), value] as const);
  return [written(node.prefix, node.name), Object.fromEntries(attributes), ...node.children.map(shortOf)];
}
