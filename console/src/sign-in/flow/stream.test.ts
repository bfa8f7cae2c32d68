import { expect, test } from 'vitest';
import { actionOf } from './stream';

test.each([
  ['session_created', '{}', { type: 'resumed' }],
  ['session_created', '{"phoneConnectedAt":"10:00"}', { type: 'phone', at: '10:00' }],
  ['phone_connected', '{"phoneConnectedAt":"10:00"}', { type: 'phone', at: '10:00' }],
  ['session_error', '{"error":"verification_failed","message":"No."}', { type: 'refused' }],
  ['qr', '{"qrPayload":"za:pair:2:x"}', { type: 'qr', qrPayload: 'za:pair:2:x' }],
  [
    'qr',
    '{"qrPayload":"x","url":"https://a.test/x"}',
    { type: 'qr', qrPayload: 'x', url: 'https://a.test/x' },
  ],
  ['qr', '{"qrPayload":"x","url":1}', { type: 'qr', qrPayload: 'x' }],
  ['session_bound', '{}', { type: 'bound' }],
  ['session_declined', '{}', { type: 'ended', how: 'declined' }],
  ['session_rejected', '{}', { type: 'ended', how: 'rejected' }],
  ['session_expired', '', { type: 'ended', how: 'expired' }],
])('%s %s', (type, data, action) => expect(actionOf(type, data, 'a')).toEqual({ sessionId: 'a', ...action }));

test.each([
  ['qr', ''],
  ['qr', '{"qrPayload":1}'],
  ['qr', 'null'],
  ['message', '{}'],
  ['toString', '{}'],
])('ignores %s %j', (type, data) => expect(actionOf(type, data, 'a')).toBeUndefined());
