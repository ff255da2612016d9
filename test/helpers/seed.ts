import fc from "fast-check";

/**
 * The seed of every property test: the same in each run, so that a commit is judged by what it changed. New cases are
 * looked for on purpose, with `SEED=random` or a number; what they find becomes a case of its own.
 */
const { SEED: seed = "20261120" } = process.env;

if (seed !== "random") fc.configureGlobal({ seed: Number(seed) });
