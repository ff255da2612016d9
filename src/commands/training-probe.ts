import type { Command } from "./command.js";

export const trainingProbe: Command = {
  name: "training probe",
  about: "record what a site answers about its training modules, without secrets and personal data",
  arguments: [{ name: "SITE", about: "the site's address" }],
  description:
    "The service shows no payloads of these calls. This reads a few of them, writes nothing to the site, and prints what came:\n" +
    "names of fields, kinds of values and words for states; every other text is replaced by what kind of text it is. Look\n" +
    "through it, and send it with a report when an import can't make sense of a site's answers.",
  examples: ["guideferry training probe https://site.example > probe.json"],
  signsIn: ["target"],
  exits: ["someFailed", "stopped", "signInRefused", "unreachable"],
  done: "the answers are recorded",
  contentOnStdout: () => true,
  run: async (call) => {
    const { runTrainingProbe } = await import("./verbs/training/run-training-probe.js");
    return runTrainingProbe(call);
  },
};
