import type { z } from "zod";
import type { JsonObject } from "../core/util/json.js";
import type { GuideRecord, UserRecord } from "./site/records.js";

/** One entry of a 422 answer's `errors` (facts, 1.4). */
interface FieldProblem {
  readonly field: string;
  readonly code: "missing_field" | "unknown_field" | "invalid_value";
  readonly message: string;
  /** Position of the wrong line or item in a submitted array. */
  readonly index?: number;
}

/** Thrown by routes and rules; becomes the answer of the request. */
export class ServiceError extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: unknown) {
    super(`answer ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** 422 with the wrong fields. */
export function unprocessable(errors: readonly FieldProblem[], message = "Validation failed"): ServiceError {
  return new ServiceError(422, { message, errors });
}

/** Throws 422 when a field of a body has a problem. `problems`: messages by field. */
export function mustHold(problems: Readonly<Record<string, readonly string[]>>): void {
  const errors = Object.entries(problems).flatMap(([field, messages]) =>
    messages.map((message): FieldProblem => ({ field, code: "invalid_value", message })),
  );
  if (errors.length > 0) throw unprocessable(errors, errors[0]?.message);
}

/** 422 for one missing field or query parameter. */
export function missingField(field: string): ServiceError {
  return unprocessable([{ field, code: "missing_field", message: `${field} is required` }]);
}

/** 422 for one field or query parameter with a wrong value. */
export function invalidValue(field: string, message: string): ServiceError {
  return unprocessable([{ field, code: "invalid_value", message }]);
}

/** 409: the body is the current resource, not an error object (specification, Errors). */
export function conflict(current: unknown): ServiceError {
  return new ServiceError(409, current);
}

/** 401, with the one message that clients compare (facts, 1.4). */
export function invalidLogin(): ServiceError {
  return new ServiceError(401, { message: "Invalid login" });
}

/** 403; `privileges` names those that would be enough. */
export function forbidden(message: string, privileges?: readonly string[]): ServiceError {
  return new ServiceError(403, privileges === undefined ? { message } : { message, requiredPrivileges: privileges });
}

export function notFound(message: string): ServiceError {
  return new ServiceError(404, { message });
}

export function badRequest(message: string): ServiceError {
  return new ServiceError(400, { message });
}

/**
 * Returns the body or query in the form of its schema. Throws 422 that names every wrong field:
 * missing, unknown, or with a wrong value (facts, 1.3 and 1.4).
 */
export function checked<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, value));
  const indentation = problems.find((problem) => problem.message === INVALID_INDENTATION);
  throw unprocessable(problems, indentation?.message);
}

/** The one rule of lines whose message is known from a real site. */
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

/** Throws 422 when the body is not an object. */
export function bodyObject(value: unknown): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ServiceError(422, { message: "The body must be a JSON object" });
  }
  return value as JsonObject;
}

/** Everybody sees public guides; admins, the author and viewers see private ones. */
export function maySee(guide: GuideRecord, caller: UserRecord | undefined): boolean {
  if (guide.public) return true;
  if (caller === undefined) return false;
  return caller.admin || guide.author === caller.userid || guide.viewers.users.includes(caller.userid);
}

export function mayEdit(guide: GuideRecord, caller: UserRecord | undefined): boolean {
  return caller !== undefined && (caller.admin || guide.author === caller.userid);
}

export function mustEdit(guide: GuideRecord, caller: UserRecord): void {
  if (!mayEdit(guide, caller)) throw forbidden("You may not edit this guide.", ["Moderator"]);
}

/** Throws 403 unless the caller is an admin; tags, for example, need a moderator (facts, 4.6). */
export function mustModerate(caller: UserRecord): void {
  if (!caller.admin) throw forbidden("You may not do this.", ["Moderator"]);
}

/**
 * Text as a server stores it: line ends are LF, without blanks at the end of lines and of the
 * whole. So a client may read back another text than it sent.
 */
export function savedText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .trimEnd();
}

/** A title as a server stores it: one line, without blanks around it. */
export function savedTitle(title: string): string {
  return title.replaceAll(/\s*[\r\n]+\s*/g, " ").trim();
}

/** Characters as people count them, not UTF-16 units. */
export function characters(text: string): number {
  return [...text].length;
}

export function lineCount(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}
