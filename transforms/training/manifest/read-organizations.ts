import { elementsIn, textIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import { adlChildren, childrenNamed, numberOf, plainAttribute } from "./elements.js";
import { isSequencing } from "./namespaces.js";

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
  /** 0: outermost. */
  readonly depth: number;
  readonly hasItems: boolean;
  readonly masteryScore: number | null;
}

export interface Organization {
  /** Empty: none. */
  readonly id: string;
  readonly element: XmlElement;
  readonly title: Title;
  /** In the order of a menu. */
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

/** The first `title` of the element's own namespace: metadata has titles too. */
function titleOf(element: XmlElement): Title {
  const [title] = childrenNamed(element, "title");
  if (title === undefined) return { text: null, hasElements: false };
  return { text: textIn(title), hasElements: elementsIn(title).length > 0 };
}

/** Points in SCORM 1.2; 0 to 1 in 2004, where the primary objective is met by its measure. */
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
