import type { Module, ModuleUnit } from "../../src/core/model/module.js";
import { textIn, type XmlElement } from "../xml/xml-document.js";
import { parseReference, resolveAddress } from "./addresses.js";
import { checkStructure } from "./cmi5-structure.js";
import { childrenNamed, numberOf, plainAttribute } from "./elements.js";
import { type FindingCollector, shown } from "./findings.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";
import { type ManifestXml, placeOf } from "./read-manifest-xml.js";
import { checkTitle, hasRoot, isAbsoluteIri, type RootRule } from "./shared-checks.js";
import { noteXmlChange, type Validation } from "./validation.js";

const ROOT: RootRule = {
  name: "courseStructure",
  namespace: "https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd",
};

/** What a cmi5.xml says, and what is wrong with it (training modules, 2.5). */
export function validateCmi5(manifest: ManifestXml, judging: Validation): Module | null {
  if (!hasRoot(manifest, ROOT, judging)) return null;
  const { path, root } = manifest;
  const { findings } = judging;
  const parts = partsOf(root);
  const units = parts.filter(({ element }) => element.name === "au");
  if (parts.length > MANIFEST_LIMITS.items) {
    findings.add(
      "E_MAN_TOO_MANY_ITEMS",
      path,
      `${parts.length} units and blocks, the limit is ${MANIFEST_LIMITS.items}`,
    );
    return null;
  }
  checkStructure(root, path, findings);
  checkCmi5Ids(
    root,
    parts.map(({ element }) => element),
    path,
    findings,
  );
  if (units.length === 0) findings.add("E_MAN_NO_LAUNCH", path, "it has no unit");
  const [course] = childrenNamed(root, "course");
  const identifier = course === undefined ? "" : (plainAttribute(course, "id") ?? "");
  const title = course === undefined ? "" : titleOf(course, "the course", path, judging);
  return {
    standard: "cmi5",
    identifier,
    title: title || identifier,
    language: languageOf(course),
    units: parts.map((part) => unitOf(part, path, judging)),
    external: [...judging.external],
    usesSequencing: false,
  };
}

interface Part {
  readonly element: XmlElement;
  readonly depth: number;
}

/** Blocks and units in the order of the file. */
function partsOf(parent: XmlElement, depth = 0): readonly Part[] {
  const parts: Part[] = [];
  const visit = (outer: XmlElement, at: number): void => {
    for (const element of outer.children) {
      if (typeof element === "string" || element.namespace !== parent.namespace) continue;
      if (element.name !== "au" && element.name !== "block") continue;
      parts.push({ element, depth: at });
      if (element.name === "block") visit(element, at + 1);
    }
  };
  visit(parent, depth);
  return parts;
}

function unitOf({ element, depth }: Part, path: string, judging: Validation): ModuleUnit {
  const id = plainAttribute(element, "id") ?? "";
  const owner = `${element.name} "${shown(id)}"`;
  const title = titleOf(element, owner, path, judging);
  const [url] = element.name === "au" ? childrenNamed(element, "url") : [];
  const launch = url === undefined ? null : checkUrl(url, owner, path, judging);
  return { id, title: title || id, launch, depth, masteryScore: numberOf(plainAttribute(element, "masteryScore")) };
}

/** The first text of a title; the schema says that one has to be there. */
function titleOf(element: XmlElement, owner: string, path: string, { findings }: Validation): string {
  const [title] = childrenNamed(element, "title");
  const [text] = title === undefined ? [] : childrenNamed(title, "langstring");
  return checkTitle(
    { text: text === undefined ? null : textIn(text), place: placeOf(path, text ?? element), owner },
    findings,
  );
}

function languageOf(course: XmlElement | undefined): string | null {
  const [title] = course === undefined ? [] : childrenNamed(course, "title");
  const [text] = title === undefined ? [] : childrenNamed(title, "langstring");
  return text === undefined ? null : plainAttribute(text, "lang");
}

/**
 * Ids are absolute IRIs (cmi5 3.0), and unique: those of units and blocks among each other, those
 * of objectives too (13.1.2 to
 * 13.1.4). One that is absent is a breach of the schema, and told of as such.
 */
function checkCmi5Ids(root: XmlElement, parts: readonly XmlElement[], path: string, findings: FindingCollector): void {
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

/** What an LMS adds to the address itself (cmi5 8.1). */
const RESERVED: ReadonlySet<string> = new Set(["endpoint", "fetch", "actor", "registration", "activityId"]);
/** What no IRI has (RFC 3987, 2.2). */
const NEVER = /[\s<>"{}|\\^`\p{Cc}]|%(?![0-9a-f]{2})/iu;

/**
 * The address of a unit, white space around it taken off (cmi5 13.1.4, 14.1, 14.2); null where it
 * can't be opened.
 */
function checkUrl(element: XmlElement, owner: string, path: string, judging: Validation): string | null {
  const { findings } = judging;
  const written = textIn(element).trim();
  const place = placeOf(path, element);
  // The schema has spoken about it.
  if (written === "") return null;
  if (NEVER.test(written) || !hasGoodHost(written)) {
    findings.add("E_CMI5_URL_INVALID", place, `the url "${shown(written)}" of ${owner} is no address`);
    return null;
  }
  const reserved = reservedIn(written);
  if (reserved.length > 0)
    findings.add(
      "E_CMI5_QUERY_CONFLICT",
      place,
      `the url of ${owner} has ${reserved.join(", ")}, which the launch adds itself`,
    );
  const { scheme, authority } = parseReference(written);
  if (judging.files === null && scheme === null && authority === null) {
    findings.add(
      "E_CMI5_REL_URL_NO_ZIP",
      place,
      `the url "${shown(written)}" of ${owner} names no host, and no package is around it`,
    );
    return null;
  }
  return resolveAddress(
    {
      written,
      place,
      owner,
      missing: "E_CMI5_URL_MISSING_FILE",
      unsafe: "E_MAN_LAUNCH_UNSAFE",
      isExternalFine: judging.files === null,
      mend: noteXmlChange(element, null, judging),
    },
    judging,
  ).launch;
}

function hasGoodHost(written: string): boolean {
  return !/^https?:/i.test(written) || URL.canParse(written);
}

function reservedIn(written: string): readonly string[] {
  const { query } = parseReference(written);
  return [...new Set(new URLSearchParams(query ?? "").keys())].filter((name) => RESERVED.has(name));
}
