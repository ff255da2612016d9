import type { XmlElement } from "../../xml/xml-document.js";
import type { FindingCollector } from "../finding-collector.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";
import { plainAttribute } from "./elements.js";
import type { Organizations } from "./read-organizations.js";
import type { Resource } from "./read-resources.js";

interface Identified {
  readonly id: string;
  readonly element: XmlElement;
}

/**
 * Mandatory identifiers are there, and unique among what they are looked up in. XML Schema has them unique in the whole file; one
 * that an item and a resource share harms nobody and is only told.
 */
export function checkIds(
  root: XmlElement,
  organizations: Organizations,
  resources: readonly Resource[],
  path: string,
  findings: FindingCollector,
): void {
  const menu = organizations.all.flatMap((organization) => [organization, ...organization.items]);
  const manifest = { id: plainAttribute(root, "identifier") ?? "", element: root };
  for (const { id, element } of [manifest, ...menu, ...resources])
    if (id === "") findings.add("E_MAN_MISSING_ID", placeOf(path, element), `<${element.name}> has no identifier`);
  const ofMenu = checkUnique(menu, path, findings);
  checkUnique(resources, path, findings);
  for (const { id, element } of resources)
    if (ofMenu.has(id))
      findings.add("W_MAN_ID_REUSED", placeOf(path, element), `"${shown(id)}" is an item's identifier too`);
}

function checkUnique(all: readonly Identified[], path: string, findings: FindingCollector): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const { id, element } of all) {
    if (seen.has(id))
      findings.add("E_MAN_DUP_ID", placeOf(path, element), `the identifier "${shown(id)}" is there twice`);
    if (id !== "") seen.add(id);
  }
  return seen;
}
