import type { Standard } from "../../src/core/model/module.js";
import { textIn, type XmlElement } from "../xml/xml-document.js";
import { readAddress } from "./addresses.js";
import { childrenNamed, type Family, isAdl, isOtherStandard, isSequencing, plainAttribute } from "./elements.js";
import { type FindingCollector, shown } from "./findings.js";
import { placeOf } from "./read-manifest-xml.js";
import type { ElementSurvey, Organizations, Resource } from "./scorm-manifest.js";
import type { Validation } from "./validation.js";

/** `schemaversion` in lower case; some tools omit the first word (training modules, 2.2). */
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
 * The version names the standard, the namespaces decide lookups; each replaces a missing other.
 * null, and a finding: not SCORM.
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
    findings.add("E_PKG_UNSUPPORTED_STANDARD", place, "it is plain IMS content without SCORM");
  const declared = VERSIONS.get(written.toLowerCase());
  const version = declared ?? byNamespaces(family, survey);
  if (declared === undefined) {
    const what = written === "" ? "it has no schemaversion" : `the schemaversion "${shown(written)}" is unknown`;
    findings.add("W_MAN_SCHEMAVERSION", place, `${what}; by its namespaces it is ${version}`);
  }
  const families = new Set([family, ...[...survey.namespaces].flatMap((namespace) => adlFamilyOf(namespace) ?? [])]);
  families.add(version === "scorm12" ? "1.2" : "2004");
  if (families.size > 1)
    findings.add(
      "W_MAN_VERSION_CONFLICT",
      place,
      `its schemaversion is ${shown(written) || "nothing"}, and its namespaces are those of SCORM ${family}`,
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

/** undefined: SCORM or unknown. ADL namespaces outrank the schema, which may be a template's. */
function otherStandard(schema: string, version: string, { namespaces }: ElementSurvey): string | undefined {
  if (/common cartridge|thin cc/i.test(schema)) return `it is "${shown(schema)}"`;
  if ([...namespaces].some(isScorm11) || /^(?:scorm )?1\.[01]$/i.test(version)) return "it is SCORM 1.1";
  if (schema === "" || /adl|scorm/i.test(schema) || [...namespaces].some(isAdl)) return undefined;
  return `it is "${shown(schema)}", without SCORM`;
}

/** Both share a namespace: without schema and version only ADL namespaces identify SCORM. */
function isPlainContent(schema: string, version: string, family: Family, survey: ElementSurvey, text: string): boolean {
  if (family !== "2004" || schema !== "" || version !== "") return false;
  const isUsed = [...survey.namespaces].some((namespace) => isAdl(namespace) || isSequencing(namespace));
  return !isUsed && !/\/adl(?:cp|seq|nav)_|\badlcp:/i.test(text);
}

/** null, and a finding: not SCORM. */
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

interface Identified {
  readonly id: string;
  readonly element: XmlElement;
}

/** XML Schema has one scope for the file; an item and a resource with one id are only reported. */
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
      findings.add("W_MAN_ID_REUSED", placeOf(path, element), `"${shown(id)}" is also the identifier of an item`);
}

function checkUnique(all: readonly Identified[], path: string, findings: FindingCollector): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const { id, element } of all) {
    if (seen.has(id))
      findings.add("E_MAN_DUP_ID", placeOf(path, element), `the identifier "${shown(id)}" occurs twice`);
    if (id !== "") seen.add(id);
  }
  return seen;
}

/** Exist and form no cycle. Linear, without recursion: chains may be as long as the list. */
export function checkDependencies(resources: readonly Resource[], path: string, findings: FindingCollector): void {
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  for (const { id, dependencies } of resources)
    for (const dependency of dependencies)
      if (!byId.has(dependency.id))
        findings.add(
          "W_MAN_DEPENDENCY_MISSING",
          placeOf(path, dependency.element),
          `"${shown(id)}" depends on "${shown(dependency.id)}", which is not a resource of the manifest`,
        );
  const done = new Set<string>();
  for (const resource of resources) followFrom(resource, byId, done, path, findings);
}

interface Step {
  readonly resource: Resource;
  next: number;
}

function followFrom(
  start: Resource,
  byId: ReadonlyMap<string, Resource>,
  done: Set<string>,
  path: string,
  findings: FindingCollector,
): void {
  if (done.has(start.id)) return;
  const way: Step[] = [{ resource: start, next: 0 }];
  const onWay = new Set([start.id]);
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    const dependency = step.resource.dependencies[step.next];
    step.next += 1;
    if (dependency === undefined) {
      way.pop();
      onWay.delete(step.resource.id);
      done.add(step.resource.id);
      continue;
    }
    if (onWay.has(dependency.id)) {
      const detail = `"${shown(step.resource.id)}" depends on "${shown(dependency.id)}", which depends on it`;
      findings.add("W_MAN_DEPENDENCY_CYCLE", placeOf(path, dependency.element), detail);
      continue;
    }
    const target = byId.get(dependency.id);
    if (target === undefined || done.has(target.id)) continue;
    onWay.add(target.id);
    way.push({ resource: target, next: 0 });
  }
}

/** A scheme, or a network path. */
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]+:|[/\\]{2})/i;

/** Never fetched: web locations are reported, packaged ones must exist. */
export function checkSchemas({ schemaLocations }: ElementSurvey, path: string, { files, findings }: Validation): void {
  const seen = new Set<string>();
  const missing: string[] = [];
  let place: string | null = null;
  for (const { location, element } of schemaLocations) {
    if (seen.has(location)) continue;
    seen.add(location);
    const address = readAddress(location);
    if (address.kind === "external" || ELSEWHERE.test(location)) {
      const where = address.kind === "external" ? shown(address.url) : "an address of another scheme";
      findings.add("W_MAN_SCHEMALOCATION_REMOTE", placeOf(path, element), `a schema is at ${where}`);
    }
    if (address.kind === "external") continue;
    if (files !== null && (address.kind === "unsafe" || files.find(address.paths) === undefined)) {
      missing.push(shown(location));
      place ??= placeOf(path, element);
    }
  }
  if (missing.length > 0) findings.add("W_MAN_XSD_MISSING", place, `not in the package: ${missing.join(", ")}`);
}

/** By the end of the namespace, since tools vary its beginning. */
const PACKAGING: readonly (readonly [RegExp, Family])[] = [
  [/\/imscp_rootv1p1p2(?:\.xsd)?$/i, "1.2"],
  [/\/imscp_v1p1(?:\.xsd)?$/i, "2004"],
];

/** undefined: not SCORM. */
function familyOf(namespace: string | null): Family | undefined {
  if (namespace === null || isOtherStandard(namespace)) return undefined;
  return PACKAGING.find(([pattern]) => pattern.test(namespace))?.[1];
}

const ADL_FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/\/adlcp_rootv1p2/i, "1.2"],
  [/\/adl(?:cp|seq|nav)_v1p3/i, "2004"],
];

function adlFamilyOf(namespace: string): Family | undefined {
  return ADL_FAMILIES.find(([pattern]) => pattern.test(namespace))?.[1];
}

function isScorm11(namespace: string): boolean {
  return /\/adlcp_rootv1p1(?:\.xsd)?$/i.test(namespace);
}
