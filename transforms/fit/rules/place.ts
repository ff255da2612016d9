import type { Line } from "../../../src/core/model/guide.js";

/** Where a line stands. */
export interface LinePlace {
  /** `steps[3].lines[0]`. */
  readonly path: string;
  /** The line that follows it in its step. */
  readonly next: Line | undefined;
}

/** Where something stands: `steps[3].media.images[0]`. */
export type Path = string;
