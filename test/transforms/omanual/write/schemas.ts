import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SCHEMAS = join(import.meta.dirname, "../../../../../shared/data/omanual/schema");
/** The standard's, and the vendor's patch of it. */
const VERSIONS = ["1.0", "1.0-pr12-dozuki"];

/**
 * What xmllint has against documents of oManual 1.0, by both schemas; empty: nothing. Its tests
 * carry the tags `shared` and `xmllint`. Throws when one is of neither kind.
 */
export async function faultsOf(documents: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-xmllint-"));
  try {
    const faults: string[] = [];
    const strange = documents.filter((document) => !/\n<(?:guide|category) xmlns=/.test(document));
    if (strange.length > 0) throw new Error(`These are no documents of oManual 1.0: ${strange.join()}`);
    for (const kind of ["guide", "category"]) {
      const wanted = documents.filter((document) => document.includes(`\n<${kind} xmlns=`));
      const files = wanted.map((_, index) => join(folder, `${kind}-${index}.xml`));
      await Promise.all(wanted.map((document, index) => writeFile(files[index] ?? "", document)));
      if (files.length > 0)
        for (const version of VERSIONS) faults.push(...lint(join(SCHEMAS, version, `omanual_${kind}.xsd`), files));
    }
    return faults;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function lint(schema: string, files: readonly string[]): readonly string[] {
  const { status, stderr } = spawnSync("xmllint", ["--nonet", "--noout", "--schema", schema, ...files], {
    encoding: "utf8",
  });
  if (status === 0) return [];
  return stderr.split("\n").filter((line) => line !== "" && !line.endsWith(" validates"));
}
