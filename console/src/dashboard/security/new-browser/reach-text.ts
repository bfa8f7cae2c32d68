import type { Operations } from '@svc/sdk';
import { formatNumber } from '../../../ui/numbers';
import type { NewBrowser } from '../../nouns/policy/policy';

export type Reach = Operations['consoleGetPolicyReach']['reply'];

const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
const people = (count: number): string => counted(count, 'person', 'people');
const signIns = (count: number): string => counted(count, 'sign-in', 'sign-ins');

/** What a policy costs, in sentences. */
export interface Cost {
  readonly sentences: readonly string[];
  /** Somebody could sign in before and could not after. */
  readonly isLoss: boolean;
}

interface Asked {
  readonly newBrowser: NewBrowser;
  readonly attested: boolean;
}

/** What a sign-in needs in a new browser, for the people and the sign-ins that there are. */
export function costOf(reach: Reach, { newBrowser, attested }: Asked): Cost {
  const lost = [
    ...(attested ? withoutPasskey(reach) : newBrowser === 'nearby_or_same_device' ? notNearby(reach) : []),
    ...(newBrowser === 'nearby_or_same_device' ? rejected(reach) : []),
    ...(newBrowser === 'allow' ? [] : deviceFlow(reach)),
  ];
  const asked = newBrowser === 'number' ? askedForNumber(reach) : [];
  return {
    sentences: [...reached(reach, { newBrowser, attested }), ...asked, ...lost],
    isLoss: lost.length > 0,
  };
}

function reached({ people: all, withPasskey }: Reach, { newBrowser, attested }: Asked): readonly string[] {
  if (all === 0) return ['Nobody has a phone yet, so this keeps nobody out today.'];
  const of = `${formatNumber(withPasskey)} of ${people(all)}`;
  if (attested) return [`${of} can still sign in: they have a phone with a passkey.`];
  if (newBrowser === 'nearby_or_same_device')
    return [`${of} have a phone that can show that it is beside the computer.`];
  return [];
}

function withoutPasskey({ people: all, withPasskey }: Reach): readonly string[] {
  const count = all - withPasskey;
  return count === 0 ? [] : [`${people(count)} can’t sign in until a phone of theirs enrolls a passkey.`];
}

function notNearby({ people: all, withPasskey }: Reach): readonly string[] {
  const count = all - withPasskey;
  return count === 0
    ? []
    : [`${people(count)} must sign in on the phone itself, or set up a screen lock and a passkey on it.`];
}

function askedForNumber({ signIns: { withoutNumber, total } }: Reach): readonly string[] {
  return withoutNumber === 0
    ? []
    : [
        `${formatNumber(withoutNumber)} of ${signIns(total)} in the last 30 days had no number and would have asked for one.`,
      ];
}

function rejected({ signIns: { total, byApiKey, withoutBrowserKey } }: Reach): readonly string[] {
  const of = `of ${signIns(total)} in the last 30 days`;
  return [
    ...(byApiKey === 0
      ? []
      : [
          `${formatNumber(byApiKey)} ${of} came from an API key, on a page of your own. Sign-ins like that fail: use the hosted page, an enrolled device, or sign people in on their phone.`,
        ]),
    ...(withoutBrowserKey === 0
      ? []
      : [
          `${formatNumber(withoutBrowserKey)} ${of} came from a browser that stores no key. Sign-ins like that fail.`,
        ]),
  ];
}

function deviceFlow({ deviceApplications, signIns: { deviceFlow: used } }: Reach): readonly string[] {
  if (deviceApplications === 0 && used === 0) return [];
  const who = counted(deviceApplications, 'application uses', 'applications use');
  return [
    `This turns the device flow off. ${who} it, with ${signIns(used)} in the last 30 days. An enrolled device can replace it.`,
  ];
}
