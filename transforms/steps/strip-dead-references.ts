import { z } from "zod";
import type { TransformContext, TransformSpec } from "../../src/core/contracts.js";
import { type Key, kindOf } from "../../src/core/model/key.js";
import type { Resolution, RewriteOptions } from "../references/rewrite-options.js";
import { rewriteReferences } from "../references/rewrite-references.js";
import { mapTexts } from "./map-texts.js";
import { ownId } from "./own-id.js";

/** `strip-dead-references`: what leads to something that is not in the workspace becomes its label. */
export const stripDeadReferences: TransformSpec<Readonly<Record<string, never>>> = {
  name: "strip-dead-references",
  about: "references whose goal is not in the workspace become their label",
  options: z.strictObject({}),
  create: (_, context) => (item, report) => {
    const changed = mapTexts(item, (text, where, path) => {
      const done = rewriteReferences(text, { ...strippingIn(context), context: where });
      for (const { key, reference } of done.dangling) {
        const message = `The reference ${reference} leads to ${key}, which is not in the workspace: its label stands in its place.`;
        report({ ...STRIPPED, key: item.key, path, message });
      }
      return done.text;
    });
    return [changed];
  },
};

const STRIPPED = { code: "reference-stripped", level: "loss" } as const;

/** Where source and target are one site, what is alive stays byte for byte. */
function strippingIn(context: TransformContext): Omit<RewriteOptions, "context"> {
  const { source } = context;
  return { source, target: source, dangling: "label", resolve: (key) => resolution(key, context) };
}

/** A step is no item of its own: if its guide is there, the load knows what becomes of the step. */
function resolution(key: Key, { titleOf }: TransformContext): Resolution {
  return kindOf(key) === "step" || titleOf(key) !== undefined ? { id: ownId(key) } : { never: true };
}
