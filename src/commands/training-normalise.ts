import type { Command } from "./command.js";

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
  signsIn: [],
  exits: ["someFailed", "stopped", "notFound"],
  done: "every package is written",
  run: async (call) => {
    const { runTrainingNormalise } = await import("./verbs/training/run-training-normalise.js");
    return runTrainingNormalise(call);
  },
};
