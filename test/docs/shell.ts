import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestContext } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { removeFolder } from "../helpers/temporary-folder.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAM = join(ROOT, "dist/src/cli.js");

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
export async function startShell(page: string, { onTestFinished }: TestContext): Promise<PageShell> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-test-"));
  onTestFinished(() => removeFolder(folder));
  const home = join(folder, "home");
  const work = join(folder, "work");
  const programs = join(folder, "programs");
  for (const path of [home, work, programs]) await mkdir(path);
  await cp(join(ROOT, "samples"), join(work, "samples"), { recursive: true });
  await writeFile(join(programs, "guideferry"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, {
    mode: 0o755,
  });
  await mkdir(join(work, "node_modules"));
  await symlink(ROOT, join(work, "node_modules/guideferry"));
  const sites = await startSites(page, onTestFinished);
  const path = `${programs}:${process.env["PATH"] ?? ""}`;
  const shell = spawn("bash", ["--norc", "--noprofile"], {
    cwd: work,
    env: {
      PATH: path,
      HOME: home,
      TMPDIR: folder,
      XDG_STATE_HOME: join(home, "state"),
      TERM: "dumb",
      LC_ALL: "C.UTF-8",
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => {
    shell.kill("SIGKILL");
  });
  shell.stdin.write("trap 'failed=$((failed + 1))' ERR\n");
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
        // Both streams in the order in which they come.
        shell.stdin.write(
          `failed=0\n{ ${asked.trimEnd()}\n} 2>&1\nprintf '\\n<end of block %s %s>\\n' "$?" "$failed"\n`,
        );
      }),
  };
}

async function startSites(
  page: string,
  onTestFinished: TestContext["onTestFinished"],
): Promise<Readonly<Record<string, Sandbox>>> {
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
  return named.replaceAll(`${folder}/work/`, "./").replaceAll(`${folder}/work`, ".").replaceAll(folder, "/tmp");
}
