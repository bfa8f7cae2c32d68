import Type from 'typebox';
import {
  closed,
  Environment,
  FreeForm,
  like,
  Nullable,
  pageOf,
  paging,
  shown,
  Text,
  Timestamp,
  uuid,
} from '../../kernel/schema.js';
import { ids } from '../../model/story.js';

export const USER_STATUSES = ['active', 'inactive'] as const;
const Status = Type.Enum([...USER_STATUSES]);
const FullName = like('Ada Lovelace', Text(200));
const ExternalId = like('employee-1815', Text(200));
const Email = like('ada@example.com', Text(320));
const Phone = like('+41 44 668 18 00', Text(64));
const EmployeeCode = like('1815', Text(100));
const DeviceId = uuid(ids.device);

export const User = closed(
  {
    id: uuid(ids.user),
    environment: Environment,
    fullName: shown('Ada Lovelace'),
    externalId: Nullable(shown('employee-1815')),
    email: Nullable(shown('ada@example.com')),
    phone: Nullable(shown('+41 44 668 18 00')),
    employeeCode: Nullable(shown('1815')),
    primaryDeviceId: Nullable(DeviceId),
    metadata: Nullable(FreeForm),
    status: Status,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  'User',
);

/** What a caller may give at creation, and a ceremony's profile may hold (DECISIONS §3). */
export const userFields = {
  fullName: FullName,
  externalId: Type.Optional(ExternalId),
  email: Type.Optional(Email),
  phone: Type.Optional(Phone),
  employeeCode: Type.Optional(EmployeeCode),
  primaryDeviceId: Type.Optional(DeviceId),
  metadata: Type.Optional(FreeForm),
};

export const CreateUserBody = closed(userFields, 'UserCreateParams');

export const PatchUserBody = Type.Object(
  {
    fullName: Type.Optional(FullName),
    externalId: Type.Optional(Nullable(ExternalId)),
    email: Type.Optional(Nullable(Email)),
    phone: Type.Optional(Nullable(Phone)),
    employeeCode: Type.Optional(Nullable(EmployeeCode)),
    primaryDeviceId: Type.Optional(Nullable(DeviceId)),
    metadata: Type.Optional(Nullable(FreeForm)),
    status: Type.Optional(Status),
  },
  { additionalProperties: false, title: 'UserUpdateParams', minProperties: 1 },
);

export const ListUsersQuery = closed({
  status: Type.Optional(Status),
  externalId: Type.Optional(ExternalId),
  email: Type.Optional(Email),
  ...paging,
});
export const UserReply = closed({ user: User });
export const UserListReply = pageOf('users', User);
