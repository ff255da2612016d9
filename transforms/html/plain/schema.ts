import type { Schema } from "hast-util-sanitize";

/** What plain HTML may hold; whatever else a handler were to write is taken out, so that one mistake there opens nothing. */
export const PLAIN_SCHEMA: Schema = {
  tagNames: [
    ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "pre", "blockquote", "footer"],
    ...["figure", "figcaption", "img", "a", "br", "strong", "em", "u", "s", "sup", "sub", "code"],
  ],
  attributes: {
    a: ["href"],
    img: ["src", "alt"],
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, ["id"]])),
  },
  // Every id begins with "Section_", so that none can take the place of a name that a page's scripts use.
  clobber: [],
  protocols: { href: ["http", "https", "ftp", "mailto"], src: ["http", "https"] },
};
