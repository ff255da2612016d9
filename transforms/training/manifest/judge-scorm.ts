import type { Module, ModuleUnit, Standard } from "../../../src/core/model/module.js";
import { textIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { Judging } from "../judging.js";
import { changeSlashes } from "../launch/change-address.js";
import { noteChange } from "../launch/note-change.js";
import { MANIFEST_LIMITS } from "../manifest-limits.js";
import { shown } from "../shown.js";
import { mendXml } from "../text/mend-xml.js";
import { type ManifestXml, placeOf } from "../text/read-manifest-xml.js";
import { checkTitle } from "../titles/check-title.js";
import { checkDependencies } from "./check-dependencies.js";
import { checkFiles } from "./check-files.js";
import { checkIds } from "./check-ids.js";
import { checkRoot } from "./check-root.js";
import { checkSchemas } from "./check-schemas.js";
import { chooseOrganization } from "./choose-organization.js";
import { baseAttribute, childrenNamed, extendBases, forEachElement, plainAttribute } from "./elements.js";
import { innerResources } from "./inner-manifests.js";
import type { Family } from "./namespaces.js";
import { tellOrphans } from "./orphans.js";
import { type Organization, readOrganizations } from "./read-organizations.js";
import { type Resource, readLocations, readResources } from "./read-resources.js";
import { resourceUnits } from "./resource-units.js";
import type { ScormParts } from "./scorm-parts.js";
import { unitsOf } from "./scorm-units.js";
import { scormVersion } from "./scorm-version.js";
import { type ElementSurvey, surveyElements } from "./survey-elements.js";

/** What an imsmanifest.xml says, and what is wrong with it (training modules, 2.2, 2.3, 3.1); null: it is refused before that is known. */
export function judgeScorm({ path, root, source }: ManifestXml, judging: Judging): Module | null {
  const { findings } = judging;
  const family = checkRoot(root, path, findings);
  if (family === null) return null;
  const survey = surveyElements(root, path, findings);
  const standard = scormVersion(root, family, survey, { path, text: source.text }, findings);
  if (standard === null) return null;
  tellBases(survey, path, judging);
  const bases = extendBases([], root);
  const resources = readResources(root, bases);
  const inner = innerResources(root, bases, path, findings);
  const organizations = readOrganizations(root);
  const items = organizations.all.reduce((sum, organization) => sum + organization.items.length, 0);
  if (items > MANIFEST_LIMITS.items) {
    findings.add("E_MAN_TOO_MANY_ITEMS", path, `${items} items, the limit is ${MANIFEST_LIMITS.items}`);
    return null;
  }
  checkIds(root, organizations, resources, path, findings);
  checkDependencies(resources, path, findings);
  const parts = partsOf(path, family, resources, inner);
  const chosen = chooseOrganization(organizations, path, findings);
  const others = organizations.all.filter((organization) => organization !== chosen);
  const menu = chosen === undefined ? [] : unitsOf(chosen, parts, judging);
  for (const other of others) unitsOf(other, parts, judging);
  const units = items === 0 ? resourceUnits(resources, parts, judging) : menu;
  tellLaunches(units, parts, path, judging);
  const listed = checkFiles([...resources, ...inner], readLocations(root), parts.opened, path, judging);
  checkSchemas(survey, path, judging);
  if (judging.files !== null) tellOrphans(judging.files, listed, findings);
  return moduleOf(standard, root, chosen, units, survey, path, judging);
}

function partsOf(path: string, family: Family, resources: readonly Resource[], inner: readonly Resource[]): ScormParts {
  return {
    path,
    is2004: family === "2004",
    // The first of two with the same identifier, as most systems have it.
    resources: new Map(resources.toReversed().map((resource) => [resource.id, resource])),
    innerIds: new Set(inner.map(({ id }) => id)),
    opened: new Map(),
  };
}

function tellBases({ badBases }: ElementSurvey, path: string, judging: Judging): void {
  for (const element of badBases) {
    const base = baseAttribute(element);
    if (base === undefined) continue;
    judging.findings.add("W_MAN_HREF_BACKSLASH", placeOf(path, element), `xml:base is "${shown(base.value)}"`);
    noteChange("W_MAN_HREF_BACKSLASH", changeSlashes, mendXml(element, `${base.prefix}:base`, judging), judging);
  }
}

function tellLaunches(units: readonly ModuleUnit[], { opened }: ScormParts, path: string, { findings }: Judging): void {
  if (units.some(({ launch }) => launch !== null) || [...opened.values()].some(({ hasAddress }) => hasAddress)) return;
  findings.add("E_MAN_NO_LAUNCH", path, "no item opens a page");
}

function moduleOf(
  standard: Standard,
  root: XmlElement,
  chosen: Organization | undefined,
  units: readonly ModuleUnit[],
  { usesSequencing }: ElementSurvey,
  path: string,
  { findings, external }: Judging,
): Module {
  const identifier = plainAttribute(root, "identifier") ?? "";
  const named =
    chosen === undefined
      ? ""
      : checkTitle({ ...chosen.title, place: placeOf(path, chosen.element), owner: "the organization" }, findings);
  const [first] = units;
  return {
    standard,
    identifier,
    title: named || first?.title || identifier,
    language: languageOf(root),
    units,
    external: [...external],
    usesSequencing,
  };
}

/** `metadata/lom/general/language`, else the manifest's own `xml:lang`. */
function languageOf(root: XmlElement): string | null {
  const [metadata] = childrenNamed(root, "metadata");
  let language: string | null = null;
  if (metadata !== undefined)
    forEachElement(metadata, (element) => {
      if (element.name !== "general" || language !== null) return;
      const [found] = childrenNamed(element, "language");
      language = found === undefined ? null : textIn(found).trim() || null;
    });
  return language ?? root.attributes.find(({ name, prefix }) => name === "lang" && prefix === "xml")?.value ?? null;
}
