import { z } from "zod";
import type { TransformContext, TransformSpec } from "../../src/core/formats.js";
import type { SiteIdentity } from "../../src/core/model/identity.js";
import type { CodeTable } from "../../src/core/model/issue-codes.js";
import { type Key, kindOf } from "../../src/core/model/key.js";
import { SERVICE_LIMITS } from "../fit/limits.js";
import { linkTargetOf } from "../references/read-node.js";
import type { Resolution, SiteOptions } from "../references/rewrite-options.js";
import { rewriteFound } from "../references/rewrite-references.js";
import { readerOf } from "../references/text-reader.js";
import { link, text as textNode } from "../wiki/build.js";
import { neutralise } from "../wiki/neutralise.js";
import { print } from "../wiki/print.js";
import { mapInlines } from "../wiki/read-tree.js";
import type { Inline, Link, TextContext } from "../wiki/tree.js";
import { mapTexts, ownId } from "./map-texts.js";

const LABEL_CODES = {
  "link-relabelled": ["note", "A link without a label got the title of its link target as label."],
  "link-not-relabelled": [
    "note",
    "With the title as label the line would be too long. The link keeps its address.",
    "Shorten the line at the source.",
  ],
} as const satisfies CodeTable;

/** `relabel-bare-links`: bare addresses of guides and pages get their target's title as label. */
export const relabelBareLinks: TransformSpec<Readonly<Record<string, never>>, keyof typeof LABEL_CODES> = {
  name: "relabel-bare-links",
  about: "give bare addresses of guides and pages in the workspace the title of their link target as label",
  options: z.strictObject({}),
  codes: LABEL_CODES,
  create: (_, context) => (item, report) => {
    const changed = mapTexts(item, (text, where, path) => {
      const labelled = withLabels(text, where, context);
      const most = context.lineLength?.() ?? SERVICE_LIMITS.lineLength;
      const isTooLong = where === "line" && labelled.length > Math.max(text.length, most);
      if (labelled !== text) report({ ...(isTooLong ? tooLong(most) : RELABELLED), key: item.key, path });
      return isTooLong ? text : labelled;
    });
    return [changed];
  },
};

const RELABELLED = {
  code: "link-relabelled",
  level: "note",
  message: "A link without a label got the title of its link target.",
} as const;

function tooLong(most: number) {
  return {
    code: "link-not-relabelled",
    level: "note",
    message: `The link keeps its bare address: with the title of its link target the line would be longer than ${most} characters.`,
  } as const;
}

function withLabels(text: string, where: TextContext, context: TransformContext): string {
  if (!text.includes("/")) return text;
  const change = (inlines: readonly Inline[]): readonly Inline[] =>
    inlines.map((inline) => relabelled(inline, context));
  const reader = readerOf(context.source);
  if (where === "line") {
    const tree = reader.tree(text, "line");
    return print({ ...tree, children: change(tree.children) });
  }
  const tree = reader.tree(text, "page");
  return print({ ...tree, children: tree.children.map((block) => mapInlines(block, change)) });
}

function relabelled(inline: Inline, context: TransformContext): Inline {
  if (inline.type !== "link") {
    if (!("children" in inline)) return inline;
    return { ...inline, children: inline.children.map((child) => relabelled(child, context)) };
  }
  const title = isBare(inline) ? titleOfTarget(inline, context.source, context) : undefined;
  return title === undefined ? inline : labelled(inline, title);
}

/** Macros show the title already. */
function isBare({ kind, children }: Link): boolean {
  return (kind === "bare" || kind === "url") && children.length === 0;
}

function titleOfTarget(node: Link, site: SiteIdentity, { titleOf }: TransformContext): string | undefined {
  const target = linkTargetOf(node, site);
  if (target === undefined || target.key === null || !PAGES.has(target.kind)) return undefined;
  const title = titleOf(target.key)?.trim();
  return title === "" ? undefined : title;
}

const PAGES: ReadonlySet<string> = new Set(["guide", "category", "wiki"]);

function labelled(node: Link, title: string): Link {
  const label = [textNode(neutralise(title, { place: "label" }).text)];
  if (node.kind === "bare") return link("url", node.target, { label });
  return { ...node, leading: [], bar: "|", children: label, parameters: [...node.leading, ...node.parameters] };
}

const STRIP_CODES = {
  "reference-stripped": [
    "loss",
    "A reference has no link target in the workspace. Its label is kept.",
    "Extract the link target, or leave the transform out.",
  ],
} as const satisfies CodeTable;

/** `strip-dead-references`: a reference to something outside of the workspace becomes its label. */
export const stripDeadReferences: TransformSpec<Readonly<Record<string, never>>, keyof typeof STRIP_CODES> = {
  name: "strip-dead-references",
  about: "replace references without a link target in the workspace by their label",
  options: z.strictObject({}),
  codes: STRIP_CODES,
  create: (_, context) => (item, report) => {
    const changed = mapTexts(item, (text, where, path) => {
      const found = readerOf(context.source).references(text, where);
      const done = rewriteFound(text, found, strippingIn(context));
      for (const { key, reference } of done.dangling) {
        const message = `The reference ${reference} leads to ${key}, which is not in the workspace. Its label replaces it.`;
        report({ ...STRIPPED, key: item.key, path, message });
      }
      return done.text;
    });
    return [changed];
  },
};

const STRIPPED = { code: "reference-stripped", level: "loss" } as const;

/** Within one site valid references stay byte for byte. */
function strippingIn(context: TransformContext): SiteOptions {
  const { source } = context;
  return { source, target: source, dangling: "label", resolve: (key) => resolution(key, context) };
}

/** A step follows its guide, whose load decides. */
function resolution(key: Key, { titleOf }: TransformContext): Resolution {
  return kindOf(key) === "step" || titleOf(key) !== undefined ? { id: ownId(key) } : { never: true };
}
