#!/usr/bin/env node
import { createRequire } from "node:module";
import { keepHeapSmall } from "./core/util/lean-memory.js";

// By its own name, since the file lies at another depth in src than in dist.
const { version }: { readonly version: string } = createRequire(import.meta.url)("guideferry/package.json");

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  // Scripts ask for it often, and nothing else has to be loaded.
  process.stdout.write(`${version}\n`);
} else {
  keepHeapSmall();
  const { run } = await import("./commands/run.js");
  process.exit(
    await run({
      words,
      environment: process.env,
      directory: process.cwd(),
      stdin: () => process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      version,
    }),
  );
}
