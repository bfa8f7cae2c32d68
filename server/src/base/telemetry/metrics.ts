import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** One reading of a metric: a number, or one number for each value of its label. */
type Reading = number | Readonly<Record<string, number>>;

/** The metrics that Prometheus may scrape. Every label has a bounded number of values, whatever clients send. */
export interface Metrics {
  /** Counts a response. `endpoint` is the pattern of the route, and one shared value for requests that match no route. */
  request(method: string, endpoint: string, status: number, seconds: number): void;
  /** Counts a request as in flight. Call the result when its connection is done with it. */
  enter(): () => void;
  /** How long a transaction of writes waited, from sending its first statements until it held the heads of its audit chains. */
  chainWait(seconds: number): void;
  /** Registers a gauge that is read at each scrape. With several numbers, `label` names their label. */
  gauge(name: string, help: string, read: () => Reading, label?: string): void;
  /** The same for a counter. */
  counter(name: string, help: string, read: () => Reading, label?: string): void;
  /** Adds the metrics of the process: CPU time, memory, garbage collection, event loop delay. */
  watchProcess(): void;
  /** All metrics in the Prometheus text format. */
  read(): Promise<string>;
  readonly contentType: string;
}

/** Node parses about thirty methods. All that we do not serve share one label. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the head of a request to its response; for streams, to their first byte.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'svc_http_requests_in_flight',
    help: 'Requests in flight, including open streams.',
    registers,
  });
  const chainWaits = new Histogram({
    name: 'svc_chain_lock_wait_seconds',
    help: 'Time from sending a transaction of writes until it held the heads of its audit chains.',
    buckets: SECONDS,
    registers,
  });
  return {
    request(method, route, status, seconds) {
      const known = METHODS.includes(method) ? method : 'OTHER';
      durations.observe({ method: known, route, status: `${Math.trunc(status / 100)}xx` }, seconds);
    },
    enter() {
      inFlight.inc();
      return () => inFlight.dec();
    },
    chainWait: (seconds) => chainWaits.observe(seconds),
    gauge(name, help, read, label) {
      const collect = function (this: Gauge) {
        const reading = read();
        if (typeof reading === 'number') return this.set(reading);
        for (const [value, count] of Object.entries(reading)) this.set({ [label as string]: value }, count);
      };
      new Gauge({ name, help, collect, registers, ...(label && { labelNames: [label] }) });
    },
    counter(name, help, read, label) {
      const collect = function (this: Counter) {
        this.reset();
        const reading = read();
        if (typeof reading === 'number') return this.inc(reading);
        for (const [value, count] of Object.entries(reading)) this.inc({ [label as string]: value }, count);
      };
      new Counter({ name, help, collect, registers, ...(label && { labelNames: [label] }) });
    },
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    read: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
