import type { XmlElement } from "../../xml/xml-document.js";
import type { FindingCollector } from "../finding-collector.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";
import { type Family, familyOf, isOtherStandard } from "./namespaces.js";

/** The family of SCORM that a manifest's first element belongs to; null, and a finding: none. */
export function checkRoot(root: XmlElement, path: string, findings: FindingCollector): Family | null {
  const { name, namespace } = root;
  const place = placeOf(path, root);
  if (namespace !== null && isOtherStandard(namespace)) {
    findings.add("E_PKG_UNSUPPORTED_STANDARD", place, `its namespace is ${shown(namespace)}`);
    return null;
  }
  const family = familyOf(namespace);
  if (name === "manifest" && family !== undefined) return family;
  const what = namespace === null ? "without a namespace" : `of the namespace ${shown(namespace)}`;
  findings.add(
    "E_MAN_ROOT_ELEMENT",
    place,
    `its first element is <${shown(name)}> ${what}, and not <manifest> of SCORM`,
  );
  return null;
}
