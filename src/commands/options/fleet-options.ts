import { z } from "zod";
import { option, switchOption, textOption } from "./option.js";
import { durationSchema, wholeSchema } from "./values.js";

/** The options of a fleet of workers. */
export const FLEET_OPTIONS = {
  database: textOption({
    usual: true,
    about:
      "the shared Postgres database: postgres://USER:PASSWORD@HOST:5432/DATABASE. The password is a secret: use the variable",
    value: "URL",
    fallbackText: "none; required",
    flagOnly: true,
  }),
  store: textOption({
    usual: true,
    about: "the object storage of the fleet: s3://bucket/prefix. Backups without --to are below it",
    value: "ADDRESS",
    fallbackText: "none",
  }),
  jobs: option({
    usual: true,
    about: "so many runs at the same time on this machine",
    value: "N",
    schema: wholeSchema(1, 64),
    fallback: 2,
  }),
  workspaces: textOption({
    usual: true,
    about: "the folder in which each task has its workspace; created if it does not exist",
    value: "DIR",
    fallbackText: "guideferry-fleet in the working directory",
  }),
  drainTimeout: option<number>({
    usual: true,
    about: "after the first signal, running commands get this time to end; then they are stopped, and others go on",
    value: "TIME",
    schema: durationSchema,
    fallback: 20,
    fallbackText: "20s",
  }),
  healthPort: option<number | null>({
    usual: true,
    about: "answer /healthz and /metrics (Prometheus text format) on this port, to every machine",
    value: "N",
    schema: wholeSchema(0, 65_535),
    fallback: null,
    fallbackText: "none; 0: a free port",
  }),
  workerRole: textOption({
    usual: true,
    about: "give this database user the rights that a worker needs, and no other ones",
    value: "USER",
    fallbackText: "none",
    flagOnly: true,
  }),
  cron: textOption({
    usual: true,
    about: "when to run: minute, hour, day of the month, month, day of the week; or @hourly, @daily, @weekly, @monthly",
    value: "TIMES",
    fallbackText: "none; required",
    flagOnly: true,
  }),
  timeZone: textOption({
    usual: true,
    about: "the time zone of --cron, such as Europe/Berlin",
    flag: "tz",
    value: "ZONE",
    fallbackText: "UTC",
    flagOnly: true,
  }),
  taskName: textOption({
    usual: true,
    about: "a unique name of the task, for the other commands",
    value: "NAME",
    fallbackText: "none: its id names it",
    flagOnly: true,
  }),
  tenant: textOption({
    usual: true,
    about: "whose task it is; `fleet apply` sets how many tasks of a tenant run at the same time",
    value: "NAME",
    fallbackText: "none",
    flagOnly: true,
  }),
  priority: option({
    usual: true,
    about: "tasks with a higher number are first",
    value: "N",
    schema: wholeSchema(0, 1000),
    fallback: 0,
    flagOnly: true,
  }),
  sourceTokenReference: textOption({
    usual: true,
    about: "where a worker finds the token of the source: env:NAME, file:PATH or command:LINE; never the token itself",
    flag: "sourceToken",
    value: "REFERENCE",
    fallbackText: "none",
    flagOnly: true,
  }),
  targetTokenReference: textOption({
    usual: true,
    about: "where a worker finds the token of the target: env:NAME, file:PATH or command:LINE; never the token itself",
    flag: "targetToken",
    value: "REFERENCE",
    fallbackText: "none",
    flagOnly: true,
  }),
  credentials: option<readonly string[]>({
    about:
      "where a worker finds another secret of the command: GUIDEFERRY_SOURCE_EMAIL=env:NAME, GUIDEFERRY_PASSPHRASE=file:PATH; may be given several times",
    value: "VARIABLE=REFERENCE",
    schema: z.array(z.string()).readonly(),
    fallback: [],
    fallbackText: "none",
    single: "credential",
    flagOnly: true,
  }),
  failed: switchOption({
    usual: true,
    about: "show only tasks that failed, and what to do for each",
    flagOnly: true,
  }),
  workers: switchOption({
    usual: true,
    about: "show the workers in place of the tasks",
    flagOnly: true,
  }),
  yes: switchOption({
    usual: true,
    about: "do not ask",
    flagOnly: true,
  }),
} as const;
