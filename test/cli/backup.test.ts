import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, it, onTestFinished } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { guardArchive } from "../../src/storage/archive/open-archive.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { runCli, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

interface Place {
  readonly sandbox: Sandbox;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  run(...words: readonly string[]): ReturnType<typeof runCli>;
}

async function looms(options: SandboxOptions = {}): Promise<Place> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox);
  const directory = await temporaryFolder();
  const environment = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, XDG_STATE_HOME: directory };
  const run: Place["run"] = (...words) => runCli(words, { directory, environment });
  return { sandbox, directory, environment, run };
}

function metricsIn(file: string): Readonly<Record<string, number>> {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = "", value] = /^guideferry_backup_(\w+)\{repository=".*repo"\} (.+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

it("backs a site up, says it in one line, and goes on the next day", async () => {
  const { sandbox, directory, run } = await looms();
  const first = await run("backup", sandbox.url, "--to", "repo", "--metrics", "numbers.prom");
  expect([first.code, first.stdout.split("\n")]).toEqual([
    0,
    [
      expect.stringMatching(
        /^Snapshot \d{8}T\d{6}Z of .*: full, complete; .* new\), 13 media files \(13 new\); .*\.full\.zip, \d+:\d\d\.$/,
      ),
      "",
    ],
  ]);
  const numbers = metricsIn(join(directory, "numbers.prom"));
  expect(numbers).toMatchObject({ exit_code: 0, failures: 0, media_files: 13 });
  expect(numbers["items_new"]).toBe(numbers["items"]);
  expect(statSync(join(directory, "repo")).mode & 0o777).toBe(0o700);
  sandbox.edit.guide(1, { introduction: "Later." });
  const second = await run("backup", sandbox.url, "--to", "repo", "--json");
  const last = JSON.parse(second.stdout.trim().split("\n").at(-1) ?? "");
  expect(last).toMatchObject({ type: "summary", exitCode: 0, kind: "incremental", complete: true, failures: 0 });
  expect(last.counts).toMatchObject({ new: 0, deleted: 0, newMedia: 0 });
  expect(readdirSync(join(directory, "repo")).sort()).toEqual([
    expect.stringMatching(/\.full\.rows\.zip$/),
    expect.stringMatching(/\.full\.zip$/),
    expect.stringMatching(/\.index\.json$/),
    expect.stringMatching(/\.incremental\.zip$/),
    expect.stringMatching(/\.index\.json$/),
    "head.copy.json",
    "head.json",
    "lock",
    "repository.json",
    "workspace",
  ]);
});

it("ends with 8 after a disaster, keeps the time of the last success, and prunes only when that is agreed to", async () => {
  const { sandbox, directory, run } = await looms();
  const backup = ["backup", sandbox.url, "--to", "repo", "--metrics", "numbers.prom"] as const;
  await run(...backup);
  const before = metricsIn(join(directory, "numbers.prom"));
  sandbox.edit.clear();
  const braked = await run(...backup, "--keep-last", "1");
  expect([braked.code, braked.stderr]).toEqual([8, expect.stringMatching(/list of guides is empty, and had 13/)]);
  expect(readdirSync(join(directory, "repo")).filter((name) => /(?:full|incremental)\.zip$/.test(name))).toHaveLength(
    2,
  );
  const after = metricsIn(join(directory, "numbers.prom"));
  expect(after).toMatchObject({
    exit_code: 8,
    last_success_timestamp_seconds: before["last_success_timestamp_seconds"],
  });
  expect(after["last_run_timestamp_seconds"]).toBeGreaterThan(before["last_run_timestamp_seconds"] ?? 0);
  const allowed = await run(...backup, "--keep-last", "1", "--max-deletions", "100%", "--full-every", "1");
  expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringMatching(/Pruned: 2 snapshots, /)]);
  expect(readdirSync(join(directory, "repo")).filter((name) => /(?:full|incremental)\.zip$/.test(name))).toHaveLength(
    1,
  );
});

it("stops reading when its time is over, with 4, and the same command goes on", async () => {
  const { sandbox, directory, run } = await looms();
  const backup = ["backup", sandbox.url, "--to", "repo", "--concurrency", "1"] as const;
  const guides: number[] = [];
  // A busy machine may need more than the shorter times to come to the guides.
  for (const seconds of [4, 16, 64]) {
    guides.length = 0;
    sandbox.faults.decide(async ({ path }) => {
      if (/^\/guides\/\d+$/.test(path)) guides.push(Date.now());
      // The first one only tells the kind of site. The time began before it: it is over when the
      // third one behind it is answered.
      if (guides.length === 4) await sleep((guides[0] ?? 0) + 1000 * seconds + 100 - Date.now());
      return undefined;
    });
    const stopped = await run(...backup, "--max-duration", `${seconds}s`);
    expect([stopped.code, stopped.stderr]).toEqual([
      4,
      expect.stringMatching(/extract stopped after[\s\S]*To continue:/),
    ]);
    if (guides.length === 4) break;
  }
  expect(readdirSync(join(directory, "repo")).filter((name) => name.endsWith(".zip"))).toEqual([]);
  sandbox.faults.clear();
  const from = sandbox.recorded.length;
  expect((await run(...backup)).code).toBe(0);
  const [, ...read] = sandbox.recorded.slice(from).filter(({ path }) => /\/guides\/\d+$/.test(path));
  expect([guides.length, read.length]).toEqual([4, expect.toSatisfy((count: number) => 10 <= count && count < 13)]);
}, 300_000);

it("lets one run at a time into a repository, also with a workspace of its own", async () => {
  const { sandbox, directory, environment, run } = await looms();
  sandbox.faults.inject({ kind: "stall" }, { path: "/guides/2" });
  const words = ["backup", sandbox.url, "--to", "repo"];
  const running = startCli(words, { directory, environment });
  await expect
    .poll(() => sandbox.recorded.some(({ path }) => path.endsWith("/guides/2")), { timeout: 300_000 })
    .toBe(true);
  const second = await run(...words, "--workspace", "other");
  expect([second.code, second.stderr]).toEqual([
    11,
    expect.stringMatching(/Another run holds the repository .*guideferry backup/),
  ]);
  running.child.kill("SIGKILL");
  await running.ended;
  sandbox.faults.clear();
  expect((await run(...words)).code).toBe(0);
});

it("leaves no new folder when the site cannot be reached or refuses us, and takes nothing away from one that was there", async () => {
  const { sandbox, directory, run } = await looms();
  await sandbox.close();
  const refused = await run("backup", sandbox.url, "--to", "repo");
  expect([refused.code, readdirSync(directory)]).toEqual([9, expect.not.arrayContaining(["repo"])]);
  mkdirSync(join(directory, "mine", "workspace"), { recursive: true });
  expect((await run("backup", sandbox.url, "--to", "mine")).code).toBe(9);
  expect(readdirSync(join(directory, "mine"))).toContain("workspace");
});

it("tells what the site refused and what is archived, on the screen, in the manifest and in the report", async () => {
  const { sandbox, directory, run } = await looms();
  sandbox.faults.decide(({ path }) =>
    /^\/(?:quizzes|approvals)/.test(path) ? { kind: "status", status: 403 } : undefined,
  );
  const shown = await run("backup", sandbox.url, "--to", "repo");
  const line = /\d not available on this site, or not for this account: .*quizzes \(403\)/;
  expect([shown.code, shown.stderr, shown.stdout.split("\n").length]).toEqual([0, expect.stringMatching(line), 2]);
  const reports = join(directory, "repo", "workspace", "reports");
  const [report = ""] = readdirSync(reports);
  const words = readFileSync(join(reports, report, "summary.txt"), "utf8");
  expect(words).toMatch(line);
  expect(words).toContain(shown.stdout.trim());
  const repository = await openRepository(join(directory, "repo"));
  const { refused } = await repository.manifest(repository.find().snapshot);
  await repository.close();
  expect(refused).toEqual(expect.arrayContaining([{ key: "record/quizzes", status: 403 }]));
});

it("refuses what would go wrong later: no place, no admin, clear text beside encrypted archives", async () => {
  const { sandbox, directory, run } = await looms({ account: { admin: false } });
  const nowhere = await run("backup", sandbox.url);
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringMatching(/--to REPO/)]);
  const blind = await run("backup", sandbox.url, "--to", "repo");
  expect([blind.code, blind.stderr]).toEqual([2, expect.stringMatching(/is not an admin at .*--public-only/)]);
  mkdirSync(join(directory, "full"));
  const foreign = await run("backup", sandbox.url, "--to", ".", "--public-only");
  expect([foreign.code, foreign.stderr]).toEqual([
    2,
    expect.stringMatching(/not a backup repository: it holds other files/),
  ]);
  const recipient = await identityToRecipient(await generateX25519Identity());
  const clear = await run("backup", sandbox.url, "--to", "repo", "--public-only", "--encrypt-to", recipient);
  expect([clear.code, clear.stderr]).toEqual([
    2,
    expect.stringMatching(/with the unencrypted texts would be next to them/),
  ]);
  const wrong = await run(
    "backup",
    sandbox.url,
    "--to",
    "repo",
    "--public-only",
    "--encrypt-to",
    "AGE-SECRET-KEY-1X",
    "--workspace",
    "w",
  );
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/is not a recipient/)]);
});

it("exports one snapshot as one file that is a repository's full archive by itself", async () => {
  const { sandbox, directory, run } = await looms();
  await run("backup", sandbox.url, "--to", "repo");
  sandbox.edit.guide(1, { introduction: "Later." });
  await run("backup", sandbox.url, "--to", "repo");
  expect((await run("export", "repo", "-o", "one.zip", "--quiet")).code).toBe(0);
  expect((await run("export", "repo", "-o", "again.zip", "--quiet")).code).toBe(0);
  expect(readFileSync(join(directory, "again.zip")).equals(readFileSync(join(directory, "one.zip")))).toBe(true);
  mkdirSync(join(directory, "alone"));
  const [first = ""] = readdirSync(join(directory, "repo")).filter((name) => name.endsWith(".full.zip"));
  const named = await run("export", "repo", "--at", /\d{8}T\d{6}Z/.exec(first)?.[0] ?? "", "-o", "alone");
  expect(named.stdout).toMatch(/full\.zip: snapshot .* 13 media files/);
  // The first snapshot was full by itself: what is collected is what was written then.
  const [alone, written] = await Promise.all(
    ["alone", "repo"].map((folder) => contentsOf(join(directory, folder, first))),
  );
  expect(alone).toEqual(written);
  const inside = await run("export", "repo", "-o", "repo/x.zip");
  expect([inside.code, inside.stderr]).toEqual([2, expect.stringMatching(/is inside the repository/)]);
});

it("ends as the backup ended, whatever becomes of the numbers for the monitor", async () => {
  const { sandbox, environment, directory, run } = await looms();
  const backup = ["backup", sandbox.url, "--to", "repo", "--metrics", "nowhere/numbers.prom"] as const;
  const good = await run(...backup);
  expect([good.code, good.stdout]).toEqual([3, expect.stringContaining("full, complete;")]);
  expect(good.stderr).toMatch(/^\S+ warning: The metrics could not be written/m);
  const refused = await runCli(backup, {
    directory,
    environment: { ...environment, GUIDEFERRY_SOURCE_TOKEN: "wrong" },
  });
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("The metrics could not be written")]);
});

/** The sha256 of each item and medium by its path. */
async function contentsOf(archive: string): Promise<readonly (readonly [string, string])[]> {
  const { digests, close } = await guardArchive(archive, { hashContents: true });
  await close();
  const all = [...digests].filter(([path]) => /^(?:items|media)\//.test(path));
  expect(all.length).toBeGreaterThan(50);
  return all;
}
