import Type from 'typebox';
import { count, Environment, strictObject } from '../../records/schema.js';

const counted = (example: number, description: string) => ({ ...count(example), description });

export const ReachReply = strictObject({
  environment: Environment,
  people: counted(1_000, 'Active people with at least one phone whose identity is in force.'),
  withPasskey: counted(812, 'Those with a phone that has enrolled a passkey.'),
  phones: counted(1_100, 'Identities in force of active people.'),
  phonesWithPasskey: counted(870, 'Those with a passkey.'),
  signIns: strictObject({
    total: counted(4_200, 'Sign-ins that a phone approved.'),
    withoutNumber: counted(120, 'On another screen than the phone’s, without a number.'),
    byApiKey: counted(
      35,
      'Opened by an API key without `sameDevice`, and not by an enrolled device. `nearby_or_same_device` rejects them.',
    ),
    withoutBrowserKey: counted(
      4,
      'On the hosted page, in a browser that keeps no key. `nearby_or_same_device` rejects them.',
    ),
    deviceFlow: counted(18, 'By the device flow. Every `new_browser` but `allow` rejects them.'),
  }),
  deviceApplications: Type.Integer({
    minimum: 0,
    examples: [1],
    description: 'Applications of type `device`, which sign in by the device flow.',
  }),
});
