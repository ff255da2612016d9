import type { Element, Nodes } from "hast";
import { fromHtml } from "hast-util-from-html";

/**
 * Written again on purpose, apart from the sanitiser's own list: what a page of the reader may hold
 * of foreign content.
 */
const ELEMENTS =
  /^(?:h[1-6]|p|div|[uod]l|li|d[td]|pre|blockquote|hr|figure|figcaption|footer|img|video|audio|a|br|wbr|span|strong|em|u|s|ins|del|su[pb]|code|kbd|samp|small|mark|q|abbr|table|caption|thead|tbody|tfoot|tr|t[hd])$/;

const CLASSES =
  /^(?:zoom|document|outside|absent|absent-note|picture|film|left|right|center|mini|thumbnail|standard|medium|large|inline|embed|wide|featured|long)$/;

const BESIDE = String.raw`(?:\.\.\/)*[a-z0-9][\w.\/-]*`;

/** By attribute: what its value must look like. */
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  href: new RegExp(`^(?:https?://[^\\s"<>]+|mailto:[^\\s"<>]+|tel:[^\\s]+|${BESIDE}(?:#\\S+)?|#\\S+)$`),
  src: new RegExp(`^${BESIDE}$`),
  class: /^.+$/,
  id: /^(?:[a-z]+-)?Section_\S*$/,
  alt: /^/,
  title: /^/,
  download: /^[^\p{Cc}]*$/u,
  rel: /^noopener noreferrer nofollow$/,
  width: /^\d+$/,
  height: /^\d+$/,
  start: /^-?\d{1,6}$/,
  colspan: /^\d{1,3}$/,
  rowspan: /^\d{1,3}$/,
  loading: /^lazy$/,
  decoding: /^async$/,
  controls: /^$/,
  preload: /^none$/,
  "aria-label": /^/,
  role: /^group$/,
  tabindex: /^0$/,
  dir: /^(?:ltr|rtl|auto)$/,
  lang: /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i,
};

const START_TAG = /<([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /([^\s=/]+)(?:=(?:"([^"]*)"|'([^']*)'|(\S+)))?/g;

/**
 * What is wrong with HTML that is to stand on a page: empty when nothing is. It looks at what a
 * parser makes of it, and at the characters themselves.
 */
export function faultsIn(html: string): readonly string[] {
  return [...charactersAtFault(html), ...writtenFaults(html), ...parsedFaults(html)];
}

function charactersAtFault(html: string): readonly string[] {
  const found = /(?![\t\n])\p{Cc}|\p{Surrogate}/u.exec(html);
  return found === null ? [] : [`character ${found[0].codePointAt(0)} at ${found.index}`];
}

/**
 * Attributes as they are written: the parser's tree has other names for some, and none for a second
 * one of a name.
 */
function writtenFaults(html: string): readonly string[] {
  return [...html.matchAll(START_TAG)].flatMap(([whole, name = "", rest = ""]) =>
    name.startsWith("/")
      ? []
      : [...rest.matchAll(ATTRIBUTE)].flatMap(([, key = ""]) =>
          ATTRIBUTES[key] === undefined ? [`attribute ${key} in ${whole}`] : [],
        ),
  );
}

function parsedFaults(html: string): readonly string[] {
  const root = fromHtml(html, { fragment: true });
  const ids = new Set<string>();
  return elementsIn(root).flatMap((element) => [...elementFaults(element), ...idFaults(element, ids)]);
}

/** All elements of a tree, the inner behind the outer. */
export function elementsIn(node: Nodes): readonly Element[] {
  const inner = "children" in node ? node.children.flatMap(elementsIn) : [];
  return node.type === "element" ? [node, ...inner] : inner;
}

function elementFaults({ tagName, properties }: Element): readonly string[] {
  const faults = ELEMENTS.test(tagName) ? [] : [`element ${tagName}`];
  for (const [property, value] of Object.entries(properties)) {
    const name = NAMES[property] ?? property.toLowerCase();
    const written = value === true ? "" : Array.isArray(value) ? value.join(" ") : String(value);
    if (!(ATTRIBUTES[name]?.test(written) ?? false)) faults.push(`${tagName} ${name}=${JSON.stringify(written)}`);
    if (name === "class" && !written.split(" ").every((each) => CLASSES.test(each))) faults.push(`class ${written}`);
  }
  return faults;
}

const NAMES: Readonly<Record<string, string>> = { className: "class", ariaLabel: "aria-label" };

function idFaults({ properties: { id } }: Element, ids: Set<string>): readonly string[] {
  if (typeof id !== "string") return [];
  const again = ids.has(id);
  ids.add(id);
  return again ? [`id ${id} twice`] : [];
}
