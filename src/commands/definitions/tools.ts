import { DOCUMENT_FORMATS, FORMATS, type Format } from "../../../transforms/convert/formats.js";
import { EXIT, UsageError } from "../../core/errors.js";
import type { Command } from "../command.js";
import { untilStopped } from "../interruption.js";
import { CONFIG_FILES } from "../options/config-file.js";
import { CONTENT_TEXTS, ONE_SITE } from "../options/groups.js";

export const convert: Command = {
  name: "convert",
  group: "Tools",
  main: true,
  about: "convert wiki syntax, HTML, Markdown and manuals",
  arguments: [{ name: "INPUT", about: "a file, or - for stdin" }],
  description:
    "Reads a text in one format and writes it in another, to stdout or to the file --output. What the new format cannot\n" +
    "express is reported on stderr, with its place in the input. Uncertain readings of wiki text are reported too. Wiki\n" +
    "to wiki returns every text byte for byte. Contacts no site: facts that only the site has (addresses of images,\n" +
    "titles of guides) stay as ids.\n\n" +
    "A manual (omanual, json) becomes one page (markdown, html, plain-html, wiki). A page becomes a manual (omanual,\n" +
    "json): its first heading is the title, each further heading is a step, and lists are the lines of the step. A page\n" +
    "that this command wrote returns to the same manual. Everything that is lost is reported.\n\n" +
    `Formats, with their file endings (files are UTF-8):\n${formatLines()}\n\n` +
    "With --json the issues are JSON objects on stderr, one a line. With --ndjson each line of the input is a text of its\n" +
    'own, and its answer contains its issues. A line that cannot be converted is answered by an object with "error", and\n' +
    'the run ends with 3. For document-tree, "text" may be the JSON itself.',
  examples: [
    "guideferry convert page.md --to wiki                 a file, to stdout",
    "guideferry convert page.wiki -o page.html            formats from the file endings",
    "guideferry convert guide.xml --to markdown           a manual's guide as one page",
    "guideferry convert guide.md --to xml                 a page as a manual's guide (--as category: a category)",
    "guideferry convert page.wiki --to plain-html --origin https://site.example -o page.html",
    "pbpaste | guideferry convert - --from html --to wiki --line",
    "guideferry convert texts.ndjson --ndjson --from wiki --to markdown --strict -o texts.md.ndjson",
  ],
  options: ["strict", "from", "to", "as", "output", "line", "ndjson", "origin"],
  optionTexts: {
    ...CONTENT_TEXTS,
    strict: { about: "end with 12 if any content was lost" },
  },
  signsIn: [],
  done: "done: the text is written; what was lost is reported",
  exits: ["someFailed", "stopped", "notFound", "losses"],
  contentOnStdout: () => true,
  run: async (call) => {
    const { runConversion } = await import("../tools/convert.js");
    return runConversion(call);
  },
};

function formatLines(): string {
  return Object.entries<Format>({ ...FORMATS, ...DOCUMENT_FORMATS })
    .map(([name, { about, endings, reads }]) => {
      const notes = [...(reads ? [] : ["only written"]), ...endings.map((ending) => `.${ending}`)];
      return `  ${name.padEnd(18)} ${about} (${notes.join(" ")})`;
    })
    .join("\n");
}

export const check: Command = {
  name: "check",
  group: "Get started",
  main: true,
  about: "check that a site answers, and what the account may do",
  arguments: [{ name: "SITE", from: "site", about: "the site's address" }],
  description:
    "Checks what a migration needs from a site. Answers each question with ok, warning, failed or unknown, and says what\n" +
    "to do. Sends only reading requests, one at a time and within --rate. --probe-write also creates one private guide\n" +
    "with one step and one upload, reads them back and deletes them, even if something fails or you press Ctrl-C. What\n" +
    'could not be deleted is named. The guide\'s title is "guideferry probe, delete me, TIME"; each check looks for such\n' +
    "guides that were left behind.",
  examples: [
    "guideferry check https://site.example",
    "guideferry check https://new.example --as target --probe-write --rate 5",
    "guideferry check https://site.example --json | jq 'select(.state == \"failed\")'",
  ],
  options: [...ONE_SITE, "probeWrite", "signInAs"],
  signsIn: ["source", "target"],
  exits: ["someFailed", "signInRefused", "unreachable"],
  done: "no check failed; there may be warnings",
  run: async (call) => {
    const { runChecks } = await import("../tools/check.js");
    return runChecks(call);
  },
};

export const api: Command = {
  name: "api",
  group: "Tools",
  about: "send one request to a site's API and print the answer",
  arguments: [
    { name: "SITE", from: "site", about: "the site's address" },
    { name: "METHOD", about: "GET, POST, PUT, PATCH or DELETE" },
    { name: "PATH", about: "relative to the API root, with its query: guides/12" },
  ],
  description:
    "Sends the request once, signed in and within the rate, and never repeats it. Prints the status and the important\n" +
    "headers to stderr, and the unchanged body to stdout; secrets are removed from both. PATH cannot leave the site's\n" +
    "API. Every method but GET needs --write: such a request changes the site, and guideferry's ledgers do not record it.",
  examples: [
    "guideferry api https://site.example GET guides/12 | jq .title",
    'guideferry api https://site.example GET "guides?limit=5&order=desc"',
    'guideferry api https://site.example PUT guides/12/tag --data \'{"tag": "oil"}\' --write --as target',
    "guideferry api https://site.example POST guides --data @guide.json --write",
  ],
  options: [...ONE_SITE, "data", "write", "signInAs", "pretty"],
  optionTexts: CONTENT_TEXTS,
  signsIn: ["source", "target"],
  exits: ["someFailed", "stopped", "signInRefused", "unreachable", "notFound"],
  done: "the site answered 2xx",
  contentOnStdout: () => true,
  run: async (call) => {
    const { runApi } = await import("../tools/api.js");
    return runApi(call);
  },
};

export const sandbox: Command = {
  name: "sandbox",
  group: "Tools",
  about: "run an embedded site, for tests",
  arguments: [],
  description:
    "Starts a site on this machine. It answers as the service does, with the same checks and limits. It lives in memory:\n" +
    "loaded content is lost when it ends. It prints its address and token, and runs until it receives a signal (Ctrl-C).",
  examples: [
    "guideferry sandbox --port 4000                      an empty site to load into",
    "guideferry sandbox --site samples/site --port 4001  a site with content to migrate from",
    "GUIDEFERRY_TARGET_TOKEN=… guideferry migrate https://site.example http://127.0.0.1:4000",
  ],
  options: ["site", "port", "token", "dialect"],
  optionTexts: { port: { about: "the port on this machine" } },
  signsIn: [],
  exits: ["notFound"],
  run: async ({ settings, output, stop }) => {
    const { site, port, token, dialect } = settings;
    const { startSandbox } = await import("../../sandbox/index.js");
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
      output.note("Press Ctrl-C to end it. Its content is lost then.");
      return await untilStopped(stop);
    } finally {
      await server.close();
    }
  },
};

export const demo: Command = {
  name: "demo",
  group: "Get started",
  main: true,
  about: "migrate a sample site between two embedded sites",
  arguments: [],
  description:
    "Starts two sites on this machine: one with sample content, and an empty one with the same people. Migrates one into\n" +
    "the other, reads everything back, and prints a summary. Needs no account and no network. Leaves only the workspace\n" +
    "that it names.",
  examples: ["guideferry demo", "guideferry demo --json"],
  options: [],
  signsIn: [],
  exits: ["someFailed", "differences"],
  run: async (call) => {
    const { runDemo } = await import("../tools/demo.js");
    return runDemo(call);
  },
};

export const init: Command = {
  name: "init",
  group: "Get started",
  main: true,
  about: "ask a few questions and write a tested configuration",
  arguments: [{ name: "FILE", about: `the file to write; default: ${CONFIG_FILES[0]}`, optional: true }],
  description:
    "Asks what you want to do, with which sites, how you sign in there, and at which rate. Then it checks each site as\n" +
    "guideferry check does, with reading requests only. It shows the file, and writes it if you agree. It never asks for\n" +
    "a secret: sign-ins stay in environment variables, and the file only names the variables. Ctrl-C at any question\n" +
    "leaves nothing behind.",
  examples: [
    "guideferry init",
    "guideferry init acme.json && guideferry plan --config acme.json https://a.example https://b.example",
  ],
  options: [],
  signsIn: ["source", "target"],
  exits: ["stopped", "notFound"],
  done: "the file is written",
  writesConfig: true,
  run: async (call) => {
    const { runInit } = await import("../tools/init.js");
    return runInit(call);
  },
};

const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export const completion: Command = {
  name: "completion",
  group: "Tools",
  about: "print a script that completes commands and options by TAB",
  arguments: [{ name: "SHELL", about: `which shell: ${SHELLS.join(", ")}`, choices: SHELLS }],
  description:
    "Prints a script for bash, zsh or fish. TAB then completes commands, options, the values of options, and files. The\n" +
    "script calls the guideferry that is found in PATH, so it stays correct after an update. In zsh, load compinit first.",
  examples: [
    "source <(guideferry completion bash)   in ~/.bashrc",
    "source <(guideferry completion zsh)    in ~/.zshrc, below compinit",
    "guideferry completion fish > ~/.config/fish/completions/guideferry.fish",
  ],
  options: [],
  signsIn: [],
  exits: [],
  done: "the script is printed",
  contentOnStdout: () => true,
  run: async ({ arguments: [named = ""], stdout }) => {
    const shell = SHELLS.find((one) => one === named);
    if (shell === undefined)
      throw new UsageError(`The shell ${named} is unknown. Choose one of: ${SHELLS.join(", ")}.`);
    const { shellScript } = await import("../shell-completion.js");
    stdout.write(shellScript(shell));
    return EXIT.ok;
  },
};
