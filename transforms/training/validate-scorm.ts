import type { Module, ModuleUnit, Standard } from "../../src/core/model/module.js";
import { textIn, type XmlElement } from "../xml/xml-document.js";
import { type AddressUse, addParameters, changeSlashes, resolveAddress } from "./addresses.js";
import { baseAttribute, childrenNamed, extendBases, type Family, forEachElement, plainAttribute } from "./elements.js";
import { type FindingCollector, shown } from "./findings.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";
import { endingOf, type FileIndex, folderOf, MANIFEST_NAMES, nameOf } from "./package-files.js";
import { type ManifestXml, placeOf } from "./read-manifest-xml.js";
import { checkDependencies, checkIds, checkRoot, checkSchemas, scormVersion } from "./scorm-checks.js";
import {
  chooseOrganization,
  type ElementSurvey,
  type Item,
  innerResources,
  type Organization,
  type Reference,
  type Resource,
  readLocations,
  readOrganizations,
  readResources,
  surveyElements,
} from "./scorm-manifest.js";
import { checkTitle } from "./shared-checks.js";
import { noteChange, noteXmlChange, type Validation } from "./validation.js";

/** Training modules, 2.2, 2.3, 3.1; null: refused before its meaning is known. */
export function validateScorm({ path, root, source }: ManifestXml, validation: Validation): Module | null {
  const { findings } = validation;
  const family = checkRoot(root, path, findings);
  if (family === null) return null;
  const survey = surveyElements(root, path, findings);
  const standard = scormVersion(root, family, survey, { path, text: source.text }, findings);
  if (standard === null) return null;
  reportBases(survey, path, validation);
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
  const menu = chosen === undefined ? [] : unitsOf(chosen, parts, validation);
  for (const other of others) unitsOf(other, parts, validation);
  const units = items === 0 ? resourceUnits(resources, parts, validation) : menu;
  reportLaunches(units, parts, path, validation);
  const listed = checkFiles([...resources, ...inner], readLocations(root), parts.opened, path, validation);
  checkSchemas(survey, path, validation);
  if (validation.files !== null) reportOrphans(validation.files, listed, findings);
  return moduleOf(standard, root, chosen, units, survey, path, validation);
}

function partsOf(path: string, family: Family, resources: readonly Resource[], inner: readonly Resource[]): ScormParts {
  return {
    path,
    is2004: family === "2004",
    // Of duplicate identifiers the first counts, as for most LMSs.
    resources: new Map(resources.toReversed().map((resource) => [resource.id, resource])),
    innerIds: new Set(inner.map(({ id }) => id)),
    opened: new Map(),
  };
}

function reportBases({ badBases }: ElementSurvey, path: string, validation: Validation): void {
  for (const element of badBases) {
    const base = baseAttribute(element);
    if (base === undefined) continue;
    validation.findings.add("W_MAN_HREF_BACKSLASH", placeOf(path, element), `xml:base is "${shown(base.value)}"`);
    noteChange(
      "W_MAN_HREF_BACKSLASH",
      changeSlashes,
      noteXmlChange(element, `${base.prefix}:base`, validation),
      validation,
    );
  }
}

function reportLaunches(
  units: readonly ModuleUnit[],
  { opened }: ScormParts,
  path: string,
  { findings }: Validation,
): void {
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
  { findings, external }: Validation,
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

/** `metadata/lom/general/language`, else the manifest's `xml:lang`. */
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

/** Checks each item that opens something (training modules, 3.1). */
function unitsOf(organization: Organization, parts: ScormParts, validation: Validation): readonly ModuleUnit[] {
  return organization.items.map((item) => unitOf(item, parts, validation));
}

function unitOf(item: Item, parts: ScormParts, validation: Validation): ModuleUnit {
  const place = placeOf(parts.path, item.element);
  const owner = `item "${shown(item.id)}"`;
  const title = checkTitle({ ...item.title, place, owner }, validation.findings);
  const opened = openedBy(item, place, owner, parts, validation);
  const launch = isOpened(opened) ? addParameters(opened.launch, item.parameters) : null;
  return {
    id: item.id,
    title: title || (opened?.launch == null ? item.id : nameOf(opened.launch)),
    launch,
    depth: item.depth,
    masteryScore: item.masteryScore,
  };
}

function openedBy(item: Item, place: string, owner: string, parts: ScormParts, validation: Validation): Opened | null {
  const { findings } = validation;
  if (item.resource === null) return null;
  if (item.hasItems && parts.is2004)
    findings.add("W_MAN_CLUSTER_REF", place, `${owner} has child items and opens "${shown(item.resource)}" itself`);
  const resource = parts.resources.get(item.resource);
  if (resource !== undefined) return openResource(resource, owner, parts, validation);
  const where = parts.innerIds.has(item.resource)
    ? "which is in a manifest inside of this one"
    : "and that resource is missing";
  findings.add("W_MAN_ITEM_REF_MISSING", place, `${owner} refers to "${shown(item.resource)}", ${where}`);
  return null;
}

/** Without items: every SCO, else every resource with a page (training modules, 2.3). */
function resourceUnits(
  resources: readonly Resource[],
  parts: ScormParts,
  validation: Validation,
): readonly ModuleUnit[] {
  const withPage = resources.filter(({ href }) => href !== null);
  const scos = withPage.filter(({ scormType }) => scormType?.value.toLowerCase() === "sco");
  return (scos.length > 0 ? scos : withPage).map((resource) => {
    const { launch } = openResource(resource, `resource "${shown(resource.id)}"`, parts, validation);
    const title = launch === null ? resource.id : nameOf(launch);
    return { id: resource.id, title, launch, depth: 0, masteryScore: null };
  });
}

function isOpened(opened: Opened | null): opened is Opened & { readonly launch: string } {
  return opened !== null && opened.launch !== null;
}

/** Reports each resource once. */
function openResource(resource: Resource, owner: string, parts: ScormParts, validation: Validation): Opened {
  const known = parts.opened.get(resource.id);
  if (known !== undefined) return known;
  const opened = open(resource, owner, parts, validation);
  parts.opened.set(resource.id, opened);
  return opened;
}

function open(resource: Resource, owner: string, parts: ScormParts, validation: Validation): Opened {
  const place = placeOf(parts.path, resource.element);
  const reference = startOf(resource, owner, place, validation);
  if (reference === null) return { launch: null, file: null, hasAddress: false };
  checkType(resource, place, parts, validation);
  const { launch, file } = resolveAddress(
    {
      written: reference.written,
      bases: reference.bases,
      place: placeOf(parts.path, reference.element),
      owner: `${owner}, by the resource "${shown(resource.id)}",`,
      missing: "E_MAN_LAUNCH_MISSING",
      unsafe: "E_MAN_LAUNCH_UNSAFE",
      repair: noteXmlChange(reference.element, "href", validation),
    },
    validation,
  );
  return { launch, file, hasAddress: true };
}

/** Some tools name the page as the first file only (training modules, 2.3). */
function startOf(resource: Resource, owner: string, place: string, { findings }: Validation): Reference | null {
  if (resource.href !== null) return resource.href;
  const [first] = resource.files;
  const what = first === undefined ? "and lists no file" : "its first file is used";
  findings.add(
    "W_MAN_RESOURCE_HREF",
    place,
    `${owner} opens the resource "${shown(resource.id)}", which names no page; ${what}`,
  );
  return first ?? null;
}

const KNOWN: ReadonlySet<string> = new Set(["sco", "asset"]);

/** `scormtype` in SCORM 1.2, `scormType` in 2004; values ignore letter case. */
function checkType({ id, scormType }: Resource, place: string, { is2004 }: ScormParts, { findings }: Validation): void {
  const owner = `the resource "${shown(id)}"`;
  if (scormType === null || !KNOWN.has(scormType.value.toLowerCase())) {
    const what = scormType === null ? "has no mark" : `has the mark "${shown(scormType.value)}"`;
    findings.add("W_MAN_SCORMTYPE_MISSING", place, `${owner} is opened and ${what}; it is read as a SCO`);
    return;
  }
  const { name, value } = scormType;
  const right = is2004 ? "scormType" : "scormtype";
  if (name !== right || !KNOWN.has(value))
    findings.add(
      "W_MAN_SCORMTYPE_CASE",
      place,
      `${owner} has ${shown(name)}="${shown(value)}", and ${right}="${value.toLowerCase()}" is meant`,
    );
}

/** Returns paths in the archive. */
function checkFiles(
  resources: readonly Resource[],
  locations: readonly Reference[],
  opened: ScormParts["opened"],
  path: string,
  validation: Validation,
): ReadonlySet<string> {
  const listed = new Set([...opened.values()].flatMap(({ file }) => file ?? []));
  const note = (reference: Reference, owner: string, use: Partial<AddressUse> = {}): void => {
    const { file } = resolveAddress(
      {
        written: reference.written,
        bases: reference.bases,
        place: placeOf(path, reference.element),
        owner,
        missing: "W_MAN_FILE_MISSING",
        unsafe: "W_MAN_FILE_MISSING",
        ...use,
      },
      validation,
    );
    if (file !== null) listed.add(file);
  };
  for (const resource of resources) {
    const owner = `the resource "${shown(resource.id)}"`;
    // Resources of items are checked with the item.
    if (resource.href !== null && !opened.has(resource.id))
      note(resource.href, owner, {
        unsafe: "E_MAN_LAUNCH_UNSAFE",
        repair: noteXmlChange(resource.element, "href", validation),
      });
    for (const file of resource.files)
      note(file, `a file of ${owner}`, { repair: noteXmlChange(file.element, "href", validation) });
  }
  for (const location of locations)
    note(location, "adlcp:location", { repair: noteXmlChange(location.element, null, validation) });
  return listed;
}

/** Names in one message. */
const SHOWN = 5;

/** Unlisted files are kept: many tools list the first page only (training modules, 3.1). */
function reportOrphans(files: FileIndex, listed: ReadonlySet<string>, findings: FindingCollector): void {
  const orphans = files.paths.filter((path) => !listed.has(path) && !isExpected(path.slice(files.root.length)));
  if (orphans.length === 0) return;
  const names = orphans.slice(0, SHOWN).join(", ");
  const more = orphans.length > SHOWN ? ` and ${orphans.length - SHOWN} more` : "";
  findings.add("W_MAN_ORPHAN_FILE", orphans[0] ?? null, `${orphans.length} not listed: ${names}${more}`);
}

/** Tools do not list schemas. */
const SCHEMAS: ReadonlySet<string> = new Set(["xsd", "dtd"]);
/** Folders of page assets, whose content tools do not list. */
const LOADED = /(?:^|\/)(?:img|imgs|images?|css|styles?|js|scripts?|fonts?|media|audio|video|sounds?)\//i;

function isExpected(path: string): boolean {
  return SCHEMAS.has(endingOf(path)) || MANIFEST_NAMES.has(nameOf(path).toLowerCase()) || LOADED.test(folderOf(path));
}

interface Opened {
  /** null: nothing can be opened. */
  readonly launch: string | null;
  /** In the archive; null: missing, or elsewhere. */
  readonly file: string | null;
  /** Any address, valid or not. */
  readonly hasAddress: boolean;
}

interface ScormParts {
  readonly path: string;
  readonly is2004: boolean;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly innerIds: ReadonlySet<string>;
  /** By the resource's identifier: hundreds of items may open the same. */
  readonly opened: Map<string, Opened>;
}
