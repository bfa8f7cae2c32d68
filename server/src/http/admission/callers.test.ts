import { describe, expect, it } from 'vitest';
import { createCallers } from './callers.js';

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const address = '192.0.2.7';
const stranger = { group: 'network', name: address };

describe('the caller of a request', () => {
  it('is the network of its address until its credential was accepted', () => {
    const callers = createCallers();
    expect(callers.of(bearer('made-up'), address)).toEqual(stranger);
    expect(callers.of(bearer('made-up-2'), '2001:db8:1:2::/64')).toEqual({
      group: 'network',
      name: '2001:db8:1::/48',
    });
    callers.accepted(bearer('real'), 'tenant');
    expect(callers.of(bearer('real'), address)).toEqual({ group: 'account', name: 'tenant' });
  });

  it('is the same account for all of its credentials and for every header that may hold one', () => {
    const callers = createCallers();
    callers.accepted(bearer('one'), 'tenant');
    callers.accepted({ cookie: 'a=b; __Host-svc_console=two' }, 'tenant');
    const forms = [
      { 'x-api-key': 'one' },
      { authorization: 'bearer one' },
      { cookie: '__Host-svc_console=two; c=d' },
    ];
    for (const headers of forms)
      expect(callers.of(headers, address)).toEqual({ group: 'account', name: 'tenant' });
  });

  it('is its network again after the credential was rejected', () => {
    const callers = createCallers();
    callers.accepted(bearer('revoked'), 'tenant');
    callers.rejected(bearer('revoked'));
    expect(callers.of(bearer('revoked'), address)).toEqual(stranger);
  });

  it('is forgotten when many newer credentials were accepted, so memory is bounded', () => {
    const callers = createCallers(2);
    for (const name of ['a', 'b', 'a', 'c']) callers.accepted(bearer(name), name);
    expect(['a', 'b', 'c'].map((name) => callers.of(bearer(name), address).group)).toEqual([
      'account',
      'network',
      'account',
    ]);
  });
});
