import type { Files } from "../../core/formats.js";
import type { Finding } from "./finding-list.js";

/** Files that hold something open. */
export interface OpenFiles extends Files {
  /** Warnings; errors would have refused it. */
  readonly findings: readonly Finding[];
  /** Paths of folders, also of those without a file, in the same form and order as `paths`. */
  readonly folders: readonly string[];
  /** Ends what is open; streams that still run fail. May be called again. */
  close(): Promise<void>;
}
