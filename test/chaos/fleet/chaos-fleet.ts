import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, onTestFinished } from "vitest";
import { type FleetDatabase, openDatabase } from "../../../src/fleet/database.js";
import { listTasks, type TaskView } from "../../../src/fleet/tasks.js";
import { type RecordedRequest, type Sandbox, startSandbox } from "../../../src/sandbox/index.js";
import { environmentOf, KEYS } from "../../helpers/object-storage.js";
import { type ObjectStorageServer, startObjectStorage } from "../../helpers/object-storage-server.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres-server.js";
import { type CliResult, type RunningCli, runCli, startCli } from "../../helpers/run-cli.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

interface ChaosOptions {
  readonly pairs: number;
  /** Guides of each source. */
  readonly guides: number;
  /** Options of `fleet add migrate`. */
  readonly words?: readonly string[];
  /** Variables of the workers. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The path of another build for the workers. */
  readonly program?: string;
  /** Default: a local folder. */
  readonly storage?: "s3";
}

/** A migration that the fleet has to do. */
export interface Pair {
  readonly name: string;
  readonly source: Sandbox;
  readonly target: Sandbox;
  /** Requests that wrote to the target so far. */
  writes(): readonly RecordedRequest[];
}

/** As `fleet list --json` prints it. */
export type Task = Readonly<Record<string, unknown>> & { readonly id: string; readonly state: string };

/** A machine has a folder of its own, which nobody reads after the machine's end. */
export interface Machine {
  readonly worker: RunningCli;
  readonly pid: number;
  readonly workspaces: string;
}

export interface Child {
  readonly pid: number;
  readonly task: string;
}

/** Pairs of sites, a fleet with a task for each of them, and the servers of the fleet. */
export interface ChaosFleet {
  readonly postgres: PostgresServer;
  /** undefined: the storage is a folder. */
  readonly storage: ObjectStorageServer | undefined;
  readonly database: FleetDatabase;
  readonly pairs: readonly Pair[];
  /** Every machine so far, also those that have ended. */
  readonly machines: readonly Machine[];
  /** Starts a worker on a machine of its own. `database`: its own way to the database. */
  startMachine(more?: { readonly database?: string; readonly words?: readonly string[] }): Machine;
  tasks(): Promise<readonly Task[]>;
  /** Waits until all tasks have ended. */
  settled(): Promise<readonly TaskView[]>;
  /** Exit codes of `verify` with the workspace that the last run of each pair left. */
  verify(): Promise<readonly (number | null)[]>;
}

/** Ends with the test. Give it the tags `postgres` and `linux`, and `radosgw` for the storage `s3`. */
export async function chaosFleet(options: ChaosOptions): Promise<ChaosFleet> {
  const { pairs: count, guides, words = [] } = options;
  const [postgres, storage] = await Promise.all([
    startPostgres(),
    options.storage === "s3" ? startObjectStorage() : undefined,
  ]);
  onTestFinished(() => Promise.all([postgres.remove(), storage?.stop()]).then(() => undefined));
  const database = await openDatabase(postgres.address);
  onTestFinished(() => database.close());
  const directory = await temporaryFolder();
  const pairs = await Promise.all(Array.from({ length: count }, (_, index) => pairOf(index, guides)));
  const environment = {
    GUIDEFERRY_DATABASE: postgres.address,
    GUIDEFERRY_STORE: storage === undefined ? join(directory, "store") : await bucketOf(storage),
    ...(storage === undefined ? {} : environmentOf(storage.endpoint)),
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    XDG_STATE_HOME: join(directory, "home"),
    ...Object.fromEntries(
      pairs.flatMap(({ source, target }, index) => [
        [`SOURCE_${index}`, source.token],
        [`TARGET_${index}`, target.token],
      ]),
    ),
    ...options.environment,
  };
  const fleet = async (...command: readonly string[]): Promise<CliResult> => {
    const result = await runCli(["fleet", ...command], { directory, environment });
    expect(result.code, result.stderr).toBe(0);
    return result;
  };
  await fleet("init");
  for (const [index, { name, source, target }] of pairs.entries()) {
    const secrets = ["--source-token", `env:SOURCE_${index}`, "--target-token", `env:TARGET_${index}`];
    await fleet("add", "migrate", source.url, target.url, "--task-name", name, ...secrets, ...words);
  }
  const machines: Machine[] = [];
  onTestFinished(() => killAll(machines));
  const tasks = async (): Promise<readonly Task[]> => {
    const { stdout } = await fleet("list", "--json");
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  };
  return {
    postgres,
    storage,
    database,
    pairs,
    machines,
    tasks,
    startMachine: (more = {}) => {
      const workspaces = join(directory, `machine-${machines.length + 1}`);
      const own = more.database === undefined ? {} : { GUIDEFERRY_DATABASE: more.database };
      const worker = startCli(["worker", "--jobs", "2", "--workspaces", workspaces, ...(more.words ?? [])], {
        directory,
        environment: { ...environment, ...own },
        ...(options.program === undefined ? {} : { program: options.program }),
      });
      const machine = { worker, pid: worker.child.pid ?? 0, workspaces };
      machines.push(machine);
      return machine;
    },
    settled: async () => {
      for (;;) {
        // While the database is away, nobody knows.
        const now = await listTasks(database).catch(() => []);
        const failed = now.filter(({ state }) => state === "failed");
        if (failed.length > 0) throw new Error(JSON.stringify(failed));
        if (now.length > 0 && now.every(({ state }) => state === "done")) return now;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    },
    verify: async () => {
      const workers = await database.query<{ readonly task: string; readonly name: string; readonly worker: string }>(
        `SELECT DISTINCT ON (task) task, task.name, worker FROM guideferry.run JOIN guideferry.task ON task.id = run.task
         ORDER BY task, started DESC`,
      );
      const codes: (number | null)[] = [];
      for (const { name, source, target } of pairs) {
        const last = workers.find((run) => run.name === name);
        const machine = machines.find(({ pid }) => last?.worker.includes(`-${pid}-`));
        const workspace = join(machine?.workspaces ?? "", last?.task ?? "", "workspace");
        const result = await runCli(["verify", workspace, target.url], {
          directory,
          environment: {
            ...environment,
            GUIDEFERRY_SOURCE_TOKEN: source.token,
            GUIDEFERRY_TARGET_TOKEN: target.token,
          },
        });
        if (result.code !== 0) console.log(`verify of ${name}: ${result.code}\n${result.stdout}${result.stderr}`);
        codes.push(result.code);
      }
      return codes;
    },
  };
}

async function bucketOf({ endpoint }: ObjectStorageServer): Promise<string> {
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: KEYS });
  try {
    await client.send(new CreateBucketCommand({ Bucket: "fleet" }));
  } finally {
    client.destroy();
  }
  return "s3://fleet/of/chaos";
}

/** A source whose content the target takes as it is, and an empty target. */
async function pairOf(index: number, guides: number): Promise<Pair> {
  const [source, target] = await Promise.all([startSandbox(), startSandbox()]);
  onTestFinished(() => Promise.all([source.close(), target.close()]).then(() => undefined));
  fill(source, guides);
  return {
    name: `pair-${index}`,
    source,
    target,
    writes: () => target.recorded.filter(({ method }) => method !== "GET"),
  };
}

/** Guides with two steps, a picture and a tag each; every fifth one needs the one before it. */
function fill({ edit }: Sandbox, guides: number): void {
  for (const title of ["Looms", "Wheels"]) {
    edit.createWiki({ namespace: "CATEGORY", title, contents: `About ${title.toLowerCase()}.` });
  }
  let last = 0;
  for (let number = 1; number <= guides; number += 1) {
    const guide = edit.createGuide({
      category: number % 2 === 0 ? "Looms" : "Wheels",
      type: "how-to",
      title: `Guide ${String(number).padStart(3, "0")}`,
      introduction: last === 0 ? "The first one." : `After [guide|${last}|the one before].`,
    });
    const steps = ["Begin", "End"].map((title, place) =>
      edit.addStep(guide, {
        orderby: place + 1,
        title,
        lines: [{ text: `${title} with number ${number}.`, bullet: "black", level: 0 }],
      }),
    );
    edit.exchangeImage(guide, steps[0] ?? 0, `picture ${number}`);
    edit.setGuideTags(guide, [number % 3 === 0 ? "wood" : "wool"]);
    if (number % 5 === 0) edit.guide(guide, { prerequisites: [last] });
    edit.setPublic(guide, true);
    last = guide;
  }
}

/** What a site has, without the addresses of the other one. */
export function contentOf({ source, target }: Pick<Pair, "source" | "target">): unknown {
  return JSON.parse(JSON.stringify(target.namedState()).replaceAll(source.origin, "source:"));
}

export function titlesOf(sandbox: Sandbox): readonly string[] {
  return sandbox
    .state()
    .guides.map(({ title }) => String(title))
    .sort();
}

/** The living commands of a machine. */
export function childrenOf({ pid }: Pick<Machine, "pid">): readonly Child[] {
  const pids = fileOf(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return pids.flatMap((child) => {
    const task = /(?:^|\0)GUIDEFERRY_FLEET_TASK=([^\0]+)/.exec(fileOf(`/proc/${child}/environ`))?.[1];
    return task === undefined || !isAlive(child) ? [] : [{ pid: child, task }];
  });
}

/** `R` runs, `S` sleeps, `T` is stopped, `Z` has ended; empty: it is gone. */
export function stateOf(pid: number): string {
  const text = fileOf(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).slice(0, 1);
}

export function isAlive(pid: number): boolean {
  return !["", "Z", "X"].includes(stateOf(pid));
}

/** Empty for a process that is gone. */
function fileOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return "";
    throw error;
  }
}

/** Also those that a test has stopped. */
async function killAll(machines: readonly Machine[]): Promise<void> {
  const children = machines.flatMap(childrenOf);
  for (const { worker } of machines) worker.child.kill("SIGKILL");
  for (const { pid } of children) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  await Promise.all(machines.map(({ worker }) => worker.ended));
}
