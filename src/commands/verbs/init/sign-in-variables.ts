import { credentialVariable, type Side } from "../../options/credential-names.js";
import type { SignIn } from "./answers.js";

/** The variables that a chosen sign-in is read from; their names alone are known here. */
export function signInVariables(side: Side, signIn: SignIn): readonly string[] {
  if (signIn.by === "variable") return [signIn.variable];
  if (signIn.by === "nobody") return [];
  const names = signIn.by === "token" ? (["token"] as const) : (["email", "password"] as const);
  return names.map((name) => credentialVariable(side, name));
}

/** The variables of other sign-ins that a run would take before the chosen one: a token goes before e-mail and password, and any of them before nobody. */
export function otherVariables(side: Side, signIn: SignIn): readonly string[] {
  const own = signInVariables(side, signIn);
  const before = signIn.by === "nobody" ? (["token", "email", "password"] as const) : (["token"] as const);
  return before.map((name) => credentialVariable(side, name)).filter((variable) => !own.includes(variable));
}
