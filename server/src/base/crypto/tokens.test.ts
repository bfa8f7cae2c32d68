import { expect, it } from 'vitest';
import { createKeyring } from './keyring.js';
import { createTokens } from './tokens.js';

const SECRET = 'a secret of at least thirty-two characters';
const start = Date.UTC(2026, 4, 12);

function setUp() {
  const clock = { ms: start, now: () => clock.ms };
  return { clock, tokens: createTokens(createKeyring(SECRET), clock) };
}

it('a token that was verified before ends with its time, and is none while the clock is before it', async () => {
  const { clock, tokens } = setUp();
  const token = tokens.sign('console', { sub: 'ada' }, 60);
  for (let time = 0; time < 2; time++)
    expect(await tokens.verify('console', token)).toMatchObject({ sub: 'ada', aud: 'console' });
  clock.ms = start + 60_000 - 1;
  expect(await tokens.verify('console', token)).toMatchObject({ sub: 'ada' });
  clock.ms = start + 60_000;
  expect(await tokens.verify('console', token)).toBeUndefined();
  clock.ms = start - 1;
  expect(await tokens.verify('console', token)).toBeUndefined();
});

it('a token that was verified before is none for another audience, nor with another signature', async () => {
  const { tokens } = setUp();
  const token = tokens.sign('console', { sub: 'ada' }, 60);
  await tokens.verify('console', token);
  expect(await tokens.verify('session', token)).toBeUndefined();
  const [header, payload] = token.split('.');
  const other = tokens.sign('console', { sub: 'eve' }, 60).split('.')[2];
  expect(await tokens.verify('console', `${header}.${payload}.${other}`)).toBeUndefined();
});

it('verifies a token again that it has forgotten', async () => {
  const { tokens } = setUp();
  const all = Array.from({ length: 1_001 }, (_, at) => tokens.sign('session', { sub: String(at) }, 60));
  for (const token of all) await tokens.verify('session', token);
  expect(await tokens.verify('session', all[0] as string)).toMatchObject({ sub: '0' });
});
