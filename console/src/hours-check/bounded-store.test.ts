import { expect, it } from 'vitest';
import { boundedStore, TooLarge } from './bounded-store';

const sheet = (name: unknown) => JSON.stringify({ is: 'sheet', userId: 'ada', shown: { name } });

it('knows the names that sheets have, and keeps all that was added', () => {
  const store = boundedStore(1_000);
  store.add('ada', '{"is":"event","userId":"ada","event":{"name":"no sheet"}}');
  store.add('ada', sheet('Ada Lovelace'));
  store.add('bo', sheet(7));
  expect([...store.names]).toEqual([['ada', 'Ada Lovelace']]);
  expect([...(store.all() as Iterable<readonly string[]>)].map((texts) => texts.length)).toEqual([2, 1]);
});

it('takes no more than it was given room for', () => {
  const store = boundedStore(10);
  store.add('ada', '0123456789');
  expect(() => store.add('ada', '0')).toThrow(TooLarge);
});
