import type { Body, Written } from "../../../core/contracts.js";
import { FerryError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import { type Kind, kindOf, wikiOf } from "../../../core/model/key.js";
import { carries } from "../../wire/write/compared.js";
import { asJson, guideAbsorbed, guideAsLeft, stepAsLeft, stepsIn, wikiAsLeft } from "../as-left.js";
import { withoutEmpty } from "../guide-body.js";
import { guideOf } from "../guide-of.js";
import type { Handler, Work } from "../parts.js";
import { titleAtTarget } from "../paths.js";
import { withStep } from "../undo/with-step.js";
import { presentSteps } from "./save-step.js";

export type MakeAgain = CallOf<"make-again">;

/**
 * Makes a thing that a run deleted anew from what was kept of it: a guide without its steps, private, and without what calls of their own
 * carry; a step at its `orderby`, or at the end of its guide; a page under its title, at the top.
 */
export const makeAgain: Handler<MakeAgain> = async (work) => {
  const make = MAKERS[kindOf(work.call.of)] ?? makePage;
  return { written: await make(work), missing: [] };
};

type Maker = (work: Work<MakeAgain>) => Promise<readonly Written[]>;

const MAKERS: Readonly<Partial<Record<Kind, Maker>>> = { guide: makeGuide, step: makeStep };

async function makeGuide({ desk, call, context, signal }: Work<MakeAgain>): Promise<readonly Written[]> {
  const { steps: _steps, flags: _flags, author: _author, ...fields } = call.body;
  const body = { ...withoutEmpty(withoutNulls(fields)), public: false };
  await context.begin({ after: desk.highestGuide(), sent: body, missing: [] });
  const { json } = await desk.client.send({ method: "POST", path: "guides", json: body, create: true }, signal);
  desk.learn(json);
  return [guideAsLeft(call.of, json)];
}

async function makeStep(work: Work<MakeAgain>): Promise<readonly Written[]> {
  const { desk, call, context, signal } = work;
  const guide = await guideOf(context, call.guide ?? call.of);
  const before = await presentSteps(work, guide);
  const body = { orderby: before.length + 1, ...call.body };
  await context.begin({ before, sent: body, missing: [] });
  const path = `guides/${guide.id}/steps`;
  const { json } = await desk.client.send({ method: "POST", path, json: body, create: true }, signal);
  const added = stepsIn(json).filter((step) => !before.includes(String(step["stepid"])));
  const ours = added.length === 1 ? added[0] : added.find((step) => carries("step", step, body));
  if (ours === undefined)
    throw new FerryError(
      `${work.operation.label}: the site answered without showing it. Run again: it is looked for first.`,
    );
  const id = String(ours["stepid"]);
  const there = stepsIn(json).map((step) => String(step["stepid"]));
  return [stepAsLeft(call.of, ours), guideAbsorbed(guide, asJson(json), (steps) => withStep(steps, there, id))];
}

async function makePage({ desk, call, context, signal }: Work<MakeAgain>): Promise<readonly Written[]> {
  const { namespace } = wikiOf(call.of);
  const title = titleAtTarget(call.of, call.id);
  const { parent: _parent, page_title: _pageTitle, contents = "", ...fields } = call.body;
  const body = { namespace, title, contents, ...withoutEmpty(withoutNulls(fields)) };
  await context.begin({ sent: body, missing: [] });
  const { json } = await desk.client.send({ method: "POST", path: "wikis", json: body, create: true }, signal);
  return [wikiAsLeft(call.of, json, undefined)];
}

/** A new thing has nothing there by itself; and what a namespace doesn't have is answered as if it were switched off (api-facts 8.4). */
function withoutNulls(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== false));
}
