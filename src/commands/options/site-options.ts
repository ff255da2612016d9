import { DEFAULT_FAILURE_LIMIT } from "../../sync/failure-brake.js";
import { type CommandName, option } from "./option.js";
import { failureLimitSchema, hostsSchema, rateSchema, switchSchema, textSchema, wholeSchema } from "./values.js";

const READING: readonly CommandName[] = ["migrate", "extract", "plan", "apply", "verify", "retry", "backup", "repair"];
const WRITING: readonly CommandName[] = ["migrate", "load", "plan", "apply", "verify", "retry", "undo", "restore"];
const TALKING: readonly CommandName[] = [
  "migrate",
  "extract",
  "load",
  "plan",
  "apply",
  "verify",
  "retry",
  "undo",
  "backup",
  "restore",
  "repair",
];
/** Training packages have a concurrency of their own, and one call has none. */
const ASKING: readonly CommandName[] = [...TALKING, "import-training", "training probe", "check", "api"];

/** Where things lie, and how fast and how long sites are talked to. */
export const SITE_OPTIONS = {
  workspace: option({
    about: "the folder that holds what was read and what was loaded; made when it is not there",
    value: "DIR",
    schema: textSchema,
    fallback: "./guideferry-workspace",
    commands: ["migrate", "extract", "plan", "verify", "backup", "restore", "import-training"],
  }),
  rate: option<number | null>({
    about: "requests a second to each site at most, retries included",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "10/s; no limit on loopback",
    commands: ASKING,
  }),
  sourceRate: option<number | null>({
    about: "the same for the source only",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "--rate",
    commands: READING,
  }),
  targetRate: option<number | null>({
    about: "the same for the target only",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "--rate",
    commands: WRITING,
  }),
  mediaRate: option<number | null>({
    about: "the same for media on hosts other than the site",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "50/s; no limit on loopback",
    commands: READING,
  }),
  allowPrivateMedia: option<readonly string[]>({
    about:
      "fetch media from this host although it is not on the public internet; where the site itself is they are always fetched",
    value: "HOST,…",
    schema: hostsSchema,
    fallback: [],
    fallbackText: "none",
    repeatable: true,
    commands: READING,
  }),
  concurrency: option({
    about: "items at work at the same time",
    value: "N",
    schema: wholeSchema(1, 64),
    fallback: 8,
    commands: TALKING,
  }),
  maxFailures: option({
    about: "stop with 8 after so many failures in a row of one cause, a share of all items, or either: 50,20%",
    value: "N|P%",
    schema: failureLimitSchema,
    fallback: DEFAULT_FAILURE_LIMIT,
    fallbackText: "50,20%",
    commands: [...TALKING, "import-training"],
  }),
  insecureHttp: option({
    about: "allow plain http to a site that is not on this machine; the sign-in travels in the clear",
    schema: switchSchema,
    fallback: false,
    commands: ASKING,
  }),
} as const;
