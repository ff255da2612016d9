import { stat } from "node:fs/promises";
import { onDisk } from "../../storage/archive/disk-error.js";
import { type NewEntry, writeArchive } from "../../storage/archive/write-archive.js";
import type { NormalisedPackage, PackageContent } from "../package.js";
import { contentDigest, manifestDigest } from "./content-digest.js";
import type { LookedAt } from "./look-at-package.js";
import { entriesOf } from "./normalised-content.js";
import { normalisedFiles } from "./normalised-files.js";

export interface Normalised extends NormalisedPackage {
  /** What its archive is made of, in its order. Throws ArchiveError where a content is not what the digest was taken of. */
  entries(signal: AbortSignal): AsyncIterable<NewEntry>;
}

/** The normalised form of what passed. Contents whose sha256 isn't known yet are read for it. */
export async function normalise(
  { digests, isTidyArchive }: LookedAt,
  content: PackageContent,
  signal: AbortSignal | undefined,
): Promise<Normalised> {
  const { files, judgement } = content;
  const normalised = await normalisedFiles(content, digests, signal);
  const isUntouched = judgement.root === "" && judgement.renamed.size === 0 && judgement.rewritten.size === 0;
  const entries = (writing: AbortSignal): AsyncIterable<NewEntry> => entriesOf(files, normalised, writing);
  return {
    digest: contentDigest(normalised),
    manifestDigest: manifestDigest(normalised.filter(({ isManifest }) => isManifest)),
    contentBytes: normalised.reduce((sum, { size }) => sum + size, 0),
    isAsGiven: isTidyArchive && isUntouched,
    entries,
    write: async (path, writing) => {
      await writeArchive(path, entries(writing), { signal: writing });
      return (await onDisk(`looking at ${path}`, stat(path))).size;
    },
  };
}
