import { DOCUMENT_FORMATS, FORMATS, type Format } from "../../../transforms/convert/formats.js";
import { EXIT, UsageError } from "../../core/errors.js";
import type { Command } from "../command.js";
import { untilStopped } from "../interruption.js";
import { ONE_SITE } from "../options/groups.js";
import { CONFIG_FILES } from "../options/settings.js";

export const convert: Command = {
  name: "convert",
  about:
    "convert a text between wiki syntax, HTML, Markdown and document trees, or a manual between XML, JSON and pages",
  arguments: [{ name: "INPUT", about: "a file, or - for stdin" }],
  description:
    "Reads a text in one format and writes it in another, to stdout unless --output names a file. What the new format\n" +
    "can't say is told on stderr with its place in the input, and so is each reading of wiki text that was not certain.\n" +
    "From wiki to wiki every text comes back byte for byte. Asks no site: what only the site knows (the addresses of\n" +
    "images, the titles of guides) stays as its number.\n\n" +
    "A manual (omanual, json) becomes one page (markdown, html, plain-html, wiki), and a page that is written as omanual or\n" +
    "json becomes a manual: its first heading is the title, each further one a step, lists are its lines. A page that was\n" +
    "written by this command comes back as it was; whatever a page or a manual does not say is told.\n\n" +
    `Formats, and the endings of files that say them (files are UTF-8):\n${formatLines()}\n\n` +
    "With --json the issues are JSON objects on stderr, one a line. With --ndjson each line of the input is a text of its\n" +
    'own, whose issues stand in its answer; a line that can\'t be converted is answered with an object that has "error",\n' +
    'and the run ends with 3. For document-tree "text" may be the JSON itself.',
  examples: [
    "guideferry convert page.md --to wiki                 a file, to stdout",
    "guideferry convert page.wiki -o page.html            formats by the endings",
    "guideferry convert guide.xml --to markdown           a manual's guide as one page",
    "guideferry convert guide.md --to xml                 a page as a manual's guide; --as category as a category",
    "guideferry convert page.wiki --to plain-html --origin https://site.example -o page.html",
    "pbpaste | guideferry convert - --from html --to wiki --line",
    "guideferry convert texts.ndjson --ndjson --from wiki --to markdown --strict -o texts.md.ndjson",
  ],
  options: ["strict", "from", "to", "as", "output", "line", "ndjson", "origin"],
  signsIn: [],
  done: "done: the text is written; what it does not say was told",
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
  options: [...ONE_SITE, "probeWrite", "signInAs"],
  signsIn: ["source", "target"],
  exits: ["someFailed", "signInRefused", "unreachable"],
  done: "no question failed; there may be warnings",
  run: async (call) => {
    const { runCheck } = await import("../tools/check.js");
    return runCheck(call);
  },
};

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
  options: [...ONE_SITE, "data", "write", "signInAs", "pretty"],
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
  options: ["site", "port", "token", "dialect"],
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
      output.note("Ctrl-C ends it, and what was loaded into it is gone then.");
      return await untilStopped(stop);
    } finally {
      await server.close();
    }
  },
};

export const demo: Command = {
  name: "demo",
  about: "see it work: migrate a sample site between two embedded sites",
  arguments: [],
  description:
    "Starts a site with sample content and an empty one with the same people on this machine, migrates one into the other, reads\n" +
    "everything back, and says what it did. Needs no account and no network. Leaves only the workspace that it names.",
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
  options: [],
  signsIn: ["source", "target"],
  exits: ["stopped", "notFound"],
  done: "the file was written",
  writesConfig: true,
  run: async (call) => {
    const { runInit } = await import("../tools/init.js");
    return runInit(call);
  },
};

/** The shells that there is a script for. */
const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export const completion: Command = {
  name: "completion",
  about: "a script that lets your shell complete commands, options and their values by TAB",
  arguments: [{ name: "SHELL", about: `which shell: ${SHELLS.join(", ")}`, choices: SHELLS }],
  description:
    "Prints a script for bash, zsh or fish. With it TAB completes commands, options, what an option can be, and files.\n" +
    "The script asks the guideferry that is found in PATH, so that it stays right when guideferry is updated.\n" +
    "In zsh, compinit comes before it.",
  examples: [
    "source <(guideferry completion bash)   in ~/.bashrc",
    "source <(guideferry completion zsh)    in ~/.zshrc, below compinit",
    "guideferry completion fish > ~/.config/fish/completions/guideferry.fish",
  ],
  options: [],
  signsIn: [],
  exits: [],
  done: "the script was printed",
  contentOnStdout: () => true,
  run: async ({ arguments: [named = ""], stdout }) => {
    const shell = SHELLS.find((one) => one === named);
    if (shell === undefined) throw new UsageError(`${named} is no shell that is known here: ${SHELLS.join(", ")}.`);
    const { shellScript } = await import("../shell-completion.js");
    stdout.write(shellScript(shell));
    return EXIT.ok;
  },
};
