import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { networkOf } from '../../base/address.js';
import type { Caller } from './turns.js';

/** Accounts of accepted credentials, least recently used first. */
const CAPACITY = 10_000;
const BEARER = /^Bearer +(\S+)$/i;
const CONSOLE_COOKIE = /(?:^|; )__Host-svc_console=([^;]+)/;

/** The cookie counts only without the other two, as it does for the credential itself. */
function credentialOf({ authorization, 'x-api-key': key, cookie }: IncomingHttpHeaders): string | undefined {
  if (authorization === undefined && key === undefined) return CONSOLE_COOKIE.exec(cookie ?? '')?.[1];
  return BEARER.exec(authorization ?? '')?.[1] ?? (typeof key === 'string' ? key : undefined);
}

const nameOf = (headers: IncomingHttpHeaders): string | undefined => {
  const credential = credentialOf(headers);
  return credential === undefined ? undefined : hash('sha256', credential, 'base64');
};

/**
 * Who a request is from, before its credential is checked. A credential that was accepted before names its account. All others
 * count for their network, so made-up credentials gain nothing.
 */
export interface Callers {
  of(headers: IncomingHttpHeaders, address: string): Caller;
  /** Remembers the account of a request whose credential was accepted. */
  accepted(headers: IncomingHttpHeaders, tenantId: string): void;
  /** Forgets a credential that was not accepted, or not any more. */
  rejected(headers: IncomingHttpHeaders): void;
}

export function createCallers(capacity = CAPACITY): Callers {
  const accounts = new Map<string, string>();
  return {
    of(headers, address) {
      const name = nameOf(headers);
      const tenantId = name === undefined ? undefined : accounts.get(name);
      return tenantId === undefined
        ? { group: 'network', name: networkOf(address) }
        : { group: 'account', name: tenantId };
    },
    accepted(headers, tenantId) {
      const name = nameOf(headers);
      if (name === undefined) return;
      accounts.delete(name);
      accounts.set(name, tenantId);
      if (accounts.size > capacity) accounts.delete(accounts.keys().next().value as string);
    },
    rejected(headers) {
      const name = nameOf(headers);
      if (name !== undefined) accounts.delete(name);
    },
  };
}
