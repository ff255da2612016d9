import type { Credentials } from "../../service/credentials.js";
import { Secret } from "../../service/secret.js";
import { UsageError } from "../../core/errors.js";
import type { ConfigFile } from "./config-file.js";
import {
  CREDENTIAL_NAMES,
  type CredentialName,
  credentialKey,
  credentialVariable,
  PASSPHRASE_VARIABLE,
  SIDES,
  type Side,
} from "./credential-names.js";
import type { Environment } from "./environment.js";

/** Reads the sign-in of one site; a token goes before e-mail and password. Throws UsageError, which never repeats a value. */
export function readCredentials(side: Side, environment: Environment, file: ConfigFile): Credentials {
  const read = (name: CredentialName): Secret | undefined => readOne(side, name, environment, file);
  const [token, email, password, appId] = [read("token"), read("email"), read("password"), read("appId")];
  const scheme = readScheme(side, read("auth")?.reveal() ?? "api");
  if (token !== undefined) return { kind: "token", token, scheme, appId };
  if (email !== undefined && password !== undefined) return { kind: "password", email, password, appId };
  if (email !== undefined || password !== undefined) throw halfLogin(side, email === undefined);
  return { kind: "none", appId };
}

/** Every secret that the environment holds, of both sites, whatever the command needs: none may be printed. */
export function readSecrets(environment: Environment, file: ConfigFile | null): readonly Secret[] {
  const variables = SIDES.flatMap((side) =>
    CREDENTIAL_NAMES.filter((name) => name !== "auth").flatMap((name) => [
      credentialVariable(side, name),
      variableNamed(side, name, file),
    ]),
  );
  const values = [...variables, PASSPHRASE_VARIABLE].map((name) => environment[name]?.trim() ?? "");
  return values.filter((value) => value !== "").map((value) => new Secret(value));
}

/** The passphrase of a backup's archives, as it stands there; null: none is set. */
export function readPassphrase(environment: Environment): string | null {
  const text = environment[PASSPHRASE_VARIABLE]?.replace(/\r?\n$/, "") ?? "";
  return text === "" ? null : text;
}

/** Spaces and line breaks at the ends are left off: they come from `$(cat file)` and copying. */
function readOne(side: Side, name: CredentialName, environment: Environment, file: ConfigFile): Secret | undefined {
  const own = environment[credentialVariable(side, name)]?.trim() ?? "";
  if (own !== "") return new Secret(own);
  const named = variableNamed(side, name, file);
  if (named === "") return undefined;
  const value = environment[named]?.trim() ?? "";
  if (value !== "") return new Secret(value);
  // The name is not repeated: somebody may have put the token itself there.
  throw new UsageError(
    `${file.path ?? "The configuration"}: "${credentialKey(side, name)}" names an environment variable that is not set. ` +
      "Set the variable, or correct its name.",
  );
}

function variableNamed(side: Side, name: CredentialName, file: ConfigFile | null): string {
  return String(Reflect.get(file?.config ?? {}, credentialKey(side, name)) ?? "");
}

function readScheme(side: Side, text: string): "api" | "bearer" {
  if (text === "api" || text === "bearer") return text;
  throw new UsageError(`${credentialVariable(side, "auth")} is neither "api" nor "bearer".`);
}

function halfLogin(side: Side, lacksEmail: boolean): UsageError {
  const there = credentialVariable(side, lacksEmail ? "password" : "email");
  const lacking = credentialVariable(side, lacksEmail ? "email" : "password");
  return new UsageError(
    `${there} is set but ${lacking} is not. Set both, or a token in ${credentialVariable(side, "token")}.`,
  );
}
