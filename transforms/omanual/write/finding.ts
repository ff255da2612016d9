import type { Issue } from "../../../src/core/model/issue.js";

/** What writing has to tell of a document; who knows the item adds its key. */
export type Finding = Omit<Issue, "key">;

/** Takes the findings of one document. */
export type Tell = (finding: Finding) => void;
