import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { loadCommands } from "../../src/commands/commands.js";
import { readSettings } from "../../src/commands/options/settings.js";
import { parseCommandLine } from "../../src/commands/program.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const text = (path: string): string => readFileSync(join(ROOT, "samples", path), "utf8");

const CRON = text("cron/guideferry-backup");
const UNIT = text("systemd/guideferry-backup.service");
const CRON_JOB = "kubernetes/guideferry-backup.yaml";
const ACTION = "github-actions/guideferry-backup.yml";
const DOCKERFILE = text("docker/Dockerfile");

/** What follows the minute, hour, day, month, day of the week and user of each line. */
function cronCommands(): readonly string[] {
  return CRON.split("\n").flatMap((line) => /^[\d*]+(?: +[\d*]+){4} +\w+ +(.*)$/.exec(line)?.[1] ?? []);
}

/** The words of each command of guideferry in a sample, without the program's own name. */
async function commandsIn(path: string): Promise<readonly (readonly string[])[]> {
  const names = (await loadCommands()).map(({ name }) => name.split(" ")[0] ?? "");
  // A comment may continue behind the command, and YAML folds a long line.
  const all = text(path)
    .replace(/\n {10,}(?=--)/g, " ")
    .matchAll(/\bguideferry ((?:[a-z-]+)(?: .*)?)$/gm);
  return [...all]
    .map(([, rest = ""]) =>
      rest
        .replace(/["']/g, "")
        .split(" ")
        .filter((word) => word !== ""),
    )
    .filter(([first = ""]) => names.includes(first));
}

/** Parses a command line as the program does, options with their values too. */
async function refuse(words: readonly string[]): Promise<string | null> {
  const directory = await temporaryFolder();
  const nothing = { write: () => true };
  try {
    const invocation = parseCommandLine(words, await loadCommands(), {
      version: "0",
      environment: {},
      stdout: nothing,
    });
    if (invocation === undefined) return "it only prints help";
    await readSettings(invocation.flags, {}, directory);
    return null;
  } catch (error) {
    return String(error);
  }
}

describe("every command of guideferry in a sample", () => {
  const files = ["cron", "systemd", "github-actions", "docker"].flatMap((folder) =>
    readdirSync(join(ROOT, "samples", folder)).map((name) => `${folder}/${name}`),
  );

  it("is one that the program takes, with all of its options", async () => {
    const found = (await Promise.all(files.map(commandsIn))).flat();
    expect(found.map(([first]) => first).toSorted()).toEqual([
      ...["backup", "backup", "backup", "backup", "verify", "verify"],
    ]);
    const refused = await Promise.all(found.map(async (words) => [words.join(" "), await refuse(words)]));
    expect(refused.filter(([, why]) => why !== null)).toEqual([]);
    expect(await refuse(["backup", "https://site.example", "--keep-nightly", "1"])).toContain("--keep-nightly");
  });
});

describe("cron", () => {
  it("has no percent sign in a line: cron would end the command there", () => {
    expect(cronCommands()).toHaveLength(2);
    for (const command of cronCommands()) expect(command).not.toMatch(/(?<!\\)%/);
  });
});

describe("systemd", () => {
  it("does not call a backup without a snapshot a success, and starts the unit that reports a failure", () => {
    expect(/(?<=^SuccessExitStatus=).*$/m.exec(UNIT)?.[0]).toBe("3");
    const [, template] = /^OnFailure=(guideferry-failed@)%n\.service$/m.exec(UNIT) ?? [];
    expect(existsSync(join(ROOT, "samples/systemd", `${template}.service`))).toBe(true);
    const seconds = Number(/(?<=^TimeoutStopSec=)\d+$/m.exec(UNIT)?.[0]);
    expect(seconds).toBeGreaterThan(30 + 10);
  });

  it.runIf(existsSync("/usr/bin/systemd-analyze"))("takes the units", () => {
    const folder = join(ROOT, "samples/systemd");
    const units = readdirSync(folder).map((name) => join(folder, name));
    units.push(join(ROOT, "samples/fleet/guideferry-worker.service"));
    expect(units).toHaveLength(4);
    // It ends with 1 and names the line for anything that systemd does not take.
    expect(execFileSync("systemd-analyze", ["verify", ...units], { encoding: "utf8", stdio: "pipe" })).toBe("");
  });
});

const name = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const quantity = z.string().regex(/^\d+(?:m|[KMGT]i?)?$/);
const environment = z.array(z.strictObject({ name: z.string().regex(/^[A-Z_]+$/), value: z.string() }));

/** The parts of a CronJob that the sample uses, as the API of Kubernetes takes them. */
const cronJobSchema = z.strictObject({
  apiVersion: z.literal("batch/v1"),
  kind: z.literal("CronJob"),
  metadata: z.strictObject({ name }),
  spec: z.strictObject({
    schedule: z.string().regex(/^(?:[\d*/,-]+ ){4}[\d*/,-]+$/),
    timeZone: z.string(),
    concurrencyPolicy: z.literal("Forbid"),
    startingDeadlineSeconds: z.int().min(60),
    successfulJobsHistoryLimit: z.int(),
    failedJobsHistoryLimit: z.int(),
    jobTemplate: z.strictObject({
      spec: z.strictObject({
        backoffLimit: z.literal(0),
        activeDeadlineSeconds: z.int(),
        template: z.strictObject({
          spec: z.strictObject({
            restartPolicy: z.literal("Never"),
            terminationGracePeriodSeconds: z.int(),
            automountServiceAccountToken: z.literal(false),
            securityContext: z.strictObject({
              runAsNonRoot: z.literal(true),
              runAsUser: z.int().min(1),
              runAsGroup: z.int().min(1),
              fsGroup: z.int().min(1),
              seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
            }),
            containers: z.tuple([
              z.strictObject({
                name,
                image: z.string().regex(/:\d+\.\d+\.\d+$/),
                args: z.array(z.string()),
                env: environment,
                securityContext: z.strictObject({
                  allowPrivilegeEscalation: z.literal(false),
                  readOnlyRootFilesystem: z.literal(true),
                  capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
                }),
                resources: z.strictObject({
                  requests: z.strictObject({ cpu: quantity, memory: quantity }),
                  limits: z.strictObject({ memory: quantity }),
                }),
                volumeMounts: z.array(
                  z.strictObject({ name, mountPath: z.string().startsWith("/"), readOnly: z.literal(true).optional() }),
                ),
              }),
            ]),
            volumes: z.array(
              z.union([
                z.strictObject({ name, persistentVolumeClaim: z.strictObject({ claimName: name }) }),
                z.strictObject({ name, secret: z.strictObject({ secretName: name, defaultMode: z.int().max(0o777) }) }),
                z.strictObject({ name, emptyDir: z.strictObject({}) }),
              ]),
            ),
          }),
        }),
      }),
    }),
  }),
});

describe("Kubernetes", () => {
  // As the API server reads it: 0440 is octal there.
  const [claim, job] = parseAllDocuments(text(CRON_JOB), { version: "1.1", schema: "core" }).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join("\n"));
    return document.toJS() as { readonly kind: string; readonly metadata: { readonly name: string } };
  });

  it("has a CronJob as its API takes it, whose volumes exist and whose command the program takes", async () => {
    const { spec } = cronJobSchema.parse(job).spec.jobTemplate;
    const pod = spec.template.spec;
    const [{ args, env, volumeMounts }] = pod.containers;
    expect(await refuse(args)).toBeNull();
    expect(volumeMounts.map((mount) => mount.name).toSorted()).toEqual(
      pod.volumes.map((volume) => volume.name).toSorted(),
    );
    expect(pod.volumes).toContainEqual(
      expect.objectContaining({ persistentVolumeClaim: { claimName: claim?.metadata.name } }),
    );
    const places = volumeMounts.map(({ mountPath }) => mountPath);
    for (const { value } of env) expect(places.some((place) => value.startsWith(`${place}/`))).toBe(true);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(30 + 10);
    const hours = Number(/^(\d+)h$/.exec(args[args.indexOf("--max-duration") + 1] ?? "")?.[1]);
    expect(spec.activeDeadlineSeconds).toBeGreaterThan(hours * 3600);
  });
});

describe("the GitHub Action", () => {
  const step = z.union([
    z.strictObject({ uses: z.string().regex(/@v\d+$/), with: z.record(z.string(), z.unknown()) }),
    z.strictObject({ name: z.string(), run: z.string(), if: z.string().optional() }),
  ]);
  const workflow = z.strictObject({
    name: z.string(),
    on: z.strictObject({ schedule: z.tuple([z.strictObject({ cron: z.string() })]), workflow_dispatch: z.null() }),
    permissions: z.strictObject({}),
    concurrency: z.strictObject({ group: z.string(), "cancel-in-progress": z.literal(false) }),
    jobs: z.strictObject({
      backup: z.strictObject({
        "runs-on": z.array(z.string()),
        "timeout-minutes": z.int().max(360),
        env: z.record(z.string().startsWith("GUIDEFERRY_"), z.string().regex(/^\$\{\{ secrets\.[A-Z_]+ \}\}$/)),
        steps: z.array(step),
      }),
    }),
  });

  it("is a workflow whose secrets come from the settings and whose commands are in one line each", () => {
    const { steps } = workflow.parse(parse(text(ACTION))).jobs.backup;
    const runs = steps.flatMap((one) => ("run" in one ? [one.run] : []));
    expect(runs).toEqual([
      expect.stringMatching(/^npx --yes guideferry backup .* --keep-monthly 24$/),
      expect.stringMatching(/^npx --yes guideferry verify .*$/),
    ]);
  });
});

describe("the Dockerfile", () => {
  it("installs from the lock file, runs as a user without rights, and copies what is there", () => {
    const stages = DOCKERFILE.split(/^FROM /m).slice(1);
    expect(stages.map((stage) => stage.split("\n")[0])).toEqual([
      expect.stringMatching(/ AS build$/),
      expect.stringMatching(/ AS dependencies$/),
      expect.not.stringContaining(" AS "),
    ]);
    for (const install of DOCKERFILE.match(/^RUN npm (?:ci|i|install)\b.*/gm) ?? [])
      expect(install).toMatch(/^RUN npm ci .*--ignore-scripts/);
    expect(stages.at(-1)).toMatch(/^USER node\nENTRYPOINT \["node", "\/app\/dist\/src\/cli\.js"\]$/m);
    const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = ""]) =>
      names.split(" "),
    );
    expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const sent = text("docker/Dockerfile.dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"));
    expect(new Set(copied)).toEqual(new Set(sent.map((line) => line.slice(1))));
  });
});
