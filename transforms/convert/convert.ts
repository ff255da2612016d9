import { messageOf, UsageError } from "../../src/core/errors.js";
import type { TextIssue } from "../../src/core/model/text-codes.js";
import { fromDocumentTree } from "../document-tree/from-document-tree.js";
import { toDocumentTree } from "../document-tree/to-document-tree.js";
import { CONTENTS, INTRODUCTION, type Vocabulary } from "../document-tree/vocabulary.js";
import { type FromHtmlOptions, fromHtml } from "../html/from-html.js";
import { createResolver, hostOf, isSafe, type Resolver, resolveLink } from "../html/resolver.js";
import { toHtml } from "../html/to-html.js";
import { toPlainHtml } from "../html/to-plain-html.js";
import { readVideoAddress, videoPage } from "../html/video-service.js";
import { fromMarkdown } from "../markdown/from-markdown.js";
import { onOneLine } from "../markdown/read-inlines.js";
import { toMarkdown } from "../markdown/to-markdown.js";
import { lineOf } from "../wiki/draft.js";
import { normaliseLine } from "../wiki/normalise.js";
import { parse } from "../wiki/parse.js";
import { print } from "../wiki/print.js";
import { childrenOf, type Node } from "../wiki/read-tree.js";
import type { LinkKind, TextContext, Tree } from "../wiki/tree.js";
import type { ConvertIssue, Setting, SourceFormat, TargetFormat } from "./formats.js";

/** How `convert` reads and writes a text. */
export interface ConvertOptions {
  readonly from: SourceFormat;
  readonly to: TargetFormat;
  /** `line`: a step's line, which holds no blocks. Default: `page`. */
  readonly context?: TextContext;
  /**
   * `https://site.example`: makes relative links whole in `plain-html`, and links to the site links
   * by id or title when HTML is read. Default: unknown.
   */
  readonly origin?: string;
}

/** A converted text. */
export interface Converted {
  readonly text: string;
  /**
   * `loss`, `error`: the text changes. `note`: the source is ambiguous. Offsets are those of the
   * source; 0 for the whole document.
   */
  readonly issues: readonly ConvertIssue[];
}

/**
 * Converts by way of the wiki syntax tree. Pure; from `wiki` to `wiki` unchanged. A document tree
 * is JSON or its value. Throws UsageError for another format; bad content is an issue.
 */
export function convert(source: unknown, { from, to, context = "page", origin }: ConvertOptions): Converted {
  const setting: Setting = { context, origin: origin?.replace(/\/+$/, "") };
  const { tree, issues } = READERS[from](source, setting);
  const written = WRITERS[to](tree, setting);
  const further = from === "wiki" ? written.issues : written.issues.map(unplaced);
  return { text: written.text, issues: [...issues, ...further] };
}

/** A writer's offsets are those of wiki text, which only a caller with wiki text has. */
function unplaced(issue: ConvertIssue): ConvertIssue {
  return { ...issue, start: 0, end: 0 };
}

/**
 * Throws UsageError for another format; bad content is an issue. JSON may be given as its value.
 */
type Reader = (source: unknown, setting: Setting) => { readonly tree: Tree; readonly issues: readonly ConvertIssue[] };

const READERS: Readonly<Record<SourceFormat, Reader>> = {
  wiki: (source, { context }) => parse(textOf(source), { context }),
  html: (source, { context, origin }) => fromHtml(textOf(source), { context, ...siteOf(origin) }),
  markdown: (source, { context }) => fromMarkdown(textOf(source), { context }),
  "document-tree": (source, { context }) => documentOf(source, context),
};

type Writer = (tree: Tree, setting: Setting) => { readonly text: string; readonly issues: readonly ConvertIssue[] };

export const WRITERS: Readonly<Record<TargetFormat, Writer>> = {
  wiki: (tree) => ({ text: print(tree), issues: [] }),
  html: (tree, { origin }) => ({
    text: toHtml(tree, createResolver(resolverOf(origin))),
    issues: siteHtmlIssues(tree),
  }),
  "plain-html": (tree, { origin }) => ({
    text: toPlainHtml(tree, origin === undefined ? {} : { origin }),
    issues: plainHtmlIssues(tree, origin),
  }),
  markdown: (tree) => {
    const { markdown, issues } = toMarkdown(tree);
    return { text: markdown, issues };
  },
  "document-tree": documentWriter(CONTENTS),
  "introduction-json": documentWriter(INTRODUCTION),
};

function documentWriter(vocabulary: Vocabulary): Writer {
  return (tree) => {
    const { tree: document, issues } = toDocumentTree(tree, vocabulary);
    return { text: JSON.stringify(document), issues };
  };
}

/** Throws UsageError for anything but a string. */
function textOf(source: unknown): string {
  if (typeof source === "string") return source;
  throw new UsageError("The source must be a text in this format. Only a document-tree can be JSON.");
}

/**
 * The service has no tree for a line: the words of the blocks are used. Throws UsageError for text
 * that is not JSON, and JSON without a node.
 */
function documentOf(
  source: unknown,
  context: TextContext,
): { readonly tree: Tree; readonly issues: readonly ConvertIssue[] } {
  const document = typeof source === "string" ? jsonOf(source) : source;
  if (!isNode(document)) {
    throw new UsageError(
      'The JSON is not a document tree. A document tree is an object with "type": "doc" and "content".',
    );
  }
  const { tree, issues } = fromDocumentTree(document);
  if (context === "page") return { tree, issues };
  const further: ConvertIssue[] = [];
  const tell = (code: ConvertIssue["code"], level: ConvertIssue["level"], message: string): void => {
    further.push({ code, level, message, path: "", start: 0, end: 0 });
  };
  const line = normaliseLine(lineOf(tree.children, tell).map(onOneLine), tell);
  return { tree: line, issues: [...issues, ...further] };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new UsageError(`A document tree is JSON, and this is not JSON: ${reason}.`, { cause: error });
  }
}

function isNode(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Links to the known site become links by id or title. */
export function siteOf(origin: string | undefined): Pick<FromHtmlOptions, "site"> {
  return origin === undefined ? {} : { site: { origin, hosts: hostsOf(origin) } };
}

/** Links to the known site are not external. */
function resolverOf(origin: string | undefined): Partial<Resolver> {
  return origin === undefined ? {} : { ownHosts: hostsOf(origin) };
}

function hostsOf(origin: string): readonly string[] {
  const host = hostOf(origin);
  return host === undefined ? [] : [host];
}

function siteHtmlIssues(tree: Node): readonly TextIssue[] {
  return nodesOf(tree).flatMap((node) => [...lossesOf(node), ...videoIssue(node)]);
}

/** Readers of plain HTML can't look up an id, and relative links do not work for them. */
function plainHtmlIssues(tree: Node, origin: string | undefined): readonly TextIssue[] {
  const nodes = nodesOf(tree);
  const relative = origin === undefined ? nodes.find(isSiteLink) : undefined;
  return [
    ...nodes.flatMap((node) => [...lossesOf(node), ...lookUpIssue(node)]),
    ...(relative === undefined ? [] : [issue(relative, "relative-links", "note", RELATIVE)]),
  ];
}

const RELATIVE =
  "This link and further links to pages of the site are relative. To make them absolute, give the address of the site with --origin.";

function nodesOf(tree: Node): readonly Node[] {
  const nodes: Node[] = [];
  // A stack instead of recursion, as in print.
  const rest: Node[] = [tree];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    nodes.push(node);
    for (const child of childrenOf(node).toReversed()) rest.push(child);
  }
  return nodes;
}

function lossesOf(node: Node): readonly TextIssue[] {
  if (node.type === "pageMacro") {
    return [issue(node, "page-data", "loss", "HTML does not show this fact about the page.")];
  }
  if (node.type === "link" && resolveLink(node, NOBODY) === undefined) {
    const message = `A link cannot have the address ${JSON.stringify(node.target.trim())}. Its label is written.`;
    return [issue(node, "link-address", "loss", message)];
  }
  if (node.type === "link" && node.kind !== "guide") {
    const step = [...node.leading, ...node.parameters].find(({ name }) => name.trim().toLowerCase() === "stepid");
    if (step === undefined) return [];
    const message = `HTML has no place for the field "${step.name.trim()}=${step.value.trim()}" of this link, because it is not a link to a guide.`;
    return [issue(node, "link-field", "loss", message)];
  }
  if (node.type !== "image" && node.type !== "video") return [];
  const words = node.parameters.filter(({ name, value }) => name === "" && value.trim() !== "");
  if (words.length === 0) return [];
  const quoted = JSON.stringify(words.map(({ value }) => value.trim()).join("|"));
  return [
    issue(node, "media-words", "loss", `The effect of the words ${quoted} on the site is unknown. They are left out.`),
  ];
}

/** The site embeds a video by its service and id alone. */
function videoIssue(node: Node): readonly TextIssue[] {
  const target = node.type === "video" ? node.target.trim() : "";
  const found = readVideoAddress(target);
  if (found === undefined || videoPage(found) === target) return [];
  const message = `The site shows this video by its id. Its address ${JSON.stringify(target)} becomes ${JSON.stringify(videoPage(found))}.`;
  return [issue(node, "video-address", /[?&#](?!v=)/.test(target) ? "loss" : "note", message)];
}

const NOBODY = createResolver();

function lookUpIssue(node: Node): readonly TextIssue[] {
  if (node.type === "guideList") {
    const message = "Only the site knows which guides this list contains. The list stays as it is written.";
    return [issue(node, "not-looked-up", "loss", message)];
  }
  if (node.type !== "image" && node.type !== "video") return [];
  const target = node.target.trim();
  if (node.type === "video" && isSafe(target)) return [];
  const message = `Only the site knows the address of ${node.type} ${target}. Its number is written instead.`;
  return [issue(node, "not-looked-up", "loss", message)];
}

const SITE_LINKS: ReadonlySet<LinkKind> = new Set<LinkKind>(["guide", "product", "document", "wiki"]);

function isSiteLink(node: Node): boolean {
  return node.type === "link" && SITE_LINKS.has(node.kind);
}

function issue({ position }: Node, code: TextIssue["code"], level: TextIssue["level"], message: string): TextIssue {
  return { code, level, message, start: 0, end: 0, ...position };
}
