import { describe, expect, test } from 'vitest';
import { costOf, type Reach } from './reach-text';

const REACH: Reach = {
  environment: 'live',
  people: 1_000,
  withPasskey: 812,
  phones: 1_100,
  phonesWithPasskey: 870,
  signIns: { total: 4_200, withoutNumber: 120, byApiKey: 0, withoutBrowserKey: 0, deviceFlow: 0 },
  deviceApplications: 0,
};
const inSignIns = (change: Partial<Reach['signIns']>): Reach => ({
  ...REACH,
  signIns: { ...REACH.signIns, ...change },
});

describe('the cost of a policy', () => {
  test('says who has a phone that can be beside the computer, and who must do something else', () => {
    expect(costOf(REACH, { newBrowser: 'nearby_or_same_device', attested: false })).toEqual({
      sentences: [
        '812 of 1,000 people have a phone that can show that it is beside the computer.',
        '188 people must sign in on the phone itself, or set up a screen lock and a passkey on it.',
      ],
      isLoss: true,
    });
  });

  test('says who can’t sign in without a passkey', () => {
    expect(costOf(REACH, { newBrowser: 'allow', attested: true }).sentences).toEqual([
      '812 of 1,000 people can still sign in: they have a phone with a passkey.',
      '188 people can’t sign in until a phone of theirs enrolls a passkey.',
    ]);
  });

  test('names the sign-ins that would have failed', () => {
    const reach = inSignIns({ byApiKey: 35, withoutBrowserKey: 4 });
    const { sentences } = costOf(
      { ...reach, withPasskey: 1_000 },
      { newBrowser: 'nearby_or_same_device', attested: false },
    );
    expect(sentences.slice(1)).toEqual([
      '35 of 4,200 sign-ins in the last 30 days came from an API key, on a page of your own. Sign-ins like that fail: use the hosted page, an enrolled device, or sign people in on their phone.',
      '4 of 4,200 sign-ins in the last 30 days came from a browser that stores no key. Sign-ins like that fail.',
    ]);
  });

  test('of a number is no loss', () => {
    expect(costOf(REACH, { newBrowser: 'number', attested: false })).toEqual({
      sentences: ['120 of 4,200 sign-ins in the last 30 days had no number and would have asked for one.'],
      isLoss: false,
    });
  });

  test('says that the device flow is turned off if an application uses it', () => {
    const reach = { ...inSignIns({ deviceFlow: 1, withoutNumber: 0 }), deviceApplications: 1 };
    expect(costOf(reach, { newBrowser: 'number', attested: false }).sentences).toEqual([
      'This turns the device flow off. 1 application uses it, with 1 sign-in in the last 30 days. An enrolled device can replace it.',
    ]);
  });

  test('is nothing today if nobody has a phone', () => {
    const reach = { ...REACH, people: 0, withPasskey: 0 };
    expect(costOf(reach, { newBrowser: 'nearby_or_same_device', attested: true })).toEqual({
      sentences: ['Nobody has a phone yet, so this keeps nobody out today.'],
      isLoss: false,
    });
  });
});
