// What bench/requests.mjs asks the servers, by name. Each function sends that many requests of one kind, or `prepare` returns one that does.
import { randomUUID } from 'node:crypto';
import { load } from './load.mjs';
import { enroll, verification } from './people.mjs';
import { bearer, call } from './servers.mjs';
import { openIdSignIns, pairings } from './sign-ins.mjs';
import { punches } from './time/site.mjs';

export const ACCOUNTS = 8;
const CONNECTIONS = 16;
/** Rows of the account whose lists are read. */
const ROWS = 1_000;

export const write = (headers) => ({
  path: '/v1/verifications',
  headers,
  body: { method: 'manual', result: 'pass' },
  expected: 201,
});
const list = (headers) => ({ method: 'GET', path: '/v1/verifications?limit=50', headers });

/** Sends `count` requests over several connections. */
async function sendAll(baseUrl, count, next) {
  let left = count;
  const one = (id) => (left-- > 0 ? next(id) : undefined);
  await load(baseUrl, { connections: Math.min(CONNECTIONS, count), seconds: 3_600, next: one });
}

async function kindsOf(baseUrl, subjects) {
  const { headers } = subjects[0];
  await sendAll(baseUrl, ROWS, () => write(headers));
  const of = (id) => subjects[id % ACCOUNTS];
  return {
    verify: (count) => sendAll(baseUrl, count, (id) => verification(of(id))),
    write: (count) => sendAll(baseUrl, count, (id) => write(of(id).headers)),
    list: (count) => sendAll(baseUrl, count, () => list(headers)),
  };
}

export async function plainKinds(baseUrl, people) {
  const subjects = [];
  for (const { did, commitment, proof } of people) {
    const key = randomUUID();
    await call(baseUrl, 'POST', '/setup', {}, { key, did, commitment });
    subjects.push({ headers: bearer(key), body: { did, ...proof } });
  }
  return kindsOf(baseUrl, subjects);
}

export async function serviceKinds(baseUrl, people) {
  const subjects = [];
  for (const person of people) subjects.push(await enroll(baseUrl, person));
  return kindsOf(baseUrl, subjects);
}

export const signInKinds = async (baseUrl) => ({
  pairing: await pairings(baseUrl),
  punch: await punches(baseUrl),
  openid: await openIdSignIns(baseUrl),
});
