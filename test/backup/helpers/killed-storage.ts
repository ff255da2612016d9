import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RepositoryStorage } from "../../../src/storage/repository/files/repository-storage.js";

export class Killed extends Error {}

const STEPS: ReadonlySet<string | symbol> = new Set([
  ...["stage", "linkTo", "write", "readAgain", "commit", "discard"],
  ...["replace", "prepareIndex", "commitIndex", "remove", "removeLeftovers"],
]);

/** Makes the call of a method; `other`: the name of the method that is called in its place. */
type Call = (other?: string) => Promise<unknown>;

/** A storage in which `around` makes each call, also those of its staged files and its lease. */
export function watchedStorage(
  storage: RepositoryStorage,
  around: (name: string | symbol, call: Call) => Promise<unknown>,
): RepositoryStorage {
  const watched = <T extends object>(one: T): T =>
    new Proxy(one, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return async (...given: unknown[]) => {
          const call: Call = async (other) =>
            Reflect.apply(other === undefined ? value : Object(Reflect.get(target, other)), target, given);
          const done = await around(name, call);
          if (name === "stage") return watched(Object(done));
          return name === "acquire" ? { lease: watched(Object(Reflect.get(Object(done), "lease"))) } : done;
        };
      },
    });
  return watched(storage);
}

/** A storage for a run that is killed after so many steps: it does nothing after them. */
export function killedAfter(steps: number, storage: RepositoryStorage): RepositoryStorage {
  let left = steps;
  return watchedStorage(storage, async (name, call) => {
    if (STEPS.has(name)) left -= 1;
    if (left < 0 && name === "discard") return discarded(storage, call);
    if (left < 0 && STEPS.has(name)) throw new Killed(String(name));
    // The system releases the lock of a killed process.
    return left < 0 && name === "abandon" ? call("release") : call();
  });
}

/** `close` closes a staged file and removes it; a killed run leaves it. */
async function discarded({ folder }: RepositoryStorage, close: () => Promise<unknown>): Promise<void> {
  if (folder === null) return;
  const names = (await readdir(folder)).filter((name) => name.startsWith(".guideferry-"));
  const bytes = await Promise.all(names.map((name) => readFile(join(folder, name))));
  await close();
  for (const [at, name] of names.entries()) await writeFile(join(folder, name), bytes[at] ?? "");
}
