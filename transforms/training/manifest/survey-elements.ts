import type { XmlElement } from "../../xml/xml-document.js";
import type { FindingCollector } from "../finding-collector.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";
import { baseAttribute, forEachElement } from "./elements.js";
import { isForeign, isSchemaInstance, isSequencing } from "./namespaces.js";

/** What one walk over a whole manifest gathers. */
export interface ElementSurvey {
  /** Of elements and attributes. */
  readonly namespaces: ReadonlySet<string>;
  readonly usesSequencing: boolean;
  /** Has something that SCORM 2004 knows from its 4th edition on. */
  readonly isFourth: boolean;
  /** Each place that `xsi:schemaLocation` names, and the element. */
  readonly schemaLocations: readonly { readonly location: string; readonly element: XmlElement }[];
  /** Elements whose `xml:base` has back-slashes. */
  readonly badBases: readonly XmlElement[];
}

const FOURTH: ReadonlySet<string> = new Set(["map", "completionThreshold", "sharedDataGlobalToSystem"]);

export function surveyElements(root: XmlElement, path: string, findings: FindingCollector): ElementSurvey {
  const namespaces = new Set<string>();
  const foreign = new Set<string>();
  const schemaLocations: { readonly location: string; readonly element: XmlElement }[] = [];
  const badBases: XmlElement[] = [];
  let usesSequencing = false;
  let isFourth = false;
  forEachElement(root, (element, inMetadata) => {
    const { namespace } = element;
    if (namespace !== null) namespaces.add(namespace);
    if (isSequencing(namespace)) usesSequencing = true;
    if (element.prefix !== "" && FOURTH.has(element.name)) isFourth = true;
    if (isForeign(namespace, inMetadata) && !foreign.has(namespace ?? "")) {
      foreign.add(namespace ?? "");
      findings.add(
        "W_XML_FOREIGN_ELEMENT",
        placeOf(path, element),
        `<${element.name}> of ${shown(namespace ?? "")} is passed over`,
      );
    }
    for (const attribute of element.attributes) {
      if (attribute.namespace !== null) namespaces.add(attribute.namespace);
      if (isSchemaInstance(attribute.namespace))
        for (const location of locationsIn(attribute.name, attribute.value))
          schemaLocations.push({ location, element });
    }
    if (baseAttribute(element)?.value.includes("\\") === true) badBases.push(element);
  });
  return { namespaces, usesSequencing, isFourth, schemaLocations, badBases };
}

/** XML Schema 1, 4.3.2: pairs of a namespace and a place. */
function locationsIn(name: string, value: string): readonly string[] {
  const words = value.split(/\s+/).filter((word) => word !== "");
  if (name === "noNamespaceSchemaLocation") return words;
  return name === "schemaLocation" ? words.filter((_word, index) => index % 2 === 1) : [];
}
