import type { ProbedAnswer } from "../../../service/training/probe-training.js";
import { EXIT, type ExitCode } from "../../../core/errors.js";
import type { CommandCall } from "../../command.js";
import { readSite } from "../../location.js";
import { writeStream } from "../convert/write-stream.js";
import { siteOf, talkOf } from "../sites.js";

/** Prints what a site answers about its training modules, one JSON object with nothing secret in it. */
export async function runTrainingProbe(call: CommandCall): Promise<ExitCode> {
  const root = readSite(call.arguments[0] ?? "", call.settings.insecureHttp);
  const { connectModules } = await import("../../compose-tools.js");
  const { probe, redact, close } = connectModules(
    siteOf(call, "target", root),
    talkOf({ call, workspace: null, previous: null }, "target"),
  );
  call.hide(redact);
  try {
    const { answers, ...about } = await probe(call.abort);
    await writeStream(call.stdout, oneText(`${redact(JSON.stringify({ ...about, answers }, null, 2))}\n`));
    const [exitCode, words] = outcomeOf(root, answers);
    if (words !== "") call.output.warn(words);
    return exitCode;
  } finally {
    await close();
  }
}

/** What the answers come to, and what to do where none of them tells of modules. */
function outcomeOf(root: string, answers: readonly ProbedAnswer[]): readonly [ExitCode, string] {
  const statuses = answers.flatMap(({ status }) => status ?? []);
  if (statuses.some((status) => status < 300)) return [EXIT.ok, ""];
  if (statuses.length === 0)
    return [EXIT.unreachable, `${root} gave no whole answer. Check the address and the network, and run again.`];
  if (statuses.includes(401)) {
    return [
      EXIT.signInRefused,
      `${root} wants a sign-in (401), and the record tells only that. Set GUIDEFERRY_TARGET_TOKEN to an administrator's, and run again.`,
    ];
  }
  return [
    EXIT.someFailed,
    `${root} told nothing of training modules, it answered ${[...new Set(statuses)].join(", ")}. Sign in as an administrator; a site may have no such modules.`,
  ];
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}
