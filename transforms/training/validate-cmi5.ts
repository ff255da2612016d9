import type { Module, ModuleUnit } from "../../src/core/model/module.js";
import { textIn, type XmlElement } from "../xml/xml-document.js";
import { parseReference, resolveAddress } from "./addresses.js";
import { childrenNamed, isSchemaInstance, numberOf, plainAttribute } from "./elements.js";
import { type FindingCollector, shown } from "./findings.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";
import { type ManifestXml, placeOf } from "./read-manifest-xml.js";
import { checkTitle, hasRoot, isAbsoluteIri, type RootRule } from "./shared-checks.js";
import { noteXmlChange, type Validation } from "./validation.js";

const ROOT: RootRule = {
  name: "courseStructure",
  namespace: "https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd",
};

/** Validates a cmi5.xml (training modules, 2.5). */
export function validateCmi5(manifest: ManifestXml, validation: Validation): Module | null {
  if (!hasRoot(manifest, ROOT, validation)) return null;
  const { path, root } = manifest;
  const { findings } = validation;
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
  const title = course === undefined ? "" : titleOf(course, "the course", path, validation);
  return {
    standard: "cmi5",
    identifier,
    title: title || identifier,
    language: languageOf(course),
    units: parts.map((part) => unitOf(part, path, validation)),
    external: [...validation.external],
    usesSequencing: false,
  };
}

interface Part {
  readonly element: XmlElement;
  readonly depth: number;
}

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

function unitOf({ element, depth }: Part, path: string, validation: Validation): ModuleUnit {
  const id = plainAttribute(element, "id") ?? "";
  const owner = `${element.name} "${shown(id)}"`;
  const title = titleOf(element, owner, path, validation);
  const [url] = element.name === "au" ? childrenNamed(element, "url") : [];
  const launch = url === undefined ? null : checkUrl(url, owner, path, validation);
  return { id, title: title || id, launch, depth, masteryScore: numberOf(plainAttribute(element, "masteryScore")) };
}

/** The first text; the schema requires one. */
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
 * Absolute IRIs (cmi5 3.0), unique among units and blocks, and among objectives (13.1.2 to 13.1.4).
 * A missing id breaks the schema.
 */
function checkCmi5Ids(root: XmlElement, parts: readonly XmlElement[], path: string, findings: FindingCollector): void {
  const objectives = childrenNamed(root, "objectives").flatMap((list) => childrenNamed(list, "objective"));
  for (const element of [...childrenNamed(root, "course"), ...objectives, ...parts]) {
    const id = plainAttribute(element, "id");
    if (id !== null && !isAbsoluteIri(id))
      findings.add(
        "E_CMI5_IRI",
        placeOf(path, element),
        `the id "${shown(id)}" of <${element.name}> is not an absolute IRI`,
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
    if (seen.has(id)) findings.add("E_CMI5_DUP_ID", placeOf(path, element), `the id "${shown(id)}" occurs twice`);
    seen.add(id);
  }
}

/** Parameters that an LMS adds (cmi5 8.1). */
const RESERVED: ReadonlySet<string> = new Set(["endpoint", "fetch", "actor", "registration", "activityId"]);
/** Characters outside of IRIs (RFC 3987, 2.2). */
const NEVER = /[\s<>"{}|\\^`\p{Cc}]|%(?![0-9a-f]{2})/iu;

/** The trimmed address of a unit (cmi5 13.1.4, 14.1, 14.2); null: it can't be opened. */
function checkUrl(element: XmlElement, owner: string, path: string, validation: Validation): string | null {
  const { findings } = validation;
  const written = textIn(element).trim();
  const place = placeOf(path, element);
  // A breach of the schema, reported elsewhere.
  if (written === "") return null;
  if (NEVER.test(written) || !hasGoodHost(written)) {
    findings.add("E_CMI5_URL_INVALID", place, `the url "${shown(written)}" of ${owner} is not an address`);
    return null;
  }
  const reserved = reservedIn(written);
  if (reserved.length > 0)
    findings.add(
      "E_CMI5_QUERY_CONFLICT",
      place,
      `the url of ${owner} has ${reserved.join(", ")}, which the launch adds`,
    );
  const { scheme, authority } = parseReference(written);
  if (validation.files === null && scheme === null && authority === null) {
    findings.add(
      "E_CMI5_REL_URL_NO_ZIP",
      place,
      `the url "${shown(written)}" of ${owner} has no host, and the file came without a package`,
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
      isExternalFine: validation.files === null,
      repair: noteXmlChange(element, null, validation),
    },
    validation,
  ).launch;
}

function hasGoodHost(written: string): boolean {
  return !/^https?:/i.test(written) || URL.canParse(written);
}

function reservedIn(written: string): readonly string[] {
  const { query } = parseReference(written);
  return [...new Set(new URLSearchParams(query ?? "").keys())].filter((name) => RESERVED.has(name));
}

/** Reports breaches of CourseStructure.xsd, the first one of each element's content. */
function checkStructure(root: XmlElement, path: string, findings: FindingCollector): void {
  check(root, "courseStructure", (element, what) => findings.add("E_CMI5_SCHEMA", placeOf(path, element), what));
}

type Tell = (element: XmlElement, what: string) => void;

function check(element: XmlElement, kind: string, tell: Tell): void {
  const rule = STRUCTURE_RULES[kind];
  if (rule === undefined) return;
  checkAttributes(element, rule, tell);
  checkText(element, rule, tell);
  const breach = rule.isUnordered === true ? breachOfAll(element, rule) : breachOfSequence(element, rule);
  if (breach !== undefined) tell(breach.at, breach.what);
  const known = new Set(rule.content.flatMap(({ names }) => names));
  for (const child of element.children)
    if (typeof child !== "string" && child.namespace === element.namespace && known.has(child.name))
      check(child, rule.kinds?.[child.name] ?? child.name, tell);
}

function checkAttributes(element: XmlElement, { attributes, isOpen }: ElementRule, tell: Tell): void {
  const seen = new Set<string>();
  for (const { name, prefix, namespace, value } of element.attributes) {
    if (prefix !== "") {
      if (!isOpen && !isSchemaInstance(namespace))
        tell(element, `<${element.name}> may have no attribute ${shown(`${prefix}:${name}`)}`);
      continue;
    }
    seen.add(name);
    const rule = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (rule === undefined) tell(element, `<${element.name}> does not have an attribute ${shown(name)}`);
    else if (!rule.isValid(value.trim()))
      tell(element, `${name}="${shown(value)}" of <${element.name}> is not ${rule.expected}`);
  }
  for (const [name, rule] of Object.entries(attributes))
    if (rule.isRequired === true && !seen.has(name)) tell(element, `<${element.name}> has no attribute ${name}`);
}

function checkText(element: XmlElement, { text }: ElementRule, tell: Tell): void {
  const words = element.children
    .filter((child) => typeof child === "string")
    .join("")
    .trim();
  if (text === undefined && words !== "")
    tell(element, `the text "${shown(words, 60)}" is in <${element.name}>, which contains only elements`);
  if (text !== undefined && !text.isValid(words))
    tell(element, `<${element.name}> holds "${shown(words)}", and not ${text.expected}`);
}

interface Breach {
  readonly at: XmlElement;
  readonly what: string;
}

/** Elements of other namespaces come last. */
function breachOfSequence(element: XmlElement, rule: ElementRule): Breach | undefined {
  let next = 0;
  let count = 0;
  let foreign = false;
  for (const child of element.children) {
    if (typeof child === "string") continue;
    if (child.namespace !== element.namespace) {
      if (!rule.isOpen || child.namespace === null) return unexpected(child, element);
      foreign = true;
      continue;
    }
    if (foreign)
      return {
        at: child,
        what: `<${child.name}> follows an extension, which must be the last element in <${element.name}>`,
      };
    for (;;) {
      const at = rule.content[next];
      if (at === undefined) return unexpected(child, element);
      if (takes(at, child.name, count)) break;
      if (count < at.min) return { at: child, what: `<${child.name}> is where <${element.name}> needs ${wordsOf(at)}` };
      next += 1;
      count = 0;
    }
    count += 1;
  }
  const missing = rule.content.slice(next).find(({ min }, index) => (index === 0 ? count : 0) < min);
  return missing === undefined ? undefined : { at: element, what: `<${element.name}> has no ${wordsOf(missing)}` };
}

function takes({ names, max }: Particle, name: string, count: number): boolean {
  return names.includes(name) && (max === "many" || count < max);
}

/** Each once, in any order, and no other. */
function breachOfAll(element: XmlElement, rule: ElementRule): Breach | undefined {
  const names = new Set(rule.content.flatMap((particle) => particle.names));
  const seen = new Set<string>();
  for (const child of element.children) {
    if (typeof child === "string") continue;
    if (child.namespace !== element.namespace || !names.has(child.name) || seen.has(child.name))
      return unexpected(child, element);
    seen.add(child.name);
  }
  const missing = rule.content.find((particle) => particle.min === 1 && !particle.names.some((name) => seen.has(name)));
  return missing === undefined ? undefined : { at: element, what: `<${element.name}> has no ${wordsOf(missing)}` };
}

function unexpected(child: XmlElement, element: XmlElement): Breach {
  return { at: child, what: `<${shown(child.name)}> is not allowed there in <${element.name}>` };
}

function wordsOf({ names }: Particle): string {
  return names.map((name) => `<${name}>`).join(" or ");
}

interface Particle {
  readonly names: readonly string[];
  readonly min: 0 | 1;
  readonly max: 1 | "many";
}

/** A simple type: its description, and a check of the trimmed value. */
interface ValueRule {
  readonly expected: string;
  isValid(value: string): boolean;
}

interface AttributeRule extends ValueRule {
  readonly isRequired?: true;
}

interface ElementRule {
  readonly content: readonly Particle[];
  /** Any order (`xs:all`). Default: the order of `content`. */
  readonly isUnordered?: true;
  /** Allows elements and attributes of other namespaces, the elements last. */
  readonly isOpen: boolean;
  /** Absent: white space only. */
  readonly text?: ValueRule;
  readonly attributes: Readonly<Record<string, AttributeRule>>;
  /** Rules of inner elements that differ from their name. */
  readonly kinds?: Readonly<Record<string, string>>;
}

function one(name: string): Particle {
  return { names: [name], min: 1, max: 1 };
}

function maybe(name: string): Particle {
  return { names: [name], min: 0, max: 1 };
}

function some(...names: readonly string[]): Particle {
  return { names, min: 1, max: "many" };
}

function oneOf(...values: readonly string[]): AttributeRule {
  return { expected: `one of ${values.join(", ")}`, isValid: (value) => values.includes(value) };
}

const ANYTHING: AttributeRule = { expected: "any text", isValid: () => true };
/** Other checks report bad ids. */
const ID: AttributeRule = { expected: "an IRI", isValid: (value) => value !== "", isRequired: true };
const URL_TEXT: ValueRule = { expected: "an address", isValid: (value) => value !== "" };
const LANGUAGE: AttributeRule = {
  expected: "a language, such as en-US",
  isValid: (value) => /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i.test(value),
};
const SCORE: AttributeRule = {
  expected: "a number from 0 to 1",
  isValid: (value) => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value) && Number(value) >= 0 && Number(value) <= 1,
};

const OBJECTIVE_LIST = { isOpen: true, attributes: {}, content: [some("objective")] } as const;
const TITLED = [one("title"), one("description")];
const TEXTS: ElementRule = { isOpen: true, attributes: {}, content: [some("langstring")] };

/** CourseStructure.xsd of cmi5 (AICC, quartz, section 13.2) as own rules, by kind of element. */
const STRUCTURE_RULES: Readonly<Record<string, ElementRule>> = {
  courseStructure: {
    isOpen: true,
    attributes: {},
    content: [one("course"), maybe("objectives"), some("au", "block")],
  },
  course: { isOpen: true, attributes: { id: ID }, content: TITLED },
  objectives: { ...OBJECTIVE_LIST },
  objective: { isOpen: false, attributes: { id: ID }, content: TITLED, isUnordered: true },
  objectiveReferences: { ...OBJECTIVE_LIST, kinds: { objective: "objectiveReference" } },
  objectiveReference: { isOpen: false, attributes: { idref: ANYTHING }, content: [] },
  block: {
    isOpen: true,
    attributes: { id: ID },
    content: [...TITLED, maybe("objectives"), some("au", "block")],
    kinds: { objectives: "objectiveReferences" },
  },
  au: {
    isOpen: true,
    attributes: {
      id: ID,
      moveOn: oneOf("NotApplicable", "Passed", "Completed", "CompletedAndPassed", "CompletedOrPassed"),
      masteryScore: SCORE,
      launchMethod: oneOf("AnyWindow", "OwnWindow"),
      activityType: ANYTHING,
    },
    content: [...TITLED, maybe("objectives"), one("url"), maybe("launchParameters"), maybe("entitlementKey")],
    kinds: { objectives: "objectiveReferences" },
  },
  title: TEXTS,
  description: TEXTS,
  langstring: { isOpen: true, attributes: { lang: LANGUAGE }, content: [], text: ANYTHING },
  url: { isOpen: false, attributes: {}, content: [], text: URL_TEXT },
  launchParameters: { isOpen: true, attributes: {}, content: [], text: ANYTHING },
  entitlementKey: { isOpen: true, attributes: {}, content: [], text: ANYTHING },
};
