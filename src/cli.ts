#!/usr/bin/env node
import { createRequire } from "node:module";
import { run } from "./commands/run.js";
import { keepHeapSmall } from "./core/util/lean-memory.js";

// By its own name, since the file lies at another depth in src than in dist.
const { version }: { readonly version: string } = createRequire(import.meta.url)("guideferry/package.json");

keepHeapSmall();
process.exit(
  await run({
    words: process.argv.slice(2),
    environment: process.env,
    directory: process.cwd(),
    stdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    version,
  }),
);
