import { CIRCUITS } from '@svc/zk/generated/circuits';
import { PINNED_SETUPS, type PinnedSetup } from '@svc/zk/setup/pinned-setups';
import { describe, expect, it } from 'vitest';
import { GOOD } from '../../test/receipt-vectors.js';
import { pinnedKey } from './setup.js';

const [development] = PINNED_SETUPS as readonly [PinnedSetup, ...PinnedSetup[]];
const ceremony: PinnedSetup = {
  ...development,
  setup: { ...development.setup, kind: 'ceremony', contributors: 3 },
};
const named = { kind: 'ceremony', contributors: 3, vkeySha256: ceremony.sha256.vkey } as const;

describe('pinnedKey', () => {
  it('returns a pinned key of a ceremony without allowDevelopmentKeys', () => {
    const circuit = CIRCUITS.find(({ zkeySha256 }) => zkeySha256 === ceremony.sha256.zkey);
    expect(pinnedKey(named, {}, [ceremony])).toBe(circuit?.vkey);
  });

  it.each([
    ['kind', { ...named, kind: 'development' }, 'setup_unknown'],
    ['number of contributors', { ...named, contributors: 4 }, 'setup_unknown'],
    ['hash', { ...named, vkeySha256: '0'.repeat(64) }, 'setup_unknown'],
  ] as const)('refuses a receipt that names another %s, also with allowDevelopmentKeys', (_, setup, code) => {
    for (const allowDevelopmentKeys of [false, true])
      expect(() => pinnedKey(setup, { allowDevelopmentKeys }, [ceremony])).toThrow(
        expect.objectContaining({ code }),
      );
  });

  it('refuses the pinned development keys unless they are allowed', () => {
    const { setup } = (GOOD[0] as (typeof GOOD)[number]).receipt as {
      setup: Parameters<typeof pinnedKey>[0];
    };
    expect(() => pinnedKey(setup, {})).toThrow(expect.objectContaining({ code: 'setup_forgeable' }));
    expect(pinnedKey(setup, { allowDevelopmentKeys: true })).toBeDefined();
  });

  it('does not take the word of a receipt that its development keys are those of a ceremony', () => {
    expect(() => pinnedKey(named, {})).toThrow(expect.objectContaining({ code: 'setup_unknown' }));
  });
});
