import type { Command } from "../command.js";
import { RUN_EXITS } from "../exit-codes.js";
import {
  CONTENT_TEXTS,
  LIVE_PAGE,
  LIVE_PAGE_TEXTS,
  MONITORING,
  ONE_SITE,
  PACKAGE_CHECK,
  TIME_LIMITS,
  TRANSFERS,
} from "../options/groups.js";

export const importTraining = {
  name: "import-training",
  group: "Training packages",
  main: true,
  about: "import SCORM, AICC, cmi5 and xAPI packages into a site",
  arguments: [
    { name: "PACKAGE", about: "a folder, a file, a list of them (.txt, .csv, .json) or an https address", many: true },
    { name: "SITE", from: "target", about: "the site's address" },
  ],
  description:
    "Checks each package, repairs what can be repaired without a change to what it teaches, and imports it as a draft, or\n" +
    "with --publish as the published version. A package is recognised by its contents. A package that the site already\n" +
    "has is not sent again. New contents from the same place become a new version of the same module. For a refused\n" +
    "package, the report says what to change, and the other packages are imported. Run the same command again to\n" +
    "continue: nothing is imported twice, even if an answer was lost. The journal is in the workspace.",
  examples: [
    "guideferry import-training ./packages https://site.example --dry-run",
    "guideferry import-training ./packages https://site.example",
    "guideferry import-training list.csv safety.zip https://site.example --publish",
  ],
  options: [
    ...TIME_LIMITS,
    ...MONITORING,
    ...ONE_SITE,
    ...TRANSFERS,
    ...LIVE_PAGE,
    ...PACKAGE_CHECK,
    "workspace",
    "maxFailures",
    "allowDuplicates",
    "dryRun",
    "publishModules",
    "importConcurrency",
    "matchModules",
    "startByUrl",
    "retryUnknown",
    "importDeadline",
  ],
  optionTexts: {
    ...LIVE_PAGE_TEXTS,
    allowDuplicates: {
      about:
        "import from a new workspace although the site has modules with the same titles: they exist twice afterwards",
    },
    dryRun: { about: "show what would be imported, and write nothing to the site" },
  },
  signsIn: ["target"],
  exits: RUN_EXITS,
  done: "done: every package is imported, now or earlier",
  resumable: true,
  run: async (call) => {
    const { runImportTraining } = await import("../training/import-training.js");
    return runImportTraining(call);
  },
} satisfies Command;

export const trainingCheck: Command = {
  name: "training check",
  group: "Training packages",
  main: true,
  about: "check training packages; contacts no site",
  arguments: [
    { name: "PATH", about: "a folder, a file, or a list of them (.txt, .csv, .json); https addresses too", many: true },
  ],
  description:
    "Checks each package as import-training does, and writes nothing. The verdicts are accept, accept-with-warning and\n" +
    "refuse. Each finding has a code, a place, and a sentence that says what to change in the authoring tool. --json\n" +
    "prints one object a package on stdout, --csv one line: file, verdict, codes, standard, title and more.",
  examples: [
    "guideferry training check ./packages",
    "guideferry training check ./packages --csv > packages.csv",
    "guideferry training check course.zip --strictness strict --json | jq .codes",
    "guideferry training check ./packages --report ./report      also an HTML report for the authors",
  ],
  options: [...PACKAGE_CHECK, ...TRANSFERS, "csv", "reportFolder"],
  optionTexts: {
    json: { about: "print one JSON object for each package on stdout, and messages as JSON objects on stderr" },
  },
  signsIn: [],
  exits: ["someFailed", "stopped", "notFound"],
  done: "no package is refused",
  contentOnStdout: ({ json, csv }) => json || csv,
  run: async (call) => {
    const { runTrainingCheck } = await import("../training/check-training.js");
    return runTrainingCheck(call);
  },
};

export const trainingNormalise: Command = {
  name: "training normalise",
  group: "Training packages",
  about: "repair training packages and write them in a normal form",
  arguments: [
    { name: "PATH", about: "a folder, a file, or a list of them (.txt, .csv, .json); https addresses too", many: true },
  ],
  description:
    "Writes what import-training would send: without wrapper folder and file manager leftovers, with file names in UTF-8\n" +
    "with slashes, the manifest first, and fixed order and dates. Contents stay the same, byte for byte. The manifest is\n" +
    "changed only where necessary: each change is reported, and the original manifest is kept next to it. The same\n" +
    "package always gives the same bytes.",
  examples: [
    "guideferry training normalise course.zip -o ./normalised",
    "guideferry training normalise ./packages -o ./normalised --fix-case",
  ],
  options: [...PACKAGE_CHECK, ...TRANSFERS, "normalisedFolder", "force"],
  signsIn: [],
  exits: ["someFailed", "stopped", "notFound"],
  done: "every package is written",
  run: async (call) => {
    const { runTrainingNormalise } = await import("../training/check-training.js");
    return runTrainingNormalise(call);
  },
};

export const trainingProbe: Command = {
  name: "training probe",
  group: "Training packages",
  about: "record how a site's API answers about training modules",
  arguments: [{ name: "SITE", from: "target", about: "the site's address" }],
  description:
    "The service does not document the answers of these endpoints. This command sends a few reading requests, writes\n" +
    "nothing to the site, and prints the answers: names of fields, kinds of values, and names of states. Every other text\n" +
    "is replaced by its kind. Check the output, and send it with a bug report if an import cannot read a site's answers.",
  examples: ["guideferry training probe https://site.example > probe.json"],
  options: ONE_SITE,
  optionTexts: CONTENT_TEXTS,
  signsIn: ["target"],
  exits: ["someFailed", "stopped", "signInRefused", "unreachable"],
  done: "the answers are recorded",
  contentOnStdout: () => true,
  run: async (call) => {
    const { runTrainingProbe } = await import("../training/check-training.js");
    return runTrainingProbe(call);
  },
};
