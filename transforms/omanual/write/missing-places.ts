import { type Guide, ownPageTitle, type Wiki } from "../../../src/core/model/item.js";
import type { Finding, ReportFinding } from "./print-element.js";

/** A field without a place in oManual 1.0 (omanual 10). */
interface MissingPlace<Body> {
  readonly code: Finding["code"];
  /** `[]`: every index. */
  readonly path: string;
  readonly level: Finding["level"];
  readonly has: (body: Body) => boolean;
  /** Completes "oManual 1.0 has no place for …". */
  readonly what: string;
}

export const NOT_IN_GUIDES: readonly MissingPlace<Guide>[] = [
  { code: "step-ids", path: "steps[].key", level: "loss", has: ({ steps }) => steps.length > 0, what: "ids of steps" },
  { code: "tags", path: "tags", level: "loss", has: ({ tags }) => tags.length > 0, what: "tags" },
  { code: "comments", path: "comments", level: "loss", has: ({ comments }) => comments.length > 0, what: "comments" },
  {
    code: "step-comments",
    path: "steps[].comments",
    level: "loss",
    has: ({ steps }) => steps.some(({ comments }) => comments.length > 0),
    what: "comments on steps",
  },
  {
    code: "author-name",
    path: "author.uniqueName",
    level: "loss",
    has: ({ author }) => author !== null && author.uniqueName !== null,
    what: "the unique name of the author, which identifies a user",
  },
  { code: "public", path: "public", level: "loss", has: (guide) => guide.public, what: "whether a guide is public" },
  {
    code: "archived",
    path: "archived",
    level: "loss",
    has: ({ archived }) => archived,
    what: "whether a guide is archived",
  },
  {
    code: "viewers",
    path: "viewers",
    level: "loss",
    has: ({ viewers }) => viewers !== null,
    what: "the users and teams that may see a private guide",
  },
  { code: "releases", path: "releases", level: "loss", has: ({ releases }) => releases.length > 0, what: "releases" },
  {
    code: "work-log",
    path: "workLogEnabled",
    level: "loss",
    has: ({ workLogEnabled }) => workLogEnabled !== null,
    what: "the switch of the work log",
  },
  {
    code: "published-date",
    path: "publishedDate",
    level: "loss",
    has: ({ publishedDate }) => publishedDate !== null,
    what: "the date of publishing",
  },
  {
    code: "url",
    path: "url",
    level: "loss",
    has: ({ url }) => url !== "",
    what: "the address of the guide",
  },
  {
    code: "featured-document",
    path: "featuredDocument",
    level: "loss",
    has: ({ featuredDocument }) => featuredDocument !== null,
    what: "which document is featured",
  },
  {
    code: "bullet-style",
    path: "steps[].lines[].bulletStyle",
    level: "loss",
    has: ({ steps }) => steps.some(({ lines }) => lines.some(({ bulletStyle }) => bulletStyle !== null)),
    what: "the bullet styles of a site",
  },
  {
    code: "embed-title",
    path: "steps[].media.title",
    level: "loss",
    has: ({ steps }) => steps.some(({ media }) => media.type === "embed" && media.title !== null),
    what: "the title of an embed in a form that both schemas take",
  },
  {
    code: "optional-parts",
    path: "parts[].optional",
    level: "loss",
    has: ({ parts }) => parts.some(({ optional }) => optional !== null),
    what: "whether a part is optional",
  },
  {
    code: "optional-tools",
    path: "tools[].optional",
    level: "loss",
    has: ({ tools }) => tools.some(({ optional }) => optional !== null),
    what: "whether a tool is optional",
  },
  {
    code: "featured-parts",
    path: "parts[].featured",
    level: "loss",
    has: ({ parts }) => parts.some(({ featured }) => featured !== null),
    what: "whether a part is featured",
  },
  {
    code: "featured-tools",
    path: "tools[].featured",
    level: "loss",
    has: ({ tools }) => tools.some(({ featured }) => featured !== null),
    what: "whether a tool is featured",
  },
];

export function reportMissingPlaces<Body>(
  body: Body,
  places: readonly MissingPlace<Body>[],
  report: ReportFinding,
): void {
  for (const { code, path, level, has, what } of places) {
    if (has(body)) report({ code, level, path, message: `oManual 1.0 does not have a place for ${what}.` });
  }
}

export const NOT_IN_CATEGORIES: readonly MissingPlace<Wiki>[] = [
  { code: "wiki-id", path: "id", level: "loss", has: ({ id }) => id !== null, what: "the page's id" },
  { code: "tags", path: "tags", level: "loss", has: ({ tags }) => tags.length > 0, what: "tags" },
  {
    code: "suppliers",
    path: "suppliers",
    level: "loss",
    has: ({ suppliers }) => suppliers.length > 0,
    what: "suppliers",
  },
  {
    code: "table-of-contents",
    path: "tableOfContents",
    level: "loss",
    has: ({ tableOfContents }) => tableOfContents !== null,
    what: "the switch of the table of contents",
  },
  {
    code: "page-title",
    path: "pageTitle",
    level: "loss",
    has: (wiki) => ownPageTitle(wiki) !== null,
    what: "a page title next to the display title",
  },
  {
    code: "repeated-titles",
    path: "pageTitle",
    level: "note",
    has: (wiki) => wiki.pageTitle !== null && ownPageTitle(wiki) === null,
    what: "a page title that repeats another title",
  },
  {
    code: "display-title",
    path: "displayTitle",
    level: "note",
    has: ({ displayTitle, title }) => displayTitle === title || displayTitle === "",
    what: "a display title that is empty or repeats the title",
  },
  {
    code: "position",
    path: "position",
    level: "loss",
    has: ({ position }) => position !== null,
    what: "the position among siblings (the parent lists its children in order)",
  },
  {
    code: "author",
    path: "author",
    level: "loss",
    has: ({ author }) => author !== null,
    what: "the author of a page",
  },
  {
    code: "created-date",
    path: "createdDate",
    level: "loss",
    has: ({ createdDate }) => createdDate !== null,
    what: "the creation date of a page",
  },
  {
    code: "modified-date",
    path: "modifiedDate",
    level: "loss",
    has: ({ modifiedDate }) => modifiedDate !== null,
    what: "the modification date of a page",
  },
  { code: "url", path: "url", level: "loss", has: ({ url }) => url !== null, what: "the address of the page itself" },
  {
    code: "document-tree",
    path: "tree",
    level: "note",
    has: ({ tree }) => tree !== null && tree !== undefined,
    what: "the document tree, which a site makes from the text",
  },
  {
    code: "site-html",
    path: "html",
    level: "note",
    has: ({ html, contents }) => html !== contents,
    what: "the HTML of the site, which a site makes from the text",
  },
];
