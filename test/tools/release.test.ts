import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const ROOT = join(import.meta.dirname, "../..");
const jobSchema = z.object({
  needs: z.string().optional(),
  permissions: z.record(z.string(), z.string()),
  steps: z.array(z.object({ run: z.string().optional(), uses: z.string().optional() })),
});
const workflowSchema = z.object({
  on: z.strictObject({ push: z.strictObject({ tags: z.array(z.string()) }) }),
  permissions: z.strictObject({}),
  jobs: z.strictObject({ test: jobSchema, publish: jobSchema }),
});
const manifestSchema = z.object({
  publishConfig: z.object({ provenance: z.literal(true) }),
  scripts: z.record(z.string(), z.string()),
});
const MANIFEST = manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));

describe("the workflow of a release", () => {
  const text = readFileSync(join(ROOT, "tools/release.yml"), "utf8");
  const { on, jobs } = workflowSchema.parse(parse(text));
  const commands = ({ steps }: z.infer<typeof jobSchema>): readonly string[] => steps.flatMap(({ run }) => run ?? []);

  it("publishes tags with provenance, after the tests and the check of the release", () => {
    expect(on.push.tags).toEqual(["v*"]);
    expect(commands(jobs.test)).toEqual(["npm ci", 'npm run release:check -- "$GITHUB_REF_NAME"', "npm test"]);
    expect(jobs.publish.needs).toBe("test");
    expect(commands(jobs.publish)).toEqual(["npm ci", "npm publish --provenance --access public"]);
  });

  it("lets only the job that publishes prove who it is, and keeps no secret", () => {
    expect(jobs.test.permissions).toEqual({ contents: "read" });
    expect(jobs.publish.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(text).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
  });

  it("runs scripts that package.json has", () => {
    const names = [...text.matchAll(/npm (?:run )?(test|[a-z]+:[a-z]+)\b/g)].map(([, name = ""]) => name);
    expect(names).toEqual(["release:check", "test"]);
    for (const name of names) expect(Object.keys(MANIFEST.scripts)).toContain(name);
  });
});

describe("npm run release:check", () => {
  const READY =
    "# Changelog\n\n## 1.2.3 - 2026-11-30\n\n### Added\n\n- A door.\n\n## 1.2.2 - 2026-10-01\n\n- A wall.\n";

  it("prints the changes of the version that is ready", async () => {
    expect(await check("v1.2.3", { changelog: READY })).toEqual({ code: 0, output: "### Added\n\n- A door.\n" });
  });

  it.each([
    ["v1.2.4", {}, 'The tag is "v1.2.4", but package.json has version 1.2.3.'],
    ["v1.2.3", { changelog: "# Changelog\n\n## Unreleased\n\n- A door.\n" }, 'no heading "## 1.2.3 - YYYY-MM-DD"'],
    ["v1.2.3", { changelog: "## 1.2.3\n\n- A door.\n" }, 'no heading "## 1.2.3 - YYYY-MM-DD"'],
    ["v1.2.3", { changelog: "## 1.2.3 - 2026-11-30\n\n## 1.2.2 - 2026-10-01\n\n- A wall.\n" }, "nothing about 1.2.3"],
    ["v1.2.3", { lock: "1.2.2" }, "package-lock.json has version 1.2.2, package.json 1.2.3."],
    ["v1.2.3", { repository: "someone/fork" }, "but this is someone/fork."],
  ])("refuses %s with %j", async (tag, difference, message) => {
    const { code, output } = await check(tag, { changelog: READY, ...difference });
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
    expect(output.trimEnd().split("\n")).toHaveLength(1);
  });
});

interface Difference {
  readonly changelog: string;
  readonly lock?: string;
  /** Where the workflow runs. Default: the repository of package.json. */
  readonly repository?: string;
}

async function check(tag: string, { changelog, lock = "1.2.3", repository = "weaver/loom" }: Difference) {
  const folder = await temporaryFolder();
  const manifest = { version: "1.2.3", repository: { url: "git+https://github.com/weaver/loom.git" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ version: lock }));
  await writeFile(join(folder, "CHANGELOG.md"), changelog);
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, "tools/check-release.mjs"), tag], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, GITHUB_REPOSITORY: repository },
  });
  return { code: status, output: stdout };
}
