import type { AccountCall, Reply, Route } from "../../../server/route.js";
import { type Answer, isAnswer, without } from "../../../state/answer.js";
import type { Site } from "../../../state/site.js";

/** Fields that the other dialect calls otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  importid: "importId",
  moduleid: "moduleId",
  userid: "userId",
  init_date: "createdAt",
  start_date: "startedAt",
  end_date: "finishedAt",
  status: "state",
};

/** States are in capitals; the engine's own word for this one is spelt two ways (training modules, 1.2). */
const STATES: Readonly<Record<string, string>> = { complete: "COMPLETED" };

/**
 * The same route, in the dialect of the site. `nested` wraps each answer in `data`, writes names and states as the engine does, puts
 * the warnings into `importResult`, and leaves the number of the import out of its progress, which is "not always present".
 */
export function spelt(route: Route): Route {
  // Every route of the family needs a login.
  if (route.access === "anyone" || route.access === "login") return route;
  const isProgress = route.path.endsWith("/progress");
  const spell = ({ body, ...reply }: Reply, site: Site): Reply => {
    if (body === undefined || site.settings.training.dialect === "flat") return { ...reply, body };
    const nested = nestedFrom(body);
    return { ...reply, body: { data: isProgress && isAnswer(nested) ? without(nested, ["importId"]) : nested } };
  };
  return { ...route, run: async (call: AccountCall) => spell(await route.run(call), call.site) };
}

function nestedFrom(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nestedFrom);
  if (!isAnswer(value)) return value;
  const { parserWarnings, learningStandard = null, ...fields } = value;
  const named = Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [
      NAMES[name] ?? name,
      name === "status" ? stateOf(inner) : nestedFrom(inner),
    ]),
  ) as Answer;
  return parserWarnings === undefined ? named : { ...named, importResult: { parserWarnings, learningStandard } };
}

function stateOf(status: unknown): string {
  return STATES[String(status)] ?? String(status).toUpperCase();
}
