import type { Environment } from '../transport/options.js';

/** The public half of a secret. What keeps the other half is the phone's own matter: `S` adds it, and only the prover reads it. */
export interface Secret {
  readonly did: string;
  /** 64 lower-case hex digits. */
  readonly commitment: string;
}

/** An account in one environment. */
export interface Place {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** How a company looks, as the service described it last. */
export interface Brand {
  /** `#rrggbb`. */
  readonly accentColor: string;
  /** Stored with the identity, so that it is also shown offline. */
  readonly logo?: Logo | undefined;
}

export interface Logo {
  /** `image/png` or `image/webp`. */
  readonly type: string;
  readonly bytes: ArrayBuffer;
}

/** What a phone shows of a company. `brand` is what the phone's `describe` returned. */
export interface Company {
  readonly companyName?: string | undefined;
  readonly brand?: Brand | undefined;
}

/**
 * A phone has one identity per service, account and environment, because a shared one would let accounts recognize its owner.
 * It has two only while it is unknown whether the newer one is registered, or while that one is not in force yet.
 */
export type Identity<S extends Secret> = S & IdentityFacts<S>;

export interface IdentityFacts<S extends Secret> extends Secret, Place, Company {
  /** Its DID. */
  readonly id: string;
  readonly baseUrl: string;
  /** The person's name in the account at registration. Phones that another phone added have none. */
  readonly personName?: string | undefined;
  /** Random, created for this identity, and independent of the hardware. */
  readonly fingerprint: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** False until the service is known to accept the identity: the last response was lost, or it is not in force yet. */
  readonly confirmed: boolean;
  /** Whether another phone of the person added it, and not a desk. */
  readonly isAdded?: boolean | undefined;
  /** When it begins to work, ISO 8601, if that was later than its registration. Absent once the service accepted it. */
  readonly inForceAt?: string | undefined;
  /** A new secret that is not known to be in force. */
  readonly renewal?: Renewal<S> | undefined;
  /** The service's id of the attestation key. The phone then signs proofs with it. */
  readonly attestationKeyId?: string | undefined;
  /** A second copy of the secret, with the attestation key that is being enrolled. */
  readonly successor?: Partial<S> | undefined;
  /** What opens this identity's leaf in the audit chain. */
  readonly enrolment?: Enrolment | undefined;
  /** The person asked to revoke this identity, and the response has not arrived. */
  readonly isLeaving?: boolean | undefined;
}

/**
 * A new secret that was created but is not known to be in force: it is stored before it is sent, and the response may be lost.
 * Until it is known, the phone has both secrets and tries the new one first. What it lacks of `S` is as in the identity.
 */
export type Renewal<S extends Secret> = Partial<S> & {
  readonly commitment: string;
  /** When it was last sent by the service's clock. ISO 8601. */
  readonly startedAt: string;
};

/** The service's receipt for the identity's newest commitment. */
export interface Enrolment {
  readonly identityId: string;
  readonly userId: string;
  /** Hex, as is `leaf`. */
  readonly salt: string;
  readonly leaf: string;
  /** The entry in the audit chain. Null while a recovery waits. */
  readonly seq: number | null;
}

/** A registration whose first code has not been answered yet. */
export interface Opening {
  readonly sessionId: string;
  readonly fingerprint: string;
  readonly startedAt: string;
  readonly next: { readonly step: 'pair'; readonly code: string };
}

/** A registration in progress. At its end, its identity moves to the identities in one transaction. */
export interface Registration<S extends Secret> extends Place, Company {
  readonly sessionId: string;
  readonly fingerprint: string;
  readonly startedAt: string;
  /** The code of the next step. It is the only credential, valid for 15 minutes and for this registration. */
  readonly next:
    | { readonly step: 'enroll'; readonly code: string }
    | { readonly step: 'verify'; readonly code: string; readonly challengeNonce: string };
  readonly identity?: Identity<S> | undefined;
  /** Set when the last step was sent and its response has not arrived. */
  readonly unanswered?: boolean | undefined;
}

/** This phone while another one adds it. At the end its identity moves to the identities in one transaction. */
export type Joining<S extends Secret> = S & JoiningFacts;

export interface JoiningFacts extends Secret {
  /** The code of the other phone. */
  readonly code: string;
  /** Opens the commitment `c`. 64 lower-case hex digits. */
  readonly b: string;
  readonly startedAt: string;
  /** What the code led to. */
  readonly found?: Found | undefined;
  /** Set before the identity is sent, so that the other phone can add it from now on. */
  readonly isOpened?: boolean | undefined;
}

/** An addition as the new phone knows it. */
export interface Found extends Place, Company {
  /** The addition's id. */
  readonly id: string;
  /** The other phone's identity. */
  readonly did: string;
  readonly expiresAt: string;
}

export type Joined<S extends Secret> = Joining<S> & { readonly found: Found };

/** Everything that a phone stores. */
export interface Stored<S extends Secret> {
  readonly identities: readonly Identity<S>[];
  readonly ceremonies: readonly (Registration<S> | Opening)[];
  readonly joinings: readonly Joining<S>[];
}

/** One change: a record of a kind, or the id of one to delete. The id is `id`, `sessionId` or `code`. */
export type Change<S extends Secret> =
  | { readonly put: 'identities'; readonly record: Identity<S> }
  | { readonly put: 'ceremonies'; readonly record: Registration<S> | Opening }
  | { readonly put: 'joinings'; readonly record: Joining<S> }
  | { readonly remove: keyof Stored<S>; readonly id: string };

/** What a new phone stores. */
export const NOTHING_STORED: Stored<never> = { identities: [], ceremonies: [], joinings: [] };

const IDS = { identities: 'id', ceremonies: 'sessionId', joinings: 'code' } as const;

/** The records after these changes, for a vault that stores all of them as one. */
export const applyChanges = <S extends Secret>(stored: Stored<S>, changes: readonly Change<S>[]): Stored<S> =>
  changes.reduce(applyChange, stored);

function applyChange<S extends Secret>(stored: Stored<S>, each: Change<S>): Stored<S> {
  const kind = 'put' in each ? each.put : each.remove;
  const idOf = (record: object) => (record as Record<string, unknown>)[IDS[kind]];
  const id = 'put' in each ? idOf(each.record) : each.id;
  const others = stored[kind].filter((record) => idOf(record) !== id);
  return { ...stored, [kind]: 'put' in each ? [...others, each.record] : others };
}

export const isSamePlace = (left: Place, right: Place): boolean =>
  left.tenantId === right.tenantId && left.environment === right.environment;

/** When a new identity is created: later than each that the phone has, because clocks are set, and the service's has whole seconds. */
export const createdAfter = <S extends Secret>({ identities }: Stored<S>, now: number): string =>
  new Date(
    Math.max(now, ...identities.map(({ createdAt }) => (Date.parse(createdAt) || 0) + 1)),
  ).toISOString();

/** What has to be stored with an identity that the service knows: the older ones of its account are deleted. */
export function replacingOlder<S extends Secret>(
  { identities }: Stored<S>,
  identity: Identity<S>,
): Change<S>[] {
  const isOlder = (other: Identity<S>) =>
    isSamePlace(other, identity) && (other.confirmed || other.createdAt < identity.createdAt);
  const older = identities.filter((other) => other.id !== identity.id && isOlder(other));
  return [
    ...older.map(({ id }) => ({ remove: 'identities' as const, id })),
    { put: 'identities', record: identity },
  ];
}
