import { type ScratchFolder, scratchFolder } from "../../core/util/scratch-folder.js";

/** A temporary folder for what is uploaded, made when it is first asked for. */
export interface UploadFolder {
  /** Rejects once it was removed: an upload may be under way when its site closes. */
  readonly path: () => Promise<string>;
  readonly remove: () => Promise<void>;
}

export function createUploadFolder(): UploadFolder {
  let made: Promise<ScratchFolder> | undefined;
  let isRemoved = false;
  return {
    path: async () => {
      if (isRemoved) throw new Error("The sandbox is closed.");
      made ??= scratchFolder("sandbox");
      return (await made).path;
    },
    remove: async () => {
      isRemoved = true;
      await (await made)?.remove();
    },
  };
}
