import {
  type Attributes,
  type Context,
  context,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { messageOf } from "../../core/errors.js";
import { bareAddresses } from "../../core/util/printable-text.js";
import type { Redact } from "../../service/http/secret.js";
import type { ObserveRequest, RequestEnd } from "../../service/http/transport.js";
import type { ProgressEvent, Stage } from "../../sync/control.js";
import { meaningOf } from "../exit-codes.js";
import { isSuccess, type RunFacts } from "./run-facts.js";

/** Spans and metrics of one run, for the SDK of OpenTelemetry that this process has registered. */
export interface Telemetry {
  readonly observe: ObserveRequest;
  progress(event: ProgressEvent): void;
  /** Ends all spans and lets the SDK export them, within EXPORT_WITHIN. Never throws. */
  end(facts: RunFacts, warn: (text: string) => void): Promise<void>;
}

/** Milliseconds after the run for the export of what the SDK still holds. */
const EXPORT_WITHIN = 5000;

/** Names of attributes that the conventions of OpenTelemetry do not have. */
const OWN = "guideferry";

export function startTelemetry(
  facts: RunFacts,
  { version, redact }: { readonly version: string; readonly redact: Redact },
): Telemetry {
  const tracer = trace.getTracer(OWN, version);
  const run = tracer.startSpan(`${OWN} ${facts.command}`, {
    startTime: facts.started,
    attributes: { [`${OWN}.command`]: facts.command, [`${OWN}.run.id`]: facts.run },
  });
  const parent = trace.setSpan(context.active(), run);
  const stages = createStages(tracer, parent, facts.started);
  const instruments = createInstruments(version);
  return {
    observe: observer({ tracer, parent, redact, instruments }),
    progress: (event) => {
      stages.note(event);
      instruments.count(event);
    },
    end: async (ended, warn) => {
      stages.end();
      instruments.end(ended);
      endRun(run, ended);
      const failure = await flush();
      if (failure !== null)
        warn(`The telemetry was not exported completely: ${redact(bareAddresses(failure))}. The run is not affected.`);
    },
  };
}

function endRun(run: Span, { source, target, exitCode, command, ended }: RunFacts): void {
  const sites = { [`${OWN}.source`]: source ?? undefined, [`${OWN}.target`]: target ?? undefined };
  run.setAttributes({ ...sites, "process.exit.code": exitCode ?? undefined });
  if (!isSuccess(exitCode)) run.setStatus({ code: SpanStatusCode.ERROR, message: meaningOf(exitCode, command) });
  run.end(ended ?? undefined);
}

/**
 * A span for each stage. Progress tells of finished items only, so a stage starts with the last
 * event of the stage before it.
 */
function createStages(tracer: Tracer, parent: Context, started: number) {
  const open = new Map<Stage, { readonly span: Span; event: ProgressEvent; at: number }>();
  let last = started;
  return {
    note: (event: ProgressEvent): void => {
      const at = Date.now();
      const known = open.get(event.stage);
      if (known === undefined) {
        const attributes = { [`${OWN}.stage`]: event.stage };
        const span = tracer.startSpan(`${OWN} ${event.stage}`, { startTime: last, attributes }, parent);
        open.set(event.stage, { span, event, at });
      } else Object.assign(known, { event, at });
      last = at;
    },
    end: (): void => {
      for (const { span, event, at } of open.values()) {
        span.setAttributes({ [`${OWN}.items.done`]: event.done, [`${OWN}.items.failed`]: event.failed });
        span.end(at);
      }
    },
  };
}

interface Observer {
  readonly tracer: Tracer;
  readonly parent: Context;
  readonly redact: Redact;
  readonly instruments: ReturnType<typeof createInstruments>;
}

/** A span for each request, by the semantic conventions of HTTP clients, without its query. */
function observer({ tracer, parent, redact, instruments }: Observer): ObserveRequest {
  return ({ method, url, attempt = 1 }) => {
    const started = performance.now();
    const known: Attributes = {
      "http.request.method": method,
      "server.address": url.hostname,
      "server.port": Number(url.port || (url.protocol === "https:" ? 443 : 80)),
    };
    const again = attempt > 1 ? { "http.request.resend_count": attempt - 1 } : {};
    const attributes = { ...known, ...again, "url.full": redact(url.origin + url.pathname) };
    const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, parent);
    return (end) => {
      const result = resultOf(end);
      instruments.request({ ...known, ...result }, (performance.now() - started) / 1000);
      span.setAttributes(result);
      if ("error.type" in result) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
  };
}

function resultOf(end: RequestEnd): Attributes {
  if ("error" in end) return { "error.type": end.error instanceof Error ? end.error.name : "_OTHER" };
  const failed = end.status >= 400 ? { "error.type": String(end.status) } : {};
  return { "http.response.status_code": end.status, ...failed };
}

/** Seconds, as the conventions advise for this histogram. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] as const;

function createInstruments(version: string) {
  const meter = metrics.getMeter(OWN, version);
  const requests = meter.createHistogram("http.client.request.duration", {
    description: "Duration of HTTP client requests.",
    unit: "s",
    advice: { explicitBucketBoundaries: [...BOUNDARIES] },
  });
  const items = meter.createCounter(`${OWN}.items`, { description: "Items by stage and outcome.", unit: "{item}" });
  const waits = meter.createCounter(`${OWN}.rate_limit.wait.duration`, {
    description: "Time in which a site asked for no requests.",
    unit: "s",
  });
  const runs = meter.createHistogram(`${OWN}.run.duration`, { description: "Duration of runs.", unit: "s" });
  const counted = new Map<Stage, Pick<ProgressEvent, "done" | "failed">>();
  return {
    request: (attributes: Attributes, seconds: number): void => requests.record(seconds, attributes),
    count: ({ stage, done, failed }: ProgressEvent): void => {
      const before = counted.get(stage) ?? { done: 0, failed: 0 };
      counted.set(stage, { done, failed });
      const add = (outcome: string, value: number): void => {
        if (value > 0) items.add(value, { [`${OWN}.stage`]: stage, [`${OWN}.outcome`]: outcome });
      };
      // Counted from 0 again where a stage starts a second time.
      const isAgain = done < before.done;
      add("failed", failed - (isAgain ? 0 : before.failed));
      add("done", done - failed - (isAgain ? 0 : before.done - before.failed));
    },
    end: ({ started, ended, command, exitCode, waited }: RunFacts): void => {
      waits.add(waited);
      const attributes = { [`${OWN}.command`]: command, "process.exit.code": exitCode ?? undefined };
      runs.record(((ended ?? started) - started) / 1000, attributes);
    },
  };
}

/** null: everything is exported, or the SDK offers no flush; else what went wrong. */
async function flush(): Promise<string | null> {
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve(`no answer within ${EXPORT_WITHIN / 1000} s`), EXPORT_WITHIN).unref();
  });
  const flushes = [trace.getTracerProvider(), metrics.getMeterProvider()].map(async (provider) => {
    const own =
      "getDelegate" in provider && typeof provider.getDelegate === "function" ? provider.getDelegate() : provider;
    if (typeof own === "object" && own !== null && "forceFlush" in own && typeof own.forceFlush === "function")
      await own.forceFlush();
  });
  const done = Promise.all(flushes).then(() => null);
  return Promise.race([done, late]).catch(messageOf);
}
