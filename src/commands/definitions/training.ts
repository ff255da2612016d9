import type { Command } from "../command.js";
import { RUN_EXITS } from "../exit-codes.js";
import { LIVE_PAGE, ONE_SITE, PACKAGE_CHECK, TIME_LIMITS } from "../options/groups.js";

export const importTraining: Command = {
  name: "import-training",
  about: "import training packages (SCORM, AICC, cmi5, xAPI) into a site's external training modules",
  arguments: [
    { name: "PACKAGE", about: "a folder, a file, a list of them (.txt, .csv, .json) or an https address", many: true },
    { name: "SITE", about: "the site's address" },
  ],
  description:
    "Checks each package, repairs what can be repaired without changing what it teaches, and imports it: a draft, unless\n" +
    "--publish. A package is known by its contents: what the site has already is not sent again, other contents from the\n" +
    "same place become a new version of the same module. What is refused is told with what to change, and the rest goes on.\n" +
    "Run again it goes on where it was; whatever answer was lost, nothing is imported twice. The journal lies in the workspace.",
  examples: [
    "guideferry import-training ./packages https://site.example --dry-run",
    "guideferry import-training ./packages https://site.example",
    "guideferry import-training list.csv safety.zip https://site.example --publish",
  ],
  options: [
    ...TIME_LIMITS,
    ...ONE_SITE,
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
  signsIn: ["target"],
  exits: RUN_EXITS,
  done: "done: every package is imported, or was before",
  resumable: true,
  run: async (call) => {
    const { runImportTraining } = await import("../training/import-training.js");
    return runImportTraining(call);
  },
};

export const trainingCheck: Command = {
  name: "training check",
  about: "say what is wrong with training packages; asks no site",
  arguments: [
    { name: "PATH", about: "a folder, a file, or a list of them (.txt, .csv, .json); https addresses too", many: true },
  ],
  description:
    "Looks at each package as import-training does, and writes nothing. Verdicts: accept, accept-with-warning, refuse. Each\n" +
    "finding has a code, its place and a sentence that says what to change in the authoring tool.\n" +
    "With --json one object a package on stdout, with --csv one line: file, verdict, codes, standard, title and more.",
  examples: [
    "guideferry training check ./packages",
    "guideferry training check ./packages --csv > packages.csv",
    "guideferry training check course.zip --profile strict --json | jq .codes",
    "guideferry training check ./packages --report ./report      also a page to send to the authors",
  ],
  options: [...PACKAGE_CHECK, "csv", "reportFolder"],
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
  about: "write training packages anew, with what can be repaired repaired; asks no site",
  arguments: [
    { name: "PATH", about: "a folder, a file, or a list of them (.txt, .csv, .json); https addresses too", many: true },
  ],
  description:
    "Writes what import-training would send: without wrapper folder and what file managers left, names with slashes and in\n" +
    "UTF-8, the manifest first, fixed order and dates. Contents stay as they are byte for byte; a manifest is changed only where\n" +
    "it must be, each change is told, and the original manifest is kept beside. The same package gives the same bytes.",
  examples: [
    "guideferry training normalise course.zip -o ./normalised",
    "guideferry training normalise ./packages -o ./normalised --fix-case",
  ],
  options: [...PACKAGE_CHECK, "normalisedFolder", "force"],
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
  about: "record what a site answers about its training modules, without secrets and personal data",
  arguments: [{ name: "SITE", about: "the site's address" }],
  description:
    "The service shows no payloads of these calls. This reads a few of them, writes nothing to the site, and prints what came:\n" +
    "names of fields, kinds of values and words for states; every other text is replaced by what kind of text it is. Look\n" +
    "through it, and send it with a report when an import can't make sense of a site's answers.",
  examples: ["guideferry training probe https://site.example > probe.json"],
  options: ONE_SITE,
  signsIn: ["target"],
  exits: ["someFailed", "stopped", "signInRefused", "unreachable"],
  done: "the answers are recorded",
  contentOnStdout: () => true,
  run: async (call) => {
    const { runTrainingProbe } = await import("../training/check-training.js");
    return runTrainingProbe(call);
  },
};
