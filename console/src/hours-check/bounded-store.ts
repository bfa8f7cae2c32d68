import { type PersonStore, storeInMemory } from '@svc/sdk/hours';

/** The file has more events than a browser can hold. */
export class TooLarge extends Error {}

/** Keeps what a file says of people in memory, up to so many characters. Sheets have the names. */
export function boundedStore(limit: number): PersonStore & { readonly names: Map<string, string> } {
  const store = storeInMemory();
  const names = new Map<string, string>();
  let size = 0;
  return {
    ...store,
    names,
    add(userId, text) {
      size += text.length;
      if (size > limit) throw new TooLarge();
      const name = text.startsWith('{"is":"sheet"') ? JSON.parse(text).shown?.name : undefined;
      if (typeof name === 'string') names.set(userId, name);
      store.add(userId, text);
    },
  };
}
