/**
 * A node of a document tree as the service gives it (wiki-syntax 4): `contents_json` of wikis, `introduction_json` of guides.
 * The site makes these trees from the wiki text; no known endpoint takes one.
 */
export interface DocumentNode {
  readonly type: string;
  /** An empty array where the service means no attributes. */
  readonly attrs?: DocumentAttributes | readonly [];
  readonly content?: readonly DocumentNode[];
  readonly marks?: readonly DocumentMark[];
  readonly text?: string;
}

export type DocumentAttributes = Readonly<Record<string, unknown>>;

export interface DocumentMark {
  readonly type: string;
  readonly attrs?: DocumentAttributes;
}
