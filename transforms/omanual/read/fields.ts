import { escapeXml, printXml, textIn, type XmlAttribute, type XmlElement } from "../../xml/xml-document.js";
import { placeOf, type Reading, report, undouble } from "./reading.js";

/** Servers print known fields as attributes or children, so both forms count (omanual 8). */
export interface Fields {
  readonly element: XmlElement;
  readonly path: string;
  readonly reading: Reading;
  /** The attribute, else the text of the child; null: neither. */
  fact(name: string): string | null;
  /** Reports further children of this name. */
  child(name: string): XmlElement | null;
  children(name: string): readonly XmlElement[];
}

/** Reports and keeps text and other elements aside. */
export function entriesOf(
  list: XmlElement,
  path: string,
  entries: ReadonlySet<string>,
  reading: Reading,
): readonly XmlElement[] {
  const fields = fieldsOf(list, path, entries, reading);
  const words = directText(list).trim();
  if (words !== "") {
    const what = `text is between the elements of <${list.name}>. It is kept separately`;
    report(reading, { code: "stray-text", level: "loss", path }, placeOf(list), what);
    reading.extra.push({ path, xml: escapeXml(words), at: placeOf(list) });
  }
  return [...entries].flatMap((name) => fields.children(name));
}

/** Keeps unknown names aside, each with an Issue. */
export function fieldsOf(element: XmlElement, path: string, known: ReadonlySet<string>, reading: Reading): Fields {
  checkAttributes(element, path, known, reading);
  const children = childrenIn(element, path, known, reading);
  return {
    element,
    path,
    reading,
    fact(name) {
      const value = attributeOf(element, name);
      if (value !== undefined) return undouble(value, element, name, reading);
      const [child] = children.get(name) ?? NONE;
      return child === undefined ? null : plainText(child, name, reading);
    },
    child: (name) => onlyChild(children.get(name) ?? NONE, path, reading),
    children: (name) => children.get(name) ?? NONE,
  };
}

const NONE: readonly never[] = [];
const NO_CHILDREN: ReadonlyMap<string, readonly XmlElement[]> = new Map();

function checkAttributes(element: XmlElement, path: string, known: ReadonlySet<string>, reading: Reading): void {
  for (const attribute of element.attributes)
    if (!known.has(ownName(attribute, element))) keepAttribute(attribute, element, path, reading);
}

/** A scan is faster than a map for few attributes. */
function attributeOf(element: XmlElement, name: string): string | undefined {
  for (const attribute of element.attributes) if (ownName(attribute, element) === name) return attribute.value;
  return undefined;
}

function childrenIn(
  element: XmlElement,
  path: string,
  known: ReadonlySet<string>,
  reading: Reading,
): ReadonlyMap<string, readonly XmlElement[]> {
  let children: Map<string, XmlElement[]> | undefined;
  for (const child of element.children) {
    if (typeof child === "string") continue;
    children ??= new Map();
    const name = isOwn(child, element) ? child.name : "";
    const same = children.get(name);
    if (!known.has(name)) keepElement(child, element, path, reading);
    else if (same === undefined) children.set(name, [child]);
    else same.push(child);
  }
  return children ?? NO_CHILDREN;
}

export function names(...known: readonly string[]): ReadonlySet<string> {
  return new Set(known);
}

export function ownText({ element, path, reading }: Fields): string {
  return undouble(directText(element), element, path, reading).trim();
}

function directText({ children }: XmlElement): string {
  return children.filter((child) => typeof child === "string").join("");
}

export function plainText(element: XmlElement, path: string, reading: Reading): string {
  return undouble(textIn(element), element, path, reading).trim();
}

function onlyChild([first, ...more]: readonly XmlElement[], path: string, reading: Reading): XmlElement | null {
  if (first === undefined) return null;
  for (const other of more) {
    const what = `a second <${other.name}>. The first one is used, and this one is kept separately`;
    const place = within(path, other.name);
    report(reading, { code: "element-repeated", level: "loss", path: place }, placeOf(other), what);
    reading.extra.push({ path: place, xml: printXml(other), at: placeOf(other) });
  }
  return first;
}

/** Ignores other vocabularies. Namespaces of oManual itself vary. */
function isOwn({ namespace }: XmlElement, parent: XmlElement): boolean {
  return namespace === null || namespace === parent.namespace || namespace.includes("omanual");
}

/** Empty: no attribute of oManual. */
function ownName({ name, prefix, namespace }: XmlAttribute, element: XmlElement): string {
  if (prefix === "") return name;
  if (prefix === "xml" && name === "lang") return "lang";
  return namespace !== null && namespace === element.namespace ? name : "";
}

/** Hints for schema validators are no content. */
const SCHEMA_HINTS = "http://www.w3.org/2001/XMLSchema-instance";

function keepAttribute(attribute: XmlAttribute, element: XmlElement, path: string, reading: Reading): void {
  const { name, prefix, namespace, value } = attribute;
  if (namespace === SCHEMA_HINTS || prefix === "xsi" || prefix === "xml") return;
  const place = `${path}@${name}`;
  const what = `<${element.name}> has an attribute ${name}, which oManual does not have. It is kept separately`;
  report(reading, { code: "unknown-attribute", level: "loss", path: place }, placeOf(element), what);
  reading.extra.push({ path: place, xml: value, at: placeOf(element) });
}

function keepElement(child: XmlElement, parent: XmlElement, path: string, reading: Reading): void {
  const place = within(path, child.name);
  const what = `<${child.name}> in <${parent.name}> is not an element of oManual there. It is kept separately`;
  report(reading, { code: "unknown-element", level: "loss", path: place }, placeOf(child), what);
  reading.extra.push({ path: place, xml: printXml(child), at: placeOf(child) });
}

function within(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** null: no integer, which is reported unless the text is missing or empty. */
export function numberIn(text: string | null, name: string, { element, path, reading }: Fields): number | null {
  const digits = text?.trim() ?? "";
  if (digits === "") return null;
  const number = /^[+-]?\d{1,15}(?:\.0+)?$/.test(digits) ? Number(digits) : null;
  if (number === null) {
    const what = `${name} of <${element.name}> is ${JSON.stringify(digits.slice(0, 40))}, and a whole number was expected. It is read as missing`;
    report(reading, { code: "not-a-number", level: "loss", path: `${path}@${name}` }, placeOf(element), what);
  }
  return number;
}
