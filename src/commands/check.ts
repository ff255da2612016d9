import type { Command } from "./command.js";

export const check: Command = {
  name: "check",
  about: "before the night: is a site reachable, what may this account do there, how fast is it, what is there",
  arguments: [{ name: "SITE", about: "the site's address" }],
  description:
    "Asks a site what a migration depends on, and answers each question with ok, warning, failed or unknown, and what to do.\n" +
    "Only reads, one after the other and within --rate. --probe-write also makes one private guide with one step and one\n" +
    "upload, reads them back and deletes them, also when something fails in between or Ctrl-C is pressed; what could not be\n" +
    'deleted is named. Such a guide is called "guideferry probe, delete me, TIME"; each check looks for forgotten ones.',
  examples: [
    "guideferry check https://site.example",
    "guideferry check https://new.example --as target --probe-write --rate 5",
    "guideferry check https://site.example --json | jq 'select(.state == \"failed\")'",
  ],
  signsIn: ["source", "target"],
  exits: ["someFailed", "signInRefused", "unreachable"],
  done: "no question failed; there may be warnings",
  run: async (call) => {
    const { runCheck } = await import("./verbs/run-check.js");
    return runCheck(call);
  },
};
