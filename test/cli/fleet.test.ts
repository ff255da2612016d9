import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseExposition } from "../helpers/exposition.js";
import { emptyDatabase } from "../helpers/postgres-server.js";
import { type CliResult, type RunningCli, runCli, startCli } from "../helpers/run-cli.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";

interface Fleet extends TwoSites {
  readonly address: string;
  fleet(...words: readonly string[]): Promise<CliResult>;
  /** The tasks as `fleet list --json` prints them. */
  tasks(): Promise<readonly Task[]>;
  worker(...words: readonly string[]): RunningCli;
}

type Task = Readonly<Record<string, unknown>> & { readonly id: string; readonly state: string };

/**
 * By the renewal of its lease (4) or by a signal of its worker (143): whichever came first. A signal
 * ends a process that has only begun (null).
 */
const STOPPED = { exit: expect.toSatisfy((code) => [4, 143, null].includes(code)), attempt: 1 };

describe("a fleet", { tags: ["postgres"] }, () => {
  it("does the first ten minutes as a user types them, and stores no secret", async () => {
    const sites = await fleetOf();
    const [source, target] = [sites.source.url, sites.target.url];
    expect((await sites.fleet("init")).code).toBe(0);
    const migrate = [
      "add",
      "migrate",
      source,
      target,
      "--source-token",
      "env:A_TOKEN",
      "--target-token",
      "file:b.token",
    ];
    expect(await sites.fleet(...migrate, "--fit", "split")).toMatchObject({ code: 0 });
    const schedule = ["schedule", "backup", source, "--source-token", "env:A_TOKEN"];
    const times = ["--cron", "30 2 * * *", "--tz", "Europe/Berlin", "--task-name", "nightly"];
    expect(await sites.fleet(...schedule, ...times)).toMatchObject({ code: 0 });
    const worker = sites.worker("--jobs", "2", "--health-port", "0");
    const migration = await until(sites, ({ verb }) => verb === "migrate", "done");
    expect(migration).toMatchObject({
      verb: "migrate",
      source: source.replace("/api/2.0", ""),
      target: target.replace("/api/2.0", ""),
      attempt: 1,
      exit: 0,
      worker: expect.stringMatching(/-\d+-/),
      progress: expect.anything(),
    });
    expect(Object.keys(migration).slice(0, 10)).toEqual([
      "type",
      "id",
      "verb",
      "source",
      "target",
      "state",
      "attempt",
      "exit",
      "worker",
      "progress",
    ]);
    // The third guide is private.
    expect(await titles(sites)).toEqual(["Oil the Siskin", "Warp the Wren"]);
    const [nightly] = (await sites.tasks()).filter(({ name }) => name === "nightly");
    expect(nightly).toMatchObject({ state: "scheduled", next: expect.stringMatching(/T0[01]:30:00Z$/) });
    // The night comes: its time is now.
    await sql(sites.address, "UPDATE guideferry.task SET next_run = clock_timestamp() WHERE name = 'nightly'");
    const backup = await until(
      sites,
      ({ name }) => name === "nightly",
      "scheduled",
      ({ exit }) => exit === 0,
    );
    expect(Date.parse(String(backup["next"]))).toBeGreaterThan(Date.now());
    expect((await sites.fleet("show", "nightly")).stdout).toContain("GUIDEFERRY_SOURCE_TOKEN from env:A_TOKEN");
    const log = (await sites.fleet("logs", migration.id.slice(0, 8))).stdout;
    expect(log).toMatch(/^\d{4}-\d\d-\d\dT\S+ loss: guide\/\d+: \w/m);
    expect(log).toMatch(/summary: \w+$/m);
    expect(log).not.toContain("{");
    const [, port] = await worker.seen(/localhost:(\d+)\/healthz/);
    expect(await textAt(Number(port), "/healthz")).toBe("ready, 0 running\n");
    const samples = parseExposition(await textAt(Number(port), "/metrics"));
    expect(samples).toContainEqual({
      name: "guideferry_worker_runs_total",
      labels: { verb: "migrate", outcome: "done" },
      value: 1,
    });
    const tasks = samples.filter(({ name, value }) => name === "guideferry_fleet_tasks" && value > 0);
    expect(tasks.map(({ labels, value }) => [labels["state"], value])).toEqual([
      ["scheduled", 1],
      ["done", 1],
    ]);
    expect(await allTexts(sites.address)).not.toMatch(new RegExp(`${sites.source.token}|${sites.target.token}`));
    worker.child.kill("SIGTERM");
    const ended = await worker.ended;
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.stdout + ended.stderr).not.toContain(sites.source.token);
    expect((await sites.fleet("list", "--workers")).stdout).toContain("No worker runs");
  });

  it("refuses wrong tasks at once, and repeats no secret", async () => {
    const sites = await fleetOf();
    await sites.fleet("init");
    const { url } = sites.source;
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [["migrate", url, sites.target.url, "--fit", "splt"], /--fit is "splt", expected/],
      [["backup", url, "--fit", "split"], /The command backup in a fleet has no option fit/],
      [["backup", url, "--source-token", "s3cr3t-value"], /takes no secret, but where a worker finds it/],
      [["backup", url, "--credential", "GUIDEFERRY_SOURCE_PASSWORD=s3cr3t-value"], /needs a reference/],
      [["backup", url, "--target-token", "env:A_TOKEN"], /signs in to no target/],
      [["backup"], /missing required argument|takes SITE/i],
      [["load", "./work", url], /A fleet cannot run the command load/],
      [["prune", "./backups"], /below the working directory of a worker/],
      [["backup", "b.token"], /b.token is a file/],
      [["migrate", url, url], /Source and target are the same site/],
    ];
    for (const [words, message] of refusals) {
      const { code, stdout, stderr } = await sites.fleet("add", ...words);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
      expect(stdout + stderr).not.toContain("s3cr3t-value");
    }
    // Also without the storage, which it needs too.
    const words = ["fleet", "schedule", "backup", url, "--cron", "30 25 * * *"];
    const late = await runCli(words, { directory: sites.directory, environment: {} });
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('"25" is no hour')]);
    expect(await sites.tasks()).toEqual([]);
    const unknown = await sites.fleet("pause", "nobody");
    expect([unknown.code, unknown.stderr]).toEqual([10, expect.stringContaining("has no task nobody")]);
  });

  it("says what to do about a failure that is final, with a worker that has the least rights", async () => {
    const sites = await fleetOf();
    const role = `worker_${process.pid}`;
    const absent = await sites.fleet("init", "--worker-role", role);
    expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining(`CREATE ROLE ${role} LOGIN`)]);
    await sql(sites.address, `CREATE ROLE ${role} LOGIN`);
    onTestFinished(async () => {
      await sql(sites.address, `DROP OWNED BY ${role}`);
      await sql(sites.address, `DROP ROLE ${role}`);
    });
    expect((await sites.fleet("init", "--worker-role", role)).code).toBe(0);
    const asRole = new URL(sites.address);
    asRole.username = role;
    for (const statement of [
      "CREATE TABLE guideferry.own (id integer)",
      "CREATE TABLE guideferry_jobs.own (id integer)",
      "DROP TABLE guideferry.run_log",
      "TRUNCATE guideferry.run_log",
      "ALTER TABLE guideferry.task ADD own integer",
      "UPDATE guideferry.about SET version = 7",
    ])
      await expect(sql(asRole.href, statement)).rejects.toMatchObject({ code: "42501" });
    await sites.fleet("add", "backup", sites.source.url, "--task-name", "unset", "--source-token", "env:UNSET_TOKEN");
    await sites.fleet("add", "backup", sites.target.url, "--task-name", "wrong", "--source-token", "env:WRONG_TOKEN");
    const worker = sites.worker("--database", asRole.href);
    await until(sites, ({ name }) => name === "unset", "failed");
    await until(
      sites,
      ({ name }) => name === "wrong",
      "failed",
      ({ exit }) => exit === 5,
    );
    const { stdout } = await sites.fleet("list", "--failed");
    expect(stdout).toContain("UNSET_TOKEN, which is not set on this worker");
    expect(stdout).toContain("guideferry fleet retry unset");
    expect(stdout).toContain("5: the site refused the sign-in. Replace the token");
    expect(stdout).toContain("guideferry fleet retry wrong");
    expect(stdout).not.toContain("wrong-token-of-a-test");
    expect(await allTexts(sites.address)).not.toContain("wrong-token-of-a-test");
    await end(worker);
  });

  it("pauses, resumes, drains and cancels a running migration, and drains at a signal", async () => {
    const sites = await fleetOf();
    await sites.fleet("init");
    const add = ["add", "migrate", sites.source.url, sites.target.url, "--task-name", "slow", "--rate", "4/s"];
    await sites.fleet(...add, "--source-token", "env:A_TOKEN", "--target-token", "file:b.token");
    const isSlow = ({ name }: Task): boolean => name === "slow";
    const first = sites.worker();
    await until(sites, isSlow, "running", ({ progress }) => progress !== null);
    expect((await sites.fleet("pause", "slow")).code).toBe(0);
    expect(await until(sites, isSlow, "paused")).toMatchObject(STOPPED);
    expect((await sites.fleet("resume", "slow")).code).toBe(0);
    const { worker } = await until(sites, isSlow, "running");
    expect((await sites.fleet("drain", String(worker))).code).toBe(0);
    expect((await first.ended).code).toBe(0);
    expect(await until(sites, isSlow, "waiting")).toMatchObject(STOPPED);
    const second = sites.worker("--drain-timeout", "1s");
    await until(sites, isSlow, "running");
    await end(second);
    expect(await until(sites, isSlow, "waiting")).toMatchObject({ attempt: 1 });
    const third = sites.worker();
    await until(sites, isSlow, "running");
    expect((await sites.fleet("cancel", "slow")).code).toBe(0);
    await until(sites, isSlow, "cancelled");
    const { runs } = JSON.parse((await sites.fleet("show", "slow", "--json")).stdout);
    expect(runs).toMatchObject(Array(4).fill({ outcome: "stopped", attempt: 1 }));
    expect((await sites.fleet("retry", "slow")).code).toBe(0);
    const { id } = await until(sites, isSlow, "running");
    const workspaces = join(sites.directory, "guideferry-fleet");
    await expect
      .poll(() => existsSync(join(workspaces, id, "workspace", "state.sqlite")), { timeout: 60_000 })
      .toBe(true);
    expect((await sites.fleet("cancel", "slow", "--remove")).stdout).toContain("Task slow is removed");
    expect(await sites.tasks()).toEqual([]);
    await end(third);
    await removesLeftovers(sites, workspaces, id);
  });

  it("makes the tasks those of a file, shows first what changes, and removes only what came from a file", async () => {
    const sites = await fleetOf();
    await sites.fleet("init");
    await sites.fleet("add", "check", "https://c.example", "--task-name", "by-hand");
    const vendor = { origins: ["https://b.example/api/2.0", "https://a.example"], requestsPerSecond: 20 };
    const file = {
      tenants: { acme: { mostRunning: 2 } },
      budgets: { vendor },
      policies: {
        nightly: { command: "backup", cron: "30 2 * * *", timeZone: "Europe/Berlin", options: { keepDaily: 7 } },
        weekly: { command: "drill", cron: "0 6 * * sun" },
      },
      sites: {
        a: {
          address: "https://a.example",
          tenant: "acme",
          policies: ["nightly", "weekly"],
          secrets: { token: "env:A" },
        },
        b: { address: "https://b.example", secrets: { token: "file:/run/secrets/b" } },
      },
      migrations: {
        "a-to-b": { source: "a", target: "b", priority: 5, options: { fit: "split", deleteRemoved: true } },
      },
    };
    const apply = async (content: object, ...words: readonly string[]): Promise<CliResult> => {
      await writeFile(join(sites.directory, "fleet.json"), JSON.stringify(content));
      return sites.fleet("apply", "fleet.json", ...words);
    };
    const shown = await apply(file, "--dry-run");
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout.split("\n").filter((line) => /^ *[+~-]/.test(line))).toEqual([
      "~ tenant acme: at most 2 tasks at the same time",
      "~ budget vendor: at most 20 requests a second",
      "    + https://a.example",
      "    + https://b.example",
      expect.stringMatching(
        /^\+ a\/nightly: backup https:\/\/a\.example --keep-daily=7 --to=.* \(30 2 \* \* \* in Europe\/Berlin\)$/,
      ),
      expect.stringMatching(/^\+ a\/weekly: drill .*store\/backups\/a\.example \(0 6 \* \* sun in UTC\)$/),
      "+ a-to-b: migrate https://a.example https://b.example --fit=split --delete-removed (once)",
    ]);
    expect(await sites.tasks()).toHaveLength(1);
    const unasked = await apply(file);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("--yes")]);
    expect(await apply(file, "--yes")).toMatchObject({ code: 0 });
    expect((await apply(file, "--yes")).stdout).toContain("nothing to do");
    expect((await sites.tasks()).find(({ name }) => name === "a-to-b")).toMatchObject({
      state: "waiting",
      tenant: "acme",
      priority: 5,
      credentials: { GUIDEFERRY_SOURCE_TOKEN: "env:A", GUIDEFERRY_TARGET_TOKEN: "file:/run/secrets/b" },
    });
    const sample = await sites.fleet("apply", join(import.meta.dirname, "../../samples/fleet/fleet.json"), "--dry-run");
    expect([sample.code, sample.stderr]).toEqual([0, ""]);
    expect(sample.stdout).toContain("backup https://a.example --keep-daily=14");
    const task = await sites.fleet("show", "a-to-b");
    expect(task.stdout).toContain("Budget: vendor, at most 20 requests a second to 2 origins together");
    const changed = {
      ...file,
      budgets: { vendor: { ...vendor, origins: ["a.example"] } },
      policies: { nightly: { ...file.policies.nightly, cron: "45 3 * * *" } },
    };
    const site = { ...file.sites.a, policies: ["nightly"] };
    const later = await apply({ ...changed, sites: { ...file.sites, a: site } }, "--yes");
    expect(later.stdout).toContain("~ a/nightly\n    cron: 30 2 * * * becomes 45 3 * * *");
    expect(later.stdout).toContain("- a/weekly, with its runs and state; its backups stay");
    expect(later.stdout).toContain("~ budget vendor: at most 20 requests a second\n    - https://b.example");
    expect((await sites.tasks()).map(({ name }) => name)).toEqual(["by-hand", "a/nightly", "a-to-b"]);
    const wrong: readonly (readonly [object, RegExp])[] = [
      [
        { ...file, policies: { nightly: { ...file.policies.nightly, options: { keepDayly: 7 } } } },
        /no option keepDayly/,
      ],
      [{ ...file, sites: { a: { ...file.sites.a, secrets: { token: "s3cr3t-value" } } } }, /needs a reference/],
      [{ ...file, budgets: { vendor, other: vendor } }, /budgets.other.origins: https:..a.example is in .* vendor/],
      [{ ...file, site: {} }, /Unrecognized key: "site"/],
      [
        { migrations: { "by-hand": { source: "a", target: "b" } }, sites: file.sites, policies: file.policies },
        /by-hand that came from no file/,
      ],
    ];
    const { budgets, ...without } = file;
    expect((await apply(without, "--dry-run")).stdout).toContain("- budget vendor\n    - https://a.example");
    for (const [content, message] of wrong) {
      const { code, stderr } = await apply(content, "--yes");
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
      expect(stderr).not.toContain("s3cr3t-value");
    }
  });
});

/** A worker removes what it knows to be of a removed task, and nothing else. */
async function removesLeftovers(sites: Fleet, workspaces: string, task: string): Promise<void> {
  const objects = join(sites.directory, "store", "state", task);
  expect(existsSync(objects)).toBe(true);
  // Of a removed task with another note, and of none that this fleet knows.
  const [other, unknown] = [randomUUID(), randomUUID()];
  for (const name of [other, unknown]) {
    await mkdir(join(workspaces, name, "workspace"), { recursive: true });
    await writeFile(join(workspaces, name, "workspace", "fleet.json"), JSON.stringify({ task: unknown }));
  }
  await writeFile(join(workspaces, "notes.txt"), "mine");
  await sql(sites.address, `INSERT INTO guideferry.removed_task (id) VALUES ('${other}')`);
  await sql(sites.address, "UPDATE guideferry.removed_task SET removed = removed - interval '1 hour'");
  const worker = sites.worker();
  await worker.seen(/Removed the stored state of the task/);
  await worker.seen(/Removed the workspace of the task/);
  await end(worker);
  expect(existsSync(objects)).toBe(false);
  expect((await readdir(workspaces)).sort()).toEqual([other, unknown, "notes.txt"].sort());
}

async function fleetOf(): Promise<Fleet> {
  const sites = await twoSites();
  const address = await emptyDatabase();
  const { directory } = sites;
  await writeFile(join(directory, "b.token"), `${sites.target.token}\n`);
  const environment = {
    GUIDEFERRY_DATABASE: address,
    GUIDEFERRY_STORE: join(directory, "store"),
    A_TOKEN: sites.source.token,
    WRONG_TOKEN: "wrong-token-of-a-test",
    XDG_STATE_HOME: join(directory, "home"),
  };
  const fleet: Fleet["fleet"] = (...words) => runCli(["fleet", ...words], { directory, environment });
  return {
    ...sites,
    address,
    fleet,
    tasks: async () => {
      const { stdout } = await fleet("list", "--json");
      return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    },
    worker: (...words) => {
      const worker = startCli(["worker", ...words], { directory, environment });
      // A killed worker does not stop its children.
      onTestFinished(() => void worker.child.kill("SIGTERM"));
      return worker;
    },
  };
}

/** Waits until a task has a state. */
async function until(
  sites: Fleet,
  which: (task: Task) => boolean,
  state: string,
  also: (task: Task) => boolean = () => true,
): Promise<Task> {
  // So long that only a fleet that does nothing reaches it.
  for (let look = 0; look < 300; look += 1) {
    const task = (await sites.tasks()).find(which);
    if (task?.state === state && also(task)) return task;
    if (task?.state === "failed" && state !== "failed") throw new Error(JSON.stringify(task));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`no task became ${state}: ${JSON.stringify(await sites.tasks())}`);
}

async function end(worker: RunningCli): Promise<void> {
  worker.child.kill("SIGTERM");
  expect((await worker.ended).code).toBe(0);
}

async function titles({ target }: TwoSites): Promise<readonly string[]> {
  const response = await fetch(`${target.url}/guides`, { headers: { Authorization: `api ${target.token}` } });
  const guides: unknown = await response.json();
  return Array.isArray(guides) ? guides.map(({ title }) => String(title)).sort() : [];
}

async function textAt(port: number, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}

async function sql(address: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table of the fleet and its queue as text. */
async function allTexts(address: string): Promise<string> {
  const tables = await sql(
    address,
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname LIKE 'guideferry%'",
  );
  const rows = await Promise.all(
    tables.map(({ name }) => sql(address, `SELECT row.*::text FROM ${String(name)} AS row`)),
  );
  return JSON.stringify(rows);
}
