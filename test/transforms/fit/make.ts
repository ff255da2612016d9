import type { Guide, Line, Part, Step } from "../../../src/model/guide.js";
import type { GuideItem, MediaItem, WikiItem } from "../../../src/model/item.js";
import type { Key } from "../../../src/model/key.js";
import type { Media } from "../../../src/model/media.js";
import type { Wiki } from "../../../src/model/wiki.js";
import type { FitContext } from "../../../transforms/fit/context.js";
import { SERVICE_LIMITS, type SiteLimits } from "../../../transforms/fit/limits.js";
import type { Finding } from "../../../transforms/fit/rule.js";

/** A context in which everything is known to be fine, but for what a test says. */
export function contextOf(
  changes: Partial<Omit<FitContext, "limits">> & { readonly limits?: Partial<SiteLimits> } = {},
): FitContext {
  return {
    policy: "split",
    measure: (text) => text,
    imageSize: () => undefined,
    mediaRefused: () => false,
    ...changes,
    limits: { ...SERVICE_LIMITS, ...changes.limits },
  };
}

export function line(text: string, level = 0): Line {
  return { text, bullet: "red", bulletStyle: null, level };
}

export function lines(count: number): readonly Line[] {
  return Array.from({ length: count }, (_, index) => line(`Turn screw ${index + 1}.`));
}

export function step(changes: Partial<Step> = {}): Step {
  return {
    key: "step/1",
    title: "",
    lines: [line("Open the lid.")],
    media: { type: "none" },
    comments: [],
    ...changes,
  };
}

export function part(changes: Partial<Part> = {}): Part {
  return { name: "Rod", type: "", quantity: 1, notes: "", url: null, optional: null, featured: null, ...changes };
}

export function images(count: number): readonly Key[] {
  return Array.from({ length: count }, (_, index): Key => `image/${index + 1}`);
}

export function guide(changes: Partial<Guide> = {}): Guide {
  return {
    id: 1,
    language: "en",
    title: "Mend a loom",
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
    steps: [step()],
    tags: [],
    comments: [],
    author: null,
    public: true,
    archived: false,
    viewers: null,
    releases: [],
    workLogEnabled: null,
    createdDate: null,
    publishedDate: null,
    modifiedDate: null,
    url: "https://old.example/Guide/Mend+a+loom/1",
    ...changes,
  };
}

const COMMON = { revision: "1", raw: null, media: [], translations: [], issues: [] } as const;

export function guideItem(changes: Partial<Guide> = {}): GuideItem {
  return { ...COMMON, kind: "guide", key: "guide/1", body: guide(changes) };
}

export function wiki(changes: Partial<Wiki> = {}): Wiki {
  return {
    id: 1,
    namespace: "CATEGORY",
    language: "en",
    title: "Looms",
    displayTitle: null,
    contents: "All looms.",
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
    ...changes,
  };
}

export function wikiItem(changes: Partial<Wiki> = {}): WikiItem {
  return { ...COMMON, kind: "category", key: "category/Looms", body: wiki(changes) };
}

export function mediaItem(kind: MediaItem["kind"], changes: Partial<Media> = {}): MediaItem {
  const body: Media = {
    id: 5,
    guid: null,
    fileName: null,
    url: "https://cdn.example/5.full",
    width: null,
    height: null,
    markup: null,
    sourceImage: null,
    content: null,
    ...changes,
  };
  return { ...COMMON, kind, key: `${kind}/5`, body };
}

/** `level path` of each finding. */
export function told(findings: readonly Finding[]): readonly string[] {
  return findings.map((finding) => `${finding.level} ${finding.path}`);
}
