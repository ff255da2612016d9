import type { Resolver } from "../resolver.js";

/** What a handler knows beside its node. */
export interface SiteContext {
  readonly resolver: Resolver;
  /** Whether images, videos and lists may be shown in their boxes, which are blocks: not inside of a paragraph, a heading or a label. */
  readonly boxes: boolean;
}
