import { EXIT, UsageError } from "../core/errors.js";
import type { Command } from "./command.js";
import { SHELLS } from "./shell-completion/shells.js";

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
  signsIn: [],
  exits: [],
  done: "the script was printed",
  contentOnStdout: () => true,
  run: async ({ arguments: [named = ""], stdout }) => {
    const shell = SHELLS.find((one) => one === named);
    if (shell === undefined) throw new UsageError(`${named} is no shell that is known here: ${SHELLS.join(", ")}.`);
    const { shellScript } = await import("./shell-completion/shell-script.js");
    stdout.write(shellScript(shell));
    return EXIT.ok;
  },
};
