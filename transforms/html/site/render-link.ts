import type { Link } from "../../wiki/tree.js";
import { opensNewWindow } from "../../wiki/tree-readers.js";
import { element, escapeHtml } from "../escape-html.js";
import { relOf } from "../hosts.js";
import { type LinkGoal, linkGoal } from "../link-goal.js";
import type { Resolver } from "../resolver.js";

/** What the site shows instead of a link to a guide that does not exist (real, wiki-syntax 2.3). */
export const DEAD_GUIDE = "[invalid guide link]";

/** A link; `label` is HTML, empty when the link has none. */
export function renderLink(link: Link, label: string, resolver: Resolver): string {
  const goal = linkGoal(link, resolver);
  if (goal === "dead") return DEAD_GUIDE;
  if (goal === undefined) return label === "" ? escapeHtml(link.target) : label;
  return link.kind === "bare" ? renderBare(goal, resolver) : renderLabelled(link, goal, label, resolver);
}

function renderLabelled(link: Link, { address, title }: LinkGoal, label: string, resolver: Resolver): string {
  const attributes = {
    class: link.kind === "document" ? "docLink" : undefined,
    href: address,
    rel: link.kind === "mailto" ? undefined : relOf(address, resolver),
    target: opensNewWindow(link) ? "_blank" : undefined,
  };
  return element("a", attributes, label === "" ? escapeHtml(title) : label);
}

/** Longer addresses are cut and shown whole in the title (real, 19 cases, wiki-syntax 3.3). */
const SHOWN_CHARACTERS = 40;

function renderBare({ address, title }: LinkGoal, resolver: Resolver): string {
  const characters = Array.from(title);
  const cut = characters.length > SHOWN_CHARACTERS;
  const shown = cut ? `${characters.slice(0, SHOWN_CHARACTERS).join("")}...` : title;
  // The site escapes an ampersand twice in the title, once in the address (real, wiki-syntax 3.3).
  const hint = cut ? escapeHtml(address) : undefined;
  return element("a", { href: address, rel: relOf(address, resolver), title: hint }, escapeHtml(shown));
}
