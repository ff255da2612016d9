import { SignInError, UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/site.js";
import { type Answer, type Client, segment } from "../client.js";
import { messageOf } from "../error-message.js";
import { NOT_AVAILABLE } from "../not-available.js";
import { identifySite } from "../source/identify.js";
import { rowsOf } from "./fields.js";
import { readModuleId } from "./read-module.js";
import { PLACES, ROUTES } from "./vocabulary.js";

/** Not there at all; and there, but not for this account. */
const ABSENT: readonly number[] = [...NOT_AVAILABLE, 410];
const FORBIDDEN: readonly number[] = [401, 403];

/**
 * What a site is, and whether its external training modules can be worked with: four reads, and a fifth where there are modules. The list of
 * modules is there for all, so the history of the first one tells whether this account may import.
 * @param variables what the names of the site's variables begin with: `GUIDEFERRY_TARGET`
 * @throws SignInError when nobody is signed in, or the account may not see what it needs; UsageError when the site has no such modules
 */
export async function surveyModules(client: Client, variables: string, signal: AbortSignal): Promise<SiteIdentity> {
  const identity = await identifySite(client, signal);
  if (identity.account === null) throw nobody(client, variables);
  const modules = await ask(client, ROUTES.modules, signal);
  if (ABSENT.includes(modules.status)) throw noModules(client, modules);
  if (FORBIDDEN.includes(modules.status)) throw notAllowed(client, variables, ROUTES.modules, modules);
  const [first] = rowsOf(modules.json, PLACES.module) ?? [];
  const id = readModuleId(first);
  if (id === undefined) return identity;
  const path = ROUTES.imports(segment(id));
  const imports = await ask(client, path, signal);
  if (FORBIDDEN.includes(imports.status)) throw notAllowed(client, variables, path, imports);
  return identity;
}

function ask(client: Client, path: string, signal: AbortSignal): Promise<Answer> {
  return client.get(path, { expect: [...ABSENT, ...FORBIDDEN], refusable: true }, signal);
}

function nobody({ root }: Client, variables: string): SignInError {
  return new SignInError(
    `Packages are to be imported into ${root}, but nobody is signed in there. Set ${variables}_TOKEN (or ${variables}_EMAIL and _PASSWORD) to an account of that site, check the address, and run again.`,
  );
}

function noModules({ root }: Client, { status }: Answer): UsageError {
  return new UsageError(
    `${root} has no external training modules: GET ${root}/${ROUTES.modules} was answered ${status}. They are a part of the service that not every site has: ask the site's administrator whether it is switched on, and check the address.`,
  );
}

function notAllowed({ root }: Client, variables: string, path: string, { status, json }: Answer): SignInError {
  const said = messageOf(json);
  return new SignInError(
    `The account of ${variables}_TOKEN may not work with external training modules: GET ${root}/${path} was answered ${status}${said === undefined ? "" : ` (${said})`}. Give it the right to manage courses, which administrators have, or use another account.`,
  );
}
