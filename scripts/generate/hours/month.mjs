// The month of which the published files are: two people of one site, in Berlin, in March 2026.
import { authorize, register } from '../receipt-scene.mjs';
import {
  another,
  apply,
  change,
  close,
  Hours,
  idOf,
  mark,
  noteCorrection,
  propose,
  punch,
  record,
  settle,
} from './scene.mjs';

const OUT = { type: 'check_out' };
const PAUSE = { type: 'check_out', reason: 'break' };
const BACK = { type: 'check_in', reason: 'break' };

export async function month() {
  const hours = new Hours();
  const { ada, grace } = await enrol(hours);
  hours.people = [
    { ...ada, name: 'Ada Lovelace', employeeCode: '0017' },
    { ...grace, name: 'Grace Hopper' },
  ];
  const people = { ada, grace };
  const before = 4;

  // A shift over the beginning of the month.
  await punch(hours, ada, '02-28T22:00:07.250');
  await punch(hours, ada, '03-01T03:00:41.000', OUT);
  await punch(hours, ada, '03-02T07:00:00.000');
  await punch(hours, ada, '03-02T11:00:00.000', PAUSE);
  await punch(hours, ada, '03-02T11:30:59.999', BACK);
  const left = await punch(hours, ada, '03-02T15:00:00.000', OUT);
  await punch(hours, grace, '03-03T08:00:00.000');
  const early = await punch(hours, grace, '03-03T12:00:00.000', OUT);
  hours.at('03-03T13:00:00.000');
  mark(hours, 'contested', early, { identityId: grace.identityId });
  another(hours);

  hours.at('03-04T09:00:00.000');
  const later = [change(hours, left, { type: 'check_out', at: '03-02T16:00:00.000' })];
  const agreed = await propose(hours, ada, {
    changes: later,
    note: 'The gate was locked.\nAda left at five.',
  });
  hours.at('03-04T18:00:00.000');
  await settle(hours, agreed, { person: ada });
  const within = hours.rows.length;

  hours.at('03-05T09:00:00.000');
  const other = [change(hours, null, { type: 'check_in', at: '03-04T08:00:00.000' })];
  const contested = await propose(hours, grace, { changes: other, cause: 'forgotten' });
  hours.at('03-05T10:00:00.000');
  await settle(hours, contested, { person: grace, agrees: false });
  hours.at('03-06T09:00:00.000');
  noteCorrection(hours, contested, 'recorded', { actorType: 'member', actorId: idOf('member') });
  apply(hours, contested, 'asserted');

  hours.at('03-10T08:00:00.000');
  const byPin = { person: grace, evidence: 'declared', record: { deviceId: idOf('device') } };
  record(hours, { ...byPin, type: 'check_in' });
  hours.at('03-10T12:00:00.000');
  const declared = record(hours, { ...byPin, type: 'check_out' });
  hours.at('03-11T08:00:00.000');
  record(hours, { person: ada, evidence: 'asserted', type: 'check_in' });
  const asserted = hours.rows.length;
  // The night in which the clocks change.
  await punch(hours, ada, '03-28T21:00:00.000');
  const night = await punch(hours, ada, '03-29T04:00:00.000', OUT);
  const open = hours.rows.length;

  hours.at('04-02T08:00:00.000');
  close(hours);
  const closed = hours.rows.length;
  hours.at('04-03T08:00:00.000');
  const at = Date.parse('2026-03-11T16:00:00.000Z');
  record(hours, { person: ada, evidence: 'asserted', type: 'check_out', at });
  another(hours);
  const ids = { left, early, agreed, contested, declared, asserted, night };
  return { hours, people, sizes: { before, within, open, closed }, ids };
}

/** Two people with a phone each. One of them has changed the secret of theirs. */
async function enrol(/** @type {Hours} */ hours) {
  hours.at('02-02T08:00:00.000');
  hours.append({ action: 'tenant.created', entityType: 'tenant', entityId: idOf('tenant') });
  hours.at('02-03T08:00:00.000');
  const first = register(hours, 'Ada');
  const grace = register(hours, 'Grace');
  another(hours);
  hours.at('02-20T08:00:00.000');
  const ada = await authorize(hours, first, 'identity.rotated');
  return { ada, grace };
}
