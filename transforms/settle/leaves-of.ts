import type { Image, Inline, Link, MarkType, Parameter } from "../wiki/tree.js";
import { opensNewWindow } from "../wiki/tree-readers.js";
import type { Leaf, LeafMark, MacroLeaf } from "./leaf.js";

/**
 * Spreads the marks of inlines over the leaves in them. What the parser keeps as opaque is text, as it is on the site; links
 * by reference, videos and lists of guides are macros. An address link without a label is a text of its address.
 */
export function leavesOf(inlines: readonly Inline[], marks: readonly LeafMark[] = []): readonly Leaf[] {
  return inlines.flatMap((inline) => {
    // A table by type cannot say to the compiler that the handler and the node fit each other.
    const spread = HANDLERS[inline.type] as (inline: Inline, marks: readonly LeafMark[]) => readonly Leaf[];
    return spread(inline, marks);
  });
}

type Handlers = {
  readonly [T in Inline["type"]]: (
    inline: Extract<Inline, { readonly type: T }>,
    marks: readonly LeafMark[],
  ) => readonly Leaf[];
};

const marked = (
  inline: { readonly type: MarkType; readonly children: readonly Inline[] },
  marks: readonly LeafMark[],
) =>
  leavesOf(inline.children, marks.some(({ type }) => type === inline.type) ? marks : [...marks, { type: inline.type }]);

const macro = (node: MacroLeaf["node"], marks: readonly LeafMark[]): readonly Leaf[] => [
  { type: "macro", node, marks },
];

const HANDLERS: Handlers = {
  text: ({ value }, marks) => [{ type: "text", value, marks }],
  opaque: ({ value }, marks) => [{ type: "text", value, marks }],
  break: (_, marks) => [{ type: "break", marks }],
  strong: marked,
  emphasis: marked,
  underline: marked,
  strike: marked,
  superscript: marked,
  subscript: marked,
  code: marked,
  link: leavesOfLink,
  image: leavesOfImage,
  video: macro,
  guideList: macro,
};

/** How an address is written before a link's target. Links of other kinds go by reference. */
const SCHEMES: Readonly<Partial<Record<Link["kind"], string>>> = { url: "", mailto: "mailto:" };

function leavesOfLink(link: Link, marks: readonly LeafMark[]): readonly Leaf[] {
  const scheme = SCHEMES[link.kind];
  const plain = [...link.leading, ...link.parameters].every((parameter) => nameOf(parameter) === "new_window");
  if (scheme === undefined || !plain) return macro(link, marks);
  const href = scheme + link.target;
  const inside: readonly LeafMark[] = [...marks, { type: "link", href, newWindow: opensNewWindow(link) }];
  const label = leavesOf(link.children, inside);
  return label.length > 0 ? label : [{ type: "text", value: link.target, marks: inside }];
}

const IMAGE_PARAMETERS: ReadonlySet<string> = new Set(["align", "size"]);

function leavesOfImage(image: Image, marks: readonly LeafMark[]): readonly Leaf[] {
  if (!image.parameters.every((parameter) => IMAGE_PARAMETERS.has(nameOf(parameter)))) return macro(image, marks);
  const parameters = Object.fromEntries(image.parameters.map((each) => [nameOf(each), each.value.trim()]));
  return [{ type: "image", id: image.target.trim(), parameters, marks }];
}

function nameOf(parameter: Parameter): string {
  return parameter.name.trim().toLowerCase();
}
