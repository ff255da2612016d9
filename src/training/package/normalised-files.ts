import { createHash } from "node:crypto";
import { inOrder } from "../../storage/archive/order.js";
import type { Files } from "../../core/formats.js";
import type { Standard } from "../../core/model/module.js";
import type { PackageContent } from "../package.js";

/** A file of a normalised package. */
export interface NormalisedFile {
  /** In the archive that is written. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly isManifest: boolean;
  /** Its content as it was given, or as it was repaired. */
  readonly from: { readonly original: string } | { readonly rewritten: Buffer };
}

/**
 * The files of a package in the order in which they are written: manifests first, the others in byte order of their names; the wrapper folder
 * is taken off and manifests have their exact names (training modules, 6.2). `digests` are known sha256 by path; the other contents are read for
 * theirs. Throws what reading throws, and the reason of `signal`.
 */
export async function normalisedFiles(
  content: PackageContent,
  digests: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<readonly NormalisedFile[]> {
  const { files, judgement } = content;
  const originals = new Map(files.paths.map((path) => [newPathOf(path, content), path]));
  const manifests = judgement.manifests.map((path) => newPathOf(path, content));
  const first = new Set(manifests);
  const others = inOrder([...originals.keys()].filter((path) => !first.has(path)));
  const normalised: NormalisedFile[] = [];
  for (const path of [...manifests, ...others]) {
    signal?.throwIfAborted();
    const original = originals.get(path);
    if (original === undefined) throw new Error(`Its judgement names the file ${path}, which it doesn't have.`);
    const named = { path, isManifest: first.has(path) };
    const rewritten = judgement.rewritten.get(original);
    if (rewritten === undefined) {
      const sha256 = digests.get(original) ?? (await digestOf(files, original, signal));
      normalised.push({ ...named, size: files.size(original), sha256, from: { original } });
    } else {
      const bytes = Buffer.from(rewritten);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      normalised.push({ ...named, size: bytes.length, sha256, from: { rewritten: bytes } });
    }
  }
  if (normalised.length !== files.paths.length) throw new Error("Two of its files would be written under one name.");
  return normalised;
}

/** What a manifest is called that came without an archive. */
const LONE_NAMES: Partial<Readonly<Record<Standard, string>>> = { cmi5: "cmi5.xml", "xapi-tincan": "tincan.xml" };

function newPathOf(path: string, { judgement }: PackageContent): string {
  const { lone, module, renamed, root } = judgement;
  if (lone !== null) return (module === null ? undefined : LONE_NAMES[module.standard]) ?? path;
  return (renamed.get(path) ?? path).slice(root.length);
}

async function digestOf(files: Files, path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of await files.open(path)) {
    signal?.throwIfAborted();
    hash.update(piece as Buffer);
  }
  return hash.digest("hex");
}
