/** One entry of a 422 answer's `errors` (facts, 1.4). */
export interface FieldProblem {
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

/** 422 with the fields that are wrong. */
export function unprocessable(errors: readonly FieldProblem[], message = "Validation failed"): ServiceError {
  return new ServiceError(422, { message, errors });
}

/** 422 for one missing field or query parameter. */
export function missingField(field: string): ServiceError {
  return unprocessable([{ field, code: "missing_field", message: `${field} is required` }]);
}

/** 422 for one field or query parameter with a value that can't be taken. */
export function invalidValue(field: string, message: string): ServiceError {
  return unprocessable([{ field, code: "invalid_value", message }]);
}

/** 409: the body is the current version of the resource, not an error object (specification, Errors). */
export function conflict(current: unknown): ServiceError {
  return new ServiceError(409, current);
}

/** 401, with the one message that clients match on (facts, 1.4). */
export function invalidLogin(): ServiceError {
  return new ServiceError(401, { message: "Invalid login" });
}

/** 403; `privileges` says which of them would have helped. */
export function forbidden(message: string, privileges?: readonly string[]): ServiceError {
  return new ServiceError(403, privileges === undefined ? { message } : { message, requiredPrivileges: privileges });
}

export function notFound(message: string): ServiceError {
  return new ServiceError(404, { message });
}

export function badRequest(message: string): ServiceError {
  return new ServiceError(400, { message });
}
