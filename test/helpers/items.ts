import type { Guide, Line, Step } from "../../src/model/guide.js";
import type { GuideItem, WikiItem } from "../../src/model/item.js";
import { type Namespace, wikiKey } from "../../src/model/key.js";
import type { Wiki } from "../../src/model/wiki.js";

/** A guide with nothing remarkable about it but what a test says. */
export function guideItem(id: number, body: Partial<Guide> = {}): GuideItem {
  return { ...PLAIN, key: `guide/${id}`, kind: "guide", body: { ...EMPTY_GUIDE, id, title: `Guide ${id}`, ...body } };
}

export function step(
  id: number,
  lines: readonly (string | Partial<Line>)[] = [`Line of step ${id}`],
  more: Partial<Step> = {},
): Step {
  return { key: `step/${id}`, title: "", lines: lines.map(line), media: { type: "none" }, comments: [], ...more };
}

export function line(text: string | Partial<Line>): Line {
  const given = typeof text === "string" ? { text } : text;
  return { text: "", bullet: "black", bulletStyle: null, level: 0, ...given };
}

export function wikiItem(namespace: Namespace, title: string, body: Partial<Wiki> = {}): WikiItem {
  const key = wikiKey(namespace, title);
  const wiki: Wiki = { ...EMPTY_WIKI, namespace, title, ...body };
  return namespace === "CATEGORY"
    ? { ...PLAIN, key, kind: "category", body: wiki }
    : { ...PLAIN, key, kind: "wiki", body: wiki };
}

/** What `Item` needs beside its body. */
const PLAIN = { revision: "1", raw: null, media: [], translations: [], issues: [] } as const;

const EMPTY_GUIDE: Guide = {
  id: 0,
  language: "en",
  title: "",
  category: "Looms",
  type: "how-to",
  subject: "",
  summary: "",
  introduction: "",
  conclusion: "",
  difficulty: null,
  timeRequired: { min: 0, max: 0 },
  flags: [],
  image: null,
  introductionVideo: null,
  documents: [],
  featuredDocument: null,
  parts: [],
  tools: [],
  prerequisites: [],
  steps: [],
  tags: [],
  comments: [],
  author: null,
  public: false,
  archived: false,
  viewers: null,
  releases: [],
  workLogEnabled: null,
  createdDate: null,
  publishedDate: null,
  modifiedDate: null,
  url: "https://old.example/Guide/-/0",
};

const EMPTY_WIKI: Wiki = {
  id: 1,
  namespace: "WIKI",
  language: "en",
  title: "",
  displayTitle: null,
  contents: "Some contents.",
  tree: null,
  html: "",
  description: "",
  image: null,
  flags: [],
  documents: [],
  tags: [],
  info: [],
  suppliers: [],
  tableOfContents: null,
  pageTitle: null,
  parent: null,
  position: null,
  author: null,
  createdDate: null,
  modifiedDate: null,
  url: null,
};
