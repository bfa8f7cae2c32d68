import Type, { type Static } from 'typebox';
import { exportOf } from '../../http/export.js';
import { ids } from '../../model/example-fixtures.js';
import { type Columns, createFields, optional, replyFields, updateFields } from '../../records/columns.js';
import {
  createdIn,
  includesBoth,
  includesNames,
  optionalNames,
  search,
  searchPageOf,
} from '../../records/list.js';
import { USER_SORTS } from '../../records/order.js';
import {
  Environment,
  exampleText,
  FreeForm,
  flag,
  Nullable,
  paging,
  strictObject,
  Text,
  Timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

/** `desk`: only by the code of a desk. `anywhere`: also from their own phone. */
export const ATTENDANCE_FROM = ['desk', 'anywhere'] as const;
export const USER_STATUSES = ['active', 'inactive'] as const;
const Status = Type.Enum([...USER_STATUSES]);

/** How somebody knows a name: they know the person, saw a document, or found them on a list. */
const NAME_SOURCES = ['known', 'document_seen', 'list'] as const;
export const NameSource = withExample('document_seen', Type.Enum([...NAME_SOURCES]));

const Confirmation = strictObject(
  {
    /** The member who confirmed it. */
    memberId: uuid(ids.tenant),
    /** The desk at which they did. Null: in the dashboard. */
    deviceId: Nullable(uuid(ids.device)),
    at: Timestamp,
    how: NameSource,
  },
  'NameConfirmation',
);
/** The example of a user shows one whose name nobody has confirmed. */
const NameConfirmation = Type.Unsafe<Static<typeof Confirmation>>({ ...Confirmation, examples: [null] });

/** The example of a user shows one that was not erased. */
const NOT_ERASED = Type.Unsafe<string>({ ...Timestamp, examples: [null] });

export const userColumns = {
  id: { column: 'id', schema: uuid(ids.user), type: 'uuid' },
  environment: { column: 'environment', schema: Environment },
  fullName: {
    column: 'full_name',
    schema: withExample('Ada Lovelace', Text(200)),
    create: 'required',
    update: true,
  },
  /** Null: nobody has confirmed the name. Only the service sets it, and another name clears it. */
  nameConfirmation: { column: 'name_confirmation', schema: NameConfirmation, type: 'json', nullable: true },
  externalId: { column: 'external_id', schema: withExample('employee-1815', Text(200)), ...optional },
  email: { column: 'email', schema: withExample('ada@example.com', Text(320)), ...optional },
  /** It came from a device, and nobody has confirmed it. */
  emailFromDevice: {
    column: 'email_from_device',
    schema: flag(
      false,
      'The e-mail address was typed at a device or by reception and nobody confirmed it, so no application gets it.',
    ),
  },
  phone: { column: 'phone', schema: withExample('+41 44 668 18 00', Text(64)), ...optional },
  employeeCode: { column: 'employee_code', schema: withExample('1815', Text(100)), ...optional },
  primaryDeviceId: { column: 'primary_device_id', schema: uuid(ids.device), type: 'uuid', ...optional },
  siteId: {
    column: 'site_id',
    schema: { ...uuid(ids.site), description: 'Where the person works. Their number is unique there.' },
    type: 'uuid',
    ...optional,
  },
  attendanceFrom: {
    column: 'attendance_from',
    schema: Type.Enum([...ATTENDANCE_FROM], {
      description: 'Where the person may clock in with their phone. Null: as their site says.',
      examples: ['desk'],
    }),
    ...optional,
  },
  metadata: { column: 'metadata', schema: FreeForm, type: 'json', ...optional },
  status: { column: 'status', schema: Status, update: true },
  createdAt: { column: 'created_at', schema: Timestamp, type: 'timestamptz' },
  updatedAt: { column: 'updated_at', schema: Timestamp, type: 'timestamptz' },
  erasedAt: {
    column: 'erased_at',
    schema: NOT_ERASED,
    type: 'timestamptz',
    nullable: true,
  },
} as const satisfies Columns;

export const User = strictObject(replyFields(userColumns), 'User');

/** The fields that a caller may set, also in a registration's profile [registrations/completing]. */
export const userFields = createFields(userColumns);

export const CreateUserBody = strictObject(userFields, 'UserCreateParams');

/** How many users a request may import. With the longest values, fewer fit into a body. */
const MAX_IMPORTED = 100;
const { fullName, externalId, email, phone, employeeCode } = userFields;
export const ImportedUser = strictObject(
  { fullName, externalId, email, phone, employeeCode },
  'ImportedUser',
);

export const ImportUsersBody = strictObject(
  { users: Type.Array(ImportedUser, { minItems: 1, maxItems: MAX_IMPORTED }) },
  'UserImportParams',
);

/** In the order of the request. Null for one whose external ID exists. */
export const ImportUsersReply = strictObject({
  users: Type.Array(strictObject({ id: Nullable(uuid(ids.user)) })),
});

export const PatchUserBody = Type.Object(updateFields(userColumns), {
  additionalProperties: false,
  title: 'UserUpdateParams',
  minProperties: 1,
});

export const ConfirmNameBody = strictObject({ how: NameSource }, 'NameConfirmationParams');

export const ListUsersQuery = strictObject({
  status: Type.Optional(Status),
  externalId: userFields.externalId,
  email: userFields.email,
  ...search,
  ...createdIn,
  sort: Type.Optional(Type.Enum([...USER_SORTS])),
  ...includesBoth,
  ...paging,
});
/** The name of the primary device. */
const userNames = { deviceName: Nullable(exampleText('Main gate')) };
const NamedUser = strictObject({ ...User.properties, ...optionalNames(userNames) }, 'NamedUser');
export const GetUserQuery = strictObject(includesNames);
export const UserReply = strictObject({ user: User });
export const NamedUserReply = strictObject({ user: NamedUser });
export const UserListReply = searchPageOf('users', NamedUser, 'UserPage');
export const userExport = exportOf(ListUsersQuery, { ...User.properties, ...userNames });
