import fc from "fast-check";

/**
 * The seed of every property test. By default the same in each run, so that a commit is judged by
 * what it changed; a number in `SEED` is another one, and `SEED=random` (`npm run test:random`) a
 * new one for each worker, which is printed. `SEED=<seed> npx vitest run <file>` repeats a failure
 * in any worker, for one file as for all. What a random seed finds becomes an example of its
 * property.
 */
const { SEED: asked = "20261120" } = process.env;

const seed = asked === "random" ? randomSeed() : Number(asked);
if (!Number.isInteger(seed)) throw new Error(`SEED is "${asked}": expected a whole number, or random`);
fc.configureGlobal({ seed });

/**
 * fast-check uses 32 bits of a seed. Told to the files that follow in this worker, which therefore
 * print it no more.
 */
function randomSeed(): number {
  const chosen = Math.floor(Math.random() * 0x7fff_ffff);
  process.env["SEED"] = String(chosen);
  process.stdout.write(`property tests: seed ${chosen} (repeat with SEED=${chosen})\n`);
  return chosen;
}
