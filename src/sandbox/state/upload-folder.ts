import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder for what is uploaded, made when it is first asked for. */
export interface UploadFolder {
  readonly path: () => Promise<string>;
  readonly remove: () => Promise<void>;
}

export function createUploadFolder(): UploadFolder {
  let made: Promise<string> | undefined;
  return {
    path: () => {
      made ??= mkdtemp(join(tmpdir(), "guideferry-sandbox-"));
      return made;
    },
    remove: async () => {
      if (made !== undefined) await rm(await made, { recursive: true, force: true });
    },
  };
}
