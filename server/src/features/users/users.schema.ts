import Type from 'typebox';
import {
  closed,
  Environment,
  FreeForm,
  Nullable,
  pageOf,
  paging,
  Text,
  Timestamp,
  Uuid,
} from '../../kernel/schema.js';

const Status = Type.Enum(['active', 'inactive']);

export const User = closed(
  {
    id: Uuid,
    environment: Environment,
    fullName: Type.String(),
    externalId: Nullable(Type.String()),
    email: Nullable(Type.String()),
    phone: Nullable(Type.String()),
    employeeCode: Nullable(Type.String()),
    primaryDeviceId: Nullable(Uuid),
    metadata: Nullable(FreeForm),
    status: Status,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  'User',
);

/** What a caller may give at creation, and a ceremony's profile may hold (DECISIONS §3). */
export const userFields = {
  fullName: Text(200),
  externalId: Type.Optional(Text(200)),
  email: Type.Optional(Text(320)),
  phone: Type.Optional(Text(64)),
  employeeCode: Type.Optional(Text(100)),
  primaryDeviceId: Type.Optional(Uuid),
  metadata: Type.Optional(FreeForm),
};

export const CreateUserBody = closed(userFields);

export const PatchUserBody = Type.Object(
  {
    fullName: Type.Optional(Text(200)),
    externalId: Type.Optional(Nullable(Text(200))),
    email: Type.Optional(Nullable(Text(320))),
    phone: Type.Optional(Nullable(Text(64))),
    employeeCode: Type.Optional(Nullable(Text(100))),
    primaryDeviceId: Type.Optional(Nullable(Uuid)),
    metadata: Type.Optional(Nullable(FreeForm)),
    status: Type.Optional(Status),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const ListUsersQuery = closed({ status: Type.Optional(Status), ...paging });
export const UserReply = closed({ user: User });
export const UserListReply = pageOf('users', User);
