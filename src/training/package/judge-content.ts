import { judgePackage } from "../../../transforms/training/judge-package.js";
import type { Judgement } from "../../../transforms/training/judgement.js";
import { MANIFEST_LIMITS } from "../../../transforms/training/manifest-limits.js";
import { recognise } from "../../../transforms/training/recognise.js";
import type { TrainingFinding } from "../../../transforms/training/training-finding.js";
import type { GuardedFiles } from "../../storage/archive/guard-archive.js";
import type { Files } from "../../core/formats.js";
import { judgeOptionsOf, type PackageOptions } from "./package-options.js";

/** What the files of a package that passed the guard mean. Throws what reading a manifest throws. */
export async function judgeContent(files: Files, options: PackageOptions): Promise<Judgement> {
  const judging = judgeOptionsOf(options);
  const recognition = recognise(files, judging);
  const contents = new Map<string, Uint8Array | "too-large">();
  for (const path of recognition.wanted) {
    options.signal?.throwIfAborted();
    contents.set(path, files.size(path) > MANIFEST_LIMITS.bytes ? "too-large" : await contentOf(files, path));
  }
  return judgePackage(files, contents, recognition, judging);
}

/** The whole content of a file; only for small ones. */
export async function contentOf(files: Files, path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await files.open(path)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** What the names of a refused archive tell, so that its author learns it all at once. That no manifest is there is only known of a whole list. */
export function judgeNames({ names, isWhole }: GuardedFiles, options: PackageOptions): readonly TrainingFinding[] {
  if (names.length === 0) return [];
  const sizes = new Map(names.map(({ path, size }) => [path, size]));
  const { findings } = recognise(
    { paths: [...sizes.keys()], size: (path) => sizes.get(path) ?? 0 },
    judgeOptionsOf(options),
  );
  return isWhole ? findings : findings.filter(({ code }) => code !== "E_PKG_NO_MANIFEST");
}
