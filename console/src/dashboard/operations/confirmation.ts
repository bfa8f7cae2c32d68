/** Asks the reader to confirm that it is them: once for all requests that wait for it. */
export class Confirmation {
  readonly #listeners = new Set<() => void>();
  readonly #waiting: ((isConfirmed: boolean) => void)[] = [];
  #count = 0;

  /** How often the reader has confirmed. */
  get count(): number {
    return this.#count;
  }

  /** Whether a request waits for the reader. */
  readonly isAsked = (): boolean => this.#waiting.length > 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Resolves when the reader has confirmed, with true, or has cancelled, with false. */
  ask(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#notify();
    });
  }

  answer(isConfirmed: boolean): void {
    if (isConfirmed) this.#count += 1;
    for (const resolve of this.#waiting.splice(0)) resolve(isConfirmed);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Of a request that is sent again. */
const TIMEOUT_MS = 15_000;

/**
 * A `fetch` that sends a request again once the reader has confirmed that it is them. If they cancel, the response is the first one,
 * with `step_up_required`.
 */
export const confirming =
  (send: typeof fetch, confirmation: Confirmation): typeof fetch =>
  async (input, init) => {
    const before = confirmation.count;
    const response = await send(input, init);
    if (response.status !== 403) return response;
    const text = await response.text();
    // Another request may have asked in the meantime.
    const isConfirmed = asksToConfirm(text) && (confirmation.count > before || (await confirmation.ask()));
    // The time that the first request had may be over.
    if (isConfirmed) return send(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return readAgain(response, text);
  };

function asksToConfirm(text: string): boolean {
  try {
    return JSON.parse(text).error === 'step_up_required';
  } catch {
    return false;
  }
}

/** Its date is omitted, because the reader may have taken minutes, and the client reads the service's clock from it. */
function readAgain({ status, headers }: Response, text: string): Response {
  const kept = new Headers(headers);
  kept.delete('date');
  return new Response(text, { status, headers: kept });
}
