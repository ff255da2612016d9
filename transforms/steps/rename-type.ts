import { z } from "zod";
import type { TransformSpec } from "../../src/core/contracts.js";
import { withFields } from "./same.js";

const type = z.string("expected a type of guides").trim().min(1, "expected a type of guides");

const options = z
  .strictObject({
    from: type.optional(),
    to: type.optional(),
    types: z.record(type, type, 'expected an object of types: {"repair": "how-to"}').optional(),
  })
  .refine(({ from, to, types }) => (from === undefined) === (to === undefined) && (from ?? types) !== undefined, {
    error: "expected from and to, or types: an object from the old type of each to the new one",
  });

/** `rename-type`: guides of one type become guides of another one. Each site is set to types of its own. */
export const renameType: TransformSpec<z.infer<typeof options>> = {
  name: "rename-type",
  about: 'give guides another type: from=repair,to=how-to, or {"types": {"repair": "how-to"}}',
  options,
  create: ({ from, to, types = {} }) => {
    const pair = from === undefined || to === undefined ? [] : [[from, to] as const];
    const renamed: ReadonlyMap<string, string> = new Map([...pair, ...Object.entries(types)]);
    return (item, report) => {
      const there = item.kind === "guide" ? renamed.get(item.body.type) : undefined;
      if (item.kind !== "guide" || there === undefined || there === item.body.type) return [item];
      const message = `At the target it is of the type "${there}" ("${item.body.type}" at the source).`;
      report({ code: "type-renamed", level: "note", key: item.key, path: "type", message });
      return [withFields(item, { body: withFields(item.body, { type: there }) })];
    };
  },
};
