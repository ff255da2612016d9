import type { XmlElement } from "../../xml/xml-document.js";
import type { FindingCollector } from "../finding-collector.js";
import { isAbsoluteIri } from "../iri/is-absolute-iri.js";
import { childrenNamed, plainAttribute } from "../manifest/elements.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";

/**
 * Ids are absolute IRIs (cmi5 3.0), and unique: those of units and blocks among each other, those of objectives too (13.1.2 to
 * 13.1.4). One that is absent is a breach of the schema, and told of as such.
 */
export function checkCmi5Ids(
  root: XmlElement,
  parts: readonly XmlElement[],
  path: string,
  findings: FindingCollector,
): void {
  const objectives = childrenNamed(root, "objectives").flatMap((list) => childrenNamed(list, "objective"));
  for (const element of [...childrenNamed(root, "course"), ...objectives, ...parts]) {
    const id = plainAttribute(element, "id");
    if (id !== null && !isAbsoluteIri(id))
      findings.add(
        "E_CMI5_IRI",
        placeOf(path, element),
        `the id "${shown(id)}" of <${element.name}> is no absolute IRI`,
      );
  }
  checkUnique(objectives, path, findings);
  checkUnique(parts, path, findings);
}

function checkUnique(elements: readonly XmlElement[], path: string, findings: FindingCollector): void {
  const seen = new Set<string>();
  for (const element of elements) {
    const id = plainAttribute(element, "id");
    if (id === null) continue;
    if (seen.has(id)) findings.add("E_CMI5_DUP_ID", placeOf(path, element), `the id "${shown(id)}" is there twice`);
    seen.add(id);
  }
}
