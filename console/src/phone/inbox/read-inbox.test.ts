import { readFileSync } from 'node:fs';
import type { Watch } from '@svc/sdk/phone';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { memoryVault } from '../../../../sdk/test/phone/memory-vault';
import type { Identity } from '../vault/identities';
import type { SealedSecret } from '../vault/sealed';
import type { Waiting } from './waiting';

const vectors = JSON.parse(
  readFileSync(new URL('../../../../docs/vectors/approvals.json', import.meta.url), 'utf8'),
) as { readonly good: readonly Waiting[] };
const [{ statement }] = vectors.good as [Waiting];

/** A fake of the prover's worker, which counts how many prove at the same time. */
let proving = 0;
let most = 0;
class Prover {
  onmessage?: (event: { data: unknown }) => void;
  postMessage({ secret }: { secret: { did: string } }) {
    proving += 1;
    most = Math.max(most, proving);
    setTimeout(() => this.onmessage?.({ data: { kind: 'done', result: { did: secret.did } } }));
  }
  terminate() {
    proving -= 1;
  }
}

type Sent = readonly [path: string, credential: string | undefined];
let sent: Sent[];
let reply: (path: string, credential: string | undefined) => Response;

vi.stubGlobal('location', new URL(`${statement.issuer}/phone`));
vi.stubGlobal('Worker', Prover);
vi.stubGlobal('navigator', { onLine: true, languages: ['en'] });
vi.stubGlobal('fetch', async (url: URL | string, init: { body?: string; headers: HeadersInit }) => {
  const { pathname } = new URL(url);
  if (pathname === '/api/health') return Response.json({});
  const token = new Headers(init.headers).get('x-inbox-token') ?? undefined;
  const credential = init.body ? (JSON.parse(init.body) as { did: string }).did : token;
  sent.push([pathname, credential]);
  return reply(pathname, credential);
});
vi.resetModules();
const inbox = await import('./read-inbox');
const { isOpen, lockInbox } = inbox;
const { phoneWith } = await import('../ports/ports');

/** A phone that has stored these identities. */
async function phoneOf(identities: readonly Identity[]) {
  const vault = memoryVault<SealedSecret>();
  await vault.change(() => identities.map((record) => ({ put: 'identities', record })));
  return () => ({ ...phoneWith(), vault });
}
const openInbox = async (identities: readonly Identity[], watch: Watch) =>
  inbox.openInbox(identities, watch, await phoneOf(identities));
const readInbox = async (identities: readonly Identity[], watch: Watch) =>
  inbox.readInbox(identities, watch, await phoneOf(identities));
const key = await (await import('../ports/seal')).createKey();
afterAll(() => void vi.unstubAllGlobals());

const rejected = () =>
  Response.json({ error: 'verification_failed', message: 'No.', requestId: 'r' }, { status: 401 });
const { tenantId, environment } = statement;
const identity = (did: string) =>
  ({
    id: did,
    did,
    tenantId,
    environment,
    confirmed: true,
    protection: { kind: 'browser', key },
  }) as Identity;
const watch = { signal: new AbortController().signal, onStage: () => {} };
const listed = (inboxToken: string, ...statements: unknown[]) =>
  Response.json({ approvals: statements.map((each) => ({ statement: each })), inboxToken });

beforeEach(() => {
  sent = [];
  most = 0;
  reply = (_, did) => listed(`token of ${did}`, statement);
});

test('asks for each identity, two at a time, and lists each approval once', async () => {
  const opened = await openInbox(['a', 'b', 'c', 'd', 'e'].map(identity), watch);
  expect(sent.map(([, did]) => did).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(most).toBe(2);
  expect(opened.waiting.map((each) => each.statement.approvalId)).toEqual([statement.approvalId]);
  expect(opened).toMatchObject({ unreadable: 0 });
});

test('reads again with the token, and proves again when it has expired', async () => {
  await openInbox([identity('a')], watch);
  sent = [];
  reply = () => Response.json({ approvals: [] });
  expect(await readInbox([identity('a')], watch)).toEqual({ waiting: [], unreadable: 0 });
  expect(sent).toEqual([['/v1/phone/approvals', 'token of a']]);
  sent = [];
  reply = (path, did) => (path.endsWith('/list') ? listed(`new token of ${did}`, statement) : rejected());
  expect((await readInbox([identity('a')], watch))?.waiting).toHaveLength(1);
  expect(sent.map(([path]) => path)).toEqual(['/v1/phone/approvals', '/v1/phone/approvals/list']);
});

test('shows what it can when an identity is no longer in force, and is closed when none is', async () => {
  reply = (_, did) => (did === 'a' ? rejected() : listed('token', statement));
  expect((await openInbox([identity('a'), identity('b')], watch)).waiting).toHaveLength(1);
  reply = rejected;
  expect(await readInbox([identity('b')], watch)).toBeNull();
  await expect(openInbox([identity('a')], watch)).rejects.toMatchObject({ code: 'verification_failed' });
});

test('keeps the error of one that did not respond, next to the others', async () => {
  reply = (_, did) =>
    did === 'a'
      ? Response.json({ error: 'service_unavailable', message: 'Later.', requestId: 'r' }, { status: 503 })
      : listed('token', statement);
  const opened = await openInbox([identity('a'), identity('b')], watch);
  expect(opened).toMatchObject({ waiting: [{}], error: { code: 'service_unavailable' } });
});

test('counts what is not as the service has to send it, and reads at most 20', async () => {
  reply = () =>
    listed('token', statement, { ...statement, v: 'svc-approval-2' }, ...Array(30).fill(statement));
  const opened = await openInbox([identity('a')], watch);
  expect([opened.waiting.length, opened.unreadable]).toEqual([1, 1]);
});

test('locks only what the screen lock protects', async () => {
  await openInbox([identity('a')], watch);
  lockInbox();
  expect(isOpen()).toBe(true);
});
