import { UsageError } from "../../core/errors.js";
import type { CommandCall } from "../command.js";
import { SIDES, type Side } from "../options/credential-names.js";

/**
 * Whose sign-in goes to the one site of a command. A token must not go to a site that it is not of: where both sites' are set nobody but the
 * caller knows which one this is, and UsageError is thrown.
 */
export function sideOf(call: CommandCall): Side {
  const { signInAs } = call.settings;
  if (signInAs !== null) return signInAs;
  const signedIn = SIDES.filter((side) => call.credentials(side).kind !== "none");
  if (signedIn.length < 2) return signedIn[0] ?? "source";
  throw new UsageError(
    "Sign-ins for two sites are set. Say which one belongs to this site: --as source (GUIDEFERRY_SOURCE_…) or --as target " +
      "(GUIDEFERRY_TARGET_…).",
  );
}
