import type { Standard } from "../../../src/core/model/module.js";
import { textIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { FindingCollector } from "../finding-collector.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";
import { childrenNamed } from "./elements.js";
import { adlFamilyOf, type Family, isAdl, isScorm11, isSequencing } from "./namespaces.js";
import type { ElementSurvey } from "./survey-elements.js";

/** What `metadata/schemaversion` says, in small letters; some tools leave the word before it away (training modules, 2.2). */
const VERSIONS: ReadonlyMap<string, Standard> = new Map([
  ["1.2", "scorm12"],
  ["scorm 1.2", "scorm12"],
  ["cam 1.3", "scorm2004-2nd"],
  ["1.3", "scorm2004-2nd"],
  ["2004 2nd edition", "scorm2004-2nd"],
  ["2004 3rd edition", "scorm2004-3rd"],
  ["2004 4th edition", "scorm2004-4th"],
  ["scorm 2004 2nd edition", "scorm2004-2nd"],
  ["scorm 2004 3rd edition", "scorm2004-3rd"],
  ["scorm 2004 4th edition", "scorm2004-4th"],
]);

/**
 * The version of SCORM: what is written says the label, the namespaces say how elements are looked up; where one is missing the
 * other decides. null, and a finding: it is another standard.
 */
export function scormVersion(
  root: XmlElement,
  family: Family,
  survey: ElementSurvey,
  { path, text }: { readonly path: string; readonly text: string },
  findings: FindingCollector,
): Standard | null {
  const [metadata] = childrenNamed(root, "metadata");
  const schema = textOf(metadata, "schema");
  const written = textOf(metadata, "schemaversion");
  const place = placeOf(path, metadata ?? root);
  const other = otherStandard(schema, written, survey);
  if (other !== undefined) {
    findings.add("E_PKG_UNSUPPORTED_STANDARD", place, other);
    return null;
  }
  if (isPlainContent(schema, written, family, survey, text))
    findings.add("E_PKG_UNSUPPORTED_STANDARD", place, "it is plain IMS content: nothing of SCORM is in it");
  const told = VERSIONS.get(written.toLowerCase());
  const version = told ?? byNamespaces(family, survey);
  if (told === undefined) {
    const what = written === "" ? "no schemaversion is told" : `the schemaversion "${shown(written)}" is not known`;
    findings.add("W_MAN_SCHEMAVERSION", place, `${what}; by its namespaces it is ${version}`);
  }
  const families = new Set([family, ...[...survey.namespaces].flatMap((namespace) => adlFamilyOf(namespace) ?? [])]);
  families.add(version === "scorm12" ? "1.2" : "2004");
  if (families.size > 1)
    findings.add(
      "W_MAN_VERSION_CONFLICT",
      place,
      `it calls itself ${shown(written) || "nothing"}, and its namespaces are those of SCORM ${family}`,
    );
  return version;
}

function byNamespaces(family: Family, { isFourth }: ElementSurvey): Standard {
  if (family === "1.2") return "scorm12";
  return isFourth ? "scorm2004-4th" : "scorm2004-3rd";
}

function textOf(metadata: XmlElement | undefined, name: string): string {
  const [element] = metadata === undefined ? [] : childrenNamed(metadata, name);
  return element === undefined ? "" : textIn(element).replace(/\s+/g, " ").trim();
}

/**
 * undefined: it is SCORM, or may be. A schema that is not ADL's speaks against it only where nothing of ADL's is used: authoring tools leave
 * the one of a template.
 */
function otherStandard(schema: string, version: string, { namespaces }: ElementSurvey): string | undefined {
  if (/common cartridge|thin cc/i.test(schema)) return `it is "${shown(schema)}"`;
  if ([...namespaces].some(isScorm11) || /^(?:scorm )?1\.[01]$/i.test(version)) return "it is SCORM 1.1";
  if (schema === "" || /adl|scorm/i.test(schema) || [...namespaces].some(isAdl)) return undefined;
  return `it is "${shown(schema)}", and nothing of SCORM is in it`;
}

/**
 * The namespace of SCORM 2004 is that of IMS content packaging: where neither a schema nor a version is told, only ADL's namespaces, used
 * or declared, say that it is SCORM.
 */
function isPlainContent(schema: string, version: string, family: Family, survey: ElementSurvey, text: string): boolean {
  if (family !== "2004" || schema !== "" || version !== "") return false;
  const isUsed = [...survey.namespaces].some((namespace) => isAdl(namespace) || isSequencing(namespace));
  return !isUsed && !/\/adl(?:cp|seq|nav)_|\badlcp:/i.test(text);
}
