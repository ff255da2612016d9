import { spawnSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type OnTerminal, PROGRAM, startOnTerminal } from "../../helpers/pseudo-terminal.js";
import { runCli } from "../../helpers/run-cli.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/** A folder with one folder in it, and a PATH on which guideferry is found. */
async function place(): Promise<{ readonly directory: string; readonly environment: Record<string, string> }> {
  const directory = await temporaryFolder();
  await mkdir(join(directory, "bin"));
  await mkdir(join(directory, "my-workspace"));
  const program = join(directory, "bin", "guideferry");
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  await chmod(program, 0o755);
  return { directory, environment: { PATH: `${join(directory, "bin")}:${process.env["PATH"]}`, PS1: "> " } };
}

/** Types a line, presses TAB, and begins a new line when the terminal shows what is expected. */
async function tab(terminal: OnTerminal, line: string, shown: RegExp, presses = 1): Promise<void> {
  terminal.type(line);
  await terminal.seen(new RegExp(`${line.trimEnd().slice(-8)}`));
  terminal.type("\t".repeat(presses));
  await terminal.seen(shown);
  terminal.type("\u0015");
}

const SHELLS = [
  { shell: "bash", words: ["bash", "--norc", "--noprofile", "-i"], before: "", presses: 2 },
  { shell: "zsh", words: ["zsh", "-f", "-i"], before: "autoload -Uz compinit; compinit -u -D; ", presses: 1 },
];

for (const { shell, words, before, presses } of SHELLS) {
  describe(`TAB in ${shell}`, { tags: [shell, "python3"] }, () => {
    it("completes commands, values and second words", async () => {
      const terminal = startOnTerminal(words, { columns: 100, ...(await place()) });
      terminal.type(`${before}source <(guideferry completion ${shell}); echo rea""dy\n`);
      await terminal.seen(/^ready/m);
      await tab(terminal, "guideferry mig", /rate /);
      await tab(
        terminal,
        "guideferry migrate --on-conflict ",
        /(?=[\s\S]*fail)(?=[\s\S]*merge)(?=[\s\S]*skip)[\s\S]*update/,
        presses,
      );
      await tab(terminal, "guideferry migrate --on-conflict me", /rge /);
      await tab(terminal, "guideferry migrate --on-conflict=sk", /ip /);
      await tab(terminal, "guideferry extract --only category,wi", /ki /);
      await tab(terminal, "guideferry training ", /check[\s\S]*normalise[\s\S]*probe/, presses);
      await tab(terminal, "guideferry status my-", /workspace\//);
    });

    it("runs nothing of what stands in the line", async () => {
      const here = await place();
      const terminal = startOnTerminal(words, { columns: 100, ...here });
      terminal.type(`${before}source <(guideferry completion ${shell}); echo rea""dy\n`);
      await terminal.seen(/^ready/m);
      await tab(terminal, "guideferry migrate $(touch ran) --on-conflict me", /rge /);
      expect(spawnSync("ls", [here.directory], { encoding: "utf8" }).stdout).not.toMatch(/^ran$/m);
    });
  });
}

describe("completion in fish", { tags: ["fish"] }, () => {
  it("completes commands, values and second words", async () => {
    const { directory, environment } = await place();
    const ask = (line: string): readonly string[] => {
      const script = `guideferry completion fish | source; complete -C ${JSON.stringify(line)}`;
      const env = { ...environment, HOME: directory };
      const { stdout } = spawnSync("fish", ["--no-config", "-c", script], { cwd: directory, env, encoding: "utf8" });
      return stdout.split("\n").flatMap((row) => (row.trim() === "" ? [] : [row.split("\t")[0] ?? ""]));
    };
    expect(ask("guideferry mig")).toEqual(["migrate"]);
    expect(ask("guideferry migrate --on-conflict ")).toEqual(["fail", "merge", "skip", "update"]);
    expect(ask("guideferry training ")).toEqual(["check", "normalise", "probe"]);
    expect(ask("guideferry status my-")).toEqual(["my-workspace/"]);
  });
});

describe("guideferry completion", () => {
  it("knows three shells, and says so", async () => {
    const { code, stdout, stderr } = await runCli(["completion", "tcsh"]);
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      expect.stringMatching(/The shell tcsh is unknown\. .*bash, zsh, fish/),
    ]);
  });
});
