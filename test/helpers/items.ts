import type {
  Guide,
  GuideItem,
  ItemOf,
  Line,
  Media,
  MediaItem,
  Step,
  Wiki,
  WikiItem,
} from "../../src/core/model/item.js";
import { type Key, type Namespace, wikiKey } from "../../src/core/model/key.js";

// The one place that builds items for tests: each has nothing remarkable about it but what a test
// says.

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

export function mediaItem(kind: MediaItem["kind"], id: number, body: Partial<Media> = {}): MediaItem {
  return { ...PLAIN, key: `${kind}/${id}`, kind, body: { ...EMPTY_MEDIA, id, ...body } };
}

/** An answer of a site that no model has a place for. */
export function recordItem(path: string): ItemOf<"record"> {
  const body = { path, query: {}, status: 200, readAt: 1_700_000_000, answer: [path] };
  return { ...PLAIN, key: `record/${path}` as Key, kind: "record", body };
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

const EMPTY_MEDIA: Media = {
  id: 0,
  guid: null,
  fileName: null,
  url: "https://old.example/media/0.full",
  width: null,
  height: null,
  markup: null,
  sourceImage: null,
  content: null,
};
