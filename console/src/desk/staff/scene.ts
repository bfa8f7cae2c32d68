import type { FoundPerson, StaffRegistrationParams } from '@svc/sdk';
import type { Opened } from '../flow/follow-registration';
import type { Person } from '../flow/scene';

/** How a member knows whose name it is. */
export type How = StaffRegistrationParams['how'];

/** Who is registered: somebody who was found, or somebody new. */
export type Registrant = { readonly found: FoundPerson } | { readonly person: Person };

/** What a search is for. */
export type Purpose = 'register' | 'lost' | 'clock' | 'pin';

/** What a member at the desk sees. Each task begins and ends at `home`. */
export type StaffScene =
  | { readonly at: 'home' | 'presence' }
  | { readonly at: 'find'; readonly purpose: Purpose }
  /** `error`: what the service said about the person. */
  | { readonly at: 'new'; readonly person?: Person; readonly error?: unknown }
  | { readonly at: 'how'; readonly registrant: Registrant }
  | { readonly at: 'code'; readonly registrant: Registrant; readonly how: How; readonly opened: Opened }
  | { readonly at: 'phones' | 'locked' | 'clock' | 'give-pin'; readonly person: FoundPerson }
  | { readonly at: 'clocked'; readonly person: FoundPerson; readonly what: string }
  | { readonly at: 'pin'; readonly person: FoundPerson; readonly pin: string }
  | {
      readonly at: 'registered';
      readonly name: string;
      /** It is a recovery, which an owner confirms. */
      readonly waits: boolean;
      /** When its cool-down is over, in ISO 8601. */
      readonly worksAt: string | undefined;
    };

export const nameOf = (registrant: Registrant): string =>
  'found' in registrant ? registrant.found.fullName : registrant.person.fullName.trim();
