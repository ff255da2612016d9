import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Module } from "../../../../src/core/model/module.js";
import { guardArchive } from "../../../../src/storage/archive/open-archive.js";
import type { PackageOptions } from "../../../../src/training/package/check-package.js";
import { preparePackage } from "../../../../src/training/package/normalise-package.js";
import type { PreparedPackage } from "../../../../src/training/package.js";

const RANKS = { accept: 0, "accept-with-warning": 1, refuse: 2 } as const;
const NEVER = new AbortController().signal;

/**
 * Writes a package into `folder` twice, the second time from the first, and holds what must be true
 * of that. Gives the first's archive; undefined: it is refused.
 */
export async function normaliseTwice(
  path: string,
  folder: string,
  options: PackageOptions = {},
): Promise<string | undefined> {
  await mkdir(folder, { recursive: true });
  const [once, twice] = [join(folder, "once.zip"), join(folder, "twice.zip")];
  const first = await written(path, once, options);
  if (first.normalised === null) return undefined;
  const second = await written(once, twice, options);
  const { normalised, checked } = second;
  expect(normalised?.digest).toBe(first.normalised.digest);
  expect(normalised?.manifestDigest).toBe(first.normalised.manifestDigest);
  expect(normalised?.contentBytes).toBe(first.normalised.contentBytes);
  expect(normalised?.isAsGiven).toBe(true);
  expect(checked.repairs).toEqual([]);
  expect(folded(checked.module)).toEqual(folded(first.checked.module));
  const told = new Set([...first.checked.findings.map(({ code }) => code), ...toldBesides(first)]);
  expect(checked.findings.filter(({ code }) => !told.has(code))).toEqual([]);
  if (first.checked.lone === null) expect(RANKS[checked.verdict]).toBeLessThanOrEqual(RANKS[first.checked.verdict]);
  const mended = new Set(first.checked.repairs.map(({ code }) => code));
  expect(checked.findings.filter(({ code }) => mended.has(code))).toEqual([]);
  expect((await readFile(twice)).equals(await readFile(once))).toBe(true);
  expect(await recomputedDigest(once)).toBe(first.normalised.digest);
  return once;
}

/** Addresses of launches may have got the letter case of their files. */
function folded(module: Module | null): Module | null {
  if (module === null) return null;
  return { ...module, units: module.units.map((unit) => ({ ...unit, launch: unit.launch?.toLowerCase() ?? null })) };
}

/** That a manifest alone has its content in the web is its nature; in an archive it is told of. */
function toldBesides({ checked }: PreparedPackage): readonly string[] {
  return checked.lone === "package" ? ["W_MAN_EXTERNAL_HREF"] : [];
}

async function written(path: string, to: string, options: PackageOptions): Promise<PreparedPackage> {
  const prepared = await preparePackage(path, options);
  try {
    const bytes = await prepared.normalised?.write(to, NEVER);
    if (bytes !== undefined) expect((await readFile(to)).length).toBe(bytes);
    return prepared;
  } finally {
    await prepared.close();
  }
}

/** By the words of the README, from the archive itself. */
async function recomputedDigest(archive: string): Promise<string> {
  const { files, digests, close } = await guardArchive(archive, { hashContents: true });
  await close();
  const lines = (files?.paths ?? []).map((path) =>
    Buffer.from(`${path}\0${String(files?.size(path))}\0${String(digests.get(path))}\n`),
  );
  return createHash("sha256")
    .update(Buffer.concat(lines.toSorted(Buffer.compare)))
    .digest("hex");
}
