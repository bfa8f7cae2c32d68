// Months that somebody with the database, the secret of the service and an API key continues as they like, after the head that was kept.
import { register } from '../receipt-scene.mjs';
import { OPEN } from './bad.mjs';
import {
  apply,
  change,
  close,
  decision,
  Hours,
  idOf,
  linesOf,
  MONTH,
  mark,
  noteCorrection,
  propose,
  provePunch,
  record,
  relinked,
  settle,
  signed,
} from './scene.mjs';

const LATER = '03-30T08:00:00.000';

/** @typedef {ReturnType<typeof goingOn>} GoesOn */

export async function attackedMonths(scene) {
  const on = goingOn(scene);
  return {
    ...(await attackedCorrections(scene, on)),
    ...(await wronglyApplied(scene, on)),
    ...(await attackedEvents(scene, on)),
    ...(await attackedPhones(scene, on)),
    'a closing with a zone that there is not': await closedIn(scene, on),
  };
}

/** How a month goes on after the head that was kept. */
function goingOn({ hours, sizes }) {
  const { keys } = hours;
  const head = { ...hours.tree(sizes.open), publicKey: keys.signing.publicHex };
  const file = (/** @type {Hours} */ of, more = {}) =>
    signed(linesOf(of, { from: sizes.open, ...more }), keys);
  /** A month that goes on after the head that was kept. */
  const after = async (
    /** @type {string[]} */ codes,
    /** @type {(of: Hours) => unknown} */ go,
    more = {},
  ) => {
    const copy = hours.fork(sizes.open).at(LATER);
    await go(copy);
    return { of: OPEN, codes, lines: file(copy, more), options: { head } };
  };
  return { after, file, head };
}

const byMember = { actorType: 'member', actorId: idOf('member') };
const end = (/** @type {Hours} */ of, /** @type {string} */ id, more = {}) =>
  noteCorrection(of, id, 'agreed', { metadata: { state: 'agreed' }, ...more });

function corrections(/** @type {GoesOn['after']} */ after, /** @type {any} */ ids) {
  /** A correction with one change, which `go` ends. */
  const corrected = (
    /** @type {any} */ person,
    /** @type {(of: Hours) => any} */ changed,
    /** @type {(of: Hours, id: string) => unknown} */ go,
    { codes = ['correction_wrong'], ...more } = {},
  ) =>
    after(codes, async (of) => {
      const id = await propose(of, person, { changes: [changed(of)], ...more });
      await go(of, id);
    });
  const earlier = (/** @type {Hours} */ of) =>
    change(of, ids.night, { type: 'check_out', at: '03-29T02:00:00.000' });
  return { corrected, earlier };
}

async function attackedCorrections({ people, ids }, /** @type {GoesOn} */ { after }) {
  const { ada, grace } = people;
  const { corrected, earlier } = corrections(after, ids);
  return {
    'a correction in the name of the person, without a proof': await corrected(
      ada,
      earlier,
      (of, id) => {
        of.corrections.get(id).decisions.length = 0;
        return settle(of, id, {});
      },
      { by: 'person' },
    ),
    'a correction that says another time of an event than it has': await corrected(
      ada,
      (of) => ({
        old: { ...earlier(of).old, occurredAt: '2026-03-29T06:00:00.000Z' },
        new: { type: 'check_out', reason: 'work', occurredAt: '2026-03-29T05:00:00.000Z' },
      }),
      (of, id) => settle(of, id, { person: ada }),
    ),
    'a correction of one person that voids an event of another': await corrected(
      grace,
      (of) => change(of, ids.night, null),
      (of, id) => settle(of, id, { person: grace }),
      { codes: ['correction_missing', 'correction_wrong'] },
    ),
    'a correction that the person declined, as agreed': await corrected(ada, earlier, async (of, id) => {
      const { corrections } = of;
      const seq = of.rows.length + 1;
      const declined = await decision(of, ada, corrections.get(id).said, false);
      corrections.get(id).decisions.push({ seq, personBy: 'phone', ...declined });
      end(of, id);
      apply(of, id);
    }),
    'a correction that the phone of another person agreed to': await corrected(ada, earlier, (of, id) =>
      settle(of, id, { person: grace }),
    ),
    'a correction that no member agreed to': await corrected(
      ada,
      earlier,
      (of, id) => {
        end(of, id);
        apply(of, id);
      },
      { by: 'person' },
    ),
    'a correction that the person did not agree to': await corrected(ada, earlier, (of, id) =>
      settle(of, id, {}),
    ),
    'a correction that ended twice': await corrected(ada, earlier, async (of, id) => {
      await settle(of, id, { personBy: 'pin' });
      end(of, id, byMember);
    }),
  };
}

async function wronglyApplied({ people, ids }, /** @type {GoesOn} */ { after }) {
  const { ada } = people;
  const { corrected, earlier } = corrections(after, ids);
  return {
    'an agreed correction that replaces nothing': await corrected(ada, earlier, (of, id) => {
      const { said, decisions } = of.corrections.get(id);
      decisions.push({ seq: of.rows.length + 1, personBy: 'pin' });
      end(of, id);
      const [{ new: next }] = said.changes;
      const at = Date.parse(next.occurredAt);
      record(of, { person: ada, evidence: 'agreed', type: next.type, at, record: { correctionId: id } });
    }),
    'an agreed correction without its event': await corrected(ada, earlier, (of, id) => {
      of.corrections.get(id).decisions.push({ seq: of.rows.length + 1, personBy: 'pin' });
      end(of, id);
      mark(of, 'voided', ids.night, { correctionId: id });
    }),
    'an agreed event that no correction made': await after(['correction_missing'], (of) => {
      const at = Date.parse('2026-03-12T08:00:00.000Z');
      record(of, {
        person: ada,
        evidence: 'agreed',
        type: 'check_in',
        at,
        record: { correctionId: ids.agreed },
      });
    }),
    'an event that a contested correction voids': await after(['correction_missing'], (of) =>
      mark(of, 'voided', ids.night, { correctionId: ids.contested }),
    ),
  };
}

async function attackedEvents({ hours, people, sizes, ids }, /** @type {GoesOn} */ { after, file }) {
  const { ada } = people;
  const closedHead = { ...hours.tree(sizes.closed), publicKey: hours.keys.signing.publicHex };
  return {
    'proofs from before the head that was kept, recorded again after it': {
      of: OPEN,
      codes: ['punch_wrong'],
      ...again(hours.fork(sizes.closed).at('04-05T08:00:00.000'), file),
      options: { head: closedHead },
    },
    'entries that are older than the head that was kept': {
      of: OPEN,
      codes: ['kept_head_differs'],
      ...again(hours.fork(sizes.closed).at('03-02T07:00:20.000'), file),
      options: { head: closedHead },
    },
    'a proof that two events have': await after(['punch_reused'], (of) => {
      const { said, punch } = of.records.get(ids.night);
      of.at('03-29T04:30:00.000');
      record(of, {
        person: ada,
        evidence: 'proved',
        type: 'check_out',
        at: Date.parse(said.occurredAt),
        punch,
      });
    }),
    'an event that two entries recorded': await after(['record_resealed', 'sheet_wrong'], (of) => {
      const { prevHash: _, hash: __, metadata, ...row } = of.rows[ids.asserted - 1];
      of.append({ ...row, metadata: { ...metadata, ...of.number(0, MONTH) } });
    }),
    'an event with a time that is none': await after(['record_changed'], (of) =>
      record(of, {
        person: ada,
        evidence: 'asserted',
        type: 'check_in',
        record: { occurredAt: '2026-03-30' },
      }),
    ),
    'an event of a kind that there is not': await after(['record_changed'], (of) =>
      record(of, { person: ada, evidence: 'asserted', type: 'check_up' }),
    ),
    'an event without a number': await after(['entry_missing'], (of) =>
      record(of, { person: ada, evidence: 'asserted', type: 'check_in', isNumbered: false }),
    ),
  };
}

async function attackedPhones({ people }, /** @type {GoesOn} */ { after }) {
  const { ada, grace } = people;
  return {
    'the phone of one person, enrolled for another as well': await after(
      ['enrolment_wrong', 'punch_wrong'],
      async (of) => {
        const { phone } = ada;
        const { userId } = grace;
        const identityId = idOf('identity stolen');
        const enrolment = [of.enrol(phone, { action: 'identity.register', userId, identityId })];
        of.people.push({ ...grace, isSame: true, phone, enrolment });
        await proved(of, grace, phone);
      },
    ),
    'a phone that nobody enrolled': await after(['enrolment_missing'], async (of) => {
      const { phone } = register(new Hours(), 'nobody');
      await proved(of, grace, phone);
    }),
    'a phone that was enrolled after what it proved': await after(['punch_wrong'], async (of) => {
      const { phone } = register(new Hours(), 'nobody');
      await proved(of, grace, phone);
      const { userId } = grace;
      const enrolment = [of.enrol(phone, { action: 'identity.register', userId, identityId: idOf('late') })];
      of.people.push({ ...grace, isSame: true, phone, enrolment });
    }),
    'a phone that a wrong proof has added': await after(['proof_invalid'], async (of) => {
      const { phone } = register(new Hours(), 'nobody');
      const { userId, identityId } = ada;
      const [own] = ada.enrolment;
      const added = await addedBy(ada, phone, of, own);
      const authorizer = identityId;
      const enrolment = of.enrol(phone, {
        ...{ action: 'identity.added', userId, identityId: idOf('added'), authorization: added, authorizer },
      });
      of.people.push({ ...ada, isSame: true, phone, enrolment: [enrolment, ...ada.enrolment] });
      await proved(of, ada, phone);
    }),
  };
}

/** The punches of Ada's second day in the month, recorded again without the break, after all before was hidden. */
function again(/** @type {Hours} */ of, /** @type {any} */ file) {
  const size = of.rows.length;
  const numbered = of.rows.flatMap(({ seq, metadata }) => (metadata.siteId ? [seq] : []));
  const punches = [...of.records.values()].filter(({ said }) => said.occurredAt.startsWith('2026-03-02'));
  Object.assign(of, { records: new Map(), corrections: new Map(), closings: [] });
  of.numbers.clear();
  for (const { said, punch } of [punches[0], punches[3]])
    record(of, { person: said, evidence: 'proved', type: said.type, at: Date.parse(said.occurredAt), punch });
  return { lines: file(of, { from: size, hidden: numbered }) };
}

/** Something that a phone proves of a person, recorded after a minute. */
async function proved(/** @type {Hours} */ of, /** @type {any} */ person, /** @type {any} */ phone) {
  const at = of.now;
  const punch = await provePunch({ phone }, { type: 'check_in', at });
  of.now += 60_000;
  record(of, { person, evidence: 'proved', type: 'check_in', at, punch });
}

async function addedBy(
  /** @type {any} */ person,
  /** @type {any} */ phone,
  /** @type {Hours} */ of,
  /** @type {any} */ own,
) {
  const { proof } = own.authorization;
  const nonce = idOf('nonce added');
  const { boundSignal, didHash, addBind } = await import('../../../zk/dist/field.js');
  const { did: newDid, commitment: newCommitment } = phone;
  const use = { tenantId: idOf('tenant'), environment: 'live', nonce, timestampMs: of.now };
  const bind = addBind({ ...use, newDid, newCommitment });
  const signal = String(boundSignal(didHash(person.phone.did), bind));
  const commitment = String(BigInt(`0x${person.phone.commitment}`));
  const publicSignals = [commitment, signal, own.authorization.publicSignals[2]];
  return { did: person.phone.did, nonce, timestamp: of.now, proof, publicSignals };
}

async function closedIn({ hours, sizes }, /** @type {GoesOn} */ { file, head }) {
  const copy = hours.fork(sizes.open).at('04-02T08:00:00.000');
  close(copy);
  const lines = structuredClone(file(copy));
  const closing = lines.find(({ entry }) => entry?.action === 'attendance.month_closed');
  closing.entry.metadata.timeZone = 'Europe/Nowhere';
  return { of: OPEN, codes: ['closing_wrong'], lines: relinked(lines, hours.keys), options: { head } };
}
