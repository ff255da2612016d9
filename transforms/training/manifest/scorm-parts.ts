import type { Resource } from "./read-resources.js";

/** A resource that something opens. */
export interface Opened {
  /** null: nothing that could be opened. */
  readonly launch: string | null;
  /** In the archive; null: not there, or elsewhere. */
  readonly file: string | null;
  /** Was there an address at all, good or bad? */
  readonly hasAddress: boolean;
}

/** What is known of the manifest while its items are gone through. */
export interface ScormParts {
  readonly path: string;
  readonly is2004: boolean;
  readonly resources: ReadonlyMap<string, Resource>;
  /** Identifiers in manifests inside of this one. */
  readonly innerIds: ReadonlySet<string>;
  /** What was opened already, by the resource's identifier: hundreds of items may open the same. */
  readonly opened: Map<string, Opened>;
}
