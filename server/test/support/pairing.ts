import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatPairingCode } from '@svc/sdk';
import { type Approved, approvePairing, findForCode } from '@svc/sdk/phone';
import type { PhoneIdentity } from '@svc/zk/phone';
import type { Environment } from '../../src/model/environment.js';
import { registerPerson } from './phone.js';
import { phoneWith, proofs } from './phones.js';
import {
  type Account,
  bearerOrSession,
  freshAddress,
  type Reply,
  type Service,
  sessionHeaders,
} from './service.js';

const SESSIONS = '/v1/proof-pairing/sessions';

/** A session as the desktop sees it: the response and the cookie. */
export interface Pairing {
  readonly id: string;
  readonly nonce: string;
  readonly qrPayload: string;
  readonly url: string;
  readonly expiresAt: string;
  readonly streamUrl: string;
  /** The number that the desktop shows, if the session asks for it. */
  readonly matchCode?: string;
  /** For the Cookie header. */
  readonly cookie: string;
  readonly reply: Reply;
}

/** Opens a session with an API key, or with a console token, as one of our own pages. */
export async function openPairing(
  service: Service,
  as: string,
  cookie?: string,
  body?: object,
): Promise<Pairing> {
  const reply = await service.call('POST', SESSIONS, {
    ...bearerOrSession(as),
    headers: { ...(cookie && { cookie }) },
    ...(body && { body }),
  });
  if (reply.status !== 201) throw new Error(`opening a pairing returned ${reply.status} ${reply.text}`);
  const [pair] = String(reply.headers['set-cookie']).split(';') as [string];
  return { ...reply.body.session, cookie: pair, reply };
}

export interface PairingUse {
  readonly tenantId: string;
  readonly environment?: Environment;
  readonly sessionId: string;
  readonly nonce: string;
  readonly matchCode?: string;
}

/** A session's code as a phone registered in that account reads it. */
const scanned = ({ tenantId, environment = 'live', sessionId, nonce }: PairingUse) => {
  const enrolledAt = { tenantId, environment, baseUrl: 'http://localhost:3000' };
  const code = formatPairingCode({ ...enrolledAt, sessionId, nonce, expiresAtSeconds: 0 });
  return [code, enrolledAt] as const;
};

/** A body for submit, with a fresh proof that is bound to that session. */
export async function proveForPairing(identity: PhoneIdentity, { matchCode, ...use }: PairingUse) {
  const { sessionId: _, ...body } = await proofs.provePairing(identity, ...scanned(use), { matchCode });
  return body;
}

/** The proof of a decline's body. */
export async function proveForDecline(identity: PhoneIdentity, use: Omit<PairingUse, 'matchCode'>) {
  const { sessionId: _, ...body } = await proofs.provePairingDecline(identity, ...scanned(use));
  return body;
}

/** The slot of a moving code and its signature. */
export function scanOf({ qrPayload }: Pick<Pairing, 'qrPayload'>): { slot: number; slotMac: string } {
  const [slot, slotMac] = qrPayload.split(':').slice(-2) as [string, string];
  return { slot: Number(slot), slotMac };
}

/** An action of a phone without an API key. */
export const phone = (service: Service, id: string, action: 'submit' | 'decline', body: object) =>
  service.call('POST', `/v1/phone/pairing/${id}/${action}`, { body, address: freshAddress() });

export const contextOf = (service: Service, id: string, scan: object = {}, address = freshAddress()) => {
  const query = new URLSearchParams(
    Object.entries(scan).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return service.call('GET', `/v1/phone/pairing/${id}/context?${query}`, { address });
};

export const submit = (service: Service, as: string, id: string, body: object) =>
  service.call('POST', `${SESSIONS}/${id}/submit`, { as, body });

export const poll = (service: Service, as: string, { id, cookie }: { id: string; cookie?: string }) =>
  service.call('GET', `${SESSIONS}/${id}`, { as, headers: { ...(cookie && { cookie }) } });

/** The phone of a person signs the desktop in. */
export async function signIn(
  service: Service,
  account: Account,
  person: PhoneIdentity,
  { qrPayload }: Pick<Pairing, 'qrPayload'>,
): Promise<Approved> {
  const owner = phoneWith(service, account, person);
  return approvePairing(owner, await findForCode(owner, qrPayload), {});
}

/** Opens a session, which the phone of a new person binds. */
export async function bindPairing(service: Service, account: Account) {
  const person = await registerPerson(service, account.key);
  const pairing = await openPairing(service, account.key);
  const { tokens } = await signIn(service, account, person, pairing);
  return { person, pairing, tokens: tokens as NonNullable<typeof tokens> };
}

/** Binds a session that was opened on the phone itself, whose browser has not redeemed its code yet. */
export async function bindOnSameDevice(service: Service, account: Account, beforeSubmit = () => {}) {
  const origin = 'https://app.example.com';
  await setPolicy(service, account, { origins: [origin] });
  const person = await registerPerson(service, account.key);
  const asked = { sameDevice: true, returnUrl: `${origin}/signed-in` };
  const pairing = await openPairing(service, account.key, undefined, asked);
  beforeSubmit();
  const { returnUrl, returnCode } = await signIn(service, account, person, pairing);
  return { pairing, returnUrl, returnCode: returnCode as string };
}

export const setPolicy = (service: Service, { token }: Account, security_policy: object) =>
  service.call('PUT', '/api/console/security-policy', { as: token, body: { security_policy } });

export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly data: any;
}

/** A client on a real socket. */
export interface StreamClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Everything received so far. */
  text(): string;
  /** The next moved code. Rejects if the stream ends first. */
  code(): Promise<string>;
  /** The data of the next phone that opened the code. Rejects if the stream ends first. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  phone(): Promise<any>;
  /** The next part that matches. Rejects if the stream ends first. */
  block(pattern: RegExp): Promise<string>;
  /** The next event with an id. Rejects if the stream ends first. */
  next(): Promise<StreamEvent>;
  /** The next comment line. */
  comment(): Promise<string>;
  /** Resolves when the stream ends: true if it ended cleanly. */
  ended(): Promise<boolean>;
  /** Closes the connection without notice. */
  disconnect(): void;
}

const listening = new WeakMap<Service, Promise<number>>();

async function listen({ app: { http } }: Service): Promise<number> {
  if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' });
  return (http.server.address() as AddressInfo).port;
}

/** The port of the service, which starts to listen at the first call if it does not yet. */
export function portOf(service: Service): Promise<number> {
  const port = listening.get(service) ?? listen(service);
  listening.set(service, port);
  return port;
}

export async function openStream(
  service: Service,
  path: string,
  headers: Record<string, string>,
): Promise<StreamClient> {
  const port = await portOf(service);
  const sent: ClientRequest = request({ port, host: '127.0.0.1', path, headers, agent: false });
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end();
  });
  sent.on('error', () => {});
  reply.on('error', () => {});
  let text = '';
  let position = 0;
  let isComplete: boolean | undefined;
  let wake = () => {};
  reply.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    wake();
  });
  reply.on('close', () => {
    isComplete = reply.complete;
    wake();
  });
  const nextBlock = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n', position);
      if (end >= 0) {
        const block = text.slice(position, end);
        position = end + 2;
        if (pattern.test(block)) return block;
        continue;
      }
      if (isComplete !== undefined) throw new Error(`the stream ended before ${pattern}: ${text}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    status: reply.statusCode as number,
    headers: reply.headers,
    text: () => text,
    block: nextBlock,
    async next() {
      const block = await nextBlock(/^id: .+\nevent: /);
      const [, id, event, data] = /^id: (.+)\nevent: (.+)\ndata: (.+)$/.exec(block) as unknown as string[];
      return { id: id as string, event: event as string, data: JSON.parse(data as string) };
    },
    async code() {
      const [, data] = (await nextBlock(/^event: qr$/m)).split('\ndata: ');
      return JSON.parse(data as string).qrPayload;
    },
    async phone() {
      const [, data] = (await nextBlock(/^event: phone_connected$/m)).split('\ndata: ');
      return JSON.parse(data as string);
    },
    comment: () => nextBlock(/^: /),
    async ended() {
      while (isComplete === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return isComplete;
    },
    disconnect: () => void reply.destroy(),
  };
}

/** The desktop's stream of a session. */
export const watch = async (
  service: Service,
  as: string,
  { streamUrl, cookie }: Pick<Pairing, 'streamUrl' | 'cookie'>,
  lastEventId?: string,
) =>
  openStream(service, streamUrl, {
    ...(as.startsWith('svc_')
      ? { authorization: `Bearer ${as}`, cookie }
      : await sessionHeaders(service.app, as, cookie)),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  });
