/** A phone in this browser, for one person: it registers, and then proves. Its secret is never stored, and ends with the worker. */
import { isSvcError, readPairingCode, Svc, type SvcErrorCode } from '@svc/sdk';
import { createIdentity, createProver } from '@svc/sdk/prover';
import { fetchArtifacts } from '../../../ui/artifacts';

export type PhoneWork =
  | { readonly kind: 'register'; readonly deeplink: string }
  | { readonly kind: 'prove'; readonly code: string; readonly matchCode: string | undefined };

export interface PhoneResults {
  readonly register: { readonly userId: string };
  readonly prove: { readonly ms: number };
}

export type PhoneReply =
  | { readonly result: PhoneResults[PhoneWork['kind']] }
  | { readonly failed: string; readonly code: SvcErrorCode | undefined };

const svc = new Svc({ baseUrl: location.origin });
const identity = createIdentity();
const loading = fetchArtifacts().then(createProver);
// A failure is reported by the work that waits for it.
loading.catch(() => undefined);
type Place = Awaited<ReturnType<typeof svc.registrations.takePart>>;
let place: Place | undefined;

async function register(deeplink: string): Promise<PhoneResults['register']> {
  const prover = await loading;
  place = await svc.registrations.takePart(deeplink, {
    fingerprint: `browser:${crypto.randomUUID()}`,
    identity,
    prove: (challenge) => prover.proveRegistration(identity, challenge),
  });
  return { userId: place.tenant_user.id };
}

async function prove(code: string, matchCode: string | undefined): Promise<PhoneResults['prove']> {
  if (place === undefined) throw new Error('This phone is not registered.');
  const prover = await loading;
  const enrolledAt = { baseUrl: location.origin, tenantId: place.tenantId, environment: place.environment };
  const read = readPairingCode(code, enrolledAt);
  const { scanTicket } = await svc.phone.pairing.context(read);
  const started = performance.now();
  const proof = await prover.provePairing(identity, code, enrolledAt, { matchCode });
  const ms = performance.now() - started;
  await svc.phone.pairing.submit(read.sessionId, { ...proof, scanTicket });
  return { ms };
}

addEventListener('message', ({ data }: MessageEvent<PhoneWork>) => {
  const work = data.kind === 'register' ? register(data.deeplink) : prove(data.code, data.matchCode);
  void work.then((result): PhoneReply => ({ result }), failureOf).then((reply) => postMessage(reply));
});

const failureOf = (error: unknown): PhoneReply => ({
  failed: error instanceof Error ? error.message : String(error),
  code: isSvcError(error) ? error.code : undefined,
});
