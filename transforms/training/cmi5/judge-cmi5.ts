import type { Module, ModuleUnit } from "../../../src/core/model/module.js";
import { textIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import { hasRoot, type RootRule } from "../has-root.js";
import type { Judging } from "../judging.js";
import { childrenNamed, numberOf, plainAttribute } from "../manifest/elements.js";
import { MANIFEST_LIMITS } from "../manifest-limits.js";
import { shown } from "../shown.js";
import { type ManifestXml, placeOf } from "../text/read-manifest-xml.js";
import { checkTitle } from "../titles/check-title.js";
import { checkCmi5Ids } from "./check-cmi5-ids.js";
import { checkStructure } from "./check-structure.js";
import { checkUrl } from "./check-url.js";

const ROOT: RootRule = {
  name: "courseStructure",
  namespace: "https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd",
};

/** What a cmi5.xml says, and what is wrong with it (training modules, 2.5). */
export function judgeCmi5(manifest: ManifestXml, judging: Judging): Module | null {
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

function unitOf({ element, depth }: Part, path: string, judging: Judging): ModuleUnit {
  const id = plainAttribute(element, "id") ?? "";
  const owner = `${element.name} "${shown(id)}"`;
  const title = titleOf(element, owner, path, judging);
  const [url] = element.name === "au" ? childrenNamed(element, "url") : [];
  const launch = url === undefined ? null : checkUrl(url, owner, path, judging);
  return { id, title: title || id, launch, depth, masteryScore: numberOf(plainAttribute(element, "masteryScore")) };
}

/** The first text of a title; the schema says that one has to be there. */
function titleOf(element: XmlElement, owner: string, path: string, { findings }: Judging): string {
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
