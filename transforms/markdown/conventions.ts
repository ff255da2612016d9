import type { PhrasingContent, RootContent } from "mdast";
import { writableAddress } from "../wiki/draft.js";
import { opensNewWindow, parameterOf } from "../wiki/read-tree.js";
import type { GuideList, Image, Link, LinkKind, Parameter, Quote, Video } from "../wiki/tree.js";

/**
 * Schemes of references in Markdown: `guide:12?stepid=5`, `wiki:Topic:Saw#Section_Use`,
 * `product:AB-1`, `document:9`, `image:66427`, `video:https://…`, `guidelist:`. Both directions use
 * this table.
 */
const LINK_SCHEMES: Readonly<Record<LinkKind, string>> = {
  url: "",
  bare: "",
  mailto: "mailto:",
  guide: "guide:",
  product: "product:",
  document: "document:",
  wiki: "wiki:",
};

export type Media = Image | Video | GuideList;

const MEDIA_SCHEMES: Readonly<Record<Media["type"], string>> = {
  image: "image:",
  video: "video:",
  guideList: "guidelist:",
};

/** Alternative texts of media. Images of guides have none of their own. */
export const ALTERNATIVES: Readonly<Record<Media["type"], string>> = { image: "", video: "video", guideList: "guides" };

/** The title of a link that opens in a new window. */
export const NEW_WINDOW = "new window";

interface Address {
  readonly url: string;
  readonly title: string | null;
}

/** undefined: the link has fields that Markdown lacks. */
export function linkAddress(link: Link): Address | undefined {
  if (link.kind === "url" && !isPlain(link.target)) return undefined;
  const step = link.kind === "guide" ? parameterOf(link, "stepid") : undefined;
  const expected = [...(step === undefined ? [] : [["stepid", step]]), ...(opensNewWindow(link) ? [NEW] : [])];
  if (!saysOnly([...link.leading, ...link.parameters], Object.fromEntries(expected))) return undefined;
  const url = `${LINK_SCHEMES[link.kind]}${link.target}${step === undefined ? "" : `?stepid=${step}`}`;
  return { url, title: opensNewWindow(link) ? NEW_WINDOW : null };
}

const NEW = ["new_window", "true"];

/** undefined: the medium has fields that Markdown lacks. */
export function mediaAddress(media: Media): Address | undefined {
  const fields = media.parameters.map(({ name, value }) => `${name.trim()}=${value.trim()}`);
  if (!fields.every((field) => FIELD.test(field))) return undefined;
  return { url: MEDIA_SCHEMES[media.type] + media.target, title: fields.length > 0 ? fields.join("|") : null };
}

/** A field that a title can hold among others. */
export const FIELD = /^[\w-]+=[^|\n]*$/;

/** Whether the parameters are exactly these, each once. */
function saysOnly(parameters: readonly Parameter[], expected: Readonly<Record<string, string>>): boolean {
  const written = parameters.map(({ name, value }) => [name.trim().toLowerCase(), value.trim().toLowerCase()] as const);
  return (
    written.length === Object.keys(expected).length &&
    written.every(([name, value]) => expected[name]?.toLowerCase() === value)
  );
}

function isPlain(target: string): boolean {
  return writableAddress(target) === target && !REFERENCE.test(target);
}

/** The schemes that guideferry gives a meaning. */
const REFERENCE = /^(guide|product|document|wiki|image|video|guidelist):/i;

/*
 * Wiki text without a form in Markdown stays as it is: a macro in an HTML element, a block in a
 * code block with its own language. Both show their source, and the way back restores them.
 */

/** Around the wiki text of an inline. */
export const RAW_INLINE = { open: '<code class="wiki">', close: "</code>" } as const;

/** The language of a code block that holds wiki text. */
export const RAW_BLOCK = "wiki";

/** An invisible separator of blocks that would merge without it. */
export const DIVIDER = "<!-- -->";

/** A forced break where Markdown has none: at the edges of a text, and in a heading. */
export const BREAK = "<br>";

/** Begins the last paragraph of a quotation if that is its author. */
export const ATTRIBUTION = "— ";

/** The author of a quotation: the text after a dash in its last block. */
export function nameBehindDash(block: RootContent | undefined): readonly PhrasingContent[] | undefined {
  const [first, ...others] = block?.type === "paragraph" ? block.children : [];
  if (first?.type !== "text" || !first.value.startsWith(ATTRIBUTION)) return undefined;
  return [{ type: "text", value: first.value.slice(ATTRIBUTION.length) }, ...others];
}

/** The comment before a quote with fields of its own: `<!-- format=featured -->`. */
export const QUOTE_FIELDS = /^<!-- ([\w-]+=.*) -->$/;

export function quoteFields({ leading, parameters }: Quote): string | undefined {
  const fields = [...leading, ...parameters].map(({ name, value }) => `${name.trim()}=${value.trim()}`);
  return fields.length > 0 ? `<!-- ${fields.join("|")} -->` : undefined;
}
