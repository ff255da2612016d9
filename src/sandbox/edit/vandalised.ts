import type { GuideRecord } from "../state/guide.js";
import type { Site } from "../state/site.js";
import type { WikiRecord } from "../state/wiki.js";
import { lineRecord } from "../views/step-view.js";

const NONSENSE = "Nobody needs this page.";

/** What is left of a guide after somebody was angry with it; the same every time. */
export function vandalised(site: Site, guide: GuideRecord): Partial<GuideRecord> {
  return {
    title: `${guide.title} IS NONSENSE`,
    summary: NONSENSE,
    introduction: NONSENSE,
    conclusion: "",
    parts: [],
    tools: [],
    documents: [],
    featuredDocument: null,
    tags: [],
    steps: guide.steps.slice(0, 1).map((step) => ({
      ...step,
      revisionid: site.next("revision"),
      title: NONSENSE,
      lines: [lineRecord(site, NONSENSE, "black", 0, 1)],
      media: { type: "image", ids: [] },
    })),
  };
}

export function vandalisedWiki(): Pick<WikiRecord, "contents" | "description" | "image" | "tags"> {
  return { contents: NONSENSE, description: "", image: null, tags: [] };
}
