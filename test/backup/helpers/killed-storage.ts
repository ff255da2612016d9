import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RepositoryStorage } from "../../../src/storage/repository/files/repository-storage.js";

export class Killed extends Error {}

const STEPS: ReadonlySet<string | symbol> = new Set([
  ...["stage", "linkTo", "write", "readAgain", "commit", "discard"],
  ...["replace", "prepareIndex", "commitIndex", "remove", "removeLeftovers"],
]);

/** A storage for a run that is killed after so many steps: it does nothing after them. */
export function killedAfter(steps: number, storage: RepositoryStorage): RepositoryStorage {
  let left = steps;
  const dying = <T extends object>(one: T): T =>
    new Proxy(one, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return async (...given: unknown[]) => {
          if (STEPS.has(name)) left -= 1;
          const call = (method: unknown): unknown => Reflect.apply(Object(method), target, given);
          if (left < 0 && name === "discard") return discarded(storage, async () => call(value));
          if (left < 0 && STEPS.has(name)) throw new Killed(String(name));
          // The system releases the lock of a killed process.
          const done = await call(left < 0 && name === "abandon" ? Reflect.get(target, "release") : value);
          if (name === "stage") return dying(Object(done));
          return name === "acquire" ? { lease: dying(Object(Reflect.get(Object(done), "lease"))) } : done;
        };
      },
    });
  return dying(storage);
}

/** `close` closes a staged file and removes it; a killed run leaves it. */
async function discarded({ folder }: RepositoryStorage, close: () => Promise<unknown>): Promise<void> {
  if (folder === null) return;
  const names = (await readdir(folder)).filter((name) => name.startsWith(".guideferry-"));
  const bytes = await Promise.all(names.map((name) => readFile(join(folder, name))));
  await close();
  for (const [at, name] of names.entries()) await writeFile(join(folder, name), bytes[at] ?? "");
}
