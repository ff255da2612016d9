import { elementsIn, textIn, type XmlAttribute, type XmlElement } from "../xml/xml-document.js";
import type { Bases } from "./addresses.js";
import {
  baseAttribute,
  childrenNamed,
  extendBases,
  forEachElement,
  isAdl,
  isSchemaInstance,
  isSequencing,
  numberOf,
  plainAttribute,
} from "./elements.js";
import { type FindingCollector, shown } from "./findings.js";
import { placeOf } from "./read-manifest-xml.js";

export interface Title {
  readonly text: string | null;
  readonly hasElements: boolean;
}

export interface Item {
  /** Empty: none. */
  readonly id: string;
  readonly element: XmlElement;
  readonly title: Title;
  /** null: it opens nothing. */
  readonly resource: string | null;
  readonly parameters: string;
  /** Zero: outermost. */
  readonly depth: number;
  readonly hasItems: boolean;
  readonly masteryScore: number | null;
}

export interface Organization {
  /** Empty: none. */
  readonly id: string;
  readonly element: XmlElement;
  readonly title: Title;
  readonly items: readonly Item[];
}

export interface Organizations {
  readonly element: XmlElement | undefined;
  /** null: not named. */
  readonly default: string | null;
  readonly all: readonly Organization[];
}

export function readOrganizations(manifest: XmlElement): Organizations {
  const [element] = childrenNamed(manifest, "organizations");
  if (element === undefined) return { element, default: null, all: [] };
  const all = childrenNamed(element, "organization").map((organization) => ({
    id: plainAttribute(organization, "identifier") ?? "",
    element: organization,
    title: titleOf(organization),
    items: itemsOf(organization),
  }));
  return { element, default: plainAttribute(element, "default"), all };
}

function itemsOf(organization: XmlElement): readonly Item[] {
  const items: Item[] = [];
  const visit = (parent: XmlElement, depth: number): void => {
    for (const element of childrenNamed(parent, "item")) {
      items.push(readItem(element, depth));
      visit(element, depth + 1);
    }
  };
  visit(organization, 0);
  return items;
}

function readItem(element: XmlElement, depth: number): Item {
  return {
    id: plainAttribute(element, "identifier") ?? "",
    element,
    title: titleOf(element),
    resource: plainAttribute(element, "identifierref"),
    parameters: plainAttribute(element, "parameters") ?? "",
    depth,
    hasItems: childrenNamed(element, "item").length > 0,
    masteryScore: masteryOf(element),
  };
}

/** Metadata has titles too, so only the element's own namespace counts. */
function titleOf(element: XmlElement): Title {
  const [title] = childrenNamed(element, "title");
  if (title === undefined) return { text: null, hasElements: false };
  return { text: textIn(title), hasElements: elementsIn(title).length > 0 };
}

/** Points in SCORM 1.2; 0 to 1 in 2004, from the primary objective. */
function masteryOf(item: XmlElement): number | null {
  const [points] = adlChildren(item, "masteryscore");
  if (points !== undefined) return numberOf(textIn(points));
  const sequencing = elementsIn(item).find(({ name, namespace }) => name === "sequencing" && isSequencing(namespace));
  const [objectives] = sequencing === undefined ? [] : childrenNamed(sequencing, "objectives");
  const [primary] = objectives === undefined ? [] : childrenNamed(objectives, "primaryObjective");
  if (primary === undefined || plainAttribute(primary, "satisfiedByMeasure") !== "true") return null;
  const [measure] = childrenNamed(primary, "minNormalizedMeasure");
  return measure === undefined ? null : numberOf(textIn(measure));
}

/** The default, else the first; undefined, and a finding: none has an item. */
export function chooseOrganization(
  organizations: Organizations,
  path: string,
  findings: FindingCollector,
): Organization | undefined {
  const { element, all } = organizations;
  const place = element === undefined ? path : placeOf(path, element);
  const [first] = all;
  if (first === undefined) {
    findings.add("W_MAN_NO_ORGANIZATION", place, "it has no organization");
    return undefined;
  }
  const named = all.find(({ id }) => id !== "" && id === organizations.default);
  if (named === undefined) {
    const what = organizations.default === null ? "is not named" : `"${shown(organizations.default)}" is missing`;
    findings.add("W_MAN_DEFAULT_ORG", place, `the default organization ${what}; the first one is used`);
  }
  if (all.every(({ items }) => items.length === 0))
    findings.add("W_MAN_NO_ORGANIZATION", place, "no organization has an item");
  return named ?? first;
}

export interface Reference {
  readonly written: string;
  readonly bases: Bases;
  readonly element: XmlElement;
}

export interface Resource {
  /** Empty: none. */
  readonly id: string;
  readonly element: XmlElement;
  readonly href: Reference | null;
  /** `sco`, `asset` or another value; null: absent. */
  readonly scormType: { readonly name: string; readonly value: string } | null;
  readonly type: string;
  readonly files: readonly Reference[];
  readonly dependencies: readonly { readonly id: string; readonly element: XmlElement }[];
}

export function readResources(manifest: XmlElement, bases: Bases): readonly Resource[] {
  return childrenNamed(manifest, "resources").flatMap((resources) => {
    const inner = extendBases(bases, resources);
    return childrenNamed(resources, "resource").map((resource) => readResource(resource, extendBases(inner, resource)));
  });
}

function readResource(element: XmlElement, bases: Bases): Resource {
  const mark = adlAttribute(element, "scormtype");
  return {
    id: plainAttribute(element, "identifier") ?? "",
    element,
    href: hrefOf(element, bases),
    scormType: mark === undefined ? null : { name: mark.name, value: mark.value.trim() },
    type: plainAttribute(element, "type") ?? "",
    files: childrenNamed(element, "file").flatMap((file) => hrefOf(file, extendBases(bases, file)) ?? []),
    dependencies: childrenNamed(element, "dependency").map((dependency) => ({
      id: plainAttribute(dependency, "identifierref") ?? "",
      element: dependency,
    })),
  };
}

function hrefOf(element: XmlElement, bases: Bases): Reference | null {
  const written = plainAttribute(element, "href");
  return written === null ? null : { written, bases, element };
}

/** `adlcp:location` at any depth. */
export function readLocations(element: XmlElement, outer: Bases = []): readonly Reference[] {
  const bases = extendBases(outer, element);
  if (element.name === "metadata")
    return adlChildren(element, "location").flatMap((location) => {
      const written = textIn(location).trim();
      return written === "" ? [] : [{ written, bases, element: location }];
    });
  return elementsIn(element).flatMap((child) => readLocations(child, bases));
}

/** At any depth; reports each nested manifest. */
export function innerResources(
  manifest: XmlElement,
  bases: Bases,
  path: string,
  findings: FindingCollector,
): readonly Resource[] {
  return childrenNamed(manifest, "manifest").flatMap((inner) => {
    findings.add("W_MAN_SUBMANIFEST", placeOf(path, inner), "a manifest is inside of this one");
    const within = extendBases(bases, inner);
    return [...readResources(inner, within), ...innerResources(inner, within, path, findings)];
  });
}

export interface ElementSurvey {
  readonly namespaces: ReadonlySet<string>;
  readonly usesSequencing: boolean;
  /** Uses features of SCORM 2004, 4th edition. */
  readonly isFourth: boolean;
  readonly schemaLocations: readonly { readonly location: string; readonly element: XmlElement }[];
  /** Elements whose `xml:base` has backslashes. */
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
        `<${element.name}> of ${shown(namespace ?? "")} is ignored`,
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

/** XML Schema 1, 4.3.2. */
function locationsIn(name: string, value: string): readonly string[] {
  const words = value.split(/\s+/).filter((word) => word !== "");
  if (name === "noNamespaceSchemaLocation") return words;
  return name === "schemaLocation" ? words.filter((_word, index) => index % 2 === 1) : [];
}

/** In any letter case; an undeclared prefix counts, since nothing else can be meant. */
function adlAttribute(element: XmlElement, name: string): XmlAttribute | undefined {
  return element.attributes.find(
    (attribute) =>
      attribute.name.toLowerCase() === name.toLowerCase() &&
      (isAdl(attribute.namespace) || (attribute.namespace === null && attribute.prefix !== "")),
  );
}

function adlChildren(element: XmlElement, name: string): readonly XmlElement[] {
  return elementsIn(element).filter(
    (child) => child.name.toLowerCase() === name.toLowerCase() && isAdl(child.namespace),
  );
}

/** Elements that make a processor fetch or change something. */
const ACTIVE = /^http:\/\/www\.w3\.org\/(?:2001\/XInclude|1999\/XSL\/Transform)/;
/** Namespaces of pages, which metadata may use. */
const PAGES = /^http:\/\/www\.w3\.org\/(?:1999\/xhtml|2000\/svg)/;
/** Content packaging allows elements of vendors nearly anywhere. */
function isForeign(namespace: string | null, inMetadata: boolean): boolean {
  return namespace !== null && (ACTIVE.test(namespace) || (!inMetadata && PAGES.test(namespace)));
}
