import { describe, expect, it } from 'vitest';
import { problemOfKeys, readJwks } from './jwks';

const KEY = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };

describe('public keys that somebody pastes', () => {
  it.each([{ keys: [KEY] }, [KEY], KEY])('may be a set, a list or one key', (value) => {
    expect(readJwks(JSON.stringify(value))).toEqual({ keys: [KEY] });
  });

  it.each(['', '-----BEGIN PUBLIC KEY-----', '{"keys": []}', '{"keys": {}}', '[]', '["x"]', '1', 'null'])(
    'are not %j',
    (text) => {
      expect(readJwks(text)).toBeUndefined();
    },
  );

  it('are named by their position in what the service says about them', () => {
    const problem = (path: string) => problemOfKeys([{ path, message: 'is wrong' }]);
    expect(problem('body.jwks')).toBe('Public keys is wrong.');
    expect(problem('body.jwks.keys')).toBe('Public keys is wrong.');
    expect(problem('body.jwks.keys[1]')).toBe('Key 2 is wrong.');
    expect(problem('body.jwks.keys[0].kid')).toBe('Key 1: kid is wrong.');
    expect(problem('body.name')).toBeUndefined();
  });
});
