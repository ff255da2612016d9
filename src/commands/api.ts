import type { Command } from "./command.js";

export const api: Command = {
  name: "api",
  about: "make one call to a site's API and print what it answers, for support",
  arguments: [
    { name: "SITE", about: "the site's address" },
    { name: "METHOD", about: "GET, POST, PUT, PATCH or DELETE" },
    { name: "PATH", about: "relative to the API root, with its query: guides/12" },
  ],
  description:
    "Signed in, within the rate, and sent once: nothing is repeated. The status and the headers that matter go to stderr, the\n" +
    "body to stdout as it came; secrets are taken out of both. PATH never leaves the site's API.\n" +
    "Everything but GET needs --write: such a call changes the site, and guideferry's ledgers know nothing of it.",
  examples: [
    "guideferry api https://site.example GET guides/12 | jq .title",
    'guideferry api https://site.example GET "guides?limit=5&order=desc"',
    'guideferry api https://site.example PUT guides/12/tag --data \'{"tag": "oil"}\' --write --as target',
    "guideferry api https://site.example POST guides --data @guide.json --write",
  ],
  signsIn: ["source", "target"],
  exits: ["someFailed", "stopped", "signInRefused", "unreachable", "notFound"],
  done: "the site answered 2xx",
  contentOnStdout: () => true,
  run: async (call) => {
    const { runApi } = await import("./verbs/run-api.js");
    return runApi(call);
  },
};
