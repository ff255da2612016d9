import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { z } from "zod";
import { EXIT, type ExitCode, messageOf, UsageError } from "../../core/errors.js";
import { canonicalJson, parseJson } from "../../core/util/json.js";
import { type FleetDatabase, grantWorker, migrateTables, type Queries } from "../../fleet/database.js";
import { type Budget, listBudgets, setBudget } from "../../fleet/rate-budget.js";
import { insertTask, listTasks, removeTask, type TaskDefinition, updateTask } from "../../fleet/tasks.js";
import { parseLocation } from "../../service/http/address.js";
import type { CommandCall, FleetVerb } from "../command.js";
import { CREDENTIAL_NAMES, credentialVariable, type Side } from "../options/credential-names.js";
import { count, shellQuote } from "../output/words.js";
import { withFleet } from "./connect.js";
import { defineTask, type TaskRequest } from "./define-task.js";

const name = z.string().regex(/^[\w.-]{1,100}$/, "expected 1 to 100 letters, digits, dots, hyphens or underscores");
const secrets = z.partialRecord(z.enum(CREDENTIAL_NAMES as [string, ...string[]]), z.string());
const priority = z.int().min(0).max(1000);
const options = z.record(z.string(), z.unknown());

/** The file of `fleet apply`. */
const fleetFileSchema = z.strictObject({
  $schema: z.string().optional(),
  /** How many tasks of a tenant run at the same time; without a limit: as many as there are. */
  tenants: z.record(name, z.strictObject({ mostRunning: z.int().min(1).optional() })).default({}),
  /** So many requests a second to all origins of a vendor together. */
  budgets: z
    .record(name, z.strictObject({ origins: z.array(z.string()).min(1), requestsPerSecond: z.number().positive() }))
    .default({}),
  /** What is done at set times for each site that names the policy. */
  policies: z
    .record(
      name,
      z.strictObject({
        command: z.string(),
        cron: z.string(),
        timeZone: z.string().default("UTC"),
        priority: priority.default(0),
        options: options.default({}),
      }),
    )
    .default({}),
  sites: z
    .record(
      name,
      z.strictObject({
        address: z.string(),
        tenant: name.or(z.literal("")).default(""),
        policies: z.array(name).default([]),
        /** `{ "token": "env:A_TOKEN" }` */
        secrets: secrets.default({}),
      }),
    )
    .default({}),
  /** Run once; the sites are names of `sites`. */
  migrations: z
    .record(
      name,
      z.strictObject({ source: name, target: name, priority: priority.default(0), options: options.default({}) }),
    )
    .default({}),
});
type FleetFile = z.output<typeof fleetFileSchema>;

/** What a fleet is to be. */
interface WantedFleet {
  readonly tenants: ReadonlyMap<string, number | null>;
  readonly budgets: readonly Budget[];
  /** By name. */
  readonly tasks: ReadonlyMap<string, TaskDefinition>;
}

/** Reads and checks a file of `fleet apply`. Throws UsageError. */
async function readFleetFile(
  path: string,
  verbs: ReadonlyMap<string, FleetVerb>,
  store: string | null,
): Promise<WantedFleet> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new UsageError(`The file ${path} cannot be read: ${messageOf(cause)}.`, { cause, exitCode: EXIT.notFound });
  });
  const content = parseJson(text);
  if (content === undefined) throw new UsageError(`${path} is not valid JSON.`);
  const parsed = fleetFileSchema.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UsageError(`${path}: ${issue?.path.join(".") || "the file"}: ${issue?.message}.`);
  }
  const file = parsed.data;
  const tasks = new Map<string, TaskDefinition>();
  const add = (place: string, taskName: string, request: Omit<TaskRequest, "store" | "name" | "managed">): void => {
    try {
      tasks.set(taskName, defineTask({ ...request, store, name: taskName, managed: true }, verbs));
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${path}: ${place}: ${error.message}`) : error;
    }
  };
  for (const [siteName, site] of Object.entries(file.sites)) {
    for (const policyName of site.policies) {
      const place = `sites.${siteName}.policies: ${policyName}`;
      const policy = file.policies[policyName];
      if (policy === undefined) throw new UsageError(`${path}: ${place}: "policies" has no policy of this name.`);
      const { command, ...rest } = policy;
      const signsIn = verbs.get(command)?.command.signsIn ?? [];
      add(place, `${siteName}/${policyName}`, {
        ...rest,
        verb: command,
        places: [site.address],
        tenant: site.tenant,
        credentials: signsIn.includes("source") ? credentialsOf(site, "source") : {},
      });
    }
  }
  for (const [migration, { source, target, ...rest }] of Object.entries(file.migrations)) {
    const place = `migrations.${migration}`;
    const [from, to] = [siteOf(file, source, path, place), siteOf(file, target, path, place)];
    add(place, migration, {
      ...rest,
      verb: "migrate",
      places: [from.address, to.address],
      tenant: from.tenant,
      credentials: { ...credentialsOf(from, "source"), ...credentialsOf(to, "target") },
      cron: null,
      timeZone: null,
    });
  }
  const tenants = Object.entries(file.tenants).map(
    ([tenant, { mostRunning = null }]) => [tenant, mostRunning] as const,
  );
  return { tenants: new Map(tenants), budgets: budgetsOf(file, path), tasks };
}

function budgetsOf({ budgets }: FleetFile, path: string): readonly Budget[] {
  const owners = new Map<string, string>();
  return Object.entries(budgets).map(([budget, { origins: given, requestsPerSecond }]) => {
    const origins = given.map((text) => originOf(text, `${path}: budgets.${budget}.origins`)).sort();
    for (const origin of origins) {
      const owner = owners.get(origin);
      if (owner !== undefined)
        throw new UsageError(`${path}: budgets.${budget}.origins: ${origin} is in the budget ${owner} already.`);
      owners.set(origin, budget);
    }
    return { name: budget, origins, requestsPerSecond };
  });
}

function originOf(text: string, place: string): string {
  try {
    return parseLocation(text, { insecureHttp: true }).origin;
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${place}: ${error.message}`) : error;
  }
}

type Site = FleetFile["sites"][string];

function siteOf({ sites }: FleetFile, named: string, path: string, place: string): Site {
  const site = sites[named];
  if (site === undefined) throw new UsageError(`${path}: ${place}: "sites" has no site ${named}.`);
  return site;
}

function credentialsOf({ secrets: given }: Site, side: Side): Readonly<Record<string, string>> {
  const pairs = CREDENTIAL_NAMES.flatMap((one): readonly (readonly [string, string])[] => {
    const reference = given[one];
    return reference === undefined ? [] : [[credentialVariable(side, one), reference]];
  });
  return Object.fromEntries(pairs);
}

/** What `fleet apply` changes. */
interface FleetChanges {
  readonly added: readonly TaskDefinition[];
  readonly changed: readonly {
    readonly id: string;
    readonly task: TaskDefinition;
    readonly facts: readonly string[];
  }[];
  readonly removed: readonly { readonly id: string; readonly name: string }[];
  /** Tenants whose limit differs; null: none from now on. */
  readonly tenants: readonly (readonly [name: string, limit: number | null])[];
  /** New ones and those that differ, with their origins that come and go; none: it is removed. */
  readonly budgets: readonly { readonly budget: Budget; readonly facts: readonly string[] }[];
}

/** A task that the fleet has. */
export interface KnownTask extends TaskDefinition {
  readonly id: string;
}

/**
 * The changes that make the managed tasks those of a file.
 *
 * @throws UsageError when a task of the file has the name of one that was added by hand
 */
function compareFleet(
  wanted: WantedFleet,
  known: readonly KnownTask[],
  limits: ReadonlyMap<string, number | null>,
  budgets: readonly Budget[],
): FleetChanges {
  const byName = new Map(known.flatMap((task) => (task.name === null ? [] : [[task.name, task] as const])));
  const changed: FleetChanges["changed"][number][] = [];
  const added: TaskDefinition[] = [];
  for (const [taskName, task] of wanted.tasks) {
    const before = byName.get(taskName);
    if (before === undefined) added.push(task);
    else if (!before.managed) {
      throw new UsageError(
        `The fleet has a task ${taskName} that came from no file. Rename the one in the file, or end the other one: guideferry fleet cancel ${taskName}`,
      );
    } else {
      const facts = differencesOf(before, task);
      if (facts.length > 0) changed.push({ id: before.id, task, facts });
    }
  }
  const removed = known.flatMap(({ id, name: taskName, managed }) =>
    managed && taskName !== null && !wanted.tasks.has(taskName) ? [{ id, name: taskName }] : [],
  );
  const tenants = [...wanted.tenants].filter(([tenant, limit]) => (limits.get(tenant) ?? null) !== limit);
  return { added, changed, removed, tenants, budgets: compareBudgets(wanted.budgets, budgets) };
}

function compareBudgets(wanted: readonly Budget[], known: readonly Budget[]): FleetChanges["budgets"] {
  const before = new Map(known.map((budget) => [budget.name, budget]));
  const names = new Set(wanted.map(({ name: budget }) => budget));
  const gone = known.filter(({ name: budget }) => !names.has(budget)).map((budget) => ({ ...budget, origins: [] }));
  return [...wanted, ...gone].flatMap((budget) => {
    const earlier = before.get(budget.name);
    const [had, has] = [new Set(earlier?.origins), new Set(budget.origins)];
    const facts = [
      ...budget.origins.filter((origin) => !had.has(origin)).map((origin) => `+ ${origin}`),
      ...[...had].filter((origin) => !has.has(origin)).map((origin) => `- ${origin}`),
    ];
    const isSame = facts.length === 0 && earlier?.requestsPerSecond === budget.requestsPerSecond;
    return isSame ? [] : [{ budget, facts }];
  });
}

const COMPARED = ["tenant", "words", "credentials", "priority", "cron", "timeZone"] as const;

function differencesOf(before: TaskDefinition, after: TaskDefinition): readonly string[] {
  return COMPARED.filter((key) => canonicalJson(before[key]) !== canonicalJson(after[key])).map(
    (key) => `${key}: ${shown(before[key])} becomes ${shown(after[key])}`,
  );
}

function shown(value: TaskDefinition[(typeof COMPARED)[number]]): string {
  if (value === null || value === "") return "none";
  return Array.isArray(value) ? value.join(" ") : typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Creates or updates the tables, and gives a role its rights. */
export function runInit(call: CommandCall): Promise<ExitCode> {
  const { output, settings } = call;
  return withFleet(
    call,
    async ({ database, jobs }) => {
      const { from, to } = await migrateTables(database);
      await jobs.prepare();
      const what = from === 0 ? "created" : from === to ? "were up to date" : `updated from version ${from}`;
      output.say(`The tables of the fleet in ${database.place} are ready: version ${to}, ${what}.`);
      if (settings.workerRole !== null) {
        await grantWorker(database, settings.workerRole);
        output.say(`The user ${settings.workerRole} has the rights of a worker.`);
      }
      output.event("summary", { database: database.place, from, version: to, workerRole: settings.workerRole });
      output.note("Next, on each machine: guideferry worker");
      return EXIT.ok;
    },
    { anyTables: true },
  );
}

export async function runApply(call: CommandCall, verbs: ReadonlyMap<string, FleetVerb>): Promise<ExitCode> {
  const { output, settings } = call;
  const wanted = await readFleetFile(call.arguments[0] ?? "", verbs, settings.store);
  return withFleet(call, async ({ database, jobs }) => {
    const changes = compareFleet(
      wanted,
      await listTasks(database),
      await limitsOf(database),
      await listBudgets(database),
    );
    printChanges(call, changes);
    const { added, changed, removed, tenants, budgets } = changes;
    if (added.length + changed.length + removed.length + tenants.length + budgets.length === 0) {
      output.say("The fleet is as the file has it: nothing to do.");
      return EXIT.ok;
    }
    if (settings.dryRun) return EXIT.ok;
    if (!settings.yes && !(await agrees(call))) {
      output.say("Nothing was changed.");
      return EXIT.stopped;
    }
    const now = await database.now();
    await database.transaction(async (queries) => {
      for (const [name, limit] of tenants) await setLimit(queries, name, limit);
      for (const { budget } of budgets) await setBudget(queries, budget);
      for (const { id } of removed) await removeTask(queries, jobs, id);
      for (const { id, task } of changed) await updateTask(queries, id, task, now);
      await jobs.rank(
        changed.map(({ id }) => id),
        queries,
      );
      for (const task of added) await insertTask(queries, jobs, task, now);
    });
    output.say("Done: the fleet is as the file has it.");
    return EXIT.ok;
  });
}

function printChanges({ output }: CommandCall, { added, changed, removed, tenants, budgets }: FleetChanges): void {
  for (const [name, limit] of tenants) {
    output.say(`~ tenant ${name}: ${limit === null ? "no limit" : `at most ${count(limit, "task")} at the same time`}`);
    output.event("change", { change: "tenant", name, mostRunning: limit });
  }
  for (const { budget, facts } of budgets) {
    const { name, origins, requestsPerSecond } = budget;
    const isGone = origins.length === 0;
    const rate = isGone ? "" : `: at most ${count(requestsPerSecond, "request")} a second`;
    output.say([`${isGone ? "-" : "~"} budget ${name}${rate}`, ...facts.map((fact) => `    ${fact}`)].join("\n"));
    output.event("change", { change: "budget", ...budget, facts });
  }
  for (const { name, words, cron, timeZone } of added) {
    const when = cron === null ? "once" : `${cron} in ${timeZone}`;
    output.say(`+ ${name}: ${shellQuote(words)} (${when})`);
    output.event("change", { change: "add", name, words, cron, timeZone });
  }
  for (const { task, facts } of changed) {
    output.say([`~ ${task.name}`, ...facts.map((fact) => `    ${fact}`)].join("\n"));
    output.event("change", { change: "change", name: task.name, facts });
  }
  for (const { name } of removed) {
    output.say(`- ${name}, with its runs and state; its backups stay`);
    output.event("change", { change: "remove", name });
  }
}

async function agrees({ stdin, output }: CommandCall): Promise<boolean> {
  const input = stdin();
  if (!("isTTY" in input) || input.isTTY !== true) {
    throw new UsageError(
      "Nobody can be asked here, and nothing was changed. Look at the changes above, then run the same command with --yes.",
    );
  }
  output.note("Make these changes? Type yes:");
  const lines = createInterface({ input });
  try {
    return (await lines.question("")).trim().toLowerCase() === "yes";
  } finally {
    lines.close();
  }
}

async function limitsOf(database: FleetDatabase): Promise<ReadonlyMap<string, number | null>> {
  const rows = await database.query<{ readonly name: string; readonly most: number | null }>(
    "SELECT name, most_running AS most FROM guideferry.tenant",
  );
  return new Map(rows.map(({ name, most }) => [name, most]));
}

async function setLimit(queries: Queries, name: string, limit: number | null): Promise<void> {
  await queries.query(
    "INSERT INTO guideferry.tenant (name, most_running) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET most_running = excluded.most_running",
    [name, limit],
  );
}
