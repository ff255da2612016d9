import type { Issue } from "../../core/model/issue.js";

/** A value that no write can carry, before it is known of which item it is. `level`: default `loss`. */
export type Loss = Omit<Issue, "key" | "level"> & Partial<Pick<Issue, "level">>;
