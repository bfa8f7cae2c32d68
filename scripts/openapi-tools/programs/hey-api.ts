import { client } from '../.build/generated/hey-api/client.gen.js';
import { createUser, listUsers } from '../.build/generated/hey-api/sdk.gen.js';
import type { User, UserCreateParams } from '../.build/generated/hey-api/types.gen.js';
import { expectEqual } from './expect.js';

/** Creates a user, lists users, and reads an error, with the client of @hey-api/openapi-ts. */
export async function run(baseUrl: string, key: string): Promise<void> {
  client.setConfig({ baseUrl, auth: key });

  const params: UserCreateParams = { fullName: 'Ada Lovelace', externalId: 'hey-1' };
  const created = await createUser({ body: params });
  const user: User | undefined = created.data?.user;
  expectEqual(user?.fullName, 'Ada Lovelace', 'fullName');

  const listed = await listUsers({ query: { limit: 10 } });
  expectEqual(
    listed.data?.users.some(({ id }) => id === user?.id),
    true,
    'the list has the user',
  );

  const refused = await createUser({ body: { fullName: '' } });
  expectEqual(refused.error?.error, 'invalid_request', 'error');
  expectEqual(refused.error?.details?.[0]?.path, 'body.fullName', 'details');
}
