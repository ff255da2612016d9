import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";

export const apply: Command = {
  name: "apply",
  about: "carry out a plan that `plan -o FILE` saved, and nothing else",
  arguments: [{ name: "FILE", about: "the plan's file" }],
  description:
    "Does what the plan says, with the options that it was made with: they are in the file and can't be given here. A plan of a site\n" +
    "reads the site again first. Refused with 8, before the first write, where the source or the target moved since, or the plan would be\n" +
    "another one today; each item that moved is named. Stopped or killed, the same command goes on. A file that was changed is refused.",
  examples: [
    "guideferry plan https://old.example https://new.example -o friday.plan",
    "guideferry apply friday.plan",
    "guideferry apply friday.plan --target-rate 5/s --json",
  ],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "losses"],
  resumable: true,
  run: async (call) => {
    const { runApply } = await import("./verbs/run-apply.js");
    return runApply(call, call.arguments[0] ?? "");
  },
};
