import { ownPageTitle, type Wiki } from "../../../../src/core/model/wiki.js";
import type { MissingPlace } from "./not-in-guides.js";

/** Of categories (omanual 10). */
export const NOT_IN_CATEGORIES: readonly MissingPlace<Wiki>[] = [
  { code: "wiki-id", path: "id", level: "loss", says: ({ id }) => id !== null, what: "the page's id" },
  { code: "tags", path: "tags", level: "loss", says: ({ tags }) => tags.length > 0, what: "tags" },
  {
    code: "suppliers",
    path: "suppliers",
    level: "loss",
    says: ({ suppliers }) => suppliers.length > 0,
    what: "suppliers",
  },
  {
    code: "table-of-contents",
    path: "tableOfContents",
    level: "loss",
    says: ({ tableOfContents }) => tableOfContents !== null,
    what: "the switch of the table of contents",
  },
  {
    code: "page-title",
    path: "pageTitle",
    level: "loss",
    says: (wiki) => ownPageTitle(wiki) !== null,
    what: "a page title beside the display title",
  },
  {
    code: "repeated-titles",
    path: "pageTitle",
    level: "note",
    says: (wiki) => wiki.pageTitle !== null && ownPageTitle(wiki) === null,
    what: "a page title that repeats another title",
  },
  {
    code: "display-title",
    path: "displayTitle",
    level: "note",
    says: ({ displayTitle, title }) => displayTitle === title || displayTitle === "",
    what: "a display title that says nothing",
  },
  {
    code: "position",
    path: "position",
    level: "loss",
    says: ({ position }) => position !== null,
    what: "the place among siblings, but for the order of names in the page above",
  },
  {
    code: "author",
    path: "author",
    level: "loss",
    says: ({ author }) => author !== null,
    what: "the author of a page",
  },
  {
    code: "created-date",
    path: "createdDate",
    level: "loss",
    says: ({ createdDate }) => createdDate !== null,
    what: "the day when a page was made",
  },
  {
    code: "modified-date",
    path: "modifiedDate",
    level: "loss",
    says: ({ modifiedDate }) => modifiedDate !== null,
    what: "the day of a page's last change",
  },
  { code: "url", path: "url", level: "loss", says: ({ url }) => url !== null, what: "the address of the page itself" },
  {
    code: "document-tree",
    path: "tree",
    level: "note",
    says: ({ tree }) => tree !== null && tree !== undefined,
    what: "the document tree, which a site makes of the text",
  },
  {
    code: "site-html",
    path: "html",
    level: "note",
    says: ({ html, contents }) => html !== contents,
    what: "the site's own HTML, which a site makes of the text",
  },
];
