import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../../../../server/src/model/audit-actions';
import { type Entry, piecesOf, sentenceOf } from './pieces';
import { TEMPLATES, templateOf } from './templates';

const entry: Entry = {
  action: 'device.created',
  actorType: 'api_key',
  actorId: '019df778-11c0-7b52-b0a4-5e1c7f3a9d01',
  actorName: 'First live key',
  entityType: 'device',
  entityId: '019df778-11c0-7b52-b0a4-5e1c7f3a9d02',
  entityName: 'Turnstile 3',
  personId: null,
  personName: null,
  status: 'success',
  summary: 'A device was registered',
  metadata: {},
};
const ADA = { personId: '019df778-11c0-7b52-b0a4-5e1c7f3a9d03', personName: 'Ada Lovelace' };

describe('the sentence of an audit entry', () => {
  it('exists for every action, in both outcomes', () => {
    expect(Object.keys(TEMPLATES).sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort());
    for (const action of Object.keys(AUDIT_ACTIONS))
      for (const status of ['success', 'failure'] as const)
        expect(templateOf(action, status), action).toMatch(/^[A-Z{]/);
  });

  it('contains no ID and no raw code, also if no name is known', () => {
    for (const action of Object.keys(AUDIT_ACTIONS))
      for (const status of ['success', 'failure'] as const) {
        const about = { entityType: action.slice(0, action.indexOf('.')), actorName: null, entityName: null };
        const text = sentenceOf({ ...entry, ...about, action, status });
        expect(text, action).not.toMatch(/019df778|[a-z]_[a-z]|[{}]|undefined|null/);
        expect(text.charAt(0), action).toMatch(/[A-Z…]/);
      }
  });

  it.each<[string, Partial<Entry>]>([
    ['First live key registered Turnstile 3', {}],
    ['An API key registered a device', { actorName: null, entityName: null }],
    [
      'Ada Lovelace approved Pay 4,000 €',
      { action: 'approval.approved_by', entityType: 'approval', entityName: 'Pay 4,000 €', ...ADA },
    ],
    [
      'Ada Lovelace typed a wrong number for Pay 4,000 €, so it did not count',
      {
        action: 'approval.approved_by',
        status: 'failure',
        entityType: 'approval',
        entityName: 'Pay 4,000 €',
        ...ADA,
      },
    ],
    [
      'A sign-in of Ada Lovelace failed',
      { action: 'pairing.submit', status: 'failure', entityType: 'pairing_session', ...ADA },
    ],
    [
      'An erased person approved an action',
      { action: 'approval.approved_by', entityType: 'approval', entityName: null, ...ADA, personName: '' },
    ],
    [
      'First live key opened a pairing for Northwind',
      { action: 'pairing.session_created', entityType: 'pairing_session', entityName: 'Northwind' },
    ],
    [
      'The service turned off deliveries to the webhook Warehouse',
      {
        action: 'webhook.disabled',
        actorType: 'system',
        actorName: null,
        entityType: 'webhook',
        entityName: 'Warehouse',
      },
    ],
    [
      'First live key started a registration of Grace',
      { action: 'registration.started', entityType: 'registration', entityName: 'Grace' },
    ],
    [
      'First live key recorded a check-in of Ada Lovelace',
      { action: 'attendance.created', entityType: 'attendance', metadata: { type: 'check_in' }, ...ADA },
    ],
    ['A device was painted', { action: 'device.painted', summary: 'A device was painted' }],
  ])('is “%s”', (sentence, changed) => {
    expect(sentenceOf({ ...entry, ...changed })).toBe(sentence);
  });

  it('links the names to their records, except those that were deleted', () => {
    const linked = (of: Entry) => piecesOf(of).flatMap(({ text, to }) => (to ? [[text, to('live')]] : []));
    expect(linked(entry)).toEqual([
      ['First live key', '/developers/keys'],
      ['Turnstile 3', `/live/sign-in/devices/${entry.entityId}`],
    ]);
    expect(linked({ ...entry, action: 'webhook.deleted', entityType: 'webhook' })).toEqual([
      ['First live key', '/developers/keys'],
    ]);
  });
});
