/**
 * The fields of each kind of record that the audit chain seals, by the number that a row stores. A list never changes: a new field makes a
 * list with the next number. **Facts** stay when a person is erased. **Text** is what somebody wrote, which leaves with the person.
 */
export const SEALED_FIELDS = {
  device: [
    {
      facts: [
        'id',
        'environment',
        'deviceType',
        'status',
        'enrollment_state',
        'fingerprint',
        'attestation_kind',
        'keyThumbprint',
        'createdAt',
      ],
      text: ['name', 'externalId', 'locationId', 'metadata'],
    },
  ],
  user: [
    {
      facts: ['id', 'environment', 'emailFromDevice', 'primaryDeviceId', 'status', 'createdAt', 'erasedAt'],
      text: ['fullName', 'externalId', 'email', 'phone', 'employeeCode', 'metadata'],
    },
    {
      facts: [
        'id',
        'environment',
        'emailFromDevice',
        'nameConfirmation',
        'primaryDeviceId',
        'status',
        'createdAt',
        'erasedAt',
      ],
      text: ['fullName', 'externalId', 'email', 'phone', 'employeeCode', 'metadata'],
    },
    {
      facts: [
        'id',
        'environment',
        'emailFromDevice',
        'nameConfirmation',
        'primaryDeviceId',
        'siteId',
        'attendanceFrom',
        'status',
        'createdAt',
        'erasedAt',
      ],
      text: ['fullName', 'externalId', 'email', 'phone', 'employeeCode', 'metadata'],
    },
  ],
  verification: [
    {
      facts: [
        'id',
        'environment',
        'method',
        'result',
        'userId',
        'deviceId',
        'confidenceScore',
        'occurredAt',
        'createdAt',
      ],
      text: ['reason', 'referenceId', 'metadata'],
    },
  ],
  attendance: [
    {
      facts: [
        'id',
        'environment',
        'userId',
        'type',
        'deviceId',
        'verificationId',
        'result',
        'occurredAt',
        'createdAt',
      ],
      text: ['metadata'],
    },
    {
      facts: [
        'id',
        'environment',
        'userId',
        'type',
        'reason',
        'activity',
        'mode',
        'evidence',
        'siteId',
        'deviceId',
        'verificationId',
        'correctionId',
        'result',
        'occurredAt',
        'createdAt',
      ],
      text: ['metadata'],
    },
  ],
  /** Of one that has ended. */
  registration: [
    {
      facts: [
        'id',
        'environment',
        'state',
        'device_id',
        'user_id',
        'identity_id',
        'opened_by',
        'opened_by_device',
        'recovers',
        'two_person',
        'recovery_opened_at',
        'completes_at',
        'contested_at',
        'confirmed_at',
        'confirmed_by',
        'created_at',
        'updated_at',
        'expires_at',
      ],
      text: ['profile', 'did', 'commitment'],
    },
  ],
  /** Of one that somebody approved, declined, or ended with a wrong number. */
  pairing: [
    {
      facts: [
        'id',
        'environment',
        'state',
        'purpose',
        'match',
        'clientId',
        'deviceId',
        'createdAt',
        'boundAt',
        'nearbyAt',
        'userId',
        'identityId',
        'verificationId',
      ],
      text: ['did', 'origin', 'application'],
    },
  ],
} as const satisfies Readonly<Record<string, readonly FieldLists[]>>;

export interface FieldLists {
  readonly facts: readonly string[];
  readonly text: readonly string[];
}

export type SealedKind = keyof typeof SEALED_FIELDS;

export const SEALED_KINDS = Object.keys(SEALED_FIELDS) as readonly SealedKind[];

/** The kinds whose records can be exported with their seals, and proved one by one. */
export const EXPORTED_KINDS = [
  'device',
  'user',
  'verification',
  'attendance',
] as const satisfies SealedKind[];
export type ExportedKind = (typeof EXPORTED_KINDS)[number];

/** What entries of the chain call a record of a kind. */
export const entityTypeOf = (kind: SealedKind): string => (kind === 'pairing' ? 'pairing_session' : kind);

/** The first has the number 1. Undefined for a number that this version does not know. */
export const fieldListsOf = (kind: SealedKind, n: number): FieldLists | undefined =>
  (SEALED_FIELDS[kind] as readonly FieldLists[])[n - 1];

/** The fields that a later list has and this one does not. A record that was sealed before they existed has no value in any of them. */
export const laterFields = (kind: SealedKind, n: number): readonly string[] => LATER[kind][n - 1] ?? [];

const namesIn = ({ facts, text }: FieldLists): readonly string[] => [...facts, ...text];

const LATER = Object.fromEntries(
  SEALED_KINDS.map((kind) => {
    const lists: readonly FieldLists[] = SEALED_FIELDS[kind];
    const laterThan = (of: FieldLists, at: number) =>
      lists
        .slice(at + 1)
        .flatMap(namesIn)
        .filter((name) => !namesIn(of).includes(name));
    return [kind, lists.map(laterThan)];
  }),
) as unknown as Readonly<Record<SealedKind, readonly (readonly string[])[]>>;

/** The fields that a record shows and no seal covers, in the order of their names. Without a known number, all of them. */
export function unsealedIn(kind: SealedKind, n: number | null, record: object): string[] {
  const lists = n === null ? undefined : fieldListsOf(kind, n);
  const sealed = new Set([...(lists?.facts ?? []), ...(lists?.text ?? [])]);
  return Object.keys(record)
    .filter((name) => !sealed.has(name))
    .sort();
}

/** Actions whose entry has a seal of the device or person that it is about, unless a version without seals wrote it. */
export const CHANGING_ACTIONS: ReadonlySet<string> = new Set([
  ...['device.created', 'device.updated', 'device.enrolled', 'device.revoked'],
  ...['user.created', 'user.updated'],
]);

/** Actions whose successful entry has the seal of the record that it is about, or says that what is sealed stays the `same`. */
export const SEALING_ACTIONS: ReadonlySet<string> = new Set([
  'device.created',
  'device.updated',
  'user.created',
  'user.updated',
  'verification.created',
  'attendance.created',
  'registration.completed',
  'registration.abandoned',
  'registration.expired',
  'pairing.submit',
  'pairing.declined',
]);
