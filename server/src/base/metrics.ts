import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What one reading of a metric looks like: a number, or one for each value of its label. */
type Reading = number | Readonly<Record<string, number>>;

/** What Prometheus may read of this process. Every label has few values, whatever is sent to us. */
export interface Metrics {
  /** One answered request. `endpoint` is the route's pattern, and the same for all that no route takes. */
  request(method: string, endpoint: string, status: number, seconds: number): void;
  /** A request began; call what it answers when its connection is done with it. */
  enter(): () => void;
  /** How long a transaction of writes waited, from sending its first statements until it held the head of its chain. */
  chainWait(seconds: number): void;
  /** A value that is read at each scrape. With several numbers, `label` names the label that tells them apart. */
  gauge(name: string, help: string, read: () => Reading, label?: string): void;
  /** The same of what only grows. */
  counter(name: string, help: string, read: () => Reading, label?: string): void;
  /** Also tells of the process: processor time, memory, garbage collection, delay of the event loop. */
  watchProcess(): void;
  /** All of it in Prometheus' text format. */
  read(): Promise<string>;
  readonly contentType: string;
}

/** Node parses some thirty methods; the others together are one label. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Time from the head of a request to its answer; of streams, to their first byte.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'svc_http_requests_in_flight',
    help: 'Requests whose answer has not ended, open streams among them.',
    registers,
  });
  const chainWaits = new Histogram({
    name: 'svc_chain_lock_wait_seconds',
    help: 'Time from sending a transaction of writes until it held the head of its audit chain.',
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
