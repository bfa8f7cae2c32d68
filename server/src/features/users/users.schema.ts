import Type from 'typebox';
import { closed, Environment, FreeForm, Nullable, Timestamp, Uuid } from '../../kernel/schema.js';

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
    status: Type.Enum(['active', 'inactive']),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  'User',
);
