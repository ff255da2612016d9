import { createRedactor } from "../../../service/secret.js";
import { EXIT, StoppedError } from "../../../core/errors.js";
import type { CommandCall } from "../../command.js";
import type { Config } from "../../options/config-schema.js";
import { configSchema } from "../../options/config-schema.js";
import { readCredentials, readSecrets } from "../../options/credentials.js";
import { explainError } from "../../output/explain-error.js";
import { runCheck } from "../run-check.js";
import { type Answers, configOf, sitesIn } from "./answers.js";
import { otherVariables } from "./sign-in-variables.js";

/** Checks each site, as `guideferry check` does with this configuration; how many did not pass. Throws StoppedError. */
export async function trySites(call: CommandCall, answers: Answers): Promise<number> {
  const config = configSchema.parse(configOf(answers));
  call.hide(createRedactor(readSecrets(call.environment, { path: null, config })).redact);
  let failed = 0;
  for (const [side, site] of sitesIn(answers)) {
    call.output.say(`\n${site}`);
    // One after the other, each with its table.
    if (!(await passes({ ...call, arguments: [site] }, side, answers, config))) failed += 1;
  }
  return failed;
}

async function passes(
  call: CommandCall,
  side: "source" | "target",
  answers: Answers,
  config: Config,
): Promise<boolean> {
  const chosen = answers.signIn[side];
  const others = new Set(otherVariables(side, chosen));
  // As it will be once they are unset, which is asked for at the end.
  const environment = Object.fromEntries(Object.entries(call.environment).filter(([name]) => !others.has(name)));
  try {
    const exitCode = await runCheck({
      ...call,
      settings: { ...call.settings, ...config, signInAs: side },
      credentials: (of) => readCredentials(of, of === side ? environment : call.environment, { path: null, config }),
    });
    return exitCode === EXIT.ok;
  } catch (error) {
    if (error instanceof StoppedError || call.stop.aborted) throw error;
    call.output.warn(explainError(error, false).text);
    return false;
  }
}
