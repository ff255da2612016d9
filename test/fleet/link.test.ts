import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, utimes, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { joinFleet } from "../../src/fleet/link.js";
import type { RecordedRequest } from "../../src/sandbox/index.js";
import { Database } from "../../src/storage/sqlite.js";
import { type CliResult, runCli, type StartOptions, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { type TwoSites, twoSites } from "../helpers/two-sites.js";
import { type FleetTask, fleetTask } from "./helpers/fleet-task.js";

const CHOSEN = ["--fit", "split", "--include", "guide/1,guide/12,guide/12@de,wiki/INFO/House Rules"];
/** Pages about people of the source, which the target does not have, are left out. */
const DONE = 3;
/** Writes at whose answer a run is killed; each run writes some before. `KILLS=4` takes them all. */
const KILLS = process.env["KILLS"] === undefined ? [3, 9] : [2, 5, 9, 14];

describe("a migration of a fleet", { tags: ["postgres"] }, () => {
  it("ends as an undisturbed one when its process is killed again and again, each time on another machine", async () => {
    const undisturbed = await sitesOf(await fleetTask());
    const whole = await undisturbed.run();
    expect(whole.code, whole.stderr).toBe(DONE);

    const fleet = await fleetTask();
    const sites = await sitesOf(fleet);
    const unanswered: string[] = [];
    for (const [round, nth] of KILLS.entries()) {
      const running = await sites.start();
      // The site does what half of the requests ask, and answers none.
      const applied = round % 2 === 0;
      stallAt(sites.two, nth, applied, ({ method, path }) => {
        if (applied && method === "POST") unanswered.push(path);
        running.child.kill("SIGKILL");
      });
      const { signal, code, stderr } = await running.ended;
      expect([signal, code], stderr).toEqual(["SIGKILL", null]);
      sites.two.target.faults.clear();
      await expire(fleet);
    }
    const last = await sites.run();
    expect(last.code, last.stderr).toBe(DONE);
    expect(last.stderr).toContain("Restored the state of this task");
    expect(contentOf(sites.two)).toEqual(contentOf(undisturbed.two));
    expect(creates(sites.two, unanswered)).toEqual(creates(undisturbed.two));
    expect(await ledgerOf(sites)).toEqual(await ledgerOf(undisturbed));
    const writes = sites.two.writes();
    expect((await sites.run()).code).toBe(DONE);
    expect(sites.two.writes()).toBe(writes);
  });

  it("writes nothing, here and at the site, when it wakes up after another run took over", async () => {
    const fleet = await fleetTask();
    const sites = await sitesOf(fleet);
    const paused = await sites.start();
    await new Promise<void>((resolve) =>
      stallAt(sites.two, 4, false, () => {
        paused.child.kill("SIGSTOP");
        resolve();
      }),
    );
    await expire(fleet);
    const second = await sites.run();
    expect(second.code, second.stderr).toBe(DONE);
    const [writes, rows] = [sites.two.writes(), await stateOf(fleet)];
    paused.child.kill("SIGCONT");
    const { code, stderr } = await paused.ended;
    expect(code, stderr).toBe(75);
    expect(stderr).toMatch(/has taken this task over|was not renewed/);
    expect(sites.two.writes()).toBe(writes);
    expect(await stateOf(fleet)).toEqual(rows);
  });

  it("waits for what a killed run sent, before it looks for its result", async () => {
    const fleet = await fleetTask();
    const sites = await sitesOf(fleet, { GUIDEFERRY_FLEET_LONGEST_REQUEST: "3" });
    const running = await sites.start();
    stallAt(sites.two, 3, true, () => running.child.kill("SIGKILL"));
    await running.ended;
    sites.two.target.faults.clear();
    await fleet.database.query("UPDATE guideferry.lease SET until = clock_timestamp()");
    const last = await sites.run();
    expect(last.stderr).toMatch(/ended amid a write: waiting \d+ s/);
    expect(last.code).toBe(DONE);
  });

  it("does nothing while another worker runs it", async () => {
    const fleet = await fleetTask();
    const sites = await sitesOf(fleet);
    await fleet.database.query(
      "INSERT INTO guideferry.lease (task, token, holder, until, recover_from) VALUES ($1, 7, 'another', clock_timestamp() + interval '1 second', clock_timestamp())",
      [fleet.task],
    );
    const renewing = setInterval(() => {
      const sql = "UPDATE guideferry.lease SET until = clock_timestamp() + interval '1 second'";
      void fleet.database.query(sql).catch(() => undefined);
    }, 100);
    const { code, stderr } = await sites.run();
    clearInterval(renewing);
    expect([code, stderr]).toEqual([75, expect.stringContaining("The worker another runs this task")]);
    expect(sites.two.source.recorded).toEqual([]);
  });

  it("ends when its worker ends", async () => {
    const fleet = await fleetTask();
    const sites = await sitesOf(fleet, { GUIDEFERRY_FLEET_LONGEST_REQUEST: "2" });
    const { child, seen } = await sites.start();
    stallAt(sites.two, 3, false, () => child.disconnect());
    const words = seen(/worker that started this run has ended/);
    const exit = once(child, "exit");
    await words;
    expect(await exit).toEqual([75, null]);
    sites.two.target.faults.clear();
    // It has released the lease.
    const next = await (await sites.start()).ended;
    expect(next.code, next.stderr).toBe(DONE);
    // What it was sending may still arrive.
    expect(next.stderr).toContain("ended amid a write: waiting");
  });

  it("stops in an orderly way when an operator wants it", async () => {
    const fleet = await fleetTask();
    const sites = await sitesOf(fleet, { GUIDEFERRY_FLEET_LEASE: "4" });
    const running = await sites.start();
    let requests = 0;
    sites.two.target.faults.decide(() => {
      requests += 1;
      if (requests === 3) void fleet.database.query("UPDATE guideferry.lease SET wanted = 'pause'");
      return { kind: "delay", milliseconds: 300 };
    });
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([4, expect.stringContaining("An operator wants this run to stop (pause)")]);
    expect(stderr).toContain(`guideferry fleet retry ${fleet.task.slice(0, 8)}`);
    expect(stderr).not.toContain("guideferry migrate");
    sites.two.target.faults.clear();
    const last = await sites.run();
    expect(last.code, last.stderr).toBe(DONE);
  });
});

describe("a backup of a fleet", { tags: ["postgres"] }, () => {
  it("takes its state up in an empty folder, and reads items from the archives, not again from the site", async () => {
    const fleet = await fleetTask("backup");
    const two = await twoSites();
    const backup = async (to: string, workspace: string, more: object): Promise<readonly string[]> => {
      const before = two.source.recorded.length;
      const words = ["backup", two.source.url, "--to", to, "--workspace", workspace];
      const environment = { ...two.environment, ...more };
      const { code, stderr } = await runCli(words, { directory: two.directory, environment });
      expect(code, stderr).toBe(0);
      return two.source.recorded.slice(before).map(lineOf).sort();
    };
    const elsewhere = async (): Promise<readonly string[]> => {
      const workspace = join(await mkdtemp(join(two.directory, "machine-")), "work");
      const requests = await backup("shared", workspace, fleet.environment);
      expect(await readdir(workspace)).toContain("fleet.json");
      return requests;
    };
    const here = (): Promise<readonly string[]> => backup("own", "own-workspace", {});
    expect(await elsewhere()).toEqual(await here());
    expect(await elsewhere()).toEqual(await here());
    two.source.edit.guide(2, { title: "Oil the Siskin twice" });
    // Of a run that was killed while it made a base.
    const left = join(fleet.store, "state", fleet.task, "base-9-left-0-3");
    await writeFile(left, "a part");
    await utimes(left, 0, 0);
    expect(await elsewhere()).toEqual(await here());
    expect(existsSync(left)).toBe(false);
    const verified = await runCli(["verify", "shared"], { directory: two.directory, environment: two.environment });
    expect(verified.code, verified.stderr).toBe(0);
  });

  it("is refused without a key when its archives are encrypted, and tells no secret", async () => {
    const fleet = await fleetTask("backup");
    const two = await twoSites();
    const environment = { ...two.environment, ...fleet.environment, GUIDEFERRY_PASSPHRASE: "a long passphrase" };
    const words = ["backup", two.source.url, "--to", "repository", "--workspace", "elsewhere"];
    const refused = await runCli(words, { directory: two.directory, environment });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("GUIDEFERRY_FLEET_KEY")]);
    expect(two.source.recorded).toEqual([]);
    const password = new URL(fleet.environment["GUIDEFERRY_DATABASE"] ?? "");
    password.password = "not-to-be-seen";
    password.port = "1";
    const soon = { GUIDEFERRY_DATABASE: password.href, GUIDEFERRY_FLEET_LEASE: "0.1" };
    const wrong = { ...two.environment, ...fleet.environment, ...soon };
    const down = await runCli([...words, "--debug"], { directory: two.directory, environment: wrong });
    expect(down.code).toBe(9);
    expect(down.stderr + down.stdout).not.toContain("not-to-be-seen");
  });
});

it("joins the fleet when its database is back", { tags: ["postgres"] }, async () => {
  const fleet = await fleetTask();
  const address = new URL(fleet.environment["GUIDEFERRY_DATABASE"] ?? "");
  const port = Number(address.port);
  let connections = 0;
  const restarting = createServer((client) => {
    connections += 1;
    if (connections < 3) return void client.once("data", () => client.end(startingUp()));
    const server = connect(port, "127.0.0.1");
    for (const socket of [client, server]) socket.on("error", () => [client, server].map((each) => each.destroy()));
    return void client.pipe(server).pipe(client);
  });
  restarting.listen(0, "127.0.0.1");
  await once(restarting, "listening");
  onTestFinished(() => void restarting.close());
  const listening = restarting.address();
  if (typeof listening === "object") address.port = String(listening?.port);
  const link = await joinFleet({
    environment: { ...fleet.environment, GUIDEFERRY_DATABASE: address.href },
    command: "migrate",
    directory: join(await temporaryFolder(), "work"),
    encrypts: false,
    note: () => undefined,
    warn: () => undefined,
  });
  expect(connections).toBeGreaterThan(2);
  link?.gate();
  await link?.close(false);
  await expect(fleet.database.query("SELECT FROM guideferry.lease WHERE token = 1")).resolves.toHaveLength(1);
});

/** The answer of a server that has no connections yet, as a message of the protocol. */
function startingUp(): Buffer {
  const fields = Buffer.from("SFATAL\0C57P03\0Mthe database system is starting up\0\0");
  const head = Buffer.from("E....");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

interface FleetSites {
  readonly two: TwoSites;
  /** The workspace of the last run: each has an empty folder, as on another machine. */
  workspace(): string;
  run(): Promise<CliResult>;
  start(): Promise<ReturnType<typeof startCli>>;
}

async function sitesOf(fleet: FleetTask, more: Readonly<Record<string, string>> = {}): Promise<FleetSites> {
  const two = await twoSites({ source: { site: "samples/site" } });
  let workspace = "";
  const options = async (): Promise<StartOptions> => {
    workspace = join(await mkdtemp(join(two.directory, "machine-")), "work");
    const environment = { ...two.environment, ...fleet.environment, ...more, GUIDEFERRY_WORKSPACE: workspace };
    return { directory: two.directory, environment };
  };
  const words = ["migrate", two.source.url, two.target.url, ...CHOSEN];
  return {
    two,
    workspace: () => workspace,
    run: async () => startCli(words, await options()).ended,
    start: async () => startCli(words, { ...(await options()), worker: true }),
  };
}

type Write = Pick<RecordedRequest, "method" | "path">;

/** Lets the nth write at the target hang; `applied`: the site does what it asks. */
function stallAt({ target }: TwoSites, nth: number, applied: boolean, reached: (write: Write) => void): void {
  let writes = 0;
  target.faults.decide((write) => {
    if (write.method === "GET") return undefined;
    writes += 1;
    return writes === nth ? { kind: "stall", applied, reached: () => reached(write) } : undefined;
  });
}

/** As when its time is over, and that of its requests. */
async function expire({ database }: FleetTask): Promise<void> {
  await database.query("UPDATE guideferry.lease SET until = clock_timestamp(), recover_from = clock_timestamp()");
}

function stateOf({ database }: FleetTask) {
  return database.query(
    "SELECT (SELECT count(*) FROM guideferry.state_change) AS changes, position, object FROM guideferry.state_base",
  );
}

/** Links to the old site name its port. */
function contentOf({ source, target }: TwoSites): unknown {
  return JSON.parse(JSON.stringify(target.namedState()).replaceAll(source.origin, "source:"));
}

/** What was created, by kind, also what was found later instead of created twice. */
function creates({ target }: TwoSites, unanswered: readonly string[] = []): unknown {
  const answered = target.recorded.filter(({ method, status = 0 }) => method === "POST" && status < 300 && status > 0);
  const paths = [...answered.map(({ path }) => path), ...unanswered];
  return paths.map((path) => path.replaceAll(/\d+/g, "N")).sort();
}

async function ledgerOf(sites: FleetSites): Promise<unknown> {
  const database = new Database(join(sites.workspace(), "state.sqlite"), { readOnly: true });
  try {
    return [
      database.all("SELECT id, state, outcome FROM operation ORDER BY id").map((row) => ({ ...Object(row) })),
      database.all("SELECT key, item, kind, adopted FROM written ORDER BY key").map((row) => ({ ...Object(row) })),
    ];
  } finally {
    database.close();
  }
}

function lineOf({ method, path }: RecordedRequest): string {
  return `${method} ${path}`;
}
