import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "./command.js";
import { SAMPLE_SITE } from "./verbs/sample-site.js";

export const demo: Command = {
  name: "demo",
  about: "see it work: migrate a sample site between two embedded sites",
  arguments: [],
  description:
    "Starts a site with sample content and an empty one with the same people on this machine, migrates one into the other, reads\n" +
    "everything back, and says what it did. Needs no account and no network. Leaves only the workspace that it names.",
  examples: ["guideferry demo", "guideferry demo --json"],
  signsIn: [],
  exits: ["someFailed", "differences"],
  run: async (call) => {
    const { startSandbox } = await import("../sandbox/index.js");
    const [source, target] = await Promise.all([
      startSandbox({ site: SAMPLE_SITE }),
      startSandbox({ name: "The new site", people: SAMPLE_SITE }),
    ]);
    try {
      const directory = await mkdtemp(join(tmpdir(), "guideferry-demo-"));
      const { rehearse } = await import("./verbs/rehearse.js");
      const { printDemo } = await import("./output/print-demo.js");
      call.output.note(`Migrating ${source.url} into ${target.url} …`);
      const exitCode = await rehearse(call, { source, target, directory });
      printDemo({ source, target, directory, exitCode }, call.output);
      return exitCode;
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  },
};
