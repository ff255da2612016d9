import type { z } from "zod";
import type { Transform, TransformContext } from "../../core/contracts.js";
import { FerryError, UsageError } from "../../core/errors.js";
import { issueSchema, type Report } from "../../core/model/issue.js";
import { type Item, itemSchema } from "../../core/model/item.js";
import { kindOf } from "../../core/model/key.js";
import { deepFrozen } from "./deep-frozen.js";
import { failure, named } from "./named.js";

/**
 * Somebody's own transform behind a fence: it gets frozen items, and what it gives back is checked before anything else sees
 * it. Throws UsageError when it can't be made at all, and for each item that it goes wrong on an error that names both.
 */
export function guarded(
  name: string,
  make: (context: TransformContext) => Transform,
  context: TransformContext,
): Transform {
  const transform = made(name, make, context);
  const fenced = named(name, (item, report) => {
    try {
      return transform(item, checkedReport(name, item, report));
    } catch (error) {
      if (!(error instanceof TypeError) || !FROZEN.test(error.message)) throw error;
      throw failure(
        name,
        item,
        `it changes the item that it was given (${error.message}); items are frozen: return a new one, { ...item, body: { ...item.body, … } }`,
        error,
      );
    }
  });
  return (item, report) => {
    const given: unknown = fenced(deepFrozen(item), report);
    return checkedItems(name, item, given);
  };
}

/** What JavaScript says when something frozen is written to. */
const FROZEN = /read only property|object is not extensible|Cannot delete property|Cannot define property/;

function made(name: string, make: (context: TransformContext) => Transform, context: TransformContext): Transform {
  try {
    const transform: unknown = make(context);
    if (typeof transform === "function") return transform as Transform;
    throw new UsageError(`The transform ${name}: create() must return a function from an item to an array of items.`);
  } catch (error) {
    if (error instanceof FerryError) throw error;
    throw new UsageError(`The transform ${name} could not be made: ${String(error)}`, { cause: error });
  }
}

function checkedReport(name: string, item: Item, report: Report): Report {
  return (issue) => {
    const parsed = issueSchema.safeParse(issue);
    if (!parsed.success) throw failure(name, item, `it reported what is no issue: ${faults(parsed.error)}`);
    report(parsed.data);
  };
}

function checkedItems(name: string, item: Item, given: unknown): readonly Item[] {
  if (!Array.isArray(given)) {
    const what = given instanceof Promise ? "a promise" : given === null ? "null" : `a value of type ${typeof given}`;
    throw failure(name, item, `it returned ${what}, not an array of items ([] leaves it out, several split it)`);
  }
  const items: readonly unknown[] = given;
  return items.map((each, index) => (each === item ? item : checkedItem(name, item, each, index)));
}

function checkedItem(name: string, item: Item, given: unknown, index: number): Item {
  const parsed = itemSchema.safeParse(given);
  if (!parsed.success) throw failure(name, item, `what it returned [${index}] is no item: ${faults(parsed.error)}`);
  if (kindOf(parsed.data.key) === parsed.data.kind) return parsed.data;
  throw failure(name, item, `it returned an item of kind ${parsed.data.kind} with the key ${parsed.data.key}`);
}

const MOST_FAULTS = 3;

function faults({ issues }: z.ZodError): string {
  return issues
    .slice(0, MOST_FAULTS)
    .map(({ path, message }) => `${path.length === 0 ? "" : `${path.join(".")}: `}${message}`)
    .join("; ");
}
