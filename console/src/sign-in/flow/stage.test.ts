import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure, Session, SignIn } from './api';
import { type Action, canCancel, isConnected, next, type Stage, type State, startState } from './stage';

const SIGN_IN: SignIn = {
  client: { name: 'Time sheets' },
  company: 'Example AG',
  accentColor: '#0a6c56',
  logoUrl: null,
  host: 'app.example.com',
  expiresAt: '2026-05-12T07:00:00.000Z',
  tenantId: '019db486-65c0-785d-839b-c57d73f54993',
  environment: 'live',
  browserChallenge: 'challenge',
  sameDeviceOnly: false,
  nearbyIfNew: false,
  consent: null,
};
const session = (id: string): Session => ({
  id,
  nonce: 'ab',
  qrPayload: `za:pair:2:${id}`,
  matchCode: '47',
  expiresAt: '2026-05-12T06:35:00.000Z',
});
const READ: Action = { type: 'read', signIn: SIGN_IN };
const OPENED: Extract<Action, { type: 'opened' }> = {
  type: 'opened',
  sameDevice: false,
  session: session('a'),
};

const after = (...actions: Action[]): State => actions.reduce(next, startState());
const stageAfter = (...actions: Action[]): Stage => after(...actions).stage;

describe('a sign-in', () => {
  it('shows a code, follows it, and completes it when a phone has approved', () => {
    expect(stageAfter(READ)).toEqual({ at: 'opening', sameDevice: false });
    expect(stageAfter(READ, OPENED)).toMatchObject({ at: 'waiting', session: session('a'), link: 'live' });
    const moved = stageAfter(READ, OPENED, { type: 'qr', sessionId: 'a', qrPayload: 'newer' });
    expect(moved).toMatchObject({ session: { id: 'a', qrPayload: 'newer', matchCode: '47' } });
    const url = 'https://id.example.com/phone/#code=newer';
    const addressed = stageAfter(READ, OPENED, { type: 'qr', sessionId: 'a', qrPayload: 'newer', url });
    expect(addressed).toMatchObject({ session: { url } });
    // An address must not stay when the code has moved without one.
    const without = stageAfter(
      READ,
      { ...OPENED, session: { ...session('a'), url } },
      {
        type: 'qr',
        sessionId: 'a',
        qrPayload: 'newer',
      },
    );
    expect(without).toHaveProperty('session.qrPayload', 'newer');
    expect(without).not.toHaveProperty('session.url');
    const bound = [READ, OPENED, { type: 'bound', sessionId: 'a' }] as const;
    expect(stageAfter(...bound)).toEqual({ at: 'completing', sessionId: 'a' });
    expect(stageAfter(...bound, { type: 'redirected', to: '/next' })).toEqual({
      at: 'leaving',
      to: '/next',
      approved: true,
    });
  });

  it('shows the number in place of the code once a phone has opened it, and the code again for another phone', () => {
    const phone = (at: string): Action => ({ type: 'phone', sessionId: 'a', at });
    const shown = (...actions: Action[]) => isConnected(stageAfter(READ, OPENED, ...actions));
    expect(shown()).toBe(false);
    expect(shown(phone('10:00'))).toBe(true);
    expect(shown(phone('10:00'), { type: 'show-code' })).toBe(false);
    // A stream that reconnects reports the same phone once more.
    expect(shown(phone('10:00'), { type: 'show-code' }, phone('10:00'))).toBe(false);
    expect(shown(phone('10:00'), { type: 'show-code' }, phone('10:01'))).toBe(true);
    expect(shown(phone('10:00'), { type: 'new-code' })).toBe(false);
    // The same after the service refused a phone.
    const refused: Action = { type: 'refused', sessionId: 'a' };
    expect(shown(phone('10:00'), refused)).toBe(false);
    expect(shown(phone('10:00'), refused, phone('10:01'))).toBe(true);
  });

  it('shows how it learns what the phone does, and leaves with the answer to a question', () => {
    const linkAfter = (...types: ('lost' | 'asking' | 'resumed')[]) =>
      stageAfter(READ, OPENED, ...types.map((type): Action => ({ type, sessionId: 'a' })));
    expect(linkAfter('lost')).toMatchObject({ link: 'lost' });
    expect(linkAfter('lost', 'asking')).toMatchObject({ link: 'asking' });
    expect(linkAfter('asking', 'resumed')).toMatchObject({ link: 'live' });
    const asked = [READ, OPENED, { type: 'asking', sessionId: 'a' }] as const;
    expect(stageAfter(...asked, { type: 'qr', sessionId: 'a', qrPayload: 'newer' })).toMatchObject({
      link: 'live',
    });
    expect(
      stageAfter(...asked, { type: 'bound', sessionId: 'a' }, { type: 'redirected', to: '/next' }),
    ).toEqual({ at: 'leaving', to: '/next', approved: true });
    expect(stageAfter(...asked, { type: 'new-code' })).toEqual({ at: 'opening', sameDevice: false });
  });

  it.each(['declined', 'rejected', 'expired'] as const)('offers a new code after one that was %s', (how) => {
    const ended = [READ, OPENED, { type: 'ended', sessionId: 'a', how }] as const;
    expect(stageAfter(...ended)).toEqual({ at: 'ended', how });
    expect(stageAfter(...ended, { type: 'new-code' })).toEqual({ at: 'opening', sameDevice: false });
  });

  it('asks a person who is signed in for consent, without a code', () => {
    const consent = { claims: ['name'], staysSignedIn: false };
    const read: Action = { type: 'read', signIn: { ...SIGN_IN, consent } };
    expect(stageAfter(read)).toEqual({ at: 'asking-consent' });
    expect(stageAfter(read, { type: 'cancel' })).toEqual({ at: 'cancelling' });
    expect(stageAfter(read, { type: 'consent' })).toEqual({ at: 'consenting' });
    expect(stageAfter(read, { type: 'consent' }, { type: 'redirected', to: '/next' })).toEqual({
      at: 'leaving',
      to: '/next',
      approved: true,
    });
    expect(stageAfter(READ, { type: 'consent' })).toEqual({ at: 'opening', sameDevice: false });
  });

  it('opens no code if only this device may approve', () => {
    const read: Action = { type: 'read', signIn: { ...SIGN_IN, sameDeviceOnly: true } };
    expect(stageAfter(read)).toEqual({ at: 'choosing' });
    expect(stageAfter(read, { type: 'approve-here' })).toEqual({ at: 'opening', sameDevice: true });
    const silent: Session = { ...session('a'), matchCode: null };
    expect(
      stageAfter(read, { type: 'approve-here' }, { type: 'opened', sameDevice: true, session: silent }),
    ).toEqual({
      at: 'moving',
      session: silent,
    });
  });

  it('goes on in this browser also while the code for a phone is being opened, which is then of no use', () => {
    const here = [READ, { type: 'approve-here' }] as const;
    expect(stageAfter(...here)).toEqual({ at: 'opening', sameDevice: true });
    expect(stageAfter(...here, OPENED)).toEqual({ at: 'opening', sameDevice: true });
  });

  it('shows the number before the phone’s page in this browser asks for it, with the newest code', () => {
    const opened = [
      READ,
      OPENED,
      { type: 'approve-here' },
      { type: 'opened', sameDevice: true, session: session('b') },
    ] as const;
    expect(stageAfter(...opened)).toEqual({ at: 'noting', session: session('b') });
    const moved: Action = { type: 'qr', sessionId: 'b', qrPayload: 'newer' };
    expect(stageAfter(...opened, { ...moved, sessionId: 'a' })).toEqual({
      at: 'noting',
      session: session('b'),
    });
    const newest = { ...session('b'), qrPayload: 'newer' };
    expect(stageAfter(...opened, moved, { type: 'noted' })).toEqual({ at: 'moving', session: newest });
    expect(stageAfter(...opened, { type: 'ended', sessionId: 'b', how: 'expired' })).toEqual({
      at: 'ended',
      how: 'expired',
    });
  });

  it('completes with what the phone’s page returned with', () => {
    const returned = { sessionId: 'b', returnCode: 'secret' };
    expect(next(startState(returned), READ).stage).toEqual({ at: 'completing', ...returned });
    const elsewhere = next(startState('other_tab'), READ);
    expect(elsewhere.stage).toMatchObject({ at: 'failed', failure: 'other_tab' });
    expect(next(elsewhere, { type: 'retry' }).stage).toEqual({ at: 'reading' });
  });

  it('repeats what did not arrive, but no code that was not approved', () => {
    const bound = after(READ, OPENED, { type: 'bound', sessionId: 'a' });
    const retried = (failure: Failure) =>
      next(next(bound, { type: 'failed', failure }), { type: 'retry' }).stage;
    expect(retried('unreachable')).toEqual({ at: 'completing', sessionId: 'a' });
    expect(retried('not_approved')).toEqual({ at: 'reading' });
  });

  it('says that it is over when the service no longer knows it, or its time is up', () => {
    expect(stageAfter({ type: 'failed', failure: 'not_open' })).toEqual({ at: 'closed' });
    expect(stageAfter(READ, OPENED, { type: 'time-up' })).toEqual({ at: 'closed' });
    const completing = [READ, OPENED, { type: 'bound', sessionId: 'a' }, { type: 'time-up' }] as const;
    expect(stageAfter(...completing)).toMatchObject({ at: 'completing' });
  });

  it('leaves without an approval when it is cancelled', () => {
    expect(stageAfter(READ, { type: 'cancel' }, { type: 'redirected', to: '/back' })).toEqual({
      at: 'leaving',
      to: '/back',
      approved: false,
    });
  });

  it('starts over when the browser comes back to it', () => {
    const left = after(READ, { type: 'cancel' }, { type: 'redirected', to: '/back' });
    expect(next(left, { type: 'restored' }).stage).toEqual({ at: 'reading' });
  });
});

const ids = fc.constantFrom('a', 'b', 'c');
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.boolean().map((sameDeviceOnly): Action => ({ type: 'read', signIn: { ...SIGN_IN, sameDeviceOnly } })),
  ids.map((id): Action => ({ type: 'opened', sameDevice: false, session: session(id) })),
  fc.record({ type: fc.constant('qr' as const), sessionId: ids, qrPayload: fc.string() }),
  fc.record({ type: fc.constantFrom('lost', 'asking', 'resumed', 'refused', 'bound'), sessionId: ids }),
  fc.record({
    type: fc.constant('ended' as const),
    sessionId: ids,
    how: fc.constantFrom('declined', 'rejected', 'expired'),
  }),
  fc.record({
    type: fc.constant('failed' as const),
    failure: fc.constantFrom<Failure>('unreachable', 'not_open', 'not_approved', 'unexpected'),
  }),
  fc.record({ type: fc.constant('redirected' as const), to: fc.constant('/next') }),
  fc.constantFrom('approve-here', 'new-code', 'cancel', 'retry', 'time-up').map((type): Action => ({ type })),
);

it('keeps its promises in any order of events', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      let state = startState();
      for (const each of actions) {
        const before = state.stage;
        state = next(state, each);
        const { stage } = state;
        // Nothing follows the end.
        if (before.at === 'closed' || before.at === 'leaving') expect(stage).toEqual(before);
        // Only the code on the screen can be approved, moved or ended.
        if (before.at === 'waiting' && 'sessionId' in each && each.sessionId !== before.session.id)
          expect(stage).toBe(before);
        if (stage.at === 'completing' && before.at === 'waiting')
          expect(each).toEqual({ type: 'bound', sessionId: before.session.id });
        // An approval needs one of a phone.
        if (stage.at === 'leaving' && stage.approved && before.at !== 'leaving')
          expect(before.at).toBe('completing');
        // A browser that may only approve itself shows no code.
        if (state.signIn?.sameDeviceOnly) expect(stage.at).not.toBe('waiting');
        // What failed is a step, so that it can be repeated.
        if (stage.at === 'failed') expect(stage.before.at).not.toBe('failed');
        if (canCancel(state)) expect(next(state, { type: 'cancel' }).stage).toEqual({ at: 'cancelling' });
      }
    }),
  );
});
