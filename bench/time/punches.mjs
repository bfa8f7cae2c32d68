// Processor time of a punch, node and PostgreSQL together, beside that of a pairing's submit on the same server, in turns: both by phones without
// an API key, with proofs made before. Also with what comes before each, the context of a punch and the opening of a pairing, and of a punch while
// the desk follows its code. Needs a build, Linux and PostgreSQL on this machine. BENCH_PROOFS=<n> of each in a round, BENCH_ROUNDS=<n>,
// BENCH_PHONES=<n> that send at the same time.
import { exactSeconds, secondsBetween } from '../../scripts/testing/cpu.mjs';
import { pairingBind } from '../../zk/dist/field.js';
import { createPhoneProver, median, row, size, withService } from '../harness.mjs';
import { call } from '../servers.mjs';
import { freshAddress } from '../sign-ins.mjs';
import { followCode } from './screen.mjs';
import { codeAt, employ, openSite, provePunch, punch, scan } from './site.mjs';

const PROOFS = size('PROOFS', 24);
const ROUNDS = size('ROUNDS', 9);
const PHONES = size('PHONES', 1);
/** Rounds before the first that counts. Node optimizes what ran often. */
const WARM_ROUNDS = 2;
const SESSIONS = '/v1/proof-pairing/sessions';

const prove = await createPhoneProver();
const many = async (make) => {
  const made = [];
  while (made.length < PROOFS) made.push(await make());
  return made;
};

/** What prepares requests of each kind, and returns a function that sends one. */
function kindsOf(baseUrl, account) {
  const { tenantId, headers, person } = account;
  const own = () => ({ 'x-forwarded-for': freshAddress(81) });
  const preparePunch = async () => {
    const context = await scan(baseUrl, await codeAt(baseUrl, account));
    const body = await provePunch(prove, person, context, 'check_in');
    return () => punch(baseUrl, body);
  };
  return {
    open: async () => () => call(baseUrl, 'POST', SESSIONS, headers, {}),
    submit: async () => {
      const { session } = await call(baseUrl, 'POST', SESSIONS, headers, {});
      const { id, nonce } = session;
      const bind = pairingBind({ tenantId, environment: 'live', sessionId: id, nonce });
      const body = { did: person.did, ...(await prove(person, bind)) };
      return () => call(baseUrl, 'POST', `/v1/phone/pairing/${id}/submit`, own(), body);
    },
    context: async () => {
      const code = await codeAt(baseUrl, account);
      return () => scan(baseUrl, code);
    },
    punch: preparePunch,
    followed: preparePunch,
  };
}

async function sendAll(requests) {
  const phone = async () => {
    for (let send = requests.pop(); send; send = requests.pop()) await send();
  };
  await Promise.all(Array.from({ length: PHONES }, phone));
}

async function measure(baseUrl, pid, databaseUrl) {
  const account = await openSite(baseUrl);
  account.person = await employ(baseUrl, account);
  const database = new URL(databaseUrl).pathname.slice(1);
  const kinds = Object.entries(kindsOf(baseUrl, account));
  const rounds = Object.fromEntries(kinds.map(([kind]) => [kind, []]));
  for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1)
    for (const [kind, prepare] of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const requests = await many(prepare);
      const desk = kind === 'followed' ? await followCode(baseUrl, account) : undefined;
      const before = exactSeconds(pid, database);
      await sendAll(requests);
      const used = secondsBetween(before, exactSeconds(pid, database));
      desk?.leave();
      if (round >= 0) rounds[kind].push((used / PROOFS) * 1000);
    }
  return rounds;
}

const times = await withService(measure);
const sumOf = (kinds) =>
  times.punch.map((_, round) => kinds.reduce((sum, kind) => sum + times[kind][round], 0));
const ratioOf = (ours, theirs) => median(ours.map((ms, round) => theirs[round] / ms));
const beside = (what, kinds, yardstick, theirs) => {
  const [mine, other] = [sumOf(kinds), sumOf(theirs)];
  return row(what, median(mine), yardstick, median(other), ratioOf(mine, other));
};
console.log(
  `CPU of a request, ms, node and PostgreSQL together, ${ROUNDS} rounds of ${PROOFS} in turn, ${PHONES} at a time`,
);
console.table([
  beside('a punch', ['punch'], "a pairing's submit", ['submit']),
  beside('with its context', ['context', 'punch'], 'with its opening', ['open', 'submit']),
  beside('a punch while the desk follows its code', ['followed'], "a pairing's submit", ['submit']),
]);
process.exit();
