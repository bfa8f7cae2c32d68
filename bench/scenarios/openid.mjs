// The OpenID Provider over one node and one PostgreSQL: how many sign-ins a second go from the authorization request to the tokens in
// browsers that a phone has approved before, what discovery and keys take with and without a tag, and one sign-in with a phone from
// the page to the tokens. Needs a build. BENCH_SECONDS=<n> of each load, BENCH_SIGN_INS=<n> with a phone.

import { median, size, withService } from '../harness.mjs';
import { load } from '../load.mjs';
import { BROWSERS, freshAddress, openBrowsers } from '../sign-ins.mjs';

const SECONDS = size('SECONDS', 8);
const SIGN_INS = size('SIGN_INS', 10);
const PROMISED_A_SECOND = 300;
const PROMISED_MS = 2_000;

async function measure(baseUrl) {
  const { issuer, browsers, times } = await openBrowsers(baseUrl, Math.max(BROWSERS, SIGN_INS));
  let done = 0;
  const until = performance.now() + SECONDS * 1000;
  await Promise.all(
    browsers.slice(0, BROWSERS).map(async (authorize) => {
      while (performance.now() < until) {
        await authorize();
        done++;
      }
    }),
  );

  const document = `${issuer}/.well-known/openid-configuration`;
  const read200 = () => ({
    method: 'GET',
    path: document,
    headers: { 'x-forwarded-for': freshAddress(78) },
    status: 200,
  });
  const discovery = await load(baseUrl, { connections: 16, seconds: SECONDS / 2, next: read200 });
  return { perSecond: done / SECONDS, discovery, median: median(times), worst: Math.max(...times) };
}

const result = await withService(measure);
console.log(`OpenID Provider: ${BROWSERS} browsers, ${SECONDS} s`);
console.table([
  {
    what: 'authorization request to tokens, a second',
    ours: result.perSecond.toFixed(0),
    promised: PROMISED_A_SECOND,
    ratio: (result.perSecond / PROMISED_A_SECOND).toFixed(2),
  },
  {
    what: 'sign-in with a phone, median, ms (proof included)',
    ours: result.median.toFixed(0),
    promised: PROMISED_MS,
    ratio: (PROMISED_MS / result.median).toFixed(1),
  },
  {
    what: 'the slowest, ms',
    ours: result.worst.toFixed(0),
    promised: PROMISED_MS,
    ratio: (PROMISED_MS / result.worst).toFixed(1),
  },
  {
    what: 'discovery, a second',
    ours: Object.values(result.discovery)[0]?.toFixed?.(0) ?? '',
    promised: '',
    ratio: '',
  },
]);
