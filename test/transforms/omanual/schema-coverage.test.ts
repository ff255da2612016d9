import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readManual } from "../../../transforms/omanual/read-manual.js";
import { readXml } from "../../../transforms/xml/read-xml.js";
import type { XmlElement } from "../../../transforms/xml/xml-document.js";
import { elementsIn } from "../../../transforms/xml/xml-document.js";

const FOLDER = "../shared/data/omanual/schema";
const ROOTS = ["guide", "procedure", "category", "topic", "device", "manifest"];
const here = existsSync(FOLDER);

/** Every schema of every version, with the elements that it declares. */
const schemas = here
  ? readdirSync(FOLDER).flatMap((version) =>
      readdirSync(`${FOLDER}/${version}`)
        .filter((name) => !name.includes("html"))
        .map((name) => `${version}/${name}`),
    )
  : [];

function declared(path: string): ReadonlyMap<string, XmlElement> {
  const result = readXml(readFileSync(`${FOLDER}/${path}`), { file: path });
  if (!result.ok) throw new Error(result.fault.message);
  const elements = elementsIn(result.document.root).filter(({ name }) => name === "element");
  return new Map(elements.map((element) => [attribute(element, "name"), element]));
}

function attribute({ attributes }: XmlElement, name: string): string {
  return attributes.find((each) => each.name === name)?.value ?? "";
}

/** Everything inside of an element's type. */
function all(element: XmlElement): readonly XmlElement[] {
  return elementsIn(element).flatMap((child) => [child, ...all(child)]);
}

/** An element with each attribute and each child that its schema has for it. */
function sample(name: string, elements: ReadonlyMap<string, XmlElement>, above: readonly string[] = []): string {
  const inner = all(elements.get(name) ?? { ...NOTHING, name });
  const attributes = inner.filter((each) => each.name === "attribute").map((each) => ` ${attribute(each, "name")}="1"`);
  const children = inner
    .filter((each) => each.name === "element")
    .map((each) => attribute(each, "ref") || attribute(each, "name"))
    .filter((child) => !above.includes(child))
    .map((child) => sample(child, elements, [...above, name]));
  return `<${name}${[...new Set(attributes)].join("")}>${children.join("") || "1"}</${name}>`;
}

const NOTHING: XmlElement = {
  name: "",
  prefix: "",
  namespace: null,
  attributes: [],
  children: [],
  line: 1,
  column: 1,
};

describe("every element and attribute of a schema", { tags: ["shared"] }, () => {
  it("are here", () => expect(schemas.length).toBeGreaterThan(0));

  it.each(schemas)("of %s is known to the reader", (path) => {
    const elements = declared(path);
    // The one that no other element holds: a category has guides too, and a guide a category.
    const kind = /device|topic|procedure|manifest|category|guide/.exec(path)?.[0] ?? "";
    expect(ROOTS).toContain(kind);
    const xml = sample(kind, elements);
    expect(xml.match(/</g)?.length).toBeGreaterThan(5);
    const result = readManual(xml, { file: path });
    if (!result.ok) throw new Error(result.fault.message);
    const unknown = result.issues.filter(({ code }) => code.startsWith("unknown-"));
    expect(unknown.map(({ message }) => message)).toEqual([]);
  });
});
