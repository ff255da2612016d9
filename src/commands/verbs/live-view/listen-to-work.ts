import type { Redact } from "../../../service/secret.js";
import type { FailureBook } from "../../../web/report/failure-book.js";
import type { SaidBook } from "../../../web/report/said-book.js";
import type { Workspace } from "../../../storage/workspace/workspace.js";
import type { CommandCall } from "../../command.js";
import type { LimitsWatch } from "../../output/limits-watch.js";

/** What a run works with. */
interface Work {
  readonly call: CommandCall;
  readonly workspace: Workspace;
}

/** Where what is heard goes. */
interface Books {
  readonly failures: FailureBook;
  readonly said: SaidBook;
  readonly limits: LimitsWatch;
  readonly redact: Redact;
}

/** The same, and failures, warnings and notes are kept in memory too, without secrets. */
export function listenToWork({ call, workspace }: Work, { failures, said, limits, redact }: Books): Work {
  const { output } = call;
  const kept = workspace.failures;
  const hear = (level: "warning" | "note", text: string): void =>
    said.note({ at: Date.now(), level, text: redact(text) });
  return {
    call: {
      ...call,
      output: {
        ...output,
        warn: (text) => {
          hear("warning", text);
          output.warn(text);
        },
        note: (text) => {
          hear("note", text);
          output.note(text);
        },
        watch: (look) => {
          limits.watch(look);
          output.watch(look);
        },
      },
    },
    workspace: {
      ...workspace,
      failures: {
        list: kept.list,
        add: (stage, key, reason, remedy) => {
          failures.add({ stage, key, target: null, reason: redact(reason), remedy: redact(remedy) });
          kept.add(stage, key, reason, remedy);
        },
        clear: (stage, key) => {
          failures.clear({ stage, key, target: null });
          kept.clear(stage, key);
        },
      },
    },
  };
}
