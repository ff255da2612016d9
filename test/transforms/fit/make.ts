import type {
  Guide,
  GuideItem,
  Line,
  Media,
  MediaItem,
  Part,
  Step,
  Wiki,
  WikiItem,
} from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import type { FitContext } from "../../../transforms/fit/context.js";
import { SERVICE_LIMITS, type SiteLimits } from "../../../transforms/fit/limits.js";
import type { Finding } from "../../../transforms/fit/rule.js";
import * as items from "../../helpers/items.js";

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
  return items.line({ text, bullet: "red", level });
}

export function lines(count: number): readonly Line[] {
  return Array.from({ length: count }, (_, index) => line(`Turn screw ${index + 1}.`));
}

export function step(changes: Partial<Step> = {}): Step {
  return items.step(1, [line("Open the lid.")], changes);
}

export function part(changes: Partial<Part> = {}): Part {
  return { name: "Rod", type: "", quantity: 1, notes: "", url: null, optional: null, featured: null, ...changes };
}

export function images(count: number): readonly Key[] {
  return Array.from({ length: count }, (_, index): Key => `image/${index + 1}`);
}

export function guide(changes: Partial<Guide> = {}): Guide {
  return guideItem(changes).body;
}

export function guideItem(changes: Partial<Guide> = {}): GuideItem {
  return items.guideItem(1, { title: "Mend a loom", public: true, steps: [step()], ...changes });
}

export function wiki(changes: Partial<Wiki> = {}): Wiki {
  return wikiItem(changes).body;
}

export function wikiItem(changes: Partial<Wiki> = {}): WikiItem {
  return items.wikiItem("CATEGORY", "Looms", { contents: "All looms.", ...changes });
}

export function mediaItem(kind: MediaItem["kind"], changes: Partial<Media> = {}): MediaItem {
  return items.mediaItem(kind, 5, changes);
}

/** `level path` of each finding. */
export function told(findings: readonly Finding[]): readonly string[] {
  return findings.map((finding) => `${finding.level} ${finding.path}`);
}
