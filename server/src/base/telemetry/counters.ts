/** Totals since this process started. They are not persisted. */
export interface Counters {
  /** Counts a response, with its error code if it failed. */
  request(status: number, error: string | undefined): void;
  /** Counts a committed write with that audit action. */
  write(action: string): void;
  read(): CounterReadings;
}

export interface CounterReadings {
  readonly requests: Readonly<Record<'total' | '2xx' | '4xx' | '5xx', number>>;
  readonly errors: Readonly<Record<string, number>>;
  readonly writes: Readonly<Record<string, number>>;
}

export function createCounters(): Counters {
  const requests = { total: 0, '2xx': 0, '4xx': 0, '5xx': 0 };
  const errors = new Map<string, number>();
  const writes = new Map<string, number>();
  const add = (map: Map<string, number>, name: string) => void map.set(name, (map.get(name) ?? 0) + 1);
  return {
    request(status, error) {
      requests.total += 1;
      requests[status < 400 ? '2xx' : status < 500 ? '4xx' : '5xx'] += 1;
      if (error !== undefined) add(errors, error);
    },
    write: (action) => add(writes, action),
    read: () => ({
      requests: { ...requests },
      errors: Object.fromEntries([...errors].sort()),
      writes: Object.fromEntries([...writes].sort()),
    }),
  };
}
