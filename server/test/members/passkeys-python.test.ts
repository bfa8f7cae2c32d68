// @module-tag if-touched server/src/features/accounts/ server/src/base/ server/test/support/: another program judges our authenticator
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Authenticator, type Faults } from '../support/authenticator.js';

/** Debian's, which has its packages. */
const PYTHON = '/usr/bin/python3';
const script = fileURLToPath(new URL('../support/fido2_server.py', import.meta.url));
const hasFido2 = spawnSync(PYTHON, ['-c', 'import fido2']).status === 0;
// `npm test -- --all` installs it, or prints this line itself.
if (!hasFido2 && process.env.SVC_TESTS !== 'all')
  console.error('!! NOT TESTED: our authenticator against python-fido2, because it is missing.');

const CHALLENGE = Buffer.alloc(32, 7).toString('base64url');
const creation = {
  rp: { id: 'localhost' },
  user: { id: 'AAAA' },
  challenge: CHALLENGE,
  excludeCredentials: [],
};
const request = { rpId: 'localhost', challenge: CHALLENGE, allowCredentials: [] };

/** What python-fido2 says of an answer to each kind of options. */
function judge(faults: { readonly create?: Faults; readonly get?: Faults } = {}): string {
  const authenticator = new Authenticator();
  const made = authenticator.create(creation, faults.create);
  const used = authenticator.get(request, faults.get);
  const input = JSON.stringify({ challenge: CHALLENGE, made, used });
  const { stdout, stderr } = spawnSync(PYTHON, [script], { input, encoding: 'utf8' });
  return stdout.trim() || stderr;
}

it.runIf(hasFido2)(
  'the authenticator of our tests makes what python-fido2 accepts, and its faults are those it means [members/passkeys]',
  () => {
    expect(judge()).toBe('accepted');
    expect(judge({ create: { isVerified: false } })).toContain('verifi');
    expect(judge({ create: { rpId: 'example.com' } })).toContain('RP ID');
    expect(judge({ get: { isVerified: false } })).toContain('verifi');
    expect(judge({ get: { origin: 'http://evil.example' } })).toContain('origin');
    expect(judge({ get: { challenge: 'AAAA' } })).toContain('challenge');
  },
);
