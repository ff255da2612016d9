import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { runHere } from "../helpers/run-here.js";
import { removeFolder } from "../helpers/temporary-folder.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The addresses that pages use for sites. */
const SITES: Readonly<Record<string, Parameters<typeof startSandbox>[0]>> = {
  "https://old.example": { site: join(ROOT, "samples/site"), token: "old-token" },
  "https://new.example": { name: "The new site", people: join(ROOT, "samples/site"), token: "new-token" },
};

/** What a block printed, both streams together, and how it ended. */
export interface Ran {
  readonly output: string;
  /** The exit status of its last command. */
  readonly exit: number;
  /** How many of its commands ended with another status than 0. */
  readonly failed: number;
}

/** A shell of one page: the folder, variables and sites last from block to block. */
export interface PageShell {
  run(commands: string): Promise<Ran>;
}

/**
 * Starts a shell in an empty folder that has `samples`, the command `guideferry`, and the sites that the page names. Their
 * addresses stand for embedded sites in commands and outputs. Everything ends with the test.
 */
export async function startShell(page: string): Promise<PageShell> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-test-"));
  onTestFinished(() => removeFolder(folder));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [home, work] = [join(folder, "home"), join(folder, "here")];
  await mkdir(home);
  await cp(join(ROOT, "samples"), join(work, "samples"), { recursive: true });
  await mkdir(join(work, "node_modules"));
  await symlink(ROOT, join(work, "node_modules/guideferry"));
  const sites = await startSites(page);
  const shell = spawn("bash", ["--norc", "--noprofile"], {
    cwd: work,
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      TMPDIR: folder,
      TERM: "dumb",
      LC_ALL: "C.UTF-8",
      XDG_STATE_HOME: home,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => {
    shell.kill("SIGKILL");
  });
  shell.stdin.write(`${commandHere(await answerCommands(folder), folder)}\ntrap 'failed=$((failed + 1))' ERR\n`);
  let text = "";
  let look = (): void => undefined;
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      look();
    });
  return {
    run: (commands) =>
      new Promise((resolve, reject) => {
        shell.once("close", () => reject(new Error(`The shell of the page ended: ${text}`)));
        look = (): void => {
          const [whole, exit, failed] = /\n?<end of block (\d+) (\d+)>\n$/.exec(text) ?? [];
          if (whole === undefined) return;
          const output = shown(text.slice(0, -whole.length), sites, folder);
          text = "";
          shell.removeAllListeners("close");
          resolve({ output, exit: Number(exit), failed: Number(failed) });
        };
        const asked = Object.entries(sites).reduce((all, [name, { origin }]) => all.replaceAll(name, origin), commands);
        shell.stdin.write(
          `failed=0\n{ ${asked.trimEnd()}\n} 2>&1\nprintf '\\n<end of block %s %s>\\n' "$?" "$failed"\n`,
        );
      }),
  };
}

/**
 * The command `guideferry` as a function of the shell. A start of the program takes longer than most of what the pages do, so
 * the process of the test runs the command line: it gets folder, words and variables over a socket, and leaves the
 * output in two files.
 */
function commandHere(port: number, folder: string): string {
  return `guideferry() {
  local code
  case " $* " in *" - "*) cat > "${folder}/input" ;; *) : > "${folder}/input" ;; esac
  exec 3<> /dev/tcp/127.0.0.1/${port}
  { printf '%s\\0' "$PWD" "$#" "$@"; env -0; printf '%s\\0' "<end>"; } >&3
  read -r code <&3
  exec 3>&-
  cat "${folder}/stdout"
  cat "${folder}/stderr" >&2
  return "$code"
}`;
}

/** Runs the command lines of one shell, one after the other. */
async function answerCommands(folder: string): Promise<number> {
  const server = createServer((socket) => {
    let asked = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      asked += part;
      if (asked.endsWith("\0<end>\0")) answer(folder, asked, socket).catch((error: Error) => socket.destroy(error));
    });
  });
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function answer(folder: string, asked: string, socket: Socket): Promise<void> {
  const [directory = "", count, ...rest] = asked.split("\0");
  const variables = rest.slice(Number(count), -2).map((line): [string, string] => {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1)];
  });
  const input = await readFile(join(folder, "input"));
  const environment = Object.fromEntries(variables);
  const { code, stdout, stderr } = await runHere(rest.slice(0, Number(count)), { directory, environment, input });
  await writeFile(join(folder, "stdout"), stdout);
  await writeFile(join(folder, "stderr"), stderr);
  socket.end(`${code}\n`);
}

async function startSites(page: string): Promise<Readonly<Record<string, Sandbox>>> {
  const sites: Record<string, Sandbox> = {};
  for (const [name, options] of Object.entries(SITES)) {
    if (!page.includes(name)) continue;
    const site = await startSandbox(options);
    sites[name] = site;
    onTestFinished(() => site.close());
  }
  return sites;
}

/** The output as the reader of the page sees it, with the names of the sites and folders of the page. */
function shown(output: string, sites: Readonly<Record<string, Sandbox>>, folder: string): string {
  const named = Object.entries(sites).reduce(
    (text, [name, { origin }]) => text.replaceAll(origin, name).replaceAll(new URL(origin).host, new URL(name).host),
    output,
  );
  return named.replaceAll(`${folder}/here/`, "./").replaceAll(`${folder}/here`, ".");
}
