import type { Command } from "./command.js";

export const sandbox: Command = {
  name: "sandbox",
  about: "run an embedded site, for rehearsals",
  arguments: [],
  description:
    "Starts a site on this machine that answers as the service does, as strictly and with the same limits. It lives in memory:\n" +
    "what was loaded into it is gone when it ends. It prints its address and token and runs until it gets a signal (Ctrl-C).",
  examples: [
    "guideferry sandbox --port 4000                      an empty site to load into",
    "guideferry sandbox --site samples/site --port 4001  one with content to migrate from",
    "GUIDEFERRY_TARGET_TOKEN=… guideferry migrate https://site.example http://127.0.0.1:4000",
  ],
  signsIn: [],
  exits: ["notFound"],
  run: async ({ settings, output, stop }) => {
    const { site, port, token, dialect } = settings;
    const { startSandbox } = await import("../sandbox/index.js");
    const server = await startSandbox({
      port,
      ...(site === null ? {} : { site }),
      ...(token === null ? {} : { token }),
      ...(dialect === null ? {} : { dialect }),
    });
    try {
      output.event("sandbox", { url: server.url, token: server.token, login: server.credentials });
      output.say(`The sandbox runs at ${server.url}`);
      output.say(`Token: ${server.token}`);
      output.say(`Login: ${server.credentials.email}, ${server.credentials.password}`);
      output.note("Ctrl-C ends it, and what was loaded into it is gone then.");
      return await new Promise<never>((_resolve, reject) => {
        stop.addEventListener("abort", () => reject(stop.reason), { once: true });
      });
    } finally {
      await server.close();
    }
  },
};
