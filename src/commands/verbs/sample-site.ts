import { createRequire } from "node:module";
import { dirname, join } from "node:path";

// By the package's own name, since this file lies at another depth in src than in dist.
const PACKAGE = dirname(createRequire(import.meta.url).resolve("guideferry/package.json"));

/** The folder of the sample site that comes with the package. */
export const SAMPLE_SITE: string = join(PACKAGE, "samples", "site");
