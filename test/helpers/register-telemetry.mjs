// Registers the SDK of OpenTelemetry, as somebody does with `node --import`. What it exports goes
// into the file of TELEMETRY_FILE, one JSON object a line.
import { appendFileSync } from "node:fs";
import { metrics, trace } from "@opentelemetry/api";
import { AggregationTemporality, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";

const file = process.env.TELEMETRY_FILE;
const hangs = process.env.TELEMETRY_HANGS === "true";

const write = (type, facts) => appendFileSync(file, `${JSON.stringify({ type, ...facts })}\n`);

const spans = {
  export: (finished, done) => {
    if (hangs) return;
    for (const span of finished) {
      const { name, kind, attributes, status, startTime, endTime, parentSpanContext } = span;
      const [{ spanId: id }, parent] = [span.spanContext(), parentSpanContext?.spanId ?? null];
      write("span", { name, kind, attributes, status, startTime, endTime, id, parent });
    }
    done({ code: 0 });
  },
  shutdown: async () => undefined,
};

const numbers = {
  export: ({ scopeMetrics }, done) => {
    for (const { metrics: all } of scopeMetrics)
      for (const { descriptor, dataPoints } of all)
        for (const { attributes, value } of dataPoints) write("metric", { name: descriptor.name, attributes, value });
    done({ code: 0 });
  },
  selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};

trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(spans)] }));
// So rarely that only a flush at the end of the program exports.
const reader = new PeriodicExportingMetricReader({ exporter: numbers, exportIntervalMillis: 3_600_000 });
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
