import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backedUpSite } from "../helpers/backed-up-site.js";

/**
 * From now on nothing in the folder can be renamed or removed. Gives false where the system, or the
 * user, can't do that.
 */
function isAppendOnly(folder: string): boolean {
  try {
    execFileSync("chattr", ["+a", folder], { stdio: "ignore" });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync("chattr", ["-a", folder]);
  });
  return true;
}

test.for([
  ["backup", "repo", "--to", "repo"],
  ["backup of a new repository", "new", "--to", "new"],
  ["backup with a workspace", "repo/workspace", "--to", "repo"],
] as const)(
  "a %s that is append-only says what to do, before anything is read",
  async ([, folder, ...words], { skip }) => {
    const site = await backedUpSite();
    mkdirSync(join(site.directory, folder), { recursive: true });
    if (!isAppendOnly(join(site.directory, folder))) skip("needs chattr +a, and the right to it");
    const asked = site.sandbox.recorded.length;
    const done = await site.run("backup", site.sandbox.url, ...words);
    expect([done.code, done.stderr]).toEqual([2, expect.stringMatching(/append-only.*`chattr -a \/\S+`/s)]);
    expect(done.stderr).not.toContain("defect");
    expect(site.sandbox.recorded).toHaveLength(asked);
  },
);

test.for([
  ["prune", "repo", "--keep-last", "1"],
  ["repair", "repo"],
] as const)("%s of an append-only repository says what to do", async (words, { skip }) => {
  const site = await backedUpSite();
  if (!isAppendOnly(site.repository)) skip("needs chattr +a, and the right to it");
  const done = await site.run(...words, ...(words[0] === "repair" ? [site.sandbox.url] : []));
  expect([done.code, done.stderr]).toEqual([2, expect.stringMatching(/append-only.*`chattr -a \/\S+`/s)]);
});
