import type { XmlElement } from "../../xml/xml-document.js";
import type { ManualVersion } from "../manual.js";

const VERSIONS: ReadonlySet<string> = new Set<ManualVersion>(["0.2", "0.3", "0.4"]);

/** The version in the name of the schema that a root before 1.0 asks for: `openmanual_0.2.xsd`; undefined: it asks for none. */
export function hintedVersion({ attributes }: XmlElement): ManualVersion | undefined {
  const hint = attributes.find(({ name }) => name === "schemaLocation" || name === "noNamespaceSchemaLocation");
  const version = /_(\d\.\d)\.xsd/.exec(hint?.value ?? "")?.[1] ?? "";
  return isVersion(version) ? version : undefined;
}

function isVersion(version: string): version is ManualVersion {
  return VERSIONS.has(version);
}
