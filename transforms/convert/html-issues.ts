import { isSafe } from "../html/hosts.js";
import { linkGoal } from "../html/link-goal.js";
import { createResolver } from "../html/resolver.js";
import { readVideoAddress, videoPage } from "../html/video-service.js";
import type { LinkKind, TextIssue } from "../wiki/tree.js";
import { childrenOf, type Node } from "../wiki/tree-walk.js";

/** What HTML as the site renders it does not say of a text. */
export function siteHtmlIssues(tree: Node): readonly TextIssue[] {
  return nodesOf(tree).flatMap((node) => [...lossesOf(node), ...videoIssue(node)]);
}

/** What plain HTML does not say of a text: its readers can't look up an id, and relative links lead them nowhere. */
export function plainHtmlIssues(tree: Node, origin: string | undefined): readonly TextIssue[] {
  const nodes = nodesOf(tree);
  const relative = origin === undefined ? nodes.find(isSiteLink) : undefined;
  return [
    ...nodes.flatMap((node) => [...lossesOf(node), ...lookUpIssue(node)]),
    ...(relative === undefined ? [] : [issue(relative, "relative-links", "note", RELATIVE)]),
  ];
}

const RELATIVE =
  "Links to pages of the site, of which this is the first, are relative, since the site's address was not given.";

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

/** What no HTML of a text says. */
function lossesOf(node: Node): readonly TextIssue[] {
  if (node.type === "pageMacro") {
    return [issue(node, "page-data", "loss", "This says something about the page, which its HTML does not show.")];
  }
  if (node.type === "link" && linkGoal(node, NOBODY) === undefined) {
    const message = `No link may lead to ${JSON.stringify(node.target.trim())}; its label stands for it.`;
    return [issue(node, "link-address", "loss", message)];
  }
  if (node.type === "link" && node.kind !== "guide") {
    const step = [...node.leading, ...node.parameters].find(({ name }) => name.trim().toLowerCase() === "stepid");
    if (step === undefined) return [];
    const message = `HTML has no place for the field "${step.name.trim()}=${step.value.trim()}" of this link, which is no link to a guide.`;
    return [issue(node, "link-field", "loss", message)];
  }
  if (node.type !== "image" && node.type !== "video") return [];
  const words = node.parameters.filter(({ name, value }) => name === "" && value.trim() !== "");
  if (words.length === 0) return [];
  const said = JSON.stringify(words.map(({ value }) => value.trim()).join("|"));
  return [issue(node, "media-words", "loss", `What a site makes of the words ${said} is unknown; they are left out.`)];
}

/** The site embeds a video by its service and id alone. */
function videoIssue(node: Node): readonly TextIssue[] {
  const target = node.type === "video" ? node.target.trim() : "";
  const found = readVideoAddress(target);
  if (found === undefined || videoPage(found) === target) return [];
  const message = `The site shows this video by its id; of its address ${JSON.stringify(target)} only ${JSON.stringify(videoPage(found))} is left.`;
  return [issue(node, "video-address", /[?&#](?!v=)/.test(target) ? "loss" : "note", message)];
}

const NOBODY = createResolver();

function lookUpIssue(node: Node): readonly TextIssue[] {
  if (node.type === "guideList") {
    const message = "What this list of guides holds is known to the site only; it stays as it is written.";
    return [issue(node, "not-looked-up", "loss", message)];
  }
  if (node.type !== "image" && node.type !== "video") return [];
  const target = node.target.trim();
  if (node.type === "video" && isSafe(target)) return [];
  const message = `Where ${node.type} ${target} lies is known to the site only; its number stands in its place.`;
  return [issue(node, "not-looked-up", "loss", message)];
}

const SITE_LINKS: ReadonlySet<LinkKind> = new Set<LinkKind>(["guide", "product", "document", "wiki"]);

function isSiteLink(node: Node): boolean {
  return node.type === "link" && SITE_LINKS.has(node.kind);
}

function issue({ position }: Node, code: string, level: TextIssue["level"], message: string): TextIssue {
  return { code, level, message, start: 0, end: 0, ...position };
}
