import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from '../.build/generated/openapi-typescript.js';
import { expectEqual } from './expect.js';

type Delivery = webhooks['event']['post']['requestBody']['content']['application/json'];
/** What a receiver reads of a delivery. */
const afterOf = ({ data: { seq, previousSeq } }: Delivery): number => previousSeq ?? seq - 1;

/** Creates a user, lists users, and reads an error, with openapi-fetch and the types of openapi-typescript. */
export async function run(baseUrl: string, key: string): Promise<void> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

  const params: components['schemas']['UserCreateParams'] = {
    fullName: 'Ada Lovelace',
    externalId: 'fetch-1',
  };
  const created = await client.POST('/v1/users', { body: params });
  const user: components['schemas']['User'] | undefined = created.data?.user;
  expectEqual(user?.fullName, 'Ada Lovelace', 'fullName');

  const listed = await client.GET('/v1/users', { params: { query: { limit: 10 } } });
  expectEqual(
    listed.data?.users.some(({ id }) => id === user?.id),
    true,
    'the list has the user',
  );

  const text = '{"type":"user.created","data":{"seq":42,"previousSeq":null}}';
  expectEqual(afterOf(JSON.parse(text)), 41, 'the event before a delivery');

  const refused = await client.POST('/v1/users', { body: { fullName: '' } });
  expectEqual(refused.error?.error, 'invalid_request', 'error');
  expectEqual(refused.error?.details?.[0]?.path, 'body.fullName', 'details');
}
