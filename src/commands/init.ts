import type { Command } from "./command.js";
import { CONFIG_FILES } from "./options/config-file.js";

export const init: Command = {
  name: "init",
  about: "asks a few questions and writes a configuration that it has tried",
  arguments: [{ name: "FILE", about: `the file to write; default: ${CONFIG_FILES[0]}`, optional: true }],
  description:
    "Asks what is to be done, with which sites, how you sign in there, and how fast it may go. Then it checks each site as\n" +
    "guideferry check does, only reading, shows the file, and writes it when you agree. It asks for no secret: sign-ins stay in\n" +
    "environment variables, and the file at most names them. Ctrl-C at any question leaves nothing behind.",
  examples: [
    "guideferry init",
    "guideferry init acme.json && guideferry plan --config acme.json https://a.example https://b.example",
  ],
  signsIn: ["source", "target"],
  exits: ["stopped", "notFound"],
  done: "the file was written",
  writesConfig: true,
  run: async (call) => {
    const { runInit } = await import("./verbs/init/run-init.js");
    return runInit(call);
  },
};
