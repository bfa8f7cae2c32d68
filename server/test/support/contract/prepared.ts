import type { Account, Service } from '../service.js';

/** A request that succeeds. Parts that are absent are empty. */
export interface Prepared {
  readonly path?: string;
  readonly body?: object;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a device, or of a member at one. */
  readonly credentials?: Readonly<Record<string, string>>;
}

export interface Stage {
  readonly service: Service;
  readonly account: Account;
}
