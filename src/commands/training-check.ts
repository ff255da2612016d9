import type { Command } from "./command.js";

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
  signsIn: [],
  exits: ["someFailed", "stopped", "notFound"],
  done: "no package is refused",
  contentOnStdout: ({ json, csv }) => json || csv,
  run: async (call) => {
    const { runTrainingCheck } = await import("./verbs/training/run-training-check.js");
    return runTrainingCheck(call);
  },
};
