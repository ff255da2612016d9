import { execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const PROGRAM = fileURLToPath(new URL("../../lib/src/cli.js", import.meta.url));

/** A disk of its own that is as large as it is told to be. */
export interface SmallDisk {
  resize(megabytes: number): void;
}

/** Mounts a disk of its own for the test. Tests that use it carry the tag `mount`. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder);
  const mount = (...words: readonly string[]): void => void execFileSync("mount", words, { stdio: "ignore" });
  mount("-t", "tmpfs", "-o", `size=${megabytes}m`, "none", folder);
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return { resize: (more) => mount("-o", `remount,size=${more}m`, folder) };
}

/**
 * Runs guideferry so that no file may grow beyond 1 MiB (blocks of 512 bytes): the nearest to a
 * full disk that every machine can make.
 */
export async function runWithSmallFiles(words: readonly string[], directory: string) {
  const limited = ["-c", 'trap "" XFSZ; ulimit -f 2048; exec "$@"', "sh", process.execPath, PROGRAM, ...words];
  const child = spawn("sh", limited, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stderr, stdout] = await Promise.all([text(child.stderr), text(child.stdout)]);
  return { code: await ended, stdout, stderr };
}
