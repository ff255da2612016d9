import { basename } from "node:path";
import { Readable } from "node:stream";
import { judgeLoneFile } from "../../../transforms/training/judge-lone-file.js";
import type { Judgement } from "../../../transforms/training/judgement.js";
import { MANIFEST_LIMITS } from "../../../transforms/training/manifest-limits.js";
import { diskError } from "../../storage/archive/disk-error.js";
import { openFile } from "../../storage/archive/with-archive.js";
import type { Files } from "../../core/formats.js";
import { judgeOptionsOf, type PackageOptions } from "./package-options.js";

export interface LoneManifest {
  readonly judgement: Judgement;
  /** The manifest alone, under the name that it came with. */
  readonly files: Files;
  /** Of the file. */
  readonly bytes: number;
}

/** A manifest that came without an archive. Throws ArchiveError when it can't be read. */
export async function judgeLoneManifest(path: string, source: string, options: PackageOptions): Promise<LoneManifest> {
  const { content, bytes } = await readAtMost(path, MANIFEST_LIMITS.bytes);
  const name = basename(source);
  const judgement = judgeLoneFile(name, content ?? "too-large", judgeOptionsOf(options));
  const files: Files = {
    name: path,
    paths: [name],
    size: () => bytes,
    open: async () => Readable.from([content ?? Buffer.alloc(0)], { objectMode: false }),
  };
  return { judgement, files, bytes };
}

async function readAtMost(
  path: string,
  most: number,
): Promise<{ readonly content: Buffer | undefined; readonly bytes: number }> {
  const { handle, bytes } = await openFile(path);
  try {
    return { content: bytes > most ? undefined : await handle.readFile(), bytes };
  } catch (error) {
    throw diskError(error, `reading ${path}`);
  } finally {
    await handle.close();
  }
}
