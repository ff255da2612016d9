import { onTestFinished } from "vitest";
import type { ModuleSite } from "../../../../src/core/training.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../../src/sandbox/index.js";
import { Secret } from "../../../../src/service/http/secret.js";
import type { Stack } from "../../../../src/service/http/stack.js";
import { createModuleSite } from "../../../../src/service/training/module-site.js";
import { testStack } from "../../helpers/test-stack.js";

export interface SandboxModules {
  readonly sandbox: Sandbox;
  readonly modules: ModuleSite;
  readonly client: Stack["client"];
}

/** The modules of an embedded site, signed in as an admin. */
export async function sandboxModules(training: SandboxOptions["training"] = {}): Promise<SandboxModules> {
  const sandbox = await startSandbox({ training });
  onTestFinished(() => sandbox.close());
  const { client } = testStack(new URL(sandbox.url).origin, {
    credentials: { kind: "token", token: new Secret(sandbox.token), scheme: "api" },
  });
  return { sandbox, client, modules: createModuleSite({ client, name: "the sandbox" }) };
}
