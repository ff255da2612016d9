/** What the site writes for each character that HTML reads as markup (wiki-syntax 3.1); all others stay as they are. */
const ENTITIES = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
} as const;

/** Text for HTML, also inside of quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character as keyof typeof ENTITIES]);
}

/** An element; attributes come in the given order, those without a value are left out. `content` is HTML. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  content: string,
): string {
  return `${startTag(name, attributes)}>${content}</${name}>`;
}

/** An element that has no content, written as the site does: `<br />`. */
export function voidElement(name: string, attributes: Readonly<Record<string, string | undefined>> = {}): string {
  return `${startTag(name, attributes)} />`;
}

function startTag(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) tag += ` ${key}="${escapeHtml(value)}"`;
  return tag;
}
