import type { Command, CommandArgument } from "../command.js";
import { RUN_EXITS } from "../exit-codes.js";
import {
  LIVE_PAGE,
  LIVE_PAGE_TEXTS,
  LOADING,
  LOADING_TEXTS,
  MIGRATING,
  ONE_SNAPSHOT,
  READING_ITEMS,
  RUN_AT_SITES,
  SELECTION,
  SOURCE_SITE,
} from "../options/groups.js";

export const migrate = {
  name: "migrate",
  group: "Move content",
  main: true,
  about: "migrate a site or a manual into another site",
  arguments: [
    {
      name: "SOURCE",
      from: "source",
      about: "the address of the site to read, such as https://old.example, or documents: manual.omanual",
    },
    { name: "TARGET", from: "target", about: "the address of the site to write to, or a bundle: out.omanual" },
  ],
  description:
    "Extracts the source into a workspace folder, loads the workspace into the target, then reads the target back and\n" +
    "compares every item. You can stop or kill the run at any time. Run the same command again to continue: it creates\n" +
    "nothing twice and loses nothing.",
  examples: [
    "guideferry migrate https://old.example https://new.example --dry-run",
    "guideferry migrate https://old.example https://new.example --fit split --rate 5/s",
    "guideferry migrate manual.omanual https://new.example --publish",
    "guideferry migrate https://old.example out.omanual --only guide --include guide/123",
    "guideferry migrate https://old.example https://new.example --include 'Looms/**' --workspace ./looms",
  ],
  options: [
    ...LOADING,
    ...READING_ITEMS,
    ...SELECTION,
    ...RUN_AT_SITES,
    ...LIVE_PAGE,
    "split",
    "dryRun",
    "strict",
    "verify",
  ],
  optionTexts: LOADING_TEXTS,
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => (await import("../migration/operations.js")).runMigrate(call),
} satisfies Command;

export const extract = {
  name: "extract",
  group: "Move content",
  about: "fill or refresh a workspace from a site or from documents",
  arguments: [
    {
      name: "SOURCE",
      from: "source",
      about: "the site's address, such as https://site.example, or documents: manual.omanual",
    },
  ],
  description:
    "Reads everything on the site, with all media, into a workspace folder. Writes nothing to the site. The next extract\n" +
    "reads only what is new or changed. Documents are packages (.omanual, .zip), folders and single files (.xml, .oman).",
  examples: [
    "guideferry extract https://site.example",
    "guideferry extract ./manuals --workspace ./copy",
    "guideferry extract https://site.example --workspace ./copy --only category,guide --include 'Looms/**'",
  ],
  options: [...READING_ITEMS, ...SELECTION, ...RUN_AT_SITES, ...LIVE_PAGE, "records", "personalData", "refresh"],
  optionTexts: LIVE_PAGE_TEXTS,
  signsIn: ["source"],
  exits: RUN_EXITS,
  resumable: true,
  run: async (call) => (await import("../migration/operations.js")).runExtract(call),
} satisfies Command;

export const load = {
  name: "load",
  group: "Move content",
  about: "load a workspace into a site, or write it as a bundle",
  arguments: [
    { name: "WORKSPACE", from: "workspace", about: "the workspace folder" },
    {
      name: "TARGET",
      from: "target",
      about: "the site's address, such as https://site.example, or a bundle: out.omanual",
    },
  ],
  description:
    "Writes the items of the workspace to the site: guides are private at first, and are published at the end. The next\n" +
    "load writes only what is new or changed. Items that the site would refuse are found before the first write. A bundle\n" +
    "of manuals is written whole each time, then read back and compared.",
  examples: [
    "guideferry load ./guideferry-workspace https://new.example --dry-run",
    "guideferry load ./guideferry-workspace https://new.example --fit split",
    "guideferry load ./guideferry-workspace ./manuals --split category",
  ],
  options: [...LOADING, ...SELECTION, ...RUN_AT_SITES, ...LIVE_PAGE, "split", "dryRun", "strict"],
  optionTexts: LOADING_TEXTS,
  signsIn: ["target"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => (await import("../migration/operations.js")).runLoad(call),
} satisfies Command;

/** The arguments of commands that compare a site or a workspace with a target. */
const PLACE_AND_TARGET: readonly CommandArgument[] = [
  { name: "SOURCE|WORKSPACE", from: "source", about: "the source's address, its documents, or a workspace folder" },
  { name: "TARGET", from: "target", about: "the target's address" },
];

export const plan = {
  name: "plan",
  group: "Move content",
  main: true,
  about: "show what a migration would do, without a write",
  arguments: PLACE_AND_TARGET,
  description:
    "Shows for each item whether it would be created, changed, left unchanged, linked or left out, with the number of\n" +
    "requests and the time at the given rate. A source site is extracted into the workspace first. For a bundle, it shows\n" +
    "what the bundle would contain, and what would change in an existing one. For a repository of backups, it shows what\n" +
    "a restore into the site would do, as restore --dry-run does.",
  examples: [
    "guideferry plan https://old.example https://new.example",
    "guideferry plan ./guideferry-workspace https://new.example --fit split --detailed-exitcode",
    "guideferry plan https://old.example https://new.example -o friday.plan --html friday.html",
    "guideferry plan ./guideferry-workspace out.omanual",
    "guideferry plan /backups/site https://site.example --at 2026-11-17",
  ],
  options: [
    ...LOADING,
    ...READING_ITEMS,
    ...SELECTION,
    ...RUN_AT_SITES,
    ...ONE_SNAPSHOT,
    "split",
    "detailedExitcode",
    "planFile",
    "planHtml",
    "planText",
  ],
  optionTexts: LOADING_TEXTS,
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences", "losses", "planHasChanges"],
  resumable: true,
  run: async (call) => (await import("../migration/operations.js")).runPlan(call),
} satisfies Command;

export const apply = {
  name: "apply",
  group: "Move content",
  about: "carry out a saved plan, and nothing else",
  arguments: [{ name: "FILE", about: "the plan's file" }],
  description:
    "Does what the plan contains, with the options that the plan was made with. They are in the file and cannot be given\n" +
    "here. If the plan was made from a site, that site is read again first. Ends with 8 before the first write if the\n" +
    "source or the target changed since, or if a new plan would differ; each item that changed is named. After a stop,\n" +
    "run the same command again. A plan file that was edited is refused.",
  examples: [
    "guideferry plan https://old.example https://new.example -o friday.plan",
    "guideferry apply friday.plan",
    "guideferry apply friday.plan --target-rate 5/s --json",
  ],
  options: [...SOURCE_SITE, ...RUN_AT_SITES, ...LIVE_PAGE, "targetRate", "contentVersion", "strict"],
  optionTexts: LIVE_PAGE_TEXTS,
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "losses"],
  resumable: true,
  run: async (call) => (await import("../migration/migration.js")).runApply(call, call.arguments[0] ?? ""),
} satisfies Command;

export const verify = {
  name: "verify",
  group: "Move content",
  about: "compare target and source, or check a backup or a report",
  arguments: [
    {
      name: "SOURCE|WORKSPACE|REPO|REPORT",
      from: "compared",
      about:
        "the source's address, its documents, a workspace folder, a repository of backups, or a report that verify saved",
    },
    {
      name: "TARGET",
      from: "target",
      about: "the target's address, or a bundle; leave it out for a repository or a report",
      optional: true,
    },
  ],
  description:
    "Reads back every loaded item and compares it with the workspace. A source site is extracted into the workspace\n" +
    "first, so changes there since the load are shown as differences. Options such as --fit have the values of the last\n" +
    "load, unless given. Verify also checks the HTML that the target renders from each text, and follows the references\n" +
    "in the texts. Writes nothing to either site. --report FILE saves what was compared, so that others can check it.\n\n" +
    "A bundle, or a folder of bundles, is compared with what would be written now. Options such as --only, --include and\n" +
    "--transform have the values with which this workspace wrote it, unless given.\n\n" +
    "A repository of backups is read whole and compared with the hashes that were recorded when it was written. If a file\n" +
    "is damaged or missing, verify checks its contents one by one. It names the affected items and media, the snapshots\n" +
    "that contain them, and the undamaged snapshots. Without a key, encrypted archives are checked as files\n" +
    "only. A single archive that `export` wrote can be checked too.\n\n" +
    "A report is checked on its own, without any site: verify finds entries that were changed, removed or added. --item\n" +
    "KEY checks one item only.",
  examples: [
    "guideferry verify ./guideferry-workspace https://new.example",
    "guideferry verify https://old.example https://new.example --json",
    "guideferry verify ./guideferry-workspace out.omanual",
    "guideferry verify /backups/site --sample 10%",
    "guideferry verify ./guideferry-workspace https://new.example --report proof.jsonl; guideferry verify proof.jsonl",
  ],
  options: [
    ...MIGRATING,
    ...READING_ITEMS,
    ...SELECTION,
    ...RUN_AT_SITES,
    ...LIVE_PAGE,
    "split",
    "identity",
    "sample",
    "structure",
    "verifyReport",
    "reportItem",
  ],
  optionTexts: LIVE_PAGE_TEXTS,
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences"],
  resumable: true,
  run: async (call) => (await import("../migration/operations.js")).runVerify(call),
} satisfies Command;
