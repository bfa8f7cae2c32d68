import { createECDH, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/crypto/keyring.js';
import { sql } from '../../src/db/sql.js';
import { userHandle } from '../../src/features/accounts/passkeys/relying-party.js';
import { sendSignIn } from '../support/passkeys.js';
import { type Account, type Service, startService } from '../support/service.js';

// Test vectors of WebAuthn Level 3, section 16, for example.org. No. 1 has no user verification, no. 2 has it at the registration
// only, and no. 3 was made in a frame of another origin.
type Fields = Readonly<Record<'challenge' | 'clientDataJSON', string>>;
interface Vector {
  readonly registration: Fields & { readonly attestationObject: string };
  readonly authentication: Fields & { readonly authenticatorData: string; readonly signature: string };
}
const file = new URL('../support/webauthn-vectors.json', import.meta.url);
const vectors: Record<string, Vector> = JSON.parse(readFileSync(file, 'utf8'));

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const text = (hex: string) => bytes(hex).toString('base64url');
const derive = (name: string, salt: number) =>
  Buffer.from(hkdfSync('sha256', 'WebAuthn test vectors', Buffer.from([salt]), name, 32));

/** The id and the COSE key behind a fixed header, at the end of an attestation. */
function attestedIn(attestationObject: string) {
  const object = bytes(attestationObject);
  return { id: object.subarray(-109, -77), key: object.subarray(-77) };
}

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService({ env: { BASE_URL: 'https://example.org' } });
});
afterAll(() => service.close());

const issue = (challenge: string, purpose: string, memberId: string | null) =>
  service.db.query(sql`insert into webauthn_challenges (challenge_hash, purpose, tenant_id, member_id, expires_at)
    values (${sha256(text(challenge))}, ${purpose}, ${memberId}, ${memberId}, ${new Date(service.clock.now())})`);

async function register({ registration }: Vector) {
  account = await service.signUp();
  await issue(registration.challenge, 'register', account.tenantId);
  const id = attestedIn(registration.attestationObject).id.toString('base64url');
  const { clientDataJSON, attestationObject } = registration;
  const response = { clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject) };
  const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  const reply = await service.call('POST', '/api/console/passkeys', {
    as: account.token,
    body: { credential },
  });
  return { reply, because: rejections().at(-1) };
}

async function signIn({ registration, authentication }: Vector, isSynced: boolean) {
  const { id, key } = attestedIn(registration.attestationObject);
  await service.db.query(sql`delete from passkeys where credential_id = ${id.toString('base64url')}`);
  await service.db.query(sql`insert into passkeys
      (tenant_id, id, member_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
    values (${account.tenantId}, gen_random_uuid(), ${account.tenantId}, ${id.toString('base64url')},
      ${key.toString('base64url')}, 0, '{}', ${isSynced}, 'x', now())`);
  await issue(authentication.challenge, 'sign-in', null);
  const response = {
    clientDataJSON: text(authentication.clientDataJSON),
    authenticatorData: text(authentication.authenticatorData),
    signature: text(authentication.signature),
    userHandle: userHandle(account.tenantId),
  };
  const rawId = id.toString('base64url');
  const credential = { id: rawId, rawId, type: 'public-key', clientExtensionResults: {}, response };
  const reply = await sendSignIn(service, credential);
  return { reply, because: rejections().at(-1) };
}

/** What the log says of rejected credentials. */
const rejections = () =>
  service.logged.map((line) => JSON.parse(line).because).filter((because) => because !== undefined);

describe('the test vectors of WebAuthn [members/passkeys]', () => {
  it.each(Object.entries(vectors))(
    '%s are those of the specification, which derives them',
    (name, vector) => {
      expect(vector.registration.challenge).toBe(derive(name, 0).toString('hex'));
      expect(vector.authentication.challenge).toBe(derive(name, 7).toString('hex'));
      const { id, key } = attestedIn(vector.registration.attestationObject);
      expect(id).toEqual(derive(name, 5));
      const pair = createECDH('prime256v1');
      pair.setPrivateKey(derive(name, 1));
      const [x, y] = [key.subarray(10, 42), key.subarray(45, 77)];
      expect(pair.getPublicKey()).toEqual(Buffer.concat([Buffer.from([4]), x, y]));
    },
  );

  it('without user verification are rejected for this reason', async () => {
    for (const run of [register, (vector: Vector) => signIn(vector, true)]) {
      const { reply, because } = await run(vectors['none.ES256']!);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(because).toMatch(/user could not be verified/i);
    }
  });

  it('with user verification and self attestation are accepted, and the use without it is not', async () => {
    const vector = vectors['packed-self.ES256']!;
    const { reply } = await register(vector);
    expect([reply.status, reply.body.passkey.isSynced]).toEqual([201, true]);
    const used = await signIn(vector, true);
    expect([used.reply.status, used.because]).toEqual([
      401,
      expect.stringMatching(/user could not be verified/i),
    ]);
  });

  it('of a frame in a page of another origin are rejected', async () => {
    for (const run of [register, (vector: Vector) => signIn(vector, false)]) {
      const { reply, because } = await run(vectors['none.ES256.crossOrigin']!);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(because).toBe('challenge');
    }
  });
});
