import { createUser, listUsers, type UserCreateParams } from '../.build/generated/orval.js';
import { expectEqual } from './expect.js';
import { configure } from './orval-fetch.js';

/** Creates a user, lists users, and reads an error, with orval's client. */
export async function run(baseUrl: string, key: string): Promise<void> {
  configure(baseUrl, key);

  const params: UserCreateParams = { fullName: 'Ada Lovelace', externalId: 'orval-1' };
  const created = await createUser(params);
  if (created.status !== 201) throw new Error(created.data.message);
  const { user } = created.data;
  expectEqual(user.fullName, 'Ada Lovelace', 'fullName');

  const listed = await listUsers({ limit: 10 });
  if (listed.status !== 200) throw new Error(listed.data.message);
  expectEqual(
    listed.data.users.some(({ id }) => id === user.id),
    true,
    'the list has the user',
  );

  const refused = await createUser({ fullName: '' });
  if (refused.status !== 400) throw new Error(`status ${refused.status}`);
  expectEqual(refused.data.error, 'invalid_request', 'error');
  expectEqual(refused.data.details?.[0]?.path, 'body.fullName', 'details');
}
