import { printXml } from "../../xml/print-xml.js";
import { elementsIn, textIn } from "../../xml/walk.js";
import type { XmlElement } from "../../xml/xml-document.js";
import type { ManualEmbed, ManualEncoding, ManualImage, ManualMedia, ManualVideo } from "../manual.js";
import { type Fields, fieldsOf, names } from "./fields.js";
import { readImage } from "./image.js";
import { placeOf, type Reading, report } from "./reading.js";
import { undouble } from "./undouble.js";

const MEDIA = names("type", "image", "video", "embed", "object");

/** What a step shows: `media`, or `images` of 0.2. One kind at a time; `type` decides where several stand together. */
export function readMedia(element: XmlElement, path: string, reading: Reading): ManualMedia | null {
  const fields = fieldsOf(unwrapped(element), path, MEDIA, reading);
  const kinds = KINDS.filter(({ elements }) => elements.some((name) => fields.children(name).length > 0));
  const type = fields.fact("type")?.trim().toLowerCase() ?? "";
  const kind = kinds.find(({ type: own }) => own === type) ?? kinds[0];
  if (kind === undefined) return null;
  if (kinds.length > 1) {
    const what = `<${element.name}> holds ${kinds.map((each) => each.type).join(" and ")}; only the ${kind.type} is taken`;
    report(reading, { code: "media-mixed", level: "loss", path }, placeOf(element), what);
  }
  return kind.read(fields, kind.elements);
}

/** The API's own form of a medium has a `type` and the rest in `data`, which a server may print as it is (omanual 8). */
function unwrapped(element: XmlElement): XmlElement {
  if (!elementsIn(element).some(({ name }) => name === "data")) return element;
  const type = [...element.attributes, ...elementsIn(element)].find(({ name }) => name === "type");
  const kind = type === undefined ? "" : "value" in type ? type.value : textIn(type).trim();
  const children = element.children.flatMap((child) => {
    if (typeof child === "string" || child.name !== "data") return [child];
    const isWrapper = elementsIn(child).some(({ name }) => KINDS.some(({ elements }) => elements.includes(name)));
    return isWrapper ? child.children : [{ ...child, name: kind.toLowerCase() }];
  });
  return { ...element, children };
}

interface Kind {
  readonly type: ManualMedia["type"];
  readonly elements: readonly string[];
  readonly read: (fields: Fields, elements: readonly string[]) => ManualMedia | null;
}

const KINDS: readonly Kind[] = [
  { type: "image", elements: ["image"], read: readImages },
  { type: "video", elements: ["video"], read: readFirstVideo },
  { type: "embed", elements: ["embed", "object"], read: readFirstEmbed },
];

/** In the order of `orderby`; images without it stay where they are. */
function readImages({ children, path, reading }: Fields): ManualMedia | null {
  const images = children("image").flatMap((element, index): readonly ManualImage[] => {
    const image = readImage(element, `${path}.images[${index}]`, reading);
    return image === null ? [] : [image];
  });
  if (images.length === 0) return null;
  const ordered = images.every(({ order }) => order !== null);
  return { type: "image", images: ordered ? images.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)) : images };
}

function readFirstVideo(fields: Fields): ManualMedia | null {
  const element = fields.child("video");
  return element === null ? null : { type: "video", video: readVideo(element, `${fields.path}.video`, fields.reading) };
}

const VIDEO = names("objectid", "id", "videoid", "encoding", "encodings", "source", "poster", "image");

function readVideo(element: XmlElement, path: string, reading: Reading): ManualVideo {
  const fields = fieldsOf(element, path, VIDEO, reading);
  const wrapped = fields
    .children("encodings")
    .flatMap((list) => fieldsOf(list, path, names("encoding"), reading).children("encoding"));
  const source = fields.child("source");
  const poster = fields.child("poster") ?? fields.child("image");
  return {
    id: fields.fact("objectid") ?? fields.fact("videoid") ?? fields.fact("id"),
    encodings: [...fields.children("encoding"), ...wrapped].map((each) => readEncoding(each, path, reading)),
    source: source === null ? {} : factsIn(source, path, reading),
    poster: poster === null ? null : readImage(poster, `${path}.poster`, reading),
    at: placeOf(element),
  };
}

/** Documentation and schema disagree whether the address is an attribute or the text (omanual 2). */
function readEncoding(element: XmlElement, path: string, reading: Reading): ManualEncoding {
  const { url = "", ...facts } = factsIn(element, path, reading);
  return { path: url || textOf(element, path, reading), facts };
}

function readFirstEmbed(fields: Fields, elements: readonly string[]): ManualMedia | null {
  const [element] = elements.flatMap((name) => fields.children(name));
  if (element === undefined) return null;
  const { path, reading } = fields;
  const frame = elementsIn(element).find(({ name }) => FRAMES.has(name.toLowerCase()));
  const others =
    frame === undefined ? element : { ...element, children: element.children.filter((child) => child !== frame) };
  const html = frame === undefined ? {} : { html: printXml(frame) };
  const embed: ManualEmbed = {
    facts: { ...html, ...factsIn(others, path, reading) },
    text: textOf(others, path, reading),
    at: placeOf(element),
  };
  return { type: "embed", embed };
}

/** HTML that stands in an embed as elements rather than as text. */
const FRAMES: ReadonlySet<string> = new Set(["iframe", "object", "embed", "video"]);

/** Attributes and children by their names, whatever they are: these lists grow with each server version. */
function factsIn(element: XmlElement, path: string, reading: Reading): Readonly<Record<string, string>> {
  const children = elementsIn(element).map(
    (child) => [child.name, undouble(textIn(child), child, path, reading).trim()] as const,
  );
  const attributes = element.attributes.map(
    ({ name, value }) => [name, undouble(value, element, path, reading)] as const,
  );
  return Object.fromEntries([...children, ...attributes]);
}

function textOf(element: XmlElement, path: string, reading: Reading): string {
  const text = element.children.filter((child) => typeof child === "string").join("");
  return undouble(text, element, path, reading).trim();
}
