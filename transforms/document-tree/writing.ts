import type { TextIssue } from "../wiki/tree.js";
import type { Vocabulary } from "./vocabulary.js";

export interface DocumentTreeOptions {
  /** The address of an image by its id, for the attribute `src`. Default, and where it knows none: an empty string. */
  readonly imageAddress?: (id: string) => string | undefined;
}

/** What the writers of one tree share. */
export interface Writing {
  readonly vocabulary: Vocabulary;
  readonly options: DocumentTreeOptions;
  readonly report: (issue: TextIssue) => void;
}
