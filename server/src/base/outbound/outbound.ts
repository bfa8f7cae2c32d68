import { setMaxListeners } from 'node:events';
import { isIP } from 'node:net';
import type { PatientTimers } from '../clock.js';
import { createJudge } from './addresses.js';
import { type Attempt, createAttempt, type OutboundResult } from './attempt.js';
import { createConnect } from './connect.js';
import { exchange } from './exchange.js';
import { codeOf, messageOf, OutboundFailure } from './failure.js';
import { createResolve, isLocalhost, LOCALHOST, type ResolveHost } from './resolve.js';
import { readTarget, type Target } from './target.js';

export type { OutboundResult } from './attempt.js';

/** Sends requests to addresses that tenants gave. Everything that fetches such an address must use it. */
export interface Outbound {
  /**
   * Why a URL cannot be used, as a phrase for an error message such as 'must begin with https://'. Undefined if it can. A
   * name is judged at each request, an address literal here, too.
   */
  refuse(url: string): string | undefined;
  /** Never throws. After `signal` the result is the status if one arrived, otherwise `timeout`. */
  post(
    url: string,
    request: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly signal?: AbortSignal;
    },
  ): Promise<OutboundResult>;
}

export interface OutboundSettings {
  /** Also accept `http:`. */
  readonly allowHttp: boolean;
  /** Networks that are open although they are not public. */
  readonly allowCidrs: readonly string[];
  /** Networks that are closed, also if they are public or allowed. */
  readonly denyCidrs: readonly string[];
  /** The `http:` URL of a forward proxy. It is the operator's, so it is not judged. */
  readonly proxy: string | undefined;
}

/** For the look-up, the proxy and the TLS handshake together. */
const CONNECT_MS = 3_000;
const REQUEST_MS = 15_000;

export function createOutbound(options: {
  readonly settings: OutboundSettings;
  readonly timers: PatientTimers;
  /** Default: the name servers of the operating system. */
  readonly resolve?: ResolveHost;
  /** Certificate authorities instead of those of the system. For tests. */
  readonly ca?: string;
}): Outbound {
  const { settings, timers, resolve = createResolve({ timers }) } = options;
  const judge = createJudge(settings.allowCidrs, settings.denyCidrs);
  const connect = createConnect({ proxy: settings.proxy, ...(options.ca && { ca: options.ca }) });

  const openLocalhost = LOCALHOST.filter((address) => judge(address) !== undefined);

  const addressesOf = async (host: string, attempt: Attempt): Promise<readonly string[]> => {
    if (isIP(host) !== 0) return [host];
    if (isLocalhost(host)) return openLocalhost.length > 0 ? openLocalhost : LOCALHOST;
    const lookUp = new AbortController();
    attempt.hold(() => lookUp.abort());
    const addresses = await resolve(host, lookUp.signal).catch((error: unknown) => {
      throw new OutboundFailure('dns', codeOf(error) || messageOf(error));
    });
    if (addresses.length === 0) throw new OutboundFailure('dns', 'no addresses');
    return addresses;
  };

  /** The address to connect to, IPv4 if there is one. A single bad answer refuses all of them. */
  const choose = (addresses: readonly string[]): string => {
    const judged = addresses.map((address) => {
      const good = judge(address);
      if (good === undefined) throw new OutboundFailure('connect', `refused address ${address}`);
      return good;
    });
    return (judged.find((address) => isIP(address) === 4) ?? judged[0]) as string;
  };

  return {
    refuse(url) {
      const target = readTarget(url, settings.allowHttp);
      if (typeof target === 'string') return target;
      return isIP(target.host) !== 0 && judge(target.host) === undefined
        ? 'must not use a private, reserved or blocked address'
        : undefined;
    },
    post: (url, { headers, body, signal }) =>
      new Promise((settle) => {
        const attempt = createAttempt(timers, settle);
        const expire = (ms: number, reason: string) =>
          timers.patiently(ms, () => attempt.end(new OutboundFailure('timeout', reason)));
        const run = async () => {
          const target = readTarget(url, settings.allowHttp);
          if (typeof target === 'string') throw new OutboundFailure('connect', `the URL ${target}`);
          attempt.hold(expire(REQUEST_MS, `no response within ${REQUEST_MS} ms`));
          const connected = expire(CONNECT_MS, `no connection within ${CONNECT_MS} ms`);
          attempt.hold(connected);
          if (signal) endWith(signal, attempt);
          if (attempt.hasEnded()) return;
          const address = choose(await addressesOf(target.host, attempt));
          if (attempt.hasEnded()) return;
          const socket = await connect(destinationOf(target, address), attempt.keep);
          connected();
          if (!attempt.hasEnded()) exchange(socket, { target, headers, body }, { attempt, timers });
        };
        run().catch((error: unknown) =>
          attempt.end(
            error instanceof OutboundFailure ? error : new OutboundFailure('connect', messageOf(error)),
          ),
        );
      }),
  };
}

const destinationOf = ({ port, secure, host }: Target, address: string) => ({
  address,
  port,
  certifiedHost: secure ? host : undefined,
});

function endWith(signal: AbortSignal, attempt: Attempt): void {
  const abort = () => attempt.end(new OutboundFailure('timeout', 'aborted'));
  // Many requests may wait for the same signal.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', abort, { once: true });
  attempt.hold(() => signal.removeEventListener('abort', abort));
  if (signal.aborted) abort();
}
