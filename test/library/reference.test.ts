import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const FOLDER = fileURLToPath(new URL("../../tools/api-docs/", import.meta.url));

/** Reads what `npm run build` wrote. */
it("has a reference without a dead link, in which each name is there and described", async () => {
  const typedoc = ["node_modules/typedoc/bin/typedoc", "--emit", "none"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, typedoc, { cwd: FOLDER });
  expect(`${stdout}${stderr}`).not.toMatch(/warning|error/);
}, 600_000);
