import type { ModuleUnit } from "../../../src/core/model/module.js";
import type { Judging } from "../judging.js";
import { addParameters } from "../launch/add-parameters.js";
import { nameOf } from "../recognise/markers.js";
import { shown } from "../shown.js";
import { placeOf } from "../text/read-manifest-xml.js";
import { checkTitle } from "../titles/check-title.js";
import { isOpened, openResource } from "./open-resource.js";
import type { Item, Organization } from "./read-organizations.js";
import type { Opened, ScormParts } from "./scorm-parts.js";

/** The items of an organization as units; every one that opens something is checked (training modules, 3.1). */
export function unitsOf(organization: Organization, parts: ScormParts, judging: Judging): readonly ModuleUnit[] {
  return organization.items.map((item) => unitOf(item, parts, judging));
}

function unitOf(item: Item, parts: ScormParts, judging: Judging): ModuleUnit {
  const place = placeOf(parts.path, item.element);
  const owner = `item "${shown(item.id)}"`;
  const title = checkTitle({ ...item.title, place, owner }, judging.findings);
  const opened = openedBy(item, place, owner, parts, judging);
  const launch = isOpened(opened) ? addParameters(opened.launch, item.parameters) : null;
  return {
    id: item.id,
    title: title || (opened?.launch == null ? item.id : nameOf(opened.launch)),
    launch,
    depth: item.depth,
    masteryScore: item.masteryScore,
  };
}

function openedBy(item: Item, place: string, owner: string, parts: ScormParts, judging: Judging): Opened | null {
  const { findings } = judging;
  if (item.resource === null) return null;
  if (item.hasItems && parts.is2004)
    findings.add("W_MAN_CLUSTER_REF", place, `${owner} has items below it and opens "${shown(item.resource)}" itself`);
  const resource = parts.resources.get(item.resource);
  if (resource !== undefined) return openResource(resource, owner, parts, judging);
  const where = parts.innerIds.has(item.resource)
    ? "which lies in a manifest inside of this one"
    : "and no such resource is there";
  findings.add("W_MAN_ITEM_REF_MISSING", place, `${owner} refers to "${shown(item.resource)}", ${where}`);
  return null;
}
