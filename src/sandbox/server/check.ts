import type { z } from "zod";
import { type FieldProblem, ServiceError, unprocessable } from "./service-error.js";

/**
 * Checks a body or a query against its schema and returns what the schema makes of it. Throws 422 that names every
 * wrong field: missing, unknown, or of a value that can't be taken (facts, 1.3 and 1.4).
 */
export function checked<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, value));
  const indentation = problems.find((problem) => problem.message === INVALID_INDENTATION);
  throw unprocessable(problems, indentation?.message);
}

/** The one rule of lines whose message was seen on a real site. */
export const INVALID_INDENTATION = "Invalid line indentation";

function problemsOf(issue: z.core.$ZodIssue, value: unknown): readonly FieldProblem[] {
  const field = issue.path.filter((part) => typeof part !== "number").join(".");
  const index = issue.path.find((part) => typeof part === "number");
  const place = typeof index === "number" ? { index } : {};
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const name = field === "" ? key : `${field}.${key}`;
      return { field: name, code: "unknown_field", message: `${name} is not a field of this resource`, ...place };
    });
  }
  const code = valueAt(value, issue.path) === undefined ? "missing_field" : "invalid_value";
  const message = code === "missing_field" ? `${field} is required` : issue.message;
  return [{ field, code, message, ...place }];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  );
}

/** 422 when the body is not an object at all; else the object. */
export function bodyObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ServiceError(422, { message: "The body must be a JSON object" });
  }
  return value as Readonly<Record<string, unknown>>;
}
