import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentity } from '@svc/zk/phone';
import { expect, vi } from 'vitest';
import { createBrowser } from '../oidc/browser.js';
import { uidOf } from '../oidc/oidc.js';
import { proveForPairing, scanOf } from '../pairing.js';
import { endProcesses, freePort, freshSettings, install, startProcess } from '../process.js';
import { seeded } from '../seeded.js';

export interface SignInReport {
  readonly kills: number;
  readonly codes: number;
  /** Codes that gave tokens before the kill. */
  readonly redeemed: number;
  /** Codes whose requests a kill cut off. */
  readonly cutOff: number;
}

const CALLBACK = 'https://app.example.com/callback';
/** Redeemed at the time of each kill. */
const CODES = 6;

/** Kills the service while codes are redeemed, and checks that no code is redeemed twice. */
export async function checkKilledSignIns({
  kills,
  seed,
}: {
  kills: number;
  seed: number;
}): Promise<SignInReport> {
  const random = seeded(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'svc-sign-ins-'));
  const installed = install();
  try {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const env = {
      ...(await freshSettings(join(scratch, 'data'))),
      BASE_URL: baseUrl,
      PORT: String(port),
      PLAN_WINDOW_MULTIPLIER: '1000',
    };
    let running = await startProcess(installed, env);
    await running.serving;
    const { clientId, secret, issuer, signIn } = await setUp(baseUrl);
    const redeem = async ({ code, verifier }: Code): Promise<number> => {
      const reply = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: CALLBACK,
          code_verifier: verifier,
        }),
      });
      await reply.text();
      return reply.status;
    };
    const outcomes: (number | undefined)[] = [];
    for (let round = 0; round < kills; round += 1) {
      const codes: Code[] = [];
      for (let n = 0; n < CODES; n += 1) codes.push(await signIn());
      const enough = random.between(0, CODES - 1);
      let answered = 0;
      const redeeming = codes.map(async (code) => {
        const status = await redeem(code).catch(() => undefined);
        answered += 1;
        return status;
      });
      await vi.waitUntil(() => answered >= enough, { timeout: 30_000, interval: 1 });
      running.kill('SIGKILL');
      const first = await Promise.all(redeeming);
      await running.ended;
      running = await startProcess(installed, env);
      await running.serving;
      for (const [at, code] of codes.entries()) {
        const again = await redeem(code);
        // A code that gave tokens gives none again. One that was cut off gives them at most once.
        if (first[at] === 200) expect(again, `code ${at} of round ${round}`).toBe(400);
        else if (again === 200) expect(await redeem(code)).toBe(400);
      }
      outcomes.push(...first);
    }
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    const redeemed = outcomes.filter((status) => status === 200).length;
    return {
      kills,
      codes: outcomes.length,
      redeemed,
      cutOff: outcomes.filter((status) => status === undefined).length,
    };
  } finally {
    endProcesses();
    installed.remove();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Code {
  readonly code: string;
  readonly verifier: string;
}

function authorization(issuer: string, clientId: string) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { url: `${issuer}/auth?${query}`, verifier };
}

/** A client and a person, and what signs the person in: each code is of a sign-in of its own, because a second use of it ends that. */
async function setUp(baseUrl: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the caller reads what it expects
  const post = async (path: string, body: object, as?: string): Promise<any> => {
    const headers = { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as}` }) };
    const reply = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path} returned ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  const account = await post('/api/console/signup', {
    email: 'sign-ins@example.com',
    password: 'correct horse 7 battery staple',
    companyName: 'Example',
  });
  const phone = createIdentity();
  await post('/v1/identity/register', { did: phone.did, commitment: phone.commitment }, account.apiKey.key);
  const body = {
    name: 'Example',
    type: 'web',
    redirectUris: [CALLBACK],
    tokenEndpointAuth: 'client_secret_basic',
    subjectType: 'public',
  };
  const { client, clientSecret: secret } = await post('/api/console/oidc/clients', body, account.token);
  const { clientId, issuer } = client;
  async function signIn(): Promise<Code> {
    const browser = createBrowser(baseUrl);
    const { url, verifier } = authorization(issuer, clientId);
    const uid = uidOf(await browser.open(url));
    const { session } = await browser.json('POST', `/sign-in/${uid}/session`);
    const proof = await proveForPairing(phone, {
      tenantId: account.tenant.id,
      sessionId: session.id,
      nonce: session.qrPayload.split(':')[4],
      matchCode: session.matchCode,
    });
    await post(`/v1/phone/pairing/${session.id}/submit`, { ...proof, ...scanOf(session) });
    const { redirectTo } = await browser.json('POST', `/sign-in/${uid}/complete`, { sessionId: session.id });
    const { location } = await browser.open(redirectTo);
    const code = location && new URL(location).searchParams.get('code');
    if (!code) throw new Error(`there is no code in ${location}`);
    return { code, verifier };
  }
  return { clientId, secret, issuer, signIn };
}
