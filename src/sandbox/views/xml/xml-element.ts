/** null: the attribute is left out. */
type Attributes = Readonly<Record<string, string | number | null>>;

/** An element. `children` are XML already: other elements, or {@link words}. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === null ? [] : [` ${attribute}="${attributeText(String(value))}"`],
  );
  const inner = children.join("");
  return inner === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${inner}</${name}>`;
}

/** Text for an element; a field that is no text or number is empty. */
export function words(value: unknown): string {
  return escaped(typeof value === "number" ? String(value) : typeof value === "string" ? value : "");
}

/** A whole answer, in the namespace of oManual 1.0 unless it is an error. */
export function xmlDocument(name: string, attributes: Attributes, children: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, { xmlns: "http://omanual.com/", ...attributes }, ...children)}\n`;
}

/** An error answer to a request that asked for XML (facts, 1.1). */
export function errorXml(message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("error", {}, element("message", {}, words(message)))}\n`;
}

/** A space for each line end: what every parser makes of them in an attribute (omanual 8). */
function attributeText(text: string): string {
  return escaped(text)
    .replaceAll('"', "&quot;")
    .replaceAll(/\r\n|[\r\n\t]/g, " ");
}

/** Characters that XML has no way to write are left out. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function escaped(text: string): string {
  return text.replaceAll(NOT_XML, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
