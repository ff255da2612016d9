import type {
  Block,
  Break,
  Embed,
  Heading,
  Image,
  Inline,
  Line,
  Link,
  List,
  ListItem,
  Mark,
  Page,
  PageMacro,
  Paragraph,
  Parameter,
  Quote,
  Tree,
} from "./tree.js";

/**
 * Writes a tree or node as wiki text: `print(parse(text, …).tree) === text` for every text. Joins
 * the strings of the nodes without escapes, which the syntax lacks; for other text see
 * `neutralise`.
 */
export function print(node: Printable): string {
  const first = partsOf(node, TOP);
  if (typeof first === "string") return first;
  let written = "";
  // A stack instead of recursion, since a built tree can be deeper than the call stack.
  const rest: Part[] = [];
  pushParts(rest, first);
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    written += typeof part === "string" ? part : writeRun(rest, part);
  }
  return written;
}

/** Writes up to the first node with children, and pushes it and the rest of the run. */
function writeRun(rest: Part[], run: Run): string {
  const { nodes, place, before } = run;
  let written = "";
  while (run.next < nodes.length) {
    const node = nodes[run.next] as Printable;
    const parts = partsOf(node, place);
    written += before(node, nodes[run.next - 1]);
    run.next += 1;
    if (typeof parts !== "string") {
      rest.push(run);
      pushParts(rest, parts);
      break;
    }
    written += parts;
  }
  return written;
}

function partsOf(node: Printable, place: Place): Written {
  return (PARTS[node.type] as (node: Printable, place: Place) => Written)(node, place);
}

function pushParts(rest: Part[], parts: readonly Part[]): void {
  for (let at = parts.length - 1; at >= 0; at -= 1) rest.push(parts[at] as Part);
}

type Printable = Tree | Block | ListItem | Inline;

interface Place {
  /** The marker of the surrounding item. */
  readonly marker: string;
  /** The default after a forced break. */
  readonly breakAfter: string;
}

/** Adjacent nodes, with what the place requires before each. */
interface Run {
  readonly nodes: readonly Printable[];
  readonly place: Place;
  readonly before: (node: Printable, previous: Printable | undefined) => string;
  /** The number of written nodes. */
  next: number;
}

type Part = string | Run;

type Written = string | readonly Part[];

const TOP: Place = { marker: "", breakAfter: "" };

const IN_PARAGRAPH: Place = { marker: "", breakAfter: "\n" };

type Handler<Type extends Printable["type"]> = (
  node: Extract<Printable, { readonly type: Type }>,
  place: Place,
) => Written;

/** The parent writes the `before` of a block. */
const PARTS: { readonly [Type in Printable["type"]]: Handler<Type> } = {
  page: (node: Page) => [blocks(node.children, ""), node.after ?? ""],
  line: (node: Line) => together([inlines(node.children, TOP)]),
  paragraph: (node: Paragraph) => together([inlines(node.children, IN_PARAGRAPH)]),
  heading: (node: Heading) => together([node.open, inlines(node.children, TOP), node.close]),
  list: listParts,
  listItem: listItemParts,
  codeBlock: (node) => node.open + node.value + node.close,
  quote: quoteParts,
  embed: (node: Embed) => together([inlines([node.child], TOP)]),
  pageMacro: (node: PageMacro) => node.open + node.value + parameters(node.parameters) + node.close,
  text: (node) => node.value,
  strong: markParts,
  emphasis: markParts,
  underline: markParts,
  strike: markParts,
  superscript: markParts,
  subscript: markParts,
  code: markParts,
  break: (node: Break, place) => node.open + (node.after ?? place.breakAfter),
  link: linkParts,
  image: mediaParts,
  video: mediaParts,
  guideList: mediaParts,
  opaque: (node) => node.value,
};

/** Most nodes have at most one text and become a string at once. */
function together(parts: readonly Part[]): Written {
  let written = "";
  for (const part of parts) {
    if (typeof part !== "string") return parts;
    written += part;
  }
  return written;
}

function runOf(nodes: readonly Printable[], place: Place, before: Run["before"]): Run {
  return { nodes, place, before, next: 0 };
}

function blocks(children: readonly Block[], first: string): Run {
  return runOf(children, TOP, (node, previous) => beforeBlock(node as Block, previous as Block | undefined, first));
}

function inlines(children: readonly Inline[], place: Place): Part {
  const [only] = children;
  if (only === undefined) return "";
  return children.length === 1 && only.type === "text" ? only.value : runOf(children, place, nothing);
}

function nothing(): string {
  return "";
}

function listParts(node: List, { marker }: Place): Written {
  const place = { marker: itemMark(node, marker), breakAfter: "" };
  return [runOf(node.children, place, (item, previous) => (item as ListItem).before ?? lineBetween(previous))];
}

function lineBetween(previous: Printable | undefined): string {
  return previous === undefined ? "" : "\n";
}

function listItemParts(node: ListItem, place: Place): Written {
  const marker = node.marker ?? place.marker;
  const words = [marker, node.space, inlines(node.children, TOP)];
  if (node.lists.length === 0) return together(words);
  return [...words, runOf(node.lists, { marker, breakAfter: "" }, (list) => (list as List).before ?? "\n")];
}

function quoteParts(node: Quote): Written {
  const head = [
    node.open + parameters(node.leading) + node.bar,
    inlines(node.attribution, TOP),
    parameters(node.parameters) + node.openEnd,
  ];
  return [...head, blocks(node.children, "\n"), (node.after ?? afterQuote(node)) + node.close];
}

function markParts(node: Mark, place: Place): Written {
  return together([node.open, inlines(node.children, place), node.close]);
}

function linkParts(node: Link): Written {
  const open = node.open + node.target + parameters(node.leading) + node.bar;
  return together([open, inlines(node.children, TOP), parameters(node.parameters) + node.close]);
}

function mediaParts(node: Image | Extract<Inline, { readonly type: "video" | "guideList" }>): Written {
  return node.open + node.target + parameters(node.parameters) + node.close;
}

function parameters(all: readonly Parameter[]): string {
  let written = "";
  for (const { before, name, equals, value } of all) written += before + name + equals + value;
  return written;
}

/** Default spacing. */

const BLANK_LINE = "\n\n";

/** Writes an empty line even after a heading or list, unlike the vendor (wiki-syntax 5). */
function beforeBlock(block: Block, previous: Block | undefined, first: string): string {
  if (block.before !== undefined) return block.before;
  if (previous === undefined) return first;
  return previous.type === "pageMacro" && block.type === "pageMacro" ? "\n" : BLANK_LINE;
}

/** Like the vendor: a blank line ends a paragraph, a line end every other block (wiki-syntax 5). */
function afterQuote(quote: Quote): string {
  return quote.children.at(-1)?.type === "paragraph" ? BLANK_LINE : "\n";
}

/** An explicit marker of an item, or the mark repeated once more than around the list. */
function itemMark(list: List, around: string): string {
  const given = list.children.find((item) => item.marker !== undefined)?.marker;
  return given ?? (list.ordered ? "#" : "*").repeat(around.length + 1);
}
