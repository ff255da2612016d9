import { link } from "../wiki/build-inlines.js";
import type { Inline } from "../wiki/tree.js";
import type { Tell } from "./draft.js";

/** Running text for a place that shows no videos: one at an address is a link to it. */
export function mediaAsLinks(inlines: readonly Inline[], tell: Tell): readonly Inline[] {
  return inlines.map((inline): Inline => {
    if (inline.type === "video" && WEB.test(inline.target)) {
      tell("media-in-line", "loss", "A line of a step shows no videos; a link to it stands for this one.");
      return link("bare", inline.target.trim());
    }
    return "children" in inline ? { ...inline, children: mediaAsLinks(inline.children, tell) } : inline;
  });
}

const WEB = /^\s*https?:\/\//i;
