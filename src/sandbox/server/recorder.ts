import type { AuthorizationKind } from "./session.js";

/** A request that a sandbox saw, in order of arrival. */
export interface RecordedRequest {
  /** Counted from 1. */
  readonly number: number;
  readonly method: string;
  /** Relative to the API root for API requests (`/guides/12`), else the path of the origin (`/media/…`). */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly isApi: boolean;
  /** Arrival, in milliseconds since 1970 with a fraction: steps of the monotonic clock. */
  readonly at: number;
  /** How the request said who it is; the token is never kept. */
  readonly authorization: AuthorizationKind;
  readonly hasAppId: boolean;
  /** The answer's status; undefined while there is none, also for good after a reset. */
  readonly status: number | undefined;
  /** The fault that it met. */
  readonly fault: string | undefined;
  /** Bytes of the request's body, and of the answer's as far as its length was known. */
  readonly received: number;
  readonly sent: number;
}

/** Keeps what was seen. */
export interface Recorder {
  readonly recorded: readonly RecordedRequest[];
  /** Notes an arrival and returns how to note what came of it. */
  arrive(request: Omit<RecordedRequest, "number" | "at" | "status" | "fault" | "sent">): {
    readonly number: number;
    finish(outcome: Partial<Pick<RecordedRequest, "status" | "fault" | "sent">>): void;
  };
}

export function createRecorder(): Recorder {
  const recorded: RecordedRequest[] = [];
  return {
    recorded,
    arrive: (request) => {
      const number = recorded.length + 1;
      const at = performance.timeOrigin + performance.now();
      recorded.push({ ...request, number, at, status: undefined, fault: undefined, sent: 0 });
      return {
        number,
        finish: (outcome) => {
          const before = recorded[number - 1];
          if (before !== undefined) recorded[number - 1] = { ...before, ...outcome };
        },
      };
    },
  };
}
