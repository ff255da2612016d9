import type { LinkContext, Operation } from "../../core/contracts.js";
import type { CallOf } from "../../core/model/call.js";
import { restOf, wikiOf } from "../../core/model/key.js";
import { givenTitle } from "./handlers/save-wiki.js";
import { guidesOfTitle, nameAtTarget } from "./match-title.js";
import type { Desk } from "./parts.js";
import { titleAtTarget } from "./paths.js";
import { idUnder } from "./wiki-title.js";

/**
 * Will a write find that its guide or page is there already and not ours, so that it only links to it (`--on-existing adopt`, `fail`)? Its
 * media need not go up then. Where a list that the site refuses leaves it open: false.
 */
export async function onlyLinks(
  desk: LinkDesk,
  { call, label }: Operation,
  context: LinkContext,
  signal: AbortSignal,
): Promise<boolean> {
  if (desk.onExisting === "update") return false;
  if (call.verb === "save-guide") return guideIsThere(desk, { call, label }, context, signal);
  return call.verb === "save-wiki" && pageIsThere(desk, call, context, signal);
}

type LinkDesk = Pick<Desk, "client" | "match" | "titles" | "onExisting" | "pages">;

async function guideIsThere(
  desk: LinkDesk,
  { call, label }: { readonly call: CallOf<"save-guide">; readonly label: string },
  context: LinkContext,
  signal: AbortSignal,
): Promise<boolean> {
  if (desk.match !== "title" || (await context.written(call.guide)) !== undefined) return false;
  // Where there are several, the write itself says so and sends nothing.
  const named = await nameAtTarget(call.fields, context);
  return (await guidesOfTitle({ desk, context, signal, label }, named)).length > 0;
}

async function pageIsThere(
  desk: LinkDesk,
  call: CallOf<"save-wiki">,
  context: LinkContext,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await context.written(call.wiki)) !== undefined) return false;
  const { namespace } = wikiOf(call.wiki);
  const id = idUnder(call.wiki, givenTitle(call)) ?? restOf(call.wiki);
  const shown = await desk.pages.in(desk.client, namespace, signal);
  if (shown?.has(id) !== true) return false;
  // One that the site made beside a guide of ours is filled.
  return namespace !== "ITEM" || (await context.namesPart?.(titleAtTarget(call.wiki, id))) !== true;
}
