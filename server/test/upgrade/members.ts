import { randomBytes, randomUUID } from 'node:crypto';
import type { Seeded } from '../support/seeded.js';

/** A statement of statements.sql with its values. */
export type Step = readonly [name: string, values: readonly unknown[]];
export type Scope = readonly [tenantId: string, environment: string];

export const hex = (size: number) => randomBytes(size).toString('hex');
export const inAnHour = () => new Date(Date.now() + 3_600_000);
const nulls = (count: number) => Array.from({ length: count }, () => null);

type Member = (scope: Scope, now: Date, random: Seeded) => readonly Step[];

const device: Member = (scope, now) => {
  const state = ['active', 'enrolled', ...nulls(2), now, now];
  return [['insert device', [...scope, randomUUID(), 'Door', 'kiosk', ...nulls(4), ...state]]];
};

const changedDevice: Member = (scope, now, random) => [
  ['update device', [random.between(0, 100), now, ...scope, scope[0]]],
];

const user: Member = (scope, now) => {
  const values = [...scope, randomUUID(), 'Ada', ...nulls(4), scope[0], null, now, now];
  return [['insert user', [...values, scope[0], ...scope, scope[0]]]];
};

const verification: Member = ([id, environment], now) => [
  ['know records', [id, id, environment, id, id, id, environment, id]],
  ['insert verification', [id, randomUUID(), environment, 'manual', 'pass', id, id, ...nulls(4), now, now]],
];

const attendance: Member = (scope, now) => {
  const [id] = scope;
  const values = [...scope, randomUUID(), id, 'check_in', id, ...nulls(3), now, now];
  return [['insert attendance', [...values, ...scope, id, id, ...scope, id, null, id, ...scope, null]]];
};

const identity: Member = (scope, now) => {
  const names = [`did:example:${hex(8)}`, hex(32)];
  return [['insert identity', [...scope, randomUUID(), scope[0], ...names, ...nulls(3), now]]];
};

const pairing: Member = (scope, now) => [
  ['insert pairing', [...scope, randomUUID(), hex(31), hex(32), now, inAnHour()]],
];

const pairingError: Member = (scope, now) => [
  ['record pairing error', ['verification_failed', ...scope, scope[0], now]],
];

const registration: Member = (scope, now) => {
  const id = randomUUID();
  return [
    ['insert registration', [...scope, id, null, now, now, inAnHour()]],
    ['lock tenant', [scope[0]]],
    ['delete codes', [...scope, id]],
    ['insert code', [100_000, scope[0], now, hex(32), 'pair', ...scope, id, inAnHour()]],
  ];
};

/** What a request writes besides its audit event. Several of one account share a transaction. */
export const MEMBERS: readonly Member[] = [
  ...[device, changedDevice, user, verification, attendance, identity, pairing],
  ...[pairingError, registration],
];
